// pipelined_scheduler: chooses ready warps in turn and grants each a cycle later; for slot warp_scheduler. Twin of
// model/control/warp_scheduler.h with the policy pipelined.
//
// A choice is the first ready warp after the one chosen last. It waits in a register and is granted in the next cycle
// in which the front end takes a warp, if it is still ready. Another warp is chosen in the cycle of the grant, and when
// the choice is not ready any more. So the priority over all warps lies before a register, and grants follow from the
// register and one bit of ready_i. A warp is granted at the earliest one cycle after it becomes ready.
module pipelined_scheduler #(
    parameter  logic [31:0] WARPS     = 16,                              // warps of the cluster, 1–128
    localparam logic [31:0] WARP_BITS = WARPS > 1 ? $clog2(WARPS) : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [WARPS-1:0]     ready_i,    // bit w: warp w is ready to run
    input  logic [WARPS-1:0]     stalled_i,  // bit w: warp w waits for memory or at a barrier, or has ended
    input  logic                 take_i,     // 1: the front end takes a warp at the end of this cycle
    output logic                 valid_o,    // 1: a warp is granted
    output logic [WARP_BITS-1:0] warp_o,     // number of the granted warp; 0 without one
    output logic [WARPS-1:0]     grant_o     // granted warp, one-hot; 0 without one
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("pipelined_scheduler: WARPS must be 1 to 128");
  end
`endif

  logic                 pending_d, pending_q;  // 1: warp last_q is chosen and not granted yet
  logic [WARP_BITS-1:0] last_d, last_q;        // warp that was chosen last
  logic [WARPS-1:0]     waiting, others, after, from, choice;
  logic                 held;

  wire unused = &{1'b0, stalled_i};  // port of the slot; used by two_level_scheduler

  always_comb begin
    waiting = '0;
    after   = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      waiting[w] = pending_q && w == 32'(last_q);
      after[w]   = ready_i[w] && w > 32'(last_q);
    end
  end

  assign grant_o = take_i ? ready_i & waiting : '0;
  assign valid_o = grant_o != '0;
  assign warp_o  = valid_o ? last_q : '0;

  assign held   = !take_i && (ready_i & waiting) != '0;
  assign others = ready_i & ~waiting;
  assign from   = (after != '0) ? after : others;
  assign choice = from & (~from + WARPS'(1));

  always_comb begin
    last_d = (held || choice == '0) ? last_q : '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (!held && choice[w]) last_d = last_d | WARP_BITS'(w);
    end
  end

  assign pending_d = held || choice != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      last_q    <= WARP_BITS'(WARPS - 1);  // so that warp 0 is first
    end else begin
      pending_q <= pending_d;
      last_q    <= last_d;
    end
  end
endmodule
