/* Choices that the machine's configuration makes for the compiler.
 *
 * --priorities: which conditional statements have priority operations. `off`: none, in the program, the
 * device library and helpers of code generation. `varying`: none for uniform statements. The default depends
 * on the machine's policy. No result of a kernel depends on it. */
#include "tests/fixture.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "int helper(__global int *a, int n) { if (a[n] < 0) return -1; while (a[n] & 1) a[n] /= 3; return n; }\n"
    "__kernel void k(__global int *a, int rounds, __global long *b) {\n"
    "    int i = get_global_id(0);\n"
    "    for (int r = 0; r < rounds; r++) {\n"
    "        a[i] += r;\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    }\n"
    "    if (rounds > 3) { a[i] ^= 5; if (a[i] & 4) a[i + 1] = sin((float)i); a[i]++; }\n"
    "    b[i] = b[i] / (helper(a, i) + rounds);\n"
    "}\n";

/* Returns the number of matches of an extended regular expression in the text of --emit=asm. */
static unsigned count_asm(const char *option, const char *pattern) {
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *choice = spawn_text("--priorities=%s", option);
    unsigned n = 0;
    regex_t expression;
    regmatch_t match;
    free(fixture_file("choice.cl", source, 0600));
    struct spawned s = spawn(fixture_folder, (char *[]){compiler, "--no-cache", choice, "--emit=asm", "-o",
                                                        "-", "choice.cl", NULL});
    assert_status(&s, 0);
    assert_int_equal(regcomp(&expression, pattern, REG_EXTENDED), 0);
    for (const char *p = s.out; regexec(&expression, p, 1, &match, 0) == 0; p += match.rm_eo) n++;
    regfree(&expression);
    spawn_free(&s);
    free(compiler);
    free(choice);
    return n;
}

#define OPERATION "r0, c3, c[0-9]+, "

static void off_leaves_no_operation(void **state) {
    (void)state;
    assert_true(count_asm("all", OPERATION) > 10);
    assert_int_equal(count_asm("off", OPERATION), 0);
    assert_int_equal(count_asm("off", "__lockstep_plain___aeabi_ldivmod"), 1);
    assert_int_equal(count_asm("all", "__lockstep_plain___aeabi_ldivmod"), 0);
}

/* The loop over rounds and the `if` around it, 2 raises and 2 set-outermost; and 3 loops of the sine's
 * reduction, whose iterations depend on its argument. */
static void varying_leaves_out_what_is_uniform(void **state) {
    (void)state;
    assert_int_equal(count_asm("all", OPERATION "#0") - count_asm("varying", OPERATION "#0"), 5);
    assert_int_equal(count_asm("all", OPERATION "#2") - count_asm("varying", OPERATION "#2"), 2);
}

/* A function's conditions depend on its arguments: raises are counted by the number of calls at which they
 * may vary. */
static void varying_looks_into_functions(void **state) {
    (void)state;
    static const char text[] =
        "__attribute__((noinline)) int sum(__global int *a, int n) {\n"
        "    int s = 0; for (int i = 0; i < n; i++) { if (n & 1) a[s & 7]++; s += a[i]; } return s; }\n"
        "__attribute__((noinline)) int twice(__global int *a, int n) { return sum(a, n) + sum(a, n / 3); }\n"
        "__kernel void k(__global int *a, int n) {\n"
        "    int i = get_global_id(0); a[i] = twice(a, n) + sum(a, %s);\n}\n";
    static const struct {
        const char *argument;
        unsigned raises;
    } rows[] = {{"n + 1", 0}, {"get_group_id(0)", 0}, {"i", 2}, {"a[i]", 2}, {"a[n]", 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char *source_text = spawn_text(text, rows[r].argument),
             *compiler = spawn_text("%s/lockstep-cc", spawn_build());
        free(fixture_file("calls.cl", source_text, 0600));
        struct spawned s = spawn(fixture_folder, (char *[]){compiler, "--no-cache", "--priorities=varying",
                                                            "--emit=asm", "-o", "-", "calls.cl", NULL});
        assert_status(&s, 0);
        unsigned raises = 0;
        for (const char *p = s.out; (p = strstr(p, "r0, c3, c0, #0")) != NULL; p++) raises++;
        if (raises != rows[r].raises) fail_msg("%s: %u raises", rows[r].argument, raises);
        spawn_free(&s);
        free(compiler);
        free(source_text);
    }
}

static json_int_t instructions(const char *policy, const char *operations) {
    char *program = fixture_host("vector_add"), *first = spawn_text("simt.pc_policy=%s", policy),
         *second = spawn_text("simt.priority_operations=%s", operations);
    const bool automatic = !strcmp(operations, "auto"),
               levels = automatic ? !strcmp(policy, "ics_first") : strcmp(operations, "off") != 0;
    struct spawned s = LOCKSTEP("run", levels ? "--check-levels" : "--quiet", "--set", first, "--set", second,
                                "--stats", "s.json", "--", program);
    assert_status(&s, 0);
    json_t *j = fixture_statistics("s.json");
    const json_int_t n =
        fixture_number(json_array_get(json_object_get(j, "launches"), 0), "warp_instructions");
    json_decref(j);
    spawn_free(&s);
    free(program);
    free(first);
    free(second);
    return n;
}

/* vector_add has one `if`: set-outermost, raise, set-outermost; 3 instructions of 17. */
static void each_policy_takes_what_is_asked_for(void **state) {
    (void)state;
    const json_int_t all = instructions("ics_first", "all"), off = instructions("ics_first", "off");
    assert_int_equal(off * 17, all * 14);
    assert_int_equal(instructions("ics_first", "varying"), all);
    assert_int_equal(instructions("min_pc", "all"), all);
    assert_int_equal(instructions("first_ready", "varying"), all);
    assert_int_equal(instructions("ics_first", "auto"), all);
    assert_int_equal(instructions("min_pc", "auto"), off);
    assert_int_equal(instructions("first_ready", "auto"), off);
}

/* newlib's classic log, exp and pow: with branches that diverge warps; as exact as OpenCL requires, except
 * for newlib's own pow(-1, NaN). */
static void classic_math_branches_and_is_as_exact(void **state) {
    (void)state;
    char *program = fixture_host("math");
    struct spawned s = LOCKSTEP("run", "--set", "kernel.math=classic", "--", program);
    assert_says(s.err, "pow(-1, nan) is 1, expected nan");
    assert_null(strstr(strstr(s.err, "expected nan") + 1, "expected"));
    spawn_free(&s);
    free(program);
    static const char kernel[] =
        "__kernel void k(__global float *a) { int i = get_global_id(0); a[i] = log(a[i]); }\n";
    free(fixture_file("log.cl", kernel, 0600));
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    unsigned raises[2] = {0}; /* statements that branch */
    for (int classic = 0; classic < 2; classic++) {
        s = spawn(fixture_folder,
                  (char *[]){compiler, "--no-cache", classic ? "--math=classic" : "--math=table",
                             "--emit=asm", "-o", "-", "log.cl", NULL});
        assert_status(&s, 0);
        for (const char *p = s.out; (p = strstr(p, "r0, c3, c0, #0")); p++) raises[classic]++;
        spawn_free(&s);
    }
    assert_true(raises[1] > raises[0]);
    free(compiler);
}

static json_int_t cycles_of(const char *cause) {
    json_t *s = fixture_statistics("s.json");
    const json_int_t n =
        fixture_number(json_object_get(json_object_get(s, "totals"), "cycles_by_cause"), cause);
    json_decref(s);
    return n;
}

/* simt.startup: the loop over contexts; the threads execute the same. */
static void start_up_code_is_unrolled(void **state) {
    (void)state;
    json_int_t start_up[2], execute[2];
    for (int unrolled = 0; unrolled < 2; unrolled++) {
        struct spawned s =
            fixture_run("dual-mode-4", unrolled ? "simt.startup=unrolled" : "simt.startup=loop", "",
                        "benchmarks/vector_add");
        assert_status(&s, 0);
        assert_says(s.out, "PASS");
        spawn_free(&s);
        start_up[unrolled] = cycles_of("start-up");
        execute[unrolled] = cycles_of("execute");
    }
    assert_int_equal(execute[0], execute[1]);
    assert_true(start_up[1] < start_up[0] * 3 / 4);
}

/* Instructions of an access to a[i]: its id and its address. */
static void ids_and_addresses_are_computed(void **state) {
    (void)state;
    static const char kernel[] =
        "__kernel void k(__global int *a) { int i = get_global_id(0); a[i] = a[i] + 1; }\n";
    static const char *const texts[] = {"c1, c0, #4", "c2, c0, #0", "c2, c0, #2",
                                        "c2, c0, #4", "c1, c0, #0", "lsl #2]"};
    static const bool seen[2][6] = {{true, false, false, false, false, true},
                                    {false, true, true, true, true, false}};
    free(fixture_file("ids.cl", kernel, 0600));
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    for (int computed = 0; computed < 2; computed++) {
        struct spawned s =
            spawn(fixture_folder,
                  (char *[]){compiler, "--no-cache", computed ? "--ids=computed" : "--ids=coprocessor",
                             "--priorities=off", "--emit=asm", "-o", "-", "ids.cl", NULL});
        assert_status(&s, 0);
        for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
            if (!strstr(s.out, texts[n]) == seen[computed][n])
                fail_msg("computed %d: '%s' in %s", computed, texts[n], s.out);
        spawn_free(&s);
    }
    free(compiler);
    static const char *const programs[] = {"benchmarks/path_finder", "benchmarks/matrix_transpose",
                                           "benchmarks/n_queens"};
    for (size_t n = 0; n < sizeof programs / sizeof *programs; n++) {
        struct spawned s = fixture_run("gtx285-like", "kernel.ids=computed", "", programs[n]);
        assert_status(&s, 0);
        assert_says(s.out, "PASS");
        spawn_free(&s);
    }
}

static json_int_t kernel_instructions(const char *program, const char *coalescing) {
    char *setting = spawn_text("mimd.coalescing=%s", coalescing);
    struct spawned s =
        LOCKSTEP("run", "--mode", "mimd", "--set", setting, "--stats", "s.json", "--", (char *)program);
    assert_status(&s, 0);
    json_t *j = fixture_statistics("s.json");
    const json_int_t n =
        fixture_number(json_array_get(json_object_get(j, "launches"), 0), "core_instructions");
    json_decref(j);
    spawn_free(&s);
    free(setting);
    return n;
}

/* A loop with a barrier: counters in memory, values in arrays, a loop over the work-items for condition and
 * step. */
static void snucl_executes_more(void **state) {
    (void)state;
    char *program = fixture_host("own_reduction");
    assert_true(kernel_instructions(program, "snucl") > 2 * kernel_instructions(program, "modern"));
    free(program);
}

/* Barriers in loops, branches and helpers, missed by returns, in linked programs. */
static void snucl_computes_the_same(void **state) {
    (void)state;
    static const char *const programs[] = {"barrier_loop", "divergence", "odd_groups", "own_reduction",
                                           "linking"};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        char *program = fixture_host(programs[p]);
        struct spawned s = LOCKSTEP("run", "--mode", "mimd", "--set", "mimd.coalescing=snucl", "--", program);
        assert_status(&s, 0);
        assert_says(s.out, "PASS");
        spawn_free(&s);
        free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(off_leaves_no_operation),
        TEST(varying_leaves_out_what_is_uniform),
        TEST(varying_looks_into_functions),
        TEST(each_policy_takes_what_is_asked_for),
        TEST(classic_math_branches_and_is_as_exact),
        TEST(start_up_code_is_unrolled),
        TEST(ids_and_addresses_are_computed),
        TEST(snucl_executes_more),
        TEST(snucl_computes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
