// Properties of warp_formation_table (rtl/warp_formation_table.sv; divergence.md §4, dwf), for any PC p and work-group
// g, and any other, p2 and g2, of its set. scripts/formal puts an instance into the module, after the lines below that
// begin with //+, which give the set of p.
// Sizes: SETS=1 WARP_SIZE=2 POOL=2 GROUPS=2
//+ (* anyconst *) logic [31:0] p;
//+ logic [WAYS*PC_BITS-1:0]    row_pc;
//+ logic [WAYS*GROUP_BITS-1:0] row_group;
//+ logic [WAYS*WARP_BITS-1:0]  row_warp;
//+ logic [WAYS*MASK_BITS-1:0]  row_mask;
//+ logic [WAYS*RANK_BITS-1:0]  row_rank;
//+ logic [SET_BITS-1:0]        row;
//+ assign row       = SETS > 1 ? p[2 +: SET_BITS] : '0;
//+ assign row_pc    = pc_q[row];
//+ assign row_group = group_q[row];
//+ assign row_warp  = warp_q[row];
//+ assign row_mask  = mask_q[row];
//+ assign row_rank  = rank_q[row];
module warp_formation_table_props #(
    parameter  int unsigned SETS       = 1,
    parameter  int unsigned WARP_SIZE  = 2,
    parameter  int unsigned POOL       = 2,
    parameter  int unsigned GROUPS     = 2,
    localparam int unsigned WAYS       = 4,
    localparam int unsigned SET_BITS   = SETS > 1 ? $clog2(SETS) : 1,
    localparam int unsigned PC_BITS    = 32,
    localparam int unsigned GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned WARP_BITS  = $clog2(POOL),
    localparam int unsigned MASK_BITS  = WARP_SIZE,
    localparam int unsigned RANK_BITS  = $clog2(WAYS)
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       issue_i,
    input logic [31:0]                issue_pc_i,
    input logic [GROUP_BITS-1:0]      issue_group_i,
    input logic [WARP_BITS-1:0]       issue_warp_i,
    input logic [WARP_SIZE-1:0]       come_i,
    input logic [31:0]                come_pc_i,
    input logic [GROUP_BITS-1:0]      come_group_i,
    input logic [WARP_BITS-1:0]       new_warp_i,
    input logic                       hit_o,
    input logic [WARP_BITS-1:0]       warp_o,
    input logic [WARP_SIZE-1:0]       joined_o,
    input logic [WARP_SIZE-1:0]       left_o,
    input logic                       lost_o,
    input logic [31:0]                p,
    input logic [WAYS*PC_BITS-1:0]    row_pc,
    input logic [WAYS*GROUP_BITS-1:0] row_group,
    input logic [WAYS*WARP_BITS-1:0]  row_warp,
    input logic [WAYS*MASK_BITS-1:0]  row_mask,
    input logic [WAYS*RANK_BITS-1:0]  row_rank
);
  (* anyconst *) logic [GROUP_BITS-1:0] g;
  (* anyconst *) logic [31:0]           p2;
  (* anyconst *) logic [GROUP_BITS-1:0] g2;

  // Entries of both, and validity of the set; free: an entry is free, or becomes free in this cycle.
  logic                 here, here2, once, clean, free;
  logic [WAYS-1:0]      ranks;
  logic [RANK_BITS-1:0] its_rank, its_rank2;
  logic [WARP_BITS-1:0] its_warp;
  logic [WARP_SIZE-1:0] its_mask;
  always_comb begin
    here      = 1'b0;
    here2     = 1'b0;
    once      = 1'b1;
    clean     = 1'b1;
    free      = 1'b0;
    ranks     = '0;
    its_rank  = '0;
    its_rank2 = '0;
    its_warp  = '0;
    its_mask  = '0;
    for (int unsigned n = 0; n < WAYS; n++) begin
      ranks[row_rank[n*RANK_BITS +: RANK_BITS]] = 1'b1;
      if (row_pc[n*PC_BITS +: PC_BITS] == p && row_group[n*GROUP_BITS +: GROUP_BITS] == g) begin
        if (here) once = 1'b0;
        here     = 1'b1;
        its_rank = row_rank[n*RANK_BITS +: RANK_BITS];
        its_warp = row_warp[n*WARP_BITS +: WARP_BITS];
        its_mask = row_mask[n*MASK_BITS +: MASK_BITS];
      end
      if (row_pc[n*PC_BITS +: PC_BITS] == p2 && row_group[n*GROUP_BITS +: GROUP_BITS] == g2) begin
        if (here2) once = 1'b0;
        here2     = 1'b1;
        its_rank2 = row_rank[n*RANK_BITS +: RANK_BITS];
      end
      if (row_pc[n*PC_BITS +: PC_BITS] == '0) begin
        free = 1'b1;
        if (row_group[n*GROUP_BITS +: GROUP_BITS] != '0 || row_warp[n*WARP_BITS +: WARP_BITS] != '0 ||
            row_mask[n*MASK_BITS +: MASK_BITS] != '0) clean = 1'b0;
      end else if (row_mask[n*MASK_BITS +: MASK_BITS] == '0) begin
        clean = 1'b0;
      end
      if (issue_i && row_pc[n*PC_BITS +: PC_BITS] == issue_pc_i && row_group[n*GROUP_BITS +: GROUP_BITS] == issue_group_i &&
          row_warp[n*WARP_BITS +: WARP_BITS] == issue_warp_i) free = 1'b1;
    end
  end

  // Reference state: the warp at p, its positions, and whether p has been used after p2.
  logic                 leaves, leaves2, comes, comes2, there, of_set;
  logic                 later_q, past_here_q, past_here2_q, past_leaves_q, past_lost_q, past_comes_q;
  logic                 started = 1'b0, past_reset_q, named_q;
  logic [WARP_BITS-1:0] told_warp_q;
  logic [WARP_SIZE-1:0] told_mask_q;
  assign of_set  = SETS == 1 || come_pc_i[2 +: SET_BITS] == p[2 +: SET_BITS];
  assign leaves  = issue_i && issue_pc_i == p && issue_group_i == g && here && issue_warp_i == its_warp;
  assign leaves2 = issue_i && issue_pc_i == p2 && issue_group_i == g2;
  assign comes   = come_i != '0 && come_pc_i == p && come_group_i == g;
  assign comes2  = come_i != '0 && come_pc_i == p2 && come_group_i == g2;
  assign there   = here && !leaves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      named_q     <= 1'b0;
      told_warp_q <= '0;
      told_mask_q <= '0;
      later_q     <= 1'b0;
    end else begin
      if (comes) begin
        named_q     <= 1'b1;
        told_warp_q <= !there || (come_i & its_mask) != '0 ? new_warp_i : its_warp;
        told_mask_q <= !there ? come_i : (come_i & its_mask) != '0 ? come_i & its_mask : come_i | its_mask;
        later_q     <= 1'b1;
      end else begin
        if (leaves) named_q <= 1'b0;
        if (comes2) later_q <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    started       <= 1'b1;
    past_reset_q  <= !rst_ni;
    past_here_q   <= here;
    past_here2_q  <= here2 && !leaves2;
    past_leaves_q <= leaves;
    past_comes_q  <= comes;
    past_lost_q   <= lost_o && of_set;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (p != '0 && p2 != '0 && (p != p2 || g != g2));
    assume (SETS == 1 || p2[2 +: SET_BITS] == p[2 +: SET_BITS]);
    assume (come_pc_i != '0 && issue_pc_i != '0);
    assume (32'(g) < GROUPS && 32'(g2) < GROUPS && 32'(come_group_i) < GROUPS && 32'(issue_group_i) < GROUPS);
  end

  always_comb if (started && rst_ni) begin
    lemma_ranks_are_a_permutation:         assert (ranks == '1);
    lemma_ranks_are_a_permutation_reached: cover (here);

    lemma_one_entry_a_pc:         assert (once);
    lemma_one_entry_a_pc_reached: cover (here && here2);

    lemma_free_entries_are_0:         assert (clean);
    lemma_free_entries_are_0_reached: cover (!free);

    lemma_ranks_are_the_order_of_use:         assert (!(here && here2) || (its_rank < its_rank2) == later_q);
    lemma_ranks_are_the_order_of_use_reached: cover (here && here2 && later_q);

    names_what_came_last:         assert (!here || (named_q && its_warp == told_warp_q && its_mask == told_mask_q));
    names_what_came_last_reached: cover (here && its_mask == '1);

    hits_if_it_names_a_warp:         assert (!comes || (hit_o == there && warp_o == (there ? its_warp : '0)));
    hits_if_it_names_a_warp_reached: cover (comes && hit_o);

    who_finds_a_free_position_joins:         assert (!comes || joined_o == (there ? come_i & ~its_mask : '0));
    who_finds_a_free_position_joins_reached: cover (comes && (WARP_SIZE == 1 || joined_o != '0));

    the_others_make_a_warp:         assert (left_o == (come_i & ~joined_o) && (joined_o & ~come_i) == '0);
    the_others_make_a_warp_reached: cover (left_o != '0 && (WARP_SIZE == 1 || joined_o != '0));

    nothing_is_said_of_nobody:         assert (come_i != '0 || (!hit_o && joined_o == '0 && warp_o == '0 && !lost_o));
    nothing_is_said_of_nobody_reached: cover (come_i == '0);

    makes_room_exactly_if_full:         assert (!comes || lost_o == (!there && !free));
    makes_room_exactly_if_full_reached: cover (comes && lost_o);
  end

  always_comb if (started && rst_ni && !past_reset_q) begin
    is_named_when_it_came:         assert (!past_comes_q || here);
    is_named_when_it_came_reached: cover (past_comes_q);

    leaves_when_it_is_issued:         assert (!past_leaves_q || past_comes_q || !here);
    leaves_when_it_is_issued_reached: cover (past_leaves_q);

    stays_until_it_is_issued_or_makes_room:         assert (!past_here_q || here || past_leaves_q || past_lost_q);
    stays_until_it_is_issued_or_makes_room_reached: cover (past_here_q && !here && past_lost_q);

    the_one_used_longest_ago_makes_room:         assert (!(past_here_q && past_here2_q && past_lost_q && !here && !past_leaves_q) || !later_q);
    the_one_used_longest_ago_makes_room_reached: cover (past_here_q && past_here2_q && past_lost_q && !here);
  end
endmodule
