// What exclusive_monitor promises (rtl/exclusive_monitor.sv). scripts/formal puts an instance into the module.
// Sizes: THREADS=4;THREADS=1;THREADS=5
module exclusive_monitor_props #(
    parameter  int unsigned THREADS      = 64,
    localparam int unsigned THREAD_BITS  = THREADS > 1 ? $clog2(THREADS) : 1,
    localparam int unsigned GRANULE_BITS = 29
) (
    input logic                            clk_i,
    input logic                            rst_ni,
    input logic                            reserve_i,
    input logic                            spend_i,
    input logic                            clear_i,
    input logic                            store_i,
    input logic                            own_i,
    input logic [THREAD_BITS-1:0]          thread_i,
    input logic [GRANULE_BITS-1:0]         first_i,
    input logic [GRANULE_BITS-1:0]         last_i,
    input logic                            may_o,
    input logic [THREADS-1:0]              holds_q,
    input logic [THREADS*GRANULE_BITS-1:0] granule_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any thread: what holds of it holds of all.
  (* anyconst *) logic [5:0] t;
  logic asks;
  assign asks = own_i && 32'(thread_i) == 32'(t);

  // What it has reserved, by what has been said; and since when another has stored there, or it has given it up.
  logic                    reserved, struck, given_up;
  logic [GRANULE_BITS-1:0] granule;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reserved <= 1'b0;
      struck   <= 1'b0;
      given_up <= 1'b0;
      granule  <= '0;
    end else if (asks && reserve_i) begin
      reserved <= 1'b1;
      struck   <= 1'b0;
      given_up <= 1'b0;
      granule  <= first_i;
    end else begin
      if (!asks && store_i && first_i <= granule && granule <= last_i) struck <= 1'b1;
      if (asks && (spend_i || clear_i)) given_up <= 1'b1;
    end
  end

  always_comb begin
    assume (32'(t) < THREADS);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    lemma_holds:         assert (holds_q[t] == (reserved && !struck && !given_up));
    lemma_holds_reached: cover (reserved && struck && !given_up);

    lemma_granule:         assert (granule_q[32'(t)*GRANULE_BITS +: GRANULE_BITS] == granule);
    lemma_granule_reached: cover (reserved && granule != '0);

    nobody_stores_without_a_reservation:         assert (!(may_o && asks) || reserved);
    nobody_stores_without_a_reservation_reached: cover (asks && spend_i && !reserved);

    a_reservation_is_of_one_granule:         assert (!(may_o && asks) || first_i == granule);
    a_reservation_is_of_one_granule_reached: cover (asks && spend_i && holds_q[t] && first_i != granule);

    a_store_of_another_ends_it:         assert (!(may_o && asks) || !struck);
    a_store_of_another_ends_it_reached: cover (asks && spend_i && struck && !given_up && first_i == granule);

    a_reservation_is_spent_once:         assert (!(may_o && asks) || !given_up);
    a_reservation_is_spent_once_reached: cover (asks && spend_i && given_up && !struck && first_i == granule);

    nothing_else_ends_it:         assert (!(asks && spend_i && reserved && !struck && !given_up && first_i == granule) || may_o);
    nothing_else_ends_it_reached: cover (asks && may_o);

    only_a_store_that_is_asked_for:         assert (!may_o || (spend_i && own_i));
    only_a_store_that_is_asked_for_reached: cover (!may_o && !spend_i && holds_q[t]);
  end
endmodule
