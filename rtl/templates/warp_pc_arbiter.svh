  // The PC of the lowest-numbered Ready thread, and all Ready threads that are there. The level is only shown.
  // A policy that remembers something may have clk_i and rst_ni as well.
  assign wtid_o  = ready_i & (~ready_i + WARP_SIZE'(1));
  assign level_o = '0;

  always_comb begin
    pc_o = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      if (wtid_o[k]) pc_o = pc_i[k*PC_BITS +: PC_BITS];
    end
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      participating_o[k] = ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
  end
