// Properties of subwarp_dispatcher (rtl/subwarp_dispatcher.sv; dual-mode §3.3; timing.md §X). scripts/formal puts an
// instance into the module.
module subwarp_dispatcher_props #(
    parameter  int unsigned WARPS          = 16,
    parameter  int unsigned WARP_SIZE      = 32,
    parameter  int unsigned LANES          = 4,
    localparam int unsigned N_IT           = WARP_SIZE / LANES,
    localparam int unsigned WARP_BITS      = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned ROUND_BITS     = $clog2(N_IT + 1),
    localparam int unsigned CONTEXT_BITS   = WARPS * N_IT > 1 ? $clog2(WARPS * N_IT) : 1,
    localparam int unsigned BEAT_BITS      = 6,
    localparam int unsigned OCCUPANCY_BITS = 10
) (
    input logic                      clk_i,
    input logic                      rst_ni,
    input logic                      valid_i,
    input logic [WARP_BITS-1:0]      warp_i,
    input logic [ROUND_BITS-1:0]     rounds_i,
    input logic [BEAT_BITS-1:0]      beats_i,
    input logic [OCCUPANCY_BITS-1:0] occupancy_i,
    input logic                      hold_i,
    input logic                      ready_o,
    input logic                      first_o,
    input logic                      valid_o,
    input logic [WARP_BITS-1:0]      warp_o,
    input logic [CONTEXT_BITS-1:0]   context_o,
    input logic [BEAT_BITS-1:0]      beat_o,
    input logic                      last_o,
    input logic                      busy_o,
    input logic                      active_q,
    input logic [WARP_BITS-1:0]      warp_q,
    input logic [ROUND_BITS-1:0]     left_q,
    input logic [BEAT_BITS-1:0]      beat_q,
    input logic [BEAT_BITS-1:0]      last_beat_q,
    input logic [OCCUPANCY_BITS-1:0] occupancy_q,
    input logic [OCCUPANCY_BITS-1:0] wait_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(warp_i) < WARPS);
    assume (rounds_i != '0 && 32'(rounds_i) <= N_IT);
    assume (beats_i != '0);
    assume (occupancy_i != '0);
  end

  // The instruction as taken; completed rounds; beats of the current round; cycles since the last beat that
  // was not held.
  logic                      runs_q, rests_q, over;
  logic [WARP_BITS-1:0]      w, w_q;
  logic [ROUND_BITS-1:0]     rounds, rounds_q, round, round_q;
  logic [BEAT_BITS-1:0]      beats, beats_q, beat, made_q;
  logic [OCCUPANCY_BITS-1:0] every, every_q, since_q;
  logic                      runs, taken, made, due, ends_round;
  assign over       = !rests_q || since_q == every_q;
  assign taken      = valid_i && !runs_q && over;
  assign runs       = runs_q || taken;
  assign w          = taken ? warp_i : w_q;
  assign rounds     = taken ? rounds_i : rounds_q;
  assign beats      = taken ? beats_i : beats_q;
  assign every      = taken ? occupancy_i : every_q;
  assign round      = taken ? '0 : round_q;
  assign beat       = taken ? '0 : made_q;
  assign due        = runs && over;
  assign made       = due && !hold_i;
  assign ends_round = made && 32'(beat) + 1 == 32'(beats);

  logic                     past_q, past_held_q;
  logic [WARP_BITS-1:0]     past_warp_q;
  logic [CONTEXT_BITS-1:0]  past_context_q;
  logic [BEAT_BITS-1:0]     past_beat_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      runs_q      <= 1'b0;
      rests_q     <= 1'b0;
      w_q         <= '0;
      rounds_q    <= ROUND_BITS'(1);
      beats_q     <= BEAT_BITS'(1);
      every_q     <= OCCUPANCY_BITS'(1);
      round_q     <= '0;
      made_q      <= '0;
      since_q     <= OCCUPANCY_BITS'(1);
      past_q      <= 1'b0;
    end else begin
      runs_q      <= runs && !(ends_round && 32'(round) + 1 == 32'(rounds));
      rests_q     <= made || !over;
      w_q         <= w;
      rounds_q    <= rounds;
      beats_q     <= beats;
      every_q     <= every;
      round_q     <= ends_round ? round + ROUND_BITS'(1) : round;
      made_q      <= ends_round ? '0 : made ? beat + BEAT_BITS'(1) : beat;
      since_q     <= made || over ? OCCUPANCY_BITS'(1) : since_q + OCCUPANCY_BITS'(1);
      past_q      <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    past_held_q    <= valid_o && hold_i;
    past_warp_q    <= warp_o;
    past_context_q <= context_o;
    past_beat_q    <= beat_o;
  end

  logic [31:0] base;
  assign base = 32'(w) * N_IT;

  always_comb if (started && rst_ni) begin
    taken_when_offered_and_free:         assert (first_o == (valid_i && ready_o));
    taken_when_offered_and_free_reached: cover (first_o && 32'(warp_i) == WARPS - 1);

    free_as_soon_as_the_last_beat_is_over:         assert (ready_o == (!runs_q && over));
    free_as_soon_as_the_last_beat_is_over_reached: cover (ready_o && rests_q && every_q == OCCUPANCY_BITS'(2));

    the_next_follows_without_a_gap:         assert (!(valid_i && ready_o) || valid_o);
    the_next_follows_without_a_gap_reached: cover (first_o && rests_q && every_q == OCCUPANCY_BITS'(1));

    a_beat_every_occupancy_cycles:         assert (valid_o == due);
    a_beat_every_occupancy_cycles_reached: cover (valid_o && runs_q && every_q == OCCUPANCY_BITS'(3));

    beats_are_of_the_instruction_taken:         assert (!valid_o || warp_o == w);
    beats_are_of_the_instruction_taken_reached: cover (valid_o && !first_o && (WARPS == 1 || warp_o != warp_i));

    thread_id_is_of_the_warp_and_round: assert (!valid_o || (32'(context_o) >= base && 32'(context_o) < base + N_IT));
    thread_id_is_of_the_warp_and_round_reached: cover (valid_o && 32'(context_o) == WARPS * N_IT - 1);

    rounds_follow_each_other_up_to_the_last: assert (!valid_o || 32'(context_o) + 32'(rounds) == base + N_IT + 32'(round));
    rounds_follow_each_other_up_to_the_last_reached: cover (valid_o && (N_IT < 4 || 32'(round) == 3));

    beats_follow_each_other:         assert (!valid_o || beat_o == beat);
    beats_follow_each_other_reached: cover (beat_o == BEAT_BITS'(3));

    the_last_beat_is_said_to_be: assert (last_o == (valid_o && 32'(round) + 1 == 32'(rounds) && 32'(beat) + 1 == 32'(beats)));
    the_last_beat_is_said_to_be_reached: cover (last_o && !first_o && beats == BEAT_BITS'(2));

    a_held_beat_is_made_again: assert (!(past_q && past_held_q)
        || (valid_o && warp_o == past_warp_q && context_o == past_context_q && beat_o == past_beat_q));
    a_held_beat_is_made_again_reached: cover (past_q && past_held_q && beat_o == BEAT_BITS'(1));

    operands_are_held_up_to_the_last_beat:         assert (busy_o == runs);
    operands_are_held_up_to_the_last_beat_reached: cover (busy_o && !valid_o);

    nothing_is_said_of_no_beat:         assert (valid_o || {warp_o, context_o, beat_o, last_o} == '0);
    nothing_is_said_of_no_beat_reached: cover (!valid_o && runs);

    lemma_active:              assert (active_q == runs_q);
    lemma_active_reached:      cover (active_q && 32'(warp_q) == WARPS - 1);
    lemma_instruction:         assert (!active_q || (warp_q == w_q && 32'(last_beat_q) + 1 == 32'(beats_q)));
    lemma_instruction_reached: cover (active_q && beats_q == BEAT_BITS'(5));
    lemma_rounds:              assert (!active_q || (32'(left_q) + 32'(round_q) + 1 == 32'(rounds_q) && 32'(rounds_q) <= N_IT));
    lemma_rounds_reached:      cover (active_q && (N_IT == 1 || round_q != '0));
    lemma_beat:                assert (active_q ? beat_q == made_q && beat_q <= last_beat_q : beat_q == '0);
    lemma_beat_reached:        cover (active_q && made_q == BEAT_BITS'(2));
    lemma_occupancy:           assert (!(active_q || rests_q) || (occupancy_q == every_q && every_q != '0));
    lemma_occupancy_reached:   cover (!active_q && rests_q && every_q == OCCUPANCY_BITS'(4));
    lemma_wait:                assert (rests_q ? 32'(wait_q) + 32'(since_q) == 32'(every_q) && since_q != '0 : wait_q == '0);
    lemma_wait_reached:        cover (wait_q == OCCUPANCY_BITS'(7));
    lemma_warp:                assert (32'(w_q) < WARPS);
    lemma_warp_reached:        cover (32'(w_q) == WARPS - 1);
  end
endmodule
