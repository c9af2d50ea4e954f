// Runs an unmodified OpenCL program whose kernels execute on a user's core (a32_core.sv). Checks each
// instruction that the core commits. After the first difference, the bench searches for the smallest number
// of instructions that reproduce it.
//
//   $ benchmarks=$(pkg-config --variable=benchmarksdir lockstep)
//   $ obj_dir/Vcommit_bench +program="$benchmarks/bfs --nodes 256"             PASS
//   $ obj_dir/Vcommit_bench +program="$benchmarks/bfs --nodes 256" +mistake    finds the core's bug
module commit_bench;
  import lockstep_dpi::*;

  logic clk = 0, mistake = 0, begins = 0, runs = 0;
  logic [31:0] begin_pc;
  logic [14:0][31:0] begin_register;
  logic [3:0] begin_flags;
  logic [31:0] fetch, instruction, address, asked, data, value, store_address, store_data, pc, lowest;
  logic load, ask, writes, stores, is_byte, commits, passed, accesses, sets_flags, sleeps, unknown;
  logic [3:0] written, flags;

  a32_core core (
      .clk_i(clk), .mistake_i(mistake), .begin_i(begins), .begin_pc_i(begin_pc), .begin_flags_i(begin_flags),
      .begin_register_i(begin_register), .fetch_o(fetch), .instruction_i(instruction), .load_o(load), .ask_o(ask),
      .address_o(address), .asked_o(asked), .data_i(data), .writes_o(writes), .register_o(written), .value_o(value),
      .stores_o(stores), .byte_o(is_byte), .store_address_o(store_address), .store_data_o(store_data),
      .commits_o(commits), .pc_o(pc), .passed_o(passed), .accesses_o(accesses), .lowest_o(lowest),
      .sets_flags_o(sets_flags), .flags_o(flags), .sleeps_o(sleeps), .unknown_o(unknown)
  );

  chandle machine, launch;
  string program_name;
  bit differs;
  int unsigned committed, limit, least, launches;
  longint unsigned cycles, total;

  function automatic void must(input bit good, input string what);
    if (!good) $fatal(1, "FAIL: %s", what);
  endfunction

  // Commits are processed before accesses, so that a load sees the store of the instruction before.
  always @(posedge clk) begin
    ++cycles;
    if (!begins) begin
      if (stores) begin
        checker_dpi_write(launch, 0, store_address, is_byte ? 1 : 4, store_data);
        checker_dpi_data(launch, 0, 2048'(store_data));
      end
      if (writes) checker_dpi_value(launch, 0, {28'b0, written}, 2048'(value));
      if (commits) begin
        must(!unknown, $sformatf("the core does not have the instruction at 0x%08x", pc));
        if (accesses) checker_dpi_address(launch, 0, 2048'(lowest));
        if (sets_flags) checker_dpi_value(launch, 0, 48, {2016'b0, flags, 28'b0});
        differs = !checker_dpi_commit(launch, 0, pc, 1, {63'b0, passed}, 0, 1);
        ++committed;
        if (differs || sleeps || committed == limit) runs = 0;
      end
    end
    if (runs && load) data <= checker_dpi_read(launch, 0, address, is_load_byte() ? 1 : 4);
    if (runs && ask) data <= checker_dpi_coprocessor(launch, 0, 0, asked);
    if (runs) instruction <= checker_dpi_read(launch, 0, fetch, 4);
  end

  function automatic bit is_load_byte();
    return instruction[27:26] == 2'b01 && instruction[22];
  endfunction

  // Runs the core from the reference's registers until it sleeps, differs, or has committed `most`
  // instructions.
  task automatic run(input int unsigned most);
    begin_pc = checker_dpi_pc(launch, 0, 0);
    begin_flags = 4'(checker_dpi_register(launch, 0, 0, 48) >> 28);
    for (int unsigned r = 0; r < 15; ++r) begin_register[r] = checker_dpi_register(launch, 0, 0, r);
    committed = 0;
    limit = most;
    differs = 0;
    begins = 1;
    runs = 1;
    #1 clk = 1;
    #1 clk = 0;
    begins = 0;
    while (runs) begin
      #1 clk = 1;
      #1 clk = 0;
    end
  endtask

  // Finds the smallest number of instructions that differ when started from the reference's registers.
  task automatic make_small();
    int unsigned back;
    for (least = 1; least <= 64; ++least) begin
      back = checker_dpi_rewind(launch, least);
      if (back < least) break;
      run(least);
      if (differs) begin
        $display("made small: these %0d instructions are enough", least);
        checker_dpi_print(launch, least);
        return;
      end
    end
    $display("not made small: no end of the last 64 instructions differs alone");
  endtask

  initial begin
    must($value$plusargs("program=%s", program_name) != 0, "+program=\"NAME ARGUMENTS\" is missing");
    mistake = $test$plusargs("mistake") != 0;
    machine = reference_dpi_create("", "mode=mimd", "");
    must(machine != null, "there is no machine");
    must(reference_dpi_program(machine, program_name), "the program");
    while (reference_dpi_launch(machine)) begin
      launch = checker_dpi_create(machine, 0, 0, 1);
      must(launch != null, "a launch");
      run(0);
      total += checker_dpi_commits(launch);
      if (differs) begin
        make_small();
        checker_dpi_destroy(launch);
        reference_dpi_destroy(machine);
        $fatal(1, "FAIL: launch %0d differs", launches + 1);
      end
      must(checker_dpi_end(launch), "the end of a launch");
      checker_dpi_destroy(launch);
      ++launches;
    end
    must(reference_dpi_finish(machine) == 0, "the program has failed");
    must(total != 0, "nothing was compared");
    $display("PASS: %0d launches, %0d instructions in %0d cycles", launches, total, cycles);
    reference_dpi_destroy(machine);
    $finish;
  end
endmodule
