// Properties of warp_lookup (rtl/warp_lookup.sv; divergence.md §5), for any thread, in lane k and row r, that
// arrives while it is not in the table. scripts/formal puts an instance into the module.
// Sizes: LANES=2 SLOTS=2 GROUPS=2 REGISTER_ROWS=2 RENEWS=1;LANES=2 SLOTS=3 GROUPS=1 REGISTER_ROWS=2 RENEWS=0
module warp_lookup_props #(
    parameter  int unsigned LANES         = 2,  // small, since Yosys also elaborates the module with its
                                                // defaults
    parameter  int unsigned SLOTS         = 2,
    parameter  int unsigned GROUPS        = 2,
    parameter  int unsigned REGISTER_ROWS = 2,
    parameter  int unsigned RENEWS        = 1,
    localparam int unsigned GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam int unsigned ROWS_BITS     = ROW_BITS,
    localparam int unsigned PC_BITS       = 32,
    localparam int unsigned MASK_BITS     = LANES,
    localparam int unsigned AGE_BITS      = SLOTS,
    localparam int unsigned COUNT_BITS    = $clog2(SLOTS + 1),
    localparam int unsigned ENTRY_BITS    = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
    input logic                            clk_i,
    input logic                            rst_ni,
    input logic                            leave_i,
    input logic [ENTRY_BITS-1:0]           leave_entry_i,
    input logic [LANES-1:0]                come_i,
    input logic [31:0]                     come_pc_i,
    input logic [GROUP_BITS-1:0]           come_group_i,
    input logic [LANES*ROWS_BITS-1:0]      rows_i,
    input logic [31:0]                     pc_o,
    input logic [GROUP_BITS-1:0]           group_o,
    input logic [LANES-1:0]                mask_o,
    input logic [LANES*ROWS_BITS-1:0]      rows_o,
    input logic [ENTRY_BITS-1:0]           oldest_o,
    input logic [COUNT_BITS-1:0]           count_o,
    input logic                            full_o,
    input logic [SLOTS*LANES-1:0]          masks_o,
    input logic [SLOTS*LANES*ROW_BITS-1:0] entry_rows_o,
    input logic [SLOTS*LANES-1:0]          came_o,
    input logic [LANES-1:0]                joined_o,
    input logic [LANES-1:0]                bypass_o,
    input logic [SLOTS*PC_BITS-1:0]        pc_q,
    input logic [SLOTS*GROUP_BITS-1:0]     group_q,
    input logic [SLOTS*MASK_BITS-1:0]      mask_q,
    input logic [SLOTS*LANES*ROW_BITS-1:0] row_q,
    input logic [SLOTS*AGE_BITS-1:0]       age_q,
    input logic [COUNT_BITS-1:0]           count_q
);
  (* anyconst *) logic [4:0]          k;
  (* anyconst *) logic [ROW_BITS-1:0] r;
  (* anyconst *) logic [3:0]          a, b;  // two slots

  // Place of the thread; validity of entries.
  logic                  comes, bypassed, here, leaves, whole, in_order, oldest, read;
  logic [SLOTS-1:0]      used;
  logic [COUNT_BITS-1:0] places, count;
  logic [31:0]           its_pc;
  logic [GROUP_BITS-1:0] its_group;
  always_comb begin
    comes     = 1'b0;
    bypassed  = 1'b0;
    here      = 1'b0;
    leaves    = 1'b0;
    count     = '0;
    in_order  = 1'b1;
    oldest    = 1'b1;
    read      = 1'b1;
    places    = '0;
    its_pc    = '0;
    its_group = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      if (l == 32'(k)) begin
        comes    = come_i[l] && rows_i[l*ROWS_BITS +: ROWS_BITS] == r;
        bypassed = bypass_o[l];
      end
    end
    for (int unsigned n = 0; n < SLOTS; n++) used[n] = mask_q[n*MASK_BITS +: MASK_BITS] != '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      count = count + COUNT_BITS'(used[n]);
      for (int unsigned t = 0; t < SLOTS; t++) begin
        if (age_q[n*AGE_BITS+t] && (n == t || !used[n] || !used[t] || age_q[t*AGE_BITS+n])) in_order = 1'b0;
        if (n != t && used[n] && used[t] && !age_q[n*AGE_BITS+t] && !age_q[t*AGE_BITS+n]) in_order = 1'b0;
        for (int unsigned u = 0; u < SLOTS; u++) begin
          if (age_q[n*AGE_BITS+t] && age_q[t*AGE_BITS+u] && !age_q[n*AGE_BITS+u]) in_order = 1'b0;
        end
        if (32'(oldest_o) == n && (!used[n] || age_q[t*AGE_BITS+n])) oldest = 1'b0;
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        if (l == 32'(k) && mask_q[n*MASK_BITS+l] && row_q[(n*LANES+l)*ROW_BITS +: ROW_BITS] == r) begin
          here      = 1'b1;
          places    = places + COUNT_BITS'(1);
          its_pc    = pc_q[n*PC_BITS +: PC_BITS];
          its_group = group_q[n*GROUP_BITS +: GROUP_BITS];
          leaves    = leave_i && 32'(leave_entry_i) == n;
          if (leaves && rows_o[l*ROWS_BITS +: ROWS_BITS] != r) read = 1'b0;
        end
      end
    end
    whole = count == count_q && in_order;
  end

  // Destination of a thread arriving in lane k: the oldest entry that it may join, or the first free slot;
  // and outputs for the leaving slot.
  logic [SLOTS-1:0] stays, may_join, belongs;
  logic             comes_k, joined, bypasses, came_a, came_b, stays_a, stays_b, a_before_b, said;
  always_comb begin
    comes_k    = 1'b0;
    joined     = 1'b0;
    bypasses   = 1'b0;
    belongs    = '0;
    came_a     = 1'b0;
    came_b     = 1'b0;
    stays_a    = 1'b0;
    stays_b    = 1'b0;
    a_before_b = 1'b0;
    said       = 1'b1;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      stays[n]    = used[n] && !(leave_i && 32'(leave_entry_i) == n);
      may_join[n] = stays[n] && pc_q[n*PC_BITS +: PC_BITS] == come_pc_i &&
                    group_q[n*GROUP_BITS +: GROUP_BITS] == come_group_i;
    end
    for (int unsigned l = 0; l < LANES; l++) begin
      if (l == 32'(k)) begin
        comes_k  = come_i[l];
        joined   = joined_o[l];
        bypasses = bypass_o[l];
        for (int unsigned n = 0; n < SLOTS; n++) may_join[n] = may_join[n] && come_i[l] && !mask_q[n*MASK_BITS+l];
      end
    end
    for (int unsigned n = 0; n < SLOTS; n++) begin
      belongs[n] = may_join[n] || (may_join == '0 && comes_k && !stays[n]);
      for (int unsigned t = 0; t < SLOTS; t++) begin
        if (may_join[t] && age_q[t*AGE_BITS+n]) belongs[n] = 1'b0;
        if (may_join == '0 && t < n && !stays[t]) belongs[n] = 1'b0;
      end
      if (32'(a) == n) begin
        came_a  = came_o[n*LANES +: LANES] != '0;
        stays_a = stays[n];
        for (int unsigned t = 0; t < SLOTS; t++) if (32'(b) == t) a_before_b = age_q[n*AGE_BITS+t];
      end
      if (32'(b) == n) begin
        came_b  = came_o[n*LANES +: LANES] != '0;
        stays_b = stays[n];
      end
      if (32'(leave_entry_i) == n && (pc_o != pc_q[n*PC_BITS +: PC_BITS] || group_o != group_q[n*GROUP_BITS +: GROUP_BITS] ||
          mask_o != mask_q[n*MASK_BITS +: MASK_BITS] || rows_o != row_q[n*LANES*ROW_BITS +: LANES*ROW_BITS])) said = 1'b0;
    end
  end

  logic came_right;
  always_comb begin
    came_right = 1'b1;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      for (int unsigned l = 0; l < LANES; l++) if (l == 32'(k) && came_o[n*LANES+l] != belongs[n]) came_right = 1'b0;
    end
  end

  // Age of the entries in slots a and b: a was created before b or, with renewal, last joined before b.
  logic a_first_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) a_first_q <= 1'b0;
    else if (came_a && !stays_a) a_first_q <= 1'b0;
    else if (came_b && !stays_b) a_first_q <= 1'b1;
    else if (RENEWS != 0 && came_a != came_b) a_first_q <= came_b;
  end

  logic                  started = 1'b0, past_reset_q, inside_q;
  logic [31:0]           inside_pc_q;
  logic [GROUP_BITS-1:0] inside_group_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q       <= 1'b0;
      inside_pc_q    <= '0;
      inside_group_q <= '0;
    end else if (comes && !bypassed) begin
      inside_q       <= 1'b1;
      inside_pc_q    <= come_pc_i;
      inside_group_q <= come_group_i;
    end else if (leaves) begin
      inside_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    started      <= 1'b1;
    past_reset_q <= !rst_ni;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(k) < LANES && 32'(r) < REGISTER_ROWS && 32'(a) < SLOTS && 32'(b) < SLOTS && a != b);
    if (leave_i) assume (32'(leave_entry_i) < SLOTS && used[leave_entry_i]);
    if (comes) assume (!inside_q || leaves);
  end

  always_comb if (started && rst_ni) begin
    lemma_entries_are_whole:         assert (whole);
    lemma_entries_are_whole_reached: cover (32'(count_q) == SLOTS);

    a_thread_is_where_it_came:         assert (here == inside_q && (!here || (its_pc == inside_pc_q && its_group == inside_group_q)));
    a_thread_is_where_it_came_reached: cover (here && 32'(count_q) > 1);

    in_one_place:         assert (places <= COUNT_BITS'(1));
    in_one_place_reached: cover (places == COUNT_BITS'(1));

    nobody_joins_and_is_refused:         assert ((joined_o & bypass_o) == '0 && ((joined_o | bypass_o) & ~come_i) == '0);
    nobody_joins_and_is_refused_reached: cover (joined_o != '0 && bypass_o != '0);

    refused_only_without_room:         assert (bypass_o == '0 || (full_o && !leave_i));
    refused_only_without_room_reached: cover (bypass_o != '0);

    comes_where_it_belongs:         assert (came_right && joined == (may_join != '0) && bypasses == (comes_k && belongs == '0));
    comes_where_it_belongs_reached: cover ((may_join & (may_join - 1'b1)) != '0 && !belongs[0]);

    in_the_order_of_coming:         assert (!used[a] || !used[b] || a_before_b == a_first_q);
    in_the_order_of_coming_reached: cover (used[a] && used[b] && a_first_q && stays_a && stays_b && came_a);

    the_oldest_is_told:         assert (count_q == '0 ? oldest_o == '0 : oldest);
    the_oldest_is_told_reached: cover (32'(count_q) > 1 && oldest_o != '0);

    says_what_there_is:         assert (count_o == count_q && full_o == (32'(count_q) == SLOTS) && (!leaves || (pc_o == its_pc && group_o == its_group && mask_o[k] && read)));
    says_what_there_is_reached: cover (leaves);

    shows_every_slot:         assert (said && masks_o == mask_q && entry_rows_o == row_q);
    shows_every_slot_reached: cover (32'(count_q) == SLOTS && leave_entry_i != '0);
  end
endmodule
