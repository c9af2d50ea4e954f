// Properties of bank_conflict_resolver (rtl/bank_conflict_resolver.sv; gpu-like.md §4). scripts/formal puts an instance
// into the module.
// Sizes: WARP_SIZE=4 BANKS=2 BROADCAST=1 WORD_BITS=3;WARP_SIZE=4 BANKS=2 BROADCAST=0 WORD_BITS=3;WARP_SIZE=4 BANKS=4 BROADCAST=0 WORD_BITS=4;WARP_SIZE=7 BANKS=4 BROADCAST=0 WORD_BITS=4;WARP_SIZE=8 BANKS=4 BROADCAST=1 WORD_BITS=4
module bank_conflict_resolver_props #(
    parameter  int unsigned WARP_SIZE = 32,
    parameter  int unsigned BANKS     = 32,
    parameter  int unsigned BROADCAST = 1,
    parameter  int unsigned WORD_BITS = 30,
    localparam int unsigned PART      = BANKS < WARP_SIZE ? BANKS : WARP_SIZE
) (
    input logic                           clk_i,
    input logic                           rst_ni,
    input logic                           valid_i,
    input logic [WARP_SIZE-1:0]           active_i,
    input logic [WARP_SIZE*WORD_BITS-1:0] word_i,
    input logic                           pass_o,
    input logic [WARP_SIZE-1:0]           threads_o,
    input logic                           last_o,
    input logic                           begun_q,
    input logic [WARP_SIZE-1:0]           left_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any two threads: a property of them holds for all.
  (* anyconst *) logic [5:0] any;
  (* anyconst *) logic [5:0] other;
  logic [WORD_BITS-1:0] word_any, word_other;
  logic                 same_bank, same_part;
  assign word_any   = word_i[any*WORD_BITS +: WORD_BITS];
  assign word_other = word_i[other*WORD_BITS +: WORD_BITS];
  assign same_bank  = ((word_any ^ word_other) & WORD_BITS'(BANKS - 1)) == '0;
  assign same_part  = 32'(any) / PART == 32'(other) / PART;

  // The access, which stays until its last pass; served threads; number of passes.
  logic                           on_q;
  logic [WARP_SIZE-1:0]           active_q, served, served_q;
  logic [WARP_SIZE*WORD_BITS-1:0] word_q;
  logic [7:0]                     passes, passes_q;
  assign served = on_q ? served_q : '0;
  assign passes = on_q ? passes_q : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      on_q     <= 1'b0;
      active_q <= '0;
      word_q   <= '0;
      served_q <= '0;
      passes_q <= '0;
    end else if (valid_i) begin
      on_q     <= !last_o;
      active_q <= active_i;
      word_q   <= word_i;
      served_q <= served | threads_o;
      passes_q <= passes + 8'd1;
    end
  end

  // The lowest waiting thread, and its word.
  logic [WARP_SIZE-1:0] waits, lowest;
  logic [WORD_BITS-1:0] lowest_word;
  assign waits  = valid_i ? active_i & ~served : '0;
  assign lowest = waits & (~waits + WARP_SIZE'(1));
  always_comb begin
    lowest_word = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      lowest_word = lowest_word | ({WORD_BITS{lowest[k]}} & word_i[k*WORD_BITS +: WORD_BITS]);
    end
  end

  // The thread is in the part that is served next; a lower thread of that part uses its bank with another
  // word.
  logic is_next, is_behind;
  always_comb begin
    is_next   = 1'b0;
    is_behind = 1'b0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      if (lowest[k] && k / PART == 32'(any) / PART) is_next = waits[any];
      if (waits[k] && k < 32'(any) && k / PART == 32'(any) / PART
          && ((word_any ^ word_i[k*WORD_BITS +: WORD_BITS]) & WORD_BITS'(BANKS - 1)) == '0) is_behind = 1'b1;
    end
  end

  always_comb begin
    assume (32'(any) < WARP_SIZE && 32'(other) < WARP_SIZE);
    assume (!(on_q && valid_i) || (active_i == active_q && word_i == word_q));
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    served_once:         assert (!threads_o[any] || waits[any]);
    served_once_reached: cover (threads_o[any] && passes != '0);

    all_are_served:         assert (!last_o || (active_i & ~(served | threads_o)) == '0);
    all_are_served_reached: cover (last_o && passes != '0);

    last_as_soon_as_all_are:         assert (!valid_i || last_o == ((waits & ~threads_o) == '0));
    last_as_soon_as_all_are_reached: cover (last_o && active_i == '0);

    a_bank_reads_one_word:         assert (!(threads_o[any] && threads_o[other] && same_bank) || word_any == word_other);
    a_bank_reads_one_word_reached: cover (threads_o[any] && threads_o[other] && any != other && same_bank);

    parts_one_after_the_other:         assert (!(threads_o[any] && threads_o[other]) || same_part);
    parts_one_after_the_other_reached: cover (threads_o[any] && waits[other] && !threads_o[other]);

    lower_parts_first:         assert (!(threads_o[any] && waits[other] && !same_part) || any < other);
    lower_parts_first_reached: cover (threads_o[any]);

    the_lowest_is_served:         assert (waits == '0 || (threads_o & lowest) != '0);
    the_lowest_is_served_reached: cover (pass_o && threads_o != lowest);

    the_lowest_of_each_bank_is_served:         assert (!is_next || is_behind || threads_o[any]);
    the_lowest_of_each_bank_is_served_reached: cover (is_next && !is_behind && !lowest[any]);

    any_word_goes_to_all:         assert (!(BROADCAST == 1 && threads_o[any] && waits[other] && same_part
                                            && word_any == word_other) || threads_o[other]);
    any_word_goes_to_all_reached: cover (threads_o[any] && threads_o[other] && any != other);

    one_word_goes_to_all:         assert (!(BROADCAST == 0 && threads_o[any] && waits[other] && same_part && any != other
                                            && word_any == word_other)
                                          || threads_o[other] == (word_any == lowest_word));
    one_word_goes_to_all_reached: cover (threads_o[any] && any != other);

    a_pass_a_cycle:         assert (pass_o == (waits != '0) && pass_o == (threads_o != '0));
    a_pass_a_cycle_reached: cover (!pass_o && valid_i);

    stands_still:         assert (valid_i || !(pass_o || last_o));
    stands_still_reached: cover (!valid_i && on_q);

    nobody_waits_for_ever:         assert (passes < 8'(WARP_SIZE) || waits == '0);
    nobody_waits_for_ever_reached: cover (passes == 8'd1 && last_o);

    lemma_left:           assert (begun_q == on_q && (!on_q || left_q == (active_q & ~served_q)));
    lemma_left_reached:   cover (on_q);
    lemma_some:           assert (!on_q || left_q != '0);
    lemma_some_reached:   cover (begun_q);
    lemma_passes:         assert (!on_q || 32'(passes_q) <= 32'($countones(served_q)));
    lemma_passes_reached: cover (on_q && passes_q != '0);
    lemma_served:         assert (!on_q || (served_q & ~active_q) == '0);
    lemma_served_reached: cover (on_q && served_q != '0);
  end
endmodule
