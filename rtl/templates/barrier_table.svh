  // Threads that run and threads that wait are counted; all wait when none runs any more.
  logic [LIVE_BITS-1:0] running_d, running_q, stopped_d, stopped_q;
  logic [31:0]          where_d, where_q;
  logic                 apart_d, apart_q, gone_d, gone_q, opened_q, none_runs;

  always_comb begin
    running_d = running_q - LIVE_BITS'(arrive_count_i) - LIVE_BITS'(exit_count_i);
    stopped_d = stopped_q + LIVE_BITS'(arrive_count_i);
    where_d   = arrive_count_i != '0 ? arrive_pc_i : where_q;
    apart_d   = apart_q || (arrive_count_i != '0 && stopped_q != '0 && arrive_pc_i != where_q);
    gone_d    = gone_q || exit_count_i != '0;
    if (opened_q) begin
      running_d = stopped_q;
      stopped_d = '0;
      apart_d   = 1'b0;
    end
    if (start_i) begin
      running_d = start_live_i;
      stopped_d = '0;
      apart_d   = 1'b0;
      gone_d    = 1'b0;
    end
  end

  assign none_runs  = running_d == '0 && stopped_d != '0;
  assign opens_o    = none_runs && !apart_d;
  assign deadlock_o = none_runs && apart_d;
  assign release_o  = opened_q;
  assign exited_o   = gone_q;
  assign release_scalar_o = '0; // no scalar thread in this machine

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= '0;
      stopped_q <= '0;
      where_q   <= '0;
      apart_q   <= 1'b0;
      gone_q    <= 1'b0;
      opened_q  <= 1'b0;
    end else begin
      running_q <= running_d;
      stopped_q <= stopped_d;
      where_q   <= where_d;
      apart_q   <= apart_d;
      gone_q    <= gone_d;
      opened_q  <= opens_o;
    end
  end
