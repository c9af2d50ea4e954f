/* lockstep run --inject: the same seed gives the same table, the claims about scalars and the reuse buffer
 * hold, and impossible requests are refused. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <string.h>

#define UNIFORM "--set", "uniform.intra=on", "--set", "uniform.inter=on"

enum { RUNS, DETECTED, TRAPPED, CORRECTED, MASKED, SILENT, HANG, COLUMNS };

/* The row of a place. */
static void read_row(const char *text, const char *place, unsigned row[COLUMNS]) {
    const char *at = strstr(text, place);
    if (!at) fail_msg("no row '%s' in\n%s", place, text);
    assert_int_equal(sscanf(at + strlen(place), "%u %u %u %u %u %u %u", &row[RUNS], &row[DETECTED],
                            &row[TRAPPED], &row[CORRECTED], &row[MASKED], &row[SILENT], &row[HANG]),
                     COLUMNS);
    assert_int_equal(row[RUNS], row[DETECTED] + row[CORRECTED] + row[MASKED] + row[SILENT] + row[HANG]);
}

static struct spawned inject(char *storage, char *faults) {
    char *program = fixture_host("own_reduction");
    struct spawned s = LOCKSTEP("run", "--set", storage, UNIFORM, "--inject", faults, "--", program);
    assert_status(&s, 0);
    free(program);
    return s;
}

/* Every scalar is stored twice, every entry of the buffer has parity: no such fault is unnoticed. */
static void none_gets_through_the_scalar_register_file_or_the_buffer(void **state) {
    (void)state;
    unsigned srf[COLUMNS], irb[COLUMNS];
    struct spawned s = inject("uniform.storage=srf", "srf=24,irb=24,seed=5");
    read_row(s.err, "bit of the scalar register file", srf);
    read_row(s.err, "bit of the instruction reuse buffer", irb);
    assert_int_equal(srf[RUNS], 24);
    assert_int_equal(srf[CORRECTED] + srf[MASKED], 24);
    assert_true(srf[CORRECTED] > 0);
    assert_int_equal(irb[CORRECTED] + irb[MASKED], 24);
    assert_null(strstr(s.err, "ALU operation  "));
    spawn_free(&s);
}

/* About 30 % of the operations of this program are covered; without detection, no fault is noticed. */
static void faults_of_the_alu_are_detected_where_it_is_covered(void **state) {
    (void)state;
    unsigned with[COLUMNS], without[COLUMNS];
    struct spawned s = inject("uniform.storage=token", "alu=40,seed=3");
    read_row(s.err, "result of an ALU operation", with);
    assert_true(with[DETECTED] > with[TRAPPED]);
    assert_true(with[SILENT] > 0);
    assert_non_null(strstr(s.err, "coverage "));
    spawn_free(&s);
    char *program = fixture_host("own_reduction");
    s = LOCKSTEP("run", "--inject", "alu=20,seed=3", "--", program);
    assert_status(&s, 0);
    read_row(s.err, "result of an ALU operation", without);
    assert_int_equal(without[DETECTED], without[TRAPPED]);
    assert_int_equal(without[CORRECTED], 0);
    assert_null(strstr(s.err, "coverage "));
    spawn_free(&s);
    free(program);
}

static void equal_seeds_give_equal_tables(void **state) {
    (void)state;
    struct spawned first = inject("uniform.storage=token", "alu=8,register=16,irb=4,seed=11");
    struct spawned second = inject("uniform.storage=token", "seed=11,irb=4,register=16,alu=8");
    assert_string_equal(strstr(first.err, "\n  faults "), strstr(second.err, "\n  faults "));
    assert_string_equal(first.out, second.out); /* table of the run without a fault only */
    spawn_free(&first);
    spawn_free(&second);
}

static void refused(char *const settings[2], char *faults, const char *says) {
    char *program = fixture_host("own_reduction");
    struct spawned s =
        LOCKSTEP("run", "--set", settings[0], "--set", settings[1], "--inject", faults, "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    spawn_free(&s);
    free(program);
}

/* On GPU-like machines, scalars and entries of the buffer are protected equally; other data are not. */
static void on_gpu_like_machines(void **state) {
    (void)state;
    static char *const faults[] = {"srf=10,irb=6,alu=6,seed=5", "register=6,alu=4,seed=5"};
    static const char *const machines[] = {"gtx285-like", "fermi-like"};
    char *program = fixture_host("own_reduction");
    for (unsigned n = 0; n < 2; ++n) {
        unsigned srf[COLUMNS], irb[COLUMNS], alu[COLUMNS];
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machines[n]);
        char *argv[20] = {fixture_command, "run", "--config", config, "--inject", faults[n]};
        char *const uniform[] = {"--set", "uniform.storage=srf", UNIFORM};
        unsigned count = 6;
        for (unsigned k = 0; n == 0 && k < 6; ++k) argv[count++] = uniform[k];
        argv[count++] = "--";
        argv[count] = program;
        struct spawned s = spawn(fixture_folder, argv);
        assert_status(&s, 0);
        read_row(s.err, "result of an ALU operation", alu);
        if (n == 0) {
            read_row(s.err, "bit of the scalar register file", srf);
            read_row(s.err, "bit of the instruction reuse buffer", irb);
            assert_int_equal(srf[CORRECTED] + srf[MASKED], 10);
            assert_true(srf[CORRECTED] > 0);
            assert_int_equal(irb[CORRECTED] + irb[MASKED], 6);
            assert_non_null(strstr(s.err, "coverage "));
        } else {
            assert_int_equal(alu[DETECTED], alu[TRAPPED]);
        }
        spawn_free(&s);
        free(config);
    }
    free(program);
}

static void mistakes_are_named(void **state) {
    (void)state;
    static char *const base[] = {"mode=simt", "uniform.storage=none"},
                       *const mimd[] = {"mode=mimd", "mem.latency=100"},
                       *const token[] = {"uniform.storage=token", "uniform.intra=on"};
    refused(base, "cache=3", "'cache' is no place: alu, register, srf and irb are");
    refused(base, "", "'' is no place");
    refused(base, "alu", "'alu': alu=N is needed");
    refused(base, "alu=", "'alu=': alu=N is needed");
    refused(base, "alu=-1", "alu=N is needed");
    refused(base, "alu=5x", "alu=N is needed");
    refused(base, "alu=1000001", "at most 1000000");
    refused(base, "alu=1,,irb=2", "'' is no place");
    refused(base, "alu=0", "no fault is given");
    refused(base, "seed=4", "no fault is given");
    refused(base, "srf=1",
            "--inject srf=1: the machine has no such place; it has one with uniform.storage: srf");
    refused(token, "srf=1", "it has one with uniform.storage: srf");
    refused(token, "irb=1", "it has one with uniform.inter: on");
    refused(mimd, "alu=1", "it has one with mode: simt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(none_gets_through_the_scalar_register_file_or_the_buffer),
        TEST(faults_of_the_alu_are_detected_where_it_is_covered),
        TEST(equal_seeds_give_equal_tables),
        TEST(on_gpu_like_machines),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
