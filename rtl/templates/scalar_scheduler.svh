  // The lowest-numbered ready thread. The others wait while it is ready: not fair, but right.
  assign tick_o  = (cycle_i & 3'(DIVISOR - 1)) == 3'd0;
  assign valid_o = tick_o && ready_i != '0;

  always_comb begin
    thread_o = '0;
    for (int unsigned n = THREADS; n > 0; n--) begin
      if (valid_o && ready_i[n-1]) thread_o = THREAD_BITS'(n - 1);
    end
  end
