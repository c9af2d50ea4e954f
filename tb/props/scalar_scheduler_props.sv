// Properties of scalar_scheduler (rtl/scalar_scheduler.sv; scalar-unit.md §4.1). scripts/formal puts an instance into
// the module. The names of the contract's properties are those of tb/twins/contract.c.
// Sizes: THREADS=3 DIVISOR=1;THREADS=3 DIVISOR=4;THREADS=1 DIVISOR=2;THREADS=6 DIVISOR=8;THREADS=8 DIVISOR=1
module scalar_scheduler_props #(
    parameter  int unsigned THREADS     = 3,
    parameter  int unsigned DIVISOR     = 1,
    localparam int unsigned THREAD_BITS = THREADS > 1 ? $clog2(THREADS) : 1
) (
    input logic                   clk_i,
    input logic                   rst_ni,
    input logic [2:0]             cycle_i,
    input logic [THREADS-1:0]     ready_i,
    input logic                   tick_o,
    input logic                   valid_o,
    input logic [THREAD_BITS-1:0] thread_o,
    input logic [THREAD_BITS-1:0] last_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any thread, and number of cycles of the unit in which it is ready and another is granted.
  (* anyconst *) logic [5:0] any;
  logic       is_ready, is_taken;
  logic [6:0] waited, waited_q;
  assign is_ready = 32'(any) < THREADS && ready_i[THREAD_BITS'(any)];
  assign is_taken = valid_o && 32'(thread_o) == 32'(any);
  assign waited   = !is_ready || is_taken ? 7'd0 : waited_q + 7'(valid_o);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 7'd0;
    else waited_q <= waited;
  end

  // The thread granted last, and its distance to `any` in turn: threads between the two precede it.
  logic [THREAD_BITS-1:0] taken_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= THREAD_BITS'(THREADS - 1);
    else if (valid_o) taken_q <= thread_o;
  end
  logic [6:0] distance_any, distance_taken;
  assign distance_any   = 32'(any) > 32'(taken_q) ? 7'(32'(any) - 32'(taken_q)) :
                          7'(THREADS + 32'(any) - 32'(taken_q));
  assign distance_taken = 32'(thread_o) > 32'(taken_q) ? 7'(32'(thread_o) - 32'(taken_q)) :
                          7'(THREADS + 32'(thread_o) - 32'(taken_q));

  always_comb begin
    assume (32'(any) < THREADS);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    lemma_turn:         assert (32'(last_q) < THREADS && last_q == taken_q);
    lemma_turn_reached: cover (32'(last_q) == THREADS - 1);

    // Contract: rules for any block in this slot, which tb/twins/contract.c also checks in a run.
    only_a_ready_one:         assert (!is_taken || is_ready);
    only_a_ready_one_reached: cover (is_taken);

    one_if_one_is_ready:         assert (!tick_o || !is_ready || valid_o);
    one_if_one_is_ready_reached: cover (tick_o && is_ready);

    zero_for_none:         assert (valid_o || thread_o == '0);
    zero_for_none_reached: cover (!valid_o);

    // Cycles of the unit, and turns.
    the_multiples_of_the_divisor:         assert (tick_o == (32'(cycle_i) % DIVISOR == 0));
    the_multiples_of_the_divisor_reached: cover (tick_o && cycle_i == 3'(8 - DIVISOR));

    none_between:         assert (!valid_o || tick_o);
    none_between_reached: cover (ready_i != '0 && valid_o);

    a_thread_there_is:         assert (32'(thread_o) < THREADS);
    a_thread_there_is_reached: cover (32'(thread_o) == THREADS - 1);

    the_next_in_turn:         assert (!valid_o || !is_ready || distance_taken <= distance_any);
    the_next_in_turn_reached: cover (valid_o && is_ready && 32'(thread_o) != 32'(any) || THREADS == 1);

    lemma_waited:         assert (32'(waited_q) + 32'(distance_any) <= THREADS || waited_q == 7'd0);
    lemma_waited_reached: cover (waited_q != 7'd0 || THREADS == 1);

    each_has_its_turn:         assert (32'(waited) < THREADS);
    each_has_its_turn_reached: cover (32'(waited) == THREADS - 1);
  end
endmodule
