// Properties of round_compactor (rtl/round_compactor.sv; lanes.md §2). scripts/formal puts an instance into the module.
// Sizes: WARP_SIZE=8 LANES=1;WARP_SIZE=8 LANES=2;WARP_SIZE=16 LANES=4;WARP_SIZE=32 LANES=8;WARP_SIZE=7 LANES=3
module round_compactor_props #(
    parameter  int unsigned WARP_SIZE  = 32,
    parameter  int unsigned LANES      = 8,
    localparam int unsigned ROUND_BITS = WARP_SIZE > 1 ? $clog2(WARP_SIZE) : 1
) (
    input logic                  clk_i,
    input logic                  rst_ni,
    input logic                  load_i,
    input logic [WARP_SIZE-1:0]  active_i,
    input logic                  take_i,
    input logic                  valid_o,
    input logic [WARP_SIZE-1:0]  rounds_o,
    input logic [ROUND_BITS-1:0] round_o,
    input logic                  last_o,
    input logic [WARP_SIZE-1:0]  left_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  (* anyconst *) logic [6:0] any;  // any round: a property of it holds for all

  logic is_active;  // a thread of the round is active
  always_comb begin
    is_active = 1'b0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      if (k / LANES == 32'(any) && active_i[k]) is_active = 1'b1;
    end
  end

  // The round is needed and not started (left); the round is the answer to a request (goes).
  logic left, left_before, goes;
  assign left = load_i ? is_active || (active_i == '0 && any == '0) : left_before;
  assign goes = take_i && valid_o && 32'(round_o) == 32'(any);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_before <= 1'b0;
    else         left_before <= left && !goes;
  end

  logic lower;  // an earlier round is left
  always_comb begin
    lower = 1'b0;
    for (int unsigned n = 0; n < WARP_SIZE; n++) begin
      if (n < 32'(any) && rounds_o[n]) lower = 1'b1;
    end
  end

  always_comb begin
    assume (32'(any) < WARP_SIZE);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    what_is_left:         assert (rounds_o[any] == left);
    what_is_left_reached: cover (left && !load_i);

    valid_while_some_is:         assert (!rounds_o[any] || valid_o);
    valid_while_some_is_reached: cover (rounds_o[any]);

    invalid_when_none_is:         assert (valid_o || !left);
    invalid_when_none_is_reached: cover (!valid_o);

    an_instruction_takes_a_round:         assert (!load_i || valid_o);
    an_instruction_takes_a_round_reached: cover (load_i && active_i == '0);

    the_lowest_goes:         assert ((32'(round_o) == 32'(any) && valid_o) == (rounds_o[any] && !lower));
    the_lowest_goes_reached: cover (32'(round_o) == 32'(any) && rounds_o[any]);

    no_round_when_none_is:         assert (valid_o || (round_o == '0 && rounds_o == '0));
    no_round_when_none_is_reached: cover (!valid_o);

    last_is_alone:         assert (!last_o || !rounds_o[any] || 32'(round_o) == 32'(any));
    last_is_alone_reached: cover (last_o && rounds_o[any]);

    alone_is_last:         assert (last_o == ($countones(rounds_o) == 1));
    alone_is_last_reached: cover (last_o);

    lemma_left:         assert (left_q[any] == left_before);
    lemma_left_reached: cover (left_before);
  end
endmodule
