  // The lowest-numbered ready warp. The others wait while it is ready: not fair, but right.
  assign grant_o = take_i ? ready_i & (~ready_i + WARPS'(1)) : '0;
  assign valid_o = grant_o != '0;

  always_comb begin
    warp_o = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (grant_o[w]) warp_o = WARP_BITS'(w);
    end
  end
