// Properties of instruction_reuse_buffer (rtl/instruction_reuse_buffer.sv; machine.md §9), for insertions with right
// and with wrong parity; a wrong one stands for a particle that hits an entry. scripts/formal puts an instance into the
// module, after the lines below that begin with //+, which give the parity of every entry.
//
// Sizes: ENTRIES=4 TAG_BITS=2 OPCODE_BITS=2 WORD_BITS=2;ENTRIES=2 TAG_BITS=1 OPCODE_BITS=1 WORD_BITS=1
//
//+ logic [ENTRIES-1:0] sound;
//+ always_comb begin
//+   for (int unsigned n = 0; n < ENTRIES; n++) begin
//+     sound[n] = !(^{parity_q[n], valid_q[n], tag_q[n*TAG_BITS+:TAG_BITS], opcode_q[n*OPCODE_BITS+:OPCODE_BITS],
//+                    source_q[n*3*SOURCE_BITS+:3*SOURCE_BITS], flags_q[n*FLAGS_BITS+:FLAGS_BITS],
//+                    result_q[n*RESULT_BITS+:RESULT_BITS], result_flags_q[n*RESULT_FLAGS_BITS+:RESULT_FLAGS_BITS]});
//+   end
//+ end
module instruction_reuse_buffer_props #(
    parameter  int unsigned ENTRIES           = 8,
    parameter  int unsigned TAG_BITS          = 10,
    parameter  int unsigned OPCODE_BITS       = 13,
    parameter  int unsigned WORD_BITS         = 32,
    localparam int unsigned FLAGS_BITS        = 9,
    localparam int unsigned SOURCE_BITS       = WORD_BITS,
    localparam int unsigned RESULT_BITS       = WORD_BITS,
    localparam int unsigned RESULT_FLAGS_BITS = 4,
    localparam int unsigned RANK_BITS         = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
    localparam int unsigned KEY_BITS          = TAG_BITS + OPCODE_BITS,
    localparam int unsigned OPERAND_BITS      = 3 * SOURCE_BITS + FLAGS_BITS,
    localparam int unsigned ANSWER_BITS       = RESULT_BITS + RESULT_FLAGS_BITS
) (
    input logic                                 clk_i,
    input logic                                 rst_ni,
    input logic                                 lookup_i,
    input logic [TAG_BITS-1:0]                  lookup_tag_i,
    input logic [OPCODE_BITS-1:0]               lookup_opcode_i,
    input logic [WORD_BITS-1:0]                 lookup_source0_i,
    input logic [WORD_BITS-1:0]                 lookup_source1_i,
    input logic [WORD_BITS-1:0]                 lookup_source2_i,
    input logic [FLAGS_BITS-1:0]                lookup_flags_i,
    input logic                                 insert_i,
    input logic [TAG_BITS-1:0]                  insert_tag_i,
    input logic [OPCODE_BITS-1:0]               insert_opcode_i,
    input logic [WORD_BITS-1:0]                 insert_source0_i,
    input logic [WORD_BITS-1:0]                 insert_source1_i,
    input logic [WORD_BITS-1:0]                 insert_source2_i,
    input logic [FLAGS_BITS-1:0]                insert_flags_i,
    input logic [WORD_BITS-1:0]                 insert_result_i,
    input logic [3:0]                           insert_result_flags_i,
    input logic                                 insert_poison_i,
    input logic                                 hit_o,
    input logic [WORD_BITS-1:0]                 result_o,
    input logic [3:0]                           result_flags_o,
    input logic                                 operands_o,
    input logic                                 parity_o,
    input logic                                 evicted_o,
    input logic [ENTRIES-1:0]                   valid_q,
    input logic [ENTRIES*TAG_BITS-1:0]          tag_q,
    input logic [ENTRIES*OPCODE_BITS-1:0]       opcode_q,
    input logic [ENTRIES*3*SOURCE_BITS-1:0]     source_q,
    input logic [ENTRIES*FLAGS_BITS-1:0]        flags_q,
    input logic [ENTRIES*RESULT_BITS-1:0]       result_q,
    input logic [ENTRIES*RESULT_FLAGS_BITS-1:0] result_flags_q,
    input logic [ENTRIES*RANK_BITS-1:0]         rank_q,
    input logic [ENTRIES-1:0]                   sound,
    input logic [ENTRIES-1:0]                   hits,
    input logic [ENTRIES-1:0]                   into
);
  // Any instruction (tag and opcode), any operands, any result that it may have with them, and any two
  // entries: a property of them holds for all.
  (* anyconst *) logic [KEY_BITS-1:0] k;
  (* anyconst *) logic [OPERAND_BITS-1:0] a;
  (* anyconst *) logic [ANSWER_BITS-1:0] f;
  (* anyconst *) logic [7:0] x;
  (* anyconst *) logic [7:0] y;

  logic looks, looks_a, inserts, inserts_a;
  logic [ANSWER_BITS-1:0] result, inserted;
  assign looks     = lookup_i && {lookup_tag_i, lookup_opcode_i} == k;
  assign looks_a   = looks && {lookup_flags_i, lookup_source2_i, lookup_source1_i, lookup_source0_i} == a;
  assign inserts   = insert_i && {insert_tag_i, insert_opcode_i} == k;
  assign inserts_a = inserts && {insert_flags_i, insert_source2_i, insert_source1_i, insert_source0_i} == a;
  assign result    = {result_flags_o, result_o};
  assign inserted  = {insert_result_flags_i, insert_result_i};

  // Entries of the instruction; entries with these operands, too; entries without the latest inserted result.
  logic [ENTRIES-1:0]     of_k, of_k_a, stale;
  logic [ANSWER_BITS-1:0] last_q;   // latest inserted result for k and a
  logic                   known_q;  // a result has been inserted
  logic                   pure_q;   // all inserted results have been f
  always_comb begin
    of_k   = '0;
    of_k_a = '0;
    stale  = '0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      of_k[e]   = valid_q[e] && sound[e] && {tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS]} == k;
      of_k_a[e] = of_k[e] && {flags_q[e*FLAGS_BITS+:FLAGS_BITS], source_q[e*3*SOURCE_BITS+:3*SOURCE_BITS]} == a;
      stale[e]  = of_k_a[e] && {result_flags_q[e*RESULT_FLAGS_BITS+:RESULT_FLAGS_BITS],
                                result_q[e*RESULT_BITS+:RESULT_BITS]} != last_q;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q  <= '0;
      known_q <= 1'b0;
      pure_q  <= 1'b1;
    end else if (inserts_a && !insert_poison_i) begin
      last_q  <= inserted;
      known_q <= 1'b1;
      pure_q  <= pure_q && inserted == f;
    end
  end

  // No two entries are equal, for any instructions.
  logic unique_all;
  always_comb begin
    unique_all = 1'b1;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      for (int unsigned o = 0; o < e; o++) begin
        if (valid_q[e] && sound[e] && valid_q[o] && sound[o] &&
            tag_q[e*TAG_BITS+:TAG_BITS] == tag_q[o*TAG_BITS+:TAG_BITS] &&
            opcode_q[e*OPCODE_BITS+:OPCODE_BITS] == opcode_q[o*OPCODE_BITS+:OPCODE_BITS]) unique_all = 1'b0;
      end
    end
  end

  // Entries of bad parity that a search reads; whether a good entry of the inserted instruction exists.
  logic [ENTRIES-1:0] met_bad;
  logic               own;
  always_comb begin
    met_bad = '0;
    own     = 1'b0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      if (valid_q[e] && insert_i && {tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS]} ==
          {insert_tag_i, insert_opcode_i}) begin
        met_bad[e] = !sound[e];
        own        = own || sound[e];
      end
      if (valid_q[e] && lookup_i && {tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS]} ==
          {lookup_tag_i, lookup_opcode_i} && !sound[e]) met_bad[e] = 1'b1;
    end
  end

  // Ranks of any two entries; which of x and y was used later.
  logic                 distinct, recent_q, good_x, met_x;
  logic [RANK_BITS-1:0] rank_x, rank_y;
  always_comb begin
    distinct = 1'b1;
    rank_x   = '0;
    rank_y   = '0;
    good_x   = 1'b0;
    met_x    = 1'b0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      if (32'(rank_q[e*RANK_BITS+:RANK_BITS]) >= ENTRIES) distinct = 1'b0;
      for (int unsigned o = 0; o < e; o++) begin
        if (rank_q[e*RANK_BITS+:RANK_BITS] == rank_q[o*RANK_BITS+:RANK_BITS]) distinct = 1'b0;
      end
      if (32'(x) == e) begin
        rank_x = rank_q[e*RANK_BITS+:RANK_BITS];
        good_x = sound[e];
        met_x  = valid_q[e] && ((lookup_i && {lookup_tag_i, lookup_opcode_i} ==
                 {tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS]}) ||
                 (insert_i && {insert_tag_i, insert_opcode_i} ==
                 {tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS]}));
      end
      if (32'(y) == e) rank_y = rank_q[e*RANK_BITS+:RANK_BITS];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      recent_q <= x < y;
    else if (into[x]) recent_q <= 1'b1;
    else if (into[y]) recent_q <= 1'b0;
    else if (hits[x]) recent_q <= 1'b1;
    else if (hits[y]) recent_q <= 1'b0;
  end

  logic started = 1'b0, past_reset_q, past_bad_q, past_into_x_q, past_k_a_q;
  always_ff @(posedge clk_i) begin
    started       <= 1'b1;
    past_reset_q  <= !rst_ni;
    past_bad_q    <= met_x && !good_x;
    past_into_x_q <= into[x];
    past_k_a_q    <= inserts_a && !insert_poison_i;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(x) < ENTRIES && 32'(y) < ENTRIES);
  end

  always_comb if (started && rst_ni) begin
    a_hit_is_what_was_inserted:         assert (!(looks_a && hit_o) || (known_q && result == last_q));
    a_hit_is_what_was_inserted_reached: cover (looks_a && hit_o && result != '0);

    a_hit_is_what_execution_gives:         assert (!(looks_a && hit_o && pure_q) || result == f);
    a_hit_is_what_execution_gives_reached: cover (looks_a && hit_o && pure_q && k != '0);

    a_hit_needs_equal_operands:         assert (!(looks_a && hit_o) || of_k_a != '0);
    a_hit_needs_equal_operands_reached: cover (looks && hit_o && a != '0);

    equal_operands_hit:         assert (!(looks_a && of_k_a != '0) || hit_o);
    equal_operands_hit_reached: cover (looks_a && of_k_a != '0 && k != '0);

    other_operands_are_told:         assert (!looks || operands_o == (of_k != '0 && !hit_o));
    other_operands_are_told_reached: cover (looks && operands_o);

    bad_parity_never_hits:         assert ((hits & ~sound) == '0);
    bad_parity_never_hits_reached: cover (looks && parity_o && !hit_o);

    bad_parity_is_told:         assert (!(met_x && !good_x) || parity_o);
    bad_parity_is_told_reached: cover (met_x && !good_x && !insert_i);

    // A hit of this cycle is a use.
    evicts_the_one_used_least_recently:         assert (!(evicted_o && into[x] && x != y) || !(hits[x] || (recent_q && !hits[y])));
    evicts_the_one_used_least_recently_reached: cover (evicted_o && into[x] && x != '0 && hits[y]);

    an_eviction_is_told: assert (evicted_o == (insert_i && valid_q == '1 && met_bad == '0 && !own));
    an_eviction_is_told_reached: cover (evicted_o && hit_o);

    told_of_every_bad_parity_met_no_other:         assert (parity_o == (met_bad != '0));
    told_of_every_bad_parity_met_no_other_reached: cover (parity_o && insert_i && !lookup_i);

    nothing_is_found_without_a_look_up:         assert (lookup_i || !(hit_o || operands_o));
    nothing_is_found_without_a_look_up_reached: cover (!lookup_i && insert_i && own);

    no_result_without_a_hit:         assert (hit_o || result == '0);
    no_result_without_a_hit_reached: cover (operands_o);

    an_insertion_has_one_entry:         assert (insert_i ? into != '0 && (into & (into - ENTRIES'(1))) == '0 : into == '0);
    an_insertion_has_one_entry_reached: cover (insert_i && into[x] && x == '0);

    ranks_are_a_permutation:         assert (distinct);
    ranks_are_a_permutation_reached: cover (rank_x == '0 && 32'(x) == ENTRIES - 1);

    ranks_are_the_order_of_use:         assert (x == y || (rank_x < rank_y) == recent_q);
    ranks_are_the_order_of_use_reached: cover (ENTRIES == 1 || (x > y && recent_q));

    lemma_one_entry_of_an_instruction:         assert ((of_k & (of_k - ENTRIES'(1))) == '0);
    lemma_one_entry_of_an_instruction_reached: cover (of_k != '0 && k != '0);

    lemma_one_entry_of_each:         assert (unique_all);
    lemma_one_entry_of_each_reached: cover ((valid_q & sound) == '1);

    lemma_no_entry_is_stale:         assert (stale == '0 && (of_k_a == '0 || known_q));
    lemma_no_entry_is_stale_reached: cover (of_k_a != '0 && last_q != '0);

    lemma_pure:         assert (!(pure_q && known_q) || last_q == f);
    lemma_pure_reached: cover (pure_q && known_q);
  end

  always_comb if (started && rst_ni && !past_reset_q) begin
    met_with_bad_parity_is_gone:         assert (!past_bad_q || !valid_q[x] || past_into_x_q);
    met_with_bad_parity_is_gone_reached: cover (past_bad_q && !valid_q[x]);

    what_was_inserted_is_found:         assert (!past_k_a_q || of_k_a != '0);
    what_was_inserted_is_found_reached: cover (past_k_a_q);
  end
endmodule
