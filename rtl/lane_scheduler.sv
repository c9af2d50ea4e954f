// lane_scheduler: which warps can issue to their lane groups, and how many groups wait for the one issue of a cycle
// (lanes.md §2). Twin of model/control/lane_scheduler.h.
//
// An instruction issues to a lane group whose instruction register is free and that has a free collector for the
// instruction's unit. Warp w is bound to group w mod LANE_GROUPS; without BOUND its instructions go to the
// lowest-numbered group that can take them.
module lane_scheduler #(
    parameter  logic [31:0] WARPS       = 32,  // 1–128
    parameter  logic [31:0] LANE_GROUPS = 8,   // 1–16
    parameter  logic [31:0] BOUND       = 1    // lanes.bound: 0, 1
) (
    input  logic [WARPS-1:0]       sp_i,         // warps whose next instruction nothing stops but their lane group:
    input  logic [WARPS-1:0]       sfu_i,        // those of the SPs, of the special function units,
    input  logic [WARPS-1:0]       ldst_i,       // of the load-store unit
    input  logic [LANE_GROUPS-1:0] sp_room_i,    // groups with a free collector for an instruction of these
    input  logic [LANE_GROUPS-1:0] sfu_room_i,
    input  logic [LANE_GROUPS-1:0] ldst_room_i,
    input  logic [LANE_GROUPS-1:0] registers_i,  // groups whose instruction register is free
    output logic [WARPS-1:0]       eligible_o,   // combinational, as all outputs: warps that can issue
    output logic [LANE_GROUPS-1:0] groups_o,     // groups that one of them could issue to
    output logic [1:0]             conflicts_o   // of these, those that wait though one issues; 3: three or more
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

  logic [LANE_GROUPS-1:0] sp_takes, sfu_takes, ldst_takes;  // groups that can take one
  logic [WARPS-1:0]       sp_can, sfu_can, ldst_can;        // warps that find one
  logic [4:0]             waiting;                          // groups, the one that issues among them

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
