// Blocks with flip-flops: our Verilog and the C models as modules, side by side; outputs and flip-flops.
module blocks_bench;
  localparam int unsigned WARPS = 5;
  localparam int unsigned WARP_SIZE = 8;
  localparam int unsigned CYCLES = 20000;

  logic clk = 0, rst_n = 0;
  always #2 clk = !clk;

  // Two policies of the scheduler, each compared with its model.
  logic [WARPS-1:0] ready, stalled, grant[2], grant_model[2];
  logic take, valid[2], valid_model[2];
  logic [2:0] warp[2], warp_model[2];
  warp_scheduler #(WARPS) scheduler (
      .clk_i(clk), .rst_ni(rst_n), .ready_i(ready), .stalled_i(stalled), .take_i(take),
      .valid_o(valid[0]), .warp_o(warp[0]), .grant_o(grant[0])
  );
  warp_scheduler_model #(WARPS) scheduler_model (
      .clk_i(clk), .rst_ni(rst_n), .ready_i(ready), .stalled_i(stalled), .take_i(take),
      .valid_o(valid_model[0]), .warp_o(warp_model[0]), .grant_o(grant_model[0])
  );
  two_level_scheduler #(WARPS, 2) two_level (
      .clk_i(clk), .rst_ni(rst_n), .ready_i(ready), .stalled_i(stalled), .take_i(take),
      .valid_o(valid[1]), .warp_o(warp[1]), .grant_o(grant[1])
  );
  two_level_scheduler_model #(WARPS, 2) two_level_model (
      .clk_i(clk), .rst_ni(rst_n), .ready_i(ready), .stalled_i(stalled), .take_i(take),
      .valid_o(valid_model[1]), .warp_o(warp_model[1]), .grant_o(grant_model[1])
  );

  logic start, opens, deadlock, released, exited, opens_model, deadlock_model, released_model, exited_model;
  logic [5:0] start_live;
  logic [3:0] arrive_count, exit_count;
  logic [31:0] arrive_pc;
  barrier_table #(WARPS, WARP_SIZE) barriers (
      .clk_i(clk), .rst_ni(rst_n), .start_i(start), .start_group_i(0), .start_live_i(start_live),
      .start_scalar_i(0), .arrive_count_i(arrive_count), .arrive_group_i(0), .arrive_pc_i(arrive_pc),
      .arrive_scalar_i(0), .exit_count_i(exit_count), .exit_group_i(0), .scalar_arrives_i(0), .scalar_exits_i(0),
      .release_scalar_o(), .opens_o(opens), .deadlock_o(deadlock),
      .release_o(released), .exited_o(exited)
  );
  barrier_table_model #(WARPS, WARP_SIZE) barriers_model (
      .clk_i(clk), .rst_ni(rst_n), .start_i(start), .start_group_i(0), .start_live_i(start_live),
      .start_scalar_i(0), .arrive_count_i(arrive_count), .arrive_group_i(0), .arrive_pc_i(arrive_pc),
      .arrive_scalar_i(0), .exit_count_i(exit_count), .exit_group_i(0), .scalar_arrives_i(0), .scalar_exits_i(0),
      .release_scalar_o(), .opens_o(opens_model), .deadlock_o(deadlock_model),
      .release_o(released_model), .exited_o(exited_model)
  );

  int opened = 0, deadlocks = 0;
  bit stuck = 0;  // until the next reset

  // Some running threads arrive or exit; a new work-group starts after the end of the last one.
  task automatic stimulate();
    automatic int unsigned running = 32'(barriers.live_q) - 32'(barriers.waiting_q);
    ready = WARPS'($urandom());
    stalled = WARPS'($urandom()) & WARPS'($urandom());
    take = 1'($urandom());
    {start, start_live, arrive_count, exit_count, arrive_pc} = '0;
    if (barriers.live_q == 0 && !released) begin
      start = 1;
      start_live = 6'(1 + $urandom() % (WARPS * WARP_SIZE));
    end else if (running != 0) begin
      automatic int unsigned count = $urandom() % (1 + (running < WARP_SIZE ? running : WARP_SIZE));
      if ($urandom() % 8 == 0) exit_count = 4'(count);
      else arrive_count = 4'(count);
      if (arrive_count != 0) arrive_pc = 32'h10000 + ($urandom() % 16 == 0 ? 4 : 0);
    end
  endtask

  task automatic compare(input int unsigned cycle);
    for (int n = 0; n < 2; ++n)
      if ({valid[n], warp[n], grant[n]} != {valid_model[n], warp_model[n], grant_model[n]})
        $fatal(1, "FAIL: scheduler %0d, cycle %0d: grant %h, in the model %h", n, cycle, grant[n], grant_model[n]);
    if (scheduler.last_q != 3'(scheduler_model.last_q) || two_level.active_q != WARPS'(two_level_model.active_q))
      $fatal(1, "FAIL: flip-flops of a scheduler, cycle %0d", cycle);
    if ({opens, deadlock, released, exited} != {opens_model, deadlock_model, released_model, exited_model} || barriers.mixed_q != 1'(barriers_model.mixed_q))
      $fatal(1, "FAIL: barrier_table, cycle %0d: %b, in the model %b", cycle, {opens, deadlock, released, exited},
             {opens_model, deadlock_model, released_model, exited_model});
    stuck = deadlock;
    opened += 32'(opens);
    deadlocks += 32'(deadlock);
  endtask

  initial begin
    {ready, stalled, take, start, start_live, arrive_count, exit_count, arrive_pc} = '0;
    for (int unsigned cycle = 0; cycle < CYCLES; ++cycle) begin
      @(negedge clk);
      rst_n = cycle != 0 && !stuck;
      stimulate();
      #1;
      stuck = 0;
      if (rst_n) compare(cycle);
    end
    if (opened < 100 || deadlocks < 10) $fatal(1, "FAIL: %0d barriers opened, %0d deadlocks", opened, deadlocks);
    $display("PASS: %0d cycles, %0d barriers, %0d deadlocks", CYCLES, opened, deadlocks);
    $finish;
  end
endmodule
