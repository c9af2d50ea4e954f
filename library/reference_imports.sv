
  // What the latest function that returned null or 0 in this thread says.
  import "DPI-C" function string lockstep_error();

  // A whole machine (library/reference.h). What fails says so on standard error and returns null or 0.
  import "DPI-C" function chandle reference_dpi_create(input string config_file, input string settings, input string image);
  import "DPI-C" function void reference_dpi_destroy(input chandle handle);
  // A buffer of zeros: its address; a word of it, at a multiple of 4 from its beginning.
  import "DPI-C" function int unsigned reference_dpi_buffer(input chandle handle, input int unsigned size_bytes);
  import "DPI-C" function void reference_dpi_write(input chandle handle, input int unsigned address, input int unsigned word);
  import "DPI-C" function int unsigned reference_dpi_read(input chandle handle, input int unsigned address);
  // The kernel that is launched next, then its arguments: numbers of 4 bytes, addresses, bytes of local memory.
  import "DPI-C" function bit reference_dpi_kernel(input chandle handle, input string name);
  import "DPI-C" function bit reference_dpi_number(input chandle handle, input int unsigned value);
  import "DPI-C" function bit reference_dpi_pointer(input chandle handle, input int unsigned address);
  import "DPI-C" function bit reference_dpi_local(input chandle handle, input int unsigned size_bytes);
  // Work-items in all and of a work-group, in one dimension. To its end; or begun, for cluster 0.
  import "DPI-C" function bit reference_dpi_run(input chandle handle, input int unsigned work_items, input int unsigned work_group);
  import "DPI-C" function bit reference_dpi_begin(input chandle handle, input int unsigned work_items, input int unsigned work_group);
  // To the next cycle in which the block, of this name, is evaluated: 0 when the launch has ended, and then
  // reference_dpi_end() is 0 if it failed.
  import "DPI-C" function bit reference_dpi_step(input chandle handle, input string block, output longint unsigned cycle);
  import "DPI-C" function bit reference_dpi_end(input chandle handle);
  // The block's model, for BLOCK_dpi_ports(): its ports are those of that cycle.
  import "DPI-C" function chandle reference_dpi_block(input chandle handle, input string block);
  // Cycles of all launches so far.
  import "DPI-C" function longint unsigned reference_dpi_cycles(input chandle handle);
