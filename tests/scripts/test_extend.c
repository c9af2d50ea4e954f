/* Lists that make themselves (HACKING.md §2): templates/ are added to a copy of the source without an edit of
 * another file, and work. They are a warp scheduler, a divergence engine, a replacement policy, a kind of
 * core, a subcommand, a block with Verilog and a counter. Needs: $(B)/lockstep $(DEVICE) $(B)/lockstep-cc
 * $(B)/benchmarks/scan */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* Folders and files that the tests read: "Makefile" "library" "model" "lockstep" "templates" "tests" */

static char *copy;

/* Runs a bash command in the copy, which must succeed, and returns its output. B and S are build and source
 * of the original. */
static char *shell(const char *command) {
    setenv("B", spawn_build(), 1);
    setenv("S", spawn_source(), 1);
    struct spawned s = spawn(copy, (char *[]){"bash", "-euc", (char *)(uintptr_t)command, NULL});
    if (s.status) fail_msg("'%s' ends with %d:\n%s\n%s", command, s.status, s.out, s.err);
    char *out = strdup(s.out);
    spawn_free(&s);
    return out;
}

static void assert_prints(const char *command, const char *part) {
    char *out = shell(command);
    assert_says(out, part);
    free(out);
}

/* Objects and archives keep their times, so that only new files are built. Folders that the build only reads
 * are links. */
static int copy_all(void **state) {
    (void)state;
    copy = spawn_folder();
    free(shell("cd $S; git ls-files -z | grep -zvE '^(tests/golden|figures|docs)/' | "
               "xargs -0 cp -a --parents -t $OLDPWD; cd $OLDPWD; mkdir -p build/tests; "
               "cp -a $B/obj $B/generated $B/include $B/library $B/python $B/dpi $B/systemc $B/*.a build; "
               "cp -a $B/flags $B/commit $B/tests.mk $B/verilog_ports build; "
               "cp -a $B/tests/lib*.so build/tests; "
               "for f in $B/*; do [ -e build/${f##*/} ] || [ ${f##*/} = lockstep ] || ln -s $f build; done; "
               "cp templates/mru.c.in model/replacement/mru.c; "
               "cp templates/test_mru.c.in tests/replacement/test_mru.c; "
               "cp templates/both_ends_scheduler.c.in model/scheduler/both_ends_scheduler.c; "
               "cp templates/both_ends_scheduler.fields.in model/scheduler/both_ends_scheduler.fields; "
               "cp templates/test_both_ends_scheduler.c.in tests/scheduler/test_both_ends_scheduler.c; "
               "cp templates/divergence_serial.c.in model/sm/divergence_serial.c; "
               "cp templates/divergence_serial.fields.in model/sm/divergence_serial.fields; "
               "cp templates/test_divergence_serial.c.in tests/sm/test_divergence_serial.c; "
               "cp templates/paced_kind.c.in model/core/paced_kind.c; "
               "cp templates/paced_kind.fields.in model/core/paced_kind.fields; "
               "cp templates/test_paced_kind.c.in tests/core/test_paced_kind.c; "
               "cp templates/greet_command.c.in lockstep/commands/greet_command.c; "
               "mkdir -p library/faces rtl/mutants tb/stimulus/without_slot; "
               "cp templates/pacer.sv.in rtl/pacer.sv; "
               "cp templates/pacer.h.in model/control/pacer.h; "
               "cp templates/pacer.c.in model/control/pacer.c; "
               "cp templates/test_pacer.c.in tests/control/test_pacer.c; "
               "cp templates/pacer_stimulus.h.in tb/stimulus/without_slot/pacer.h; "
               "cp templates/pacer_props.sv.in tb/props/pacer_props.sv; "
               "cp templates/pacer_face.h.in library/faces/pacer.h; "
               "cp templates/pacer_mutants.in rtl/mutants/pacer"));
    return 0;
}

static int remove_all(void **state) {
    (void)state;
    spawn_remove_folder(copy);
    return 0;
}

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL make -s "

static void few_objects_are_built_again(void **state) {
    (void)state;
    char *out = shell("env -u MAKEFLAGS -u MAKELEVEL make -n BRIEF= build/lockstep | grep -c '^CC' || true");
    assert_in_range(strtoul(out, NULL, 10), 5, 40);
    free(out);
}

static void policies_and_commands_are_files(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep build/tests/test_mru"));
    assert_prints("build/tests/test_mru 2>&1", "[  PASSED  ] 2 test(s).");
    assert_prints("build/lockstep config --set l2.replacement=mru", "replacement: mru");
    assert_prints("build/lockstep config --describe l2.replacement", "mru: the one used last");
    assert_prints("build/lockstep run --set l2.replacement=mru --set l2.size=8192 -- $B/benchmarks/scan",
                  "PASS");
    assert_prints("build/lockstep greet", "hello\n");
    assert_prints("build/lockstep --help",
                  "  config    print the configuration of the machine, or describe it\n"
                  "  greet     print a greeting\n");
}

/* The base machine and a GPU-like one pick warps by it; nothing else knows the policy. */
static void schedulers_are_files(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep build/tests/test_both_ends_scheduler"));
    assert_prints("build/tests/test_both_ends_scheduler 2>&1", "[  PASSED  ] 3 test(s).");
    assert_prints("build/lockstep config --describe simt.scheduler",
                  "both_ends: the oldest and the youngest in turn");
#define BOTH_ENDS "build/lockstep run --set simt.scheduler=both_ends "
    assert_prints(BOTH_ENDS "-- $B/benchmarks/scan", "PASS");
    assert_prints(BOTH_ENDS "--exact-steps -- $B/benchmarks/scan", "PASS");
    assert_prints(BOTH_ENDS "--config configs/fermi-like.yaml -- $B/benchmarks/scan", "PASS");
    assert_prints(
        BOTH_ENDS "--rtl warp_scheduler=check -- $B/benchmarks/scan 2>&1 || true",
        "warp_scheduler is in machines with simt.scheduler round_robin or greedy_oldest or pipelined or "
        "two_level only");
}

static void divergence_engines_are_files(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep build/tests/test_divergence_serial"));
    assert_prints("build/tests/test_divergence_serial 2>&1", "[  PASSED  ] 2 test(s).");
    assert_prints("build/lockstep config --describe simt.divergence",
                  "serial: sbr with few warps of a scheduler in flight");
#define SERIAL "build/lockstep run --config configs/fermi-like.yaml --set simt.divergence=serial "
    assert_prints(SERIAL "-- $B/benchmarks/scan", "PASS");
    assert_prints("build/lockstep run --set simt.divergence=serial -- $B/benchmarks/scan 2>&1 || true",
                  "simt.divergence is serial, which needs contexts: vrf");
}

/* An own parameter is a field with range, default and needs. */
static void own_parameters_are_rows(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep"));
    assert_prints("build/lockstep config --config configs/fermi-like.yaml --set simt.divergence=serial "
                  "--set serial.in_flight=2",
                  "serial:\n  in_flight: 2");
    assert_prints("build/lockstep config --describe both_ends.youngest_first", "simt.scheduler=both_ends");
    assert_prints("build/lockstep config --set paced.idle=0 2>&1 || true", "1 to 100");
    assert_prints("build/lockstep run --set paced.idle=2 -- $B/benchmarks/scan 2>&1 || true",
                  "does nothing here: it needs core.kind=paced");
    free(shell(SERIAL "-- $B/benchmarks/scan | grep 'kernel time' >one; " SERIAL
                      "--set serial.in_flight=2 -- $B/benchmarks/scan | grep 'kernel time' >two; "
                      "! cmp -s one two"));
}

static void kinds_of_cores_are_files(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep build/tests/test_paced_kind"));
    assert_prints("build/tests/test_paced_kind 2>&1", "[  PASSED  ] 1 test(s).");
    assert_prints("build/lockstep config --describe core.kind", "paced: one, then idle cycles");
    assert_prints("build/lockstep run --mode mimd --set core.kind=paced -- $B/benchmarks/scan", "PASS");
}

/* A block in C and Verilog: random inputs compare the two, and the library has its functions. */
static void blocks_with_verilog_are_files(void **state) {
    (void)state;
    free(shell(MAKE "build/lockstep build/tests/test_pacer build/obj/library/blocks/pacer.o"));
    assert_prints("build/tests/test_pacer 2>&1", "[  PASSED  ] 1 test(s).");
    assert_prints("nm build/obj/library/blocks/pacer.o", "lockstep_pacer_eval");
    assert_prints("build/lockstep rtl-test nothing 2>&1 || true", "pacer");
}

/* The Verilog of a new block equals the C, properties are proved, and hand-made faults are found. */
static void verilog_of_a_new_block_is_checked(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    spawn_limit_seconds = 900;
    assert_prints("build/lockstep rtl-test pacer=check 2>&1", "no difference");
    assert_prints("B=build scripts/formal pacer 2>&1", "proved");
    assert_prints("B=build scripts/mutants --language semantic pacer 2>&1", "caught");
}

/* One line adds the member and its registration, another one counts. */
static void a_counter_is_a_line(void **state) {
    (void)state;
    free(shell("sed -i '/define PRIVATE_L2_COUNTERS/a X(asked_again, \"times\", \"of a template\") \\\\' "
               "model/memory/private_l2.h; "
               "sed -i 's/++l->refused;/&\\n    ++l->asked_again;/' model/memory/private_l2.c; " MAKE
               "build/obj/model/memory/private_l2.o build/obj/model/report/cluster_counters.o"));
    assert_prints(
        "strings build/obj/model/report/cluster_counters.o | grep -x -e asked_again -e 'of a template'",
        "asked_again");
}

/* The counter is one more line in the record of a program, and changes none. */
static void a_counter_is_a_line_of_a_record(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    spawn_limit_seconds = 900;
    free(shell(MAKE "build/lockstep build/tests/test_recorded_runs; mkdir -p tests/golden/runs; "
                    "cp $S/tests/golden/runs/gaussian.txt tests/golden/runs; "
                    "RUNS=gaussian GOLDEN=update build/tests/test_recorded_runs"));
    assert_prints("diff $S/tests/golden/runs/gaussian.txt tests/golden/runs/gaussian.txt || true",
                  "> cluster*.lane*.l2 asked_again");
    assert_prints("diff $S/tests/golden/runs/gaussian.txt tests/golden/runs/gaussian.txt | grep -c '^[<>]'",
                  "1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_objects_are_built_again),   cmocka_unit_test(policies_and_commands_are_files),
        cmocka_unit_test(schedulers_are_files),          cmocka_unit_test(divergence_engines_are_files),
        cmocka_unit_test(kinds_of_cores_are_files),      cmocka_unit_test(own_parameters_are_rows),
        cmocka_unit_test(blocks_with_verilog_are_files), cmocka_unit_test(verilog_of_a_new_block_is_checked),
        cmocka_unit_test(a_counter_is_a_line),           cmocka_unit_test(a_counter_is_a_line_of_a_record),
    };
    return cmocka_run_group_tests(tests, copy_all, remove_all);
}
