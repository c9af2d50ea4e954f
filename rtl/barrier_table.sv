// barrier_table: the barrier of the work-group in flight (machine.md §3; timing.md, 'Barrier'). Twin of
// model/barrier_table.h.
//
// Counts the live threads and those that wait. A barrier, named by its PC, opens in the cycle in which the last live
// thread that does not wait arrives or exits; its threads are released at the end of the next one. Once threads wait
// at different barriers none can open before all others have left: only that they differ is kept.
module barrier_table #(
    parameter  int unsigned WARPS       = 16,                           // 1–64
    parameter  int unsigned WARP_SIZE   = 32,                           // 4–64
    localparam int unsigned LIVE_BITS   = $clog2(WARPS * WARP_SIZE + 1),
    localparam int unsigned COUNT_BITS  = $clog2(WARP_SIZE + 1)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  start_i,         // a work-group begins; the counts of this cycle do not matter
    input  logic [LIVE_BITS-1:0]  start_live_i,    // its threads
    input  logic [COUNT_BITS-1:0] arrive_count_i,  // threads that arrive at the barrier arrive_pc_i
    input  logic [31:0]           arrive_pc_i,
    input  logic [COUNT_BITS-1:0] exit_count_i,    // threads that exit
    output logic                  opens_o,         // combinational: all live threads now wait at one barrier
    output logic                  deadlock_o,      // combinational: all live threads now wait, at different barriers
    output logic                  release_o,       // registered: the threads that wait are released at the end of it
    output logic                  exited_o         // registered: threads of the work-group have exited
);
  if (WARPS < 1 || WARPS > 64) begin : gen_illegal_warps
    $error("barrier_table: WARPS must be 1 to 64");
  end
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("barrier_table: WARP_SIZE must be 4 to 64");
  end

  logic [LIVE_BITS-1:0] live_d, live_q;        // threads of the work-group that have not exited
  logic [LIVE_BITS-1:0] waiting_d, waiting_q;  // of those, at a barrier
  logic [31:0]          pc_d, pc_q;            // the barrier at which the first of them waits
  logic                 mixed_d, mixed_q;      // others wait at another one
  logic                 exited_d, exited_q;
  logic                 release_q;
  logic                 arrives, all_wait;

  assign arrives = arrive_count_i != '0;

  always_comb begin
    live_d    = live_q - LIVE_BITS'(exit_count_i);
    waiting_d = waiting_q + LIVE_BITS'(arrive_count_i);
    pc_d      = pc_q;
    mixed_d   = mixed_q;
    exited_d   = exited_q || exit_count_i != '0;
    if (arrives) begin
      if (waiting_q == '0)          pc_d    = arrive_pc_i;
      else if (arrive_pc_i != pc_q) mixed_d = 1'b1;
    end
    if (release_q) begin
      waiting_d = '0;
      mixed_d   = 1'b0;
    end
    if (start_i) begin
      live_d    = start_live_i;
      waiting_d = '0;
      mixed_d   = 1'b0;
      exited_d   = 1'b0;
    end
  end

  assign all_wait   = waiting_d != '0 && waiting_d == live_d;
  assign opens_o    = all_wait && !mixed_d;
  assign deadlock_o = all_wait && mixed_d;
  assign release_o  = release_q;
  assign exited_o   = exited_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q    <= '0;
      waiting_q <= '0;
      pc_q      <= '0;
      mixed_q   <= 1'b0;
      exited_q   <= 1'b0;
      release_q <= 1'b0;
    end else begin
      live_q    <= live_d;
      waiting_q <= waiting_d;
      pc_q      <= pc_d;
      mixed_q   <= mixed_d;
      exited_q   <= exited_d;
      release_q <= opens_o;
    end
  end
endmodule
