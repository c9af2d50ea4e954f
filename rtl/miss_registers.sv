// miss_registers: the miss status holding registers of a non-blocking cache: decide which load joins a pending miss,
// which takes a register and which must wait, and which loads an arriving line answers (gpu-like.md §4). Twin of
// model/control/miss_registers.h.
//
// A load that misses joins the register of its line if that register is open and has room. Otherwise it takes the
// lowest-numbered free register and requests the line. An exclusive access bypasses the cache: it takes a register that
// no load may join.
//
// An exclusive access or a store closes the register of its line. The loads that wait there are answered, but the line
// is not kept when it arrives, and later loads do not join. A register whose line arrives is free in the same cycle.
//
// All outputs are combinational.
module miss_registers #(
    parameter  logic [31:0] MSHRS         = 32,  // registers, 1–64
    parameter  logic [31:0] MERGES        = 8,   // requests that one register can hold, 1–64
    parameter  logic [31:0] LINE_BITS     = 26,  // bits of a line's number, 1–32; NAME_BITS is the width of an element
                                                 // of NAME
    parameter  logic [31:0] REQUEST_BITS  = 32,  // bits of a request's number, 1–32
    localparam logic [31:0] INDEX_BITS    = MSHRS > 1 ? $clog2(MSHRS) : 1,
    localparam logic [31:0] COUNT_BITS    = $clog2(MERGES + 1)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           fill_i,       // 1: the answer for a register arrives
    input  logic [INDEX_BITS-1:0]       filled_i,     // number of the answered register, which must be taken
    input  logic                           load_i,       // 1: a load misses; at most one of load_i, alone_i and store_i
                                                         // is 1
    input  logic                           alone_i,      // 1: an access bypasses the cache and wants an answer
    input  logic                           store_i,      // 1: an access bypasses the cache and wants no answer
    input  logic                           room_i,       // 1: the request for a line can be sent
    input  logic [LINE_BITS-1:0]           line_i,       // line of the access
    input  logic [REQUEST_BITS-1:0]        request_i,    // number of the access, returned in request_o
    output logic                           join_o,       // 1: the load joins a register
    output logic                           take_o,       // 1: the access takes a register
    output logic [INDEX_BITS-1:0]       index_o,   // register that it joins or takes; 0 without one
    output logic                           full_o,       // 1: the access must wait: all registers are taken
    output logic                           crowded_o,    // 1: the load must wait: the register of its line holds MERGES
                                                         // requests
    output logic                           no_room_o,    // 1: the access must wait: its request cannot be sent
    output logic                           keep_o,       // 1: the arriving line is kept in the cache
    output logic [LINE_BITS-1:0]           fill_line_o,  // arriving line; 0 without one
    output logic [COUNT_BITS-1:0]          count_o,      // number of requests that the line answers
    output logic [MERGES*REQUEST_BITS-1:0] request_o     // requests that the line answers, in their order; 0 beyond
                                                         // their number
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

  logic [MSHRS-1:0]               taken_d, taken_q;  // register waits for an answer
  logic [MSHRS-1:0]               open_d, open_q;    // loads may join the register, and its line will be kept
  logic [MSHRS*LINE_BITS-1:0]     line_d, line_q;    // line of the register
  logic [MSHRS*COUNT_BITS-1:0]    count_d, count_q;  // number of requests that wait for the line
  logic [MERGES*REQUEST_BITS-1:0] request_q [0:MSHRS-1];  // requests that wait for the line; elements beyond the count
                                                          // have no meaning

  // --- the line that arrives ---
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

  // --- the access ---
  logic                  wants;       // the access needs a register of its own
  logic [MSHRS-1:0]      same, chosen;
  logic [COUNT_BITS-1:0] waiting;     // number of requests at the open register of the line

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

  // --- next state ---
  logic [MERGES*REQUEST_BITS-1:0] requests;  // requests of the chosen register

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
