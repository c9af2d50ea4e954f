// exclusive_monitor: the reservations that LDREX makes and STREX spends, of one bank of thread contexts. Twin of
// model/control/exclusive_monitor.h.
//
// A cycle is a request: of a thread of the bank, or a store of any thread, which all banks with reservations are told. A
// reservation covers one granule of memory. A store to the granule by another thread clears it, as does the thread's own
// STREX (whether it stores or not) and CLREX; its own stores do not.
module exclusive_monitor #(
    parameter  int unsigned THREADS      = 64,                               // contexts of the bank, 1–64
    localparam int unsigned THREAD_BITS  = THREADS > 1 ? $clog2(THREADS) : 1,
    localparam int unsigned GRANULE_BITS = 29                                // NAME_BITS: of an element of NAME
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    reserve_i,  // LDREX: the thread's reservation is now the granule first_i
    input  logic                    spend_i,    // STREX to first_i
    input  logic                    clear_i,    // CLREX, or the context ends
    input  logic                    store_i,    // the thread stored into the granules first_i to last_i
    input  logic                    own_i,      // the thread is of this bank:
    input  logic [THREAD_BITS-1:0]  thread_i,
    input  logic [GRANULE_BITS-1:0] first_i,
    input  logic [GRANULE_BITS-1:0] last_i,
    output logic                    may_o       // combinational: STREX may store
);
  if (THREADS < 1 || THREADS > 64) begin : gen_illegal_threads
    $error("exclusive_monitor: THREADS must be 1 to 64");
  end

  logic [THREADS-1:0]              holds_d, holds_q;      // who has a reservation,
  logic [THREADS*GRANULE_BITS-1:0] granule_d, granule_q;  // and of which granule

  always_comb begin
    may_o     = 1'b0;
    holds_d   = holds_q;
    granule_d = granule_q;
    for (int unsigned k = 0; k < THREADS; k++) begin
      if (own_i && 32'(thread_i) == k) begin
        may_o = spend_i && holds_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i;
        if (spend_i || clear_i) holds_d[k] = 1'b0;
        if (reserve_i) begin
          holds_d[k]                                = 1'b1;
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
      granule_q <= '0;
    end else begin
      holds_q   <= holds_d;
      granule_q <= granule_d;
    end
  end
endmodule
