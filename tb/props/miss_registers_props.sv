// Properties of miss_registers (rtl/miss_registers.sv; gpu-like.md §4). scripts/formal puts an instance into the
// module, after the lines below that begin with //+, which give the rows of the memory as one vector.
// Sizes: MSHRS=3 MERGES=2 LINE_BITS=2 REQUEST_BITS=2;MSHRS=1 MERGES=1 LINE_BITS=1 REQUEST_BITS=1;MSHRS=4 MERGES=3 LINE_BITS=3 REQUEST_BITS=1;MSHRS=2 MERGES=4 LINE_BITS=2 REQUEST_BITS=3
//+ logic [MSHRS*MERGES*REQUEST_BITS-1:0] rows;
//+ always_comb for (int unsigned m = 0; m < MSHRS; m++) rows[m*MERGES*REQUEST_BITS +: MERGES*REQUEST_BITS] = request_q[m];
module miss_registers_props #(
    parameter  int unsigned MSHRS        = 32,
    parameter  int unsigned MERGES       = 8,
    parameter  int unsigned LINE_BITS    = 26,
    parameter  int unsigned REQUEST_BITS = 32,
    localparam int unsigned INDEX_BITS   = MSHRS > 1 ? $clog2(MSHRS) : 1,
    localparam int unsigned COUNT_BITS   = $clog2(MERGES + 1),
    localparam int unsigned PLACE_BITS   = MERGES > 1 ? $clog2(MERGES) : 1
) (
    input logic                           clk_i,
    input logic                           rst_ni,
    input logic                           fill_i,
    input logic [INDEX_BITS-1:0]          filled_i,
    input logic                           load_i,
    input logic                           alone_i,
    input logic                           store_i,
    input logic                           room_i,
    input logic [LINE_BITS-1:0]           line_i,
    input logic [REQUEST_BITS-1:0]        request_i,
    input logic                           join_o,
    input logic                           take_o,
    input logic [INDEX_BITS-1:0]          index_o,
    input logic                           full_o,
    input logic                           crowded_o,
    input logic                           no_room_o,
    input logic                           keep_o,
    input logic [LINE_BITS-1:0]           fill_line_o,
    input logic [COUNT_BITS-1:0]          count_o,
    input logic [MERGES*REQUEST_BITS-1:0] request_o,
    input logic [MSHRS-1:0]               taken_q,
    input logic [MSHRS-1:0]               open_q,
    input logic [MSHRS*LINE_BITS-1:0]     line_q,
    input logic [MSHRS*COUNT_BITS-1:0]    count_q,
    input logic [MSHRS*MERGES*REQUEST_BITS-1:0] rows
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any register, and any place in it.
  (* anyconst *) logic [INDEX_BITS-1:0] any;
  (* anyconst *) logic [PLACE_BITS-1:0] place;

  // Reference state of the register: requests since its allocation.
  logic                    taken, open;
  logic [LINE_BITS-1:0]    line;
  logic [COUNT_BITS-1:0]   count;
  logic [REQUEST_BITS-1:0] request;  // request in the place; 0: none

  // Events of this cycle: the register is filled; it has the request's line; another register has it; all
  // others are allocated; the request merges into it; the request allocates it; the register is closed.
  logic filled, matches, another, others_taken, joined, takes, closes;
  assign filled  = fill_i && filled_i == any;
  assign matches = open && !filled && line == line_i;
  always_comb begin
    another      = 1'b0;  // another open register has the line
    others_taken = 1'b1;  // all others are allocated, after the fill of this cycle
    for (int unsigned m = 0; m < MSHRS; m++) begin
      if (!(fill_i && 32'(filled_i) == m)) begin
        if (open_q[m] && line_q[m*LINE_BITS +: LINE_BITS] == line_i) another = 1'b1;
        if (m != 32'(any) && !taken_q[m]) others_taken = 1'b0;
      end else if (m != 32'(any)) others_taken = 1'b0;
    end
  end
  assign joined = join_o && index_o == any;
  assign takes  = take_o && index_o == any;
  assign closes = matches && (store_i || (alone_i && take_o));

  // All lower registers are allocated, after the fill of this cycle.
  logic lower_taken;
  always_comb begin
    lower_taken = 1'b1;
    for (int unsigned m = 0; m < MSHRS; m++)
      if (m < 32'(any) && (!taken_q[m] || (fill_i && 32'(filled_i) == m))) lower_taken = 1'b0;
  end

  logic wants, is_full;
  assign wants   = alone_i || (load_i && !another);
  assign is_full = taken && !filled && others_taken;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken   <= 1'b0;
      open    <= 1'b0;
      line    <= '0;
      count   <= '0;
      request <= '0;
    end else begin
      taken <= (taken && !filled) || takes;
      open  <= takes ? load_i : open && !filled && !closes;
      if (takes) begin
        line    <= line_i;
        count   <= COUNT_BITS'(1);
        request <= place == '0 ? request_i : '0;
      end else if (joined) begin
        count <= count + COUNT_BITS'(1);
        if (32'(count) == 32'(place)) request <= request_i;
      end
    end
  end

  // No two open registers have the same line.
  logic apart, tidy;
  always_comb begin
    apart = 1'b1;
    tidy  = (open_q & ~taken_q) == '0;
    for (int unsigned a = 0; a < MSHRS; a++) begin
      if (taken_q[a] && (count_q[a*COUNT_BITS +: COUNT_BITS] == '0 || 32'(count_q[a*COUNT_BITS +: COUNT_BITS]) > MERGES)) tidy = 1'b0;
      for (int unsigned b = 0; b < MSHRS; b++)
        if (a != b && open_q[a] && open_q[b] && line_q[a*LINE_BITS +: LINE_BITS] == line_q[b*LINE_BITS +: LINE_BITS]) apart = 1'b0;
    end
  end

  always_comb begin
    assume (32'(any) < MSHRS && 32'(place) < MERGES);
    assume (!fill_i || (32'(filled_i) < MSHRS && taken_q[filled_i]));
    assume (32'(load_i) + 32'(alone_i) + 32'(store_i) <= 1);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    // Requests that merge, allocate or wait.
    a_load_joins_the_register_of_its_line:         assert (joined == (load_i && matches && 32'(count) != MERGES));
    a_load_joins_the_register_of_its_line_reached: cover (joined || MERGES == 1 && matches && load_i);

    a_register_that_is_free_is_taken:         assert (takes == (wants && room_i && !(taken && !filled) && lower_taken));
    a_register_that_is_free_is_taken_reached: cover (takes && 32'(any) == MSHRS - 1);

    who_wants_one_takes_one:         assert (take_o == (wants && room_i && !is_full));
    who_wants_one_takes_one_reached: cover (take_o && fill_i);

    waits_if_all_are_taken:         assert (full_o == (wants && is_full));
    waits_if_all_are_taken_reached: cover (full_o && load_i);

    waits_if_its_register_holds_as_many_as_it_may:         assert (!matches || crowded_o == (load_i && 32'(count) == MERGES));
    waits_if_its_register_holds_as_many_as_it_may_reached: cover (matches && crowded_o);

    waits_for_the_register_of_its_line_only:         assert (!crowded_o || (load_i && another && !join_o));
    waits_for_the_register_of_its_line_only_reached: cover (crowded_o && room_i);

    waits_for_a_place_if_it_could_go:         assert (no_room_o == (wants && !is_full && !room_i));
    waits_for_a_place_if_it_could_go_reached: cover (no_room_o && alone_i);

    each_request_is_told_one_thing: assert (
        32'(join_o) + 32'(take_o) + 32'(full_o) + 32'(crowded_o) + 32'(no_room_o) == 32'(load_i || alone_i));
    each_request_is_told_one_thing_reached: cover (join_o || MERGES == 1);

    without_a_register_the_index_is_0:         assert (join_o || take_o || index_o == '0);
    without_a_register_the_index_is_0_reached: cover (full_o);

    // Outputs for a fill.
    a_fill_tells_the_line_and_whether_it_is_kept:         assert (!filled || (keep_o == open && fill_line_o == line));
    a_fill_tells_the_line_and_whether_it_is_kept_reached: cover (filled && !open && fill_line_o != '0);

    a_fill_releases_all_who_wait:         assert (!filled || (count_o == count && request_o[32'(place)*REQUEST_BITS +: REQUEST_BITS] == (32'(place) < 32'(count) ? request : '0)));
    a_fill_releases_all_who_wait_reached: cover (filled && 32'(count_o) == MERGES && request_o != '0);

    without_a_fill_nobody_is_released:         assert (fill_i || (!keep_o && fill_line_o == '0 && count_o == '0 && request_o == '0));
    without_a_fill_nobody_is_released_reached: cover (!fill_i && taken);

    lemma_taken:         assert (taken_q[any] == taken && open_q[any] == open);
    lemma_taken_reached: cover (taken && !open);
    lemma_line:          assert (!taken || line_q[32'(any)*LINE_BITS +: LINE_BITS] == line);
    lemma_line_reached:  cover (taken && line != '0);
    lemma_count:         assert (!taken || count_q[32'(any)*COUNT_BITS +: COUNT_BITS] == count);
    lemma_count_reached: cover (taken && 32'(count) == MERGES);
    lemma_row:           assert (!taken || (rows[(32'(any)*MERGES + 32'(place))*REQUEST_BITS +: REQUEST_BITS] == request && (32'(place) < 32'(count) || request == '0)));
    lemma_row_reached:   cover (taken && request != '0);
    lemma_apart:         assert (apart && tidy);
    lemma_apart_reached: cover (open_q == '1 || LINE_BITS == 1);
  end
endmodule
