// Properties of pipelined_scheduler (rtl/pipelined_scheduler.sv). scripts/formal puts an instance into the module.
module pipelined_scheduler_props #(
    parameter  int unsigned WARPS      = 16,
    localparam int unsigned WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned COUNT_BITS = WARP_BITS + 2
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic [WARPS-1:0]     ready_i,
    input logic [WARPS-1:0]     stalled_i,
    input logic                 take_i,
    input logic                 valid_o,
    input logic [WARP_BITS-1:0] warp_o,
    input logic [WARPS-1:0]     grant_o,
    input logic                 pending_q,
    input logic [WARP_BITS-1:0] last_q
);
  // Any two warps: a property of them holds for all.
  (* anyconst *) logic [WARP_BITS-1:0] v;
  (* anyconst *) logic [WARP_BITS-1:0] w;

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb begin
    assume (32'(v) < WARPS);
    assume (32'(w) < WARPS);
    if (!started) assume (!rst_ni);
  end

  // Warps that precede w in turn, after the warp chosen last.
  logic [COUNT_BITS-1:0] turn_w;
  assign turn_w = (w > last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(w) - COUNT_BITS'(last_q)
                - COUNT_BITS'(1);

  // Warp w is chosen; grants to others since w became ready.
  logic                  chosen;
  logic [COUNT_BITS-1:0] waited_q;
  assign chosen = pending_q && last_q == w;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        waited_q <= '0;
    else if (!ready_i[w] || grant_o[w]) waited_q <= '0;
    else if (valid_o)                   waited_q <= waited_q + COUNT_BITS'(1);
  end

  // The cycle before: w and v were ready, w was chosen, turns were counted from past_last_q.
  logic                  past_reset_q, past_take_q, past_ready_w_q, past_ready_v_q, past_chosen_q, past_chosen_v_q;
  logic                  past_valid_q, past_any_q;
  logic [WARP_BITS-1:0]  past_last_q;
  logic [COUNT_BITS-1:0] past_turn_v, past_turn_w;
  always_ff @(posedge clk_i) begin
    past_reset_q    <= !rst_ni;
    past_take_q     <= take_i;
    past_ready_w_q  <= ready_i[w];
    past_ready_v_q  <= ready_i[v];
    past_chosen_q   <= chosen;
    past_chosen_v_q <= pending_q && last_q == v;
    past_valid_q    <= valid_o;
    past_any_q      <= ready_i != '0;
    past_last_q     <= last_q;
  end
  assign past_turn_w = (w > past_last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(w)
                     - COUNT_BITS'(past_last_q) - COUNT_BITS'(1);
  assign past_turn_v = (v > past_last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(v)
                     - COUNT_BITS'(past_last_q) - COUNT_BITS'(1);

  always_comb begin
    grant_is_one_hot:         assert (v == w || !(grant_o[v] && grant_o[w]));
    grant_is_one_hot_reached: cover (grant_o[w]);

    only_the_ready_are_granted:         assert (!grant_o[w] || (ready_i[w] && take_i));
    only_the_ready_are_granted_reached: cover (grant_o[w] && (WARPS == 1 || !ready_i[v]));

    valid_says_that_there_is_a_grant:         assert (valid_o == (grant_o != '0));
    valid_says_that_there_is_a_grant_reached: cover (started && !valid_o && ready_i[w]);

    warp_is_the_granted_one:         assert (grant_o[w] ? warp_o == w : valid_o || warp_o == '0);
    warp_is_the_granted_one_reached: cover (grant_o[w] && 32'(w) == WARPS - 1);

    granted_if_and_only_if_chosen_ready_and_taken:         assert (grant_o[w] == (chosen && ready_i[w] && take_i));
    granted_if_and_only_if_chosen_ready_and_taken_reached: cover (chosen && !ready_i[w] && take_i);
  end

  always_comb if (started) begin
    a_ready_warp_gets_its_turn:         assert (32'(waited_q) <= WARPS - 1);
    a_ready_warp_gets_its_turn_reached: cover (32'(waited_q) == (WARPS > 4 ? 4 : WARPS - 1) && grant_o[w]);

    lemma_waited_and_turn:         assert (chosen || 32'(waited_q) + 32'(turn_w) + 32'(pending_q) <= WARPS - 1);
    lemma_waited_and_turn_reached: cover (!chosen && 32'(waited_q) + 32'(turn_w) + 32'(pending_q) == WARPS - 1);

    lemma_last_is_a_warp:         assert (32'(last_q) < WARPS);
    lemma_last_is_a_warp_reached: cover (32'(last_q) == WARPS - 1 && rst_ni);

    reset_makes_warp_0_first:         assert (!(past_reset_q || !rst_ni) || (!pending_q && 32'(last_q) == WARPS - 1));
    reset_makes_warp_0_first_reached: cover (past_reset_q && rst_ni);
  end

  // The choice after a cycle.
  always_comb if (started && rst_ni && !past_reset_q) begin
    a_choice_waits_until_it_is_taken:         assert (!(past_chosen_q && past_ready_w_q && !past_take_q) || chosen);
    a_choice_waits_until_it_is_taken_reached: cover (past_chosen_q && past_ready_w_q && !past_take_q && chosen);

    only_the_ready_are_chosen:         assert (!chosen || past_ready_w_q);
    only_the_ready_are_chosen_reached: cover (chosen && past_ready_w_q && (WARPS == 1 || !past_ready_v_q));

    nobody_is_granted_twice_in_a_row:         assert (!(past_chosen_q && past_ready_w_q && past_take_q) || !chosen);
    nobody_is_granted_twice_in_a_row_reached: cover (past_chosen_q && past_ready_w_q && past_take_q);

    a_warp_is_chosen_if_another_is_ready:         assert (!(past_ready_w_q && !past_chosen_q) || pending_q);
    a_warp_is_chosen_if_another_is_ready_reached: cover (past_ready_w_q && !past_chosen_q && pending_q);

    first_in_turn_is_chosen:         assert (!(chosen && !past_chosen_q && past_ready_v_q && !past_chosen_v_q) || past_turn_w <= past_turn_v);
    first_in_turn_is_chosen_reached: cover (chosen && past_ready_v_q && (WARPS == 1 || (v != w && w <= past_last_q)));

    last_stays_without_a_choice:         assert (pending_q || last_q == past_last_q);
    last_stays_without_a_choice_reached: cover (!pending_q && 32'(last_q) == WARPS / 2 && !past_any_q && past_valid_q == 1'b0);
  end
endmodule
