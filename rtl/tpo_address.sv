// tpo_address: computes the TPM word of a thread's object, and the objects that an access to the thread's stack needs
// (dual-mode §3.5, equation 2; §3.6, Fig. 7; machine.md §4). Twin of model/control/tpo_address.h.
//
// Object d of context j is word (m·n_tpo + d)·N_it + v, with m = j / N_it and v = j mod N_it. The size of a stack is a
// power of two, and the top of a lane's segment is aligned to the segment's size. So the thread field of an address is
// ~j, and the index of a word is the one's complement of its offset. Words with an index below n_tpo - N_REG are
// objects N_REG + index.
//
// All sizes of a launch are inputs, so one proof covers every machine and launch. The block has no state; all outputs
// are combinational.
module tpo_address #(
    parameter  logic [31:0] CONTEXTS     = 512,  // largest number of contexts of a lane, N_ct, 512–1024, a power of two
    localparam logic [31:0] N_REG        = 48,
    localparam logic [31:0] CONTEXT_BITS = $clog2(CONTEXTS)
) (
    input  logic [2:0]              rounds_bits_i,   // log2 N_it, 0–6
    input  logic [3:0]              contexts_bits_i,  // log2 N_ct, 0–10
    input  logic [4:0]              stack_bits_i,    // log2 of the bytes of a stack, at least 8; a lane's segment has
                                                     // at most 2^28 bytes
    input  logic [22:0]             n_tpo_i,         // objects of a thread, at least N_REG
    input  logic [31:0]             base_i,          // m·n_tpo, the row of object 0 of context j's warp; constant
                                                     // during a launch
    input  logic [31:0]             top_i,           // first address above the lane's segment
    input  logic [CONTEXT_BITS-1:0] context_i,       // context j
    input  logic [22:0]             object_i,        // object d, used if no word of the access is an object
    input  logic                    access_i,        // 1: a load or store of context j
    input  logic [31:0]             address_i,       // byte address of the access
    input  logic [3:0]              bytes_i,         // bytes of the access, 1–8
    output logic                    own_o,           // 1: an access that lies in context j's stack
    output logic [1:0]              words_o,         // number of its words that are objects: its last words
    output logic [3:0]              memory_o,        // number of its bytes that are in memory: its first bytes
    output logic [31:0]             row_o,           // row m·n_tpo + d of the access's last word if that is an object,
                                                     // else of object_i
    output logic [5:0]              round_o,         // round v
    output logic [31:0]             word_o           // word of the lane's TPM
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (CONTEXTS != 512 && CONTEXTS != 1024) begin : gen_illegal_contexts
    $error("tpo_address: CONTEXTS must be 512 or 1024");
  end
`endif

  logic [31:0] offsets, contexts, index, row_of_object, row_of_input;
  logic [22:0] held;
  logic [4:0]  segment_bits;
  logic [1:0]  crossed;   // words from that of the first byte to that of the last
  logic        in_stack;  // the first byte lies in context j's stack

  assign offsets      = (32'd1 << stack_bits_i) - 32'd1;
  assign contexts     = (32'd1 << contexts_bits_i) - 32'd1;
  assign segment_bits = stack_bits_i + 5'(contexts_bits_i);
  assign held         = n_tpo_i - 23'(N_REG);
  assign index        = (~address_i & offsets) >> 2;
  assign crossed      = 2'((5'(address_i[1:0]) + 5'(bytes_i) - 5'd1) >> 2);
  assign in_stack     = access_i
                     && ((address_i ^ (top_i - 32'd1)) >> segment_bits) == 32'd0
                     && ((~address_i >> stack_bits_i) & contexts) == 32'(context_i);

  always_comb begin
    // The index counts down from the end of the stack, which the last byte must not pass.
    own_o    = in_stack && (index > 32'd1 || index[1:0] >= crossed);
    words_o  = 2'd0;
    memory_o = access_i ? bytes_i : 4'd0;
    if (own_o && index < 32'(held)) begin
      words_o  = crossed + 2'd1;
      memory_o = 4'd0;
    end else if (own_o && index == 32'(held) && crossed != 2'd0) begin
      words_o  = crossed;
      memory_o = 4'd4 - 4'(address_i[1:0]);
    end else if (own_o && index == 32'(held) + 32'd1 && crossed == 2'd2) begin
      words_o  = 2'd1;
      memory_o = 4'd8 - 4'(address_i[1:0]);
    end
  end

  // Both rows are computed, because the access selects one of them late in the cycle.
  assign row_of_object = base_i + 32'(N_REG) + index - 32'(crossed);
  assign row_of_input  = base_i + 32'(object_i);
  assign row_o         = words_o != 2'd0 ? row_of_object : row_of_input;
  assign round_o       = 6'(context_i) & 6'((7'd1 << rounds_bits_i) - 7'd1);
  assign word_o        = (row_o << rounds_bits_i) | 32'(round_o);
endmodule
