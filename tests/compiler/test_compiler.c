/*
 * lockstep-cc as its users see it: images as the runtime loads them (runtime/image.h), messages with the
 * user's file and line, build options, the library mode.
 */
#include "model/memory/memory.h"
#include "tests/compiler/compiler_image.h"

/* --- helpers --- */

/* Compiles a file of tests/kernels. */
static struct image *compile_kernel(const char *name) {
    expect_success(COMPILE("-o %s tests/kernels/%s", run_path("image"), name));
    return load(run_path("image"));
}

/* Returns the assembler text of one function, from its label to its end. */
static char *assembler_of(const char *file, const char *function) {
    size_t size;
    char label[256];
    expect_success(COMPILE("--emit=asm -o %s tests/kernels/%s", run_path("asm"), file));
    char *text = run_read(run_path("asm"), &size);
    snprintf(label, sizeof label, "\n%s:", function);
    char *begin = strstr(text, label), *end = begin ? strstr(begin, ".fnend") : NULL;
    if (!end) {
        fail_msg("no %s in the assembler text", function);
        return NULL;
    }
    *end = 0;
    char *copy = strdup(begin);
    free(text);
    return copy;
}

static unsigned count(const char *text, const char *word) {
    unsigned n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* --- images --- */

static void expect_argument(const struct image_argument *a, const char *name, const char *type,
                            enum image_space space, const char *qualifiers, unsigned offset, unsigned size) {
    assert_string_equal(a->name, name);
    assert_string_equal(a->type, type);
    assert_int_equal(a->space, space);
    assert_string_equal(a->qualifiers, qualifiers);
    assert_string_equal(a->access, "none");
    assert_int_equal(a->offset, offset);
    assert_int_equal(a->size_bytes, size);
}

static void test_image_of_a_simple_kernel(void **state) {
    (void)state;
    struct image *i = compile_kernel("vector_add.cl");
    assert_int_equal(i->kernel_count, 1);
    assert_int_equal(i->priority_levels, 8);
    assert_int_equal(i->local_bytes, 0);
    assert_int_equal(i->code_base, MEMORY_CODE_BASE);
    const struct image_kernel *k = image_find(i, "vector_add");
    assert_non_null(k);
    assert_string_equal(k->file, "tests/kernels/vector_add.cl");
    assert_int_equal(k->line, 2);
    assert_int_equal(k->argument_block_bytes, 16);
    assert_int_equal(k->local_bytes, 0);
    assert_string_equal(k->attributes, "");
    assert_int_equal(k->argument_count, 4);
    expect_argument(&k->arguments[0], "a", "float*", IMAGE_GLOBAL, "restrict const", 0, 4);
    expect_argument(&k->arguments[1], "b", "float*", IMAGE_GLOBAL, "const", 4, 4);
    expect_argument(&k->arguments[2], "c", "float*", IMAGE_GLOBAL, "", 8, 4);
    expect_argument(&k->arguments[3], "n", "uint", IMAGE_PRIVATE, "", 12, 4);
    image_free(i);
}

static void test_lines_are_those_of_the_source(void **state) {
    (void)state;
    struct image *i = compile_kernel("vector_add.cl");
    const struct image_kernel *k = image_find(i, "vector_add");
    unsigned lines[10] = {0};
    for (uint32_t pc = k->thunk; pc < i->text_base + i->text_bytes; pc += 4) {
        const char *file;
        unsigned line;
        if (!image_line(i, pc, &file, &line) || strcmp(file, k->file)) break;
        assert_true(line >= 2 && line <= 9);
        lines[line]++;
    }
    assert_true(lines[5] > 0); /* if */
    assert_true(lines[6] > 0); /* sum */
    assert_true(lines[7] > 0); /* doubling */
    assert_string_equal(image_function(i, k->thunk), "__lockstep_thunk_vector_add");
    image_free(i);
}

/* The functions around the first instruction of a line, as diagnoses show them. */
static void expect_callers(const struct image *i, unsigned wanted, const char *expected) {
    for (uint32_t pc = i->text_base; pc < i->text_base + i->text_bytes; pc += 4) {
        const char *file;
        char callers[200];
        unsigned line;
        if (!image_line(i, pc, &file, &line) || line != wanted || !strstr(file, "text.cl")) continue;
        image_callers(i, pc, callers, sizeof callers);
        assert_string_equal(callers, expected);
        image_callers(i, pc, callers, 8); /* truncated to the available space */
        assert_true(strlen(callers) < 8);
        return;
    }
    fail_msg("no instruction of line %u", wanted);
}

static void test_functions_around_a_line(void **state) {
    char expected[PATH_MAX + 128];
    (void)state;
    expect_success(compile_text("int inner(__global int *p) {\n  return p[77];\n}\n"
                                "int outer(__global int *p) {\n  return inner(p + 5) * 3;\n}\n"
                                "__attribute__((noinline)) void apart(__global int *p) {\n  p[3] = 4;\n}\n"
                                "__kernel void k(__global int *p) {\n  apart(p);\n  p[1] = outer(p);\n}\n",
                                ""));
    struct image *i = load(run_path("image"));
    snprintf(expected, sizeof expected, " in 'inner', inlined at %s:5 in 'outer', inlined at %s:12 in 'k'",
             run_path("text.cl"), run_path("text.cl"));
    expect_callers(i, 2, expected);
    expect_callers(i, 8, " in 'apart'");
    expect_callers(i, 11, " in 'k'");
    char text[64] = "?";
    image_callers(i, i->text_base + i->text_bytes, text, sizeof text);
    assert_string_equal(text, "");
    image_free(i);
}

static void test_arguments_of_every_kind(void **state) {
    (void)state;
    struct image *i = compile_kernel("arguments.cl");
    const struct image_kernel *k = image_find(i, "all_kinds");
    assert_int_equal(k->argument_count, 9);
    /* Vectors are aligned to their size: record is 1 (+15), 16, 8 (+8) = 48 bytes. */
    expect_argument(&k->arguments[0], "c", "char", IMAGE_PRIVATE, "", 0, 1);
    expect_argument(&k->arguments[1], "records", "record*", IMAGE_GLOBAL, "", 4, 4);
    expect_argument(&k->arguments[2], "v", "float3", IMAGE_PRIVATE, "", 16, 16);
    expect_argument(&k->arguments[3], "coefficients", "int*", IMAGE_CONSTANT, "const", 32, 4);
    expect_argument(&k->arguments[4], "one", "record", IMAGE_PRIVATE, "", 48, 48);
    expect_argument(&k->arguments[5], "scratch", "float4*", IMAGE_LOCAL, "", 96, 4);
    expect_argument(&k->arguments[6], "wide", "long", IMAGE_PRIVATE, "", 104, 8);
    expect_argument(&k->arguments[7], "pair", "uchar2", IMAGE_PRIVATE, "", 112, 2);
    expect_argument(&k->arguments[8], "flag", "int*", IMAGE_GLOBAL, "volatile", 116, 4);
    assert_int_equal(k->argument_block_bytes, 120);
    assert_int_equal(k->reqd_work_group_size[0], 8);
    assert_int_equal(k->reqd_work_group_size[1], 4);
    assert_int_equal(k->reqd_work_group_size[2], 1);
    assert_string_equal(k->attributes, "reqd_work_group_size(8,4,1) work_group_size_hint(8,4,1)");
    assert_string_equal(image_find(i, "none")->attributes, "vec_type_hint(uint4)");
    assert_int_equal(image_find(i, "none")->argument_block_bytes, 0);
    assert_int_equal(image_find(i, "none")->argument_count, 0);
    image_free(i);
}

static void test_local_memory_of_kernels_overlaps(void **state) {
    (void)state;
    struct image *i = compile_kernel("local.cl");
    /* Local variables shared by inner and outer, 64 bytes, come first; then each kernel's own. */
    assert_int_equal(image_find(i, "inner")->local_bytes, 64);
    assert_int_equal(image_find(i, "outer")->local_bytes, 64 + 32);
    assert_int_equal(image_find(i, "first")->local_bytes, 64 + 256 + 4);
    assert_int_equal(image_find(i, "second")->local_bytes, 64 + 256);
    assert_int_equal(i->local_bytes, 64 + 256 + 4);
    image_free(i);
}

static void test_names_do_not_clash(void **state) {
    (void)state;
    struct image *i = compile_kernel("names.cl");
    assert_int_equal(i->kernel_count, 4);
    assert_non_null(image_find(i, "lockstep_startup"));
    assert_int_not_equal(image_find(i, "lockstep_startup")->thunk, i->startup);
    image_free(i);
}

static void test_programs_without_kernels(void **state) {
    (void)state;
    expect_success(compile_text("", ""));
    struct image *i = load(run_path("image"));
    assert_int_equal(i->kernel_count, 0);
    image_free(i);
    expect_success(compile_text("int f(int x) { return x; }\n", "--priority-levels 4"));
    i = load(run_path("image"));
    assert_int_equal(i->kernel_count, 0);
    assert_int_equal(i->priority_levels, 4);
    image_free(i);
}

static void test_functions_that_clang_lacks(void **state) {
    (void)state;
    expect_success(
        compile_text("__kernel void k(__global half *h, __global float *f) { f[0] = vload_half(1, h); "
                     "vstore_half4_rtz((float4)(f[1]), 2, h); }\n",
                     ""));
}

static void test_same_input_same_bytes(void **state) {
    (void)state;
    expect_success(COMPILE("--name k -o %s tests/kernels/divergent.cl", run_path("one")));
    expect_success(run_command("cd tests/kernels && %s/lockstep-cc --no-cache --name k -o %s - <divergent.cl",
                               run_build_directory(), run_path("two")));
    expect_same_files(run_path("one"), run_path("two"));
}

/* --- code --- */

#define RAISE     "p7, #0, r0, c3, c0, #0"
#define LOWER_1   "p7, #0, r0, c3, c1, #1"
#define OUTERMOST "p7, #0, r0, c3, c0, #2"
#define EXIT      "p7, #0, r0, c4, c1, #0"

static void test_small_choices_become_conditional_instructions(void **state) {
    (void)state;
    char *code = assembler_of("predicated.cl", "__lockstep_thunk_predicated");
    assert_int_equal(count(code, "\tmcr\tp7"), 2);
    assert_int_equal(count(code, OUTERMOST), 1);
    assert_int_equal(count(code, EXIT), 1);
    assert_int_equal(count(code, "\n\tb"), 0);
    free(code);
}

static void test_priority_operations_survive_optimisation(void **state) {
    (void)state;
    char *code = assembler_of("divergent.cl", "__lockstep_thunk_divergent");
    assert_int_equal(count(code, RAISE), 2);
    assert_int_equal(count(code, LOWER_1), 1);
    assert_int_equal(count(code, OUTERMOST), 2);
    /* limits[0] is constant in the loop: priority operations must not force it to be reloaded, as memory
     * accesses would. */
    char *loop_end = strstr(code, LOWER_1), *inner = strstr(strstr(code, RAISE) + 1, RAISE);
    assert_true(inner < loop_end);
    assert_int_equal(count(code, "\tbl\tmeet"), 2);
    free(code);
    code = assembler_of("divergent.cl", "meet");
    assert_int_equal(count(code, "p7, #0, r0, c4, c0, #0"), 1);
    free(code);
}

static void test_threads_end_in_the_thunk(void **state) {
    (void)state;
    char *code = assembler_of("vector_add.cl", "__lockstep_thunk_vector_add");
    assert_int_equal(count(code, EXIT), 1);
    assert_int_equal(count(code, "\tbx\tlr") + count(code, "\tpop") + count(code, "\tpush"), 0);
    free(code);
}

/* --- messages --- */

static void test_errors_name_file_and_line(void **state) {
    (void)state;
    expect_failure(compile_text("__kernel void f(__global int *a) {\n\n  a[0] = b;\n}\n", "--name mine.cl"),
                   1, "mine.cl:3:10: error: use of undeclared identifier 'b'\n  a[0] = b;\n");
    expect_failure(run_command("printf 'int x\\n' | %s/lockstep-cc --no-cache -o %s -", run_build_directory(),
                               run_path("image2")),
                   1, "<stdin>:1:6: error:");
    assert_int_equal(access(run_path("image2"), F_OK), -1);
    run_write(run_path("wrong.h"), "int f(void) {\n  return y;\n}\n");
    expect_failure(compile_text("#include \"wrong.h\"\n", ""), 1,
                   "wrong.h:2:10: error: use of undeclared identifier 'y'");
    expect_failure(compile_text("\n#include \"missing.h\"\n", "--name m"), 1,
                   "m:2:10: fatal error: 'missing.h' file not found");
    expect_failure(compile_text("int counter;\n", "--name m"), 1, "m:1:5: error: program scope variable");
    expect_failure(
        compile_text("kernel void __lockstep_twin_k(global int *o) { o[0] = 1; }\n", "--name m"), 1,
        "m:1: error: '__lockstep_twin_k': names that begin with __lockstep_twin_ are Lockstep's own");
}

static void test_recursion_is_refused_with_its_line(void **state) {
    (void)state;
    expect_failure(compile_text("\nint f(int n) { return n ? f(n - 1) : 0; }\n", "--name r"), 1,
                   "r:2: error: function 'f' is recursive");
    expect_failure(
        compile_text(
            "int g(int n);\nint f(int n) { return n ? g(n - 1) : 0; }\nint g(int n) { return f(n); }\n"
            "int h(int n) { return f(n); }\n",
            "--name r"),
        1, "r:2: error: function 'f' is recursive");
}

static void test_undefined_functions_are_refused_with_their_line(void **state) {
    (void)state;
    expect_failure(
        compile_text("int f(int);\n__kernel void k(__global int *a) {\n  a[0] = f(a[1]);\n}\n", "--name u"),
        1, "u:3: error: the function 'f' is defined neither in the program nor in the device library");
}

/* Kernels may have arguments of image types that the device does not support; functions to read or write them
 * do not exist. */
static void test_other_images_cannot_be_read_or_written(void **state) {
    (void)state;
    expect_failure(
        compile_text("__kernel void k(read_only image3d_t p, __global float4 *out) {\n"
                     "  out[0] = read_imagef(p, (int4)0);\n}\n",
                     "--name i"),
        1, "i:2: error: the function 'read_imagef' is defined neither in the program nor in the device");
    expect_failure(compile_text("__kernel void k(write_only image2d_array_t p, __global int *out) {\n"
                                "  out[0] = get_image_width(p);\n}\n",
                                "--name i"),
                   1, "i:2: error: the function 'get_image_width' is defined neither");
    struct run_result r = compile_text("__kernel void k(write_only image1d_buffer_t p) {}\n", "--name i");
    assert_int_equal(r.status, 0);
    free(r.errors);
}

static void test_warnings_reach_the_log(void **state) {
    static const char source[] =
        "__kernel void k(__global int *a) {\n  int unused = a[0] = 1;\n  a[1] == 2;\n}\n";
    (void)state;
    struct run_result r = compile_text(source, "--name w");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.errors, "w:3:8: warning:"));
    free(r.errors);
    r = compile_text(source, "--options -w");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.errors, "");
    free(r.errors);
    expect_failure(compile_text(source, "--name w --options -Werror"), 1, "w:3:8: error:");
}

/* --- build options --- */

static void test_build_options(void **state) {
    (void)state;
    char options[PATH_MAX + 128];
    mkdir(run_path("include"), 0777);
    run_write(run_path("include/width.h"), "#define WIDTH 5\n");
    snprintf(options, sizeof options,
             "--options '-D A -D B=2 -DC=\"1 + 3\" -I %s -cl-std=CL1.1 -cl-fast-relaxed-math'",
             run_path("include"));
    expect_success(compile_text(
        "#include <width.h>\n"
        "#if A * B != 2 || C != 4 || WIDTH != 5 || !defined(__FAST_RELAXED_MATH__)\n#error\n#endif\n"
        "#if __OPENCL_C_VERSION__ != 110 || __OPENCL_VERSION__ != 120 || !__ENDIAN_LITTLE__\n#error\n#endif\n"
        "#if __IMAGE_SUPPORT__ != 1 || !defined(cl_khr_fp64)\n#error\n#endif\n",
        options));
    expect_success(compile_text(
        "", "--options '-cl-mad-enable -cl-no-signed-zeros -cl-kernel-arg-info -g -cl-denorms-are-zero "
            "-cl-single-precision-constant -cl-finite-math-only -cl-unsafe-math-optimizations "
            "-cl-fp32-correctly-rounded-divide-sqrt -cl-strict-aliasing -Werror'"));
    expect_failure(compile_text("", "--options -cl-std=CL2.0"), 3,
                   "-cl-std=CL2.0': this device compiles OpenCL C 1.0, 1.1 and 1.2");
    expect_failure(compile_text("", "--options '-O4'"), 3, "unknown build option '-O4'");
    expect_failure(compile_text("", "--options '-D A -D'"), 3, "'-D' needs a value");
    expect_failure(compile_text("", "--options '-D \"A'"), 3, "a quote that is not closed");
}

/* Options of other vendors' compilers or of C compilers are obeyed, or mentioned in the log. */
static void test_foreign_build_options(void **state) {
    static const char *const idle[] = {
        "-O1", "-O2", "-O3", "-cl-nv-verbose", "-cl-nv-maxrregcount=32", "-cl-intel-no-prera-scheduling"};
    static const char unused[] = "__kernel void k(__global int *a) { int unused; a[0] = 1; }\n";
    char options[128];
    (void)state;
    expect_success(compile_text(unused, ""));
    expect_success(run_command("mv %s %s", run_path("image"), run_path("plain")));
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        snprintf(options, sizeof options, "--options %s", idle[i]);
        struct run_result r = compile_text(unused, options);
        assert_int_equal(r.status, 0);
        assert_non_null(strstr(r.errors, "changes nothing"));
        assert_non_null(strstr(r.errors, idle[i]));
        free(r.errors);
        expect_same_files(run_path("image"), run_path("plain"));
        snprintf(options, sizeof options, "--options '-w %s'", idle[i]);
        r = compile_text(unused, options);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.errors, "");
        free(r.errors);
    }
    struct run_result r = compile_text(unused, "--options '-cl-nv-maxrregcount 32 -O0'");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.errors, "'-O0' is taken as -cl-opt-disable"));
    free(r.errors);
    expect_success(run_command("mv %s %s", run_path("image"), run_path("slow")));
    expect_success(compile_text(unused, "--options -cl-opt-disable"));
    expect_same_files(run_path("image"), run_path("slow"));
    r = compile_text(unused, "");
    assert_string_equal(r.errors, "");
    free(r.errors);
    r = compile_text(unused, "--options -Wall");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.errors, "unused variable"));
    free(r.errors);
    r = compile_text(unused, "--options '-Wall -Werror -w -Wextra'");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.errors, "");
    free(r.errors);
    expect_failure(compile_text(unused, "--options '-Wall -Werror'"), 1, "unused variable");
    expect_success(compile_text(unused, "--options '-Wall -Wno-unused-variable -Werror'"));
}

static void test_quotes_in_build_options(void **state) {
    static const char source[] =
        "#if C != 'x' || N != '\\n' || B != ' '\n#error\n#endif\n"
        "__kernel void k(__global int *o) { X = 1; T t = 2; U = 3; o[0] = a + b + t; }\n";
    (void)state;
    run_write(run_path("options"),
              "-DX='int a' -D 'T=unsigned int' -DU=\"int b\" -DC='x' -DN='\\n' -DB=' ' -DL=don't");
    run_write(run_path("text.cl"), source);
    expect_success(COMPILE("--options \"$(cat %s)\" -o %s %s", run_path("options"), run_path("image"),
                           run_path("text.cl")));
}

static void test_optimisation_can_be_disabled(void **state) {
    (void)state;
    expect_success(COMPILE("-o %s tests/kernels/divergent.cl", run_path("fast")));
    expect_success(COMPILE("--options -cl-opt-disable -o %s tests/kernels/divergent.cl", run_path("slow")));
    struct image *fast = load(run_path("fast")), *slow = load(run_path("slow"));
    assert_true(slow->text_bytes > fast->text_bytes);
    image_free(fast);
    image_free(slow);
}

/* --- the command line --- */

static void test_trouble_is_told(void **state) {
    (void)state;
    expect_failure(run_command("PATH=/nowhere %s/lockstep-cc --no-cache -o %s tests/kernels/vector_add.cl",
                               run_build_directory(), run_path("image")),
                   2,
                   "arm-linux-gnueabihf-ld is not installed; install it with: sudo apt-get install "
                   "binutils-arm-linux-gnueabihf");
    /* The part of the compiler that uses LLVM, alone and with an LLVM that the loader does not find. */
    expect_success(run_command("mkdir %s && cp %s/lockstep-cc %s", run_path("alone"), run_build_directory(),
                               run_path("alone")));
    expect_failure(
        run_command("%s/lockstep-cc --no-cache --library-dir %s/device -o %s tests/kernels/vector_add.cl",
                    run_path("alone"), run_build_directory(), run_path("image")),
        2, "alone/liblockstep_cc.so cannot be loaded; build it again with make");
    expect_success(run_command("sed 's/libLLVM-14/libLLVM-99/g' %s/liblockstep_cc.so >%s/liblockstep_cc.so",
                               run_build_directory(), run_path("alone")));
    expect_failure(
        run_command("%s/lockstep-cc --no-cache --library-dir %s/device -o %s tests/kernels/vector_add.cl",
                    run_path("alone"), run_build_directory(), run_path("image")),
        2, "install it with: sudo apt-get install clang-14 libclang1-14 libllvm14");
    expect_failure(COMPILE("-o %s/no/such/folder tests/kernels/vector_add.cl", run_directory), 2,
                   "cannot write");
    expect_failure(COMPILE("-o %s tests/kernels/absent.cl", run_path("image")), 2,
                   "cannot read tests/kernels/absent.cl: No such file");
    expect_failure(COMPILE("--library-dir /nowhere -o %s tests/kernels/vector_add.cl", run_path("image")), 2,
                   "cannot read /nowhere/library.parts");
    expect_failure(COMPILE("--emit=nothing -o %s tests/kernels/vector_add.cl", run_path("image")), 2,
                   "the choices are image, priority, coalesced, ir, asm, table, object, scalar, "
                   "scalar-kernel and meetings");
    expect_failure(COMPILE("--priority-levels 0 -o %s tests/kernels/vector_add.cl", run_path("image")), 2,
                   "a number from 1 to 256");
    expect_failure(COMPILE("%s", "tests/kernels/vector_add.cl"), 2, "-o OUT is needed");
    expect_failure(COMPILE("-o %s", run_path("image")), 2, "a source file is needed");
    expect_failure(COMPILE("--library -o %s tests/kernels/library.c", run_path("image")), 2,
                   "--no-cache has no meaning together with --library");
}

static void test_help_names_every_option(void **state) {
    static const char *const options[] = {"--output",          "--options",     "--name",  "--emit",
                                          "--priority-levels", "--library-dir", "--cache", "--cache-limit",
                                          "--no-cache",        "--library"};
    size_t size;
    (void)state;
    expect_success(run_command("%s/lockstep-cc --help >%s", run_build_directory(), run_path("help")));
    char *help = run_read(run_path("help"), &size);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) assert_non_null(strstr(help, options[i]));
    free(help);
}

static void test_emitted_stages(void **state) {
    size_t size;
    (void)state;
    expect_success(COMPILE("--emit=ir -o - tests/kernels/vector_add.cl >%s", run_path("ir")));
    char *ir = run_read(run_path("ir"), &size);
    assert_non_null(strstr(ir, "define dso_local void @__lockstep_thunk_vector_add"));
    free(ir);
    expect_success(COMPILE("--emit=priority -o %s tests/kernels/vector_add.cl", run_path("priority")));
    char *priority = run_read(run_path("priority"), &size);
    assert_non_null(strstr(priority, "{__lockstep_raise(); if (i < n) {"));
    free(priority);
}

static void test_library_mode(void **state) {
    size_t size;
    (void)state;
    expect_success(run_command("%s/lockstep-cc --library -o %s tests/kernels/library.c -- -DLIMIT=7 -w",
                               run_build_directory(), run_path("c.bc")));
    char *bitcode = run_read(run_path("c.bc"), &size);
    assert_memory_equal(bitcode, "BC", 2);
    free(bitcode);
    expect_success(run_command("llvm-dis-14 %s -o %s", run_path("c.bc"), run_path("c.ll")));
    char *ir = run_read(run_path("c.ll"), &size);
    assert_non_null(strstr(ir, "c3, c0, 0"));
    assert_non_null(strstr(ir, "store i32 7"));
    assert_null(strstr(ir, "optnone"));
    free(ir);
    expect_failure(run_command("%s/lockstep-cc --library -o %s tests/kernels/library.c",
                               run_build_directory(), run_path("c2.bc")),
                   1, "tests/kernels/library.c:3:21: error: use of undeclared identifier 'LIMIT'");
    assert_int_equal(access(run_path("c2.bc"), F_OK), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_of_a_simple_kernel),
        cmocka_unit_test(test_lines_are_those_of_the_source),
        cmocka_unit_test(test_functions_around_a_line),
        cmocka_unit_test(test_arguments_of_every_kind),
        cmocka_unit_test(test_local_memory_of_kernels_overlaps),
        cmocka_unit_test(test_names_do_not_clash),
        cmocka_unit_test(test_programs_without_kernels),
        cmocka_unit_test(test_functions_that_clang_lacks),
        cmocka_unit_test(test_same_input_same_bytes),
        cmocka_unit_test(test_small_choices_become_conditional_instructions),
        cmocka_unit_test(test_priority_operations_survive_optimisation),
        cmocka_unit_test(test_threads_end_in_the_thunk),
        cmocka_unit_test(test_errors_name_file_and_line),
        cmocka_unit_test(test_recursion_is_refused_with_its_line),
        cmocka_unit_test(test_undefined_functions_are_refused_with_their_line),
        cmocka_unit_test(test_other_images_cannot_be_read_or_written),
        cmocka_unit_test(test_warnings_reach_the_log),
        cmocka_unit_test(test_build_options),
        cmocka_unit_test(test_foreign_build_options),
        cmocka_unit_test(test_quotes_in_build_options),
        cmocka_unit_test(test_optimisation_can_be_disabled),
        cmocka_unit_test(test_trouble_is_told),
        cmocka_unit_test(test_help_names_every_option),
        cmocka_unit_test(test_emitted_stages),
        cmocka_unit_test(test_library_mode),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
