// warp_scheduler: picks the warp whose instruction is fetched next, in loose round robin (timing.md §S). Twin of
// model/control/warp_scheduler.h with the policy round_robin.
//
// The first ready warp after the one granted last is granted, at most one a cycle. Outputs are combinational; the front
// end takes the warp at the end of the cycle.
module warp_scheduler #(
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
    $error("warp_scheduler: WARPS must be 1 to 128");
  end
`endif

  wire unused = &{1'b0, stalled_i};  // port of the slot; used by two_level_scheduler

  logic [WARP_BITS-1:0] last_d, last_q;  // warp that was granted last
  logic [WARPS-1:0]     after, from;

  always_comb begin
    after = ready_i & ~((WARPS'(2) << last_q) - WARPS'(1));
    from = (after != '0) ? after : ready_i;
  end

  assign valid_o = take_i && ready_i != '0;
  assign grant_o = valid_o ? from & (~from + WARPS'(1)) : '0;

  // Returns the number of the only bit that is set: of bits 64 to 127 if `upper` is 1, else of bits 0 to 63.
  function automatic logic [WARP_BITS-1:0] number_of(input logic upper, input logic [63:0] bits);
    number_of = WARP_BITS'({upper, (bits & 64'hffffffff00000000) != '0, (bits & 64'hffff0000ffff0000) != '0,
                            (bits & 64'hff00ff00ff00ff00) != '0, (bits & 64'hf0f0f0f0f0f0f0f0) != '0,
                            (bits & 64'hcccccccccccccccc) != '0, (bits & 64'haaaaaaaaaaaaaaaa) != '0});
  endfunction

  logic [127:0] granted;
  assign granted = 128'(grant_o);
  assign warp_o  = number_of(granted[127:64] != '0, granted[63:0] | granted[127:64]);

  assign last_d = valid_o ? warp_o : last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= WARP_BITS'(WARPS - 1);  // so that warp 0 is first
    else         last_q <= last_d;
  end
endmodule
