// exclusive_monitor: the reservations that LDREX makes and STREX spends, of one bank of thread contexts, and whose turn
// it is. Twin of model/control/exclusive_monitor.h.
//
// A cycle is a request: of a thread of the bank, or a store of any thread, which all banks with reservations are told. A
// reservation covers one granule of memory. A store to the granule by another thread clears it, as does the thread's own
// STREX (whether it stores or not) and CLREX; its own stores do not.
//
// LDREX also asks for the granule. A thread asks until its STREX stores, until CLREX, or until it is told that its time
// is over (drop_i); its turn is that of its first LDREX. The oldest ask holds the granule: STREX of others fails, and
// plain stores of others wait, which makes them ask, too.
module exclusive_monitor #(
    parameter  logic [31:0] THREADS      = 64,                               // contexts of the bank, 1–64
    localparam logic [31:0] THREAD_BITS  = THREADS > 1 ? $clog2(THREADS) : 1,
    localparam logic [31:0] GRANULE_BITS = 29,                               // NAME_BITS: of an element of NAME
    localparam logic [31:0] TICKET_BITS  = 32                                // the smaller, the older
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    reserve_i,  // LDREX: the thread's reservation is now the granule first_i
    input  logic                    wait_i,     // a plain store of the thread waits for the granule first_i
    input  logic                    spend_i,    // STREX to first_i
    input  logic                    clear_i,    // CLREX, or the context ends
    input  logic                    drop_i,     // the thread asks no longer
    input  logic                    store_i,    // the thread stored into the granules first_i to last_i
    input  logic                    own_i,      // the thread is of this bank:
    input  logic [THREAD_BITS-1:0]  thread_i,
    input  logic [GRANULE_BITS-1:0] first_i,
    input  logic [GRANULE_BITS-1:0] last_i,
    input  logic [TICKET_BITS-1:0]  ticket_i,   // of a new ask; the turn of another bank's thread
    input  logic                    older_i,    // another bank has an older ask for the granule
    output logic                    may_o,      // combinational: STREX may store
    output logic                    older_o     // combinational: another thread has an older ask for first_i
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (THREADS < 1 || THREADS > 64) begin : gen_illegal_threads
    $error("exclusive_monitor: THREADS must be 1 to 64");
  end
`endif

  logic [THREADS-1:0]              holds_d, holds_q;      // who has a reservation,
  logic [THREADS-1:0]              asks_d, asks_q;        // who asks,
  logic [THREADS*GRANULE_BITS-1:0] granule_d, granule_q;  // of which granule,
  logic [THREADS*TICKET_BITS-1:0]  ticket_d, ticket_q;    // and since when

  logic [TICKET_BITS-1:0] mine;  // the turn of the thread of the request

  always_comb begin
    mine = ticket_i;
    for (int unsigned k = 0; k < THREADS; k++) begin
      if (own_i && 32'(thread_i) == k && asks_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i) begin
        mine = ticket_q[k*TICKET_BITS +: TICKET_BITS];
      end
    end
    older_o = 1'b0;
    for (int unsigned k = 0; k < THREADS; k++) begin
      if (!(own_i && 32'(thread_i) == k) && asks_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i
          && ticket_q[k*TICKET_BITS +: TICKET_BITS] < mine) begin
        older_o = 1'b1;
      end
    end
  end

  always_comb begin
    may_o     = 1'b0;
    holds_d   = holds_q;
    asks_d    = asks_q;
    granule_d = granule_q;
    ticket_d  = ticket_q;
    for (int unsigned k = 0; k < THREADS; k++) begin
      if (own_i && 32'(thread_i) == k) begin
        may_o = spend_i && holds_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i && !older_o && !older_i;
        if (spend_i || clear_i || wait_i) holds_d[k] = 1'b0;
        if (may_o || clear_i || drop_i) asks_d[k] = 1'b0;
        if (reserve_i) holds_d[k] = 1'b1;
        if (reserve_i || wait_i) begin
          asks_d[k] = 1'b1;
          if (!asks_q[k] || granule_q[k*GRANULE_BITS +: GRANULE_BITS] != first_i) begin
            ticket_d[k*TICKET_BITS +: TICKET_BITS] = ticket_i;
          end
          granule_d[k*GRANULE_BITS +: GRANULE_BITS] = first_i;
        end
      end else if (store_i && granule_q[k*GRANULE_BITS +: GRANULE_BITS] >= first_i
                   && granule_q[k*GRANULE_BITS +: GRANULE_BITS] <= last_i) begin
        holds_d[k] = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_q   <= '0;
      asks_q    <= '0;
      granule_q <= '0;
      ticket_q  <= '0;
    end else begin
      holds_q   <= holds_d;
      asks_q    <= asks_d;
      granule_q <= granule_d;
      ticket_q  <= ticket_d;
    end
  end
endmodule
