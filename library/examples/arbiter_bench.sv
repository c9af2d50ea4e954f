// A bench in SystemVerilog: compares my_arbiter with the C model of warp_pc_arbiter, with random inputs.
//
//   $ dpi=$(pkg-config --variable=dpidir lockstep)
//   $ verilator --binary --top-module arbiter_bench $dpi/lockstep_dpi.sv $dpi/warp_pc_arbiter_model.sv \
//       my_arbiter.sv arbiter_bench.sv -LDFLAGS "$(pkg-config --libs lockstep)"
//   $ obj_dir/Varbiter_bench
module arbiter_bench;
  localparam int unsigned WARP_SIZE = 16;
  localparam int unsigned LEVELS = 4;
  localparam int unsigned CYCLES = 20000;

  logic [WARP_SIZE-1:0] ready;
  logic [LEVELS*WARP_SIZE-1:0] levels;
  logic [WARP_SIZE*32-1:0] pc;

  logic [31:0] pc_mine, pc_model;
  logic [WARP_SIZE-1:0] participating_mine, participating_model, wtid_model;
  logic [1:0] level_model;

  my_arbiter #(WARP_SIZE, LEVELS) mine (
      .ready_i(ready),
      .priority_i(levels),
      .pc_i(pc),
      .pc_o(pc_mine),
      .participating_o(participating_mine)
  );
  warp_pc_arbiter_model #(WARP_SIZE, LEVELS) model (
      .ready_i(ready),
      .priority_i(levels),
      .pc_i(pc),
      .wtid_o(wtid_model),
      .pc_o(pc_model),
      .participating_o(participating_model),
      .level_o(level_model)
  );

  // Each thread is at one level. PCs are few, so that threads coincide.
  task automatic stimulate();
    ready  = WARP_SIZE'($urandom());
    levels = '0;
    for (int unsigned k = 0; k < WARP_SIZE; ++k) begin
      levels[($urandom()%LEVELS)*WARP_SIZE+k] = 1'b1;
      pc[32*k+:32] = 32'h10000 + 4 * ($urandom() % 3);
    end
  endtask

  initial begin
    for (int unsigned cycle = 0; cycle < CYCLES; ++cycle) begin
      stimulate();
      #1;
      if (pc_mine != pc_model || participating_mine != participating_model)
        $fatal(1, "FAIL: cycle %0d: threads %h at %h, in the model %h at %h; ready %h", cycle,
               participating_mine, pc_mine, participating_model, pc_model, ready);
    end
    $display("PASS: %0d cycles", CYCLES);
    $finish;
  end
endmodule
