// Properties of srf_rename (rtl/srf_rename.sv; machine.md §9). scripts/formal puts an instance into the module, after
// the lines below that begin with //+, which give the map of all warps.
// Sizes: WARPS=2 REGISTERS=6 PHYSICAL=3
//
//+ logic [WARPS*ROWS*MAP_BITS-1:0] map_all;
//+ always_comb begin
//+   for (int unsigned n = 0; n < WARPS; n++) map_all[n*ROWS*MAP_BITS+:ROWS*MAP_BITS] = map_q[n];
//+ end
module srf_rename_props #(
    parameter  int unsigned WARPS         = 2,  // small, since Yosys also elaborates the module with its
                                                // defaults
    parameter  int unsigned REGISTERS     = 6,
    parameter  int unsigned PHYSICAL      = 3,
    localparam int unsigned ROWS          = REGISTERS - 3,
    localparam int unsigned WARP_BITS     = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned ROW_BITS      = $clog2(ROWS),
    localparam int unsigned PHYSICAL_BITS = $clog2(PHYSICAL),
    localparam int unsigned MAP_BITS      = PHYSICAL_BITS,
    localparam int unsigned VALID_BITS    = REGISTERS,
    localparam int unsigned FREE_BITS     = 32,
    localparam int unsigned LIST          = (PHYSICAL + FREE_BITS - 1) / FREE_BITS * FREE_BITS,
    localparam int unsigned COUNT_BITS    = $clog2(WARPS * ROWS + LIST + 1)
) (
    input logic                           clk_i,
    input logic                           rst_ni,
    input logic                           start_i,
    input logic [WARPS-1:0]               start_warps_i,
    input logic [WARP_BITS-1:0]           read_warp_i,
    input logic [REGISTERS-1:0]           read_sources_i,
    input logic [ROWS-1:0]                read_destinations_i,
    input logic                           read_full_i,
    input logic                           read_conditional_i,
    input logic                           read_fails_i,
    input logic [ROW_BITS-1:0]            read_row0_i,
    input logic [ROW_BITS-1:0]            read_row1_i,
    input logic [ROW_BITS-1:0]            read_row2_i,
    input logic [WARP_BITS-1:0]           write_warp_i,
    input logic [REGISTERS-1:0]           write_destinations_i,
    input logic                           write_full_i,
    input logic                           write_uniform_i,
    input logic [REGISTERS-1:0]           write_broadcast_i,
    input logic                           release_i,
    input logic [WARP_BITS-1:0]           release_warp_i,
    input logic [REGISTERS-1:0]           tokens_o,
    input logic                           uniform_o,
    input logic [ROWS-1:0]                copies_o,
    input logic [PHYSICAL_BITS-1:0]       scalar0_o,
    input logic [PHYSICAL_BITS-1:0]       scalar1_o,
    input logic [PHYSICAL_BITS-1:0]       scalar2_o,
    input logic                           mapped_o,
    input logic                           refused_o,
    input logic [PHYSICAL_BITS-1:0]       target0_o,
    input logic [PHYSICAL_BITS-1:0]       target1_o,
    input logic [WARPS*VALID_BITS-1:0]    valid_q,
    input logic [WARPS*ROWS*MAP_BITS-1:0] map_all,
    input logic [LIST-1:0]                free_q
);
  // Any scalar register, any two rows of any warps, (wa, ra) and (wb, rb): a property of them holds for all.
  (* anyconst *) logic [PHYSICAL_BITS-1:0] p;
  (* anyconst *) logic [WARP_BITS-1:0] wa;
  (* anyconst *) logic [WARP_BITS-1:0] wb;
  (* anyconst *) logic [ROW_BITS-1:0] ra;
  (* anyconst *) logic [ROW_BITS-1:0] rb;

  // Rows mapped to p; numbers of mapped and free registers, and of free ones that do not exist.
  logic                 has_a, has_b, any, free_p;
  logic [MAP_BITS-1:0]  map_a, map_b;
  logic [COUNT_BITS-1:0] mapped, unmapped, users;
  always_comb begin
    has_a    = 1'b0;
    has_b    = 1'b0;
    map_a    = '0;
    map_b    = '0;
    any      = 1'b0;
    mapped   = '0;
    users    = '0;
    free_p   = 1'b0;
    unmapped = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (valid_q[w*VALID_BITS+r]) begin
          mapped = mapped + COUNT_BITS'(1);
          if (map_all[(w*ROWS+r)*MAP_BITS+:MAP_BITS] == p) begin
            any   = 1'b1;
            users = users + COUNT_BITS'(1);
          end
        end
        if (32'(wa) == w && 32'(ra) == r) begin
          has_a = valid_q[w*VALID_BITS+r];
          map_a = map_all[(w*ROWS+r)*MAP_BITS+:MAP_BITS];
        end
        if (32'(wb) == w && 32'(rb) == r) begin
          has_b = valid_q[w*VALID_BITS+r];
          map_b = map_all[(w*ROWS+r)*MAP_BITS+:MAP_BITS];
        end
      end
    end
    for (int unsigned n = 0; n < LIST; n++) begin
      unmapped = unmapped + COUNT_BITS'(free_q[n]);
      if (32'(p) == n) free_p = free_q[n];
    end
  end

  // All scalar registers: each is in one place.
  logic                  each, beyond;
  logic [COUNT_BITS-1:0] places;
  always_comb begin
    each   = 1'b1;
    beyond = 1'b0;
    places = '0;
    for (int unsigned n = 0; n < LIST; n++) begin
      if (n < PHYSICAL) begin
        places = COUNT_BITS'(free_q[n]);
        for (int unsigned w = 0; w < WARPS; w++) begin
          for (int unsigned r = 0; r < ROWS; r++) begin
            if (valid_q[w*VALID_BITS+r] && map_all[(w*ROWS+r)*MAP_BITS+:MAP_BITS] == MAP_BITS'(n))
              places = places + COUNT_BITS'(1);
          end
        end
        if (places != COUNT_BITS'(1)) each = 1'b0;
      end else if (free_q[n]) beyond = 1'b1;
    end
  end

  // Rows that a write would newly map; the first of them; the state of wa; the result of reading (wa, ra).
  logic [COUNT_BITS-1:0]    needed;
  logic                     first_a;
  logic [2:0]               states_a;
  logic [PHYSICAL_BITS-1:0] row_a;
  assign row_a = has_a ? map_a : '0;
  always_comb begin
    needed   = '0;
    first_a  = 1'b0;
    states_a = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (32'(wa) == w) states_a = valid_q[w*VALID_BITS+ROWS+:3];
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (32'(write_warp_i) == w && uniform_after[r] && !valid_q[w*VALID_BITS+r]) begin
          if (32'(wa) == w && 32'(ra) == r) first_a = needed == '0;
          needed = needed + COUNT_BITS'(1);
        end
      end
    end
  end

  logic starts;  // warp wa may start
  always_comb begin
    starts = 1'b0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (32'(wa) == w) starts = start_i && start_warps_i[w];
    end
  end

  logic same, reads, writes, gets, releases, sets, partial, flags;
  logic [REGISTERS-1:0] uniform_after;
  assign same     = wa == wb && ra == rb;
  assign reads    = read_warp_i == wa;
  assign writes   = write_warp_i == wa && write_destinations_i[ra];
  assign releases = release_i && release_warp_i == wa;
  assign uniform_after = !write_full_i ? '0 : write_destinations_i & (write_uniform_i ? '1 : write_broadcast_i);
  assign sets     = uniform_after != '0;
  assign gets     = writes && uniform_after[ra];
  assign flags    = tokens_o[ROWS];
  assign partial  = !read_full_i || (read_conditional_i && !flags);

  logic started = 1'b0, past_reset_q, past_a_q, past_maps_q, past_unmaps_q, past_free_p_q, past_start_q, past_any_start_q, past_leaves_q;
  logic [MAP_BITS-1:0] past_map_a_q, past_target_q;
  always_ff @(posedge clk_i) begin
    started       <= 1'b1;
    past_reset_q  <= !rst_ni;
    past_start_q  <= starts;
    past_any_start_q <= start_i;
    past_leaves_q <= releases || (writes && !(gets && mapped_o));
    past_a_q      <= has_a;
    past_map_a_q  <= map_a;
    past_target_q <= first_a ? target0_o : target1_o;
    past_free_p_q <= free_p;
    past_maps_q   <= !releases && gets && mapped_o;
    past_unmaps_q <= !starts && (releases || (writes && !(gets && mapped_o)));
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(p) < PHYSICAL && 32'(wa) < WARPS && 32'(wb) < WARPS && 32'(ra) < ROWS && 32'(rb) < ROWS);
    assume (32'(read_warp_i) < WARPS && 32'(write_warp_i) < WARPS && 32'(release_warp_i) < WARPS);
    assume (32'(read_row0_i) < ROWS && 32'(read_row1_i) < ROWS && 32'(read_row2_i) < ROWS);
  end

  always_comb if (started && rst_ni) begin
    never_mapped_twice:         assert (!(has_a && has_b && !same) || map_a != map_b);
    never_mapped_twice_reached: cover (has_a && has_b && !same);

    the_mapped_are_not_free:         assert (!(has_a && map_a == p) || !free_p);
    the_mapped_are_not_free_reached: cover (has_a && map_a == p && ra != '0);

    none_is_lost:         assert (free_p || any);
    none_is_lost_reached: cover (free_p && past_a_q && past_map_a_q == p && !past_reset_q);

    each_is_in_one_place:         assert (users + COUNT_BITS'(free_p) == COUNT_BITS'(1));
    each_is_in_one_place_reached: cover (users == COUNT_BITS'(1) && ra != '0 && map_a == p && has_a);

    free_and_mapped_are_all:         assert (mapped + unmapped == COUNT_BITS'(PHYSICAL));
    free_and_mapped_are_all_reached: cover (mapped > COUNT_BITS'(1) && unmapped != '0);

    reads_the_map:         assert (!reads || (tokens_o[ra] == has_a && (read_row0_i != ra || scalar0_o == row_a)
        && (read_row1_i != ra || scalar1_o == row_a) && (read_row2_i != ra || scalar2_o == row_a)));
    reads_the_map_reached: cover (reads && has_a && read_row1_i == ra && scalar1_o != '0 && read_row0_i != ra);

    the_states_have_tokens:         assert (!reads || tokens_o[REGISTERS-1:ROWS] == states_a);
    the_states_have_tokens_reached: cover (reads && tokens_o[REGISTERS-1:ROWS] == 3'b101);

    refused_only_where_registers_are_missing:         assert (refused_o == (sets && (needed > COUNT_BITS'(2) || needed > unmapped)));
    refused_only_where_registers_are_missing_reached: cover (refused_o && needed == COUNT_BITS'(2) && unmapped == COUNT_BITS'(1));

    the_lowest_free_are_taken: assert (!(mapped_o && needed != '0) || !free_p || p >= target0_o);
    the_lowest_free_are_taken_reached: cover (mapped_o && needed == COUNT_BITS'(2) && target0_o != '0);

    the_second_is_the_next_free: assert (!(mapped_o && needed == COUNT_BITS'(2)) || (target1_o > target0_o && (!free_p || p <= target0_o || p >= target1_o)));
    the_second_is_the_next_free_reached: cover (mapped_o && needed == COUNT_BITS'(2));

    no_target_without_need: assert ((mapped_o && needed != '0 || target0_o == '0) && (mapped_o && needed > COUNT_BITS'(1) || target1_o == '0));
    no_target_without_need_reached: cover (mapped_o && needed == '0);

    uniform_needs_every_source:         assert (!(uniform_o && reads && read_sources_i[ra]) || (has_a && read_full_i));
    uniform_needs_every_source_reached: cover (uniform_o && reads && read_sources_i[ra]);

    uniform_if_nothing_is_missing:         assert (uniform_o || partial || (read_sources_i & ~tokens_o) != '0);
    uniform_if_nothing_is_missing_reached: cover (!uniform_o && !partial && read_conditional_i && !read_sources_i[0]);

    uniform_needs_known_flags:         assert (!(uniform_o && read_conditional_i) || flags);
    uniform_needs_known_flags_reached: cover (uniform_o && read_conditional_i);

    a_partial_write_copies_first:         assert (!reads || copies_o[ra] == (partial && read_destinations_i[ra] && has_a && !(read_conditional_i && flags && read_fails_i)));
    a_partial_write_copies_first_reached: cover (reads && copies_o[ra] && !read_sources_i[ra]);

    mapped_or_refused:         assert ((mapped_o || refused_o) == sets && !(mapped_o && refused_o));
    mapped_or_refused_reached: cover (refused_o);

    one_row_is_refused_only_without_free_ones:         assert (!(refused_o && (uniform_after & (uniform_after - REGISTERS'(1))) == '0) || !free_p);
    one_row_is_refused_only_without_free_ones_reached: cover (refused_o && (uniform_after & (uniform_after - REGISTERS'(1))) == '0);

    only_the_free_are_taken:         assert (!(mapped_o && gets && !has_a && (target0_o == p || target1_o == p)) || free_p || p == '0);
    only_the_free_are_taken_reached: cover (mapped_o && gets && !has_a && target0_o == p && p != '0);

    lemma_each_is_in_one_place:         assert (each && !beyond);
    lemma_each_is_in_one_place_reached: cover (unmapped == '0);

    lemma_numbers_exist:         assert (!has_a || 32'(map_a) < PHYSICAL);
    lemma_numbers_exist_reached: cover (has_a && 32'(map_a) == PHYSICAL - 1);
  end

  always_comb if (started && rst_ni && !past_reset_q) begin
    a_mapped_write_maps:         assert (!past_maps_q || (has_a && map_a == (past_a_q ? past_map_a_q : past_target_q)));
    a_mapped_write_maps_reached: cover (past_maps_q && !past_a_q);

    any_other_write_and_the_end_unmap:         assert (!past_unmaps_q || !has_a);
    any_other_write_and_the_end_unmap_reached: cover (past_unmaps_q && past_a_q);

    what_is_unmapped_is_free:         assert (!(past_unmaps_q && past_a_q && past_map_a_q == p) || free_p || (past_any_start_q && any));
    what_is_unmapped_is_free_reached: cover (past_unmaps_q && past_a_q && past_map_a_q == p && ra != '0);

    stays_where_it_is:         assert (!(past_a_q && has_a && !(past_start_q && past_leaves_q)) || map_a == past_map_a_q);
    stays_where_it_is_reached: cover (past_a_q && has_a && past_maps_q);

    freed_only_by_an_end:         assert (past_leaves_q || !past_a_q || has_a);
    freed_only_by_an_end_reached: cover (past_a_q && !past_maps_q && has_a);

    a_start_keeps_what_others_have:         assert (!(past_any_start_q && past_a_q && !past_leaves_q) || (has_a && map_a == past_map_a_q));
    a_start_keeps_what_others_have_reached: cover (past_any_start_q && past_a_q && !past_start_q && has_a);

    a_start_maps_r0_only:         assert (!(past_start_q && has_a && !past_a_q && !past_maps_q) || (ra == '0 && 32'(map_a) == PHYSICAL - 1 - 32'(wa)));
    a_start_maps_r0_only_reached: cover (past_start_q && has_a && !past_a_q && ra == '0);
  end
endmodule
