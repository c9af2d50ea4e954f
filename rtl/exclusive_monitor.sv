// exclusive_monitor: holds the reservations that LDREX makes and STREX spends, for one bank of thread contexts, and the
// order in which threads asked for a granule. Twin of model/control/exclusive_monitor.h.
//
// A cycle is one request: of a thread of the bank, or a store of any thread, which every bank with reservations gets. A
// reservation covers one granule of 8 bytes. It is cleared by a store of another thread to the granule, by the thread's
// own STREX, whether it stores or not, and by CLREX. The thread's own stores do not clear it.
//
// LDREX also asks for the granule. A thread asks until its STREX stores, until CLREX, or until drop_i ends its time.
// Its ticket is that of its first LDREX. The oldest ask holds the granule: STREX of other threads fails, and plain
// stores of other threads wait, which makes these threads ask, too.
//
// Latency: both outputs are combinational. The state changes at the end of the cycle.
module exclusive_monitor #(
    parameter  logic [31:0] THREADS      = 64,                               // thread contexts of the bank, 1–64
    localparam logic [31:0] THREAD_BITS  = THREADS > 1 ? $clog2(THREADS) : 1,
    localparam logic [31:0] GRANULE_BITS = 29,                               // NAME_BITS: bits of a NAME element
    localparam logic [31:0] TICKET_BITS  = 32                                // smaller tickets are older
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    reserve_i,  // 1: LDREX: the thread reserves the granule first_i and asks for it
    input  logic                    wait_i,     // 1: a plain store of the thread waits for the granule first_i
    input  logic                    spend_i,    // 1: STREX to the granule first_i
    input  logic                    clear_i,    // 1: CLREX, or the end of the context
    input  logic                    drop_i,     // 1: the thread asks no longer
    input  logic                    store_i,    // 1: the thread stored into the granules first_i to last_i
    input  logic                    own_i,      // 1: the thread belongs to this bank
    input  logic [THREAD_BITS-1:0]  thread_i,   // number of the thread in this bank
    input  logic [GRANULE_BITS-1:0] first_i,    // granule of the request: byte address / 8
    input  logic [GRANULE_BITS-1:0] last_i,     // last granule of a store
    input  logic [TICKET_BITS-1:0]  ticket_i,   // ticket for a new ask; without own_i the ticket of the other bank's
                                                // thread
    input  logic                    older_i,    // 1: another bank has an older ask for the granule
    output logic                    may_o,      // 1: STREX stores
    output logic                    older_o     // 1: another thread of the bank has an older ask for first_i
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (THREADS < 1 || THREADS > 64) begin : gen_illegal_threads
    $error("exclusive_monitor: THREADS must be 1 to 64");
  end
`endif

  logic [THREADS-1:0]              holds_d, holds_q;      // threads with a reservation
  logic [THREADS-1:0]              asks_d, asks_q;        // threads that ask for a granule
  logic [THREADS*GRANULE_BITS-1:0] granule_d, granule_q;  // granule of each thread
  logic [THREADS*TICKET_BITS-1:0]  ticket_d, ticket_q;    // ticket of each thread's ask

  logic [TICKET_BITS-1:0] mine;  // ticket of the requesting thread

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
