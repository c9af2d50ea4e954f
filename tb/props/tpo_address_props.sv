// Properties of tpo_address (rtl/tpo_address.sv; dual-mode equations 2 and 3). scripts/formal puts an instance into the
// module.
module tpo_address_props #(
    parameter  int unsigned CONTEXTS     = 512,
    localparam int unsigned CONTEXT_BITS = $clog2(CONTEXTS)
) (
    input logic [2:0]              rounds_bits_i,
    input logic [3:0]              contexts_bits_i,
    input logic [4:0]              stack_bits_i,
    input logic [22:0]             n_tpo_i,
    input logic [31:0]             base_i,
    input logic [31:0]             top_i,
    input logic [CONTEXT_BITS-1:0] context_i,
    input logic [22:0]             object_i,
    input logic                    access_i,
    input logic [31:0]             address_i,
    input logic [3:0]              bytes_i,
    input logic                    own_o,
    input logic [1:0]              words_o,
    input logic [3:0]              memory_o,
    input logic [31:0]             row_o,
    input logic [5:0]              round_o,
    input logic [31:0]             word_o
);
  // The paper's equations, with its symbols.
  logic [31:0] n_it, m, v, d, stack_size, sp, segment, last, held, first_depth, depth;
  assign n_it       = 32'd1 << rounds_bits_i;
  assign m          = 32'(context_i) >> rounds_bits_i;           // 2a
  assign v          = 32'(context_i) & (n_it - 32'd1);           // 2b
  assign stack_size = 32'd1 << stack_bits_i;
  assign segment    = stack_size << contexts_bits_i;
  assign sp         = top_i - (32'(context_i) << stack_bits_i);  // 3
  assign last       = address_i + 32'(bytes_i) - 32'd1;
  assign held       = 32'(n_tpo_i) - 32'd48;
  // Words from SP down to that of the first byte, of the last one.
  assign first_depth = (sp - 32'd4 - (address_i & ~32'd3)) >> 2;
  assign depth       = (sp - 32'd4 - (last & ~32'd3)) >> 2;
  assign d          = words_o != 2'd0 ? 32'd48 + depth : 32'(object_i);

  // Equation 2c in two steps: its bracket, and for each N_it the multiplication by it.
  logic [31:0] row, equation;
  assign row = m * 32'(n_tpo_i) + d;
  always_comb begin
    case (rounds_bits_i)
      3'd0:    equation = row_o * 32'd1 + v;
      3'd1:    equation = row_o * 32'd2 + v;
      3'd2:    equation = row_o * 32'd4 + v;
      3'd3:    equation = row_o * 32'd8 + v;
      3'd4:    equation = row_o * 32'd16 + v;
      3'd5:    equation = row_o * 32'd32 + v;
      default: equation = row_o * 32'd64 + v;
    endcase
  end

  always_comb begin
    assume (rounds_bits_i <= 3'd6);
    assume (32'(contexts_bits_i) <= CONTEXT_BITS);
    assume (stack_bits_i >= 5'd8 && 6'(stack_bits_i) + 6'(contexts_bits_i) <= 6'd28);
    assume (n_tpo_i >= 23'd48);
    assume (base_i == m * 32'(n_tpo_i));
    assume (32'(context_i) < (32'd1 << contexts_bits_i));
    assume (object_i < n_tpo_i);
    assume (bytes_i >= 4'd1 && bytes_i <= 4'd8);
    assume (bytes_i <= 4'd4 || address_i[1:0] == 2'd0);  // doubles are aligned to a word
    assume ((top_i & (segment - 32'd1)) == 32'd0);       // the segment is aligned to its size
    assume (top_i >= segment && top_i != 32'd0);
  end

  logic in_stack;
  assign in_stack = address_i >= sp - stack_size && address_i < sp && last >= sp - stack_size && last < sp;

  always_comb begin
    row_is_the_papers_equation:          assert (row_o == row);
    row_is_the_papers_equation_reached:  cover (row_o == 32'd130 && n_tpo_i == 23'd128);
    word_is_the_papers_equation:         assert (word_o == equation && 32'(round_o) == v);
    word_is_the_papers_equation_reached: cover (word_o == 32'd1045 && n_tpo_i == 23'd128 && rounds_bits_i == 3'd3);

    own_is_from_sp_down:         assert (own_o == (access_i && in_stack));
    own_is_from_sp_down_reached: cover (own_o && context_i == CONTEXT_BITS'(5));

    objects_are_the_first_words:         assert ((words_o != 2'd0) == (own_o && depth < held));
    objects_are_the_first_words_reached: cover (words_o == 2'd1 && held == 32'd1);

    // The part in memory ends where the objects begin, at sp − 4·held. Without objects, it is the whole
    // access.
    memory_ends_where_objects_begin: assert (
        words_o == 2'd0 ? memory_o == (access_i ? bytes_i : 4'd0)
        : memory_o == 4'd0 ? first_depth < held
        : address_i + 32'(memory_o) == sp - {held[29:0], 2'b00});
    memory_ends_where_objects_begin_reached: cover (memory_o != 4'd0 && words_o != 2'd0);

    words_cover_the_rest: assert (
        words_o == 2'd0 || 32'(words_o) == ((last >> 2) - ((address_i + 32'(memory_o)) >> 2)) + 32'd1);
    words_cover_the_rest_reached: cover (words_o == 2'd2);

    no_object_is_in_the_next_warp:         assert (d < 32'(n_tpo_i));
    no_object_is_in_the_next_warp_reached: cover (words_o != 2'd0 && d == 32'(n_tpo_i) - 32'd1);
  end
endmodule
