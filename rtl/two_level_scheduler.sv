// two_level_scheduler: picks warps of a small active set in turn; for slot warp_scheduler. Twin of
// model/control/warp_scheduler.h with the policy two_level.
//
// At most ACTIVE warps are active; pending warps are not picked. The first active warp that is ready, counted from the
// warp after the one picked last, is granted. An active warp that stalls leaves the set at the end of the cycle. If
// there is room then, one pending warp that is not stalled enters, the first after the warp that entered last. Outputs
// are combinational; the front end takes the warp at the end of the cycle.
module two_level_scheduler #(
    parameter  logic [31:0] WARPS      = 16,                              // warps of the cluster, 1–128
    parameter  logic [31:0] ACTIVE     = 4,                               // size of the active set, 1–128, up to WARPS
    localparam logic [31:0] WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] COUNT_BITS = $clog2(WARPS + 1)
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
    $error("two_level_scheduler: WARPS must be 1 to 128");
  end
  if (ACTIVE < 1 || ACTIVE > WARPS) begin : gen_illegal_active
    $error("two_level_scheduler: ACTIVE must be 1 to WARPS");
  end
`endif

  logic [WARPS-1:0]      active_d, active_q;    // active warps
  logic [WARP_BITS-1:0]  last_d, last_q;        // warp that was granted last
  logic [WARP_BITS-1:0]  entered_d, entered_q;  // warp that entered the active set last
  logic [WARPS-1:0]      among, after, from;
  logic [WARPS-1:0]      stay, pending, pending_after, pending_from, enter;
  logic [COUNT_BITS-1:0] staying;

  assign among   = ready_i & active_q;
  assign stay    = active_q & ~stalled_i;
  assign pending = ~active_q & ~stalled_i;

  always_comb begin
    after         = '0;
    pending_after = '0;
    staying       = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      after[w]         = among[w] && w > 32'(last_q);
      pending_after[w] = pending[w] && w > 32'(entered_q);
      staying          = staying + COUNT_BITS'(stay[w]);
    end
    from         = (after != '0) ? after : among;
    pending_from = (pending_after != '0) ? pending_after : pending;
  end

  assign valid_o = take_i && among != '0;
  assign grant_o = valid_o ? from & (~from + WARPS'(1)) : '0;
  assign enter   = (32'(staying) < ACTIVE) ? pending_from & (~pending_from + WARPS'(1)) : '0;

  always_comb begin
    warp_o    = '0;
    entered_d = (enter != '0) ? '0 : entered_q;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (grant_o[w]) warp_o = warp_o | WARP_BITS'(w);
      if (enter[w]) entered_d = entered_d | WARP_BITS'(w);
    end
  end

  assign last_d   = valid_o ? warp_o : last_q;
  assign active_d = stay | enter;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q  <= '0;
      last_q    <= WARP_BITS'(WARPS - 1);  // so that warp 0 is first
      entered_q <= WARP_BITS'(WARPS - 1);
    end else begin
      active_q  <= active_d;
      last_q    <= last_d;
      entered_q <= entered_d;
    end
  end
endmodule
