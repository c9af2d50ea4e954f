// scalar_scheduler: selects the scalar thread of which a scalar unit issues an instruction (scalar-unit.md §4.1). Twin
// of model/control/scalar_scheduler.h.
//
// The unit works in cycles of the cluster whose number is a multiple of DIVISOR. In such a cycle it takes the first
// ready thread after the thread that it took last. All outputs are combinational.
module scalar_scheduler #(
    parameter  logic [31:0] THREADS     = 3,                                // scalar threads of the unit, 1–64
    parameter  logic [31:0] DIVISOR     = 1,                                // cycles of the cluster for a cycle of the
                                                                            // unit, 1–8, a power of two
    localparam logic [31:0] THREAD_BITS = THREADS > 1 ? $clog2(THREADS) : 1
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic [2:0]             cycle_i,   // low bits of the number of the cluster's cycle
    input  logic [THREADS-1:0]     ready_i,   // bit k: the next instruction of thread k can issue
    output logic                   tick_o,    // 1: the unit works in this cycle
    output logic                   valid_o,   // 1: a thread issues
    output logic [THREAD_BITS-1:0] thread_o   // number of that thread; 0 without one
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (THREADS < 1 || THREADS > 64) begin : gen_illegal_threads
    $error("scalar_scheduler: THREADS must be 1 to 64");
  end
  if (DIVISOR != 1 && DIVISOR != 2 && DIVISOR != 4 && DIVISOR != 8) begin : gen_illegal_divisor
    $error("scalar_scheduler: DIVISOR must be 1, 2, 4 or 8");
  end
`endif

  logic [THREAD_BITS-1:0] last_d, last_q;  // thread that was taken last
  logic [THREADS-1:0]     later, first;    // ready threads after the last one; those from which the lowest is taken

  assign tick_o = (cycle_i & 3'(DIVISOR - 1)) == 3'd0;

  always_comb begin
    later = '0;
    for (int unsigned n = 0; n < THREADS; n++) later[n] = ready_i[n] && n > 32'(last_q);
  end
  assign first   = later != '0 ? later : ready_i;
  assign valid_o = tick_o && ready_i != '0;

  always_comb begin
    thread_o = '0;
    for (int unsigned n = THREADS; n > 0; n--) begin
      if (valid_o && first[n-1]) thread_o = THREAD_BITS'(n - 1);
    end
  end
  assign last_d = valid_o ? thread_o : last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= THREAD_BITS'(THREADS - 1);
    else last_q <= last_d;
  end
endmodule
