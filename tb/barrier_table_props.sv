// What barrier_table promises (rtl/barrier_table.sv; machine.md §3; timing.md, 'Barrier'), for inputs that a
// work-group can give. scripts/formal puts an instance into the module.
module barrier_table_props #(
    parameter  int unsigned WARPS       = 16,
    parameter  int unsigned WARP_SIZE   = 32,
    localparam int unsigned LIVE_BITS   = $clog2(WARPS * WARP_SIZE + 1),
    localparam int unsigned COUNT_BITS  = $clog2(WARP_SIZE + 1),
    localparam int unsigned GHOST_BITS  = LIVE_BITS + 2
) (
    input logic                  clk_i,
    input logic                  rst_ni,
    input logic                  start_i,
    input logic [LIVE_BITS-1:0]  start_live_i,
    input logic [COUNT_BITS-1:0] arrive_count_i,
    input logic [31:0]           arrive_pc_i,
    input logic [COUNT_BITS-1:0] exit_count_i,
    input logic                  opens_o,
    input logic                  deadlock_o,
    input logic                  release_o,
    input logic                  exited_o,
    input logic [LIVE_BITS-1:0]  live_q,
    input logic [LIVE_BITS-1:0]  waiting_q,
    input logic [31:0]           pc_q,
    input logic                  mixed_q
);
  // Any barrier: what holds for it holds for all.
  (* anyconst *) logic [31:0] p;

  // The work-group as it is: threads that live, of those that wait, of those at p; _d: at the end of the cycle.
  logic [GHOST_BITS-1:0] alive_d, alive_q, wait_d, wait_q, here_d, here_q;
  logic                  some_left_d, some_left_q, released_q;
  always_comb begin
    alive_d     = alive_q - GHOST_BITS'(exit_count_i);
    wait_d      = wait_q + GHOST_BITS'(arrive_count_i);
    here_d      = here_q + (arrive_pc_i == p ? GHOST_BITS'(arrive_count_i) : '0);
    some_left_d = some_left_q || exit_count_i != '0;
    if (start_i) begin
      alive_d     = GHOST_BITS'(start_live_i);
      some_left_d = 1'b0;
    end
    if (start_i || release_o) begin
      wait_d = '0;
      here_d = '0;
    end
  end

  logic started = 1'b0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alive_q     <= '0;
      wait_q      <= '0;
      here_q      <= '0;
      some_left_q <= 1'b0;
      released_q  <= 1'b0;
    end else begin
      alive_q     <= alive_d;
      wait_q      <= wait_d;
      here_q      <= here_d;
      some_left_q <= some_left_d;
      released_q  <= opens_o;
    end
  end
  always_ff @(posedge clk_i) started <= 1'b1;

  // A work-group begins when the last has ended, with threads that fit; only threads that run arrive or exit.
  always_comb begin
    if (!started) assume (!rst_ni);
    assume (GHOST_BITS'(start_live_i) <= GHOST_BITS'(WARPS * WARP_SIZE));
    assume (GHOST_BITS'(arrive_count_i) + GHOST_BITS'(exit_count_i) <= GHOST_BITS'(WARP_SIZE));
    assume (start_i || GHOST_BITS'(arrive_count_i) + GHOST_BITS'(exit_count_i) + wait_q <= alive_q);
    if (start_i) assume (alive_q == '0);
  end

  logic all_here, all_wait;
  assign all_wait = wait_d != '0 && wait_d == alive_d;
  assign all_here = all_wait && here_d == alive_d;

  always_comb if (started && rst_ni) begin
    // Contract: what any block in this slot must hold to, whatever its policy; tb/contract.c checks it in a run.
    never_opens_early:         assert (!opens_o || (all_wait && (all_here || here_d == '0)));
    never_opens_early_reached: cover (opens_o && here_d == '0);

    opens_when_the_last_one_arrives:         assert (!all_here || opens_o);
    opens_when_the_last_one_arrives_reached: cover (all_here && arrive_count_i != '0 && here_q != '0);
    opens_when_the_last_one_exits_reached:   cover (all_here && arrive_count_i == '0 && exit_count_i != '0);

    released_in_the_cycle_after:         assert (release_o == released_q);
    released_in_the_cycle_after_reached: cover (release_o && !exited_o);

    deadlock_only_if_all_wait_not_at_one:         assert (!deadlock_o || (all_wait && !all_here));
    deadlock_only_if_all_wait_not_at_one_reached: cover (deadlock_o && exit_count_i != '0);

    deadlock_is_seen_at_once:         assert (!(all_wait && !all_here && here_d != '0) || deadlock_o);
    deadlock_is_seen_at_once_reached: cover (all_wait && !all_here && here_d != '0);

    exits_are_remembered:         assert (exited_o == some_left_q);
    exits_are_remembered_reached: cover (exited_o && release_o);

    // What follows from it.
    opens_once:         assert (!(opens_o && release_o));
    opens_once_reached: cover (release_o && alive_q != '0);

    opens_or_deadlocks:         assert ((opens_o || deadlock_o) == all_wait && !(opens_o && deadlock_o));
    opens_or_deadlocks_reached: cover (deadlock_o && arrive_count_i != '0);

    // Lemmas.
    lemma_live:                  assert (GHOST_BITS'(live_q) == alive_q);
    lemma_live_reached:          cover (live_q == LIVE_BITS'(3) && waiting_q == LIVE_BITS'(1));
    lemma_waiting:               assert (GHOST_BITS'(waiting_q) == wait_q);
    lemma_waiting_reached:       cover (here_q != '0 && here_q != wait_q);
    lemma_size:                  assert (here_q <= wait_q && wait_q <= alive_q && alive_q <= GHOST_BITS'(WARPS * WARP_SIZE));
    lemma_size_reached:          cover (alive_q == GHOST_BITS'(WARPS * WARP_SIZE));
    lemma_one_barrier:           assert (mixed_q || here_q == (pc_q == p ? wait_q : '0));
    lemma_one_barrier_reached:   cover (!mixed_q && here_q != '0 && pc_q == p);
    lemma_more_barriers:         assert (!mixed_q || here_q < wait_q);
    lemma_more_barriers_reached: cover (mixed_q && here_q == '0);
    lemma_release:               assert (!release_o || (wait_q == alive_q && wait_q != '0 && !mixed_q));
    lemma_release_reached:       cover (release_o && alive_q > GHOST_BITS'(2));
  end
endmodule
