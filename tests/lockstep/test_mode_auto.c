/* `mode: auto` in whole runs: each launch runs as in its chosen mode, prints the mode and the reason, and is
 * the same each time. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

#define AUTO "mode=auto mimd.coalescing=snucl"

/* Returns the launches of a run with these settings; to be dropped. */
static json_t *launches_with(const char *options, const char *settings, const char *program) {
    struct spawned s = fixture_run(NULL, settings, options, program);
    assert_status(&s, 0);
    spawn_free(&s);
    json_t *j = fixture_statistics("s.json"), *list = json_incref(json_object_get(j, "launches"));
    json_decref(j);
    return list;
}

static json_t *launches(const char *settings, const char *program) {
    return launches_with("--stats s.json", settings, program);
}

/* Checks a program that runs in one mode: each launch is like one in a run with that mode. Cycles differ
 * slightly, since an image for both modes has code at other addresses. */
static void assert_runs_as(const char *mode, const char *program) {
    static const char *const same[] = {"thread_instructions", "core_instructions", "work_groups",
                                       "work_items"};
    const bool mimd = strcmp(mode, "mimd") == 0;
    json_t *chosen = launches(AUTO, program), *launch;
    json_t *fixed = launches(mimd ? "mode=mimd mimd.coalescing=snucl" : "mode=simt", program);
    size_t n;
    assert_int_equal(json_array_size(chosen), json_array_size(fixed));
    json_array_foreach(chosen, n, launch) {
        const json_t *other = json_array_get(fixed, n), *choice = json_object_get(launch, "choice");
        const json_int_t cycles = fixture_number(other, "cycles");
        assert_string_equal(text(launch, "mode"), mode);
        assert_int_equal(json_real_value(json_object_get(choice, "expected_ratio")) > 1, !mimd);
        assert_null(json_object_get(other, "choice"));
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            assert_int_equal(fixture_number(launch, same[k]), fixture_number(other, same[k]));
        assert_in_range(fixture_number(launch, "cycles"), cycles - cycles / 200, cycles + cycles / 200);
    }
    json_decref(chosen);
    json_decref(fixed);
}

static void a_kernel_with_barriers_chooses_simt(void **state) {
    (void)state;
    assert_runs_as("simt", "benchmarks/fft");
}

static void a_kernel_without_barriers_chooses_mimd(void **state) {
    (void)state;
    assert_runs_as("mimd", "benchmarks/string_search");
}

/* The chosen launches of a program that has both kinds. */
static void a_program_may_run_in_both_modes(void **state) {
    (void)state;
    static const char program[] = "benchmarks/walsh_transform";
    json_t *first = launches(AUTO, program), *again = launches(AUTO, program), *launch;
    json_t *exact = launches_with("--exact-steps --stats s.json", AUTO, program);
    size_t n, mimd = 0;
    assert_true(json_equal(first, again));
    assert_true(json_equal(first, exact));
    json_array_foreach(first, n, launch) {
        mimd += strcmp(text(launch, "mode"), "mimd") == 0;
        assert_causes_add_up(launch);
    }
    assert_in_range(mimd, 1, json_array_size(first) - 1);
    json_decref(first);
    json_decref(again);
    json_decref(exact);
}

static void run_and_explain_say_why(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/string_search", spawn_build());
    struct spawned s = LOCKSTEP("run", "--mode", "auto", "--set", "mimd.coalescing=snucl", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "why (first launch)");
    assert_says(s.err, "MIMD mode is expected to take 0.");
    spawn_free(&s);
    s = LOCKSTEP("explain", "--mode", "auto", "--set", "mimd.coalescing=snucl", "--", program);
    assert_status(&s, 0);
    assert_says(s.out, ", MIMD mode: ");
    assert_says(s.out, "\nmode auto chose MIMD: MIMD mode is expected to take 0.");
    spawn_free(&s);
    s = LOCKSTEP("explain", "--mode", "mimd", "--", program);
    assert_null(strstr(s.out, "mode auto"));
    spawn_free(&s);
    free(program);
}

static void compare_takes_the_third_mode(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/neural_network", spawn_build());
    struct spawned s = LOCKSTEP("compare", "--quiet", "--mode", "mimd,auto", "--csv", "--", program);
    assert_status(&s, 0);
    const char *mimd = strstr(s.out, "\nmimd,"), *chosen = strstr(s.out, "\nauto,");
    assert_non_null(mimd);
    assert_non_null(chosen);
    assert_memory_equal(mimd + strlen("\nmimd,"), chosen + strlen("\nauto,"), 5);
    spawn_free(&s);
    free(program);
}

static void what_cannot_choose_is_refused(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/scan", spawn_build());
    struct spawned s = LOCKSTEP("run", "--config", "gtx285-like", "--mode", "auto", "--", program);
    assert_status(&s, 125);
    assert_says(s.err, "mode is auto, but contexts is vrf: a GPU-like machine has no cores");
    spawn_free(&s);
    s = LOCKSTEP("run", "--mode", "automatic", "--", program);
    assert_status(&s, 125);
    assert_says(s.err, "field 'mode': 'automatic' is none of simt, mimd, auto");
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_kernel_with_barriers_chooses_simt), TEST(a_kernel_without_barriers_chooses_mimd),
        TEST(a_program_may_run_in_both_modes),     TEST(run_and_explain_say_why),
        TEST(compare_takes_the_third_mode),        TEST(what_cannot_choose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
