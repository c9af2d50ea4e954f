  // Nothing is forwarded: a load waits until all older stores have been written.
  logic [POSITION_BITS-1:0] head_q, end_q;
  logic [COUNT_BITS-1:0]    loads_q, stores_q;
  logic [QUEUE-1:0]         known_q;
  logic [FIRST_BITS-1:0]    first_q [0:QUEUE-1];
  logic [LAST_BITS-1:0]     last_q [0:QUEUE-1];
  logic [SLOT_BITS-1:0]     head;

  assign head           = SLOT_BITS'(32'(head_q) % QUEUE);
  assign room_o         = COUNT_BITS'(QUEUE) - loads_q - stores_q;
  assign end_o          = end_q;
  assign oldest_o       = known_q[head];
  assign oldest_first_o = oldest_o ? first_q[head] : '0;
  assign oldest_last_o  = oldest_o ? last_q[head] : '0;
  assign forward_o      = 1'b0;
  assign slot_o         = '0;
  assign wait_o         = search_i && position_i != head_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      end_q    <= '0;
      loads_q  <= '0;
      stores_q <= '0;
      known_q  <= '0;
    end else begin
      head_q   <= POSITION_BITS'((32'(head_q) + 32'(written_i)) % (2 * QUEUE));
      end_q    <= POSITION_BITS'((32'(end_q) + 32'(stores_i)) % (2 * QUEUE));
      loads_q  <= COUNT_BITS'(32'(loads_q) + 32'(loads_i) - 32'(leave_i));
      stores_q <= COUNT_BITS'(32'(stores_q) + 32'(stores_i) - 32'(written_i));
      if (known_i) begin
        known_q[known_slot_i] <= 1'b1;
        first_q[known_slot_i] <= first_i;
        last_q[known_slot_i]  <= last_i;
      end
      if (written_i) known_q[head] <= 1'b0;
    end
  end
