// coalescer: splits a warp's access to memory into transactions (gpu-like.md §4). Twin of model/control/coalescer.h.
//
// With RULE 0 (cc13), each part of 16 threads uses segments of 32, 64 or 128 bytes; a segment is halved while one of
// its halves is unused. With RULE 1 (cc20), the warp uses lines of the L1D. A thread whose bytes lie in two segments
// takes part in the transactions of both.
//
// Protocol: the access stays at the inputs until last_o; valid_i asks for its next transaction, one a cycle.
// Transactions come in the order of their lowest threads, and those of one thread by address. In a cycle without
// valid_i the state does not change. All outputs are combinational.
module coalescer #(
    parameter  logic [31:0] WARP_SIZE    = 32,                       // threads of a warp, 4–64
    parameter  logic [31:0] RULE         = 1,                        // field coalesce.rule, 0–1: 0 cc13, 1 cc20
    parameter  logic [31:0] LINE_BYTES   = 64,                       // bytes of a line of the L1D, 32–256, a power of
                                                                     // two
    parameter  logic [31:0] ADDRESS_BITS = 32,                       // bits of a byte address, 8–32; fewer than 32 only
                                                                     // in proofs
    localparam logic [31:0] PART         = RULE == 0 ? 16 : 64,
    localparam logic [31:0] PARTS        = (WARP_SIZE + PART - 1) / PART,
    localparam logic [31:0] LINE_BITS    = $clog2(LINE_BYTES)
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              valid_i,    // 1: the access asks for its next transaction
    input  logic                              store_i,    // 1: the access is a store
    input  logic [3:0]                        bytes_i,    // bytes of each thread: 1, 2, 4 or 8
    input  logic [WARP_SIZE-1:0]              active_i,   // bit k: thread k takes part
    input  logic [WARP_SIZE*ADDRESS_BITS-1:0] address_i,  // byte address of each thread's first byte
    output logic                              valid_o,    // 1: this cycle has a transaction
    output logic [ADDRESS_BITS-1:0]           address_o,  // byte address of the transaction; 0 without one
    output logic [8:0]                        length_o,   // bytes that the transaction covers: 32, 64, 128 or
                                                          // LINE_BYTES; 0 without one
    output logic [8:0]                        bytes_o,    // bytes that the transaction moves
    output logic [7:0]                        pieces_o,   // bit n: a thread wants bytes of the n-th piece of 32 bytes
    output logic [WARP_SIZE-1:0]              threads_o,  // threads that want bytes of the transaction
    output logic                              last_o      // 1: no byte is left after this cycle
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("coalescer: WARP_SIZE must be 4 to 64");
  end
  if (RULE > 1) begin : gen_illegal_rule
    $error("coalescer: RULE must be 0 or 1");
  end
  if (LINE_BYTES < 32 || LINE_BYTES > 256 || (LINE_BYTES & (LINE_BYTES - 1)) != 0) begin : gen_illegal_line
    $error("coalescer: LINE_BYTES must be a power of two, 32 to 256");
  end
  if (ADDRESS_BITS < 8 || ADDRESS_BITS > 32) begin : gen_illegal_address
    $error("coalescer: ADDRESS_BITS must be 8 to 32");
  end
`endif

  logic                 begun_d, begun_q;        // the access has had a transaction and is not finished
  logic [WARP_SIZE-1:0] first_d, first_q;        // threads whose first byte has been in no transaction
  logic [WARP_SIZE-1:0] second_d, second_q;      // threads whose last byte lies in another segment and has been in no
                                                 // transaction

  // --- segments ---
  logic [3:0]                        shift;      // log2 of a segment's bytes
  logic [WARP_SIZE*ADDRESS_BITS-1:0] end_bytes;  // address of each thread's last byte
  logic [WARP_SIZE-1:0]              crosses;
  assign shift = RULE == 1 ? 4'(LINE_BITS) : bytes_i == 4'd1 ? 4'd5 : bytes_i == 4'd2 ? 4'd6 : 4'd7;
  always_comb begin
    end_bytes = '0;
    crosses   = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      end_bytes[k*ADDRESS_BITS +: ADDRESS_BITS] =
          address_i[k*ADDRESS_BITS +: ADDRESS_BITS] + ADDRESS_BITS'(bytes_i) - ADDRESS_BITS'(1);
      crosses[k] = address_i[k*ADDRESS_BITS +: ADDRESS_BITS] >> shift
                != end_bytes[k*ADDRESS_BITS +: ADDRESS_BITS] >> shift;
    end
  end

  // --- the part that is served, and its lowest thread ---
  logic [WARP_SIZE-1:0]    first, second, part, group;
  logic [ADDRESS_BITS-1:0] byte_address, segment;
  assign first  = !valid_i ? '0 : begun_q ? first_q : active_i;
  assign second = !valid_i ? '0 : begun_q ? second_q : active_i & crosses;
  always_comb begin
    part  = '0;
    group = '0;
    for (int unsigned p = 0; p < PARTS; p++) begin
      for (int unsigned k = 0; k < WARP_SIZE; k++) group[k] = (first[k] || second[k]) && k / PART == p;
      if (part == '0) part = group;
    end
  end
  always_comb begin
    byte_address = '0;
    for (int unsigned k = WARP_SIZE; k > 0; k--) begin
      if (part[k-1]) begin
        byte_address = first[k-1] ? address_i[(k-1)*ADDRESS_BITS +: ADDRESS_BITS]
                                  : end_bytes[(k-1)*ADDRESS_BITS +: ADDRESS_BITS];
      end
    end
    segment = byte_address >> shift << shift;
  end

  // --- threads of the transaction, and the pieces that they want ---
  logic [WARP_SIZE-1:0] of_first, of_second;
  logic [7:0]           pieces;
  logic [2:0]           from, to, top;  // first and last piece of a thread; last piece of the segment
  assign top = 3'((4'd1 << (shift - 4'd5)) - 4'd1);
  always_comb begin
    of_first  = '0;
    of_second = '0;
    pieces    = '0;
    from      = '0;
    to        = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      of_first[k]  = part[k] && first[k] && address_i[k*ADDRESS_BITS +: ADDRESS_BITS] >> shift == segment >> shift;
      of_second[k] = part[k] && second[k] && end_bytes[k*ADDRESS_BITS +: ADDRESS_BITS] >> shift == segment >> shift;
      from         = 3'((address_i[k*ADDRESS_BITS +: ADDRESS_BITS] - segment) >> 5);
      to           = 3'((end_bytes[k*ADDRESS_BITS +: ADDRESS_BITS] - segment) >> 5);
      if (!of_first[k]) from = '0;
      else if (crosses[k]) to = top;
      if (of_first[k] || of_second[k]) begin
        pieces[from] = 1'b1;
        pieces[to]   = 1'b1;
      end
    end
  end

  // --- cc13: halves of a segment that no thread uses are left out ---
  always_comb begin
    address_o = segment;
    pieces_o  = pieces;
    length_o  = 9'd1 << shift;
    if (RULE == 0 && length_o == 9'd128 && (pieces_o[1:0] == '0 || pieces_o[3:2] == '0)) begin
      length_o = 9'd64;
      if (pieces_o[1:0] == '0) begin
        address_o = address_o + ADDRESS_BITS'(64);
        pieces_o  = pieces_o >> 2;
      end
    end
    if (RULE == 0 && length_o == 9'd64 && pieces_o[1:0] != 2'b11) begin
      length_o = 9'd32;
      if (!pieces_o[0]) begin
        address_o = address_o + ADDRESS_BITS'(32);
        pieces_o  = pieces_o >> 1;
      end
    end
    bytes_o = RULE == 1 && store_i ? 9'($countones(pieces_o)) << 5 : length_o;
    if (!valid_o) begin
      address_o = '0;
      length_o  = '0;
      bytes_o   = '0;
    end
  end

  assign valid_o   = part != '0;
  assign threads_o = of_first | of_second;
  assign first_d   = valid_i ? first & ~of_first : first_q;
  assign second_d  = valid_i ? second & ~of_second : second_q;
  assign begun_d   = (first_d | second_d) != '0;
  assign last_o    = valid_i && !begun_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q  <= 1'b0;
      first_q  <= '0;
      second_q <= '0;
    end else begin
      begun_q  <= begun_d;
      first_q  <= first_d;
      second_q <= second_d;
    end
  end
endmodule
