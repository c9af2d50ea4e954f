// barrier_table: counts the threads of each work-group in flight that wait at barriers, and opens and releases the
// barriers (machine.md §3, §10; timing.md §3). Twin of model/control/barrier_table.h.
//
// Each work-group has a slot with the number of its live threads and of its waiting threads. A barrier is named by its
// PC. It opens in the cycle in which the last running thread arrives or exits. Its threads are released at the end of
// the next cycle.
//
// If threads wait at different barriers, none of these can open before all other threads have exited. The table then
// records only that the barriers differ.
//
// A work-group may have a scalar thread. A barrier that includes the scalar thread opens when this thread waits, too,
// or has exited. A barrier among SIMT threads ignores it. A scalar thread whose SIMT threads have all exited waits for
// no other thread.
//
// Latency: opens_o and deadlock_o follow the inputs in the same cycle; release_o comes one cycle later.
module barrier_table #(
    parameter  logic [31:0] WARPS        = 16,                           // warps of the cluster, 1–128
    parameter  logic [31:0] WARP_SIZE    = 32,                           // threads of a warp, 4–64
    parameter  logic [31:0] GROUPS       = 1,                            // slots for work-groups in flight, 1–64
    parameter  logic [31:0] SCALAR       = 0,                            // 0–1; 1: work-groups may have a scalar thread
    localparam logic [31:0] LIVE_BITS    = $clog2(WARPS * WARP_SIZE + 1),
    localparam logic [31:0] WAITING_BITS = LIVE_BITS,
    localparam logic [31:0] PC_BITS      = 32,
    localparam logic [31:0] COUNT_BITS   = $clog2(WARP_SIZE + 1),
    localparam logic [31:0] GROUP_BITS   = GROUPS > 1 ? $clog2(GROUPS) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  start_i,           // 1: a work-group begins; its arrivals and exits of this cycle are
                                                     // ignored
    input  logic [GROUP_BITS-1:0] start_group_i,     // slot of that work-group
    input  logic [LIVE_BITS-1:0]  start_live_i,      // number of its threads
    input  logic                  start_scalar_i,    // 1: it has a scalar thread
    input  logic [COUNT_BITS-1:0] arrive_count_i,    // number of threads that arrive at a barrier, 0 to WARP_SIZE
    input  logic [GROUP_BITS-1:0] arrive_group_i,    // slot of their work-group
    input  logic [31:0]           arrive_pc_i,       // PC that names their barrier
    input  logic                  arrive_scalar_i,   // 1: their barrier includes the scalar thread
    input  logic [COUNT_BITS-1:0] exit_count_i,      // number of threads that exit, 0 to WARP_SIZE
    input  logic [GROUP_BITS-1:0] exit_group_i,      // slot of their work-group
    input  logic [GROUPS-1:0]     scalar_arrives_i,  // bit g: the scalar thread of work-group g arrives at a barrier
    input  logic [GROUPS-1:0]     scalar_exits_i,    // bit g: the scalar thread of work-group g exits
    output logic [GROUPS-1:0]     opens_o,           // combinational; bit g: all live threads of work-group g now wait
                                                     // at one barrier
    output logic [GROUPS-1:0]     deadlock_o,        // combinational; bit g: all SIMT threads of work-group g now wait,
                                                     // at different barriers
    output logic [GROUPS-1:0]     release_o,         // registered; bit g: the waiting threads of g are released at the
                                                     // end of the cycle
    output logic [GROUPS-1:0]     release_scalar_o,  // registered; bit g: the scalar thread of g is released at the end
                                                     // of the cycle
    output logic [GROUPS-1:0]     exited_o           // registered; bit g: a thread that the barrier of g includes has
                                                     // exited
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("barrier_table: WARPS must be 1 to 128");
  end
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("barrier_table: WARP_SIZE must be 4 to 64");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("barrier_table: GROUPS must be 1 to 64");
  end
  if (SCALAR > 1) begin : gen_illegal_scalar
    $error("barrier_table: SCALAR must be 0 or 1");
  end
`endif

  logic [GROUPS*LIVE_BITS-1:0]    live_d, live_q;        // number of threads of each work-group that have not exited
  logic [GROUPS*WAITING_BITS-1:0] waiting_d, waiting_q;  // number of these that wait at a barrier
  logic [GROUPS*PC_BITS-1:0]      pc_d, pc_q;            // PC of the barrier at which the first of them waits
  logic [GROUPS-1:0]              with_d, with_q;        // the barrier at pc_q includes the scalar thread
  logic [GROUPS-1:0]              mixed_d, mixed_q;      // threads of the work-group wait at different barriers
  logic [GROUPS-1:0]              exited_d, exited_q;    // a SIMT thread of the work-group has exited
  logic [GROUPS-1:0]              scalar_live_d, scalar_live_q, scalar_waits_d, scalar_waits_q;
      // work-group has a live scalar thread (scalar_live); it waits at a barrier (scalar_waits)
  logic [GROUPS-1:0]              scalar_gone_d, scalar_gone_q;  // the scalar thread has exited
  logic [GROUPS-1:0]              release_q, release_scalar_d, release_scalar_q;  // work-groups that opens_o named in
                                                                                  // the cycle before (release); with
                                                                                  // their scalar thread
                                                                                  // (release_scalar)

  // Events of work-group g in this cycle, and its next state.
  logic                 starts, arrives, exits, with_scalar, all_wait, alone;
  logic [LIVE_BITS-1:0] live, waiting;
  logic [LIVE_BITS-1:0] run, arrive, leave, sum, carry;  // running, arriving and exiting threads; arrive + leave - run
                                                         // as sum and carries
                                                         // + leave - run as sum and carries

  assign with_scalar = SCALAR != 0 && arrive_scalar_i;

  always_comb begin
    live_d           = live_q;
    waiting_d        = waiting_q;
    pc_d             = pc_q;
    with_d           = with_q;
    mixed_d          = mixed_q & ~release_q;
    exited_d         = exited_q;
    scalar_gone_d    = scalar_gone_q;
    scalar_live_d    = scalar_live_q;
    scalar_waits_d   = scalar_waits_q & ~release_scalar_q;
    opens_o          = '0;
    deadlock_o       = '0;
    release_scalar_d = '0;
    for (int unsigned g = 0; g < GROUPS; g++) begin
      starts  = start_i && 32'(start_group_i) == g;
      arrives = arrive_count_i != '0 && 32'(arrive_group_i) == g;
      exits   = exit_count_i != '0 && 32'(exit_group_i) == g;
      live    = live_q[g*LIVE_BITS +: LIVE_BITS];
      waiting = waiting_q[g*WAITING_BITS +: WAITING_BITS];
      // All threads wait if arrivals and exits are as many as the running threads: arrive + leave = run. The counts
      // arrive last in the cycle, so the comparison avoids a carry chain: bit n of the sum is right if the carry from
      // the bit below fits.
      run      = live - waiting;
      arrive   = 32'(arrive_group_i) == g ? LIVE_BITS'(arrive_count_i) : '0;
      leave    = 32'(exit_group_i) == g ? LIVE_BITS'(exit_count_i) : '0;
      sum      = arrive ^ leave ^ run;
      carry    = (arrive & leave) | ((arrive ^ leave) & ~run);
      all_wait = sum == carry << 1 && (arrives || waiting != '0) && !starts && !release_q[g];
      alone    = starts ? start_live_i == '0 : live == leave;
      if (arrives) begin
        if (waiting == '0) begin
          pc_d[g*PC_BITS +: PC_BITS] = arrive_pc_i;
          with_d[g]                  = with_scalar;
        end else if (arrive_pc_i != pc_q[g*PC_BITS +: PC_BITS] || with_scalar != with_q[g]) begin
          mixed_d[g] = 1'b1;
        end
        waiting = waiting + LIVE_BITS'(arrive_count_i);
      end
      if (exits) begin
        live        = live - LIVE_BITS'(exit_count_i);
        exited_d[g] = 1'b1;
      end
      if (release_q[g]) waiting = '0;
      if (SCALAR != 0 && scalar_arrives_i[g]) scalar_waits_d[g] = 1'b1;
      if (SCALAR != 0 && scalar_exits_i[g]) begin
        scalar_live_d[g] = 1'b0;
        scalar_gone_d[g] = 1'b1;
      end
      if (starts) begin
        live              = start_live_i;
        waiting           = '0;
        exited_d[g]       = 1'b0;
        scalar_live_d[g]  = SCALAR != 0 && start_scalar_i;
        scalar_waits_d[g] = 1'b0;
        scalar_gone_d[g]  = 1'b0;
      end
      live_d[g*LIVE_BITS +: LIVE_BITS]          = live;
      waiting_d[g*WAITING_BITS +: WAITING_BITS] = waiting;
      alone               = alone && scalar_waits_d[g];
      deadlock_o[g]       = all_wait && mixed_d[g];
      opens_o[g]          = alone || (all_wait && !mixed_d[g] && (!with_d[g] || !scalar_live_d[g] || scalar_waits_d[g]));
      release_scalar_d[g] = opens_o[g] && scalar_waits_d[g] && (alone || with_d[g]);
    end
  end

  assign release_o        = release_q;
  assign release_scalar_o = release_scalar_q;
  assign exited_o         = exited_q | (scalar_gone_q & with_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q           <= '0;
      waiting_q        <= '0;
      pc_q             <= '0;
      with_q           <= '0;
      mixed_q          <= '0;
      exited_q         <= '0;
      scalar_live_q    <= '0;
      scalar_waits_q   <= '0;
      scalar_gone_q    <= '0;
      release_q        <= '0;
      release_scalar_q <= '0;
    end else begin
      live_q           <= live_d;
      waiting_q        <= waiting_d;
      pc_q             <= pc_d;
      with_q           <= with_d;
      mixed_q          <= mixed_d;
      exited_q         <= exited_d;
      scalar_live_q    <= scalar_live_d;
      scalar_waits_q   <= scalar_waits_d;
      scalar_gone_q    <= scalar_gone_d;
      release_q        <= opens_o;
      release_scalar_q <= release_scalar_d;
    end
  end
endmodule
