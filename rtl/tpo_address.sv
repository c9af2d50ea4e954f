// tpo_address: where an object of a thread lies in its lane's TPM, and which objects an access to its stack needs
// (dual-mode §3.5, equation 2; §3.6, Fig. 7; machine.md §4). Twin of model/control/tpo_address.h.
//
// Object d of context j is word (m·n_tpo + d)·N_it + v, with m = j / N_it and v = j mod N_it. Stacks have a size that
// is a power of two, and the top of a lane's segment is aligned to its size: the thread field of an address is ~j, the
// index of a word the one's complement of its offset. Words of an index below n_tpo − N_REG are objects N_REG + index.
// All of it is an input, and combinational: so one proof holds for every machine and launch.
module tpo_address #(
    localparam int unsigned N_REG = 48
) (
    input  logic [2:0]  rounds_bits_i,    // log2 N_it, 0–6
    input  logic [3:0]  contexts_bits_i,  // log2 N_ct, 0–9
    input  logic [4:0]  stack_bits_i,     // log2 of a stack's bytes, 8 or more; of the segment: 28 at most
    input  logic [22:0] n_tpo_i,          // N_REG or more
    input  logic [31:0] top_i,            // first address above the lane's segment
    input  logic [8:0]  context_i,        // j
    input  logic [22:0] object_i,         // d, of the row if no word of an access is an object
    input  logic        access_i,         // a load or store of context j
    input  logic [31:0] address_i,        // of it
    input  logic [3:0]  bytes_i,          // 1–8
    output logic        own_o,            // it is one, and all of it is in context j's stack
    output logic [1:0]  words_o,          // words of it that are objects: its last
    output logic [3:0]  memory_o,         // bytes of it that are in memory: its first
    output logic [31:0] row_o,            // vTPO of its last word if that is an object, else of object_i: m·n_tpo + d
    output logic [5:0]  round_o,          // v
    output logic [31:0] word_o            // of the lane's TPM
);
  logic [31:0] offsets, contexts, last, object;
  logic [29:0] held, first_index, last_index;
  logic [4:0]  segment_bits;

  assign offsets      = (32'd1 << stack_bits_i) - 32'd1;
  assign contexts     = (32'd1 << contexts_bits_i) - 32'd1;
  assign segment_bits = stack_bits_i + 5'(contexts_bits_i);
  assign last         = address_i + 32'(bytes_i) - 32'd1;
  assign held         = 30'(n_tpo_i) - 30'(N_REG);
  assign first_index  = 30'((~address_i & offsets) >> 2);
  assign last_index   = 30'((~last & offsets) >> 2);

  always_comb begin
    own_o = access_i
         && ((address_i ^ (top_i - 32'd1)) >> segment_bits) == 32'd0
         && ((last ^ (top_i - 32'd1)) >> segment_bits) == 32'd0
         && ((~address_i >> stack_bits_i) & contexts) == 32'(context_i)
         && ((~last >> stack_bits_i) & contexts) == 32'(context_i);
    words_o  = 2'd0;
    memory_o = access_i ? bytes_i : 4'd0;
    if (own_o && last_index < held) begin
      if (first_index < held) begin
        words_o  = 2'(first_index - last_index + 30'd1);
        memory_o = 4'd0;
      end else begin
        words_o  = 2'(held - last_index);
        memory_o = 4'({first_index - held + 30'd1, 2'b00} - 32'(address_i[1:0]));
      end
    end
  end

  assign object  = words_o != 2'd0 ? 32'(N_REG) + 32'(last_index) : 32'(object_i);
  assign row_o   = (32'(context_i) >> rounds_bits_i) * 32'(n_tpo_i) + object;
  assign round_o = 6'(context_i) & 6'((7'd1 << rounds_bits_i) - 7'd1);
  assign word_o  = (row_o << rounds_bits_i) | 32'(round_o);
endmodule
