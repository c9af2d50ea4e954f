// Properties of first_ready_arbiter (rtl/first_ready_arbiter.sv). scripts/formal puts an instance into the module.
module first_ready_arbiter_props #(
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
  // Expected participation of each thread and level, and whether it is output.
  logic [WARP_SIZE-1:0] expected, lower, at_level;
  logic                 once, twice, pc_differs, other_pc, smaller_pc, lower_ready, has_level, higher;
  always_comb begin
    once        = 1'b0;
    twice       = 1'b0;
    pc_differs  = 1'b0;
    other_pc    = 1'b0;
    smaller_pc  = 1'b0;
    lower_ready = 1'b0;
    lower       = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      twice       = twice || (once && wtid_o[k]);
      once        = once || wtid_o[k];
      pc_differs  = pc_differs || (wtid_o[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      other_pc    = other_pc || (ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      smaller_pc  = smaller_pc || (ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] < pc_o);
      lower_ready = lower_ready || (wtid_o[k] && (lower & ready_i) != '0);
      lower[k]    = 1'b1;
      expected[k] = ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
    at_level  = '0;
    has_level = 1'b0;
    higher    = 1'b0;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      if (n == 32'(level_o)) at_level = priority_i[n*PRIORITY_BITS +: PRIORITY_BITS];
      if ((wtid_o & priority_i[n*PRIORITY_BITS +: PRIORITY_BITS]) != '0) begin
        has_level = 1'b1;
        if (n > 32'(level_o)) higher = 1'b1;
      end
    end
  end

  always_comb begin
    chosen_is_one_hot:         assert (!twice);
    chosen_is_one_hot_reached: cover (wtid_o[WARP_SIZE-1]);

    chosen_is_ready:         assert ((wtid_o & ~ready_i) == '0);
    chosen_is_ready_reached: cover (wtid_o[1] && !ready_i[2]);

    a_ready_thread_is_chosen_if_any:         assert ((wtid_o != '0) == (ready_i != '0));
    a_ready_thread_is_chosen_if_any_reached: cover (ready_i[2]);

    chosen_is_the_lowest_of_the_ready:         assert (!lower_ready);
    chosen_is_the_lowest_of_the_ready_reached: cover (wtid_o[1] && ready_i[3:2] == 2'b11 && smaller_pc);

    pc_is_that_of_the_chosen:         assert (!pc_differs);
    pc_is_that_of_the_chosen_reached: cover (wtid_o[WARP_SIZE-2] && pc_o == 32'h8000_0004 && other_pc);

    only_the_ready_at_the_pc_participate:         assert ((participating_o & ~expected) == '0);
    only_the_ready_at_the_pc_participate_reached: cover (participating_o[2] && other_pc);

    ready_at_the_pc_participate_no_others:         assert (participating_o == expected);
    ready_at_the_pc_participate_no_others_reached: cover (participating_o != wtid_o && other_pc);

    chosen_participates:         assert ((wtid_o & ~participating_o) == '0);
    chosen_participates_reached: cover (wtid_o != '0 && other_pc);

    level_is_the_highest_of_the_chosen:         assert (has_level ? (wtid_o & at_level) != '0 && !higher : level_o == '0);
    level_is_the_highest_of_the_chosen_reached: cover (wtid_o[1] && 32'(level_o) == LEVELS - 1 && has_level);

    nothing_is_chosen_of_nothing: assert (ready_i != '0 || ({wtid_o, participating_o, pc_o, level_o} == '0));
    nothing_is_chosen_of_nothing_reached: cover (ready_i == '0);
  end
endmodule
