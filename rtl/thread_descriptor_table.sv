// thread_descriptor_table: holds state, PC and priority of every thread of a cluster, and the outcome of the
// instruction that each warp has in flight (dual-mode §3.2, Fig. 3, Fig. 4). Twin of
// model/control/thread_descriptor_table.h.
//
// A row belongs to a warp and has an entry for each thread: a state, the PC, the priority (one-hot), and the level from
// which the priority follows. The state is one-hot in the masks Ready, Execution and Barrier; a thread in none of them
// is Idle. The instruction in flight of a warp has the PC warp_pc_q and is executed by the threads in Execution.
//
// Operations:
// - start: Idle to Ready, at the given PC; an Idle thread is at the outermost level. Context j of lane l is a thread by
//   equation 4, or by its cyclic variant.
// - select: the row of a warp is read from the next cycle on.
// - schedule: Ready to Execution, for threads of the row that is read, all at one PC.
// - execute: records what the instruction of a warp will do: the threads whose condition passed, their targets, and the
//   operation.
// - commit: Execution to Ready; to Barrier by a passed barrier; to Idle by a passed exit. PCs and levels change.
// - release: Barrier to Ready, for all threads.
//
// Flags, local ids and stacks belong to a context and are not in this table. After a transition that illegal_o reports,
// states are undefined. A level that cannot change stays as it is.
module thread_descriptor_table #(
    parameter  logic [31:0] WARPS               = 16,  // warps of the cluster, 1–128
    parameter  logic [31:0] WARP_SIZE           = 32,  // threads of a warp, 4–64
    parameter  logic [31:0] LANES               = 4,   // lanes of the cluster, 1–32, a divisor of WARP_SIZE
    parameter  logic [31:0] LEVELS              = 8,   // priority levels, 1–16
    parameter  logic [31:0] CYCLIC              = 0,   // 0–1; 1: round v of lane l is thread v · LANES + l;
                                                       // 0: thread l · N_it + v
    localparam logic [31:0] WARP_BITS           = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] THREAD_BITS         = $clog2(WARP_SIZE),
    localparam logic [31:0] ROUNDS              = LANES > 0 && LANES < WARP_SIZE ? WARP_SIZE / LANES : 1,  // N_it
    localparam logic [31:0] START_CONTEXT_BITS  = WARPS * ROUNDS > 1 ? $clog2(WARPS * ROUNDS) : 1,
    localparam logic [31:0] START_PC_BITS       = 32,         // NAME_BITS: bits of a NAME element
    localparam logic [31:0] EXECUTE_TARGET_BITS = 32,
    localparam logic [31:0] PRIORITY_BITS       = WARP_SIZE,
    localparam logic [31:0] PC_BITS             = 32,
    localparam logic [31:0] NEXT_PC_BITS        = 32,
    localparam logic [31:0] LEVEL_BITS          = 8,
    localparam logic [31:0] LIVE_BITS           = $clog2(WARPS * WARP_SIZE + 1),
    localparam logic [31:0] COUNT_BITS          = $clog2(WARP_SIZE + 1)
) (
    input  logic                                     clk_i,
    input  logic                                     rst_ni,
    input  logic [LANES-1:0]                         start_i,  // lanes that start a context
    input  logic [LANES*START_CONTEXT_BITS-1:0]      start_context_i,  // context of each lane
    input  logic [LANES*START_PC_BITS-1:0]           start_pc_i,      // PC of each of these contexts
    input  logic                                     select_i,        // 1: a warp is selected
    input  logic [WARP_BITS-1:0]                     select_warp_i,   // warp that is selected
    input  logic                                     schedule_i,      // 1: threads of the row that is read are
                                                                      // scheduled
    input  logic [WARP_SIZE-1:0]                     schedule_threads_i,  // threads that are scheduled
    input  logic [31:0]                              schedule_pc_i,   // PC of the scheduled threads
    input  logic                                     execute_i,       // 1: the outcome of an instruction is known
    input  logic [WARP_BITS-1:0]                     execute_warp_i,  // warp of that instruction
    input  logic [WARP_SIZE-1:0]                     execute_passed_i,  // threads whose condition passed
    input  logic                                     execute_jumps_i,   // 1: the threads that passed go to their
                                                                        // targets
    input  logic [WARP_SIZE*EXECUTE_TARGET_BITS-1:0] execute_target_i,  // target of each thread
    input  logic [2:0]                               execute_operation_i,  // 0 none, 1 raise, 2 lower, 3 outermost, 4
                                                                           // barrier, 5 exit
    input  logic [3:0]                               execute_by_i,         // levels to lower
    input  logic [WARPS-1:0]                         commit_i,        // warps whose instructions commit
    input  logic                                     release_i,       // 1: the threads at the barrier are released
    output logic [WARPS-1:0]                         runnable_o,      // registered; warps with Ready threads and none
                                                                      // in Execution
    output logic [WARP_SIZE-1:0]                     ready_o,         // registered; Ready threads of the row that is
                                                                      // read
    output logic [LEVELS*PRIORITY_BITS-1:0]          priority_o,      // registered; for each level its threads in that
                                                                      // row
    output logic [WARP_SIZE*PC_BITS-1:0]             pc_o,            // registered; PC of each thread of that row
    output logic [LIVE_BITS-1:0]                     live_o,          // registered; number of threads that are not Idle
    output logic [COUNT_BITS-1:0]                    arrive_count_o,  // combinational; number of threads that arrive at
                                                                      // a barrier
    output logic [31:0]                              arrive_pc_o,     // combinational; PC of that barrier
    output logic [COUNT_BITS-1:0]                    exit_count_o,    // combinational; number of threads that exit
    output logic                                     overflow_o,      // combinational; 1: a level would leave 0 to 255
    output logic                                     illegal_o        // combinational; 1: a transition that is not
                                                                      // listed above
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("thread_descriptor_table: WARPS must be 1 to 128");
  end
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("thread_descriptor_table: WARP_SIZE must be 4 to 64");
  end
  if (LANES < 1 || LANES > 32 || ROUNDS * LANES != WARP_SIZE) begin : gen_illegal_lanes
    $error("thread_descriptor_table: LANES must be 1 to 32 and divide WARP_SIZE");
  end
  if (LEVELS < 1 || LEVELS > 16) begin : gen_illegal_levels
    $error("thread_descriptor_table: LEVELS must be 1 to 16");
  end
  if (CYCLIC > 1) begin : gen_illegal_cyclic
    $error("thread_descriptor_table: CYCLIC must be 0 or 1");
  end
`endif

  localparam logic [2:0] NONE = 3'd0, RAISE = 3'd1, LOWER = 3'd2, BARRIER = 3'd4, EXIT = 3'd5;
  localparam logic [31:0] TOP = LEVELS - 1;

  logic [WARP_SIZE-1:0]               ready_q        [0:WARPS-1];  // Ready threads
  logic [WARP_SIZE-1:0]               execution_q    [0:WARPS-1];  // threads in Execution
  logic [WARP_SIZE-1:0]               barrier_q      [0:WARPS-1];  // threads in Barrier
  logic [WARP_SIZE*PC_BITS-1:0]       pc_q           [0:WARPS-1];  // PC of each thread
  logic [LEVELS*PRIORITY_BITS-1:0]    priority_q     [0:WARPS-1];  // threads of each level, as a mask
  logic [WARP_SIZE*LEVEL_BITS-1:0]    level_q        [0:WARPS-1];  // level of each thread
  logic [31:0]                        warp_pc_q      [0:WARPS-1];  // PC of the instruction in flight
  logic [WARP_SIZE*NEXT_PC_BITS-1:0]  next_pc_q      [0:WARPS-1];  // PC of each thread after that instruction
  logic [WARP_SIZE-1:0]               passed_q       [0:WARPS-1];  // threads whose condition passed
  logic [COUNT_BITS-1:0]              passed_count_q [0:WARPS-1];  // number of these threads
  logic [2:0]                         operation_q    [0:WARPS-1];  // operation of the instruction
  logic [3:0]                         by_q           [0:WARPS-1];  // levels to lower
  logic [WARPS-1:0]                   executed_q;  // warps whose outcome is known
  logic [WARP_BITS-1:0]               read_q;      // row that is read
  logic [LIVE_BITS-1:0]               live_q;      // number of threads that are not Idle

  // --- the row that is read ---
  for (genvar w = 0; w < WARPS; w++) begin : gen_runnable
    assign runnable_o[w] = ready_q[w] != '0 && execution_q[w] == '0;
  end

  assign ready_o    = ready_q[read_q];
  assign priority_o = priority_q[read_q];
  assign pc_o       = pc_q[read_q];
  assign live_o     = live_q;

  // --- execute: PCs after the instruction ---
  logic [31:0]          following;
  logic [WARP_SIZE-1:0] jumping, executing;
  assign following = warp_pc_q[execute_warp_i] + 32'd4;
  assign jumping   = execute_jumps_i ? execute_passed_i : '0;
  assign executing = execution_q[execute_warp_i];

  // Used only at the clock edge.
  function automatic logic [WARP_SIZE*NEXT_PC_BITS-1:0] targets(input logic [WARP_SIZE*PC_BITS-1:0] stay);
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      targets[k*32 +: 32] = jumping[k] ? execute_target_i[k*32 +: 32] : executing[k] ? following : stay[k*32 +: 32];
    end
  endfunction

  // --- commit: at most one of the committing warps has an operation. The warp recorded it before, or executes in this
  // very cycle. ---
  logic [WARPS-1:0]                now, operates;
  logic [WARP_BITS-1:0]            operating;  // warp with the operation; no meaning if several have one
  logic                            several, unknown;
  logic [2:0]                      its, operation;
  logic [3:0]                      by;
  logic [WARP_SIZE-1:0]            passed;
  logic [COUNT_BITS-1:0]           execute_count, count;
  logic [31:0]                     warp_pc;
  logic [WARP_SIZE*LEVEL_BITS-1:0] levels;

  assign now           = execute_i ? WARPS'(1) << execute_warp_i : '0;
  assign unknown       = (commit_i & ~(executed_q | now)) != '0;
  assign several       = (operates & (operates - WARPS'(1))) != '0;
  assign execute_count = COUNT_BITS'($countones(execute_passed_i));

  always_comb begin
    operates  = '0;
    operating = '0;
    its       = NONE;
    operation = NONE;
    by        = '0;
    passed    = '0;
    count     = '0;
    warp_pc   = '0;
    levels    = '0;
    if (commit_i != '0) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        its         = executed_q[w] ? operation_q[w] : execute_operation_i;
        operates[w] = commit_i[w] && its != NONE;
        if (operates[w]) begin
          operating = operating | WARP_BITS'(w);
          operation = operation | its;
        end
      end
    end
    if (operation != NONE) begin
      by      = executed_q[operating] ? by_q[operating] : execute_by_i;
      passed  = executed_q[operating] ? passed_q[operating] : execute_passed_i;
      count   = executed_q[operating] ? passed_count_q[operating] : execute_count;
      warp_pc = warp_pc_q[operating];
      levels  = level_q[operating];
    end
  end

  logic                 waits, ends;
  logic [WARP_SIZE-1:0] leaves;  // threads that do not become Ready
  assign waits          = operation == BARRIER;
  assign ends           = operation == EXIT;
  assign leaves         = waits || ends ? passed : '0;
  assign arrive_count_o = waits && !several ? count : '0;
  assign arrive_pc_o    = waits && !several ? warp_pc : '0;
  assign exit_count_o   = ends && !several ? count : '0;

  // New levels and their priorities; 0 for threads whose level stays.
  logic [WARP_SIZE-1:0]            changes, overflows;
  logic [WARP_SIZE*LEVEL_BITS-1:0] changing, new_levels;
  logic [LEVELS*PRIORITY_BITS-1:0] priorities;
  logic [LEVEL_BITS:0]             level;

  always_comb begin
    changes    = '0;
    changing   = '0;
    overflows  = '0;
    new_levels = '0;
    priorities = '0;
    level      = '0;
    if (operation != NONE && operation != BARRIER) begin
      for (int unsigned k = 0; k < WARP_SIZE; k++) begin
        level = {1'b0, levels[k*LEVEL_BITS +: LEVEL_BITS]};
        if (operation == RAISE)      level = level + 9'd1;
        else if (operation == LOWER) level = level - {5'd0, by};
        else                         level = '0;  // outermost and exit
        overflows[k] = passed[k] && level[LEVEL_BITS];
        changes[k]   = passed[k] && !level[LEVEL_BITS];
        changing[k*LEVEL_BITS +: LEVEL_BITS]   = {LEVEL_BITS{changes[k]}};
        new_levels[k*LEVEL_BITS +: LEVEL_BITS] = changes[k] ? level[LEVEL_BITS-1:0] : '0;
        for (int unsigned n = 0; n < LEVELS; n++) begin
          priorities[n*PRIORITY_BITS + k] = changes[k] && (32'(level) == n || (n == TOP && 32'(level) > TOP));
        end
      end
    end
  end

  assign overflow_o = overflows != '0 && !several;

  // --- start: context j of lane l ---
  logic [LANES*WARP_BITS-1:0] start_warp;
  logic [LANES*THREAD_BITS-1:0]         start_thread;
  logic [COUNT_BITS-1:0]      started;
  logic                       not_idle;
  logic [START_CONTEXT_BITS-1:0] j, row;
  logic [THREAD_BITS-1:0]        position;

  always_comb begin
    start_warp   = '0;
    start_thread = '0;
    started      = '0;
    not_idle     = 1'b0;
    j            = '0;
    row          = '0;
    position     = '0;
    if (start_i != '0) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (start_i[l]) begin
          j        = start_context_i[l*START_CONTEXT_BITS +: START_CONTEXT_BITS];
          row      = START_CONTEXT_BITS'(32'(j) / ROUNDS);
          j        = START_CONTEXT_BITS'(32'(j) % ROUNDS);
          position = THREAD_BITS'(CYCLIC != 0 ? 32'(j) * LANES + l : l * ROUNDS + 32'(j));
          start_warp[l*WARP_BITS +: WARP_BITS] = WARP_BITS'(row);
          start_thread[l*THREAD_BITS +: THREAD_BITS]               = position;
          started = started + COUNT_BITS'(1);
          if (32'(row) >= WARPS) begin
            not_idle = 1'b1;
          end else if (ready_q[WARP_BITS'(row)][position] || barrier_q[WARP_BITS'(row)][position] ||
                       execution_q[WARP_BITS'(row)] != '0) begin
            not_idle = 1'b1;
          end
        end
      end
    end
  end

  // --- illegal transitions ---
  logic bad_select, bad_schedule, bad_execute;
  assign bad_select   = select_i && 32'(select_warp_i) >= WARPS;
  assign bad_schedule = schedule_i && (schedule_threads_i == '0 || (schedule_threads_i & ~ready_q[read_q]) != '0 ||
                                       execution_q[read_q] != '0);
  assign bad_execute  = execute_i && (32'(execute_warp_i) >= WARPS || execution_q[execute_warp_i] == '0 ||
                                      executed_q[execute_warp_i] || (execute_passed_i & ~execution_q[execute_warp_i]) != '0 ||
                                      execute_operation_i > EXIT);
  assign illegal_o    = bad_select || bad_schedule || bad_execute || several || unknown || not_idle;

  // --- next state ---
  logic [LIVE_BITS-1:0] live_d;
  assign live_d = live_q + LIVE_BITS'(started) - LIVE_BITS'(exit_count_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        ready_q[w]        <= '0;
        execution_q[w]    <= '0;
        barrier_q[w]      <= '0;
        pc_q[w]           <= '0;
        priority_q[w]     <= (LEVELS*PRIORITY_BITS)'({WARP_SIZE{1'b1}});
        level_q[w]        <= '0;
        warp_pc_q[w]      <= '0;
        next_pc_q[w]      <= '0;
        passed_q[w]       <= '0;
        passed_count_q[w] <= '0;
        operation_q[w]    <= '0;
        by_q[w]           <= '0;
      end
      executed_q <= '0;
      read_q     <= '0;
      live_q     <= '0;
    end else begin
      live_q     <= live_d;
      executed_q <= (executed_q | now) & ~commit_i;
      if (select_i) read_q <= select_warp_i;
      if (execute_i) begin
        next_pc_q[execute_warp_i]      <= targets(pc_q[execute_warp_i]);
        passed_q[execute_warp_i]       <= execute_passed_i;
        passed_count_q[execute_warp_i] <= execute_count;
        operation_q[execute_warp_i]    <= execute_operation_i;
        by_q[execute_warp_i]           <= execute_by_i;
      end
      if (release_i || commit_i != '0) begin
        for (int unsigned w = 0; w < WARPS; w++) begin
          if (release_i || commit_i[w]) begin
            ready_q[w]   <= ready_q[w] | (release_i ? barrier_q[w] : '0)
                          | (commit_i[w] ? execution_q[w] & ~(operates[w] ? leaves : '0) : '0);
            barrier_q[w] <= (release_i ? '0 : barrier_q[w]) | (operates[w] && waits ? passed : '0);
          end
          if (commit_i[w]) begin
            execution_q[w] <= '0;
            pc_q[w]        <= next_pc_q[w];
          end
        end
      end
      if (execute_i && commit_i[execute_warp_i]) pc_q[execute_warp_i] <= targets(pc_q[execute_warp_i]);
      if (schedule_i) begin  // a scheduled warp has no thread in Execution, so it does not commit
        ready_q[read_q]     <= (ready_q[read_q] & ~schedule_threads_i) | (release_i ? barrier_q[read_q] : '0);
        execution_q[read_q] <= schedule_threads_i;
        warp_pc_q[read_q]   <= schedule_pc_i;
      end
      if (changes != '0) begin
        level_q[operating]    <= (levels & ~changing) | new_levels;
        priority_q[operating] <= (priority_q[operating] & ~{LEVELS{changes}}) | priorities;
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        if (start_i[l]) begin
          ready_q[start_warp[l*WARP_BITS +: WARP_BITS]][32'(start_thread[l*THREAD_BITS +: THREAD_BITS])] <= 1'b1;
          pc_q[start_warp[l*WARP_BITS +: WARP_BITS]][32*32'(start_thread[l*THREAD_BITS +: THREAD_BITS]) +: 32] <= start_pc_i[l*32 +: 32];
        end
      end
    end
  end
endmodule
