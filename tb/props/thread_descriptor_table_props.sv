// Properties of thread_descriptor_table (rtl/thread_descriptor_table.sv; dual-mode §3.2), while no input that concerns
// the thread is illegal. scripts/formal puts an instance into the module, after the lines below that begin with //+,
// which give the row of any warp w. The sizes are small: the base has 43,000 flip-flops.
//
// Sizes: WARPS=2 WARP_SIZE=4 LANES=2 LEVELS=3 CYCLIC=0;WARPS=1 WARP_SIZE=4 LANES=4 LEVELS=1 CYCLIC=0;WARPS=2 WARP_SIZE=4 LANES=2 LEVELS=3 CYCLIC=1
//
// Partly: WARPS=16 WARP_SIZE=32 LANES=4 LEVELS=8 CYCLIC=0 lawful=0 lawless=0; without pc_q next_pc_q level_q priority_q warp_pc_q; states_are_one_hot becomes_ready_only_by_start_commit_or_release enters_execution_only_if_ready_and_scheduled waits_only_by_a_barrier_passed ends_only_by_an_exit_passed transitions_are_not_lost lemma_told_of_execution lemma_told_of_the_executing lemma_read lemma_told
//
//+ (* anyconst *) logic [WARP_BITS-1:0] w;
//+ logic [WARP_SIZE-1:0]            row_ready, row_execution, row_barrier;
//+ logic [WARP_SIZE*32-1:0]         row_pc;
//+ logic [LEVELS*PRIORITY_BITS-1:0] row_priority;
//+ logic [WARP_SIZE*8-1:0]          row_level;
//+ logic [31:0]                     row_warp_pc;
//+ logic [WARP_SIZE*32-1:0]         row_next_pc;
//+ logic [WARP_SIZE-1:0]            row_passed;
//+ logic                            counts_are_right, states_are_right;
//+ logic [2:0]                      row_operation;
//+ logic [3:0]                      row_by;
//+ logic                            row_executed, row_read;
//+ logic [LIVE_BITS-1:0]            alive;
//+ assign row_ready     = ready_q[w];
//+ assign row_execution = execution_q[w];
//+ assign row_barrier   = barrier_q[w];
//+ assign row_pc        = pc_q[w];
//+ assign row_priority  = priority_q[w];
//+ assign row_level     = level_q[w];
//+ assign row_warp_pc   = warp_pc_q[w];
//+ assign row_next_pc   = next_pc_q[w];
//+ assign row_passed    = passed_q[w];
//+ assign row_operation = operation_q[w];
//+ assign row_by        = by_q[w];
//+ assign row_executed  = executed_q[w];
//+ assign row_read      = read_q == w;
//+ always_comb begin
//+   alive = '0;
//+   if (WARPS * WARP_SIZE <= 16) begin
//+     for (int unsigned n = 0; n < WARPS; n++) alive = alive + LIVE_BITS'($countones(ready_q[n] | execution_q[n] | barrier_q[n]));
//+   end
//+ end
//+
//+ // For all warps.
//+ always_comb begin
//+   counts_are_right = 1'b1;
//+   states_are_right = 1'b1;
//+   for (int unsigned n = 0; n < WARPS; n++) begin
//+     if (32'(passed_count_q[n]) != 32'($countones(passed_q[n]))) counts_are_right = 1'b0;
//+     if ((ready_q[n] & execution_q[n]) != '0 || ((ready_q[n] | execution_q[n]) & barrier_q[n]) != '0 ||
//+         (executed_q[n] && (passed_q[n] & ~execution_q[n]) != '0)) states_are_right = 1'b0;
//+   end
//+ end
//+
//+ // For all threads: an illegal input; effects of the committing operation on other threads.
//+ logic                 not_legal, two_operate, one_operates, operates_now, some_overflow;
//+ logic [2:0]           its_operation;
//+ logic [3:0]           its_by;
//+ logic [WARP_SIZE-1:0] its_passed;
//+ logic [COUNT_BITS-1:0] its_arrivals, its_exits;
//+ logic [31:0]          its_pc;
//+ always_comb begin
//+   not_legal     = (select_i && 32'(select_warp_i) >= WARPS) ||
//+                   (execute_i && (32'(execute_warp_i) >= WARPS || execute_operation_i > 3'd5)) ||
//+                   (schedule_i && (schedule_threads_i == '0 || (schedule_threads_i & ~ready_o) != '0));
//+   two_operate   = 1'b0;
//+   one_operates  = 1'b0;
//+   some_overflow = 1'b0;
//+   its_arrivals  = '0;
//+   its_exits     = '0;
//+   its_pc        = '0;
//+   for (int unsigned n = 0; n < WARPS; n++) begin
//+     operates_now  = execute_i && 32'(execute_warp_i) == n;
//+     its_operation = executed_q[n] ? operation_q[n] : execute_operation_i;
//+     its_by        = executed_q[n] ? by_q[n] : execute_by_i;
//+     its_passed    = executed_q[n] ? passed_q[n] : execute_passed_i;
//+     if (schedule_i && 32'(read_q) == n && execution_q[n] != '0) not_legal = 1'b1;
//+     if (operates_now && (execution_q[n] == '0 || executed_q[n] || (execute_passed_i & ~execution_q[n]) != '0)) not_legal = 1'b1;
//+     if (commit_i[n] && !executed_q[n] && !operates_now) not_legal = 1'b1;
//+     if (commit_i[n] && its_operation != 3'd0) begin
//+       if (one_operates) two_operate = 1'b1;
//+       one_operates  = 1'b1;
//+       some_overflow = 1'b0;
//+       its_arrivals  = its_operation == 3'd4 ? COUNT_BITS'($countones(its_passed)) : '0;
//+       its_exits     = its_operation == 3'd5 ? COUNT_BITS'($countones(its_passed)) : '0;
//+       its_pc        = its_operation == 3'd4 ? warp_pc_q[n] : '0;
//+       for (int unsigned t = 0; t < WARP_SIZE; t++) begin
//+         if (its_passed[t] && ((its_operation == 3'd1 && level_q[n][t*8 +: 8] == 8'd255) ||
//+             (its_operation == 3'd2 && level_q[n][t*8 +: 8] < 8'(its_by)))) some_overflow = 1'b1;
//+       end
//+     end
//+     for (int unsigned l = 0; l < LANES; l++) begin
//+       for (int unsigned v = 0; v < ROUNDS; v++) begin
//+         if (start_i[l] && 32'(start_context_i[l*START_CONTEXT_BITS +: START_CONTEXT_BITS]) == n * ROUNDS + v &&
//+             (execution_q[n] != '0 || ready_q[n][CYCLIC != 0 ? v * LANES + l : l * ROUNDS + v] ||
//+              barrier_q[n][CYCLIC != 0 ? v * LANES + l : l * ROUNDS + v])) not_legal = 1'b1;
//+       end
//+     end
//+   end
//+   for (int unsigned l = 0; l < LANES; l++) begin
//+     if (start_i[l] && 32'(start_context_i[l*START_CONTEXT_BITS +: START_CONTEXT_BITS]) >= WARPS * ROUNDS) not_legal = 1'b1;
//+   end
//+   if (two_operate) not_legal = 1'b1;
//+ end
module thread_descriptor_table_props #(
    parameter  int unsigned WARPS              = 16,
    parameter  int unsigned WARP_SIZE          = 32,
    parameter  int unsigned LANES              = 4,
    parameter  int unsigned LEVELS             = 8,
    parameter  int unsigned CYCLIC             = 0,
    localparam int unsigned WARP_BITS          = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned THREAD_BITS        = $clog2(WARP_SIZE),
    localparam int unsigned ROUNDS             = WARP_SIZE / LANES,
    localparam int unsigned START_CONTEXT_BITS = WARPS * ROUNDS > 1 ? $clog2(WARPS * ROUNDS) : 1,
    localparam int unsigned LIVE_BITS          = $clog2(WARPS * WARP_SIZE + 1),
    localparam int unsigned COUNT_BITS         = $clog2(WARP_SIZE + 1)
) (
    input logic                                clk_i,
    input logic                                rst_ni,
    input logic [LANES-1:0]                    start_i,
    input logic [LANES*START_CONTEXT_BITS-1:0] start_context_i,
    input logic [LANES*32-1:0]                 start_pc_i,
    input logic                                select_i,
    input logic [WARP_BITS-1:0]                select_warp_i,
    input logic                                schedule_i,
    input logic [WARP_SIZE-1:0]                schedule_threads_i,
    input logic [31:0]                         schedule_pc_i,
    input logic                                execute_i,
    input logic [WARP_BITS-1:0]                execute_warp_i,
    input logic [WARP_SIZE-1:0]                execute_passed_i,
    input logic                                execute_jumps_i,
    input logic [WARP_SIZE*32-1:0]             execute_target_i,
    input logic [2:0]                          execute_operation_i,
    input logic [3:0]                          execute_by_i,
    input logic [WARPS-1:0]                    commit_i,
    input logic                                release_i,
    input logic [WARPS-1:0]                    runnable_o,
    input logic [WARP_SIZE-1:0]                ready_o,
    input logic [LEVELS*WARP_SIZE-1:0]         priority_o,
    input logic [WARP_SIZE*32-1:0]             pc_o,
    input logic [LIVE_BITS-1:0]                live_o,
    input logic [COUNT_BITS-1:0]               arrive_count_o,
    input logic [31:0]                         arrive_pc_o,
    input logic [COUNT_BITS-1:0]               exit_count_o,
    input logic                                overflow_o,
    input logic                                illegal_o,
    input logic [WARP_BITS-1:0]                w,
    input logic [WARP_SIZE-1:0]                row_ready,
    input logic [WARP_SIZE-1:0]                row_execution,
    input logic [WARP_SIZE-1:0]                row_barrier,
    input logic [WARP_SIZE*32-1:0]             row_pc,
    input logic [LEVELS*WARP_SIZE-1:0]         row_priority,
    input logic [WARP_SIZE*8-1:0]              row_level,
    input logic [31:0]                         row_warp_pc,
    input logic [WARP_SIZE*32-1:0]             row_next_pc,
    input logic [WARP_SIZE-1:0]                row_passed,
    input logic                                counts_are_right,
    input logic                                states_are_right,
    input logic [2:0]                          row_operation,
    input logic [3:0]                          row_by,
    input logic                                row_executed,
    input logic                                row_read,
    input logic                                several,
    input logic                                not_legal,
    input logic                                two_operate,
    input logic                                some_overflow,
    input logic [COUNT_BITS-1:0]               its_arrivals,
    input logic [COUNT_BITS-1:0]               its_exits,
    input logic [31:0]                         its_pc,
    input logic [LIVE_BITS-1:0]                alive
);
  // Any thread of warp w.
  (* anyconst *) logic [THREAD_BITS-1:0] k;

  // Legal inputs that concern the thread; all other inputs are free. The environment may also be lawless, or
  // lawful for all threads.
  (* anyconst *) logic lawless;
  (* anyconst *) logic lawful;
  logic legal;
  always_comb begin
    legal = !several && !(commit_i[w] && !row_executed && !tells) && !(select_i && 32'(select_warp_i) >= WARPS);
    if (schedule_i && row_read && (schedule_threads_i == '0 || (schedule_threads_i & ~row_ready) != '0 ||
        row_execution != '0)) legal = 1'b0;
    if (execute_i && (32'(execute_warp_i) >= WARPS || execute_operation_i > 3'd5)) legal = 1'b0;
    if (tells && (row_execution == '0 || row_executed || (execute_passed_i & ~row_execution) != '0)) legal = 1'b0;
    if (starts && (ready || barrier || row_execution != '0)) legal = 1'b0;
    for (int unsigned l = 0; l < LANES; l++) begin
      if (start_i[l] && 32'(start_context_i[l*START_CONTEXT_BITS +: START_CONTEXT_BITS]) >= WARPS * ROUNDS) legal = 1'b0;
    end
  end

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb begin
    assume (32'(w) < WARPS);
    assume (32'(k) < WARP_SIZE);
    if (!started) assume (!rst_ni);
    if (started && rst_ni) assume (lawless || (legal && (!lawful || !illegal_o)));
  end

  logic broken_q;  // an illegal input has occurred
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) broken_q <= 1'b0;
    else         broken_q <= broken_q || not_legal;
  end

  // State of the thread, and inputs that concern it.
  logic        ready, execution, barrier, idle;
  logic [7:0]  level;
  logic [31:0] pc, start_pc;
  logic        starts, scheduled, commits, told, tells, passes;
  assign ready     = row_ready[k];
  assign execution = row_execution[k];
  assign barrier   = row_barrier[k];
  assign idle      = !(ready || execution || barrier);
  assign level     = row_level[8*k +: 8];
  assign pc        = row_pc[32*k +: 32];
  assign scheduled = schedule_i && schedule_threads_i[k] && read_w;
  assign commits   = commit_i[w] && execution;
  assign tells     = execute_i && execute_warp_i == w;

  always_comb begin
    starts   = 1'b0;
    start_pc = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      for (int unsigned v = 0; v < ROUNDS; v++) begin
        if (start_i[l] && 32'(start_context_i[l*START_CONTEXT_BITS +: START_CONTEXT_BITS]) == 32'(w) * ROUNDS + v &&
            32'(k) == (CYCLIC != 0 ? v * LANES + l : l * ROUNDS + v)) begin
          starts   = 1'b1;
          start_pc = start_pc_i[32*l +: 32];
        end
      end
    end
  end

  // Effect of the instruction in flight on the thread, by its inputs.
  logic [31:0] goes_to, goes_to_q, warp_pc_q;
  logic        passed, passed_q, read_w;
  logic [WARP_BITS-1:0] read_of_q;
  logic [2:0]  operation, operation_q;
  logic [3:0]  by, by_q;
  assign goes_to   = !tells ? goes_to_q : execute_jumps_i && execute_passed_i[k] ? execute_target_i[32*k +: 32]
                                                                                 : warp_pc_q + 32'd4;
  assign passed    = tells ? execute_passed_i[k] : passed_q;
  assign operation = tells ? execute_operation_i : operation_q;
  assign by        = tells ? execute_by_i : by_q;
  assign passes    = commits && passed;
  assign read_w  = read_of_q == w;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_of_q   <= '0;
      goes_to_q   <= '0;
      passed_q    <= 1'b0;
      operation_q <= '0;
      by_q        <= '0;
      warp_pc_q   <= '0;
    end else begin
      if (select_i) read_of_q <= select_warp_i;
      if (schedule_i && read_w) warp_pc_q <= schedule_pc_i;
      goes_to_q   <= goes_to;
      passed_q    <= passed;
      operation_q <= operation;
      by_q        <= by;
    end
  end

  // The previous cycle.
  logic        past_q, ready_p, execution_p, barrier_p, idle_p, starts_p, scheduled_p, commits_p, passes_p, release_p;
  logic        overflow_p;
  logic [2:0]  operation_p;
  logic [3:0]  by_p;
  logic [7:0]  level_p;
  logic [31:0] pc_p, goes_to_p, start_pc_p;
  logic [LIVE_BITS-1:0] live_p;
  always_ff @(posedge clk_i) begin
    past_q      <= started && rst_ni;
    ready_p     <= ready;
    execution_p <= execution;
    barrier_p   <= barrier;
    idle_p      <= idle;
    starts_p    <= starts;
    scheduled_p <= scheduled;
    commits_p   <= commits;
    passes_p    <= passes;
    release_p   <= release_i;
    overflow_p  <= overflow_o;
    operation_p <= operation;
    by_p        <= by;
    level_p     <= level;
    pc_p        <= pc;
    goes_to_p   <= goes_to;
    start_pc_p  <= start_pc;
    live_p      <= live_o + LIVE_BITS'($countones(start_i)) - LIVE_BITS'(exit_count_o);
  end

  // Priority of the thread: one-hot, as expected, as read.
  logic priority_right, priority_read;
  always_comb begin
    priority_right = 1'b1;
    priority_read  = 1'b1;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      if (row_priority[n*WARP_SIZE + 32'(k)] != (32'(level) == n || (n == LEVELS - 1 && 32'(level) > n))) begin
        priority_right = 1'b0;
      end
      if (priority_o[n*WARP_SIZE + 32'(k)] != row_priority[n*WARP_SIZE + 32'(k)]) priority_read = 1'b0;
    end
  end

  logic raises_p, lowers_p, clears_p;
  assign raises_p = passes_p && operation_p == 3'd1;
  assign lowers_p = passes_p && operation_p == 3'd2;
  assign clears_p = passes_p && (operation_p == 3'd3 || operation_p == 3'd5);

  // Threads of the warp that pass the instruction in flight.
  logic [WARP_SIZE-1:0] passing;
  assign passing = tells ? execute_passed_i : row_passed;

  always_comb if (started && rst_ni) begin
    lemma_counts:         assert (counts_are_right);
    lemma_counts_reached: cover (row_passed == '1);
  end

  always_comb if (started && rst_ni && lawless) begin
    what_is_illegal_is_told:         assert (legal || illegal_o);
    what_is_illegal_is_told_reached: cover (!legal && commit_i == '0);

    // For all threads at once. The state after an illegal input is undefined.
    only_what_is_illegal_is_told:         assert (broken_q || illegal_o == not_legal);
    only_what_is_illegal_is_told_reached: cover (!illegal_o && schedule_i && execute_i);

    arrivals_and_exits_are_counted: assert (two_operate || (arrive_count_o == its_arrivals && exit_count_o == its_exits &&
        arrive_pc_o == its_pc));
    arrivals_and_exits_are_counted_reached: cover (arrive_count_o == COUNT_BITS'(2) && arrive_pc_o != '0);

    a_level_that_cannot_change_is_told_no_other:         assert (two_operate || overflow_o == some_overflow);
    a_level_that_cannot_change_is_told_no_other_reached: cover (overflow_o && !illegal_o);
  end

  always_comb if (started && rst_ni && !lawless) begin
    states_are_one_hot:         assert (32'(ready) + 32'(execution) + 32'(barrier) <= 1);
    states_are_one_hot_reached: cover (barrier);

    priority_is_one_hot_of_the_level:         assert (priority_right);
    priority_is_one_hot_of_the_level_reached: cover (level != '0);

    idle_threads_are_at_the_outermost_level:         assert (!idle || level == '0);
    idle_threads_are_at_the_outermost_level_reached: cover (idle && live_o != '0);

    live_counts_the_threads_that_are_not_idle:         assert (WARPS * WARP_SIZE > 16 || !lawful || live_o == alive);
    live_counts_the_threads_that_are_not_idle_reached: cover (WARPS * WARP_SIZE > 16 || (lawful && alive > LIVE_BITS'(2)));

    a_warp_runs_if_it_has_ready_threads_and_none_in_execution:         assert (runnable_o[w] == (row_ready != '0 && row_execution == '0));
    a_warp_runs_if_it_has_ready_threads_and_none_in_execution_reached: cover (row_ready != '0 && !runnable_o[w]);

    the_row_selected_is_read:         assert (!read_w || (ready_o[k] == ready && pc_o[32*k +: 32] == pc && priority_read));
    the_row_selected_is_read_reached: cover (read_w && w != '0 || WARPS == 1);

    those_that_pass_a_barrier_arrive:         assert (!(passes && operation == 3'd4) || (32'(arrive_count_o) == 32'($countones(passing)) && arrive_pc_o == row_warp_pc));
    those_that_pass_a_barrier_arrive_reached: cover (passes && operation == 3'd4);

    those_that_pass_an_exit_are_counted:         assert (!(passes && operation == 3'd5) || 32'(exit_count_o) == 32'($countones(passing)));
    those_that_pass_an_exit_are_counted_reached: cover (passes && operation == 3'd5);

    lemma_told_of_execution:         assert (!row_executed || row_execution != '0);
    lemma_told_of_execution_reached: cover (row_executed && row_passed != row_execution);
    lemma_told_of_the_executing:         assert (!(row_executed && row_passed[k]) || execution);
    lemma_told_of_the_executing_reached: cover (row_executed && row_passed[k]);
    lemma_told_an_operation:             assert (!row_executed || row_operation <= 3'd5);
    lemma_told_an_operation_reached:     cover (row_executed && row_operation == 3'd5);
    lemma_states_of_all_are_right:         assert (!lawful || states_are_right);
    lemma_states_of_all_are_right_reached: cover (lawful && row_barrier != '0);
    lemma_read:                   assert (read_w == row_read);
    lemma_read_reached:           cover (row_read);
    lemma_told:                   assert (!row_executed || (passed_q == row_passed[k] && operation_q == row_operation && by_q == row_by));
    lemma_told_reached:           cover (row_executed && row_by != '0);
    lemma_warp_pc:                assert (warp_pc_q == row_warp_pc);
    lemma_warp_pc_reached:        cover (row_warp_pc == 32'h8000);
    lemma_next_pc:                assert (!row_executed || row_next_pc[32*k +: 32] == (execution ? goes_to_q : pc));
    lemma_next_pc_reached:        cover (row_executed && execution);
  end

  always_comb if (started && rst_ni && past_q && !lawless) begin
    becomes_ready_only_by_start_commit_or_release: assert (!ready || ready_p || (idle_p && starts_p) ||
        (commits_p && !(passes_p && (operation_p == 3'd4 || operation_p == 3'd5))) || (barrier_p && release_p));
    becomes_ready_only_by_start_commit_or_release_reached: cover (ready && barrier_p);

    enters_execution_only_if_ready_and_scheduled:         assert (!execution || execution_p || (ready_p && scheduled_p));
    enters_execution_only_if_ready_and_scheduled_reached: cover (execution && ready_p);

    waits_only_by_a_barrier_passed:         assert (!barrier || barrier_p || (passes_p && operation_p == 3'd4));
    waits_only_by_a_barrier_passed_reached: cover (barrier && !barrier_p);

    ends_only_by_an_exit_passed:         assert (!idle || idle_p || (passes_p && operation_p == 3'd5));
    ends_only_by_an_exit_passed_reached: cover (idle && !idle_p);

    transitions_are_not_lost: assert (!(idle_p && starts_p && !ready) && !(scheduled_p && !execution) &&
        !(commits_p && execution) && !(barrier_p && release_p && !ready));
    transitions_are_not_lost_reached: cover (commits_p && ready);

    live_changes_by_starts_and_exits:         assert (live_o == live_p);
    live_changes_by_starts_and_exits_reached: cover (live_p != '0 && clears_p);

    pc_changes_only_by_start_or_commit:         assert (pc == pc_p || starts_p || commits_p);
    pc_changes_only_by_start_or_commit_reached: cover (pc != pc_p);

    a_start_sets_the_pc:         assert (!starts_p || pc == start_pc_p);
    a_start_sets_the_pc_reached: cover (starts_p && pc == 32'h8000);

    a_commit_sets_the_pc_told:         assert (!commits_p || pc == goes_to_p);
    a_commit_sets_the_pc_told_reached: cover (commits_p && passes_p && pc != pc_p + 32'd4);

    levels_change_only_as_passed: assert (level == (clears_p ? 8'd0 : raises_p && level_p != 8'd255 ? level_p + 8'd1 :
        lowers_p && level_p >= 8'(by_p) ? level_p - 8'(by_p) : level_p));
    levels_change_only_as_passed_reached: cover (raises_p && level == 8'd1);

    a_level_that_cannot_change_is_told:         assert (!(lowers_p && level_p < 8'(by_p)) || overflow_p);
    a_level_that_cannot_change_is_told_reached: cover (lowers_p && overflow_p);
  end
endmodule
