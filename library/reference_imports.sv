
  // Returns the message of the latest function that failed (returned null or 0) in this thread.
  import "DPI-C" function string lockstep_error();

  // A whole machine (library/reference.h). On failure, functions print a message on standard error and return
  // null or 0.
  import "DPI-C" function chandle reference_dpi_create(input string config_file, input string settings, input string image);
  import "DPI-C" function void reference_dpi_destroy(input chandle handle);
  // Create a buffer of zeros and return its address; read or write a word of it, at a multiple of 4 bytes
  // from its start.
  import "DPI-C" function int unsigned reference_dpi_buffer(input chandle handle, input int unsigned size_bytes);
  import "DPI-C" function void reference_dpi_write(input chandle handle, input int unsigned address, input int unsigned word);
  import "DPI-C" function int unsigned reference_dpi_read(input chandle handle, input int unsigned address);
  // Select the kernel of the next launch, then set its arguments: values of 4 bytes, addresses, bytes of
  // local memory.
  import "DPI-C" function bit reference_dpi_kernel(input chandle handle, input string name);
  import "DPI-C" function bit reference_dpi_number(input chandle handle, input int unsigned value);
  import "DPI-C" function bit reference_dpi_pointer(input chandle handle, input int unsigned address);
  import "DPI-C" function bit reference_dpi_local(input chandle handle, input int unsigned size_bytes);
  // Start a launch with work_items work-items, of which a work-group has work_group, in one dimension: _run
  // runs it to its end; _begin begins it in steps, with the blocks of cluster 0.
  import "DPI-C" function bit reference_dpi_run(input chandle handle, input int unsigned work_items, input int unsigned work_group);
  import "DPI-C" function bit reference_dpi_begin(input chandle handle, input int unsigned work_items, input int unsigned work_group);
  // Continues to the next cycle in which the named block is evaluated. Returns 0 if the launch has ended;
  // reference_dpi_end() then returns 0 if it failed.
  import "DPI-C" function bit reference_dpi_step(input chandle handle, input string block, output longint unsigned cycle);
  import "DPI-C" function bit reference_dpi_end(input chandle handle);
  // Returns the block's model, for BLOCK_dpi_ports(). The ports are those of the latest step.
  import "DPI-C" function chandle reference_dpi_block(input chandle handle, input string block);
  // Returns the cycles of all launches so far.
  import "DPI-C" function longint unsigned reference_dpi_cycles(input chandle handle);
