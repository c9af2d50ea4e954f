// Properties of issue_select (rtl/issue_select.sv; docs/superscalar.md §4). scripts/formal puts an instance into the module.
// Sizes: WINDOW=8 ISSUE_WIDTH=3 INTEGER_UNITS=2 VFP_UNITS=2;WINDOW=1 ISSUE_WIDTH=1 INTEGER_UNITS=1 VFP_UNITS=1;WINDOW=5 ISSUE_WIDTH=2 INTEGER_UNITS=3 VFP_UNITS=1;WINDOW=16 ISSUE_WIDTH=2 INTEGER_UNITS=2 VFP_UNITS=1;WINDOW=32 ISSUE_WIDTH=1 INTEGER_UNITS=1 VFP_UNITS=2
//
// Ages are counted from the oldest instruction on. The properties hold for any two places in the order of issue, any
// instruction and any store.
module issue_select_props #(
    parameter  int unsigned WINDOW        = 128,
    parameter  int unsigned ISSUE_WIDTH   = 3,
    parameter  int unsigned INTEGER_UNITS = 2,
    parameter  int unsigned VFP_UNITS     = 2,
    localparam int unsigned SLOT_BITS     = WINDOW > 1 ? $clog2(WINDOW) : 1,
    localparam int unsigned UNITS         = INTEGER_UNITS + VFP_UNITS + 1,
    localparam int unsigned UNIT_BITS     = $clog2(UNITS)
) (
    input logic [SLOT_BITS-1:0]             first_i,
    input logic [WINDOW-1:0]                integer_i,
    input logic [WINDOW-1:0]                vfp_i,
    input logic [WINDOW-1:0]                load_i,
    input logic [WINDOW-1:0]                store_i,
    input logic [WINDOW-1:0]                needs_first_i,
    input logic [WINDOW-1:0]                unknown_i,
    input logic [UNITS-1:0]                 free_i,
    input logic [ISSUE_WIDTH-1:0]           issue_o,
    input logic [ISSUE_WIDTH*SLOT_BITS-1:0] slot_o,
    input logic [ISSUE_WIDTH*UNIT_BITS-1:0] unit_o
);
  localparam int unsigned LOAD_STORE = UNITS - 1;

  (* anyconst *) logic [SLOT_BITS-1:0] any;    // an arbitrary slot: properties of it hold for all
  (* anyconst *) logic [SLOT_BITS-1:0] store;  // an arbitrary other slot
  (* anyconst *) logic [1:0]           n;      // any two places in the order of issue
  (* anyconst *) logic [1:0]           m;
  always_comb begin
    assume (32'(first_i) < WINDOW);
    assume (32'(any) < WINDOW);
    assume (32'(store) < WINDOW);
    assume (32'(n) < ISSUE_WIDTH);
    assume (32'(m) < ISSUE_WIDTH);
    // An instruction is of one kind; a store that is not known is none of the others.
    assume ((integer_i & vfp_i) == '0 && (integer_i & load_i) == '0 && (integer_i & store_i) == '0);
    assume ((vfp_i & load_i) == '0 && (vfp_i & store_i) == '0 && (load_i & store_i) == '0);
    assume ((unknown_i & (integer_i | vfp_i | load_i)) == '0);
  end

  function automatic logic [SLOT_BITS:0] age(input logic [SLOT_BITS-1:0] slot, input logic [SLOT_BITS-1:0] first);
    age = (slot < first ? (SLOT_BITS+1)'(WINDOW) : '0) + (SLOT_BITS+1)'(slot) - (SLOT_BITS+1)'(first);
  endfunction
  // Units that execute the instruction in a slot.
  function automatic logic [UNITS-1:0] units_for(input logic is_integer, input logic is_vfp, input logic is_access,
                                                 input logic needs_first);
    units_for = '0;
    for (int unsigned u = 0; u < UNITS; u++)
      units_for[u] = u < INTEGER_UNITS ? is_integer && (u == 0 || !needs_first)
                   : u < LOAD_STORE    ? is_vfp && (u == INTEGER_UNITS || !needs_first)
                                       : is_access;
  endfunction

  // Choices at two places.
  logic                 issue_n, issue_m;
  logic [SLOT_BITS-1:0] slot_n, slot_m;
  logic [UNIT_BITS-1:0] unit_n, unit_m;
  logic [UNITS-1:0]     for_n, for_any;
  logic [WINDOW-1:0]    ready;
  assign issue_n = issue_o[n];
  assign issue_m = issue_o[m];
  assign slot_n  = slot_o[32'(n)*SLOT_BITS +: SLOT_BITS];
  assign slot_m  = slot_o[32'(m)*SLOT_BITS +: SLOT_BITS];
  assign unit_n  = unit_o[32'(n)*UNIT_BITS +: UNIT_BITS];
  assign unit_m  = unit_o[32'(m)*UNIT_BITS +: UNIT_BITS];
  assign ready   = integer_i | vfp_i | load_i | store_i;
  assign for_n   = units_for(integer_i[slot_n], vfp_i[slot_n], load_i[slot_n] || store_i[slot_n], needs_first_i[slot_n]);
  assign for_any = units_for(integer_i[any], vfp_i[any], load_i[any] || store_i[any], needs_first_i[any]);

  // 1: the slot `any` has a load that follows a store of unknown address.
  logic held;
  always_comb begin
    held = 1'b0;
    for (int unsigned s = 0; s < WINDOW; s++)
      if (unknown_i[s] && age(SLOT_BITS'(s), first_i) < age(any, first_i)) held = load_i[any];
  end

  // 1: the instruction in the slot `any` issues; number of older ones that issue; units that these leave.
  logic             issues;
  logic [2:0]       older;
  logic [UNITS-1:0] left, left_n;
  always_comb begin
    issues = 1'b0;
    older  = '0;
    left   = free_i;
    left_n = free_i;
    for (int unsigned k = 0; k < ISSUE_WIDTH; k++) begin
      if (issue_o[k] && slot_o[k*SLOT_BITS +: SLOT_BITS] == any) issues = 1'b1;
      if (issue_o[k] && age(slot_o[k*SLOT_BITS +: SLOT_BITS], first_i) < age(any, first_i)) begin
        older                                  = older + 3'd1;
        left[unit_o[k*UNIT_BITS +: UNIT_BITS]] = 1'b0;
      end
      if (issue_o[k] && k < 32'(n)) left_n[unit_o[k*UNIT_BITS +: UNIT_BITS]] = 1'b0;
    end
  end

  // Highest-numbered unit that instruction n may have.
  logic [UNIT_BITS-1:0] last_n;
  always_comb begin
    last_n = '0;
    for (int unsigned u = 0; u < UNITS; u++) if (left_n[u] && for_n[u]) last_n = UNIT_BITS'(u);
  end

  always_comb begin
    // Contract: what any block in this slot must hold to, whatever its policy; tb/twins/contract.c checks it in a run.
    only_the_ready_issue:         assert (!issue_n || 32'(slot_n) < WINDOW && ready[slot_n]);
    only_the_ready_issue_reached: cover (issue_n && 32'(slot_n) == WINDOW - 1);

    an_instruction_issues_once:         assert (!issue_n || !issue_m || n == m || slot_n != slot_m);
    an_instruction_issues_once_reached: cover (issue_n && issue_m && (ISSUE_WIDTH == 1 || n != m || WINDOW == 1));

    no_load_goes_before_an_unknown_store: assert (!(issue_n && load_i[slot_n] && unknown_i[store]) || age(slot_n, first_i) <= age(store, first_i));
    no_load_goes_before_an_unknown_store_reached: cover (WINDOW == 1 || load_i[any] && unknown_i[store] && !issues);

    each_has_a_free_unit_of_its_kind:         assert (!issue_n || 32'(unit_n) < UNITS && free_i[unit_n] && for_n[unit_n]);
    each_has_a_free_unit_of_its_kind_reached: cover (issue_n && vfp_i[slot_n]);

    a_unit_takes_one:         assert (!issue_n || !issue_m || n == m || unit_n != unit_m);
    a_unit_takes_one_reached: cover (issue_o == '1);

    one_issues_if_one_can:         assert (issue_o != '0 || !ready[any] || held || (for_any & free_i) == '0);
    one_issues_if_one_can_reached: cover (issue_o != '0 && free_i == (UNITS'(1) << LOAD_STORE));

    // Policy: the oldest first. One that is ready stays only if as many older ones issue as can, or no unit that it can
    // have is left by them.
    the_oldest_ready_first:         assert (issues || !ready[any] || held || 32'(older) == ISSUE_WIDTH || (for_any & left) == '0);
    the_oldest_ready_first_reached: cover (WINDOW < 4 || ISSUE_WIDTH == 1 || !issues && ready[any] && !held && older == 3'd1);

    they_are_put_out_in_order:         assert (!issue_n || !issue_m || n <= m || age(slot_n, first_i) > age(slot_m, first_i));
    they_are_put_out_in_order_reached: cover (ISSUE_WIDTH == 1 || WINDOW < 4 || issue_n && issue_m && slot_n < slot_m && n > m);

    the_first_places_are_used:         assert ((issue_o & (issue_o + ISSUE_WIDTH'(1))) == '0);
    the_first_places_are_used_reached: cover (issue_o == '1);

    the_last_unit_is_taken:         assert (!issue_n || unit_n == last_n);
    the_last_unit_is_taken_reached: cover (issue_n && 32'(unit_n) == LOAD_STORE);

    without_one_slot_and_unit_are_0:         assert (issue_n || slot_n == '0 && unit_n == '0);
    without_one_slot_and_unit_are_0_reached: cover (!issue_n && free_i == '1);
  end
endmodule
