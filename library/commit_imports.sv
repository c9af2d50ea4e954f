
  // Starts an OpenCL program on a machine created without an image (""). Blanks separate the words of the
  // command.
  import "DPI-C" function bit reference_dpi_program(input chandle handle, input string command);
  // Continues to the program's next launch. Returns 0 if the program has ended.
  import "DPI-C" function bit reference_dpi_launch(input chandle handle);
  // Waits for the end of the program, or ends it. Returns its exit status; -1 if it could not run.
  import "DPI-C" function int reference_dpi_finish(input chandle handle);

  // Commit checker (lockstep.h). Begins a launch of the machine on `units` cores or warps: with work_items
  // work-items in one dimension, or the launch of the program (0).
  import "DPI-C" function chandle checker_dpi_create(input chandle machine, input int unsigned work_items, input int unsigned work_group, input int unsigned units);
  import "DPI-C" function void checker_dpi_destroy(input chandle handle);
  import "DPI-C" function bit checker_dpi_running(input chandle handle);
  import "DPI-C" function bit checker_dpi_end(input chandle handle);
  // Starts a warp on the work-items of a work-group from first_item on.
  import "DPI-C" function bit checker_dpi_start(input chandle handle, input int unsigned unit, input int unsigned group_x, input int unsigned group_y, input int unsigned group_z, input int unsigned first_item);
  // Return state of the reference: PC (1: the thread has ended), register (48: flags).
  import "DPI-C" function int unsigned checker_dpi_pc(input chandle handle, input int unsigned unit, input int unsigned thread);
  import "DPI-C" function int unsigned checker_dpi_register(input chandle handle, input int unsigned unit, input int unsigned thread, input int unsigned number);
  // Access memory of the design: 1, 2 or 4 bytes.
  import "DPI-C" function int unsigned checker_dpi_read(input chandle handle, input int unsigned unit, input int unsigned address, input int unsigned size_bytes);
  import "DPI-C" function void checker_dpi_write(input chandle handle, input int unsigned unit, input int unsigned address, input int unsigned size_bytes, input int unsigned data);
  // Returns the answer of the co-processor to an MRC.
  import "DPI-C" function int unsigned checker_dpi_coprocessor(input chandle handle, input int unsigned unit, input int unsigned thread, input int unsigned instruction);
  // Set data for the next commit of a unit, one word for each thread: a written register; the addresses; a
  // stored word (called once for each word of a multiple store, in order).
  import "DPI-C" function void checker_dpi_value(input chandle handle, input int unsigned unit, input int unsigned number, input bit [2047:0] words);
  import "DPI-C" function void checker_dpi_address(input chandle handle, input int unsigned unit, input bit [2047:0] words);
  import "DPI-C" function void checker_dpi_data(input chandle handle, input int unsigned unit, input bit [2047:0] words);
  // Commits an instruction. kind: 0 the reference executes it and compares; 1 likewise for a load, but takes
  // the design's values; 2 the reference does not execute it and takes all values. instructions: number
  // merged into this commit. Returns 0 if the design differs.
  import "DPI-C" function bit checker_dpi_commit(input chandle handle, input int unsigned unit, input int unsigned pc, input longint unsigned mask, input longint unsigned passed, input int unsigned kind, input int unsigned instructions);
  import "DPI-C" function longint unsigned checker_dpi_commits(input chandle handle);
  // After a difference: return its unit; undo instructions, and return how many; print the latest ones.
  import "DPI-C" function int unsigned checker_dpi_unit(input chandle handle);
  import "DPI-C" function int unsigned checker_dpi_rewind(input chandle handle, input int unsigned instructions);
  import "DPI-C" function void checker_dpi_print(input chandle handle, input int unsigned instructions);
