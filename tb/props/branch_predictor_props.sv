// Properties of branch_predictor (rtl/branch_predictor.sv; docs/superscalar.md §1). scripts/formal puts an instance
// into the module.
// Sizes: FETCH_WIDTH=4 COMMITS=3 COUNTERS=4096 TAG_BITS=18;FETCH_WIDTH=4 COMMITS=1 COUNTERS=4096 TAG_BITS=18;FETCH_WIDTH=1 COMMITS=1 COUNTERS=1 TAG_BITS=30;FETCH_WIDTH=2 COMMITS=2 COUNTERS=2 TAG_BITS=29;FETCH_WIDTH=8 COMMITS=4 COUNTERS=4 TAG_BITS=28
//
// Assumption: a row of a table has the same content at every read port. The properties update a copy of a row with one
// branch after the other, and compare.
module branch_predictor_props #(
    parameter  int unsigned FETCH_WIDTH = 4,
    parameter  int unsigned COMMITS     = 3,
    parameter  int unsigned COUNTERS    = 4096,
    parameter  int unsigned TAG_BITS    = 18,
    localparam int unsigned SLOT_BITS   = FETCH_WIDTH > 1 ? $clog2(FETCH_WIDTH) : 1,
    localparam int unsigned WORD_BITS   = 30,
    localparam int unsigned BLOCK_BITS  = WORD_BITS
) (
    input logic                             fetch_i,
    input logic [BLOCK_BITS-1:0]            block_i,
    input logic [FETCH_WIDTH-1:0]           branch_i,
    input logic [FETCH_WIDTH-1:0]           conditional_i,
    input logic [FETCH_WIDTH-1:0]           valid_i,
    input logic [FETCH_WIDTH*TAG_BITS-1:0]  tag_i,
    input logic [FETCH_WIDTH*WORD_BITS-1:0] target_i,
    input logic [FETCH_WIDTH*2-1:0]         counter_i,
    input logic [COMMITS-1:0]               learn_i,
    input logic [COMMITS*WORD_BITS-1:0]     pc_i,
    input logic [COMMITS-1:0]               counts_i,
    input logic [COMMITS-1:0]               was_taken_i,
    input logic [COMMITS*WORD_BITS-1:0]     new_target_i,
    input logic [COMMITS*2-1:0]             old_counter_i,
    input logic                             taken_o,
    input logic [SLOT_BITS-1:0]             slot_o,
    input logic [WORD_BITS-1:0]             next_o,
    input logic [COMMITS-1:0]               write_counter_o,
    input logic [COMMITS*2-1:0]             new_counter_o,
    input logic [COMMITS-1:0]               write_target_o
);
  function automatic logic [WORD_BITS-1:0] counter_row(input logic [WORD_BITS-1:0] word);
    counter_row = word & WORD_BITS'(COUNTERS - 1);
  endfunction
  function automatic logic [WORD_BITS-1:0] target_row(input logic [WORD_BITS-1:0] word);
    target_row = word & WORD_BITS'((1 << (WORD_BITS - TAG_BITS)) - 1);
  endfunction

  // Any row of each table.
  (* anyconst *) logic [WORD_BITS-1:0] any;
  (* anyconst *) logic [1:0]           before;  // counter of the row
  (* anyconst *) logic [1:0]           which;   // number of any learned branch
  logic [COMMITS-1:0] counted, targeted;        // branches of the row that update the counter; taken branches
                                                // of the row
  logic [1:0]         counter, written;
  logic [2:0]         writes, target_writes;
  always_comb begin
    counter       = before;
    written       = '0;
    writes        = '0;
    target_writes = '0;
    for (int unsigned m = 0; m < COMMITS; m++) begin
      counted[m]  = learn_i[m] && counts_i[m] && counter_row(pc_i[m*WORD_BITS +: WORD_BITS]) == counter_row(any);
      targeted[m] = learn_i[m] && was_taken_i[m] && target_row(pc_i[m*WORD_BITS +: WORD_BITS]) == target_row(any);
      if (counted[m] && was_taken_i[m] && counter != 2'd3) counter = counter + 2'd1;
      else if (counted[m] && !was_taken_i[m] && counter != 2'd0) counter = counter - 2'd1;
      if (counted[m] && write_counter_o[m]) begin
        writes  = writes + 3'd1;
        written = new_counter_o[m*2 +: 2];
      end
      if (targeted[m] && write_target_o[m]) target_writes = target_writes + 3'd1;
    end
  end

  // The last taken branch of the row.
  logic [COMMITS-1:0] last;
  always_comb begin
    last = targeted;
    for (int unsigned m = 0; m < COMMITS; m++)
      for (int unsigned k = m + 1; k < COMMITS; k++) if (targeted[k]) last[m] = 1'b0;
  end

  // Predictions for each instruction of the block, with the rows as the cycle's branches leave them.
  logic [FETCH_WIDTH-1:0] predicted;
  logic [WORD_BITS-1:0]   pc, target, next;
  logic [SLOT_BITS-1:0]   slot;
  logic [1:0]             its;
  logic                   hit, found, learned_now;
  always_comb begin
    predicted   = '0;
    found       = 1'b0;
    learned_now = 1'b0;  // the taken branch was learned in this cycle
    slot        = '0;
    next        = '0;
    for (int unsigned n = 0; n < FETCH_WIDTH; n++) begin
      pc     = WORD_BITS'(32'(block_i) * FETCH_WIDTH + n);
      hit    = valid_i[n] && tag_i[n*TAG_BITS +: TAG_BITS] == TAG_BITS'(pc >> (WORD_BITS - TAG_BITS));
      target = target_i[n*WORD_BITS +: WORD_BITS];
      its    = counter_i[n*2 +: 2];
      for (int unsigned m = 0; m < COMMITS; m++) begin
        if (learn_i[m] && was_taken_i[m] && target_row(pc_i[m*WORD_BITS +: WORD_BITS]) == target_row(pc)) begin
          hit    = pc_i[m*WORD_BITS +: WORD_BITS] == pc;
          target = new_target_i[m*WORD_BITS +: WORD_BITS];
          if (!found) learned_now = hit;
        end
        if (learn_i[m] && counts_i[m] && counter_row(pc_i[m*WORD_BITS +: WORD_BITS]) == counter_row(pc)) begin
          if (was_taken_i[m] && its != 2'd3) its = its + 2'd1;
          else if (!was_taken_i[m] && its != 2'd0) its = its - 2'd1;
        end
      end
      predicted[n] = fetch_i && branch_i[n] && hit && (!conditional_i[n] || its == 2'd2 || its == 2'd3);
      if (predicted[n] && !found) begin
        found = 1'b1;
        slot  = SLOT_BITS'(n);
        next  = target;
      end
    end
  end

  always_comb begin
    for (int unsigned m = 0; m < COMMITS; m++) begin
      if (counter_row(pc_i[m*WORD_BITS +: WORD_BITS]) == counter_row(any)) assume (old_counter_i[m*2 +: 2] == before);
      for (int unsigned k = 0; k < COMMITS; k++)
        if (counter_row(pc_i[m*WORD_BITS +: WORD_BITS]) == counter_row(pc_i[k*WORD_BITS +: WORD_BITS]))
          assume (old_counter_i[m*2 +: 2] == old_counter_i[k*2 +: 2]);
      for (int unsigned n = 0; n < FETCH_WIDTH; n++)
        if (counter_row(pc_i[m*WORD_BITS +: WORD_BITS]) == counter_row(WORD_BITS'(32'(block_i) * FETCH_WIDTH + n)))
          assume (old_counter_i[m*2 +: 2] == counter_i[n*2 +: 2]);
    end
  end

  always_comb begin
    // Contract: requirements of the machine.
    only_a_branch_of_the_fetch_is_taken:         assert (!taken_o || fetch_i && branch_i[slot_o]);
    only_a_branch_of_the_fetch_is_taken_reached: cover (taken_o && 32'(slot_o) == FETCH_WIDTH - 1);

    // Policy: predictions follow from the tables as the branches of the cycle leave them.
    one_is_taken_if_one_is_predicted:         assert (taken_o == (predicted != '0));
    one_is_taken_if_one_is_predicted_reached: cover (taken_o && conditional_i == '1);

    the_first_ends_the_fetch:         assert (!taken_o || slot_o == slot);
    the_first_ends_the_fetch_reached: cover (taken_o && (FETCH_WIDTH == 1 || slot_o != '0));

    it_goes_where_it_went_last:         assert (!taken_o || next_o == next);
    it_goes_where_it_went_last_reached: cover (taken_o && next_o != target_i[32'(slot_o)*WORD_BITS +: WORD_BITS]);

    without_one_place_and_target_are_0:         assert (taken_o || slot_o == '0 && next_o == '0);
    without_one_place_and_target_are_0_reached: cover (!taken_o && fetch_i && branch_i == '1 && valid_i == '1);

    what_is_learned_holds_for_the_fetch_of_the_cycle: assert (!(found && learned_now) || taken_o && next_o == next);
    what_is_learned_holds_for_the_fetch_of_the_cycle_reached: cover (found && learned_now && valid_i == '0);

    // Counters.
    a_counter_is_written_once_if_a_branch_counts:         assert (writes == 3'(counted != '0));
    a_counter_is_written_once_if_a_branch_counts_reached: cover (counted == '1 && writes == 3'd1);

    it_counts_each_branch_and_stays_from_0_to_3:         assert (writes == '0 || written == counter);
    it_counts_each_branch_and_stays_from_0_to_3_reached: cover (writes != '0 && before == 2'd3 && written == 2'd3);

    a_counter_of_no_branch_is_0: assert (32'(which) >= COMMITS || write_counter_o[which] || new_counter_o[32'(which)*2 +: 2] == 2'd0);
    a_counter_of_no_branch_is_0_reached: cover (32'(which) < COMMITS && learn_i[which] && !write_counter_o[which]);

    only_conditional_branches_count:         assert ((write_counter_o & ~(learn_i & counts_i)) == '0);
    only_conditional_branches_count_reached: cover (learn_i == '1 && counts_i == '0);

    // Targets.
    a_row_is_written_once_if_a_branch_was_taken:         assert (target_writes == 3'(targeted != '0));
    a_row_is_written_once_if_a_branch_was_taken_reached: cover (targeted == '1);

    the_last_one_writes_it:         assert ((write_target_o & targeted) == last);
    the_last_one_writes_it_reached: cover (last != '0 && (COMMITS == 1 || last[0]));

    only_branches_that_were_taken_write_it:         assert ((write_target_o & ~(learn_i & was_taken_i)) == '0);
    only_branches_that_were_taken_write_it_reached: cover (learn_i == '1 && was_taken_i == '0);
  end
endmodule
