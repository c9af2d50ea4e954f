// Properties of greedy_oldest_scheduler (rtl/greedy_oldest_scheduler.sv). scripts/formal puts an instance into the
// module. The wait is unbounded: a warp may wait for ever behind older warps.
module greedy_oldest_scheduler_props #(
    parameter  int unsigned WARPS     = 16,
    localparam int unsigned WARP_BITS = WARPS > 1 ? $clog2(WARPS) : 1
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

  logic                 past_reset_q, past_valid_q;
  logic [WARP_BITS-1:0] past_warp_q, past_last_q;
  always_ff @(posedge clk_i) begin
    past_reset_q <= !rst_ni;
    past_valid_q <= valid_o;
    past_warp_q  <= warp_o;
    past_last_q  <= last_q;
  end

  always_comb begin
    grant_is_one_hot:         assert (v == w || !(grant_o[v] && grant_o[w]));
    grant_is_one_hot_reached: cover (grant_o[w]);

    only_the_ready_are_granted:         assert (!grant_o[w] || (ready_i[w] && take_i));
    only_the_ready_are_granted_reached: cover (grant_o[w] && (WARPS == 1 || !ready_i[v]));

    no_cycle_is_lost:         assert (!(take_i && ready_i[w]) || grant_o != '0);
    no_cycle_is_lost_reached: cover (take_i && ready_i[w]);

    valid_says_that_there_is_a_grant:         assert (valid_o == (grant_o != '0));
    valid_says_that_there_is_a_grant_reached: cover (started && !valid_o && ready_i[w]);

    warp_is_the_granted_one:         assert (grant_o[w] ? warp_o == w : valid_o || warp_o == '0);
    warp_is_the_granted_one_reached: cover (grant_o[w] && 32'(w) == WARPS - 1);

    last_is_granted_again_while_ready:         assert (!(take_i && ready_i[w] && w == last_q) || grant_o[w]);
    last_is_granted_again_while_ready_reached: cover (grant_o[w] && w == last_q && (WARPS == 1 || (ready_i[v] && v < w)));

    else_the_oldest_is_granted:         assert (!(grant_o[w] && w != last_q && ready_i[v]) || v >= w);
    else_the_oldest_is_granted_reached: cover (WARPS == 1 || (grant_o[w] && w != last_q && ready_i[v] && v > w));

    waits_only_for_older_ones_and_the_last: assert (!(ready_i[v] && !grant_o[v] && grant_o[w]) || w < v || w == last_q);
    waits_only_for_older_ones_and_the_last_reached: cover (WARPS == 1 || (ready_i[v] && grant_o[w] && w < v && w != last_q));
  end

  always_comb if (started) begin
    lemma_last_is_a_warp:         assert (32'(last_q) < WARPS);
    lemma_last_is_a_warp_reached: cover (32'(last_q) == WARPS - 1 && rst_ni);

    last_is_the_warp_picked_last: assert (!rst_ni || past_reset_q || last_q == (past_valid_q ? past_warp_q : past_last_q));
    last_is_the_warp_picked_last_reached: cover (rst_ni && !past_reset_q && !past_valid_q && 32'(last_q) == WARPS / 2);

    reset_makes_warp_0_the_last:         assert (!(past_reset_q || !rst_ni) || last_q == '0);
    reset_makes_warp_0_the_last_reached: cover (past_reset_q && rst_ni);
  end
endmodule
