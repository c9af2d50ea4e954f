// Properties of lane_scheduler (rtl/lane_scheduler.sv; lanes.md §2). scripts/formal puts an instance into the module.
// Sizes: WARPS=8 LANE_GROUPS=4 BOUND=1;WARPS=8 LANE_GROUPS=4 BOUND=0;WARPS=7 LANE_GROUPS=3 BOUND=1;WARPS=16 LANE_GROUPS=8 BOUND=1;WARPS=2 LANE_GROUPS=1 BOUND=0
module lane_scheduler_props #(
    parameter int unsigned WARPS       = 32,
    parameter int unsigned LANE_GROUPS = 8,
    parameter int unsigned BOUND       = 1
) (
    input logic [WARPS-1:0]       sp_i,
    input logic [WARPS-1:0]       sfu_i,
    input logic [WARPS-1:0]       ldst_i,
    input logic [LANE_GROUPS-1:0] sp_room_i,
    input logic [LANE_GROUPS-1:0] sfu_room_i,
    input logic [LANE_GROUPS-1:0] ldst_room_i,
    input logic [LANE_GROUPS-1:0] registers_i,
    input logic [WARPS-1:0]       eligible_o,
    input logic [LANE_GROUPS-1:0] groups_o,
    input logic [1:0]             conflicts_o
);
  (* anyconst *) logic [5:0] w;  // an arbitrary warp: properties of it hold for all
  (* anyconst *) logic [3:0] l;  // an arbitrary group: properties of it hold for all

  // A group can take the warp's instruction: any group; the warp's own; this one.
  logic some, own, here;
  always_comb begin
    some = 1'b0;
    own  = 1'b0;
    here = 1'b0;
    for (int unsigned n = 0; n < LANE_GROUPS; n++) begin
      if (registers_i[n] && ((sp_i[w] && sp_room_i[n]) || (sfu_i[w] && sfu_room_i[n]) || (ldst_i[w] && ldst_room_i[n]))) begin
        some = 1'b1;
        if (32'(w) % LANE_GROUPS == n) own = 1'b1;
        if (32'(l) == n) here = 1'b1;
      end
    end
  end

  // A warp that could go to the group waits for it.
  logic asked;
  always_comb begin
    asked = 1'b0;
    for (int unsigned n = 0; n < WARPS; n++) begin
      if (registers_i[l] && (BOUND == 0 || n % LANE_GROUPS == 32'(l))
          && ((sp_i[n] && sp_room_i[l]) || (sfu_i[n] && sfu_room_i[l]) || (ldst_i[n] && ldst_room_i[l]))) asked = 1'b1;
    end
  end

  logic [6:0] ready, wanted, waiting;
  assign ready   = 7'($countones(eligible_o));
  assign wanted  = 7'($countones(groups_o));
  assign waiting = BOUND == 0 && ready < wanted ? ready : wanted;

  always_comb assume (32'(w) < WARPS && 32'(l) < LANE_GROUPS);

  always_comb begin
    eligible_if_its_group_takes_it:         assert (eligible_o[w] == (BOUND == 1 ? own : some));
    eligible_if_its_group_takes_it_reached: cover (eligible_o[w]);

    a_register_is_not_taken_twice:         assert (!groups_o[l] || registers_i[l]);
    a_register_is_not_taken_twice_reached: cover (groups_o[l]);

    groups_that_are_asked_for:         assert (groups_o[l] == asked);
    groups_that_are_asked_for_reached: cover (groups_o[l] && here);

    one_issues_the_others_wait:         assert (waiting == '0 ? conflicts_o == 2'd0
                                                : waiting > 7'd3 ? conflicts_o == 2'd3
                                                : 7'(conflicts_o) == waiting - 7'd1);
    one_issues_the_others_wait_reached: cover (waiting != '0);

    somebody_waits_for_a_group_of_its_own:         assert (conflicts_o == 2'd0 || ready > 7'd1);
    somebody_waits_for_a_group_of_its_own_reached: cover (LANE_GROUPS == 1 || conflicts_o != 2'd0);
  end
endmodule
