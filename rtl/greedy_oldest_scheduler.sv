// greedy_oldest_scheduler: picks the same warp while it is ready, else the oldest ready warp; for slot warp_scheduler.
// Twin of model/control/warp_scheduler.h with the policy greedy_oldest.
//
// The warps of a work-group start in the order of their numbers, so the oldest warp is the lowest-numbered. A fixed
// priority replaces a table of ages. Outputs are combinational; the front end takes the warp at the end of the cycle.
module greedy_oldest_scheduler #(
    parameter  logic [31:0] WARPS     = 16,                              // warps of the cluster, 1–128
    localparam logic [31:0] WARP_BITS = WARPS > 1 ? $clog2(WARPS) : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [WARPS-1:0]     ready_i,    // bit w: warp w is ready to run
    input  logic [WARPS-1:0]     stalled_i,  // bit w: warp w waits for memory or at a barrier, or has ended; not used
                                             // by this policy
    input  logic                 take_i,     // 1: the front end takes a warp at the end of this cycle
    output logic                 valid_o,    // 1: a warp is granted
    output logic [WARP_BITS-1:0] warp_o,     // number of the granted warp; 0 without one
    output logic [WARPS-1:0]     grant_o     // granted warp, one-hot; 0 without one
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal
    $error("greedy_oldest_scheduler: WARPS must be 1 to 128");
  end
`endif

  wire unused = &{1'b0, stalled_i};  // port of the slot; used by two_level_scheduler

  logic [WARP_BITS-1:0] last_d, last_q;  // warp that was granted last
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
