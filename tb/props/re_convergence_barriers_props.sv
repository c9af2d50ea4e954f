// Properties of re_convergence_barriers (rtl/re_convergence_barriers.sv; divergence.md §5), for any thread, of lane k
// and row r, any RPC p and any barrier b. scripts/formal puts an instance into the module.
// Sizes: BARRIER_SETS=1 WAYS=2 LANES=2 GROUPS=2 REGISTER_ROWS=2
module re_convergence_barriers_props #(
    parameter  int unsigned BARRIER_SETS  = 1,
    parameter  int unsigned WAYS          = 2,
    parameter  int unsigned LANES         = 2,
    parameter  int unsigned GROUPS        = 2,
    parameter  int unsigned REGISTER_ROWS = 2,
    localparam int unsigned BARRIERS      = BARRIER_SETS * WAYS,
    localparam int unsigned BARRIER_BITS  = BARRIERS > 1 ? $clog2(BARRIERS) : 1,
    localparam int unsigned GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned RPC_BITS      = 32,
    localparam int unsigned MASK_BITS     = LANES,
    localparam int unsigned REACHED_BITS  = LANES,
    localparam int unsigned ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam int unsigned ROWS_BITS     = ROW_BITS
) (
    input logic                               clk_i,
    input logic                               rst_ni,
    input logic                               fire_i,
    input logic [LANES-1:0]                   exit_i,
    input logic [LANES-1:0]                   reserve_i,
    input logic [31:0]                        rpc_i,
    input logic [GROUP_BITS-1:0]              group_i,
    input logic                               gone_i,
    input logic [BARRIER_BITS-1:0]            gone_barrier_i,
    input logic [LANES-1:0]                   arrive_i,
    input logic [31:0]                        arrive_pc_i,
    input logic [LANES*ROWS_BITS-1:0]         rows_i,
    input logic                               complete_o,
    input logic [BARRIER_BITS-1:0]            barrier_o,
    input logic [31:0]                        pc_o,
    input logic [GROUP_BITS-1:0]              group_o,
    input logic [LANES-1:0]                   mask_o,
    input logic [LANES*ROWS_BITS-1:0]         rows_o,
    input logic [LANES-1:0]                   shared_o,
    input logic [LANES-1:0]                   missed_o,
    input logic [LANES-1:0]                   waits_o,
    input logic [BARRIERS*RPC_BITS-1:0]       rpc_q,
    input logic [BARRIERS*GROUP_BITS-1:0]     group_q,
    input logic [BARRIERS*MASK_BITS-1:0]      mask_q,
    input logic [BARRIERS*REACHED_BITS-1:0]   reached_q,
    input logic [BARRIERS*LANES*ROW_BITS-1:0] row_q
);
  (* anyconst *) logic [4:0]              k;
  (* anyconst *) logic [ROW_BITS-1:0]     r;
  (* anyconst *) logic [31:0]             p;
  (* anyconst *) logic [BARRIER_BITS-1:0] b;

  // Slot of the thread in barrier p; reported state; validity of barriers.
  logic                  here, its_reached, fires, alone, whole, first_is_complete, b_complete, b_free, all_taken;
  logic                  of_it, reserves, exits, comes, misses, shares, waits;
  logic [1:0]            places;
  logic [BARRIER_BITS-1:0] place;
  logic [GROUP_BITS-1:0] its_group, b_group;
  logic [31:0]           b_rpc;
  logic [LANES-1:0]      b_mask;
  logic [BARRIER_BITS:0] past_gone_q;  // barrier freed in the previous cycle; an invalid number: none
  always_comb begin
    here              = 1'b0;
    its_reached       = 1'b0;
    fires             = 1'b0;
    alone             = 1'b1;
    whole             = 1'b1;
    first_is_complete = 1'b0;
    b_complete        = 1'b0;
    b_free            = 1'b0;
    all_taken         = 1'b1;
    places            = '0;
    place             = '0;
    its_group         = '0;
    b_group           = '0;
    b_rpc             = '0;
    b_mask            = '0;
    of_it             = 1'b0;
    reserves          = 1'b0;
    exits             = 1'b0;
    comes             = 1'b0;
    misses            = 1'b0;
    shares            = 1'b0;
    waits             = 1'b0;
    for (int unsigned l = 0; l < LANES; l++) begin
      if (l == 32'(k) && rows_i[l*ROWS_BITS +: ROWS_BITS] == r) begin
        of_it    = 1'b1;
        reserves = reserve_i[l] && rpc_i == p;
        exits    = exit_i[l];
        comes    = arrive_i[l] && arrive_pc_i == p;
        misses   = missed_o[l];
        shares   = shared_o[l];
        waits    = waits_o[l];
      end
    end
    for (int unsigned n = 0; n < BARRIERS; n++) begin
      if ((mask_q[n*MASK_BITS +: MASK_BITS] == '0) != (rpc_q[n*RPC_BITS +: RPC_BITS] == '0)) whole = 1'b0;
      if (mask_q[n*MASK_BITS +: MASK_BITS] == '0 && group_q[n*GROUP_BITS +: GROUP_BITS] != '0) whole = 1'b0;
      if ((reached_q[n*REACHED_BITS +: REACHED_BITS] & ~mask_q[n*MASK_BITS +: MASK_BITS]) != '0) whole = 1'b0;
      if (32'(r) % BARRIER_SETS == n / WAYS && rpc_q[n*RPC_BITS +: RPC_BITS] == '0 && 32'(past_gone_q) != n) all_taken = 1'b0;
      if (32'(barrier_o) == n) first_is_complete = mask_q[n*MASK_BITS +: MASK_BITS] != '0 &&
          mask_q[n*MASK_BITS +: MASK_BITS] == reached_q[n*REACHED_BITS +: REACHED_BITS];
      if (32'(b) == n) begin
        b_free     = rpc_q[n*RPC_BITS +: RPC_BITS] == '0;
        b_rpc      = rpc_q[n*RPC_BITS +: RPC_BITS];
        b_group    = group_q[n*GROUP_BITS +: GROUP_BITS];
        b_mask     = mask_q[n*MASK_BITS +: MASK_BITS];
        b_complete = b_mask != '0 && b_mask == reached_q[n*REACHED_BITS +: REACHED_BITS];
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        if (l == 32'(k) && rpc_q[n*RPC_BITS +: RPC_BITS] == p && mask_q[n*MASK_BITS+l] &&
            row_q[(n*LANES+l)*ROW_BITS +: ROW_BITS] == r) begin
          here        = 1'b1;
          places      = places + 2'd1;
          place       = BARRIER_BITS'(n);
          its_reached = reached_q[n*REACHED_BITS+l];
          its_group   = group_q[n*GROUP_BITS +: GROUP_BITS];
          fires       = fire_i && complete_o && 32'(barrier_o) == n;
          alone       = (mask_q[n*MASK_BITS +: MASK_BITS] & ~(LANES'(1) << l)) == '0;
          if (32'(r) % BARRIER_SETS != n / WAYS) whole = 1'b0;
        end
      end
    end
  end

  // Events of the thread.
  logic                  started = 1'b0, past_reset_q, held_q, told_reached_q, stays, held;
  logic                  past_missed_q, past_shared_q, past_gone_free_q, past_takes_q, past_free_q, past_complete_q;
  logic                  past_asks_q, past_room_q;
  logic [LANES-1:0]      past_mask_q;
  logic [GROUP_BITS-1:0] told_group_q;
  assign stays = held_q && !fires && !exits;
  assign held  = stays || (reserves && !misses);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q         <= 1'b0;
      told_reached_q <= 1'b0;
      told_group_q   <= '0;
    end else begin
      held_q         <= held;
      told_reached_q <= (stays && told_reached_q) || (comes && held);
      if (!stays && reserves && !misses) told_group_q <= group_i;
    end
  end
  always_ff @(posedge clk_i) begin
    started          <= 1'b1;
    past_reset_q     <= !rst_ni;
    past_missed_q    <= of_it && misses && reserves;
    past_shared_q    <= of_it && shares && reserves;
    past_gone_q      <= gone_i ? (BARRIER_BITS+1)'(gone_barrier_i) : '1;
    past_gone_free_q <= gone_i && gone_barrier_i == b && b_free && exit_i == '0;
    past_takes_q     <= of_it && reserves && !stays && !misses && !shares;
    past_free_q      <= b_free && !(gone_i && gone_barrier_i == b);
    past_complete_q  <= b_complete && !(fire_i && barrier_o == b) && exit_i == '0;
    past_mask_q      <= b_mask;
    past_asks_q      <= of_it && reserves && !stays;
    past_room_q      <= 32'(r) % BARRIER_SETS == 32'(b) / WAYS && b_rpc == p && b_group == group_i && !b_complete &&
                        (b_mask >> k) % 2 == '0 && exit_i == '0;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(k) < LANES && 32'(r) < REGISTER_ROWS && p != '0 && 32'(b) < BARRIERS);
    assume (rpc_i != '0 && arrive_pc_i != '0 && 32'(gone_barrier_i) < BARRIERS);
  end

  always_comb if (started && rst_ni) begin
    lemma_barriers_are_whole:         assert (whole);
    lemma_barriers_are_whole_reached: cover (here);

    at_most_once_per_rpc:         assert (places <= 2'd1);
    at_most_once_per_rpc_reached: cover (places == 2'd1);

    is_held_as_reserved:         assert (here == held_q && (!here || its_group == told_group_q));
    is_held_as_reserved_reached: cover (here && its_group != '0);

    is_reached_when_it_came:         assert (!here || its_reached == told_reached_q);
    is_reached_when_it_came_reached: cover (here && its_reached);

    who_is_held_waits:         assert (!comes || waits == held);
    who_is_held_waits_reached: cover (comes && waits);

    fires_only_when_all_are_reached:         assert (!complete_o || first_is_complete);
    fires_only_when_all_are_reached_reached: cover (complete_o);

    the_first_complete_one_is_told:         assert (!b_complete || (complete_o && barrier_o <= b));
    the_first_complete_one_is_told_reached: cover (b_complete && barrier_o != b);

    its_warp_is_told:         assert (!complete_o || barrier_o != b || (pc_o == b_rpc && group_o == b_group && mask_o == b_mask));
    its_warp_is_told_reached: cover (complete_o && barrier_o == b);

    who_is_held_reserves_no_more:         assert (!(reserves && stays) || (!misses && !shares));
    who_is_held_reserves_no_more_reached: cover (reserves && stays);
  end

  always_comb if (started && rst_ni && !past_reset_q) begin
    misses_only_if_none_is_free:         assert (!past_missed_q || all_taken);
    misses_only_if_none_is_free_reached: cover (past_missed_q);

    shares_with_another:         assert (!past_shared_q || !here || !alone);
    shares_with_another_reached: cover (past_shared_q && here);

    what_is_gone_is_not_taken:         assert (!past_gone_free_q || b_free);
    what_is_gone_is_not_taken_reached: cover (past_gone_free_q);

    the_first_that_has_room_is_shared:         assert (!(past_asks_q && past_room_q) || (past_shared_q && here && place <= b));
    the_first_that_has_room_is_shared_reached: cover (past_asks_q && past_room_q);

    who_is_complete_is_not_shared:         assert (!past_complete_q || (b_mask & ~past_mask_q) == '0);
    who_is_complete_is_not_shared_reached: cover (past_complete_q);

    // A way that was free and still is has not been taken; a taken one precedes it.
    the_first_free_way_is_taken:         assert (
        !(past_takes_q && past_free_q && b_free && 32'(r) % BARRIER_SETS == 32'(b) / WAYS) || (here && place < b));
    the_first_free_way_is_taken_reached: cover (
        past_takes_q && past_free_q && (WAYS == 1 || (b_free && 32'(r) % BARRIER_SETS == 32'(b) / WAYS)));
  end
endmodule
