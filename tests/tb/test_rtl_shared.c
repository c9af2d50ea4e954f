/* `lockstep run --rtl` for blocks shared by clusters or SMs: the exclusive monitor, the dispatcher of
 * work-groups, the protocol of the clusters' L2s, and blocks of superscalar cores. They are compared with
 * their Verilog, driven by it, and replaced; messages for Verilog that differs. */
#include "tests/tb/rtl_text.h"

/* Runs 8 work-groups of 64 that count 16,384 values with atomic operations. */
static struct spawned run_on(const char *machine, const char *rtl, const char *stats, const char *set) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine),
         *program = spawn_text("%s/benchmarks/histogram", spawn_build());
    struct spawned s = LOCKSTEP("run", "--config", config, "--set", (char *)set, "--stats", (char *)stats,
                                "--rtl", (char *)rtl, "--", program, "--input", "small");
    free(config);
    free(program);
    return s;
}

/* The dispatcher has a request for each work-group, and the start of the launch. The monitor has at least two
 * requests and a store for each atomic operation. */
static void verilog_changes_nothing(void **state) {
    (void)state;
    static const struct {
        const char *machine, *set;
    } runs[] = {
        {"dual-mode-4", "mem.mshrs=4"}, {"dual-mode-4", "cluster.count=2"}, {"gtx285-like", "l2.mshrs=4"}};
    static const char *const modes[] = {"check", "drive"};

    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        struct spawned off = run_on(runs[n].machine, "off", "off.json", runs[n].set);
        assert_status(&off, EXIT_SOUND);
        for (unsigned m = 0; m < 2; ++m) {
            const bool gpu = strcmp(runs[n].machine, "gtx285-like") == 0;
            char *rtl = spawn_text("exclusive_monitor=%s,work_group_dispatcher=%s%s%s", modes[m], modes[m],
                                   gpu ? "" : ",snoop_directory=", gpu ? "" : modes[m]);
            struct spawned on = run_on(runs[n].machine, rtl, "on.json", runs[n].set);
            free(rtl);
            assert_status(&on, EXIT_SOUND);
            assert_same("off.json", "on.json", "totals");
            assert_same("off.json", "on.json", "counters");
            json_t *stats = fixture_statistics("on.json");
            const long long groups = fixture_number(json_object_get(stats, "totals"), "work_groups");
            const json_t *dispatcher = block_in(stats, "work_group_dispatcher"),
                         *monitor = block_in(stats, "exclusive_monitor");
            const size_t launches = json_array_size(json_object_get(stats, "launches"));
            assert_int_equal(launches, 1);
            assert_int_equal(groups, 8);
            assert_int_equal(fixture_number(dispatcher, "comparisons"), groups + (long long)launches);
            assert_true(fixture_number(monitor, "comparisons") > 3 * 16384);
            assert_int_equal(fixture_number(dispatcher, "mismatches"), 0);
            assert_int_equal(fixture_number(monitor, "mismatches"), 0);
            if (!gpu) { /* fills and evictions of lines, and upgrades */
                const json_t *protocol = block_in(stats, "snoop_directory");
                assert_true(fixture_number(protocol, "comparisons") > 3000);
                assert_int_equal(fixture_number(protocol, "mismatches"), 0);
            }
            json_decref(stats);
            spawn_free(&on);
        }
        spawn_free(&off);
    }
}

/* Each of these changes is detected and reported with its place. */
static void differences_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *machine, *block, *mode, *from, *to, *says;
    } changes[] = {
        {"gtx285-like", "exclusive_monitor", "drive", "holds_q[k] &&", "1'b1 &&",
         "contexts 0 to 63, kernel '"},
        {"dual-mode-4", "work_group_dispatcher", "check", "x_q + 32'd1", "x_q + 32'd3",
         "a cycle of it is a request"},
        {"dual-mode-4", "work_group_dispatcher", "replace", "x_q + 32'd1;", "x_q;",
         "the_number_is_that_of_the_id"},
        {"dual-mode-4", "snoop_directory", "check", "held || elsewhere != '0 ? S : E", "S",
         "a cycle of it is a request"},
        {"dual-mode-4", "snoop_directory", "drive", "] = M;", "] = S;", "(which drives)"},
    };
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].block, changes[n].from, changes[n].to);
        char *rtl = spawn_text("%s=%s:%s", changes[n].block, changes[n].mode, path);
        struct spawned s = run_on(changes[n].machine, rtl, "s.json", "mem.mshrs=8");
        if (s.status != EXIT_TWINS_DISAGREE)
            print_error("%s: %s\n%s\n", changes[n].block, changes[n].to, s.err);
        assert_status(&s, EXIT_TWINS_DISAGREE);
        assert_says(s.err, changes[n].says);
        assert_readable("mismatch.fst");
        spawn_free(&s);
        free(path);
        free(rtl);
    }
}

/* A user's policy: from the last work-group to the first. */
static void another_order_drives_the_machine(void **state) {
    (void)state;
    char *rtl = spawn_text("work_group_dispatcher=replace:%s/rtl/examples/last_first_dispatcher.sv,"
                           "last_first_dispatcher",
                           spawn_source()),
         *other = rtl_text_change(strdup(rtl), "replace", "check");
    struct spawned gpu = run_on("gtx285-like", rtl, "s.json", "mem.mshrs=8"),
                   base = run_on("dual-mode-4", rtl, "s.json", "mem.mshrs=8"),
                   checked = run_on("dual-mode-4", other, "s.json", "mem.mshrs=8");
    assert_status(&gpu, EXIT_SOUND);
    assert_status(&base, EXIT_SOUND);
    assert_says(base.err, "held to the contract of its slot");
    assert_status(&checked, EXIT_TWINS_DISAGREE);
    assert_says(checked.err, "number_o");
    spawn_free(&gpu);
    spawn_free(&base);
    spawn_free(&checked);
    free(rtl);
    free(other);
}

/* A program without atomic operations makes no request to the monitor: an error only if the block is named.
 * Waves contain both. */
static void what_is_never_asked(void **state) {
    (void)state;
    struct spawned all = run_with("check", "odd_groups", "s.json"),
                   named = run_with("exclusive_monitor=check", "odd_groups", "s.json");
    assert_status(&all, EXIT_SOUND);
    assert_status(&named, EXIT_USER);
    assert_says(named.err,
                "--rtl: exclusive_monitor was never compared: the program has asked nothing of it");
    spawn_free(&all);
    spawn_free(&named);
}

/* Runs a MIMD launch on superscalar cores with 2 of each, many of whose branches are not predicted. */
static struct spawned benchmark(const char *name, const char *machine, const char *set, const char *rtl,
                                const char *stats) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine),
         *program = spawn_text("%s/benchmarks/%s", spawn_build(), name);
    struct spawned s =
        LOCKSTEP("run", "--config", config, "--set", "cluster.lanes=2", "--set", (char *)set, "--stats",
                 (char *)stats, "--rtl", (char *)rtl, "--", program, "--input", "small");
    free(config);
    free(program);
    return s;
}

static struct spawned predict(const char *machine, const char *set, const char *rtl, const char *stats) {
    return benchmark("bitonic_sort", machine, set, rtl, stats);
}

/* Each fetch, and each cycle in which branches are learned, is compared, and is as without Verilog. */
static void cores_fetch_as_their_predictor_says(void **state) {
    (void)state;
    static const struct {
        const char *machine, *set;
    } runs[] = {{"out-of-order-3", "core.btb=16"},
                {"out-of-order-3", "core.fetch_width=8"},
                {"in-order-2", "core.predictor=4"}};
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        struct spawned off = predict(runs[n].machine, runs[n].set, "off", "off.json");
        assert_status(&off, EXIT_SOUND);
        for (unsigned drives = 0; drives < 2; ++drives) {
            struct spawned on =
                predict(runs[n].machine, runs[n].set,
                        drives ? "branch_predictor=drive" : "branch_predictor=check", "on.json");
            assert_status(&on, EXIT_SOUND);
            assert_same("off.json", "on.json", "totals");
            assert_same("off.json", "on.json", "counters");
            json_t *stats = fixture_statistics("on.json");
            const json_t *block = block_in(stats, "branch_predictor");
            assert_true(fixture_number(block, "comparisons") > 10000);
            assert_int_equal(fixture_number(block, "mismatches"), 0);
            json_decref(stats);
            spawn_free(&on);
        }
        spawn_free(&off);
    }
}

/* Verilog with another policy drives the fetch, and the results are right; compared with the model, it
 * differs. */
static void another_predictor_drives_the_fetch(void **state) {
    (void)state;
    struct spawned own = predict("out-of-order-3", "core.btb=64", "off", "own.json");
    assert_status(&own, EXIT_SOUND);
    char *path = rtl_text_changed("branch_predictor", "(high | ~conditional_i)", "~conditional_i"),
         *replace = spawn_text("branch_predictor=replace:%s", path),
         *check = spawn_text("branch_predictor=check:%s", path);
    struct spawned never = predict("out-of-order-3", "core.btb=64", replace, "never.json"),
                   checked = predict("out-of-order-3", "core.btb=64", check, "s.json");
    assert_status(&never, EXIT_SOUND);
    assert_true(fixture_cycles("never.json") > fixture_cycles("own.json"));
    assert_status(&checked, EXIT_TWINS_DISAGREE);
    assert_says(checked.err, "taken_o");
    assert_says(checked.err, "core ");
    free(path);
    path = rtl_text_changed("branch_predictor", "branch_i & hit", "hit");
    free(replace);
    replace = spawn_text("branch_predictor=replace:%s", path);
    struct spawned wrong = predict("out-of-order-3", "core.btb=1", replace, "s.json");
    assert_status(&wrong, EXIT_TWINS_DISAGREE);
    assert_says(wrong.err, "only_a_branch_of_the_fetch_is_taken");
    spawn_free(&own);
    spawn_free(&never);
    spawn_free(&checked);
    spawn_free(&wrong);
    free(path);
    free(replace);
    free(check);
}

/* Each cycle in which instructions are ready is compared, and each access that is turned away; the cores are
 * as without Verilog. */
static void cores_issue_as_their_selection_says(void **state) {
    (void)state;
    static const char *const sets[] = {"core.window=100", "core.integer_units=1", "mem.mshrs=2"};
    for (unsigned n = 0; n < sizeof sets / sizeof *sets; ++n) {
        struct spawned off = predict("out-of-order-3", sets[n], "off", "off.json");
        assert_status(&off, EXIT_SOUND);
        for (unsigned drives = 0; drives < 2; ++drives) {
            struct spawned on = predict("out-of-order-3", sets[n],
                                        drives ? "issue_select=drive" : "issue_select=check", "on.json");
            assert_status(&on, EXIT_SOUND);
            assert_same("off.json", "on.json", "totals");
            assert_same("off.json", "on.json", "counters");
            json_t *stats = fixture_statistics("on.json");
            const json_t *block = block_in(stats, "issue_select");
            assert_true(fixture_number(block, "comparisons") > 10000);
            assert_int_equal(fixture_number(block, "mismatches"), 0);
            json_decref(stats);
            spawn_free(&on);
        }
        spawn_free(&off);
    }
}

/* Verilog that chooses one instruction a cycle takes longer, and what comes out is right; as our own it
 * differs. One that chooses the youngest breaks no rule; one whose loads do not wait does. */
static void another_selection_drives_the_cores(void **state) {
    (void)state;
    struct spawned own = predict("out-of-order-3", "core.window=16", "off", "own.json"),
                   text = LOCKSTEP("rtl-template", "issue_select");
    assert_status(&own, EXIT_SOUND);
    write_file("one.sv", text.out);
    struct spawned one =
                       predict("out-of-order-3", "core.window=16", "issue_select=replace:one.sv", "one.json"),
                   checked =
                       predict("out-of-order-3", "core.window=16", "issue_select=check:one.sv", "s.json");
    assert_status(&one, EXIT_SOUND);
    assert_true(fixture_cycles("one.json") > fixture_cycles("own.json"));
    assert_status(&checked, EXIT_TWINS_DISAGREE);
    assert_says(checked.err, "unit_o");
    assert_says(checked.err, "core ");

    char *path = rtl_text_changed("issue_select", "can_upper != '0 ? can_upper", "1'b0 ? can_upper"),
         *replace = spawn_text("issue_select=replace:%s", path);
    struct spawned any = predict("out-of-order-3", "core.window=16", replace, "any.json");
    assert_status(&any, EXIT_SOUND);
    free(path);
    free(replace);
    path = rtl_text_changed("issue_select", "(load_i & ~behind)", "load_i");
    replace = spawn_text("issue_select=replace:%s,-Wno-UNUSED", path);
    struct spawned wrong = predict("out-of-order-3", "core.window=16", replace, "s.json");
    assert_status(&wrong, EXIT_TWINS_DISAGREE);
    assert_says(wrong.err, "no_load_goes_before_an_unknown_store");
    spawn_free(&own);
    spawn_free(&text);
    spawn_free(&one);
    spawn_free(&checked);
    spawn_free(&any);
    spawn_free(&wrong);
    free(path);
    free(replace);
}

/* Returns the sum of a counter of all cores' load-store queues. */
static json_int_t queue_counter(const json_t *stats, const char *name) {
    json_int_t sum = 0;
    size_t n;
    const json_t *counter;
    json_array_foreach(json_object_get(stats, "counters"), n, counter) {
        const char *scope = json_string_value(json_object_get(counter, "scope"));
        if (strstr(scope, ".lsq") && strcmp(json_string_value(json_object_get(counter, "name")), name) == 0)
            sum += fixture_number(counter, "value");
    }
    return sum;
}

/* Each load that searches is compared, and each cycle in which the queue changes; the cores are as without
 * Verilog. Loads of this program get data from stores. */
static void loads_do_as_their_queue_says(void **state) {
    (void)state;
    static const char *const sets[] = {"core.lsq=32", "core.lsq=3"};
    static const char *const rtls[] = {"load_store_queue=check", "load_store_queue=drive,issue_select=check"};
    for (unsigned n = 0; n < sizeof sets / sizeof *sets; ++n) {
        struct spawned off = benchmark("lud", "out-of-order-3", sets[n], "off", "off.json");
        assert_status(&off, EXIT_SOUND);
        for (unsigned k = 0; k < sizeof rtls / sizeof *rtls; ++k) {
            struct spawned on = benchmark("lud", "out-of-order-3", sets[n], rtls[k], "on.json");
            assert_status(&on, EXIT_SOUND);
            assert_same("off.json", "on.json", "totals");
            assert_same("off.json", "on.json", "counters");
            json_t *stats = fixture_statistics("on.json");
            const json_t *block = block_in(stats, "load_store_queue");
            assert_true(fixture_number(block, "comparisons") > 100000);
            assert_int_equal(fixture_number(block, "mismatches"), 0);
            assert_true(queue_counter(stats, "forwarded") > 500);
            json_decref(stats);
            spawn_free(&on);
        }
        spawn_free(&off);
    }
}

/* Verilog that never forwards takes longer, and what comes out is right; as our own it differs. One whose
 * loads do not see older stores breaks a rule. */
static void another_queue_drives_the_loads(void **state) {
    (void)state;
    struct spawned own = benchmark("lud", "out-of-order-3", "core.lsq=16", "off", "own.json"),
                   text = LOCKSTEP("rtl-template", "load_store_queue");
    assert_status(&own, EXIT_SOUND);
    write_file("queue.sv", text.out);
    struct spawned slow = benchmark("lud", "out-of-order-3", "core.lsq=16",
                                    "load_store_queue=replace:queue.sv", "slow.json"),
                   checked = benchmark("lud", "out-of-order-3", "core.lsq=16",
                                       "load_store_queue=check:queue.sv", "s.json");
    assert_status(&slow, EXIT_SOUND);
    assert_true(fixture_cycles("slow.json") > fixture_cycles("own.json"));
    assert_status(&checked, EXIT_TWINS_DISAGREE);
    assert_says(checked.err, "wait_o");
    assert_says(checked.err, "core ");
    char *path = rtl_text_changed("load_store_queue", "overlapping[s] = older[s]", "overlapping[s] = 1'b0"),
         *replace = spawn_text("load_store_queue=replace:%s", path);
    struct spawned blind = benchmark("lud", "out-of-order-3", "core.lsq=16", replace, "s.json");
    assert_status(&blind, EXIT_TWINS_DISAGREE);
    assert_says(blind.err, "no_load_gets_older_data");
    spawn_free(&own);
    spawn_free(&text);
    spawn_free(&slow);
    spawn_free(&checked);
    spawn_free(&blind);
    free(path);
    free(replace);
}

static void machines_without_these_blocks(void **state) {
    (void)state;
    struct spawned single = run_with("branch_predictor=check", "odd_groups", "s.json"),
                   no_table = predict("in-order-2", "core.btb=0", "branch_predictor=check", "s.json");
    assert_status(&single, EXIT_USER);
    assert_says(single.err, "branch_predictor is in machines with core.kind in_order or out_of_order only");
    struct spawned in_order = predict("in-order-2", "core.btb=16", "issue_select=check", "s.json");
    assert_status(&in_order, EXIT_USER);
    assert_says(in_order.err, "issue_select is in machines with core.kind out_of_order only");
    struct spawned no_queue = predict("in-order-2", "core.btb=16", "load_store_queue=check", "s.json");
    assert_status(&no_queue, EXIT_USER);
    assert_says(no_queue.err, "load_store_queue is in machines with core.kind out_of_order only");
    spawn_free(&in_order);
    spawn_free(&no_queue);
    assert_status(&no_table, EXIT_USER);
    assert_says(no_table.err, "branch_predictor is in machines with core.btb of at least 1 only");
    spawn_free(&single);
    spawn_free(&no_table);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(verilog_changes_nothing),
                                       TEST(differences_are_seen),
                                       TEST(another_order_drives_the_machine),
                                       TEST(what_is_never_asked),
                                       TEST(cores_fetch_as_their_predictor_says),
                                       TEST(another_predictor_drives_the_fetch),
                                       TEST(cores_issue_as_their_selection_says),
                                       TEST(another_selection_drives_the_cores),
                                       TEST(loads_do_as_their_queue_says),
                                       TEST(another_queue_drives_the_loads),
                                       TEST(machines_without_these_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
