/* `lockstep rtl-test`: designs that pass every program fail with random inputs, and the reported failure is
 * small; sound ones pass. */
#include "sim/error.h"
#include "tb/stimulus/random_lockstep.h"
#include "tb/stimulus/blocks.h"
#include "tests/tb/rtl_text.h"

#include <unistd.h>

/* Writes the template of a slot, with `from` replaced, to a file of the folder. */
static void write_template(const char *block, const char *file, const char *from, const char *to) {
    struct spawned s = LOCKSTEP("rtl-template", (char *)block);
    assert_status(&s, EXIT_SOUND);
    char *text = strdup(s.out);
    if (from) text = rtl_text_change(text, from, to);
    write_file(file, text);
    free(text);
    spawn_free(&s);
}

/* Returns the number, which may contain commas, after a text. */
static unsigned long number_after(const char *text, const char *after) {
    const char *at = strstr(text, after);
    unsigned long n = 0;
    if (!at) fail_msg("'%s' is not in: %s", after, text);
    for (at += strlen(after); (*at >= '0' && *at <= '9') || *at == ','; ++at)
        if (*at != ',') n = 10 * n + (unsigned long)(*at - '0');
    return n;
}

static struct spawned test_block(const char *words) {
    return LOCKSTEP("rtl-test", (char *)words, "--sizes", "base");
}

/* Checks that the design fails within 100 cycles and that the report is shorter than the original failure. */
static void assert_found(const char *words, const char *what) {
    struct spawned s = test_block(words), again = test_block(words);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, what);
    assert_says(s.err, words); /* the command that repeats it */
    assert_true(number_after(s.err, "SCALAR=0, cycle ") < 100);
    const unsigned long left = number_after(s.err, "reduced    to ");
    assert_true(left <= 3 || left * 4 < number_after(s.err, "not 0, from "));
    assert_true(number_after(s.err, " cycles with ") * 2 < number_after(strstr(s.err, "from "), " with "));
    assert_true(number_after(s.err, " in cycle ") == left - 1);
    assert_readable("mismatch.fst");
    assert_exists("mismatch.gtkw", true);
    assert_string_equal(strstr(s.err, "reduced"), strstr(again.err, "reduced"));
    spawn_free(&s);
    spawn_free(&again);
}

static void a_barrier_that_opens_one_arrival_early_is_found(void **state) {
    (void)state;
    write_template("barrier_table", "early.sv", "none_runs  = running_d == '0",
                   "none_runs  = running_d <= 1");
    assert_found("barrier_table=replace:early.sv", "never_opens_early");
    struct spawned s = test_block("barrier_table=replace:early.sv");
    assert_says(s.err, "\n  counted    2 live threads, of which 1 wait\n");
    assert_says(s.err, "\n    cycle 0: start_i=1 start_live_i=2\n    cycle 1: arrive_count_i=1\n");
    spawn_free(&s);
    assert_found("barrier_table=check:early.sv", "opens_o is 0x0 in the C model, 0x1 in the Verilog");
}

static void an_exit_that_is_lost_beside_an_arrival_is_found(void **state) {
    (void)state;
    write_template("barrier_table", "lost.sv",
                   "running_d = running_q - LIVE_BITS'(arrive_count_i) - LIVE_BITS'(exit_count_i);",
                   "running_d = running_q - (arrive_count_i != '0 ? LIVE_BITS'(arrive_count_i) : "
                   "LIVE_BITS'(exit_count_i));");
    assert_found("barrier_table=replace:lost.sv", "the Verilog of barrier_table breaks the slot's contract");
    assert_found("barrier_table=check:lost.sv", "barrier_table and its Verilog disagree");
}

/* Templates, an example and our own. */
static void sound_designs_pass(void **state) {
    (void)state;
    static const char *const slots[] = {"warp_scheduler", "warp_pc_arbiter", "barrier_table"};
    for (unsigned n = 0; n < 3; ++n) {
        char *file = spawn_text("%s.sv", slots[n]),
             *words = spawn_text("%s=replace:%s.sv", slots[n], slots[n]);
        write_template(slots[n], file, NULL, NULL);
        struct spawned s = test_block(words);
        assert_status(&s, EXIT_SOUND);
        assert_says(s.out, "100,000 cycles, within its contract\n\n  corner ");
        spawn_free(&s);
        free(file);
        free(words);
    }
    struct spawned s = LOCKSTEP("rtl-test", "min_pc_arbiter=check", "--cycles", "5000", "--sizes",
                                "WARP_SIZE=4,LEVELS=1", "--sizes", "WARP_SIZE=64");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "min_pc_arbiter: WARP_SIZE=4 LEVELS=1: 5,000 cycles, no difference\n"
                       "min_pc_arbiter: WARP_SIZE=64 LEVELS=8: 5,000 cycles, no difference\n");
    spawn_free(&s);
}

/* Without --sizes, the base machine's size is first. A fault of high warps is found at that size only. */
static void every_size_is_tested(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("rtl-test", "scalar_scheduler=check", "--cycles", "1000");
    assert_status(&s, EXIT_SOUND);
    assert_true(strncmp(s.out,
                        "scalar_scheduler: THREADS=3 DIVISOR=1: 1,000 cycles, no difference\n"
                        "scalar_scheduler: THREADS=1 DIVISOR=2: 200 cycles, no difference\n"
                        "scalar_scheduler: THREADS=64 DIVISOR=8: 200 cycles, no difference\n"
                        "scalar_scheduler: THREADS=5 DIVISOR=4: 200 cycles, no difference\n"
                        "scalar_scheduler: THREADS=4 DIVISOR=2: 200 cycles, no difference\n"
                        "scalar_scheduler: THREADS=16 DIVISOR=1: 200 cycles, no difference\n\n",
                        400) == 0 ||
                strstr(s.out, "THREADS=16 DIVISOR=1: 200 cycles, no difference\n\n"));
    assert_true(strncmp(s.out, "scalar_scheduler: THREADS=3 ", 28) == 0);
    spawn_free(&s);
    char *text =
        rtl_text_change(rtl_text("warp_scheduler"), "after = ready_i & ~((",
                        "after = (WARPS > 32 ? ready_i & ~(WARPS'(1) << 40 % WARPS) : ready_i) & ~((");
    write_file("high.sv", text);
    free(text);
    s = test_block("warp_scheduler=check:high.sv");
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "warp_scheduler=check:high.sv");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.out, "warp_scheduler: WARPS=16: 100,000 cycles, no difference\n");
    assert_says(s.err, "random inputs of seed 1, WARPS=64, cycle ");
    spawn_free(&s);
}

/* Corners reached by the inputs are counted. A corner that was not reached is listed, unless no size
 * has it. */
static void corners_are_counted(void **state) {
    (void)state;
    struct spawned s = test_block("barrier_table=check");
    assert_status(&s, EXIT_SOUND);
    assert_true(number_after(s.out, "the last exit in the cycle of an arrival, which opens the barrier ") ==
                0);
    const char *row = strstr(s.out, "the last exit in the cycle of an arrival");
    assert_non_null(row);
    assert_true(strtoul(row + strcspn(row, "0123456789"), NULL, 10) > 0);
    row = strstr(s.out, "a scalar thread arrives last");
    assert_non_null(row);
    assert_true(strchr(row, '-') && strchr(row, '-') < strchr(row, '\n'));
    assert_null(strstr(s.out, "never"));
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "barrier_table=check", "--sizes", "base", "--cycles", "2");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, " never\n");
    assert_says(s.out, "\nnever reached: ");
    spawn_free(&s);
}

/* A design for one size is tested at that one, and the report lists the others. */
static void a_size_that_a_design_has_not_is_told(void **state) {
    (void)state;
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "parameter  logic [31:0] WARPS     = 16,",
                                 "localparam int WARPS = 16,");
    write_file("fixed.sv", text);
    free(text);
    struct spawned s = LOCKSTEP("rtl-test", "warp_scheduler=check:fixed.sv", "--cycles", "1000");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "warp_scheduler: WARPS=16: 1,000 cycles, no difference\n"
                       "warp_scheduler: WARPS=1: not run: ");
    assert_says(s.out, "\nwarp_scheduler: WARPS=128: not run: ");
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "warp_scheduler=check:fixed.sv", "--sizes", "WARPS=5");
    assert_status(&s, EXIT_USER);
    spawn_free(&s);
}

/* Lines and toggles of all sizes together; the source with counts. */
static void coverage_is_printed(void **state) {
    (void)state;
    char *text = rtl_text_change(
        rtl_text("scalar_scheduler"), "endmodule",
        "  logic [15:0] never_q; // begins with any value: the reset toggles about half of the bits\n"
        "  always_ff @(posedge clk_i or negedge rst_ni)\n"
        "    if (!rst_ni) never_q <= '0;\n    else if (&thread_o) never_q <= '1;\n"
        "endmodule");
    write_file("covered.sv", text);
    free(text);
    struct spawned s = LOCKSTEP("rtl-test", "scalar_scheduler=check:covered.sv,scalar_scheduler", "--sizes",
                                "DIVISOR=8", "--cycles", "2000", "--annotate", "lines");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "\n  coverage ");
    assert_says(s.out, "\n  covered.sv ");
    assert_says(s.out, "never_q, ");
    assert_says(s.out, " bits of 16\n");
    char *path = fixture_path("lines/covered.sv"), *annotated = spawn_read(path);
    assert_non_null(annotated);
    assert_says(annotated, "           0! ");
    assert_says(annotated, "module scalar_scheduler");
    free(annotated);
    free(path);
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "scalar_scheduler=check:covered.sv,scalar_scheduler", "--sizes", "DIVISOR=8",
                 "--cycles", "2000", "--coverage");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "\n  coverage ");
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "scalar_scheduler=check", "--sizes", "base", "--cycles", "5000", "--annotate",
                 "covered.sv/x");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--annotate covered.sv/x: the folder cannot be made");
    spawn_free(&s);
}

/* A policy's own module needs no name after its file. */
static void the_module_of_a_policy_is_found(void **state) {
    (void)state;
    char *words = spawn_text("min_pc_arbiter=check:%s/rtl/min_pc_arbiter.sv", spawn_source());
    struct spawned s = test_block(words);
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "min_pc_arbiter: WARP_SIZE=32 LEVELS=8: 100,000 cycles, no difference");
    spawn_free(&s);
    free(words);
}

/* Grants may be withheld, but not for ever, and a warp that stays ready is granted. */
static void a_scheduler_has_its_time(void **state) {
    (void)state;
    static const struct {
        const char *grants, *rule;
    } designs[] = {
        {"late_q[0] ? '0 : from & (~from + WARPS'(1))", NULL},
        {"&late_q ? from & (~from + WARPS'(1)) : '0",
         "a_grant_comes_in_time: no warp is granted in 4,096 cycles"},
        {"ready_i & (~ready_i + WARPS'(1))", "a_ready_warp_gets_its_turn: a warp stays in ready_i"},
        {"ready_i & ~(WARPS'(1) << 3) & (~(ready_i & ~(WARPS'(1) << 3)) + WARPS'(1))",
         "a_ready_warp_gets_its_turn: a warp stays in ready_i"},
    };
    for (unsigned n = 0; n < sizeof designs / sizeof designs[0]; ++n) {
        char *grant = spawn_text("take_i ? %s : '0;", designs[n].grants);
        write_template("warp_scheduler", "time.sv", "take_i ? from & (~from + WARPS'(1)) : '0;", grant);
        char *path = fixture_path("time.sv"), *text = spawn_read(path);
        text = rtl_text_change(text, "\nendmodule",
                               "\n  logic [12:0] late_q;\n  always_ff @(posedge clk_i or negedge rst_ni)\n"
                               "    if (!rst_ni) late_q <= '0; else late_q <= late_q + 13'd1;\nendmodule");
        write_file("time.sv", text);
        struct spawned s = test_block("warp_scheduler=replace:time.sv");
        assert_status(&s, designs[n].rule ? EXIT_TWINS_DISAGREE : EXIT_SOUND);
        if (designs[n].rule) assert_says(s.err, designs[n].rule);
        spawn_free(&s);
        free(text);
        free(path);
        free(grant);
    }
}

/* Outputs that are due in the cycle of their inputs, a cycle late. */
static void late_answers_are_found(void **state) {
    (void)state;
    static const struct {
        const char *block, *output, *type, *says;
    } late[] = {
        {"barrier_table", "release_o", "logic [GROUPS-1:0]", "released_in_the_cycle_after"},
        {"coalescer", "valid_o", "logic", "valid_o is 0x"},
        {"scoreboard", "clear_o", "logic [WARPS-1:0]", "clear_o"},
    };
    for (unsigned n = 0; n < sizeof late / sizeof late[0]; ++n) {
        /* An internal signal has the output's name, and a register follows it. */
        char *inside = spawn_text("  %s early;\n", late[n].type);
        char *own = rtl_text(late[n].block), *head = strstr(own, "\n);\n");
        char *text = spawn_text("%.*s\n);\n%s  always_ff @(posedge clk_i) %s <= early;\n", (int)(head - own),
                                own, inside, late[n].output);
        for (const char *at = head + 4, *found; *at; at = found) {
            found = strstr(at, late[n].output);
            char *more = spawn_text("%s%.*s%s", text, (int)(found ? found - at : (long)strlen(at)), at,
                                    found ? "early" : "");
            free(text);
            text = more;
            if (!found) break;
            found += strlen(late[n].output);
        }
        write_file("late.sv", text);
        char *words = spawn_text("%s=replace:late.sv,%s", late[n].block, late[n].block);
        struct spawned s = test_block(words);
        assert_status(&s, EXIT_TWINS_DISAGREE);
        assert_says(s.err, late[n].says);
        spawn_free(&s);
        free(words);
        free(inside);
        free(text);
        free(own);
    }
}

/* The block is as large as in the machine, but for --sizes. */
static void sizes_are_those_of_the_configuration(void **state) {
    (void)state;
    struct spawned s =
        LOCKSTEP("rtl-test", "subwarp_dispatcher=check", "--cycles", "5000", "--set", "simt.warp_size=16",
                 "--set", "cluster.threads_per_lane=16", "--sizes", "LANES=8");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "subwarp_dispatcher: WARPS=4 WARP_SIZE=16 LANES=8: 5,000 cycles, no difference\n");
    spawn_free(&s);
    char *config = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    s = LOCKSTEP("rtl-test", "dram_scheduler=check", "--cycles", "5000", "--config", config, "--set",
                 "dram.banks=4");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, " BANKS=4 POLICY=1 QUEUE=16: 5,000 cycles, no difference");
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "barrier_table=check", "--cycles", "5000", "--config", config);
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "barrier_table: WARPS=32 WARP_SIZE=32 GROUPS=8 SCALAR=0: 5,000 cycles, no difference");
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "thread_descriptor_table=check", "--config", config);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "thread_descriptor_table is in machines with contexts tpm only");
    spawn_free(&s);
    free(config);
}

/* Another policy is within the contract, and not the model. */
static void another_policy_is_a_difference_in_check(void **state) {
    (void)state;
    char *file = spawn_text("%s/rtl/examples/round_robin_arbiter.sv,round_robin_arbiter", spawn_source());
    char *replace = spawn_text("warp_pc_arbiter=replace:%s", file);
    char *check = spawn_text("warp_pc_arbiter=check:%s", file);
    struct spawned s = test_block(replace);
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    s = test_block(check);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "warp_pc_arbiter and its Verilog disagree in cycle ");
    assert_true(number_after(s.err, "reduced    to ") <= 2);
    spawn_free(&s);
    free(file);
    free(replace);
    free(check);
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const struct {
        const char *words[4], *says;
    } mistakes[] = {
        {{"arbiter=check"}, "no block is called 'arbiter': there are bank_conflict_resolver"},
        {{"warp_scheduler"}, "how? warp_scheduler=check, or warp_scheduler=replace:FILE.sv"},
        {{"warp_scheduler=replace"}, "replace is for Verilog of your own"},
        {{"warp_scheduler=drive:x.sv"}, "a block alone drives nothing: check or replace"},
        {{"warp_scheduler=check", "--cycles", "0"}, "--cycles 0: a number is needed"},
        {{"warp_scheduler=check", "--sizes", "LANES=4"},
         "warp_scheduler has no parameter LANES: it has WARPS"},
        {{"warp_scheduler=check", "--set", "simt.warps=3"}, "simt.warps"},
        {{"warp_scheduler=check", "--config", "none.yaml"}, "none.yaml"},
        {{"warp_scheduler=check", "--sizes", "WARPS"}, "'WARPS' is not NAME=VALUE"},
        {{"warp_scheduler=check", "--sizes", "WARPS=129"}, "ready_i has 129 bits; 128 is the limit"},
        {{"min_pc_arbiter=check", "--sizes", "WARP_SIZE=2"}, "WARP_SIZE must be 4 to 64"},
        {{"barrier_table=replace:b.sv", "--sizes", "GROUPS=8"}, "speaks of one work-group"},
        {{"barrier_table=check:none.sv"}, "none.sv: the Verilog cannot be read"},
        {{"barrier_table=check:b.sv", "--window", "b.txt"}, "must end in .fst"},
    };
    write_template("barrier_table", "b.sv", NULL, NULL);
    for (unsigned n = 0; n < sizeof mistakes / sizeof mistakes[0]; ++n) {
        char *const *w = (char *const *)mistakes[n].words;
        struct spawned s = LOCKSTEP("rtl-test", w[0], w[1], w[2]);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, mistakes[n].says);
        spawn_free(&s);
    }
}

/* A design that ends the simulation is reported in the same way. */
static void a_design_that_stops_is_reported(void **state) {
    (void)state;
    write_template("warp_scheduler", "stops.sv", "endmodule",
                   "  always_comb if (ready_i[3]) $fatal(1, \"three\");\nendmodule");
    struct spawned s = test_block("warp_scheduler=replace:stops.sv");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "the Verilog of warp_scheduler stopped in cycle 0: ");
    assert_says(s.err, "three");
    assert_says(s.err, "reduced    to 1 cycles with 1 values");
    assert_says(s.err, "\n    cycle 0: ready_i=");
    spawn_free(&s);
}

/* Inputs depend only on the seed, so that a failure can be repeated and reduced. */
static void equal_seeds_are_equal_inputs(void **state) {
    (void)state;
    static struct random_lockstep r;
    struct rtl_size size;
    char *path = spawn_text("%s/rtl/sizes", spawn_source());
    assert_true(rtl_sizes_first(&size, path));
    free(path);
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n) {
        const struct stimulus_block *b = stimulus_blocks[n];
        char *file = spawn_text("%s/rtl/%s.sv", spawn_source(), b->name);
        struct error e = {0};
        r = (struct random_lockstep){.block = b, .seed = 1, .initial = 1};
        assert_true(rtl_size_read(&r.size, size.text));
        if (!twin_init(&r.twin, stimulus_row(b), file, r.size.setting, r.size.count, &e))
            fail_msg("%s", e.message);
        const uint64_t first = random_lockstep_digest(&r, 20000);
        r.seed = 2;
        const uint64_t other = random_lockstep_digest(&r, 777);
        r.seed = 1;
        if (first != random_lockstep_digest(&r, 20000)) fail_msg("%s", b->name);
        assert_true(first != other);
        random_lockstep_close(&r);
        free(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_barrier_that_opens_one_arrival_early_is_found),
        TEST(an_exit_that_is_lost_beside_an_arrival_is_found),
        TEST(sound_designs_pass),
        TEST(every_size_is_tested),
        TEST(corners_are_counted),
        TEST(a_size_that_a_design_has_not_is_told),
        TEST(coverage_is_printed),
        TEST(the_module_of_a_policy_is_found),
        TEST(a_scheduler_has_its_time),
        TEST(late_answers_are_found),
        TEST(sizes_are_those_of_the_configuration),
        TEST(another_policy_is_a_difference_in_check),
        TEST(mistakes_are_named),
        TEST(a_design_that_stops_is_reported),
        TEST(equal_seeds_are_equal_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
