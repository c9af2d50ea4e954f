// local_memory_arbiter: selects the threads that local memory serves in a cycle, from the rounds that lane groups
// present (lanes.md §2). Twin of model/control/local_memory_arbiter.h.
//
// Group l presents the threads l·GROUP to l·GROUP + GROUP - 1, GROUP = LANES / LANE_GROUPS. Groups are served in turn
// from turn_i on, and their threads in ascending order. A thread takes the bank of its word if the bank is free. All
// threads that want the word of a taken bank are served. The block has no state; all outputs are combinational.
module local_memory_arbiter #(
    parameter  logic [31:0] LANES       = 8,
        // lanes of the SM, 1–32
    parameter  logic [31:0] LANE_GROUPS = 8,
        // lane groups, 1–16, a divisor of LANES
    parameter  logic [31:0] BANKS       = 16,
        // banks of local memory, 1–64, a power of two
    parameter  logic [31:0] WORD_BITS   = 30,
        // bits of a word's number, 1–30; fewer than 30 only in proofs
    localparam logic [31:0] GROUP       = LANES / LANE_GROUPS,
    localparam logic [31:0] TURN_BITS   = LANE_GROUPS > 1 ? $clog2(LANE_GROUPS) : 1,
    localparam logic [31:0] BANK_BITS   = BANKS > 1 ? $clog2(BANKS) : 1
) (
    input  logic [TURN_BITS-1:0]       turn_i,    // group that is served first
    input  logic [LANES-1:0]           active_i,  // bit k: thread k wants a word
    input  logic [LANES*WORD_BITS-1:0] word_i,    // word that each thread wants; bank = word mod BANKS
    output logic [LANES-1:0]           served_o,  // threads that are served
    output logic [LANE_GROUPS-1:0]     done_o,    // groups that have presented threads, all of them served
    output logic [LANE_GROUPS-1:0]     robbed_o   // groups of which a thread wanted a bank that another group has taken
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("local_memory_arbiter: LANES must be 1 to 32");
  end
  if (LANE_GROUPS < 1 || LANE_GROUPS > 16 || LANES % LANE_GROUPS != 0) begin : gen_illegal_groups
    $error("local_memory_arbiter: LANE_GROUPS must be 1 to 16 and divide LANES");
  end
  if (BANKS < 1 || BANKS > 64 || (BANKS & (BANKS - 1)) != 0) begin : gen_illegal_banks
    $error("local_memory_arbiter: BANKS must be a power of two, 1 to 64");
  end
  if (WORD_BITS < 1 || WORD_BITS > 30) begin : gen_illegal_word
    $error("local_memory_arbiter: WORD_BITS must be 1 to 30");
  end
`endif

  logic [BANKS-1:0]           taken;   // banks that are taken
  logic [BANKS*WORD_BITS-1:0] chosen;  // word that each taken bank serves
  logic [BANKS*TURN_BITS-1:0] taker;   // group that took the bank
  logic [WORD_BITS-1:0]       word;
  logic [BANK_BITS-1:0]       bank;
  logic [31:0]                group;
  logic [31:0]                lane;

  always_comb begin
    served_o = '0;
    robbed_o = '0;
    taken    = '0;
    chosen   = '0;
    taker    = '0;
    word     = '0;
    bank     = '0;
    group    = '0;
    lane     = '0;
    for (int unsigned n = 0; n < LANE_GROUPS; n++) begin
      group = (32'(turn_i) + n) % LANE_GROUPS;
      for (int unsigned k = 0; k < GROUP; k++) begin
        lane = group * GROUP + k;
        word = word_i[lane*WORD_BITS +: WORD_BITS];
        bank = BANK_BITS'(word & WORD_BITS'(BANKS - 1));
        if (active_i[lane]) begin
          if (!taken[bank]) begin
            taken[bank]                         = 1'b1;
            chosen[bank*WORD_BITS +: WORD_BITS] = word;
            taker[bank*TURN_BITS +: TURN_BITS]  = TURN_BITS'(group);
          end
          if (chosen[bank*WORD_BITS +: WORD_BITS] == word) served_o[lane] = 1'b1;
          else if (32'(taker[bank*TURN_BITS +: TURN_BITS]) != group) robbed_o[group] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    for (int unsigned l = 0; l < LANE_GROUPS; l++) begin
      done_o[l] = active_i[l*GROUP +: GROUP] != '0
                  && (active_i[l*GROUP +: GROUP] & ~served_o[l*GROUP +: GROUP]) == '0;
    end
  end
endmodule
