// simt_coprocessor: the whole co-processor: its blocks, wired up, and the registers between them (dual-mode §3.3, Fig.
// 3; timing.md). Twin of model/control/simt_coprocessor.h.
//
// Blocks: warp_scheduler, thread_descriptor_table, warp_pc_arbiter, subwarp_dispatcher and barrier_table. A warp is
// selected (S) into A, arbitrated into F, fetched into D and decoded into the dispatch queue. It collects its operands
// (O), waits for the lanes, is dispatched to them (X) and commits (C). The actions of the lanes, of lane 0's L1I and of
// the TPMs are inputs: when an instruction, its operands and its results are there, and what it does to its threads.
//
// Registers without a warp are 0. Outside SIMT mode contexts start and no warp is selected. One work-group is in
// flight, without a scalar thread.
module simt_coprocessor #(
    parameter  logic [31:0] WARPS               = 16,  // warps of the cluster, 1–128
    parameter  logic [31:0] WARP_SIZE           = 32,  // threads of a warp, 4–64
    parameter  logic [31:0] LANES               = 4,   // lanes of the cluster, 1–32, a divisor of WARP_SIZE
    parameter  logic [31:0] LEVELS              = 8,   // priority levels, 1–16
    parameter  logic [31:0] CYCLIC              = 0,   // field simt.lane_map, 0–1: 0 block, 1 cyclic
    parameter  logic [31:0] SCHEDULER           = 0,   // field simt.scheduler, 0–3: 0 round_robin,
                                                       // 1 greedy_oldest, 2 two_level, 3 pipelined
    parameter  logic [31:0] ACTIVE              = 4,   // size of the active set of two_level, 1–128, up to WARPS
    parameter  logic [31:0] PC_POLICY           = 0,   // simt.pc_policy, 0–2: 0 ics_first, 1 min_pc, 2 first_ready
    parameter  logic [31:0] QUEUE_ENTRIES       = 2,   // entries of the dispatch queue, 1–16
    parameter  logic [31:0] COLLECTORS          = 2,   // instructions that are collected or in O, 1–16
    localparam logic [31:0] ROUNDS              = LANES > 0 && LANES < WARP_SIZE ? WARP_SIZE / LANES : 1,  // N_it
    localparam logic [31:0] WARP_BITS           = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] LEVEL_BITS          = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam logic [31:0] CONTEXT_BITS        = WARPS * ROUNDS > 1 ? $clog2(WARPS * ROUNDS) : 1,
    localparam logic [31:0] ROUND_BITS          = $clog2(ROUNDS + 1),
    localparam logic [31:0] BEAT_BITS           = 6,
    localparam logic [31:0] OCCUPANCY_BITS      = 10,
    localparam logic [31:0] LIVE_BITS           = $clog2(WARPS * WARP_SIZE + 1),
    localparam logic [31:0] COUNT_BITS          = $clog2(WARP_SIZE + 1),
    localparam logic [31:0] QUEUE_COUNT_BITS    = $clog2(QUEUE_ENTRIES + 1),
    localparam logic [31:0] WAITING_COUNT_BITS  = $clog2(COLLECTORS + 1),
    localparam logic [31:0] START_CONTEXT_BITS  = CONTEXT_BITS,  // NAME_BITS: bits of a NAME element
    localparam logic [31:0] START_PC_BITS       = 32,
    localparam logic [31:0] EXECUTE_TARGET_BITS = 32,
    localparam logic [31:0] QUEUE_BITS          = WARP_BITS,
    localparam logic [31:0] WAITING_BITS        = WARP_BITS
) (
    input  logic                                     clk_i,
    input  logic                                     rst_ni,
    input  logic                                     simt_i,           // 1: the cluster is in SIMT mode
    input  logic [LANES-1:0]                         start_i,          // lanes that start a context; only outside SIMT
                                                                       // mode
    input  logic [LANES*START_CONTEXT_BITS-1:0]      start_context_i,  // context of each lane
    input  logic [LANES*START_PC_BITS-1:0]           start_pc_i,       // PC of each of these contexts
    input  logic                                     fetched_i,        // F: 1: the instruction has arrived
    input  logic                                     decode_memory_i,  // D: 1: the instruction is a load or store
    input  logic                                     collect_i,        // O: 1: collecting the first instruction of the
                                                                       // queue starts
    input  logic                                     collected_i,      // O: 1: the last operand has arrived
    input  logic [ROUND_BITS-1:0]                    rounds_i,         // X: number of rounds of the instruction that is
                                                                       // taken, 1 to N_it
    input  logic [BEAT_BITS-1:0]                     beats_i,          // X: number of beats of each round
    input  logic [OCCUPANCY_BITS-1:0]                occupancy_i,      // X: cycles from one beat to the next
    input  logic                                     hold_i,           // X: 1: the lanes cannot finish the beat of this
                                                                       // cycle
    input  logic [WARP_SIZE-1:0]                     execute_passed_i,  // X: threads whose condition passed
    input  logic                                     execute_jumps_i,  // X: 1: these threads go to their targets
    input  logic [WARP_SIZE*EXECUTE_TARGET_BITS-1:0] execute_target_i,  // X: target of each thread
    input  logic [2:0]                               execute_operation_i,  // X: 0 none, 1 raise, 2 lower, 3 outermost,
                                                                           // 4 barrier, 5 exit
    input  logic [3:0]                               execute_by_i,     // X: levels to lower
    input  logic [WARPS-1:0]                         commit_i,         // C: warps whose instruction's last result has
                                                                       // arrived
    output logic                                     select_o,         // S, combinational; 1: a warp goes to A
    output logic [WARP_BITS-1:0]                     select_warp_o,    // warp that goes to A
    output logic                                     fetch_o,          // A, combinational; 1: its warp goes to F
    output logic [WARP_BITS-1:0]                     fetch_warp_o,     // warp that goes to F
    output logic [31:0]                              fetch_pc_o,       // PC of the warp that goes to F
    output logic [WARP_SIZE-1:0]                     fetch_threads_o,  // participating threads of the warp that goes to
                                                                       // F
    output logic [WARP_SIZE-1:0]                     fetch_wtid_o,     // thread that gives the PC, one-hot
    output logic [LEVEL_BITS-1:0]                    fetch_level_o,    // priority level that wins
    output logic                                     decode_o,         // D, registered; 1: a warp is in D
    output logic [WARP_BITS-1:0]                     decode_warp_o,    // warp in D
    output logic                                     offer_o,          // O, registered; 1: the queue has an instruction
    output logic [WARP_BITS-1:0]                     offer_warp_o,     // warp of the oldest one
    output logic                                     first_o,          // X, combinational, as the next six: 1: an
                                                                       // instruction is taken and broadcast
    output logic                                     valid_o,          // 1: a beat is broadcast
    output logic [WARP_BITS-1:0]                     warp_o,           // warp of the beat; 0 without one
    output logic [CONTEXT_BITS-1:0]                  context_o,        // thread id j of the round's threads; 0 without
                                                                       // a beat
    output logic [BEAT_BITS-1:0]                     beat_o,           // number of the beat in its round
    output logic                                     last_o,           // 1: it is the last beat of the instruction
    output logic                                     busy_o,           // 1: beats remain
    output logic [WARPS-1:0]                         runnable_o,       // C: warps with Ready threads and none in
                                                                       // Execution
    output logic [LIVE_BITS-1:0]                     live_o,           // C: number of threads that are not Idle
    output logic [COUNT_BITS-1:0]                    arrive_count_o,   // C: number of threads that arrive at the
                                                                       // barrier
    output logic [COUNT_BITS-1:0]                    exit_count_o,     // C: number of threads that exit
    output logic                                     opens_o,          // 1: the barrier opens
    output logic                                     deadlock_o,       // 1: all threads wait at different barriers
    output logic                                     release_o,        // 1: the waiting threads are released
    output logic                                     exited_o,         // 1: a thread of the work-group has exited
    output logic                                     done_o,           // combinational; 1: no thread lives after this
                                                                       // cycle
    output logic                                     overflow_o,       // 1: a level would leave 0 to 255
    output logic                                     illegal_o         // 1: an illegal transition of a thread
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (SCHEDULER > 3) begin : gen_illegal_scheduler
    $error("simt_coprocessor: SCHEDULER must be 0 to 3");
  end
  if (PC_POLICY > 2) begin : gen_illegal_pc_policy
    $error("simt_coprocessor: PC_POLICY must be 0 to 2");
  end
  if (QUEUE_ENTRIES < 1 || QUEUE_ENTRIES > 16) begin : gen_illegal_queue
    $error("simt_coprocessor: QUEUE_ENTRIES must be 1 to 16");
  end
  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_illegal_collectors
    $error("simt_coprocessor: COLLECTORS must be 1 to 16");
  end
`endif

  logic                                   simt_q;                        // SIMT mode in the cycle before
  logic                                   a_valid_d, a_valid_q;          // A has a warp
  logic [WARP_BITS-1:0]                   a_warp_d, a_warp_q;            // warp in A
  logic                                   f_valid_d, f_valid_q;          // F has a warp
  logic [WARP_BITS-1:0]                   f_warp_d, f_warp_q;            // warp in F
  logic [31:0]                            f_pc_d, f_pc_q;                // PC of the warp in F
  logic                                   d_valid_q;                     // D has a warp
  logic [WARP_BITS-1:0]                   d_warp_q;                      // warp in D
  logic [QUEUE_COUNT_BITS-1:0]            queue_count_d, queue_count_q;  // number of instructions in the dispatch queue
  logic [QUEUE_ENTRIES*QUEUE_BITS-1:0]    queue_d, queue_q;              // warps of the instructions in the dispatch
                                                                         // queue, oldest first
  logic                                   o_valid_d, o_valid_q;          // O has an instruction
  logic [WARP_BITS-1:0]                   o_warp_d, o_warp_q;                // warp of the instruction in O
  logic [WAITING_COUNT_BITS-1:0]          waiting_count_d, waiting_count_q;  // number of collected instructions that
                                                                             // wait for the lanes
  logic [COLLECTORS*WAITING_BITS-1:0]     waiting_d, waiting_q;              // warps of the collected instructions that
                                                                             // wait for the lanes, oldest first
  logic [WARPS-1:0]                       flight_d, flight_q;            // warps with an instruction from F to C
  logic [WARPS-1:0]                       memory_d, memory_q;            // warps of flight_q whose instruction is a
                                                                         // load or store

  // --- stalls: a stage waits for the one behind it ---
  logic                        f_leaves, a_leaves, takes;
  logic [QUEUE_COUNT_BITS-1:0] queue_left;

  assign queue_left = queue_count_q - QUEUE_COUNT_BITS'(collect_i);
  assign f_leaves   = f_valid_q && fetched_i && 32'(queue_left) + 32'(d_valid_q) < QUEUE_ENTRIES;
  assign a_leaves   = a_valid_q && (!f_valid_q || f_leaves);
  assign takes      = simt_i && (!a_valid_q || a_leaves);

  // --- S ---
  logic [WARPS-1:0] in_a, ready_to_run, stalled, grant;

  assign in_a         = a_valid_q ? WARPS'(1) << a_warp_q : '0;
  assign ready_to_run = simt_i ? runnable_o & ~in_a : '0;
  assign stalled      = simt_i ? memory_q | ~(runnable_o | flight_q) : '1;

  if (SCHEDULER == 0) begin : gen_round_robin
    warp_scheduler #(.WARPS(WARPS)) scheduler (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready_to_run), .stalled_i(stalled), .take_i(takes),
        .valid_o(select_o), .warp_o(select_warp_o), .grant_o(grant));
  end else if (SCHEDULER == 1) begin : gen_greedy_oldest
    greedy_oldest_scheduler #(.WARPS(WARPS)) scheduler (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready_to_run), .stalled_i(stalled), .take_i(takes),
        .valid_o(select_o), .warp_o(select_warp_o), .grant_o(grant));
  end else if (SCHEDULER == 2) begin : gen_two_level
    two_level_scheduler #(.WARPS(WARPS), .ACTIVE(ACTIVE)) scheduler (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready_to_run), .stalled_i(stalled), .take_i(takes),
        .valid_o(select_o), .warp_o(select_warp_o), .grant_o(grant));
  end else begin : gen_pipelined
    pipelined_scheduler #(.WARPS(WARPS)) scheduler (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready_to_run), .stalled_i(stalled), .take_i(takes),
        .valid_o(select_o), .warp_o(select_warp_o), .grant_o(grant));
  end

  // --- A ---
  localparam logic [31:0] PRIORITIES = LEVELS * WARP_SIZE;

  logic [WARP_SIZE-1:0]    row_ready, chosen, participating;
  logic [31:0]             chosen_pc;
  logic [LEVEL_BITS-1:0]   chosen_level;
  logic [PRIORITIES-1:0]   row_priority;
  logic [WARP_SIZE*32-1:0] row_pc;

  case (PC_POLICY)
    0: begin : gen_ics_first
      warp_pc_arbiter #(.WARP_SIZE(WARP_SIZE), .LEVELS(LEVELS)) arbiter (
          .ready_i(row_ready), .priority_i(row_priority), .pc_i(row_pc), .wtid_o(chosen), .pc_o(chosen_pc),
          .participating_o(participating), .level_o(chosen_level));
    end
    1: begin : gen_min_pc
      min_pc_arbiter #(.WARP_SIZE(WARP_SIZE), .LEVELS(LEVELS)) arbiter (
          .ready_i(row_ready), .priority_i(row_priority), .pc_i(row_pc), .wtid_o(chosen), .pc_o(chosen_pc),
          .participating_o(participating), .level_o(chosen_level));
    end
    default: begin : gen_first_ready
      first_ready_arbiter #(.WARP_SIZE(WARP_SIZE), .LEVELS(LEVELS)) arbiter (
          .ready_i(row_ready), .priority_i(row_priority), .pc_i(row_pc), .wtid_o(chosen), .pc_o(chosen_pc),
          .participating_o(participating), .level_o(chosen_level));
    end
  endcase

  // That the warp leaves A is known before its participants are: only the stages behind A can stop it.
  assign fetch_o         = a_leaves;
  assign fetch_warp_o    = a_leaves ? a_warp_q : '0;
  assign fetch_wtid_o    = a_leaves ? chosen : '0;
  assign fetch_pc_o      = a_leaves ? chosen_pc : '0;
  assign fetch_threads_o = a_leaves ? participating : '0;
  assign fetch_level_o   = a_leaves ? chosen_level : '0;

  // --- A, F, D: the front end ---
  always_comb begin
    a_valid_d = a_valid_q;
    a_warp_d  = a_warp_q;
    f_valid_d = f_valid_q;
    f_warp_d  = f_warp_q;
    f_pc_d    = f_pc_q;
    if (f_leaves || !f_valid_q) begin
      f_valid_d = a_leaves;
      f_warp_d  = fetch_warp_o;
      f_pc_d    = fetch_pc_o;
    end
    if (a_leaves || !a_valid_q) begin
      a_valid_d = select_o;
      a_warp_d  = select_warp_o;
    end
  end

  assign decode_o      = d_valid_q;
  assign decode_warp_o = d_warp_q;

  // --- the dispatch queue and O ---
  logic [WARP_BITS-1:0] collecting;

  always_comb begin
    queue_d       = collect_i ? queue_q >> QUEUE_BITS : queue_q;
    queue_count_d = queue_left + QUEUE_COUNT_BITS'(d_valid_q);
    for (int unsigned n = 0; n < QUEUE_ENTRIES; n++) begin
      if (d_valid_q && 32'(queue_left) == n) queue_d[n*QUEUE_BITS +: QUEUE_BITS] = d_warp_q;
    end
  end

  assign offer_o      = queue_count_q != '0;
  assign offer_warp_o = queue_q[QUEUE_BITS-1:0];
  assign collecting   = o_valid_q ? o_warp_q : queue_q[QUEUE_BITS-1:0];
  assign o_valid_d    = (o_valid_q || collect_i) && !collected_i;
  assign o_warp_d     = o_valid_d ? collecting : '0;

  // --- X ---
  logic                          lanes_ready;
  logic [WAITING_COUNT_BITS-1:0] waiting_left;

  subwarp_dispatcher #(.WARPS(WARPS), .WARP_SIZE(WARP_SIZE), .LANES(LANES)) dispatcher (
      .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(waiting_count_q != '0), .warp_i(waiting_q[WAITING_BITS-1:0]),
      .rounds_i(rounds_i), .beats_i(beats_i), .occupancy_i(occupancy_i), .hold_i(hold_i), .ready_o(lanes_ready),
      .first_o(first_o), .valid_o(valid_o), .warp_o(warp_o), .context_o(context_o), .beat_o(beat_o), .last_o(last_o),
      .busy_o(busy_o));

  assign waiting_left = waiting_count_q - WAITING_COUNT_BITS'(first_o);

  always_comb begin
    waiting_d       = first_o ? waiting_q >> WAITING_BITS : waiting_q;
    waiting_count_d = waiting_left + WAITING_COUNT_BITS'(collected_i);
    for (int unsigned n = 0; n < COLLECTORS; n++) begin
      if (collected_i && 32'(waiting_left) == n) waiting_d[n*WAITING_BITS +: WAITING_BITS] = collecting;
    end
  end

  // --- C ---
  logic [31:0] arrive_pc;
  logic        release_scalar;
  wire         unused = &{1'b0, grant, lanes_ready, release_scalar};  // redundant with other outputs of the blocks

  thread_descriptor_table #(
      .WARPS(WARPS), .WARP_SIZE(WARP_SIZE), .LANES(LANES), .LEVELS(LEVELS), .CYCLIC(CYCLIC)) descriptors (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .start_i(start_i), .start_context_i(start_context_i), .start_pc_i(start_pc_i),
      .select_i(select_o), .select_warp_i(select_warp_o),
      .schedule_i(a_leaves), .schedule_threads_i(fetch_threads_o), .schedule_pc_i(fetch_pc_o),
      .execute_i(first_o), .execute_warp_i(waiting_q[WAITING_BITS-1:0]), .execute_passed_i(execute_passed_i),
      .execute_jumps_i(execute_jumps_i), .execute_target_i(execute_target_i),
      .execute_operation_i(execute_operation_i), .execute_by_i(execute_by_i),
      .commit_i(commit_i), .release_i(release_o),
      .runnable_o(runnable_o), .ready_o(row_ready), .priority_o(row_priority), .pc_o(row_pc), .live_o(live_o),
      .arrive_count_o(arrive_count_o), .arrive_pc_o(arrive_pc), .exit_count_o(exit_count_o),
      .overflow_o(overflow_o), .illegal_o(illegal_o));

  barrier_table #(.WARPS(WARPS), .WARP_SIZE(WARP_SIZE), .GROUPS(1), .SCALAR(0)) barriers (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .start_i(simt_i && !simt_q), .start_group_i(1'b0), .start_live_i(live_o), .start_scalar_i(1'b0),
      .arrive_count_i(arrive_count_o), .arrive_group_i(1'b0), .arrive_pc_i(arrive_pc), .arrive_scalar_i(1'b0),
      .exit_count_i(exit_count_o), .exit_group_i(1'b0), .scalar_arrives_i(1'b0), .scalar_exits_i(1'b0),
      .opens_o(opens_o), .deadlock_o(deadlock_o), .release_o(release_o), .release_scalar_o(release_scalar),
      .exited_o(exited_o));

  assign flight_d = (flight_q & ~commit_i) | (a_leaves ? in_a : '0);
  assign memory_d = (memory_q | (d_valid_q && decode_memory_i ? WARPS'(1) << d_warp_q : '0)) & ~commit_i;
  assign done_o   = simt_i && live_o == LIVE_BITS'(exit_count_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      simt_q          <= 1'b0;
      a_valid_q       <= 1'b0;
      a_warp_q        <= '0;
      f_valid_q       <= 1'b0;
      f_warp_q        <= '0;
      f_pc_q          <= '0;
      d_valid_q       <= 1'b0;
      d_warp_q        <= '0;
      queue_count_q   <= '0;
      queue_q         <= '0;
      o_valid_q       <= 1'b0;
      o_warp_q        <= '0;
      waiting_count_q <= '0;
      waiting_q       <= '0;
      flight_q        <= '0;
      memory_q        <= '0;
    end else begin
      simt_q          <= simt_i;
      a_valid_q       <= a_valid_d;
      a_warp_q        <= a_warp_d;
      f_valid_q       <= f_valid_d;
      f_warp_q        <= f_warp_d;
      f_pc_q          <= f_pc_d;
      d_valid_q       <= f_leaves;
      d_warp_q        <= f_leaves ? f_warp_q : '0;
      queue_count_q   <= queue_count_d;
      queue_q         <= queue_d;
      o_valid_q       <= o_valid_d;
      o_warp_q        <= o_warp_d;
      waiting_count_q <= waiting_count_d;
      waiting_q       <= waiting_d;
      flight_q        <= flight_d;
      memory_q        <= memory_d;
    end
  end
endmodule
