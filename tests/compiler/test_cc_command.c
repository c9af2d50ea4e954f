/* `lockstep cc`: the table, every stage with its source lines, and errors. Tests of other commands are in
 * test_command. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* x lives across the barrier; one branch of two is divergent; 64 floats of local memory. */
static const char source[] = "#include \"shared.h\"\n"
                             "__kernel void turn(__global const float *in, __global float *out, int n) {\n"
                             "    __local float tile[SIZE];\n"
                             "    const int i = get_local_id(0);\n"
                             "    float x = in[i] * 2.0f;\n"
                             "    if (i < n) {\n"
                             "        for (int k = 0; k < i; k++) x = x * x + in[k];\n"
                             "    }\n"
                             "    tile[i] = x;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    out[i] = tile[SIZE - 1 - i] + x;\n"
                             "}\n"
                             "__kernel void nothing(void) {}\n";

static char *path;

static int begin(void **state) {
    if (fixture_begin(state) != 0) return -1;
    path = fixture_file("turn.cl", source, 0644);
    free(fixture_file("shared.h", "#define SIZE 64\n", 0644));
    return 0;
}

static int end(void **state) {
    free(path);
    return fixture_end(state);
}

#undef TEST
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

static void assert_works(struct spawned s, const char *part, const char *missing) {
    if (s.status) fail_msg("exit status %d: %s", s.status, s.err);
    assert_string_equal(s.err, "");
    assert_says(s.out, part);
    assert_null(strstr(s.out, missing));
    spawn_free(&s);
}

static void assert_fails(struct spawned s, const char *part) {
    assert_says(s.err, part);
    assert_int_equal(s.status, EXIT_USER);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_table(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("cc", path);
    unsigned n[8];
    assert_int_equal(s.status, 0);
    assert_string_equal(s.err, "");
    assert_int_equal(
        strncmp(s.out, "kernel   registers  stack bytes  local bytes  barriers  replicated values  ", 70), 0);
    const char *turn = strstr(s.out, "\nturn "), *nothing = strstr(s.out, "\nnothing ");
    assert_non_null(turn);
    assert_non_null(nothing);
    assert_int_equal(
        sscanf(turn, " turn %u %u %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7]),
        8);
    assert_in_range(n[0], 6, 20); /* in, out, n, i, k, tile, x, …: as the code generator likes */
    assert_int_equal(n[1], 0);
    assert_int_equal(n[2], 64 * 4);
    assert_int_equal(n[3], 1);
    assert_int_equal(n[4], 1);
    assert_int_equal(n[5], 4);
    assert_int_equal(n[7], 2);
    assert_int_equal(sscanf(nothing, " nothing %u %u %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4],
                            &n[5], &n[6], &n[7]),
                     8);
    assert_int_equal(n[0], 1); /* the operations name r0 */
    for (unsigned i = 1; i < 6; i++) assert_int_equal(n[i], 0);
    assert_int_equal(n[7], 0);
    spawn_free(&s);
}

static void test_stages(void **state) {
    (void)state;
    assert_works(LOCKSTEP("cc", "--emit=priority", path), "\n    6      {__lockstep_raise(); if (i < n) {\n",
                 "typedef");
    assert_works(LOCKSTEP("cc", "--emit=priority", path), "   13  __kernel void nothing", "# 1");
    assert_works(LOCKSTEP("cc", "--emit=coalesced", path), "turn.cl:9: tile[i] = x;\n", "mcr p7");
    assert_works(LOCKSTEP("cc", "--emit=coalesced", path), "%records = alloca { float }, i32 %items", "!dbg");
    assert_works(LOCKSTEP("cc", "--emit=coalesced", path), "\nregion1.item:\n", "region2");
    assert_works(LOCKSTEP("cc", "--emit=ir", path), "turn.cl:11: out[i] = tile[SIZE - 1 - i] + x;\n",
                 "!dbg !");
    assert_works(LOCKSTEP("cc", "--emit=ir", path), "c4, c0, 0", "attributes #");
    assert_works(LOCKSTEP("cc", "--emit=asm", path),
                 "turn.cl:10: barrier(CLK_LOCAL_MEM_FENCE);\n\tmcr\tp7, #0, r0, c4, c0, #0\n", ".cfi");
    assert_works(LOCKSTEP("cc", "--emit=asm", path), "\n__lockstep_thunk_turn:\n", ".loc");
    assert_works(LOCKSTEP("cc", "--emit=scalar", path), "turn.cl:4: const int i = get_local_id(0);\n",
                 "flags are");
    assert_works(LOCKSTEP("cc", "--emit=scalar", path), "; kernel turn: words a warp of 32: none ", "c3, c");
    assert_works(LOCKSTEP("cc", "--emit=scalar", path), "; differs from thread to thread\n", "by rule");
    assert_works(LOCKSTEP("cc", "--emit=scalar", "--scalarize=none", path), "; by rule none\n", "  scalar  ");
    assert_works(LOCKSTEP("cc", "--emit=scalar", "--scalarize=convergent", path),
                 "; between the branch at 0x", "by rule");
    assert_works(LOCKSTEP("cc", "--emit=scalar-kernel", "--scalar=prefetch", "--options=-w", path),
                 "\nLOCKSTEP_PREFETCH_OF(turn)\n", "# 1");
    assert_works(LOCKSTEP("cc", "--scalar=prefetch", "--options=-w", path), "\nturn_scalar ", "# 1");
}

static void test_options(void **state) {
    (void)state;
    char *other = fixture_file("other.cl", "kernel void k(global int *a) { a[0] = VALUE; }\n", 0644);
    assert_works(LOCKSTEP("cc", "--options", "-D VALUE=4711", "--emit=priority", other), "a[0] = 4711;",
                 "VALUE");
    assert_fails(LOCKSTEP("cc", other), "other.cl:1:39: error: use of undeclared identifier 'VALUE'");
    assert_fails(LOCKSTEP("cc", "--options=-fno-such", other), "other.cl was not compiled");
    free(other);
}

static void test_what_goes_wrong(void **state) {
    (void)state;
    assert_fails(LOCKSTEP("cc"), "a source file is missing");
    assert_fails(LOCKSTEP("cc", "no.cl"), "no.cl cannot be read: No such file");
    assert_fails(LOCKSTEP("cc", "."), ". cannot be read: Is a directory");
    assert_fails(LOCKSTEP("cc", path, path), "one source file is needed");
    assert_fails(LOCKSTEP("cc", "--emit=image", path),
                 "the choices are priority, coalesced, ir, asm, scalar, scalar-kernel and meetings");
    assert_fails(LOCKSTEP("cc", "--emit=scalar-kernel", path), "prints what --scalar makes: it is missing");
    assert_fails(LOCKSTEP("cc", "--scalar=ahead", path), "scalar kernels that can be made: prefetch");
    assert_fails(LOCKSTEP("cc", "--emit", path), "the choices are");
    assert_fails(LOCKSTEP("cc", "--scalarize=wide", path), "it is missing");
    assert_fails(LOCKSTEP("cc", "--emit=scalar", "--scalarize=off", path),
                 "the choices are none, convergent");
    assert_fails(LOCKSTEP("cc", "--emit=scalar", "--scalarize=all", path), "the choices are none");
    assert_fails(LOCKSTEP("cc", "--verbose", path), "unrecognized option");
}

static void test_help(void **state) {
    (void)state;
    assert_works(LOCKSTEP("cc", "--help"), "Usage: lockstep cc [OPTION...] FILE.cl\n", "\t");
    assert_works(LOCKSTEP("cc", "--help"), "Examples:\n", "\t");
    assert_works(LOCKSTEP("help", "cc"), "Usage: lockstep cc [OPTION...] FILE.cl\n", "\t");
    assert_works(LOCKSTEP("--help"), "  cc        show what the compiler makes", "\t");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_table), TEST(test_stages), TEST(test_options), TEST(test_what_goes_wrong), TEST(test_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
