// Properties of local_memory_arbiter (rtl/local_memory_arbiter.sv; lanes.md §2). scripts/formal puts an instance into
// the module.
// Sizes: LANES=4 LANE_GROUPS=4 BANKS=2 WORD_BITS=3;LANES=4 LANE_GROUPS=2 BANKS=2 WORD_BITS=3;LANES=6 LANE_GROUPS=3 BANKS=4 WORD_BITS=3;LANES=4 LANE_GROUPS=1 BANKS=4 WORD_BITS=4;LANES=1 LANE_GROUPS=1 BANKS=1 WORD_BITS=1
module local_memory_arbiter_props #(
    parameter  int unsigned LANES       = 8,
    parameter  int unsigned LANE_GROUPS = 8,
    parameter  int unsigned BANKS       = 16,
    parameter  int unsigned WORD_BITS   = 30,
    localparam int unsigned GROUP       = LANES / LANE_GROUPS,
    localparam int unsigned TURN_BITS   = LANE_GROUPS > 1 ? $clog2(LANE_GROUPS) : 1
) (
    input logic [TURN_BITS-1:0]       turn_i,
    input logic [LANES-1:0]           active_i,
    input logic [LANES*WORD_BITS-1:0] word_i,
    input logic [LANES-1:0]           served_o,
    input logic [LANE_GROUPS-1:0]     done_o,
    input logic [LANE_GROUPS-1:0]     robbed_o
);
  // Any two threads, and a group: a property of them holds for all.
  (* anyconst *) logic [4:0] any;
  (* anyconst *) logic [4:0] other;
  (* anyconst *) logic [3:0] l;

  logic [WORD_BITS-1:0] word_any, word_other;
  logic                 same_bank;
  assign word_any   = word_i[any*WORD_BITS +: WORD_BITS];
  assign word_other = word_i[other*WORD_BITS +: WORD_BITS];
  assign same_bank  = ((word_any ^ word_other) & WORD_BITS'(BANKS - 1)) == '0;

  // Order of service: groups from the turn on, threads of a group in ascending order.
  function automatic logic [31:0] place_of(input logic [31:0] lane, input logic [TURN_BITS-1:0] turn);
    place_of = (lane / GROUP + LANE_GROUPS - 32'(turn)) % LANE_GROUPS * GROUP + lane % GROUP;
  endfunction

  // Word and group of the first thread, in order of service, that uses the bank of `any`.
  logic                 found;
  logic [31:0]          best;
  logic [WORD_BITS-1:0] best_word;
  logic [31:0]          best_group;
  always_comb begin
    found      = 1'b0;
    best       = '0;
    best_word  = '0;
    best_group = '0;
    for (int unsigned k = 0; k < LANES; k++) begin
      if (active_i[k] && ((word_i[k*WORD_BITS +: WORD_BITS] ^ word_any) & WORD_BITS'(BANKS - 1)) == '0
          && (!found || place_of(k, turn_i) < best)) begin
        found      = 1'b1;
        best       = place_of(k, turn_i);
        best_word  = word_i[k*WORD_BITS +: WORD_BITS];
        best_group = k / GROUP;
      end
    end
  end

  logic all_served, presents;
  always_comb begin
    all_served = 1'b1;
    presents   = 1'b0;
    for (int unsigned k = 0; k < LANES; k++) begin
      if (k / GROUP == 32'(l) && active_i[k]) begin
        presents = 1'b1;
        if (!served_o[k]) all_served = 1'b0;
      end
    end
  end

  always_comb assume (32'(any) < LANES && 32'(other) < LANES && 32'(l) < LANE_GROUPS && 32'(turn_i) < LANE_GROUPS);

  always_comb begin
    served_as_the_first_of_its_bank:         assert (served_o[any] == (active_i[any] && word_any == best_word));
    served_as_the_first_of_its_bank_reached: cover (served_o[any]);

    a_bank_reads_one_word:         assert (!(served_o[any] && served_o[other] && same_bank) || word_any == word_other);
    a_bank_reads_one_word_reached: cover (LANES == 1 || (served_o[any] && served_o[other] && any != other && same_bank));

    a_word_goes_to_all:         assert (!(served_o[any] && active_i[other] && word_any == word_other) || served_o[other]);
    a_word_goes_to_all_reached: cover (served_o[any]);

    done_when_all_are_served:         assert (done_o[l] == (presents && all_served));
    done_when_all_are_served_reached: cover (done_o[l]);

    robbed_by_another_group:         assert (!(active_i[any] && !served_o[any] && best_group != 32'(any) / GROUP)
                                             || robbed_o[32'(any)/GROUP]);
    robbed_by_another_group_reached: cover (LANE_GROUPS == 1 || robbed_o[l]);

    nobody_is_robbed_in_turn:         assert (!robbed_o[turn_i]);
    nobody_is_robbed_in_turn_reached: cover (presents && turn_i == '0);

    a_robbed_group_waits:         assert (!robbed_o[l] || (presents && !all_served));
    a_robbed_group_waits_reached: cover (LANE_GROUPS == 1 || robbed_o[l]);

    only_then:         assert (!robbed_o[l] || robbed_somewhere);
    only_then_reached: cover (LANE_GROUPS == 1 || robbed_o[l]);
  end

  // A thread of group l uses a bank whose first word is another group's and not its own.
  logic                 robbed_somewhere;
  logic                 first_found;
  logic [31:0]          first_place, first_group;
  logic [WORD_BITS-1:0] first_word;
  always_comb begin
    robbed_somewhere = 1'b0;
    first_found      = 1'b0;
    first_place      = '0;
    first_group      = '0;
    first_word       = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      first_found = 1'b0;
      first_place = '0;
      first_group = '0;
      first_word  = '0;
      for (int unsigned k = 0; k < LANES; k++) begin
        if (active_i[k] && 32'(word_i[k*WORD_BITS +: WORD_BITS] & WORD_BITS'(BANKS - 1)) == b
            && (!first_found || place_of(k, turn_i) < first_place)) begin
          first_found = 1'b1;
          first_place = place_of(k, turn_i);
          first_group = k / GROUP;
          first_word  = word_i[k*WORD_BITS +: WORD_BITS];
        end
      end
      for (int unsigned k = 0; k < LANES; k++) begin
        if (active_i[k] && k / GROUP == 32'(l) && 32'(word_i[k*WORD_BITS +: WORD_BITS] & WORD_BITS'(BANKS - 1)) == b
            && first_group != 32'(l) && word_i[k*WORD_BITS +: WORD_BITS] != first_word) robbed_somewhere = 1'b1;
      end
    end
  end
endmodule
