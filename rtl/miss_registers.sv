// miss_registers: the miss status holding registers of a non-blocking cache (gpu-like.md §4): which load joins a miss on
// its way, which takes a register, which has to wait, and who is answered when a line comes.
// Twin of model/control/miss_registers.h.
//
// A load that misses joins the register of its line, if there is one that is open and has room for it, else it takes the
// lowest-numbered free one and asks for the line. An access that goes past the cache alone (an exclusive one) takes a
// register that nobody joins. It closes the register of its line, as a store does that goes by: who waits is answered,
// but the line is not kept when it comes, and later loads do not join. A register that is filled is free in the same cycle.
module miss_registers #(
    parameter  logic [31:0] MSHRS         = 32,  // 1–64
    parameter  logic [31:0] MERGES        = 8,   // requests that one register holds, 1–64
    parameter  logic [31:0] LINE_BITS     = 26,  // of a line's number, 1–32; NAME_BITS: of an element of NAME
    parameter  logic [31:0] REQUEST_BITS  = 32,  // that tell requests apart, 1–32
    localparam logic [31:0] INDEX_BITS    = MSHRS > 1 ? $clog2(MSHRS) : 1,
    localparam logic [31:0] COUNT_BITS    = $clog2(MERGES + 1)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           fill_i,       // what a register waits for has come:
    input  logic [INDEX_BITS-1:0]       filled_i,     // which, one that is taken
    input  logic                           load_i,       // at most one of three: a load that misses,
    input  logic                           alone_i,      // an access past the cache that is answered,
    input  logic                           store_i,      // or one that is not
    input  logic                           room_i,       // there is a place for what is asked for
    input  logic [LINE_BITS-1:0]           line_i,       // the request's line,
    input  logic [REQUEST_BITS-1:0]        request_i,    // and which request it is
    output logic                           join_o,       // combinational, as all outputs: the load joins a register,
    output logic                           take_o,       // the request takes one,
    output logic [INDEX_BITS-1:0]       index_o,   // this one; 0: none
    output logic                           full_o,       // it must wait: all are taken,
    output logic                           crowded_o,    // that of its line holds as many as it may,
    output logic                           no_room_o,    // or there is no place
    output logic                           keep_o,       // the line that has come is kept:
    output logic [LINE_BITS-1:0]           fill_line_o,  // which
    output logic [COUNT_BITS-1:0]          count_o,      // how many are answered,
    output logic [MERGES*REQUEST_BITS-1:0] request_o     // which, in their order; 0: none
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (MSHRS < 1 || MSHRS > 64) begin : gen_illegal_mshrs
    $error("miss_registers: MSHRS must be 1 to 64");
  end
  if (MERGES < 1 || MERGES > 64) begin : gen_illegal_merges
    $error("miss_registers: MERGES must be 1 to 64");
  end
  if (LINE_BITS < 1 || LINE_BITS > 32) begin : gen_illegal_line
    $error("miss_registers: LINE_BITS must be 1 to 32");
  end
  if (REQUEST_BITS < 1 || REQUEST_BITS > 32) begin : gen_illegal_request
    $error("miss_registers: REQUEST_BITS must be 1 to 32");
  end
`endif

  logic [MSHRS-1:0]               taken_d, taken_q;  // the register waits for an answer,
  logic [MSHRS-1:0]               open_d, open_q;    // which is a line that loads may join and that is kept;
  logic [MSHRS*LINE_BITS-1:0]     line_d, line_q;    // its line,
  logic [MSHRS*COUNT_BITS-1:0]    count_d, count_q;  // how many requests wait for it,
  logic [MERGES*REQUEST_BITS-1:0] request_q [0:MSHRS-1];  // and which: the first ones of these

  // --- what has come ---
  logic [MSHRS-1:0] filled, taken, open;
  assign filled    = fill_i ? MSHRS'(1) << filled_i : '0;
  assign taken     = taken_q & ~filled;
  assign open      = open_q & ~filled;
  assign keep_o    = (open_q & filled) != '0;
  assign request_o = fill_i ? request_q[filled_i] : '0;

  always_comb begin
    fill_line_o = '0;
    count_o     = '0;
    for (int unsigned m = 0; m < MSHRS; m++) begin
      if (filled[m]) begin
        fill_line_o = fill_line_o | line_q[m*LINE_BITS +: LINE_BITS];
        count_o     = count_o | count_q[m*COUNT_BITS +: COUNT_BITS];
      end
    end
  end

  // --- the request ---
  logic                  wants;       // a register of its own
  logic [MSHRS-1:0]      same, chosen;
  logic [COUNT_BITS-1:0] waiting;     // at the register of the line

  always_comb begin
    same    = '0;
    waiting = '0;
    for (int unsigned m = 0; m < MSHRS; m++) begin
      same[m] = open[m] && line_q[m*LINE_BITS +: LINE_BITS] == line_i;
      if (same[m]) waiting = waiting | count_q[m*COUNT_BITS +: COUNT_BITS];
    end
  end

  assign wants     = alone_i || (load_i && same == '0);
  assign crowded_o = load_i && same != '0 && waiting == COUNT_BITS'(MERGES);
  assign join_o    = load_i && same != '0 && !crowded_o;
  assign full_o    = wants && taken == '1;
  assign no_room_o = wants && !full_o && !room_i;
  assign take_o    = wants && !full_o && room_i;
  assign chosen    = join_o ? same : take_o ? ~taken & (taken + MSHRS'(1)) : '0;

  always_comb begin
    index_o = '0;
    for (int unsigned m = 0; m < MSHRS; m++)
      if (chosen[m]) index_o = index_o | INDEX_BITS'(m);
  end

  // --- the registers ---
  logic [MERGES*REQUEST_BITS-1:0] requests;  // of the chosen

  always_comb begin
    taken_d  = taken | chosen;
    open_d   = open;
    line_d   = line_q;
    count_d  = count_q;
    requests = take_o ? '0 : request_q[index_o];
    for (int unsigned n = 0; n < MERGES; n++)
      if (COUNT_BITS'(n) == (take_o ? '0 : waiting)) requests[n*REQUEST_BITS +: REQUEST_BITS] = request_i;
    for (int unsigned m = 0; m < MSHRS; m++) begin
      if (same[m] && (store_i || (alone_i && take_o))) open_d[m] = 1'b0;
      if (chosen[m]) begin
        open_d[m]                           = load_i;
        line_d[m*LINE_BITS +: LINE_BITS]    = line_i;
        count_d[m*COUNT_BITS +: COUNT_BITS] = take_o ? COUNT_BITS'(1) : waiting + COUNT_BITS'(1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      open_q  <= '0;
      line_q  <= '0;
      count_q <= '0;
      for (int unsigned m = 0; m < MSHRS; m++) request_q[m] <= '0;
    end else begin
      taken_q <= taken_d;
      open_q  <= open_d;
      line_q  <= line_d;
      count_q <= count_d;
      if (join_o || take_o) request_q[index_o] <= requests;
    end
  end
endmodule
