// round_compactor: selects the rounds that a warp instruction takes on spatial lanes, one a cycle (lanes.md §2;
// simt.compaction: round). Twin of model/control/round_compactor.h.
//
// Round n has the positions n·LANES to n·LANES + LANES - 1. Only rounds with an active thread remain, in ascending
// order. An instruction without active threads takes round 0. One round leaves in each cycle with take_i; the first may
// leave in the cycle of load_i. All outputs are combinational.
module round_compactor #(
    parameter  logic [31:0] WARP_SIZE  = 32,                                   // threads of a warp, 1–64
    parameter  logic [31:0] LANES      = 8,                                    // lanes of a round, 1–64; 1 for temporal
                                                                               // lanes
    localparam logic [31:0] ROUND_BITS = WARP_SIZE > 1 ? $clog2(WARP_SIZE) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  load_i,    // 1: an instruction enters and replaces the rest of the one before
    input  logic [WARP_SIZE-1:0]  active_i,  // active threads of the entering instruction
    input  logic                  take_i,    // 1: the first remaining round leaves
    output logic                  valid_o,   // 1: a round remains
    output logic [WARP_SIZE-1:0]  rounds_o,  // bit n: round n remains, before one leaves
    output logic [ROUND_BITS-1:0] round_o,   // number of the first remaining round
    output logic                  last_o     // 1: it is the only one
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 1 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("round_compactor: WARP_SIZE must be 1 to 64");
  end
  if (LANES < 1 || LANES > 64) begin : gen_illegal_lanes
    $error("round_compactor: LANES must be 1 to 64");
  end
`endif

  logic [WARP_SIZE-1:0] left_d, left_q;  // rounds that remain
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
