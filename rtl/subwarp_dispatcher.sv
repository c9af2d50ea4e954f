// subwarp_dispatcher: executes a warp instruction as rounds of spatial sub-warps (dual-mode §3.3; timing.md §X). Twin of
// model/control/subwarp_dispatcher.h.
//
// Offered the oldest collected instruction, it takes it when the lanes are free and broadcasts a beat of a round every
// occupancy_i cycles: beats_i beats in each of rounds_i rounds. The instruction and its PC go out with the first beat,
// the thread id j = warp · N_it + v with all of them. A beat that is held is offered again in the next cycle. The next
// instruction can follow without a gap. One of fewer rounds than N_it has the last ones (a uniform instruction's value is
// with the threads of the last round).
module subwarp_dispatcher #(
    parameter  logic [31:0] WARPS          = 16,                               // 1–128
    parameter  logic [31:0] WARP_SIZE      = 32,                               // 4–64
    parameter  logic [31:0] LANES          = 4,                                // 1–32, a divisor of WARP_SIZE
    localparam logic [31:0] N_IT           = LANES > 0 && LANES <= WARP_SIZE ? WARP_SIZE / LANES : 1,
    localparam logic [31:0] WARP_BITS      = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] ROUND_BITS     = $clog2(N_IT + 1),
    localparam logic [31:0] CONTEXT_BITS   = WARPS * N_IT > 1 ? $clog2(WARPS * N_IT) : 1,
    localparam logic [31:0] BEAT_BITS      = 6,
    localparam logic [31:0] OCCUPANCY_BITS = 10
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      valid_i,      // an instruction has been collected; it is taken if ready_o
    input  logic [WARP_BITS-1:0]      warp_i,       // its warp; read, as those below, when it is taken
    input  logic [ROUND_BITS-1:0]     rounds_i,     // 1–N_it
    input  logic [BEAT_BITS-1:0]      beats_i,      // of each round, 1–63: accesses one after the other
    input  logic [OCCUPANCY_BITS-1:0] occupancy_i,  // cycles from a beat to the next, 1–1023
    input  logic                      hold_i,       // the lanes cannot finish the beat of this cycle
    output logic                      ready_o,      // registered: the lanes are free, an instruction is taken
    output logic                      first_o,      // combinational, as all others: it is taken, and broadcast
    output logic                      valid_o,      // a beat is broadcast
    output logic [WARP_BITS-1:0]      warp_o,       // 0, as those below, if none is
    output logic [CONTEXT_BITS-1:0]   context_o,    // thread id j of the round's threads, each in its lane
    output logic [BEAT_BITS-1:0]      beat_o,       // of the round, from 0
    output logic                      last_o,       // the instruction's last beat
    output logic                      busy_o        // beats are still to be made: the operands are needed in this cycle
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("subwarp_dispatcher: WARPS must be 1 to 128");
  end
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("subwarp_dispatcher: WARP_SIZE must be 4 to 64");
  end
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("subwarp_dispatcher: LANES must be 1 to 32");
  end
  if (N_IT * LANES != WARP_SIZE) begin : gen_illegal_rounds
    $error("subwarp_dispatcher: WARP_SIZE must be a multiple of LANES");
  end
`endif

  logic                      active_d, active_q;        // beats are still to be made
  logic [WARP_BITS-1:0]      warp_d, warp_q;            // whose
  logic [ROUND_BITS-1:0]     left_d, left_q;            // rounds that come after the one of the next beat
  logic [BEAT_BITS-1:0]      beat_d, beat_q;            // next beat
  logic [BEAT_BITS-1:0]      last_beat_d, last_beat_q;  // of each round
  logic [OCCUPANCY_BITS-1:0] occupancy_d, occupancy_q;
  logic [OCCUPANCY_BITS-1:0] wait_d, wait_q;            // cycles before the next beat

  // The instruction of this cycle: the one that is taken now, or was before.
  logic                      start;
  logic [WARP_BITS-1:0]      warp;
  logic [ROUND_BITS-1:0]     left;
  logic [BEAT_BITS-1:0]      beat, last_beat;
  logic [OCCUPANCY_BITS-1:0] occupancy;

  assign ready_o   = !active_q && wait_q == '0;
  assign start     = valid_i && ready_o;
  assign warp      = start ? warp_i : warp_q;
  assign left      = start ? rounds_i - ROUND_BITS'(1) : left_q;
  assign beat      = beat_q;  // 0 at the start: it was left so
  assign last_beat = start ? beats_i - BEAT_BITS'(1) : last_beat_q;
  assign occupancy = start ? occupancy_i : occupancy_q;

  assign first_o   = start;
  assign busy_o    = start || active_q;
  assign valid_o   = busy_o && wait_q == '0;
  assign warp_o    = valid_o ? warp : '0;
  assign beat_o    = valid_o ? beat : '0;
  assign last_o    = valid_o && left == '0 && beat == last_beat;
  assign context_o = valid_o ? CONTEXT_BITS'(32'(warp) * N_IT + (N_IT - 1) - 32'(left)) : '0;

  always_comb begin
    active_d    = busy_o;
    warp_d      = warp;
    left_d      = left;
    beat_d      = beat;
    last_beat_d = last_beat;
    occupancy_d = occupancy;
    wait_d      = wait_q != '0 ? wait_q - OCCUPANCY_BITS'(1) : '0;
    if (valid_o && !hold_i) begin
      wait_d = occupancy - OCCUPANCY_BITS'(1);
      beat_d = beat + BEAT_BITS'(1);
      if (beat == last_beat) begin
        beat_d   = '0;
        left_d   = left - ROUND_BITS'(left != '0);
        active_d = left != '0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q    <= 1'b0;
      warp_q      <= '0;
      left_q      <= '0;
      beat_q      <= '0;
      last_beat_q <= '0;
      occupancy_q <= '0;
      wait_q      <= '0;
    end else begin
      active_q    <= active_d;
      warp_q      <= warp_d;
      left_q      <= left_d;
      beat_q      <= beat_d;
      last_beat_q <= last_beat_d;
      occupancy_q <= occupancy_d;
      wait_q      <= wait_d;
    end
  end
endmodule
