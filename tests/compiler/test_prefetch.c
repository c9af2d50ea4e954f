/*
 * Scalar kernels that load ahead, as the compiler makes them (compiler/partner/prefetch.h): their text, what
 * does not qualify and why, and which kernels may say of themselves that they only load ahead.
 */
#include "tests/compiler/compiler_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* What lockstep-cc writes of a source, at one of its stages. The caller frees it. */
static char *emit(const char *stage, const char *options, const char *source) {
    size_t size;
    if (source) run_write(run_path("k.cl"), source);
    struct run_result r = run_command("cd %s && %s/lockstep-cc --no-cache --emit=%s %s -o out k.cl",
                                      run_directory, run_build_directory(), stage, options);
    if (r.status) fail_msg("exit status %d: %s\n%s", r.status, r.errors, source ? source : "");
    free(r.errors);
    return run_read(run_path("out"), &size);
}

static char *made(const char *source) {
    return emit("scalar-kernel", "--scalar=prefetch", source);
}

static const char copy[] = "__kernel void copy(__global const float *in, __global float *out) {\n"
                           "    const uint k = get_global_id(0);\n"
                           "    out[k] = in[k];\n"
                           "}\n";

/* Fig. 5: a group of those that come later, every 64th of its floats. */
static const char copy_partner[] =
    "LOCKSTEP_PREFETCH_OF(copy)\n"
    "__kernel void copy_scalar(__global const float *in, __global float *out) {\n"
    "    const uint group = get_group_id(0) + lockstep_groups_in_flight();\n"
    "    if (group >= get_num_groups(0)) return;\n"
    "    const uint k = group * get_local_size(0) + get_global_offset(0);\n"
    "    for (int i = 0; i < get_local_size(0); i += 64)\n"
    "        __asm__ volatile(\"\" ::\"r\"(in[k + i]));\n"
    "}\n";

static const char reduction[] =
    "__kernel void reduction(__global const float *in, __global float *out, const uint n,\n"
    "                        __local float *sdata) {\n"
    "    const uint tid = get_local_id(0);\n"
    "    float total = 0;\n"
    "    uint k = get_group_id(0) * get_local_size(0) + tid;\n"
    "    while (k < n) {\n"
    "        total += in[k];\n"
    "        k += get_local_size(0) * get_num_groups(0);\n"
    "    }\n"
    "    sdata[tid] = total;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (tid == 0) out[get_group_id(0)] = sdata[0] + sdata[1];\n"
    "}\n";

/* Fig. 6: its own group's turns, of which more and more are skipped. */
static const char reduction_partner[] =
    "LOCKSTEP_PREFETCH_OF(reduction)\n"
    "__kernel void reduction_scalar(__global const float *in, __global float *out, const uint n, "
    "__local float *sdata) {\n"
    "    int SKIP = 2;\n"
    "    const uint tid = get_local_id(0);\n"
    "    uint k = get_group_id(0) * get_local_size(0) + tid;\n"
    "    while (k < n) {\n"
    "        const ulong c0 = lockstep_clock();\n"
    "        for (int i = 0; i < get_local_size(0); i += 64)\n"
    "            __asm__ volatile(\"\" ::\"r\"(in[k + i]));\n"
    "        const ulong c1 = lockstep_clock();\n"
    "        if (c1 - c0 < 400) SKIP++;\n"
    "        k += SKIP * (get_local_size(0) * get_num_groups(0));\n"
    "    }\n"
    "    lockstep_note(SKIP);\n"
    "}\n";

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("there is no\n%s\nin\n%s", part, text);
}

static void the_papers_figures(void **state) {
    (void)state;
    char *text = made(copy);
    assert_has(text, copy_partner);
    free(text);
    text = made(reduction);
    assert_has(text, reduction_partner);
    free(text);
    text = emit("scalar-kernel",
                "--options '-lockstep-scalar=prefetch -lockstep-prefetch-latency=77' --line-bytes=64",
                reduction);
    assert_has(text, "if (c1 - c0 < 77) SKIP++;");
    assert_has(text, "i += 16)");
    free(text);
}

/* BLOCK_SIZE of the paper's listings. */
static void a_known_size_stands_for_itself(void **state) {
    (void)state;
    char *text = made("#define SIZE 64\n"
                      "__kernel __attribute__((reqd_work_group_size( SIZE, 2 * 2, 1 )))\n"
                      "void flip(__global const float *in, __global float *out, const int pitch) {\n"
                      "    const int at = get_global_id(1) * pitch + get_global_id(0);\n"
                      "    out[-at] = in[at];\n"
                      "}\n");
    assert_has(text, "    for (int j = 0; j < (2 * 2); j++)\n"
                     "        for (int i = 0; i < 64; i += 64) {\n"
                     "            const int at = (group1 * (2 * 2) + get_global_offset(1) + j) * pitch + "
                     "(group0 * 64 + get_global_offset(0) + i);\n");
    assert_null(strstr(text, "get_local_size"));
    free(text);
}

/* The sink is what keeps the loads: without it the first only ends (there is neither loop nor load), and the
 * second reads clocks. */
static void without_the_sink_nothing_is_loaded(void **state) {
    (void)state;
    static const char *const sources[] = {copy, reduction}, *const thunks[] = {"copy_scalar",
                                                                               "reduction_scalar"};
    static const char sink[] = "__asm__ volatile(\"\" ::\"r\"(";
    for (unsigned n = 0; n < 2; n++)
        for (unsigned without = 0; without < 2; without++) {
            char *text = made(sources[n]), *at = strstr(text, sink), label[64];
            assert_non_null(at);
            if (without) memset(at, ' ', strlen(sink) - 1);
            if (without) memcpy(at, "((void)", 7);
            char *code = emit("asm", "--priorities=off", text);
            snprintf(label, sizeof label, "\n__lockstep_thunk_%s:\n", thunks[n]);
            char *begin = strstr(code, label), *end = begin ? strstr(begin, ".Lfunc_end") : NULL;
            assert_non_null(end);
            *end = 0;
            assert_true((strstr(begin, ", #256") != NULL) == !without); /* a line further */
            if (n == 0) assert_true((strstr(begin, "\tb") != NULL) == !without);
            if (n == 0 && without) assert_null(strstr(begin, "\tldr"));
            assert_has(begin, "c4, c1, #0"); /* the end of the thread */
            free(code);
            free(text);
        }
}

/* A kernel's body, its parameters being in, out, n and index; what its partner has, and what is said. */
static const struct {
    const char *body, *has, *hint;
} cases[] = {
    {"out[0] = in[index[get_global_id(0)]];", "::\"r\"(index[",
     "in[index[get_global_id(0)]]: its address: a value"},
    {"out[0] = in[3];", "    __asm__ volatile(\"\" ::\"r\"(in[3]));\n", NULL},
    {"int k = get_global_id(0); if (n) k = 3; out[0] = in[k];", NULL,
     "its address: k does not follow from ids, arguments and counters"},
    {"for (int i = 0; i < index[0]; i++) out[i] = in[i];", NULL,
     "in[i]: no counter that follows from ids and arguments ends the loop around it"},
    {"for (int i = 0;; i++) { if (i == n) break; out[i] = in[i]; }", NULL, "no counter that follows"},
    {"for (int i = 0; i != n; i++) out[i] = in[i];", NULL, "no counter that follows"},
    {"for (int i = n; i > 0; i--) out[i] = in[i];", "for (int i = n; i > 0; i -= SKIP * 64) {", NULL},
    {"for (int i = 0; i < n && index[i]; i++) out[i] = in[i];", "i < n; i += SKIP * 64)", NULL},
    {"for (int i = 0; i < 64; i += n) out[i] = in[i];", "i < 64 && n > 0; i += SKIP * n", NULL},
    {"for (int i = 0; n > i + 1; i = i + 2) out[i] = in[i];", "n > i + 1; i += SKIP * 32 * 2)", NULL},
    {"for (int r = 0; r < n; r++) for (int i = 0; i < n; i++) out[i] = in[r * n + i];",
     "for (int r = 0; r < n; r++) {\n        for (int i = 0; i < n; i += SKIP * 64) {", NULL},
    {"int k = get_local_id(0) * n; while (k < 99) { out[k] = in[k]; k++; }", NULL,
     "k, which a loop changes, does not differ by a constant between work-items"},
    {"if (n > 4) for (int i = 0; i < n; i++) out[i] = in[i];", "if (n > 4) { for (int i = 0;", NULL},
    {"if (get_local_id(0)) for (int i = 0; i < n; i++) out[i] = in[i];", "    for (int i = 0; i < n;", NULL},
    {"if (n == 0) return; for (int i = 0; i < n; i++) out[i] = in[i];", "if (n == 0) return;", NULL},
    {"float x = in[get_global_id(0)]; for (int i = 0; i < n; i++) out[i] = x + in[i];", "::\"r\"(in[i]));",
     "in[get_global_id(0)]: it stands outside the loops that load"},
    {"out[0] = in[get_global_id(0) * 64];",
     "i++)\n        __asm__ volatile(\"\" ::\"r\"(in[(group * get_local_size(0) + "
     "get_global_offset(0) + i) * 64]));",
     NULL},
    {"out[0] = in[get_global_id(0) * 4];", "i += 16)", NULL},
    {"out[0] = in[get_global_id(1)];", "for (int j = 0; j < get_local_size(1); j += 64)", NULL},
    {"const int k = get_local_id(0) % 7; out[0] = in[k + 1];",
     "for (int i = 0; i < get_local_size(0); i++) {\n        const int k = i % 7;\n        __asm__ "
     "volatile(\"\" ::\"r\"(in[k + 1]));",
     NULL},
    {"__global const float *p = in + get_global_id(0); out[0] = *p + p[2];", "::\"r\"(*(p + i)));\n", NULL},
    {"out[0] = in[n++];", NULL, "its address: it does more than compute"},
    {"out[0] = vload4(0, in).x;", NULL, "vload4 may load there: what functions load is not followed"},
    {"out[0] = in[min((int)get_global_id(0), n)];",
     "i++)\n        __asm__ volatile(\"\" ::\"r\"(in[min((int)(group", NULL},
    {"int group = 0; out[0] = in[get_global_id(0)];", "const uint group_ = get_group_id(0)", NULL},
    {"for (int i = 0, j = 5; i < n; i++, j += 3) out[i] = in[i + j];", "i += SKIP * 16, j += SKIP * 16 * 3)",
     NULL},
    {"out[get_global_id(0)] += 1;", "::\"r\"(out[", NULL},
    {"out[get_global_id(0)] = 1;", NULL, "there is nothing to load ahead"},
    {"out[0] = sizeof(in[5]);", NULL, "there is nothing to load ahead"},
    {"for (int i = 0; i < n; i++) { out[i] = in[i]; } for (int i = 0; i < n; i++) { out[i] = in[i + 1]; }",
     "    SKIP = 2;\n    for (int i_2 = 0; i_2 < n; i_2 += SKIP * 64) {", NULL},
};

static void each_form(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char source[1024];
        snprintf(source, sizeof source,
                 "__kernel void k(__global const float *in, __global float *out, int n,\n"
                 "                __global const int *index) {\n%s\n}\n",
                 cases[n].body);
        char *text = made(source);
        if (cases[n].has) assert_has(text, cases[n].has);
        assert_true((strstr(text, "LOCKSTEP_PREFETCH_OF(k)") != NULL) == (cases[n].has != NULL));
        if (cases[n].hint)
            assert_has(text, cases[n].hint);
        else
            assert_null(strstr(text, "/*"));
        free(text);
        free(emit("image", "--scalar=prefetch", NULL)); /* and it compiles */
    }
}

/* The build log tells of them, too, by the source's lines; -w keeps quiet. */
static void the_build_log(void **state) {
    (void)state;
    run_write(run_path("k.cl"),
              "#line 40 \"mine.cl\"\n__kernel void k(__global const int *in, __global int *out) {\n"
              "    out[0] = in[in[0]];\n}\n");
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        struct run_result r =
            run_command("%s/lockstep-cc --no-cache --options '-lockstep-scalar=prefetch%s' -o %s %s",
                        run_build_directory(), quiet ? " -w" : "", run_path("k.img"), run_path("k.cl"));
        assert_int_equal(r.status, 0);
        assert_string_equal(r.errors,
                            quiet ? ""
                                  : "mine.cl:41: note: not loaded ahead: in[in[0]]: its address: a value "
                                    "that is loaded is needed\n");
        free(r.errors);
    }
}

/* Hand-written partners stay, and get none of their own; names that are taken are not used. */
static void what_there_is_stays(void **state) {
    (void)state;
    char *text =
        made("#include <lockstep_scalar.h>\n"
             "__kernel void k(__global const int *in, __global int *out) { out[get_global_id(0)] = in[0]; }\n"
             "LOCKSTEP_SCALAR_OF(k)\n"
             "__kernel void mine(__global const int *in, __global int *out) { out[0] = in[3]; }\n"
             "__kernel void l(__global const int *in, __global int *out) { out[get_global_id(0)] = in[0]; }\n"
             "void l_scalar(void) {}\n");
    assert_null(strstr(text, "LOCKSTEP_PREFETCH_OF(k)"));
    assert_null(strstr(text, "LOCKSTEP_PREFETCH_OF(mine)"));
    assert_has(text, "no scalar kernel is made: it is one, or has one");
    assert_has(text, "__kernel void l_scalar_(");
    free(text);
}

/* Of assembler text: without directives, which name lines, and without labels. */
static void keep_instructions(char *text) {
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (line[0] != '\t' || line[1] == '.') continue;
        memmove(to, line, (size_t)(next - line));
        to += next - line;
    }
    *to = 0;
}

/* The text compiles by itself, to the same instructions as the build option gives. */
static void the_text_is_the_program(void **state) {
    (void)state;
    static const char options[] =
        "--priorities=off --options '-DACCUMULATORS=256 -DGROUP=64 -DLENGTH=512 -DTILE_X=32 "
        "-DTILE_Y=4 -DTILE=16 -DROWS=12 -DBOUNCES=5 -DNEAR=0.01f -DLIGHT_X=0.5f "
        "-DLIGHT_Y=0.7f -DLIGHT_Z=-0.5f'";
    static const char *const programs[] = {"vector_add",    "scalar_product", "matrix_vector",   "histogram",
                                           "memory_copy",   "laplace3d",      "matrix_multiply", "bfs",
                                           "black_scholes", "ray_tracing"};
    char whole[1024];
    for (size_t n = 0; n < sizeof programs / sizeof *programs; n++) {
        char path[PATH_MAX + 128];
        size_t size;
        snprintf(path, sizeof path, "%s/../benchmarks/%s/%s.cl", run_build_directory(), programs[n],
                 programs[n]);
        char *source = run_read(path, &size);
        snprintf(whole, sizeof whole, "%s --scalar=prefetch", options);
        char *direct = emit("asm", whole, source), *text = emit("scalar-kernel", whole, source),
             *again = emit("asm", options, text);
        keep_instructions(direct);
        keep_instructions(again);
        assert_true(strlen(direct) > 100);
        assert_string_equal(direct, again);
        free(source);
        free(direct);
        free(text);
        free(again);
    }
}

static const struct {
    const char *body, *message; /* NULL: it is accepted */
} said[] = {
    {"float s = in[get_group_id(0)]; __asm__ volatile(\"\" ::\"r\"(s));", NULL},
    {"for (int i = 0; i < n; i++) __asm__ volatile(\"\" ::\"r\"(in[i]));", NULL},
    {"out[0] = 1;",
     "k.cl:4: error: scalar kernel 'p' is said to load ahead only (LOCKSTEP_PREFETCH_OF), but it stores"},
    {"int i = in[0]; __asm__ volatile(\"\" ::\"r\"(in[i]));", "but a loaded value decides where it loads"},
    {"for (int i = 0; i < in[0]; i++) __asm__ volatile(\"\" ::\"r\"(in[i]));",
     "but a loaded value decides what it does"},
    {"lockstep_note((uint)in[0]);", "but a loaded value is noted"},
    {"lockstep_sync(1);", "but it has barriers, fences or atomics"},
    {"atomic_inc((__global int *)out);", "but it"},
};

static void what_only_loads_ahead(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof said / sizeof *said; n++)
        for (unsigned plain = 0; plain < 2; plain++) {
            char source[1024];
            snprintf(
                source, sizeof source,
                "#include <lockstep_scalar.h>\n"
                "__kernel void k(__global const float *in, __global float *out, int n) { out[0] = in[0]; }\n"
                "LOCKSTEP_PREFETCH_OF(k) __kernel void p(__global const float *in, __global float *out, int "
                "n) {\n"
                "%s\n}\n",
                said[n].body);
            run_write(run_path("k.cl"), source);
            struct run_result r =
                run_command("cd %s && %s/lockstep-cc --no-cache --mode=simt %s -o k.img k.cl", run_directory,
                            run_build_directory(), plain ? "--options -cl-opt-disable" : "");
            assert_int_equal(r.status, said[n].message ? 1 : 0);
            if (said[n].message) assert_has(r.errors, said[n].message);
            free(r.errors);
        }
}

static void options_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *words, *message;
        int status;
    } wrong[] = {
        {"--options -lockstep-scalar=ahead", "the choices are off, prefetch, extract and divergence", 3},
        {"--options -lockstep-prefetch-latency=0", "a number of cycles from 1 to 1000000 is needed", 3},
        {"--options -lockstep-prefetch-latency=x", "a number of cycles from 1 to 1000000 is needed", 3},
        {"--scalar=ahead", "the choices are off, prefetch, extract and divergence", 2},
        {"--line-bytes=0", "a number from 1 to 1024 is needed", 2},
        {"--emit=scalar-kernel", "--emit=scalar-kernel shows what --scalar makes", 3},
    };
    run_write(run_path("k.cl"), copy);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        struct run_result r = run_command("%s/lockstep-cc --no-cache %s -o /dev/null %s",
                                          run_build_directory(), wrong[n].words, run_path("k.cl"));
        assert_int_equal(r.status, wrong[n].status);
        assert_has(r.errors, wrong[n].message);
        free(r.errors);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_figures),
        cmocka_unit_test(a_known_size_stands_for_itself),
        cmocka_unit_test(without_the_sink_nothing_is_loaded),
        cmocka_unit_test(each_form),
        cmocka_unit_test(the_build_log),
        cmocka_unit_test(what_there_is_stays),
        cmocka_unit_test(the_text_is_the_program),
        cmocka_unit_test(what_only_loads_ahead),
        cmocka_unit_test(options_that_are_none),
    };
    return cmocka_run_group_tests_name("prefetch", tests, run_setup, run_teardown);
}
