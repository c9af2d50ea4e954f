  // One instruction a cycle: the oldest that finds a unit.
  logic                 unknown;  // an older store has not been chosen
  logic [SLOT_BITS-1:0] slot;
  always_comb begin
    issue_o = '0;
    slot_o  = '0;
    unit_o  = '0;
    unknown = 1'b0;
    slot    = first_i;
    for (int unsigned age = 0; age < WINDOW; age++) begin
      for (int unsigned u = 0; u < UNITS; u++) begin
        if (!issue_o[0] && free_i[u]
            && (u < INTEGER_UNITS ? integer_i[slot] && (u == 0 || !needs_first_i[slot])
                : u < UNITS - 1   ? vfp_i[slot] && (u == INTEGER_UNITS || !needs_first_i[slot])
                                  : store_i[slot] || (load_i[slot] && !unknown))) begin
          issue_o[0]            = 1'b1;
          slot_o[SLOT_BITS-1:0] = slot;
          unit_o[UNIT_BITS-1:0] = UNIT_BITS'(u);
        end
      end
      unknown = unknown | unknown_i[slot];
      slot    = 32'(slot) == WINDOW - 1 ? '0 : slot + SLOT_BITS'(1);
    end
  end
