// Properties of warp_scheduler (rtl/warp_scheduler.sv; timing.md §S). scripts/formal puts an instance into the module.
module warp_scheduler_props #(
    parameter  int unsigned WARPS      = 16,
    localparam int unsigned WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned COUNT_BITS = WARP_BITS + 2
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic [WARPS-1:0]     ready_i,
    input logic                 take_i,
    input logic                 valid_o,
    input logic [WARP_BITS-1:0] warp_o,
    input logic [WARPS-1:0]     grant_o,
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

  // Warps that precede a warp in turn.
  logic [COUNT_BITS-1:0] turn_v, turn_w;
  assign turn_v = (v > last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(v) - COUNT_BITS'(last_q)
                - COUNT_BITS'(1);
  assign turn_w = (w > last_q ? COUNT_BITS'(0) : COUNT_BITS'(WARPS)) + COUNT_BITS'(w) - COUNT_BITS'(last_q)
                - COUNT_BITS'(1);

  // Grants to others since w became ready.
  logic [COUNT_BITS-1:0] waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                       waited_q <= '0;
    else if (!ready_i[w] || grant_o[w]) waited_q <= '0;
    else if (valid_o)                  waited_q <= waited_q + COUNT_BITS'(1);
  end

  logic                 past_reset_q, past_valid_q;
  logic [WARP_BITS-1:0] past_warp_q, past_last_q;
  always_ff @(posedge clk_i) begin
    past_reset_q <= !rst_ni;
    past_valid_q <= valid_o;
    past_warp_q  <= warp_o;
    past_last_q  <= last_q;
  end

  always_comb begin
    // Contract: rules for any block in this slot, which tb/twins/contract.c also checks in a run.
    grant_is_one_hot:         assert (v == w || !(grant_o[v] && grant_o[w]));
    grant_is_one_hot_reached: cover (grant_o[w]);

    only_the_ready_are_granted:         assert (!grant_o[w] || (ready_i[w] && take_i));
    only_the_ready_are_granted_reached: cover (grant_o[w] && (WARPS == 1 || !ready_i[v]));

    valid_says_that_there_is_a_grant:         assert (valid_o == (grant_o != '0));
    valid_says_that_there_is_a_grant_reached: cover (started && !valid_o && ready_i[w]);

    warp_is_the_granted_one:         assert (!grant_o[w] || warp_o == w);
    warp_is_the_granted_one_reached: cover (grant_o[w] && 32'(w) == WARPS - 1);

    a_grant_comes_in_time:         assert (!(take_i && ready_i[w]) || grant_o != '0);
    a_grant_comes_in_time_reached: cover (take_i && ready_i[w]);

    a_ready_warp_gets_its_turn:         assert (!started || 32'(waited_q) <= WARPS - 1);
    a_ready_warp_gets_its_turn_reached: cover (started && 32'(waited_q) == (WARPS > 4 ? 4 : WARPS - 1) && grant_o[w]);

    // Policy: loose round robin.
    warp_is_0_without_a_grant:         assert (valid_o || warp_o == '0);
    warp_is_0_without_a_grant_reached: cover (!valid_o && ready_i[w]);

    first_in_turn_is_granted:         assert (!(grant_o[w] && ready_i[v]) || turn_w <= turn_v);
    first_in_turn_is_granted_reached: cover (grant_o[w] && ready_i[v] && (WARPS == 1 || (v != w && w <= last_q)));
  end

  always_comb if (started) begin
    lemma_waited_and_turn:         assert (32'(waited_q) + 32'(turn_w) <= WARPS - 1);
    lemma_waited_and_turn_reached: cover (32'(waited_q) + 32'(turn_w) == WARPS - 1);

    lemma_last_is_a_warp:         assert (32'(last_q) < WARPS);
    lemma_last_is_a_warp_reached: cover (32'(last_q) == WARPS - 1 && rst_ni);

    last_is_the_warp_picked_last: assert (!rst_ni || past_reset_q || last_q == (past_valid_q ? past_warp_q : past_last_q));
    last_is_the_warp_picked_last_reached: cover (rst_ni && !past_reset_q && !past_valid_q && 32'(last_q) == WARPS / 2);

    reset_makes_warp_0_first:         assert (!(past_reset_q || !rst_ni) || 32'(last_q) == WARPS - 1);
    reset_makes_warp_0_first_reached: cover (past_reset_q && rst_ni);
  end
endmodule
