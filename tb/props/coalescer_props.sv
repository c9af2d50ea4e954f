// Properties of coalescer (rtl/coalescer.sv; gpu-like.md §4). scripts/formal puts an instance into the module.
// Sizes: WARP_SIZE=4 RULE=1 LINE_BYTES=64 ADDRESS_BITS=8;WARP_SIZE=4 RULE=0 LINE_BYTES=32 ADDRESS_BITS=8;WARP_SIZE=4 RULE=1 LINE_BYTES=32 ADDRESS_BITS=8;WARP_SIZE=4 RULE=1 LINE_BYTES=256 ADDRESS_BITS=10;WARP_SIZE=18 RULE=0 LINE_BYTES=64 ADDRESS_BITS=8
module coalescer_props #(
    parameter  int unsigned WARP_SIZE    = 32,
    parameter  int unsigned RULE         = 1,
    parameter  int unsigned LINE_BYTES   = 64,
    parameter  int unsigned ADDRESS_BITS = 32
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic                              valid_i,
    input logic                              store_i,
    input logic [3:0]                        bytes_i,
    input logic [WARP_SIZE-1:0]              active_i,
    input logic [WARP_SIZE*ADDRESS_BITS-1:0] address_i,
    input logic                              valid_o,
    input logic [ADDRESS_BITS-1:0]           address_o,
    input logic [8:0]                        length_o,
    input logic [8:0]                        bytes_o,
    input logic [7:0]                        pieces_o,
    input logic [WARP_SIZE-1:0]              threads_o,
    input logic                              last_o,
    input logic                              begun_q,
    input logic [WARP_SIZE-1:0]              first_q,
    input logic [WARP_SIZE-1:0]              second_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any byte of any thread: a property of it holds for all.
  (* anyconst *) logic [5:0] any;
  (* anyconst *) logic [2:0] byte_of;
  logic [ADDRESS_BITS-1:0] from, at, last, offset;
  logic [3:0]              shift;
  logic                    of_first, crosses;  // of_first: the byte is in the segment of its thread's first
                                               // byte
  assign shift    = RULE == 1 ? 4'($clog2(LINE_BYTES)) : bytes_i == 4'd1 ? 4'd5 : bytes_i == 4'd2 ? 4'd6 : 4'd7;
  assign from     = address_i[any*ADDRESS_BITS +: ADDRESS_BITS];
  assign at       = from + ADDRESS_BITS'(byte_of);
  assign last     = from + ADDRESS_BITS'(bytes_i) - ADDRESS_BITS'(1);
  assign offset   = at - address_o;
  assign of_first = at >> shift == from >> shift;
  assign crosses  = last >> shift != from >> shift;

  // The byte is requested; the byte is in this transaction.
  logic wanted, inside;
  assign wanted = valid_i && active_i[any] && 4'(byte_of) < bytes_i;
  assign inside = valid_o && threads_o[any] && 32'(offset) < 32'(length_o);

  // The access, which stays until its last transaction; whether the byte has been in a transaction; the
  // lowest thread of the latest transaction; number of transactions.
  logic                              on_q, had, had_q, store_q;
  logic [3:0]                        bytes_q;
  logic [WARP_SIZE-1:0]              active_q, before, before_q, lowest;
  logic [WARP_SIZE*ADDRESS_BITS-1:0] address_q;
  assign had    = on_q && had_q;
  assign before = on_q ? before_q : '0;  // threads below the latest's lowest one
  assign lowest = threads_o & (~threads_o + WARP_SIZE'(1));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      on_q      <= 1'b0;
      had_q     <= 1'b0;
      store_q   <= 1'b0;
      bytes_q   <= '0;
      active_q  <= '0;
      address_q <= '0;
      before_q  <= '0;
    end else if (valid_i) begin
      on_q      <= !last_o;
      had_q     <= had || inside;
      store_q   <= store_i;
      bytes_q   <= bytes_i;
      active_q  <= active_i;
      address_q <= address_i;
      before_q  <= lowest - WARP_SIZE'(1);
    end
  end

  logic [3:0] pieces;  // pieces of a transaction
  assign pieces = 4'(length_o >> 5);

  // The part of the current transaction is that of its lowest thread. For thread `any`: it is in the part; it
  // is the lowest. For the piece: a thread of the transaction requests a byte of it.
  (* anyconst *) logic [2:0] piece;
  localparam int unsigned PART = RULE == 0 ? 16 : 64;
  logic                    is_of_part, is_lowest, asked, all_cross;  // all_cross: every remaining last byte
                                                                     // is in another segment than the first
  logic [ADDRESS_BITS-1:0] piece_at, last_at;
  assign piece_at = ADDRESS_BITS'((address_o >> 5) + ADDRESS_BITS'(piece));
  always_comb begin
    is_of_part = 1'b0;
    is_lowest  = 1'b0;
    asked      = 1'b0;
    all_cross  = 1'b1;
    last_at    = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      if (lowest[k] && k / PART == 32'(any) / PART) is_of_part = 1'b1;
      if (lowest[k] && k == 32'(any)) is_lowest = 1'b1;
      last_at = address_i[k*ADDRESS_BITS +: ADDRESS_BITS] + ADDRESS_BITS'(bytes_i) - ADDRESS_BITS'(1);
      if (threads_o[k] && (address_i[k*ADDRESS_BITS +: ADDRESS_BITS] >> 5 == piece_at || last_at >> 5 == piece_at)) asked = 1'b1;
      if (second_q[k] && last_at >> shift == address_i[k*ADDRESS_BITS +: ADDRESS_BITS] >> shift) all_cross = 1'b0;
    end
  end

  // The first byte of the thread has been in a transaction.
  logic had_first, had_first_q, inside_first;
  assign inside_first = valid_o && threads_o[any] && 32'(ADDRESS_BITS'(from - address_o)) < 32'(length_o);
  assign had_first    = on_q && had_first_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) had_first_q <= 1'b0;
    else if (valid_i) had_first_q <= had_first || inside_first;
  end

  always_comb begin
    assume (32'(any) < WARP_SIZE);
    assume (bytes_i == 4'd1 || bytes_i == 4'd2 || bytes_i == 4'd4 || bytes_i == 4'd8);
    assume (!(on_q && valid_i)
            || (active_i == active_q && address_i == address_q && bytes_i == bytes_q && store_i == store_q));
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    a_byte_is_in_one_transaction:         assert (!(wanted && inside) || !had);
    a_byte_is_in_one_transaction_reached: cover (wanted && inside && on_q);

    every_byte_is_in_one:         assert (!(wanted && last_o) || had || inside);
    every_byte_is_in_one_reached: cover (wanted && last_o && had && on_q);

    its_piece_is_asked_for:         assert (!(wanted && inside) || pieces_o[3'(offset >> 5)]);
    its_piece_is_asked_for_reached: cover (wanted && inside && pieces_o[0]);

    no_other_piece_is:         assert (!valid_o || 4'(piece) >= pieces || pieces_o[piece] == asked);
    no_other_piece_is_reached: cover (valid_o && asked && 4'(piece) + 4'd1 == pieces);

    all_of_its_part_join:         assert (!(wanted && !had && is_of_part && at >> shift == address_o >> shift) || inside);
    all_of_its_part_join_reached: cover (wanted && !had && is_of_part && !is_lowest && inside);

    of_one_part:         assert (!threads_o[any] || is_of_part);
    of_one_part_reached: cover (threads_o[any] && !is_lowest);

    the_first_bytes_come_first:         assert (!(wanted && inside && is_lowest && !of_first) || had_first);
    the_first_bytes_come_first_reached: cover (wanted && inside && is_lowest && !of_first && on_q);

    only_active_threads:         assert (!threads_o[any] || (valid_i && active_i[any]));
    only_active_threads_reached: cover (threads_o[any]);

    threads_ask_for_bytes_in_it: assert (!threads_o[any] || 32'(ADDRESS_BITS'(from - address_o)) < 32'(length_o)
                                         || 32'(ADDRESS_BITS'(last - address_o)) < 32'(length_o));
    threads_ask_for_bytes_in_it_reached: cover (threads_o[any] && crosses);

    aligned_to_its_length:         assert (!valid_o || (32'(address_o) & (32'(length_o) - 1)) == 0);
    aligned_to_its_length_reached: cover (valid_o && address_o != '0);

    of_a_lawful_length: assert (!valid_o || (RULE == 1 ? 32'(length_o) == LINE_BYTES
                                : (length_o == 9'd32 || length_o == 9'd64 || length_o == 9'd128)
                                  && 32'(length_o) <= 32'd1 << shift));
    of_a_lawful_length_reached: cover (valid_o);

    no_half_is_unused: assert (!(RULE == 0 && valid_o && length_o > 9'd32)
                               || (pieces_o >> (pieces >> 1) != '0
                                   && (pieces_o & 8'((8'd1 << (pieces >> 1)) - 8'd1)) != '0));
    no_half_is_unused_reached: cover (valid_o && length_o >= 9'd32);

    pieces_are_in_it:         assert (valid_o ? pieces_o != '0 && 16'(pieces_o) >> pieces == '0 : pieces_o == '0);
    pieces_are_in_it_reached: cover (valid_o && pieces_o[0]);

    moves_what_it_must: assert (bytes_o == (RULE == 1 && store_i && valid_o ? 9'($countones(pieces_o)) << 5 : length_o));
    moves_what_it_must_reached: cover (valid_o && store_i);

    in_the_order_of_the_lowest_thread:         assert (!valid_o || (threads_o & before) == '0);
    in_the_order_of_the_lowest_thread_reached: cover (valid_o && before != '0);

    a_transaction_a_cycle: assert (valid_o == (threads_o != '0)
                                   && (valid_o || !valid_i || (!on_q && active_i == '0)));
    a_transaction_a_cycle_reached: cover (valid_i && !valid_o);

    of_nothing_nothing_is_said:         assert (valid_o || (address_o == '0 && length_o == '0 && bytes_o == '0));
    of_nothing_nothing_is_said_reached: cover (valid_i && !valid_o);

    stands_still:         assert (valid_i || !(valid_o || last_o));
    stands_still_reached: cover (!valid_i && on_q);

    last_is_said:         assert (!(valid_i && !valid_o) || last_o);
    last_is_said_reached: cover (last_o && on_q);

    lemma_on:             assert (begun_q == on_q && (!on_q || (first_q | second_q) != '0));
    lemma_on_reached:     cover (on_q);
    lemma_had:            assert (!(on_q && valid_i && wanted) || had_q == !(of_first ? first_q[any] : second_q[any]));
    lemma_had_reached:    cover (on_q && had_q);
    lemma_had_first:      assert (!(on_q && active_q[any]) || had_first_q == !first_q[any]);
    lemma_had_first_reached: cover (on_q && had_first_q);
    lemma_active:         assert (!on_q || ((first_q | second_q) & ~active_q) == '0);
    lemma_active_reached: cover (on_q && second_q != '0);
    lemma_crosses:         assert (!(on_q && valid_i) || all_cross);
    lemma_crosses_reached: cover (on_q && second_q[any]);
    lemma_before:          assert (!on_q || ((first_q | second_q) & before_q) == '0);
    lemma_before_reached:  cover (on_q && before_q != '0);
  end
endmodule
