/* The program in docs/trace.md compiles, runs, and prints the text shown there. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Returns the text between "```kind" and "```", the first of its kind. */
static char *block(const char *text, const char *kind) {
    char *mark = spawn_text("\n```%s\n", kind);
    const char *begin = strstr(text, mark);
    if (!begin) fail_msg("docs/trace.md has no block of %s", kind);
    begin += strlen(mark);
    free(mark);
    return strndup(begin, (size_t)(strstr(begin, "\n```") + 1 - begin));
}

static void test_example(void **state) {
    (void)state;
    char *path = spawn_text("%s/docs/trace.md", spawn_source()), *document = spawn_read(path);
    if (!document) fail_msg("%s is missing", path);
    char *program = block(document, "c"), *expected = block(document, "text"), *folder = spawn_folder();
    char *file = spawn_text("%s/dice.c", folder);
    spawn_write(file, program);
    /* CFLAGS: needed here, too, for a library with sanitizers */
    const bool sanitized = strstr(spawn_build(), "build-san");
    char *line = spawn_text(
        "gcc -std=gnu11 -Wall -Wextra -Werror %s -I%s dice.c %s/libsim.a -llz4 -lz -lpthread -lm -o "
        "dice && ./dice && fst2vcd dice.fst",
        sanitized ? "-fsanitize=address,undefined" : "", spawn_source(), spawn_build());
    struct spawned s = spawn(folder, (char *[]){"sh", "-ec", line, NULL});
    if (s.status) fail_msg("it ends with %d:\n%s", s.status, s.err);
    assert_memory_equal(s.out, expected, strlen(expected));
    assert_non_null(strstr(s.out, "$var wire 3 "));
    assert_non_null(strstr(s.out, "\n#95000\n"));
    spawn_free(&s);
    spawn_remove_folder(folder);
    free(line);
    free(file);
    free(program);
    free(expected);
    free(document);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
