// tpo_address: where an object of a thread lies in its lane's TPM, and which objects an access to its stack needs
// (dual-mode §3.5, equation 2; §3.6, Fig. 7; machine.md §4). Twin of model/control/tpo_address.h.
//
// Object d of context j is word (m·n_tpo + d)·N_it + v, with m = j / N_it and v = j mod N_it. Stacks have a size that
// is a power of two, and the top of a lane's segment is aligned to its size: the thread field of an address is ~j, the
// index of a word the one's complement of its offset. Words of an index below n_tpo − N_REG are objects N_REG + index.
// All of it is an input, and combinational: so one proof holds for every machine and launch.
module tpo_address #(
    parameter  logic [31:0] CONTEXTS     = 512,  // of a lane, N_ct at most: 512 or 1024
    localparam logic [31:0] N_REG        = 48,
    localparam logic [31:0] CONTEXT_BITS = $clog2(CONTEXTS)
) (
    input  logic [2:0]              rounds_bits_i,   // log2 N_it, 0–6
    input  logic [3:0]              contexts_bits_i, // log2 N_ct, 0–10
    input  logic [4:0]              stack_bits_i,    // log2 of a stack's bytes, 8 or more; of the segment: 28 at most
    input  logic [22:0]             n_tpo_i,         // N_REG or more
    input  logic [31:0]             base_i,          // m·n_tpo, the row of object 0 of context j's warp: found when the launch begins
    input  logic [31:0]             top_i,           // first address above the lane's segment
    input  logic [CONTEXT_BITS-1:0] context_i,       // j
    input  logic [22:0]             object_i,        // d, of the row if no word of an access is an object
    input  logic                    access_i,        // a load or store of context j
    input  logic [31:0]             address_i,       // of it
    input  logic [3:0]              bytes_i,         // 1–8
    output logic                    own_o,           // it is one, and all of it is in context j's stack
    output logic [1:0]              words_o,         // words of it that are objects: its last
    output logic [3:0]              memory_o,        // bytes of it that are in memory: its first
    output logic [31:0]             row_o,           // vTPO of its last word if that is an object, else of object_i: m·n_tpo + d
    output logic [5:0]              round_o,         // v
    output logic [31:0]             word_o           // of the lane's TPM
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (CONTEXTS != 512 && CONTEXTS != 1024) begin : gen_illegal_contexts
    $error("tpo_address: CONTEXTS must be 512 or 1024");
  end
`endif

  logic [31:0] offsets, contexts, index, row_of_object, row_of_input;
  logic [22:0] held;
  logic [4:0]  segment_bits;
  logic [1:0]  crossed;   // from the word of the first byte to that of the last
  logic        in_stack;  // the first byte is in context j's

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
    // An index counts down from the stack's end, which the last byte must not pass.
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

  // Both rows, of which the access says one: it is known late.
  assign row_of_object = base_i + 32'(N_REG) + index - 32'(crossed);
  assign row_of_input  = base_i + 32'(object_i);
  assign row_o         = words_o != 2'd0 ? row_of_object : row_of_input;
  assign round_o       = 6'(context_i) & 6'((7'd1 << rounds_bits_i) - 7'd1);
  assign word_o        = (row_o << rounds_bits_i) | 32'(round_o);
endmodule
