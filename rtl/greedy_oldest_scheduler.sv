// greedy_oldest_scheduler: in the slot warp_scheduler. Twin of model/control/warp_scheduler.h with the policy greedy_oldest.
//
// The warp picked last, while it is ready-to-run; else the oldest that is. The warps of a work-group start in the order
// of their numbers, so the oldest is the lowest-numbered: a fixed priority, no table of ages.
module greedy_oldest_scheduler #(
    parameter  logic [31:0] WARPS     = 16,                              // 1–128
    localparam logic [31:0] WARP_BITS = WARPS > 1 ? $clog2(WARPS) : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [WARPS-1:0]     ready_i,    // bit w: warp w is ready-to-run
    input  logic [WARPS-1:0]     stalled_i,  // bit w: warp w waits for memory or at a barrier, or has ended
    input  logic                 take_i,     // the front end takes a warp at the end of this cycle
    output logic                 valid_o,    // combinational, as all outputs
    output logic [WARP_BITS-1:0] warp_o,
    output logic [WARPS-1:0]     grant_o     // one-hot; 0 when not valid
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal
    $error("greedy_oldest_scheduler: WARPS must be 1 to 128");
  end
`endif

  wire unused = &{1'b0, stalled_i};  // two_level_scheduler looks at it

  logic [WARP_BITS-1:0] last_d, last_q;  // warp picked last
  logic [WARPS-1:0]     same, from;

  always_comb begin
    same = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      same[w] = ready_i[w] && w == 32'(last_q);
    end
    from = (same != '0) ? same : ready_i;
  end

  assign valid_o = take_i && ready_i != '0;
  assign grant_o = valid_o ? from & (~from + WARPS'(1)) : '0;

  always_comb begin
    warp_o = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (grant_o[w]) warp_o = warp_o | WARP_BITS'(w);
    end
  end

  assign last_d = valid_o ? warp_o : last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= '0;
    else         last_q <= last_d;
  end
endmodule
