// round_compactor: the rounds that a warp instruction takes on lanes side by side (lanes.md §2; simt.compaction: round).
// Twin of model/control/round_compactor.h.
//
// Round n is that of the positions n·LANES on. Those with an active thread remain, in ascending order; an instruction
// without any takes round 0. A round goes in each cycle with take_i, the first in that of load_i or later.
module round_compactor #(
    parameter  logic [31:0] WARP_SIZE  = 32,                                   // 1–64
    parameter  logic [31:0] LANES      = 8,                                    // 1–64: temporal lanes have 1
    localparam logic [31:0] ROUND_BITS = WARP_SIZE > 1 ? $clog2(WARP_SIZE) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  load_i,    // an instruction comes, in the place of what is left of another
    input  logic [WARP_SIZE-1:0]  active_i,  // its active threads
    input  logic                  take_i,    // the first of its rounds goes
    output logic                  valid_o,   // combinational, as all outputs: a round is left,
    output logic [WARP_SIZE-1:0]  rounds_o,  // these are, before one goes (one bit each),
    output logic [ROUND_BITS-1:0] round_o,   // of which this is the first
    output logic                  last_o     // and the last
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 1 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("round_compactor: WARP_SIZE must be 1 to 64");
  end
  if (LANES < 1 || LANES > 64) begin : gen_illegal_lanes
    $error("round_compactor: LANES must be 1 to 64");
  end
`endif

  logic [WARP_SIZE-1:0] left_d, left_q;  // rounds that are left
  logic [WARP_SIZE-1:0] needed, left, first;

  always_comb begin
    needed = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      if (active_i[k]) needed[k/LANES] = 1'b1;
    end
    if (needed == '0) needed[0] = 1'b1;
  end

  assign left   = load_i ? needed : left_q;
  assign first  = left & (~left + WARP_SIZE'(1));
  assign left_d = take_i ? left & ~first : left;

  always_comb begin
    round_o = '0;
    for (int unsigned n = 0; n < WARP_SIZE; n++) begin
      if (first[n]) round_o = ROUND_BITS'(n);
    end
  end

  assign valid_o  = left != '0;
  assign rounds_o = left;
  assign last_o   = valid_o && left == first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else         left_q <= left_d;
  end
endmodule
