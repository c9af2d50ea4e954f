/* livelock: kernels whose threads wait for each other for ever because of a policy, and a scheduler that
 * grants no warp: the end of the run, and the message about each warp. The kernels are those of
 * tests/hosts/spin_locks.c. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static struct spawned spin(char *setting, char *kernel, char *warps) {
    char *program = fixture_host("spin_locks");
    struct spawned s =
        LOCKSTEP("run", "--max-cycles", "100000", "--set", setting, "--", program, kernel, warps);
    free(program);
    return s;
}

static void assert_counts(char *setting, char *kernel, char *warps) {
    struct spawned s = spin(setting, kernel, warps);
    assert_status(&s, 0);
    assert_says(s.out, "spin_locks: ");
    spawn_free(&s);
}

static struct spawned assert_spins(char *setting, char *kernel, char *warps) {
    struct spawned s = spin(setting, kernel, warps);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "the limit of cycles is that of --max-cycles\n");
    return s;
}

/* The holder has left the loop, and with it the level at which the others spin: ICS-First never
 * selects it. */
static void those_who_spin_starve_the_holder(void **state) {
    (void)state;
    static char *const policies[] = {"simt.pc_policy=ics_first", "simt.pc_policy=min_pc"};
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = assert_spins(policies[n], "every_work_item", "1");
        assert_says(s.err, "  warp 0, ");
        assert_says(s.err, " 31 threads ");
        assert_says(s.err, "     1 thread  ready, work-item (0, 0, 0), pc 0x");
        assert_says(s.err, "    goes round ");
        assert_says(s.err, ", of program1.cl:2\n");
        assert_says(s.err, "      it reads 0x60000000 in buffer 1, now 0x1, at pc 0x");
        assert_says(
            s.err,
            "      work-item (0, 0, 0) of warp 0 made it so by an exclusive store (it may hold a lock) "
            "and is Ready at pc 0x");
        if (n == 0) assert_says(s.err, "program1.cl:4 in 'every_work_item'");
        spawn_free(&s);
    }
    assert_counts("simt.pc_policy=first_ready", "every_work_item", "1");
}

/* The lock is released inside the loop, at a higher level than that of the spinning threads. */
static void a_lock_released_inside_the_loop_is_passed_on(void **state) {
    (void)state;
    assert_counts("simt.pc_policy=ics_first", "leaves_when_done", "1");
    assert_counts("simt.pc_policy=first_ready", "leaves_when_done", "1");
}

/* Exchanges that spin do not keep each other, nor the release, from storing: warps and cores take turns. */
static void contenders_for_a_lock_take_turns(void **state) {
    (void)state;
    static char *const machines[][3] = {
        {"dual-mode-4", "simt", "4"},    {"dual-mode-4", "mimd", "1"},   {"dual-mode-32x4", "simt", "2"},
        {"dual-mode-32x4", "mimd", "1"}, {"gtx285-like", "simt", "2"},   {"fermi-like", "simt", "2"},
        {"gt640-like", "simt", "2"},     {"temporal-30x8", "simt", "2"},
    };
    char *program = fixture_host("spin_locks");
    for (unsigned n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machines[n][0]);
        struct spawned s = LOCKSTEP("run", "--quiet", "--max-cycles", "1000000", "--config", config, "--mode",
                                    machines[n][1], "--", program, "one_of_a_warp", machines[n][2], "8");
        assert_status(&s, 0);
        assert_says(s.out, "spin_locks: one_of_a_warp counted ");
        spawn_free(&s);
        free(config);
    }
    free(program);
}

/* --- endless launches on stack machines, and polls that end --- */

static struct spawned run_on(const char *machine, char *program, char *first, char *second) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    struct spawned s = LOCKSTEP("run", "--quiet", "--config", config, "--", program, first, second);
    free(config);
    return s;
}

/* Without --max-cycles: the lock would be released where the spinning threads never let its holder run. */
static void a_launch_that_goes_round_for_ever_ends(void **state) {
    (void)state;
    static const char *const machines[] = {"gtx285-like", "gt640-like", "temporal-30x8"};
    char *program = fixture_host("spin_locks");
    for (unsigned n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        struct spawned s = run_on(machines[n], program, "leaves_when_done", "2");
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, "kernel 'leaves_when_done': goes round for ever: every warp that can run has come "
                           "back to the same PC with the same registers, and no store has changed a value\n");
        assert_says(s.err, "  warp 0 of work-group 0, ");
        spawn_free(&s);
    }
    free(program);
}

/* Work-group 0 polls until work-group 1 sets the flag, much later. */
static void a_long_poll_that_ends_is_not_stopped(void **state) {
    (void)state;
    static const char *const polls[] = {
        "while (w[40] == 0) ;",
        "while (atomic_cmpxchg(&w[40], 1, 2) == 0) ;",
        "while (atomic_or(&w[40], 0) == 0) ;",
        "int old; do old = atomic_xchg(&w[41], 0); while (w[40] == 0 || old != 0);",
        "int tries = 0; while (w[40] == 0) tries = (tries + 1) & 7; w[42] = tries;",
    };
    static const char *const works[] = {
        "uint x = 7; for (int i = 0; i < 30000; i++) x = x * 1664525 + 1013904223; w[43] = x;",
        "double d = 3; for (int i = 0; i < 5000; i++) d = sqrt(d + i); w[43] = (int)d;",
        "volatile int a[8]; for (int i = 0; i < 16000; i++) a[i & 7] = i; w[43] = a[3];",
        "for (int i = 0; i < 12000; i++) w[44 + (i & 3)] = i;",
    };
    char *program = fixture_host("run_source");
    for (unsigned n = 0; n < 20; n++) {
        char *source = spawn_text("kernel void f(volatile global int *w) { if (get_local_id(0)) return; if "
                                  "(get_group_id(0) == 0) { %s } else { %s w[40] = 1; } }",
                                  polls[n % 5], works[n / 5]);
        struct spawned s = run_on(n % 2 ? "gtx285-like" : "gt640-like", program, source, NULL);
        assert_status(&s, 0);
        assert_says(s.out, "run_source: the kernel came back\n");
        spawn_free(&s);
        free(source);
    }
    free(program);
}

/* No warp is left, or all wait at a barrier, while stores are in flight: an interconnect of 1 MHz. */
static void stores_that_take_long_are_not_taken_for_it(void **state) {
    (void)state;
    char *program = fixture_host("run_source");
    char *config = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    static char *const sources[] = {
        "kernel void f(volatile global int *w) { for (int i = 0; i < 40; i++) w[get_local_id(0) + i & 63] = "
        "i; }",
        "kernel void f(volatile global int *w) { for (int i = 0; i < 40; i++) w[get_local_id(0) + i & 63] = "
        "i; "
        "barrier(CLK_GLOBAL_MEM_FENCE); w[0] = 1; }",
    };
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = LOCKSTEP("run", "--quiet", "--config", config, "--set", "icnt.clock_mhz=1",
                                    "--set", "cluster.count=1", "--", program, sources[n]);
        assert_status(&s, 0);
        assert_says(s.out, "run_source: the kernel came back\n");
        spawn_free(&s);
    }
    free(config);
    free(program);
}

/* The holder waits for the threads that wait for it. */
static void who_waits_for_whom_is_said(void **state) {
    (void)state;
    struct spawned s = assert_spins("simt.pc_policy=first_ready", "never_released", "2");
    assert_says(s.err, ", 1 Barrier, 0 Idle: ");
    assert_says(s.err, "     1 thread  waiting at the barrier, work-item (0, 0, 0), pc 0x");
    assert_says(s.err, "  warp 1, ");
    assert_says(s.err, " and waits at the barrier at pc 0x");
    assert_says(s.err, "program1.cl:27 in 'never_released'");
    spawn_free(&s);
}

/* A value loaded before the loop is not what the loop waits for. */
static void a_loop_that_reads_nothing_waits_for_nothing(void **state) {
    (void)state;
    struct spawned s = assert_spins("simt.pc_policy=ics_first", "reads_nothing", "1");
    assert_says(s.err, "    goes round ");
    assert_says(s.err, ", of program1.cl:32\n");
    assert_null(strstr(s.err, "it reads"));
    spawn_free(&s);
}

static struct spawned spin_on_cores(char *clusters, char *groups) {
    char *program = fixture_host("spin_locks");
    struct spawned s = LOCKSTEP("run", "--max-cycles", "100000", "--mode", "mimd", "--set", clusters, "--",
                                program, "never_released", "1", groups);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "the limit of cycles is that of --max-cycles\n");
    free(program);
    return s;
}

/* A work-item of the first work-group has taken the lock and waits; all others spin, on each core. */
static void cores_say_what_they_poll_and_who_holds_it(void **state) {
    (void)state;
    static const char loop[] = "    goes round 4 instructions, pc 0x";
    struct spawned s = spin_on_cores("cluster.count=1", "1");
    assert_says(s.err, "  core 0: run, work-group (0, 0, 0), pc 0x");
    assert_says(s.err, loop);
    assert_says(s.err, ", of program1.cl:24\n      it reads 0x60000000 in buffer 1, now 0x1, at pc 0x");
    assert_says(s.err,
                "      this core made it so by an exclusive store (it may hold a lock) in this work-group\n");
    assert_says(s.err, "  core 1: asleep, ");
    spawn_free(&s);
    s = spin_on_cores("cluster.count=1", "3");
    assert_says(s.err, "  core 1: run, work-group (1, 0, 0), pc 0x");
    assert_says(
        s.err,
        "    goes round the same, for the same word as core 0\n  core 2: run, work-group (2, 0, 0), pc 0x");
    spawn_free(&s);
    s = spin_on_cores("cluster.count=2", "5");
    assert_says(s.err, "cluster 1, cycle ");
    assert_says(s.err, "  core 0: run, work-group (4, 0, 0), pc 0x");
    assert_says(s.err, "      core 0 of cluster 0 made it so by an exclusive store (it may hold a lock) in "
                       "work-group (0, 0, 0), which is at pc 0x");
    spawn_free(&s);
}

/* A loop of LDREX alone, since the comparison always fails: no exclusive store fails, and none is made. An SM
 * ends the launch; elsewhere the limit of cycles does. */
static void a_loop_that_only_loads_exclusively_is_named(void **state) {
    (void)state;
    static char *const modes[] = {"simt", "mimd"};
    char *program = fixture_host("spin_locks");
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s =
            LOCKSTEP("run", "--max-cycles", "100000", "--mode", modes[n], "--", program, "never_true", "1");
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, "the limit of cycles is that of --max-cycles\n");
        assert_says(s.err, "    goes round ");
        assert_says(s.err, "      it reads 0x60000004 in buffer 1, now 0x0, at pc 0x");
        spawn_free(&s);
    }
    struct spawned s = run_on("gtx285-like", program, "never_true", "1");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'never_true': goes round for ever: ");
    spawn_free(&s);
    free(program);
}

/* Warps, and cores of each kind, without --max-cycles: two work-groups of two warps. */
static void a_loop_on_clusters_that_never_ends_is_found(void **state) {
    (void)state;
    static char *const runs[][3] = {
        {"dual-mode-4", "simt", "simt.pc_policy=ics_first"},
        {"dual-mode-4", "simt", "simt.divergence=sbr"},
        {"dual-mode-4", "mimd", "cluster.count=1"},
        {"dual-mode-32x4", "simt", "simt.pc_policy=min_pc"},
        {"dual-mode-32x4", "mimd", "cluster.count=2"},
        {"in-order-2", "mimd", "cluster.count=1"},
        {"out-of-order-3", "mimd", "cluster.count=1"},
    };
    char *program = fixture_host("spin_locks");
    for (unsigned n = 0; n < sizeof runs / sizeof runs[0]; n++) {
        char *unit = strcmp(runs[n][1], "mimd") == 0 ? "core" : "warp",
             *says = spawn_text(
                 "kernel 'never_true': goes round for ever: every %s that can run has come back to "
                 "the same PC with the same registers, and no store has changed a value\n",
                 unit);
        struct spawned s = LOCKSTEP("run", "--quiet", "--config", runs[n][0], "--mode", runs[n][1], "--set",
                                    runs[n][2], "--", program, "never_true", "2", "2");
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, says);
        assert_says(s.err, "    goes round ");
        spawn_free(&s);
        free(says);
    }
    free(program);
}

/* --- exclusive stores that fail for ever (model/control/exclusive_monitor.h) --- */

static struct spawned contend(const char *machine, char *mode, char *limit, char *kernel, char *warps,
                              char *extra) {
    char *program = fixture_host("spin_locks"), *set = spawn_text("mem.exclusive_livelock=%s", limit),
         *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    struct spawned s = LOCKSTEP("run", "--quiet", "--max-cycles", "3000000", "--config", config, "--mode",
                                mode, "--set", set, extra, "--", program, kernel, warps);
    free(program);
    free(set);
    free(config);
    return s;
}

/* Returns the number after `before` in a message. */
static unsigned long number_after(const char *message, const char *before) {
    const char *at = strstr(message, before);
    if (!at) fail_msg("'%s' is not in: %s", before, message);
    return strtoul(at + strlen(before), NULL, 10);
}

/* The launch ends `limit` cycles after the first STREX that failed; on SMs, at the next end of a step. */
static void assert_livelock(const struct spawned *s, const char *machine, unsigned long limit) {
    assert_status(s, EXIT_PROGRAM_FAULT);
    const unsigned long since = number_after(
        s->err,
        "livelock: exclusive loads and stores go on, but no exclusive store has succeeded since cycle ");
    assert_int_equal(number_after(s->err, " of the launch, for "), limit);
    assert_true(number_after(s->err, "(mem.exclusive_livelock); ") > 100);
    if (strcmp(machine, "dual-mode-4") == 0)
        assert_int_equal(number_after(s->err, "\ncycle "), since + limit);
    else if (strcmp(machine, "dual-mode-32x4") == 0)
        assert_int_equal(number_after(s->err, "\ncluster 0, cycle "), since + limit);
    else
        assert_in_range(number_after(s->err, "\ncluster 0 in cycle "), since + limit, since + limit + 2000);
}

/* The watch begins after 2^20 cycles and lasts two samples of 4,096 cycles. */
static void endless_loops_end_in_the_same_cycle_step_by_step(void **state) {
    (void)state;
    static char *const modes[] = {"simt", "mimd"};
    char *program = fixture_host("spin_locks");
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = LOCKSTEP("run", "--mode", modes[n], "--", program, "never_true", "2");
        struct spawned exact =
            LOCKSTEP("run", "--mode", modes[n], "--exact-steps", "--", program, "never_true", "2");
        const char *said = strstr(s.err, "goes round for ever"),
                   *exactly = strstr(exact.err, "goes round for ever");
        assert_non_null(said);
        assert_non_null(exactly);
        assert_string_equal(said, exactly);
        assert_int_equal(number_after(said, "\ncycle "), (1 << 20) + 2 * 4096);
        spawn_free(&s);
        spawn_free(&exact);
    }
    free(program);
}

/* Other work-items end the loop, after more than 2^20 cycles: of another warp, and of another core. */
static void a_long_poll_on_clusters_that_ends_is_not_stopped(void **state) {
    (void)state;
    static const char *const polls[] = {
        "while (atomic_cmpxchg(&w[40], 1, 2) == 0) ;",
        "while (w[40] == 0) ;",
        "while (atomic_or(&w[40], 0) == 0) ;",
        "int tries = 0; while (w[40] == 0) tries = (tries + 1) & 7; w[42] = tries;",
    };
    static const char *const works[] = {
        "uint x = 7; for (int i = 0; i < %u; i++) x = x * 1664525 + 1013904223; w[43] = x;",
        "volatile int a[8]; for (int i = 0; i < %u; i++) a[i & 7] = i; w[43] = a[3];",
    };
    char *program = fixture_host("run_source");
    for (unsigned n = 0; n < 8; n++) {
        const bool cores = n / 2 % 2;
        char *work = spawn_text(works[n % 2], cores ? 300000 : 60000);
        char *source =
            spawn_text("kernel void f(volatile global int *w) { if (get_local_id(0) %% 16) return; if "
                       "(%s == 0) { %s } else { %s w[40] = 1; } }",
                       cores ? "get_group_id(0)" : "get_local_id(0)", polls[n / 2], work);
        struct spawned s = LOCKSTEP("run", "--quiet", "--stats", "s.json", "--mode", cores ? "mimd" : "simt",
                                    "--set", "simt.warp_size=16", "--", program, source);
        assert_status(&s, 0);
        assert_says(s.out, "run_source: the kernel came back\n");
        assert_true(fixture_cycles("s.json") > 1 << 20);
        spawn_free(&s);
        free(source);
        free(work);
    }
    free(program);
}

static void plain_stores_that_starve_a_count_are_named(void **state) {
    (void)state;
    static const char *const machines[] = {"dual-mode-4", "dual-mode-32x4", "gtx285-like",
                                           "fermi-like",  "temporal-30x8",  "gt640-like"};
    for (unsigned n = 0; n < sizeof machines / sizeof *machines; n++) {
        struct spawned s = contend(machines[n], "simt", "100000", "stored_beside", "4", "--quiet");
        assert_livelock(&s, machines[n], 100000);
        assert_says(s.err, "\nthe last one at words[1] (buffer 1, argument 1), by work-item (");
        assert_says(s.err, " of cluster 0, warp 0\n  at pc 0x");
        assert_says(s.err, ", program1.cl:38 in 'stored_beside': strex r");
        assert_says(s.err, " plain stores have taken reservations, the last one by work-item (");
        assert_says(s.err, ", program1.cl:42 in 'stored_beside': str r");
        spawn_free(&s);
    }
}

static void a_strex_without_a_reservation_is_named(void **state) {
    (void)state;
    static const struct {
        char *machine, *mode, *who;
    } cases[] = {
        {"dual-mode-4", "simt", "by work-item ("},
        {"dual-mode-4", "mimd", "by core 0 of cluster 0 in work-group (0, 0, 0)"},
        {"dual-mode-32x4", "mimd", "by core 0 of cluster 0 in work-group (0, 0, 0)"},
        {"gtx285-like", "simt", "by work-item ("},
        {"fermi-like", "simt", "by work-item ("},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct spawned s = contend(cases[n].machine, cases[n].mode, "100000", "wrong_place", "1", "--quiet");
        assert_livelock(&s, cases[n].machine, 100000);
        assert_says(s.err, "\nthe last one at words[64] (buffer 1, argument 1), ");
        assert_says(s.err, cases[n].who);
        assert_says(s.err, ", program1.cl:56 in 'wrong_place': strex r");
        assert_says(s.err,
                    "no store of others has taken a reservation: a STREX needs an LDREX of the same place");
        spawn_free(&s);
    }
}

/* With and without visits to cycles that have no event. */
static void a_livelock_ends_in_the_same_cycle_step_by_step(void **state) {
    (void)state;
    static const char *const machines[] = {"dual-mode-4", "gtx285-like"};
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = contend(machines[n], "simt", "20000", "stored_beside", "4", "--quiet");
        struct spawned exact = contend(machines[n], "simt", "20000", "stored_beside", "4", "--exact-steps");
        assert_livelock(&s, machines[n], 20000);
        assert_string_equal(strstr(s.err, "livelock: "), strstr(exact.err, "livelock: "));
        spawn_free(&s);
        spawn_free(&exact);
    }
}

/* 2,000 plain stores of each of 96 work-items make STREX fail for long; then all counts succeed. */
static void a_long_starvation_that_ends_is_none(void **state) {
    (void)state;
    static const char *const machines[] = {"dual-mode-4", "gtx285-like"};
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = contend(machines[n], "simt", "0", "some_stored_beside", "4", "--quiet");
        assert_status(&s, 0);
        assert_says(s.out, "spin_locks: some_stored_beside counted 32 of 32\n");
        spawn_free(&s);
        s = contend(machines[n], "simt", "50000", "some_stored_beside", "4", "--quiet");
        assert_livelock(&s, machines[n], 50000);
        spawn_free(&s);
    }
}

/* Contenders that take turns, and loops that only load: with a limit of five holds of the base machine. */
static void locks_that_spin_for_long_are_no_livelock(void **state) {
    (void)state;
    static const struct {
        char *machine, *mode, *kernel, *warps;
    } sound[] = {
        {"dual-mode-4", "simt", "one_of_a_warp", "16"},    {"dual-mode-4", "mimd", "one_of_a_warp", "16"},
        {"dual-mode-4", "simt", "leaves_when_done", "1"},  {"dual-mode-32x4", "simt", "one_of_a_warp", "16"},
        {"dual-mode-32x4", "mimd", "one_of_a_warp", "16"}, {"gtx285-like", "simt", "one_of_a_warp", "8"},
        {"fermi-like", "simt", "one_of_a_warp", "8"},
    };
    for (unsigned n = 0; n < sizeof sound / sizeof *sound; n++) {
        struct spawned s =
            contend(sound[n].machine, sound[n].mode, "200000", sound[n].kernel, sound[n].warps, "--quiet");
        assert_status(&s, 0);
        assert_says(s.out, "spin_locks: ");
        spawn_free(&s);
    }
    struct spawned s = contend("dual-mode-4", "simt", "200000", "every_work_item", "1", "--quiet");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'every_work_item': goes round for ever: ");
    assert_null(strstr(s.err, "livelock"));
    spawn_free(&s);
}

static void a_deadlock_says_who_keeps_the_barrier_shut(void **state) {
    (void)state;
    char *program = fixture_host("kernel_mistakes");
    struct spawned s = LOCKSTEP("run", "--", program, "deadlock");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(
        s.err,
        "  warp 0, 0 Ready, 0 Execution, 32 Barrier, 0 Idle: waits at the barrier for 24 live threads of 1 "
        "warp, first work-item (40, 0, 0) of warp 0, which waits at another\n");
    spawn_free(&s);
    free(program);
}

/* Verilog in the scheduler's slot that obeys its contract and never grants any warp except 0. */
static const char REFUSES[] = "  wire unused = &{1'b0, clk_i, rst_ni, stalled_i};\n"
                              "  assign valid_o = take_i && ready_i[0];\n"
                              "  assign warp_o  = '0;\n"
                              "  assign grant_o = WARPS'(valid_o);\n"
                              "endmodule\n";

static char *refusing_scheduler(void) {
    char *own = spawn_text("%s/rtl/warp_scheduler.sv", spawn_source()), *text = spawn_read(own);
    char *end = strstr(text, "\n);\n");
    assert_non_null(end);
    end[4] = '\0';
    char *changed = spawn_text("%s%s", text, REFUSES);
    char *path = fixture_file("refuses.sv", changed, 0644);
    free(own);
    free(text);
    free(changed);
    return path;
}

static void a_scheduler_that_refuses_is_named(void **state) {
    (void)state;
    char *program = fixture_host("spin_locks"), *path = refusing_scheduler();
    char *rtl = spawn_text("warp_scheduler=replace:%s", path);
    struct spawned s = LOCKSTEP("run", "--rtl", rtl, "--set", "simt.livelock_cycles=3000", "--", program,
                                "one_of_a_warp", "2");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err,
                "livelock: no instruction has been committed for 3000 cycles (simt.livelock_cycles)\n"
                "warp_scheduler grants no warp, although 1 are ready to run and the front end takes one: the "
                "mistake is in the Verilog that replaces it\n");
    assert_says(s.err, "  warp 1, 32 Ready, 0 Execution, 0 Barrier, 0 Idle: ready to run for ");
    assert_says(s.err, " cycles, waits for the grant of warp_scheduler\n");
    spawn_free(&s);
    free(program);
    free(path);
    free(rtl);
}

/* Fewer cycles than a miss takes: the same cycle whether those in which nothing happens
 * are visited or not. */
static void the_limit_is_met_in_the_same_cycle_step_by_step(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--set", "simt.livelock_cycles=100", "--", program);
    struct spawned exact =
        LOCKSTEP("run", "--set", "simt.livelock_cycles=100", "--exact-steps", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_status(&exact, EXIT_PROGRAM_FAULT);
    const char *said = strstr(s.err, "livelock: no instruction has been committed for 100 cycles"),
               *exactly = strstr(exact.err, "livelock: ");
    assert_non_null(said);
    assert_non_null(exactly);
    assert_string_equal(said, exactly);
    spawn_free(&s);
    spawn_free(&exact);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(those_who_spin_starve_the_holder),
        TEST(a_lock_released_inside_the_loop_is_passed_on),
        TEST(contenders_for_a_lock_take_turns),
        TEST(a_launch_that_goes_round_for_ever_ends),
        TEST(a_long_poll_that_ends_is_not_stopped),
        TEST(stores_that_take_long_are_not_taken_for_it),
        TEST(who_waits_for_whom_is_said),
        TEST(a_loop_that_reads_nothing_waits_for_nothing),
        TEST(cores_say_what_they_poll_and_who_holds_it),
        TEST(a_loop_that_only_loads_exclusively_is_named),
        TEST(a_loop_on_clusters_that_never_ends_is_found),
        TEST(endless_loops_end_in_the_same_cycle_step_by_step),
        TEST(a_long_poll_on_clusters_that_ends_is_not_stopped),
        TEST(plain_stores_that_starve_a_count_are_named),
        TEST(a_strex_without_a_reservation_is_named),
        TEST(a_livelock_ends_in_the_same_cycle_step_by_step),
        TEST(a_long_starvation_that_ends_is_none),
        TEST(locks_that_spin_for_long_are_no_livelock),
        TEST(a_deadlock_says_who_keeps_the_barrier_shut),
        TEST(a_scheduler_that_refuses_is_named),
        TEST(the_limit_is_met_in_the_same_cycle_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
