/* A foreign design at first contact: errors that refuse it, warnings about it, and `lockstep rtl-lint`. The
 * designs are ours, with constructs of public ones: packages, type parameters, interfaces, assertion macros
 * in an included file, generated trees, Verilog of 2001. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

#include <sys/stat.h>

#define PORTS                                                                                                \
    "input logic clk_i, input logic rst_ni, input logic [WARPS-1:0] ready_i, stalled_i, input logic "        \
    "take_i,\n"                                                                                              \
    "  output logic valid_o, output logic [WARP_BITS-1:0] warp_o, output logic [WARPS-1:0] grant_o"
#define MODULE(name)                                                                                         \
    "module " name                                                                                           \
    " #(parameter int unsigned WARPS = 16, localparam int unsigned WARP_BITS = $clog2(WARPS)) "              \
    "(\n  " PORTS ");\n"

/* --- designs that have only warnings --- */

static const char macros[] = "`ifndef CHECKS_SVH\n`define CHECKS_SVH\n"
                             "`define CHECK(name, holds) \\\n"
                             "  name: assert property (@(posedge clk_i) disable iff (!rst_ni) (holds)) \\\n"
                             "    else $error(\"%s\", `\"name`\");\n`endif\n";

/* A tree of choices, and a value that is cut. */
static const char tree[] =
    "`include \"checks/checks.svh\"\n"
    "module choice_tree #(parameter int unsigned N = 4, parameter type data_t = logic [7:0],\n"
    "    localparam int unsigned LEVELS = $clog2(N), localparam type index_t = logic [LEVELS-1:0]) (\n"
    "  input logic clk_i, rst_ni, input logic [N-1:0] req_i, input data_t [N-1:0] data_i, input logic "
    "gnt_i,\n"
    "  output logic [N-1:0] gnt_o, output index_t idx_o, output data_t data_o, output logic req_o);\n"
    "  logic [2**LEVELS-2:0] req, gnt;\n"
    "  index_t [2**LEVELS-2:0] index;\n"
    "  data_t [2**LEVELS-2:0] data;\n"
    "  index_t turn_q;\n  wire unused = ^data_i[0];\n"
    "  assign gnt[0] = gnt_i, req_o = req[0], idx_o = index[0], data_o = data[0];\n"
    "  for (genvar l = 0; unsigned'(l) < LEVELS; l++) begin : gen_level\n"
    "    for (genvar n = 0; n < 2**l; n++) begin : gen_node\n"
    "      localparam int unsigned ME = 2**l-1+n, BELOW = 2**(l+1)-1+2*n;\n      logic right;\n"
    "      if (unsigned'(l) == LEVELS-1) begin : gen_leaf\n"
    "        assign req[ME] = req_i[2*n] | req_i[2*n+1];\n"
    "        assign right = ~req_i[2*n] | req_i[2*n+1] & turn_q[LEVELS-1-l];\n"
    "        assign index[ME] = index_t'(right), data[ME] = right ? data_i[2*n+1] : data_i[2*n];\n"
    "        assign gnt_o[2*n] = gnt[ME] & req_i[2*n] & ~right, gnt_o[2*n+1] = gnt[ME] & req_i[2*n+1] & "
    "right;\n"
    "      end else begin : gen_inner\n"
    "        assign req[ME] = req[BELOW] | req[BELOW+1];\n"
    "        assign right = ~req[BELOW] | req[BELOW+1] & turn_q[LEVELS-1-l];\n"
    "        assign index[ME] = right ? index_t'({1'b1, index[BELOW+1][LEVELS-l-2:0]})\n"
    "                                 : index_t'({1'b0, index[BELOW][LEVELS-l-2:0]});\n"
    "        assign data[ME] = right ? data[BELOW+1] : data[BELOW];\n"
    "        assign gnt[BELOW] = gnt[ME] & ~right, gnt[BELOW+1] = gnt[ME] & right;\n"
    "      end\n    end\n  end\n"
    "  always_ff @(posedge clk_i or negedge rst_ni)\n"
    "    if (!rst_ni) turn_q <= '0; else if (req_o && gnt_i) turn_q <= idx_o + 1;\n"
    "  `CHECK(one_grant, $onehot0(gnt_o))\n  wire some = N;\nendmodule\n";

static const char tree_wrapper[] =
    "package wrap_pkg;\n  typedef struct packed { logic [3:0] tag; logic flag; } "
    "item_t;\nendpackage\n" MODULE(
        "tree_wrapper") "  wrap_pkg::item_t item;\n"
                        "  choice_tree #(.N(WARPS), .data_t(wrap_pkg::item_t)) i_tree (.clk_i, .rst_ni, "
                        ".req_i(ready_i),\n"
                        "    .data_i('0), .gnt_i(take_i), .gnt_o(grant_o), .idx_o(warp_o), .data_o(item), "
                        ".req_o());\n"
                        "  assign valid_o = take_i && ready_i != 0;\nendmodule\n";

/* Verilog of 2001: a time scale, registers with values, no reset but a synchronous one, widths that differ.
 */
static const char old_arbiter[] =
    "`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n"
    "module old_arbiter #(parameter PORTS = 4) (\n  input wire clk, input wire rst, input wire [PORTS-1:0] "
    "request,\n"
    "  output wire [PORTS-1:0] grant, output reg [$clog2(PORTS)-1:0] number);\n"
    "reg [PORTS-1:0] mask_reg = 0, mask_next;\nwire [PORTS-1:0] masked = request & mask_reg;\n"
    "wire [PORTS-1:0] from = masked ? masked : request;\nassign grant = from & -from;\n"
    "integer i;\nalways @* begin\n  number = 0;\n  for (i = 0; i < PORTS; i = i + 1) if (grant[i]) number = "
    "i;\n"
    "  mask_next = request ? {PORTS{1'b1}} << (number + 1) : mask_reg;\nend\n"
    "always @(posedge clk) begin\n  mask_reg <= #1 mask_next;\n  if (rst) mask_reg <= "
    "0;\nend\nendmodule\n`resetall\n";

static const char old_wrapper[] =
    MODULE("old_wrapper") "  wire [WARPS-1:0] grant;\n"
                          "  old_arbiter #(.PORTS(WARPS)) arbiter (.clk(clk_i), .rst(!rst_ni), "
                          ".request(take_i ? ready_i : '0),\n    .grant(grant), .number(warp_o));\n"
                          "  assign grant_o = grant, valid_o = |grant;\nendmodule\n";

/* An interface between two modules, a leading-one search by prefixes in one always_comb. */
static const char bus_wrapper[] =
    "interface request_if #(parameter int N = 4); logic [N-1:0] req, gnt; logic ready;\n"
    "  modport arbiter (input req, ready, output gnt);\nendinterface\n"
    "module prefix_arbiter #(parameter int N = 4) (input clk_i, input rst_ni, request_if.arbiter bus);\n"
    "  logic [N-1:0] mask, masked, all, prefix;\n"
    "  assign masked = mask & bus.req, all = |masked ? masked : bus.req;\n"
    "  always_comb begin\n    prefix[0] = all[0];\n    for (int i = 1; i < N; i++) prefix[i] = prefix[i-1] | "
    "all[i];\n"
    "    bus.gnt = bus.ready ? prefix ^ {prefix[N-2:0], 1'b0} : '0;\n  end\n"
    "  always_ff @(posedge clk_i or negedge rst_ni)\n"
    "    if (!rst_ni) mask <= '0; else if (|bus.req && bus.ready) mask <= {prefix[N-2:0], "
    "1'b0};\nendmodule\n" MODULE(
        "bus_wrapper") "  request_if #(.N(WARPS)) bus ();\n"
                       "  assign bus.req = ready_i, bus.ready = take_i, grant_o = bus.gnt, valid_o = "
                       "|grant_o;\n"
                       "  prefix_arbiter #(.N(WARPS)) i_arb (.clk_i, .rst_ni, .bus(bus));\n"
                       "  always_comb begin\n    warp_o = '0;\n    for (int i = 0; i < WARPS; i++) if "
                       "(grant_o[i]) "
                       "warp_o |= i[3:0];\n  end\nendmodule\n";

static void write_designs(void) {
    char *folder = fixture_path("checks");
    mkdir(folder, 0777);
    free(folder);
    write_file("checks/checks.svh", macros);
    write_file("choice_tree.sv", tree);
    write_file("tree_wrapper.sv", tree_wrapper);
    write_file("old_arbiter.v", old_arbiter);
    write_file("old_wrapper.sv", old_wrapper);
    write_file("bus_wrapper.sv", bus_wrapper);
}

/* With no option but their files and folders; warnings by name and place, with their meaning. */
static void foreign_designs_run(void **state) {
    (void)state;
    static const struct {
        const char *item, *says[4];
    } designs[] = {
        {"warp_scheduler=replace:tree_wrapper.sv,tree_wrapper,-I.",
         {"module tree_wrapper, has ", "\n  WIDTH: values are cut or extended",
          "/choice_tree.sv:", "\n  UNOPTFLAT: combinational logic depends on itself, or seems to"}},
        {"warp_scheduler=replace:old_wrapper.sv,old_arbiter.v,old_wrapper",
         {"module old_wrapper, has ", "\n  WIDTH: values are cut or extended",
          "/old_arbiter.v:", "\n  TIMESCALEMOD: time is counted in cycles"}},
        {"warp_scheduler=replace:bus_wrapper.sv,bus_wrapper", {NULL}},
    };
    write_designs();
    for (unsigned n = 0; n < sizeof designs / sizeof *designs; ++n) {
        /* The tree is one for powers of two. */
        struct spawned s =
            LOCKSTEP("rtl-test", "--sizes", "base", "--cycles", "5000", (char *)designs[n].item);
        assert_status(&s, EXIT_SOUND);
        for (unsigned k = 0; k < 4 && designs[n].says[k]; ++k) assert_says(s.err, designs[n].says[k]);
        spawn_free(&s);
    }
}

/* --- errors --- */

/* Writes a module with `count` undeclared names, name_000 and so on, one a line from line 6 on. */
static void write_errors(unsigned count, const char *name) {
    char *text = spawn_text("%s", "module helper (input logic a);\nendmodule\n" MODULE("mine"));
    for (unsigned n = 0; n < count; ++n) {
        char *more = spawn_text("%s  assign grant_o[%02u] = %s_%03u;\n", text, n % 16, name, n);
        free(text);
        text = more;
    }
    char *all = spawn_text("%sendmodule\n", text);
    write_file("first.sv", "package unused_pkg;\nendpackage\n");
    write_file("mine.sv", all);
    free(text);
    free(all);
}

static void an_error_names_the_top_and_is_whole(void **state) {
    (void)state;
    write_errors(30, "undeclared");
    struct spawned s = LOCKSTEP("rtl-test", "warp_scheduler=replace:first.sv,mine.sv,mine");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "lockstep: module mine: verilator refuses it, with 30 errors:\n  /");
    assert_says(s.err, "/mine.sv\n    6:24: Can't find definition of variable: 'undeclared_000'\n    7:24: ");
    assert_says(s.err, "\n    35:24: Can't find definition of variable: 'undeclared_029'");
    assert_null(strstr(s.err, "first.sv"));
    spawn_free(&s);
}

/* More errors than a message has room for: the message ends with a whole line, and rtl-lint has all. */
static void many_errors_are_all_told(void **state) {
    (void)state;
    write_errors(48,
                 "a_name_that_is_not_declared_and_of_which_the_message_has_to_tell_as_often_as_it_is_read");
    struct spawned s = LOCKSTEP("rtl-lint", "warp_scheduler=replace:first.sv,mine.sv,mine");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "with 48 errors:\n");
    assert_says(s.err, " more, which lockstep rtl-lint shows\n");
    assert_says(s.out, "\n  errors, for which it cannot run:\n");
    assert_says(s.out, "/mine.sv:53:24: ");
    spawn_free(&s);
}

static void a_missing_top_is_told_from_others(void **state) {
    (void)state;
    write_file("two.sv",
               "module inner;\nendmodule\nmodule a;\n  inner i ();\nendmodule\nmodule b;\nendmodule : b\n");
    struct spawned s = LOCKSTEP("rtl-test", "warp_scheduler=replace:two.sv");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "two.sv: there is no module warp_scheduler in it; its top modules: a, b.");
    spawn_free(&s);
}

/* --- rtl-lint --- */

static struct spawned lint(const char *text, const char *expected) {
    write_file("mine.sv", text);
    struct spawned s = LOCKSTEP("rtl-lint", "--quiet", "warp_scheduler=check:mine.sv");
    if (expected) assert_says(s.out, expected);
    return s;
}

static void our_own_has_no_warning(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("rtl-lint", "warp_scheduler=check", "--sizes", "WARPS=4");
    assert_status(&s, EXIT_SOUND);
    assert_string_equal(s.out, "WARPS=4: warp_scheduler, module warp_scheduler: no error, 0 warnings\n");
    spawn_free(&s);
}

/* Returns our scheduler with `more` inside. */
static char *with(const char *more) {
    char *inside = spawn_text("%s\nendmodule", more);
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "endmodule", inside);
    free(inside);
    return text;
}

static void each_thing_is_told_by_name(void **state) {
    (void)state;
    static const struct {
        const char *more, *says[2];
    } things[] = {
        {"  logic kept; always_latch if (take_i) kept = ready_i[0];",
         {"\n  latch: a latch keeps its value", "/mine.sv:56: always_latch assigns kept\n"}},
        {"  logic held; always_comb if (take_i) held = ready_i[0];",
         {"\n  LATCH: a value is kept", "Latch inferred for signal 'warp_scheduler.held'"}},
        {"  wire three = take_i ? ready_i[0] : 1'bz;",
         {"\n  z: Z is 0 here", "/mine.sv:56: may be Z: three\n"}},
        {"  wire four; bufif1 (four, ready_i[0], take_i);", {"\n  z: ", "/mine.sv:56: may be Z: four\n"}},
        {"  logic [31:0] some; always_ff @(posedge clk_i) some <= $urandom();",
         {"\n  random: ", "/mine.sv:56: $urandom\n"}},
        {"endmodule\nmodule other (input logic a);", {"\n  tops: ", "/mine.sv:57: other\n"}},
        {"  logic [7:0] lost_q; always_ff @(posedge clk_i) if (take_i && valid_o) lost_q <= 8'(warp_o);",
         {"\n  reset: after a reset its value depends on --rtl-seed", "\n    lost_q\n"}},
    };
    for (unsigned n = 0; n < sizeof things / sizeof *things; ++n) {
        char *text = with(things[n].more);
        struct spawned s = lint(text, things[n].says[0]);
        assert_status(&s, EXIT_SOUND);
        assert_says(s.out, things[n].says[1]);
        spawn_free(&s);
        free(text);
    }
}

/* An output that depends on state without reset: named with the cycle. */
static void an_output_without_reset_is_told(void **state) {
    (void)state;
    char *text = rtl_text_change(with("  logic [1:0] lost_q; always_ff @(posedge clk_i) lost_q <= lost_q;"),
                                 "assign warp_o  = ", "assign warp_o  = WARP_BITS'(lost_q) ^ ");
    struct spawned s = lint(text, "\n  output: it depends on what no reset sets");
    assert_says(s.out, "\n    warp_o, first in cycle 0\n");
    spawn_free(&s);
    free(text);
}

/* Similar constructs that are not reported: a pattern of casez, a comparison, a seed, a comment, a text, code
 * excluded by `ifdef`. */
static void what_is_no_such_thing_is_not_told(void **state) {
    (void)state;
    char *text =
        with("  // $random always_latch 'z\n  integer seed;\n"
             "  logic [1:0] some;\n  always_comb casez (ready_i[1:0]) 2'b1z: some = 2'd1; 2'bz1, 2'b0z: "
             "some = 2'd2; default: some = 2'd0; endcase\n"
             "  wire same = ready_i[0] === 1'bz;\n"
             "  initial begin seed = 1; $display(\"$random 'z\", $random(seed)); end\n"
             "`ifdef NEVER\n  wire z = 1'bz; wire [31:0] r = $random;\n`endif");
    struct spawned s = lint(text, NULL);
    assert_status(&s, EXIT_SOUND);
    assert_null(strstr(s.out, "\n  z:"));
    assert_null(strstr(s.out, "\n  random:"));
    assert_null(strstr(s.out, "\n  latch:"));
    spawn_free(&s);
    free(text);
}

static void errors_are_told_too(void **state) {
    (void)state;
    char *text = with("  assign none = nothing;\n  logic held; always_latch if (take_i) held = 1'b1;");
    struct spawned s = lint(text, "module warp_scheduler: it cannot run");
    assert_status(&s, EXIT_USER);
    assert_says(s.out, "always_latch assigns held");
    assert_says(s.err, "module warp_scheduler: verilator refuses it");
    spawn_free(&s);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(foreign_designs_run),
        TEST(an_error_names_the_top_and_is_whole),
        TEST(many_errors_are_all_told),
        TEST(a_missing_top_is_told_from_others),
        TEST(our_own_has_no_warning),
        TEST(each_thing_is_told_by_name),
        TEST(an_output_without_reset_is_told),
        TEST(what_is_no_such_thing_is_not_told),
        TEST(errors_are_told_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
