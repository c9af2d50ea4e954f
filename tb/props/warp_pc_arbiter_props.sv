// Properties of warp_pc_arbiter, ICS-First, (rtl/warp_pc_arbiter.sv; dual-mode §4.3). scripts/formal puts an instance
// into the module.
module warp_pc_arbiter_props #(
    parameter  int unsigned WARP_SIZE     = 32,
    parameter  int unsigned LEVELS        = 8,
    localparam int unsigned LEVEL_BITS    = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam int unsigned PRIORITY_BITS = WARP_SIZE,
    localparam int unsigned PC_BITS       = 32
) (
    input logic [WARP_SIZE-1:0]            ready_i,
    input logic [LEVELS*PRIORITY_BITS-1:0] priority_i,
    input logic [WARP_SIZE*PC_BITS-1:0]    pc_i,
    input logic [WARP_SIZE-1:0]            wtid_o,
    input logic [PC_BITS-1:0]              pc_o,
    input logic [WARP_SIZE-1:0]            participating_o,
    input logic [LEVEL_BITS-1:0]           level_o
);
  // The winning level and its threads; expected participation of each thread and level, and whether it is
  // output.
  logic [WARP_SIZE-1:0] at_level, expected, lower, more;
  logic                 each_has_a_level;  // for ready threads; true in a machine
  logic [WARP_SIZE-1:0] with_level;
  logic                 once, twice, ready_with_level, higher, pc_differs, lower_ready, level_lower, other_pc;
  always_comb begin
    at_level         = '0;
    ready_with_level = 1'b0;
    with_level       = '0;
    higher           = 1'b0;
    level_lower      = 1'b0;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      with_level = with_level | priority_i[n*PRIORITY_BITS +: PRIORITY_BITS];
      if (n == 32'(level_o)) at_level = priority_i[n*PRIORITY_BITS +: PRIORITY_BITS];
      if ((ready_i & priority_i[n*PRIORITY_BITS +: PRIORITY_BITS]) != '0) begin
        ready_with_level = 1'b1;
        if (n > 32'(level_o)) higher = 1'b1;
        if (n < 32'(level_o)) level_lower = 1'b1;
      end
    end
    each_has_a_level = (ready_i & ~with_level) == '0;
    once        = 1'b0;
    twice       = 1'b0;
    pc_differs  = 1'b0;
    other_pc    = 1'b0;
    lower_ready = 1'b0;
    lower       = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      twice       = twice || (once && wtid_o[k]);
      once        = once || wtid_o[k];
      pc_differs  = pc_differs || (wtid_o[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      other_pc    = other_pc || (ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      lower_ready = lower_ready || (wtid_o[k] && (lower & ready_i & at_level) != '0);
      lower[k]    = 1'b1;
      expected[k] = ready_i[k] && wtid_o != '0 && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
    more = participating_o & ~wtid_o;
  end

  always_comb begin
    // Contract: rules for any block in this slot, which tb/twins/contract.c also checks in a run.
    chosen_is_one_hot:         assert (!twice);
    chosen_is_one_hot_reached: cover (wtid_o[WARP_SIZE-1]);

    chosen_is_ready:         assert ((wtid_o & ~ready_i) == '0);
    chosen_is_ready_reached: cover (wtid_o[1] && !ready_i[2]);

    a_ready_thread_is_chosen_if_any:         assert (!each_has_a_level || (wtid_o != '0) == (ready_i != '0));
    a_ready_thread_is_chosen_if_any_reached: cover (each_has_a_level && ready_i[2]);

    pc_is_that_of_the_chosen:         assert (!pc_differs);
    pc_is_that_of_the_chosen_reached: cover (wtid_o[3] && pc_o == 32'h8000_0004 && other_pc);

    only_the_ready_at_the_pc_participate:         assert ((participating_o & ~expected) == '0);
    only_the_ready_at_the_pc_participate_reached: cover (participating_o[2] && other_pc);

    chosen_participates:         assert ((wtid_o & ~participating_o) == '0);
    chosen_participates_reached: cover (wtid_o != '0 && other_pc);

    // Policy: ICS-First. Threads without a level, which machines do not have, are not chosen.
    one_with_a_level_is_chosen_if_any:         assert ((wtid_o != '0) == ready_with_level);
    one_with_a_level_is_chosen_if_any_reached: cover (ready_with_level && !each_has_a_level);

    highest_level_with_a_ready_thread_wins:         assert (!higher);
    highest_level_with_a_ready_thread_wins_reached: cover (ready_with_level && (LEVELS == 1 || level_lower));

    chosen_has_the_level_that_wins:         assert ((wtid_o & ~at_level) == '0);
    chosen_has_the_level_that_wins_reached: cover (wtid_o[1] && 32'(level_o) == LEVELS - 1);

    chosen_is_the_lowest_of_its_level:         assert (!lower_ready);
    chosen_is_the_lowest_of_its_level_reached: cover (wtid_o[2] && ready_i[1:0] == 2'b11);

    ready_at_the_pc_participate_no_others:         assert (participating_o == expected);
    ready_at_the_pc_participate_no_others_reached: cover (more != '0 && (LEVELS == 1 || (more & at_level) != more));

    nothing_is_chosen_of_nothing: assert (ready_with_level || ({wtid_o, participating_o, pc_o, level_o} == '0));
    nothing_is_chosen_of_nothing_reached: cover (ready_i != '0 && !ready_with_level);
  end
endmodule
