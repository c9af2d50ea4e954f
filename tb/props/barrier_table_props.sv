// Properties of barrier_table (rtl/barrier_table.sv; machine.md §3, §10; timing.md §3), for inputs that work-groups can
// give. scripts/formal puts an instance into the module. The names of the contract's properties are those of
// tb/twins/contract.c.
// Sizes: WARPS=16 WARP_SIZE=32 GROUPS=1 SCALAR=0;WARPS=1 WARP_SIZE=4 GROUPS=1 SCALAR=1;WARPS=64 WARP_SIZE=64 GROUPS=8 SCALAR=1 k=5;WARPS=5 WARP_SIZE=7 GROUPS=2 SCALAR=0;WARPS=16 WARP_SIZE=32 GROUPS=1 SCALAR=1;WARPS=1 WARP_SIZE=4 GROUPS=1 SCALAR=0
module barrier_table_props #(
    parameter  int unsigned WARPS        = 16,
    parameter  int unsigned WARP_SIZE    = 32,
    parameter  int unsigned GROUPS       = 1,
    parameter  int unsigned SCALAR       = 0,
    localparam int unsigned LIVE_BITS    = $clog2(WARPS * WARP_SIZE + 1),
    localparam int unsigned WAITING_BITS = LIVE_BITS,
    localparam int unsigned PC_BITS      = 32,
    localparam int unsigned COUNT_BITS   = $clog2(WARP_SIZE + 1),
    localparam int unsigned GROUP_BITS   = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned GHOST_BITS   = LIVE_BITS + 2
) (
    input logic                           clk_i,
    input logic                           rst_ni,
    input logic                           start_i,
    input logic [GROUP_BITS-1:0]          start_group_i,
    input logic [LIVE_BITS-1:0]           start_live_i,
    input logic                           start_scalar_i,
    input logic [COUNT_BITS-1:0]          arrive_count_i,
    input logic [GROUP_BITS-1:0]          arrive_group_i,
    input logic [31:0]                    arrive_pc_i,
    input logic                           arrive_scalar_i,
    input logic [COUNT_BITS-1:0]          exit_count_i,
    input logic [GROUP_BITS-1:0]          exit_group_i,
    input logic [GROUPS-1:0]              scalar_arrives_i,
    input logic [GROUPS-1:0]              scalar_exits_i,
    input logic [GROUPS-1:0]              opens_o,
    input logic [GROUPS-1:0]              deadlock_o,
    input logic [GROUPS-1:0]              release_o,
    input logic [GROUPS-1:0]              release_scalar_o,
    input logic [GROUPS-1:0]              exited_o,
    input logic [GROUPS*LIVE_BITS-1:0]    live_q,
    input logic [GROUPS*WAITING_BITS-1:0] waiting_q,
    input logic [GROUPS*PC_BITS-1:0]      pc_q,
    input logic [GROUPS-1:0]              with_q,
    input logic [GROUPS-1:0]              mixed_q,
    input logic [GROUPS-1:0]              exited_q,
    input logic [GROUPS-1:0]              scalar_live_q,
    input logic [GROUPS-1:0]              scalar_waits_q,
    input logic [GROUPS-1:0]              scalar_gone_q
);
  // Any work-group, in slot k, and any barrier: a property of them holds for all. Properties of k below
  // depend on its own inputs only.
  (* anyconst *) logic [GROUP_BITS-1:0] k;
  (* anyconst *) logic [31:0]           p;
  (* anyconst *) logic                  p_scalar;  // the barrier includes the scalar thread

  logic                  starts, scalar_arrives, scalar_exits, at_p;
  logic [GHOST_BITS-1:0] arrive, leave;
  assign starts         = start_i && start_group_i == k;
  assign arrive         = arrive_group_i == k ? GHOST_BITS'(arrive_count_i) : '0;
  assign leave          = exit_group_i == k ? GHOST_BITS'(exit_count_i) : '0;
  assign scalar_arrives = SCALAR != 0 && scalar_arrives_i[k];
  assign scalar_exits   = SCALAR != 0 && scalar_exits_i[k];
  assign at_p           = arrive_pc_i == p && (SCALAR != 0 && arrive_scalar_i) == p_scalar;

  logic opens, deadlock, releases, releases_scalar, exited;
  assign opens           = opens_o[k];
  assign deadlock        = deadlock_o[k];
  assign releases        = release_o[k];
  assign releases_scalar = release_scalar_o[k];
  assign exited          = exited_o[k];

  // Reference state of the work-group: live threads; waiting ones; those waiting at p; its scalar thread. _d:
  // at the end of the cycle.
  logic [GHOST_BITS-1:0] alive_d, alive_q, wait_d, wait_q, here_d, here_q;
  logic                  some_left_d, some_left_q, scalar_d, scalar_q, scalar_wait_d, scalar_wait_q;
  logic                  scalar_left_d, scalar_left_q, released_q, released_here_q, released_alone_q, released_waits_q;
  logic                  all_here, all_wait, alone, scalar_runs, first_here_q;  // first_here_q: the first
                                                                                // waiting thread is at p
  always_comb begin
    alive_d       = alive_q - leave;
    wait_d        = wait_q + arrive;
    here_d        = here_q + (at_p ? arrive : '0);
    some_left_d   = some_left_q || leave != '0;
    scalar_d      = scalar_q && !scalar_exits;
    scalar_wait_d = (scalar_wait_q && !releases_scalar) || scalar_arrives;
    scalar_left_d = scalar_left_q || scalar_exits;
    if (starts) begin
      alive_d       = GHOST_BITS'(start_live_i);
      some_left_d   = 1'b0;
      scalar_d      = SCALAR != 0 && start_scalar_i;
      scalar_wait_d = 1'b0;
      scalar_left_d = 1'b0;
    end
    if (starts || releases) begin
      wait_d = '0;
      here_d = '0;
    end
  end
  assign all_wait    = wait_d != '0 && wait_d == alive_d;
  assign all_here    = all_wait && here_d == alive_d;
  assign alone       = alive_d == '0 && scalar_wait_d;
  assign scalar_runs = scalar_d && !scalar_wait_d;

  logic started = 1'b0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alive_q          <= '0;
      wait_q           <= '0;
      here_q           <= '0;
      some_left_q      <= 1'b0;
      scalar_q         <= 1'b0;
      scalar_wait_q    <= 1'b0;
      scalar_left_q    <= 1'b0;
      released_q       <= 1'b0;
      released_here_q  <= 1'b0;
      released_alone_q <= 1'b0;
      released_waits_q <= 1'b0;
      first_here_q     <= 1'b0;
    end else begin
      alive_q          <= alive_d;
      wait_q           <= wait_d;
      here_q           <= here_d;
      some_left_q      <= some_left_d;
      scalar_q         <= scalar_d;
      scalar_wait_q    <= scalar_wait_d;
      scalar_left_q    <= scalar_left_d;
      released_q       <= opens;
      released_here_q  <= opens && all_here;
      released_alone_q <= opens && alone;
      released_waits_q <= scalar_wait_d;
      if (arrive != '0 && wait_q == '0) first_here_q <= at_p;
    end
  end
  always_ff @(posedge clk_i) started <= 1'b1;

  // A work-group starts in a slot after the previous one has ended, with threads that fit. Only running
  // threads arrive or exit.
  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(k) < GROUPS);
    assume (SCALAR != 0 || !p_scalar);
    assume (GHOST_BITS'(start_live_i) <= GHOST_BITS'(WARPS * WARP_SIZE));
    assume (arrive + leave <= GHOST_BITS'(WARP_SIZE));
    assume (starts || arrive + leave + wait_q <= alive_q);
    assume (starts || !(scalar_arrives || scalar_exits) || (scalar_q && !scalar_wait_q));
    assume (!(scalar_arrives && scalar_exits));
    if (starts) assume (alive_q == '0 && !scalar_q);
  end

  logic [LIVE_BITS-1:0]    live;
  logic [WAITING_BITS-1:0] waiting;
  logic [PC_BITS-1:0]      pc;
  assign live    = live_q[32'(k)*LIVE_BITS +: LIVE_BITS];
  assign waiting = waiting_q[32'(k)*WAITING_BITS +: WAITING_BITS];
  assign pc      = pc_q[32'(k)*PC_BITS +: PC_BITS];

  always_comb if (started && rst_ni) begin
    // Contract: rules for any block in this slot, which tb/twins/contract.c also checks in a run.
    never_opens_early:         assert (!opens || alone || (all_wait && (all_here || here_d == '0)));
    never_opens_early_reached: cover (opens && here_d == '0 && !alone);

    opens_when_the_last_one_arrives:         assert (!(all_here && !(p_scalar && scalar_runs)) || opens);
    opens_when_the_last_one_arrives_reached: cover (all_here && arrive != '0 && here_q != '0 && (SCALAR == 0 || scalar_runs));
    opens_when_the_last_one_exits_reached:   cover (all_here && arrive == '0 && leave != '0);
    opens_when_the_scalar_thread_arrives_reached: cover (SCALAR == 0 || (opens && all_here && p_scalar && scalar_arrives));

    released_in_the_cycle_after:         assert (releases == released_q);
    released_in_the_cycle_after_reached: cover (releases && !exited);

    deadlock_only_if_all_wait_not_at_one:         assert (!deadlock || (all_wait && !all_here));
    deadlock_only_if_all_wait_not_at_one_reached: cover (deadlock && leave != '0);

    deadlock_is_seen_at_once:         assert (!(all_wait && !all_here && here_d != '0) || deadlock);
    deadlock_is_seen_at_once_reached: cover (all_wait && !all_here && here_d != '0);

    exits_are_remembered:         assert (exited ? some_left_q || (scalar_left_q && !(released_here_q && !p_scalar))
        : !(some_left_q || (scalar_left_q && released_here_q && p_scalar)));
    exits_are_remembered_reached: cover (exited && releases && (SCALAR == 0 || scalar_left_q));

    // Scalar threads, which clusters do not have, and consequences of the contract.
    waits_for_the_scalar_thread_if_it_includes_it: assert (!(all_here && p_scalar && scalar_runs) || !opens);
    waits_for_the_scalar_thread_if_it_includes_it_reached: cover (SCALAR == 0 || (all_here && p_scalar && scalar_runs));

    a_scalar_thread_alone_waits_for_nobody:         assert (!alone || opens);
    a_scalar_thread_alone_waits_for_nobody_reached: cover (SCALAR == 0 || (alone && leave != '0));

    scalar_thread_is_released_if_it_was_waited_for: assert (releases_scalar ? released_q && released_waits_q && (!released_here_q || p_scalar)
        : !(released_q && released_waits_q && (released_alone_q || (released_here_q && p_scalar))));
    scalar_thread_is_released_if_it_was_waited_for_reached: cover (SCALAR == 0 || (releases_scalar && alive_q != '0));

    opens_once:         assert (!(opens && releases));
    opens_once_reached: cover (releases && alive_q != '0);

    opens_or_deadlocks: assert ((opens || deadlock) == (alone || (all_wait && (deadlock || opens || !scalar_runs))) && !(opens && deadlock)
        && (opens || deadlock || !all_wait || scalar_runs));
    opens_or_deadlocks_reached: cover (deadlock && arrive != '0);

    work_groups_are_apart_reached: cover (GROUPS == 1 || (opens && opens_o != (GROUPS'(1) << k) && deadlock_o == '0));

    // Relation of the flip-flops to the reference state.
    lemma_live:                  assert (GHOST_BITS'(live) == alive_q);
    lemma_live_reached:          cover (live == LIVE_BITS'(3) && waiting == WAITING_BITS'(1));
    lemma_waiting:               assert (GHOST_BITS'(waiting) == wait_q);
    lemma_waiting_reached:       cover (here_q != '0 && here_q != wait_q);
    lemma_size:                  assert (here_q <= wait_q && wait_q <= alive_q && alive_q <= GHOST_BITS'(WARPS * WARP_SIZE));
    lemma_size_reached:          cover (alive_q == GHOST_BITS'(WARPS * WARP_SIZE));
    lemma_first_barrier:         assert (wait_q == '0 || (pc == p && with_q[k] == p_scalar) == first_here_q);
    lemma_first_barrier_reached: cover (wait_q != '0 && pc == p);
    lemma_one_barrier:           assert (mixed_q[k] || here_q == (first_here_q ? wait_q : '0));
    lemma_one_barrier_reached:   cover (!mixed_q[k] && here_q != '0 && pc == p);
    lemma_more_barriers:         assert (!mixed_q[k] || here_q < wait_q);
    lemma_more_barriers_reached: cover (mixed_q[k] && here_q == '0);
    lemma_scalar:                assert (scalar_live_q[k] == scalar_q && scalar_waits_q[k] == scalar_wait_q
        && scalar_gone_q[k] == scalar_left_q && (scalar_q || !scalar_wait_q) && (SCALAR != 0 || !(scalar_q || scalar_left_q)));
    lemma_scalar_reached:        cover (SCALAR == 0 || (scalar_q && !scalar_wait_q && alive_q != '0));
    lemma_exited:                assert (exited_q[k] == some_left_q && (!released_here_q || releases));
    lemma_exited_reached:        cover (exited_q[k] && released_here_q);
    lemma_with:                  assert (SCALAR != 0 || !with_q[k]);
    lemma_with_reached:          cover (with_q[k] == (SCALAR != 0));
    lemma_release:               assert (!releases || (wait_q == alive_q && !mixed_q[k]
        && (released_alone_q ? wait_q == '0 && releases_scalar : wait_q != '0) && released_waits_q == scalar_wait_q
        && (!released_here_q || (here_q == wait_q && here_q != '0))));
    lemma_release_reached:       cover (releases && alive_q > GHOST_BITS'(2));
    lemma_release_scalar:        assert (!releases_scalar || (releases && scalar_wait_q));
    lemma_release_scalar_reached: cover (SCALAR == 0 || releases_scalar);
  end
endmodule
