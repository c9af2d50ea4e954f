// lane_scheduler: determines which warps can issue to their lane groups, and how many lane groups wait for the single
// issue of a cycle (lanes.md §2). Twin of model/control/lane_scheduler.h.
//
// An instruction can issue to a lane group whose instruction register is free and which has a free collector for the
// instruction's unit. Warp w is bound to group w mod LANE_GROUPS. If BOUND is 0, its instructions go to the
// lowest-numbered group that can take them. The block has no state; all outputs are combinational.
module lane_scheduler #(
    parameter  logic [31:0] WARPS       = 32,  // warps of the SM, 1–128
    parameter  logic [31:0] LANE_GROUPS = 8,   // lane groups, 1–16
    parameter  logic [31:0] BOUND       = 1    // field lanes.bound, 0–1; 1: a warp uses one lane group only
) (
    input  logic [WARPS-1:0]       sp_i,         // warps whose next instruction is for the SPs and waits only for a
                                                 // lane group
    input  logic [WARPS-1:0]       sfu_i,        // likewise, warps whose next instruction is for the special function
                                                 // units
    input  logic [WARPS-1:0]       ldst_i,       // likewise, warps whose next instruction is for the load-store unit
    input  logic [LANE_GROUPS-1:0] sp_room_i,    // groups with a free collector for an instruction of the SPs
    input  logic [LANE_GROUPS-1:0] sfu_room_i,   // groups with a free collector for an instruction of the special
                                                 // function units
    input  logic [LANE_GROUPS-1:0] ldst_room_i,  // groups with a free collector for an instruction of the load-store
                                                 // unit
    input  logic [LANE_GROUPS-1:0] registers_i,  // groups whose instruction register is free
    output logic [WARPS-1:0]       eligible_o,   // warps that can issue
    output logic [LANE_GROUPS-1:0] groups_o,     // groups to which one of these warps could issue
    output logic [1:0]             conflicts_o   // number of these groups that must wait because another issues; 3:
                                                 // three or more
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("lane_scheduler: WARPS must be 1 to 128");
  end
  if (LANE_GROUPS < 1 || LANE_GROUPS > 16) begin : gen_illegal_groups
    $error("lane_scheduler: LANE_GROUPS must be 1 to 16");
  end
  if (BOUND > 1) begin : gen_illegal_bound
    $error("lane_scheduler: BOUND must be 0 or 1");
  end
`endif

  logic [LANE_GROUPS-1:0] sp_takes, sfu_takes, ldst_takes;  // groups that can take an instruction of each unit
  logic [WARPS-1:0]       sp_can, sfu_can, ldst_can;        // warps whose instruction a group can take
  logic [4:0]             waiting;                          // number of groups in groups_o

  assign sp_takes   = sp_room_i & registers_i;
  assign sfu_takes  = sfu_room_i & registers_i;
  assign ldst_takes = ldst_room_i & registers_i;

  always_comb begin
    sp_can   = '0;
    sfu_can  = '0;
    ldst_can = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      sp_can[w]   = sp_i[w] && (BOUND == 1 ? sp_takes[w%LANE_GROUPS] : sp_takes != '0);
      sfu_can[w]  = sfu_i[w] && (BOUND == 1 ? sfu_takes[w%LANE_GROUPS] : sfu_takes != '0);
      ldst_can[w] = ldst_i[w] && (BOUND == 1 ? ldst_takes[w%LANE_GROUPS] : ldst_takes != '0);
    end
  end
  assign eligible_o = sp_can | sfu_can | ldst_can;

  always_comb begin
    groups_o = '0;
    if (BOUND == 1) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (eligible_o[w]) groups_o[w%LANE_GROUPS] = 1'b1;
      end
    end else begin
      if (sp_can != '0) groups_o = groups_o | sp_takes;
      if (sfu_can != '0) groups_o = groups_o | sfu_takes;
      if (ldst_can != '0) groups_o = groups_o | ldst_takes;
    end
  end

  always_comb begin
    waiting = 5'($countones(groups_o));
    if (BOUND == 0 && 8'($countones(eligible_o)) < 8'(waiting)) waiting = 5'($countones(eligible_o));
    conflicts_o = waiting == 5'd0 ? 2'd0 : waiting > 5'd3 ? 2'd3 : 2'(waiting - 5'd1);
  end
endmodule
