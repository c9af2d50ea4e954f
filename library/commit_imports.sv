
  // A program and its launches, on a machine created without an image (""); blanks separate the command's words.
  import "DPI-C" function bit reference_dpi_program(input chandle handle, input string command);
  // Goes on to its next launch: 0 when it has ended.
  import "DPI-C" function bit reference_dpi_launch(input chandle handle);
  // Waits for its end, or ends it: its exit status; -1 if it could not run.
  import "DPI-C" function int reference_dpi_finish(input chandle handle);

  // The commit checker (lockstep.h). Begins the machine's launch on so many cores or warps: of so many work-items in
  // one dimension, or the program's (0).
  import "DPI-C" function chandle checker_dpi_create(input chandle machine, input int unsigned work_items, input int unsigned work_group, input int unsigned units);
  import "DPI-C" function void checker_dpi_destroy(input chandle handle);
  import "DPI-C" function bit checker_dpi_running(input chandle handle);
  import "DPI-C" function bit checker_dpi_end(input chandle handle);
  // Starts a warp on work-items of a work-group from the first one on.
  import "DPI-C" function bit checker_dpi_start(input chandle handle, input int unsigned unit, input int unsigned group_x, input int unsigned group_y, input int unsigned group_z, input int unsigned first_item);
  // The reference's state: PC (1: the thread has ended), registers (48: flags).
  import "DPI-C" function int unsigned checker_dpi_pc(input chandle handle, input int unsigned unit, input int unsigned thread);
  import "DPI-C" function int unsigned checker_dpi_register(input chandle handle, input int unsigned unit, input int unsigned thread, input int unsigned number);
  // The design's memory: 1, 2 or 4 bytes.
  import "DPI-C" function int unsigned checker_dpi_read(input chandle handle, input int unsigned unit, input int unsigned address, input int unsigned size_bytes);
  import "DPI-C" function void checker_dpi_write(input chandle handle, input int unsigned unit, input int unsigned address, input int unsigned size_bytes, input int unsigned data);
  // What the co-processor answers to an MRC.
  import "DPI-C" function int unsigned checker_dpi_coprocessor(input chandle handle, input int unsigned unit, input int unsigned thread, input int unsigned instruction);
  // Of a unit's next commit: a register with a word for each thread; addresses; a word that is stored, of each thread,
  // the words of a multiple store one after the other.
  import "DPI-C" function void checker_dpi_value(input chandle handle, input int unsigned unit, input int unsigned number, input bit [2047:0] words);
  import "DPI-C" function void checker_dpi_address(input chandle handle, input int unsigned unit, input bit [2047:0] words);
  import "DPI-C" function void checker_dpi_data(input chandle handle, input int unsigned unit, input bit [2047:0] words);
  // Commits. kind: 0 executed, 1 loaded values are taken, 2 skipped; instructions: squashed into this one. 0: it differs.
  import "DPI-C" function bit checker_dpi_commit(input chandle handle, input int unsigned unit, input int unsigned pc, input longint unsigned mask, input longint unsigned passed, input int unsigned kind, input int unsigned instructions);
  import "DPI-C" function longint unsigned checker_dpi_commits(input chandle handle);
  // After a difference: its unit; goes back by so many instructions, and returns how many; prints the latest.
  import "DPI-C" function int unsigned checker_dpi_unit(input chandle handle);
  import "DPI-C" function int unsigned checker_dpi_rewind(input chandle handle, input int unsigned instructions);
  import "DPI-C" function void checker_dpi_print(input chandle handle, input int unsigned instructions);
