// A whole cluster as the reference of a bench in SystemVerilog: the cluster runs a kernel, and in every cycle
// my_arbiter gets the inputs of the cluster's arbiter.
//
//   $ lockstep-cc -o powers.img powers.cl
//   $ verilator --binary --top-module cluster_bench $(pkg-config --variable=dpidir lockstep)/lockstep_dpi.sv \
//       my_arbiter.sv cluster_bench.sv -LDFLAGS "$(pkg-config --libs lockstep)"
//   $ obj_dir/Vcluster_bench
module cluster_bench;
  import lockstep_dpi::*;
  localparam int unsigned WARP_SIZE = 16;
  localparam int unsigned LEVELS = 8;
  localparam int unsigned ITEMS = 256;

  // Widths of the largest arbiter.
  bit [63:0] ready, wtid, participating;
  bit [16*64-1:0] levels;
  bit [64*32-1:0] pcs;
  bit [31:0] pc;
  bit [3:0] level;

  logic [LEVELS*WARP_SIZE-1:0] levels_mine;
  logic [31:0] pc_mine;
  logic [WARP_SIZE-1:0] participating_mine;

  always_comb
    for (int unsigned n = 0; n < LEVELS; ++n) levels_mine[n*WARP_SIZE+:WARP_SIZE] = levels[n*64+:WARP_SIZE];
  my_arbiter #(WARP_SIZE, LEVELS) mine (
      .ready_i(ready[WARP_SIZE-1:0]),
      .priority_i(levels_mine),
      .pc_i(pcs[WARP_SIZE*32-1:0]),
      .pc_o(pc_mine),
      .participating_o(participating_mine)
  );

  chandle machine;
  int unsigned x, y;
  int unsigned compared = 0;
  longint unsigned cycle;

  function automatic void must(input bit good, input string what);
    if (!good) $fatal(1, "FAIL: %s", what);
  endfunction

  initial begin
    machine = reference_dpi_create("", "simt.warp_size=16", "powers.img");
    must(machine != null, "there is no machine");
    x = reference_dpi_buffer(machine, 4 * ITEMS);
    y = reference_dpi_buffer(machine, 4 * ITEMS);
    for (int unsigned i = 0; i < ITEMS; ++i)
      reference_dpi_write(machine, x + 4 * i, 32'h3f800000);  // 1.0
    must(reference_dpi_kernel(machine, "powers"), "no kernel");
    must(reference_dpi_number(machine, 32'h40000000), "a");  // 2.0
    must(reference_dpi_pointer(machine, x), "x");
    must(reference_dpi_pointer(machine, y), "y");
    must(reference_dpi_begin(machine, ITEMS, 128), "no launch");
    while (reference_dpi_step(machine, "warp_pc_arbiter", cycle)) begin
      warp_pc_arbiter_dpi_ports(reference_dpi_block(machine, "warp_pc_arbiter"), ready, levels, pcs, wtid, pc,
                                participating, level);
      #1;
      if (pc_mine != pc || participating_mine != participating[WARP_SIZE-1:0])
        $fatal(1, "FAIL: cycle %0d: threads %h at %h, in the cluster %h at %h", cycle, participating_mine, pc_mine,
               participating, pc);
      ++compared;
    end
    must(reference_dpi_end(machine), "the launch");
    must(compared != 0, "nothing was compared");
    for (int unsigned i = 0; i < ITEMS; ++i)
      must(reference_dpi_read(machine, y + 4 * i) == 32'h3f800000 + ((i % 4) << 23), "a result");  // 2 ** (i % 4)
    $display("PASS: %0d cycles compared, %0d in all", compared, reference_dpi_cycles(machine));
    reference_dpi_destroy(machine);
    $finish;
  end
endmodule
