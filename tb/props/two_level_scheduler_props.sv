// Properties of two_level_scheduler (rtl/two_level_scheduler.sv). scripts/formal puts an instance into the module.
// Sweep: lemmas
module two_level_scheduler_props #(
    parameter  int unsigned WARPS      = 16,
    parameter  int unsigned ACTIVE     = 4,
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
    input logic [WARPS-1:0]     active_q,
    input logic [WARP_BITS-1:0] last_q,
    input logic [WARP_BITS-1:0] entered_q,
    input logic [WARPS-1:0]     enter,
    input logic [WARPS-1:0]     pending_from
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

  // Warps that precede a warp in turn: for a grant, for entering.
  logic [COUNT_BITS-1:0] turn_v, turn_w, entry_v, entry_w;
  assign turn_v = (v > last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(v) - COUNT_BITS'(last_q)
                - COUNT_BITS'(1);
  assign turn_w = (w > last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(w) - COUNT_BITS'(last_q)
                - COUNT_BITS'(1);
  assign entry_v = (v > entered_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(v) - COUNT_BITS'(entered_q)
                 - COUNT_BITS'(1);
  assign entry_w = (w > entered_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(w) - COUNT_BITS'(entered_q)
                 - COUNT_BITS'(1);

  // Grants to others since w became ready and active; entries of others since it became pending and not
  // stalled.
  logic [COUNT_BITS-1:0] waited_q, pended_q;
  logic                  waits, pends;
  assign waits = ready_i[w] && active_q[w];
  assign pends = !active_q[w] && !stalled_i[w];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                   waited_q <= '0;
    else if (!waits || grant_o[w]) waited_q <= '0;
    else if (valid_o)              waited_q <= waited_q + COUNT_BITS'(1);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 pended_q <= '0;
    else if (!pends || enter[w]) pended_q <= '0;
    else if (enter != '0)        pended_q <= pended_q + COUNT_BITS'(1);
  end

  logic [COUNT_BITS-1:0] active, staying;
  always_comb begin
    active  = '0;
    staying = '0;
    for (int unsigned n = 0; n < WARPS; n++) begin
      active  = active + COUNT_BITS'(active_q[n]);
      staying = staying + COUNT_BITS'(active_q[n] && !stalled_i[n]);
    end
  end

  // Field n of below_q is the number of active warps below warp n: warps that stayed, and the warp that came in, the first
  // of pending_from where there was room. Field n + 1 of upto also counts warp n.
  logic [(WARPS+1)*COUNT_BITS-1:0] below_d, below_q, upto;
  logic [COUNT_BITS-1:0]           stay_below;
  logic                            come_below;
  always_comb begin
    below_d    = '0;
    upto       = '0;
    stay_below = '0;
    come_below = 1'b0;
    for (int unsigned n = 0; n < WARPS; n++) begin
      stay_below = stay_below + COUNT_BITS'(active_q[n] && !stalled_i[n]);
      come_below = come_below || pending_from[n];

      below_d[(n+1)*COUNT_BITS+:COUNT_BITS] = stay_below + COUNT_BITS'(32'(staying) < ACTIVE && come_below);
      upto[(n+1)*COUNT_BITS+:COUNT_BITS]    = below_q[n*COUNT_BITS+:COUNT_BITS] + COUNT_BITS'(active_q[n]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) below_q <= '0;
    else         below_q <= below_d;
  end

  logic                 past_reset_q, past_valid_q, past_active_q, past_stalled_q, past_enter_w_q, past_enter_q;
  logic [WARP_BITS-1:0] past_warp_q, past_last_q, past_entered_q;
  always_ff @(posedge clk_i) begin
    past_reset_q   <= !rst_ni;
    past_valid_q   <= valid_o;
    past_warp_q    <= warp_o;
    past_last_q    <= last_q;
    past_active_q  <= active_q[w];
    past_stalled_q <= stalled_i[w];
    past_enter_w_q <= enter[w];
    past_enter_q   <= enter != '0;
    past_entered_q <= entered_q;
  end

  always_comb begin
    grant_is_one_hot:         assert (v == w || !(grant_o[v] && grant_o[w]));
    grant_is_one_hot_reached: cover (grant_o[w]);

    only_the_ready_are_granted:         assert (!grant_o[w] || (ready_i[w] && take_i));
    only_the_ready_are_granted_reached: cover (grant_o[w] && (WARPS == 1 || !ready_i[v]));

    only_the_active_are_granted:         assert (!grant_o[w] || active_q[w]);
    only_the_active_are_granted_reached: cover (grant_o[w] && (WARPS == 1 || (ready_i[v] && !active_q[v])));

    no_cycle_is_lost_while_an_active_one_is_ready:         assert (!(take_i && waits) || grant_o != '0);
    no_cycle_is_lost_while_an_active_one_is_ready_reached: cover (take_i && waits);

    valid_says_that_there_is_a_grant:         assert (valid_o == (grant_o != '0));
    valid_says_that_there_is_a_grant_reached: cover (started && !valid_o && waits);

    warp_is_the_granted_one:         assert (grant_o[w] ? warp_o == w : valid_o || warp_o == '0);
    warp_is_the_granted_one_reached: cover (grant_o[w] && 32'(w) == WARPS - 1);

    first_in_turn_is_granted:         assert (!(grant_o[w] && ready_i[v] && active_q[v]) || turn_w <= turn_v);
    first_in_turn_is_granted_reached: cover (grant_o[w] && (ACTIVE == 1 || (ready_i[v] && active_q[v] && v != w && w <= last_q)));

    one_comes_in_at_a_time:         assert (v == w || !(enter[v] && enter[w]));
    one_comes_in_at_a_time_reached: cover (enter[w] && (WARPS == 1 || !active_q[v]));

    only_the_pending_come_in_and_not_stalled:         assert (!enter[w] || pends);
    only_the_pending_come_in_and_not_stalled_reached: cover (enter[w] && (WARPS == 1 || (stalled_i[v] && !active_q[v])));

    room_is_filled:         assert (!(pends && 32'(staying) < ACTIVE) || enter != '0);
    room_is_filled_reached: cover (pends && 32'(staying) < ACTIVE);

    nobody_comes_in_without_room:         assert (enter == '0 || 32'(staying) < ACTIVE);
    nobody_comes_in_without_room_reached: cover (32'(staying) == (ACTIVE < 5 ? ACTIVE : 5) && (WARPS == ACTIVE || pends));

    first_in_turn_comes_in:         assert (!(enter[w] && !active_q[v] && !stalled_i[v]) || entry_w <= entry_v);
    first_in_turn_comes_in_reached: cover (enter[w] && (WARPS == 1 || (!active_q[v] && !stalled_i[v] && v != w)));
  end

  always_comb if (started) begin
    lemma_below_counts_the_active:         assert (below_q == upto);
    lemma_below_counts_the_active_reached: cover (32'(below_q[WARPS*COUNT_BITS+:COUNT_BITS]) == 1);

    lemma_no_more_stay_than_are_active:         assert (32'(active) > ACTIVE || 32'(staying) <= ACTIVE);
    lemma_no_more_stay_than_are_active_reached: cover (32'(active) == 1);

    no_more_than_active_are_active:         assert (32'(active) <= ACTIVE);
    no_more_than_active_are_active_reached: cover (32'(active) == (ACTIVE < 5 ? ACTIVE : 5));

    waits_at_most_n_minus_1_grants_while_active:         assert (32'(waited_q) <= WARPS - 1);
    waits_at_most_n_minus_1_grants_while_active_reached: cover (32'(waited_q) == (ACTIVE > 1 ? 1 : 0) && grant_o[w]);

    lemma_waited_and_turn:         assert (32'(waited_q) + 32'(turn_w) <= WARPS - 1);
    lemma_waited_and_turn_reached: cover (32'(waited_q) + 32'(turn_w) == WARPS - 1);

    pends_at_most_n_minus_1_entries_of_others:         assert (32'(pended_q) <= WARPS - 1);
    pends_at_most_n_minus_1_entries_of_others_reached: cover (32'(pended_q) == (WARPS > 2 ? 2 : WARPS - 1) && enter[w]);

    lemma_pended_and_turn:         assert (32'(pended_q) + 32'(entry_w) <= WARPS - 1);
    lemma_pended_and_turn_reached: cover (32'(pended_q) + 32'(entry_w) == WARPS - 1);

    lemma_last_is_a_warp:         assert (32'(last_q) < WARPS && 32'(entered_q) < WARPS);
    lemma_last_is_a_warp_reached: cover (32'(last_q) == WARPS - 1 && rst_ni);

    the_stalled_leave_the_others_stay: assert (!rst_ni || past_reset_q || active_q[w] == (past_enter_w_q || (past_active_q && !past_stalled_q)));
    the_stalled_leave_the_others_stay_reached: cover (rst_ni && !past_reset_q && past_active_q && !active_q[w]);

    last_is_the_warp_picked_last: assert (!rst_ni || past_reset_q || last_q == (past_valid_q ? past_warp_q : past_last_q));
    last_is_the_warp_picked_last_reached: cover (rst_ni && !past_reset_q && !past_valid_q && 32'(last_q) == WARPS / 2);

    entered_is_the_one_that_came_in_last: assert (!rst_ni || past_reset_q || (past_enter_q ? !past_enter_w_q || entered_q == w : entered_q == past_entered_q));
    entered_is_the_one_that_came_in_last_reached: cover (rst_ni && !past_reset_q && past_enter_w_q && 32'(w) == WARPS / 2);

    reset_empties_the_active_set: assert (!(past_reset_q || !rst_ni) || (active_q == '0 && 32'(last_q) == WARPS - 1 && 32'(entered_q) == WARPS - 1));
    reset_empties_the_active_set_reached: cover (past_reset_q && rst_ni);
  end
endmodule
