// subwarp_dispatcher: executes a warp instruction as rounds of spatial sub-warps (dual-mode §3.3; timing.md §X). Twin
// of model/control/subwarp_dispatcher.h.
//
// The dispatcher takes the oldest collected instruction when the lanes are free. It broadcasts a beat every occupancy_i
// cycles: beats_i beats in each of rounds_i rounds. The instruction and its PC go out with the first beat, the thread
// id j = warp · N_it + v with every beat. A held beat is offered again in the next cycle. The next instruction can
// follow without a gap.
//
// An instruction of fewer than N_it rounds takes the last ones, because the value of a uniform instruction is held by
// the threads of the last round.
module subwarp_dispatcher #(
    parameter  logic [31:0] WARPS          = 16,                               // warps of the cluster, 1–128
    parameter  logic [31:0] WARP_SIZE      = 32,                               // threads of a warp, 4–64
    parameter  logic [31:0] LANES          = 4,                                // lanes of the cluster, 1–32, a divisor
                                                                               // of WARP_SIZE
    localparam logic [31:0] N_IT           = LANES > 0 && LANES <= WARP_SIZE ? WARP_SIZE / LANES : 1,
    localparam logic [31:0] WARP_BITS      = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] ROUND_BITS     = $clog2(N_IT + 1),
    localparam logic [31:0] CONTEXT_BITS   = WARPS * N_IT > 1 ? $clog2(WARPS * N_IT) : 1,
    localparam logic [31:0] BEAT_BITS      = 6,
    localparam logic [31:0] OCCUPANCY_BITS = 10
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      valid_i,      // 1: an instruction has been collected; it is taken if ready_o is 1
    input  logic [WARP_BITS-1:0]      warp_i,       // warp of the collected instruction; read, as the next three
                                                    // inputs, in the cycle in which it is taken
    input  logic [ROUND_BITS-1:0]     rounds_i,     // number of rounds of the collected instruction, 1 to N_it
    input  logic [BEAT_BITS-1:0]      beats_i,      // number of beats of each round, 1–63: accesses that follow each
                                                    // other
    input  logic [OCCUPANCY_BITS-1:0] occupancy_i,  // cycles from one beat to the next, 1–1023
    input  logic                      hold_i,       // 1: the lanes cannot finish the beat of this cycle
    output logic                      ready_o,      // registered; 1: the lanes are free
    output logic                      first_o,      // 1: the instruction is taken and broadcast; combinational, as all
                                                    // below
    output logic                      valid_o,      // 1: a beat is broadcast
    output logic [WARP_BITS-1:0]      warp_o,       // warp of the beat; 0 without one
    output logic [CONTEXT_BITS-1:0]   context_o,    // thread id j of the round's threads, one in each lane; 0 without a
                                                    // beat
    output logic [BEAT_BITS-1:0]      beat_o,       // number of the beat in its round; 0 without one
    output logic                      last_o,       // 1: it is the last beat of the instruction
    output logic                      busy_o        // 1: beats remain, and the operands are needed in this cycle
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

  logic                      active_d, active_q;        // beats remain
  logic [WARP_BITS-1:0]      warp_d, warp_q;            // warp of the instruction
  logic [ROUND_BITS-1:0]     left_d, left_q;            // rounds after that of the next beat
  logic [BEAT_BITS-1:0]      beat_d, beat_q;            // number of the next beat
  logic [BEAT_BITS-1:0]      last_beat_d, last_beat_q;  // number of the last beat of each round
  logic [OCCUPANCY_BITS-1:0] occupancy_d, occupancy_q;  // cycles from one beat to the next
  logic [OCCUPANCY_BITS-1:0] wait_d, wait_q;            // cycles before the next beat

  // The instruction that is taken in this cycle, or the one taken before.
  logic                      start;
  logic [WARP_BITS-1:0]      warp;
  logic [ROUND_BITS-1:0]     left;
  logic [BEAT_BITS-1:0]      beat, last_beat;
  logic [OCCUPANCY_BITS-1:0] occupancy;

  assign ready_o   = !active_q && wait_q == '0;
  assign start     = valid_i && ready_o;
  assign warp      = start ? warp_i : warp_q;
  assign left      = start ? rounds_i - ROUND_BITS'(1) : left_q;
  assign beat      = beat_q;  // 0 after the last beat of the instruction before
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
