/* library_parts: every public function of the device library is in exactly one part; other names are not
 * found; damaged files are refused. */
#include "compiler/stages/library_parts.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_function_has_a_part(void **state) {
    (void)state;
    static const char *const names[] = {"library", "library_classic"};
    for (int n = 0; n < 2; n++) {
        struct text library = {0};
        char *path = spawn_text("%s/device/%s.parts", spawn_build(), names[n]),
             *public_path = spawn_text("%s/device/%s.public.txt", spawn_build(), names[n]),
             *functions = spawn_read(public_path), *rest = functions;
        assert_true(text_read_file(&library, path));
        unsigned count = 0;
        for (const char *name; (name = strsep(&rest, "\n")) != NULL;) {
            struct library_part part = {0};
            if (!*name) continue;
            if (!library_parts_find(&library, name, &part)) fail_msg("%s has no part", name);
            assert_memory_equal(library.data + part.offset, "BC\xc0\xde", 4);
            assert_true(memmem(library.data + part.offset, part.size, name, strlen(name)));
            count++;
        }
        assert_true(count > 1000);
        text_free(&library);
        free(functions);
        free(public_path);
        free(path);
    }
}

static bool found(const char *library, size_t size, const char *name) {
    struct library_part part;
    const struct text t = {.data = (char *)library, .size = size};
    return library_parts_find(&t, name, &part);
}

static void names_are_found_whole(void **state) {
    (void)state;
    static const char library[] = "@0 4\n_Z1av\n_Z2bbv\n@4 4\n_Z1cv\n\nBC_1BC_2";
    struct library_part part;
    const struct text t = {.data = (char *)library, .size = sizeof library - 1};
    assert_true(library_parts_find(&t, "_Z1cv", &part));
    assert_memory_equal(library + part.offset, "BC_2", 4);
    assert_true(library_parts_find(&t, "_Z1av", &part));
    assert_memory_equal(library + part.offset, "BC_1", 4);
    static const char *const none[] = {"_Z1a", "Z1av", "_Z2bb", "BC_1", "_Z3dddv", ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (found(library, sizeof library - 1, none[i])) fail_msg("'%s' is found", none[i]);
}

static void damaged_files_are_not_believed(void **state) {
    (void)state;
    static const char library[] = "@0 4\n_Z1av\n@4 5\n_Z1cv\n\nBC_1BC_2",
                      wrong[] = "@9999999999 1\n_Z1av\n\nBC", headless[] = "_Z1av\n_Z1bv\n\nBC";
    assert_true(found(library, sizeof library - 1, "_Z1av"));
    assert_false(found(library, sizeof library - 1, "_Z1cv"));
    for (size_t size = 0; size < 20; size++) assert_false(found(library, size, "_Z1av"));
    assert_false(found(wrong, sizeof wrong - 1, "_Z1av"));
    assert_false(found(headless, sizeof headless - 1, "_Z1bv"));
    assert_false(found("", 0, "_Z1av"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_a_part),
        cmocka_unit_test(names_are_found_whole),
        cmocka_unit_test(damaged_files_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
