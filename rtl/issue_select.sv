// issue_select: chooses the instructions of a window that issue in a cycle (docs/superscalar.md §4). Twin of
// model/control/issue_select.h.
//
// Instructions lie in the window in program order, from the slot of the oldest one on. Slot 0 follows the last slot. Up
// to ISSUE_WIDTH of those whose operands are ready are chosen, the oldest first, each with a free unit of its kind. One
// that finds none does not hold up younger ones. Multiplications, divisions and square roots need the first unit of
// their kind. Others take the last one that is free. A load waits while an older store has not been chosen, since the
// store's address is not known.
//
// All outputs are combinational.
module issue_select #(
    parameter  logic [31:0] WINDOW        = 128,  // instructions in the window, 1–128
    parameter  logic [31:0] ISSUE_WIDTH   = 3,    // instructions chosen in a cycle, 1–4
    parameter  logic [31:0] INTEGER_UNITS = 2,    // integer units, 1–4
    parameter  logic [31:0] VFP_UNITS     = 2,    // VFP units, 1–4
    localparam logic [31:0] SLOT_BITS     = WINDOW > 1 ? $clog2(WINDOW) : 1,
    localparam logic [31:0] UNITS         = INTEGER_UNITS + VFP_UNITS + 1,
    localparam logic [31:0] UNIT_BITS     = $clog2(UNITS)
) (
    input  logic [SLOT_BITS-1:0]             first_i,       // slot of the oldest instruction
    input  logic [WINDOW-1:0]                integer_i,     // instructions with ready operands for an integer unit, by
                                                            // slot
    input  logic [WINDOW-1:0]                vfp_i,         // instructions with ready operands for a VFP unit
    input  logic [WINDOW-1:0]                load_i,        // loads
    input  logic [WINDOW-1:0]                store_i,       // stores, and other instructions for the load-store unit
    input  logic [WINDOW-1:0]                needs_first_i, // instructions that need the first integer or VFP unit
    input  logic [WINDOW-1:0]                unknown_i,     // stores that have not been chosen, ready or not
    input  logic [UNITS-1:0]                 free_i,        // 1: the unit is free: integer units, VFP units, load-store
                                                            // unit
    output logic [ISSUE_WIDTH-1:0]           issue_o,       // 1: there is an n-th instruction, from the oldest on
    output logic [ISSUE_WIDTH*SLOT_BITS-1:0] slot_o,        // slot of each issued instruction; 0 without one
    output logic [ISSUE_WIDTH*UNIT_BITS-1:0] unit_o         // unit of each issued instruction, as in free_i; 0 without
                                                            // one
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WINDOW < 1 || WINDOW > 128) begin : gen_illegal_window
    $error("issue_select: WINDOW must be 1 to 128");
  end
  if (ISSUE_WIDTH < 1 || ISSUE_WIDTH > 4) begin : gen_illegal_width
    $error("issue_select: ISSUE_WIDTH must be 1 to 4");
  end
  if (INTEGER_UNITS < 1 || INTEGER_UNITS > 4) begin : gen_illegal_integer
    $error("issue_select: INTEGER_UNITS must be 1 to 4");
  end
  if (VFP_UNITS < 1 || VFP_UNITS > 4) begin : gen_illegal_vfp
    $error("issue_select: VFP_UNITS must be 1 to 4");
  end
`endif
  localparam logic [31:0] LOAD_STORE = UNITS - 1;  // the load-store unit

  // Slots from the oldest instruction's on: those below hold younger ones.
  logic [WINDOW-1:0] upper;
  assign upper = {WINDOW{1'b1}} << first_i;

  // --- loads that may be chosen: none behind the oldest store without an address ---
  logic [WINDOW-1:0] unknown_upper, unknown_lower, behind;
  assign unknown_upper = unknown_i & upper;
  assign unknown_lower = unknown_i & ~upper;
  // In x ^ -x the bits above the lowest 1 of x are 1.
  assign behind        = unknown_upper != '0 ? (unknown_upper ^ -unknown_upper) | ~upper
                                             : (unknown_lower ^ -unknown_lower) & ~upper;

  // --- the oldest of those for which a unit is free, as often as instructions issue ---
  logic [WINDOW-1:0]    integers, vfps, accesses;  // instructions that are left
  logic [UNITS-1:0]     free;                      // units that are left
  logic [WINDOW-1:0]    can, can_upper, oldest;
  logic [SLOT_BITS-1:0] slot;
  logic [UNIT_BITS-1:0] unit;

  always_comb begin
    integers  = integer_i;
    vfps      = vfp_i;
    accesses  = store_i | (load_i & ~behind);
    free      = free_i;
    issue_o   = '0;
    slot_o    = '0;
    unit_o    = '0;
    can       = '0;
    can_upper = '0;
    oldest    = '0;
    slot      = '0;
    unit      = '0;
    for (int unsigned n = 0; n < ISSUE_WIDTH; n++) begin
      can = '0;
      if (free[0]) can = can | integers;
      else if (free[INTEGER_UNITS-1:0] != '0) can = can | (integers & ~needs_first_i);
      if (free[INTEGER_UNITS]) can = can | vfps;
      else if (free[INTEGER_UNITS+VFP_UNITS-1:INTEGER_UNITS] != '0) can = can | (vfps & ~needs_first_i);
      if (free[LOAD_STORE]) can = can | accesses;

      can_upper = can & upper;
      oldest    = can_upper != '0 ? can_upper & -can_upper : can & -can;
      slot      = '0;
      for (int unsigned s = 0; s < WINDOW; s++) if (oldest[s]) slot = slot | SLOT_BITS'(s);

      unit = UNIT_BITS'(LOAD_STORE);
      if ((oldest & integers) != '0) begin
        unit = '0;
        for (int unsigned u = 0; u < INTEGER_UNITS; u++)
          if (free[u] && (oldest & needs_first_i) == '0) unit = UNIT_BITS'(u);
      end else if ((oldest & vfps) != '0) begin
        unit = UNIT_BITS'(INTEGER_UNITS);
        for (int unsigned u = INTEGER_UNITS; u < LOAD_STORE; u++)
          if (free[u] && (oldest & needs_first_i) == '0) unit = UNIT_BITS'(u);
      end

      if (oldest != '0) begin
        issue_o[n]                       = 1'b1;
        slot_o[n*SLOT_BITS +: SLOT_BITS] = slot;
        unit_o[n*UNIT_BITS +: UNIT_BITS] = unit;
        free[unit]                       = 1'b0;
        integers                         = integers & ~oldest;
        vfps                             = vfps & ~oldest;
        accesses                         = accesses & ~oldest;
      end
    end
  end
endmodule
