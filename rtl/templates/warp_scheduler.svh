  // Warps take turns: the first ready one after the one that was granted last, else the lowest.
  logic [WARP_BITS-1:0] last_q;
  logic [WARPS-1:0]     after, from;

  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) after[w] = ready_i[w] && w > 32'(last_q);
  end

  assign from    = after != '0 ? after : ready_i;
  assign grant_o = take_i ? from & (~from + WARPS'(1)) : '0;
  assign valid_o = grant_o != '0;

  always_comb begin
    warp_o = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (grant_o[w]) warp_o = WARP_BITS'(w);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= WARP_BITS'(WARPS - 1);
    else if (valid_o) last_q <= warp_o;
  end
