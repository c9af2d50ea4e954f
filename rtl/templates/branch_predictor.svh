  // No branch is predicted taken, and none is learned.
  assign taken_o         = 1'b0;
  assign slot_o          = '0;
  assign next_o          = '0;
  assign write_counter_o = '0;
  assign new_counter_o   = '0;
  assign write_target_o  = '0;
