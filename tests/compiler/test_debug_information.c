/* Information of images about variables and barriers, for the checks of `lockstep run`; debug information
 * does not change code. */
#include "runtime/image.h"
#include "runtime/image_code.h"
#include "model/arm/coprocessor.h"

#include "tests/compiler/compiler_image.h"

#include <glob.h>

/* Compiles a file. Files that it includes are in `folder`. */
static struct image *compile(const char *path, const char *folder) {
    struct run_result r = run_command("%s/lockstep-cc --no-cache --mode=simt --options=-I%s -o %s %s",
                                      run_build_directory(), folder, run_path("out.image"), path);
    struct image *i = r.status == 0 ? load(run_path("out.image")) : NULL;
    free(r.errors);
    return i;
}

static struct image *compile_in(const char *source, const char *folder) {
    run_write(run_path("source.cl"), source);
    struct image *i = compile(run_path("source.cl"), folder);
    assert_non_null(i);
    return i;
}

static struct image *compile_source(const char *source) {
    return compile_in(source, ".");
}

/* Kernels without debug information, their helpers with it, have the same code. */
static void debug_information_changes_no_code(void **state) {
    (void)state;
    static const char without[] = "#define __kernel __attribute__((nodebug)) __kernel\n"
                                  "#define kernel __attribute__((nodebug)) kernel\n";
    unsigned compared = 0;
    glob_t files;
    assert_int_equal(glob("benchmarks/*/*.cl", 0, NULL, &files), 0);
    for (size_t n = 0; n < files.gl_pathc; n++) {
        size_t size;
        char folder[256];
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(files.gl_pathv[n], '/') - files.gl_pathv[n]),
                 files.gl_pathv[n]);
        struct image *with = compile(files.gl_pathv[n], folder), *none;
        if (!with) continue; /* needs build options */
        char *source = run_read(files.gl_pathv[n], &size), *text = NULL;
        assert_true(asprintf(&text, "%s%s", without, source) > 0);
        none = compile_in(text, folder);
        assert_int_equal(with->text_bytes, none->text_bytes);
        assert_memory_equal(with->code + (with->text_base - with->code_base),
                            none->code + (none->text_base - none->code_base), with->text_bytes);
        compared++;
        free(text);
        free(source);
        image_free(with);
        image_free(none);
    }
    assert_true(compared > 20);
    globfree(&files);
}

/* The memory that each barrier fences, in the order of the code. */
static void barriers_tell_what_they_fence(void **state) {
    (void)state;
    struct image *i =
        compile_source("void both(void) { barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); }\n"
                       "kernel void k(global volatile int *o, uint flags) {\n"
                       "  o[0] = 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "  o[0] = 2; barrier(CLK_GLOBAL_MEM_FENCE);\n"
                       "  o[0] = 3; both();\n"
                       "  o[0] = 4; barrier(0);\n"
                       "  o[0] = 5; barrier(flags);\n"
                       "  o[0] = 6;\n"
                       "}\n");
    static const unsigned expected[] = {MACHINE_FENCE_LOCAL, MACHINE_FENCE_GLOBAL,
                                        MACHINE_FENCE_LOCAL | MACHINE_FENCE_GLOBAL, 0,
                                        MACHINE_FENCE_LOCAL | MACHINE_FENCE_GLOBAL};
    struct machine_code code;
    unsigned barriers = 0;
    image_code(i, &code);
    for (uint32_t n = 0; n < code.text_bytes / 4; n++) {
        if (!code.decoded[n].is_coprocessor ||
            coprocessor_decode(&code.decoded[n]).operation != COPROCESSOR_BARRIER)
            continue;
        assert_true(barriers < 5);
        assert_int_equal(machine_fences(&code, code.text_base + 4 * n), expected[barriers++]);
    }
    assert_int_equal(barriers, 5);
    assert_int_equal(code.fence_count, 4);
    machine_code_free(&code);
    image_free(i);
}

static void local_variables_are_described(void **state) {
    (void)state;
    struct image *i =
        compile_source("kernel void other(global int *o) { local int mine; mine = 1; o[0] = mine; }\n"
                       "kernel void k(global int *o) {\n"
                       "  local float4 tile[3][5];\n"
                       "  local char flag;\n"
                       "  tile[o[1]][o[2]] = 1; flag = o[3];\n"
                       "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "  o[0] = tile[o[3]][o[4]].x + flag;\n"
                       "}\n");
    const struct image_kernel *k = image_find(i, "k"), *other = image_find(i, "other");
    assert_int_equal(other->variable_count, 1);
    assert_string_equal(other->variables[0].name, "mine");
    assert_int_equal(k->variable_count, 2);
    const struct image_variable *v = k->variables;
    assert_string_equal(v->name, "tile");
    assert_non_null(strstr(v->file, "source.cl"));
    assert_int_equal(v->line, 3);
    assert_int_equal(v->size_bytes, 3 * 5 * 16);
    assert_int_equal(v->element_bytes, 16);
    assert_int_equal(v->dimensions, 2);
    assert_int_equal(v->dimension[0], 3);
    assert_int_equal(v->dimension[1], 5);
    assert_string_equal(v[1].name, "flag");
    assert_int_equal(v[1].line, 4);
    assert_int_equal(v[1].size_bytes, 1);
    assert_int_equal(v[1].dimensions, 0);
    image_free(i);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(debug_information_changes_no_code),
                                       cmocka_unit_test(barriers_tell_what_they_fence),
                                       cmocka_unit_test(local_variables_are_described)};
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
