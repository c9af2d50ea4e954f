/* Insides of a user's design, in the waves of a run and in the window of a mismatch. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

static const char types[] =
    "package mine;\n"
    "  typedef enum logic [1:0] {IDLE = 1, TURN = 2} state_t;\n"
    "  typedef struct packed {logic seen; state_t state; logic [3:0] last;} record_t;\n"
    "endpackage\n"
    "module helper (input logic clk_i, input logic a_i, output logic b_o);\n"
    "  logic [3:0] count_q;\n"
    "  always_ff @(posedge clk_i) count_q <= count_q + 4'(a_i);\n"
    "  assign b_o = count_q[3];\n"
    "endmodule\n";
static const char insides[] = "  mine::record_t hist_q;\n"
                              "  logic [31:0] small_q [0:7], large_q [0:1023];\n"
                              "  logic [99:0] wide_q;\n"
                              "  logic [1:0] any;\n"
                              "  for (genvar g = 0; g < 2; g++) begin : part\n"
                              "    helper u_help (.clk_i, .a_i(take_i), .b_o(any[g]));\n"
                              "  end\n"
                              "  always_ff @(posedge clk_i) begin\n"
                              "    if (!rst_ni) begin\n"
                              "      hist_q <= '{seen: 0, state: mine::IDLE, last: 0};\n"
                              "      wide_q <= '0;\n"
                              "    end else if (valid_o) begin\n"
                              "      hist_q <= '{seen: 1, state: mine::TURN, last: 4'(warp_o)};\n"
                              "      small_q[3'(warp_o)] <= 32'hbeef;\n"
                              "      large_q[10'(warp_o)] <= 32'(any);\n"
                              "      wide_q <= {wide_q[98:0], 1'b1 ^ large_q[4][0]};\n"
                              "    end\n"
                              "  end\n"
                              "endmodule\n";

/* An item of --rtl, and the options of Verilator that its design needs. */
#define QUIET(item) (item ",-Wno-UNUSED,-Wno-LATCH")

/* Writes a scheduler with insides. With `wrong`, it loses the granted warp after a grant of warp 9 or 3. */
static void write_design(bool wrong) {
    char *text = rtl_text("warp_scheduler");
    if (wrong)
        text = rtl_text_change(text, "assign last_d = valid_o",
                               "assign last_d = hist_q.last == 3 ? '0 : valid_o");
    text = rtl_text_change(text, "endmodule\n", insides);
    char *all = spawn_text("%s%s", types, text);
    write_file("mine.sv", all);
    free(text);
    free(all);
}

/* Returns a waveform of the folder as VCD. */
static char *waves_of(const char *name) {
    char *path = fixture_path(name);
    struct spawned s = spawn("/tmp", (char *[]){"fst2vcd", "-f", path, NULL});
    assert_int_equal(s.status, 0);
    char *text = strdup(s.out);
    spawn_free(&s);
    free(path);
    return text;
}

static char *view_of(const char *name) {
    char *path = fixture_path(name), *view = spawn_read(path);
    assert_non_null(view);
    free(path);
    return view;
}

static void assert_silent(const char *text, const char *part) {
    if (strstr(text, part)) fail_msg("'%s' is in: %s", part, text);
}

static void assert_insides(const char *vcd, const char *view) {
    assert_says(vcd, "$scope module hist_q $end");
    assert_says(vcd, " small_q_7 $end");
    assert_says(vcd, "$scope module part_1 $end");
    assert_says(vcd, " count_q $end");
    assert_silent(vcd, "large_q"); /* has more rows than are shown */
    assert_silent(vcd, "clk_i");
    assert_says(view, "@100000028\nrtl.warp_scheduler.hist_q.state[1:0]\n");
    assert_says(view, "rtl.warp_scheduler.wide_q[99:0]\n");
    assert_silent(view, "small_q"); /* there may be many rows */
}

static void a_run_traces_what_is_inside(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    write_design(false);
    struct spawned s = LOCKSTEP("run", "--rtl", QUIET("check,warp_scheduler=replace:mine.sv"), "--trace",
                                "t.fst", "--trace-cycles", "0:20000", "--", program);
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    char *vcd = waves_of("t.fst"), *view = view_of("t.gtkw");
    assert_insides(vcd, view);
    assert_says(vcd, "b00000000000000001011111011101111 "); /* beef, in a row */
    assert_silent(vcd, "$scope module rtl0 $end");
    free(vcd);
    free(view);
    s = LOCKSTEP("run", "--rtl", QUIET("warp_scheduler=check:mine.sv"), "--trace", "t.vcd", "--trace-cycles",
                 "0:2000", "--set", "cluster.count=2", "--", program);
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    view = view_of("t.gtkw");
    assert_says(view, "rtl1.warp_scheduler.hist_q.last[3:0]\n");
    free(view);
    free(program);
}

/* The cycles before the difference, from reset on, are repeated: the window contains the insides. */
static void a_window_has_what_was_inside(void **state) {
    (void)state;
    write_design(true);
    struct spawned s = LOCKSTEP("rtl-test", QUIET("warp_scheduler=check:mine.sv"));
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "last_q is 0x");
    assert_silent(s.err, "what is inside");
    spawn_free(&s);
    char *vcd = waves_of("mismatch.fst"), *view = view_of("mismatch.gtkw");
    assert_insides(vcd, view);
    assert_says(vcd, "b0011 "); /* hist_q.last, in the last cycle */
    assert_says(view, "@800200\n-differs\n[color] 1\n@22\nmodel.warp_scheduler.last_q[3:0]\n[color] 1\n@22\n"
                      "rtl.warp_scheduler.last_q[3:0]\n[color] 1\n@22\ndiff.warp_scheduler.last_q[3:0]\n");
    assert_says(view, "inputs.warp_scheduler.ready_i[15:0]\n");
    assert_silent(view, "model.warp_scheduler.ready_i");
    assert_silent(view, "rtl.warp_scheduler.ready_i");
    free(vcd);
    free(view);
    char *program = fixture_host("vector_add");
    s = LOCKSTEP("run", "--rtl", QUIET("warp_scheduler=check:mine.sv"), "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    spawn_free(&s);
    vcd = waves_of("mismatch.fst");
    view = view_of("mismatch.gtkw");
    assert_insides(vcd, view);
    free(vcd);
    free(view);
    free(program);
}

/* A design that would write its own waves does not; the comparison is unaffected. */
static void dumps_of_the_design_do_nothing(void **state) {
    (void)state;
    char *text =
        rtl_text_change(rtl_text("warp_scheduler"), "endmodule\n",
                        "  initial begin $dumpfile(\"own.vcd\"); $dumpvars(0, warp_scheduler); end\n"
                        "  always_comb if (valid_o) begin $dumpoff; $dumpon; $dumpall; $dumpflush; end\n"
                        "endmodule\n");
    write_file("dumps.sv", text);
    free(text);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* Verilator frees no $dumpfile */
    struct spawned s = LOCKSTEP("rtl-test", "warp_scheduler=check:dumps.sv", "--cycles", "1000");
    assert_status(&s, EXIT_SOUND);
    unsetenv("ASAN_OPTIONS");
    assert_exists("own.vcd", false);
    spawn_free(&s);
}

/* State of C functions is not saved, so that the cycles cannot be repeated; the report mentions this. */
static void what_cannot_be_repeated_is_left_out(void **state) {
    (void)state;
    write_file("c.c", "int count(int a) { static int n; n += a; return n; }\n");
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "assign valid_o = ",
                                 "import \"DPI-C\" function int count(input int a);\n"
                                 "  assign valid_o = count(32'(take_i)) == 20 ^ ");
    write_file("dpi.sv", text);
    free(text);
    struct spawned s = LOCKSTEP("rtl-test", "warp_scheduler=check:dpi.sv,c.c");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err,
                "but does not fail with the same inputs again. It has state that a reset does not set");
    spawn_free(&s);
    s = run_with("warp_scheduler=check:dpi.sv,c.c", "vector_add", "s.json");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "; what is inside the design is not in it: its last cycles cannot be repeated\n");
    spawn_free(&s);
}

/* A memory of 257 rows is not traced, which the report and a mismatch mention; one of 256 rows is. */
static void a_memory_that_is_too_large_is_named(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *memories =
        rtl_text_change(rtl_text("warp_scheduler"), "\nendmodule",
                        "\n  logic [3:0] large_q [0:256], small_q [0:255];\n  logic [7:0] at_q;\n"
                        "  always_ff @(posedge clk_i) begin\n    at_q <= at_q + 8'd1;\n    large_q[{1'b0, "
                        "at_q}] <= {3'b0, take_i};\n"
                        "    small_q[at_q] <= large_q[{1'b0, ~at_q}];\n"
                        "    if (small_q[~at_q] == 4'd9) $display(\"never\");\n  end\nendmodule");
    write_file("memories.sv", memories);
    struct spawned s = LOCKSTEP("run", "--rtl", "warp_scheduler=check:memories.sv", "--trace", "t.fst",
                                "--trace-cycles", "0:9999", "--", program);
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err,
                "\n    not in the waveform, which has at most 256 rows of a memory: large_q (257 rows)\n");
    spawn_free(&s);
    s = LOCKSTEP("run", "--rtl", "warp_scheduler=check:memories.sv", "--", program);
    assert_null(strstr(s.err, "not in the waveform"));
    spawn_free(&s);
    char *vcd = waves_of("t.fst");
    assert_says(vcd, " small_q_255 $end");
    assert_null(strstr(vcd, "large_q"));
    free(vcd);
    memories = rtl_text_change(memories, "assign valid_o = ", "assign valid_o = large_q[3] == 4'd1 ^ ");
    write_file("memories.sv", memories);
    s = LOCKSTEP("run", "--rtl", "warp_scheduler=check:memories.sv", "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "; not in it, since it has at most 256 rows of a memory: large_q (257 rows)\n");
    spawn_free(&s);
    free(memories);
    free(program);
}

/* The differing row is shown when it is written, on both sides. */
static void the_row_that_differs_is_shown(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *changed = rtl_text_changed("thread_descriptor_table",
                                     "next_pc_q[execute_warp_i]      <= targets(pc_q[execute_warp_i]);",
                                     "next_pc_q[execute_warp_i] <= targets(pc_q[execute_warp_i]) ^ 1;");
    char *check = spawn_text("thread_descriptor_table=check:%s", changed);
    struct spawned s = LOCKSTEP("run", "--rtl", check, "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, ": next_pc_q[0][0] is 0x");
    char *vcd = waves_of("mismatch.fst"), *view = view_of("mismatch.gtkw");
    assert_says(vcd, " next_pc_q_0_31 $end");
    assert_says(vcd, " pc_q_0_31 $end");
    assert_says(
        view, "-differs\n[color] 1\n@22\nmodel.thread_descriptor_table.next_pc_q_0_0[31:0]\n[color] 1\n@22\n"
              "rtl.thread_descriptor_table.next_pc_q_0_0[31:0]\n[color] 1\n@22\n"
              "diff.thread_descriptor_table.next_pc_q_0_0[31:0]\n@1000200\n");
    assert_says(vcd, "\nb00000000000000000000000000000001 "); /* the difference */
    spawn_free(&s);
    free(vcd);
    free(view);
    free(program);
    free(changed);
    free(check);
}

static unsigned times(const char *text, const char *part) {
    unsigned count = 0;
    while ((text = strstr(text, part))) ++count, text += strlen(part);
    return count;
}

/* Escaped names of signals and instances, and rows of a memory, together with a plain name that looks the
 * same: the plain name is shown unchanged, and no two signals share a name. */
static void distinct_names_stay_distinct(void **state) {
    (void)state;
    char *text = rtl_text_change(
        rtl_text("warp_scheduler"), "\nendmodule",
        "\n  logic \\a.b , \\a:b , a_b;\n  logic [7:0] row_q [0:1], row_q_1;\n"
        "  assign \\a.b = take_i, \\a:b = !take_i, a_b = take_i ^ valid_o;\n"
        "  always_ff @(posedge clk_i) begin\n    row_q[take_i] <= 8'(warp_o);\n    row_q_1 <= row_q[1];\n  "
        "end\n"
        "  leaf \\u.leaf:1 (.clk_i, .a_i(take_i));\n  leaf u_leaf_1 (.clk_i, .a_i(rst_ni));\nendmodule\n"
        "module leaf (input logic clk_i, input logic a_i);\n"
        "  logic \\seen.so:far[0] ;\n  always_ff @(posedge clk_i) \\seen.so:far[0] <= a_i;\nendmodule");
    write_file("names.sv", text);
    free(text);
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--rtl", "warp_scheduler=check:names.sv", "--trace", "t.fst",
                                "--trace-cycles", "0:200", "--", program);
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    char *vcd = waves_of("t.fst");
    static const char *const names[] = {
        " a_b $end",     " a_b_2 $end",     " a_b_3 $end",          " row_q_0 $end",
        " row_q_1 $end", " row_q_1_2 $end", "module u_leaf_1 $end", "module u_leaf_1_2 $end"};
    for (unsigned n = 0; n < sizeof names / sizeof *names; ++n)
        if (times(vcd, names[n]) != 1)
            fail_msg("%u times in the waveform: %s", times(vcd, names[n]), names[n]);
    assert_int_equal(times(vcd, " seen_so_far_0 $end"), 2);
    free(vcd);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(distinct_names_stay_distinct),        TEST(a_run_traces_what_is_inside),
        TEST(a_window_has_what_was_inside),        TEST(dumps_of_the_design_do_nothing),
        TEST(what_cannot_be_repeated_is_left_out), TEST(a_memory_that_is_too_large_is_named),
        TEST(the_row_that_differs_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
