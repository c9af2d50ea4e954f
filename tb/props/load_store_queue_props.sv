// Properties of load_store_queue (rtl/load_store_queue.sv; docs/superscalar.md §4). scripts/formal puts an instance
// into the module. The names of the contract's properties are those of tb/twins/contract.c.
// Sizes: QUEUE=3;QUEUE=1;QUEUE=4
// Partly: QUEUE=8; without nothing; room_is_what_is_left positions_count_the_stores the_oldest_store_is_shown a_load_gets_one_answer no_forward_from_a_younger_store a_forwarding_store_has_all_bytes no_load_gets_older_data a_load_waits_for_older_stores_only without_one_the_slot_is_0 a_position_says_which_stores_are_older lemma_numbers lemma_store lemma_outside lemma_load
//
// Memory is a single byte at an arbitrary address. The properties follow an arbitrary store and an arbitrary load by
// their ages. An age is the number of older stores in the queue. So no load gets older data of any byte than program
// order says. The two properties of the policy go through all stores: they are proved at small sizes only.
//
// Assumptions: There is room for accesses that enter. No more loads leave than the queue has. A store that gets its
// address is in the queue. The position of a load that searches is between those of the oldest and of the next store.
// A store is not written before older loads have left (the core commits in order).
module load_store_queue_props #(
    parameter  int unsigned QUEUE         = 32,
    localparam int unsigned SLOT_BITS     = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam int unsigned POSITION_BITS = $clog2(2 * QUEUE),
    localparam int unsigned COUNT_BITS    = $clog2(QUEUE + 1)
) (
    input logic                     clk_i,
    input logic                     rst_ni,
    input logic [2:0]               loads_i,
    input logic [2:0]               stores_i,
    input logic [2:0]               leave_i,
    input logic                     written_i,
    input logic                     known_i,
    input logic [SLOT_BITS-1:0]     known_slot_i,
    input logic                     search_i,
    input logic [POSITION_BITS-1:0] position_i,
    input logic [31:0]              first_i,
    input logic [31:0]              last_i,
    input logic [COUNT_BITS-1:0]    room_o,
    input logic [POSITION_BITS-1:0] end_o,
    input logic                     oldest_o,
    input logic [31:0]              oldest_first_o,
    input logic [31:0]              oldest_last_o,
    input logic                     forward_o,
    input logic [SLOT_BITS-1:0]     slot_o,
    input logic                     wait_o,
    input logic [POSITION_BITS-1:0] head_q,
    input logic [POSITION_BITS-1:0] end_q,
    input logic [COUNT_BITS-1:0]    loads_q,
    input logic [QUEUE-1:0]         known_q,
    input logic [QUEUE*32-1:0]      first_q,
    input logic [QUEUE*32-1:0]      last_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  (* anyconst *) logic [31:0] any;   // address of any byte
  (* anyseq *) logic [2:0]    pick;  // number, among the stores that enter, of the one to be followed
  (* anyseq *) logic          watch;        // the load to be followed enters
  (* anyseq *) logic [2:0]    before;       // number of the stores that enter before it

  function automatic logic [7:0] distance(input logic [POSITION_BITS-1:0] from, input logic [POSITION_BITS-1:0] to);
    distance = to >= from ? 8'(to) - 8'(from) : 8'(to) + 8'(2 * QUEUE) - 8'(from);
  endfunction
  function automatic logic [POSITION_BITS-1:0] plus(input logic [POSITION_BITS-1:0] position, input logic [7:0] stores);
    plus = POSITION_BITS'(8'(position) + stores >= 8'(2 * QUEUE) ? 8'(position) + stores - 8'(2 * QUEUE)
                                                                 : 8'(position) + stores);
  endfunction
  function automatic logic [SLOT_BITS-1:0] slot(input logic [POSITION_BITS-1:0] position);
    slot = SLOT_BITS'(8'(position) >= 8'(QUEUE) ? 8'(position) - 8'(QUEUE) : 8'(position));
  endfunction
  // Age of the store in a slot; QUEUE and above: there is none.
  function automatic logic [7:0] age_of(input logic [SLOT_BITS-1:0] s, input logic [POSITION_BITS-1:0] from);
    age_of = 8'(s) >= 8'(slot(from)) ? 8'(s) - 8'(slot(from)) : 8'(s) + 8'(QUEUE) - 8'(slot(from));
  endfunction

  // --- reference: numbers of loads and stores, position of the oldest store ---
  logic [7:0]               loads, stores;
  logic [POSITION_BITS-1:0] head;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loads  <= '0;
      stores <= '0;
      head   <= '0;
    end else begin
      loads  <= loads + 8'(loads_i) - 8'(leave_i);
      stores <= stores + 8'(stores_i) - 8'(written_i);
      head   <= plus(head, 8'(written_i));
    end
  end

  // --- the store that is followed ---
  logic        inside, known;  // the store is in the queue; its address is known
  logic [7:0]  age;
  logic [31:0] first, last;
  logic        enters, gets;
  assign enters = !inside && pick < stores_i;
  assign gets   = inside && known_i && age_of(known_slot_i, head) == age;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside <= 1'b0;
      known  <= 1'b0;
      age    <= '0;
      first  <= '0;
      last   <= '0;
    end else if (enters) begin
      inside <= 1'b1;
      known  <= 1'b0;
      age    <= stores + 8'(pick) - 8'(written_i);
    end else if (inside) begin
      if (written_i) begin
        inside <= age != '0;
        age    <= age - 8'd1;
      end
      if (gets) begin
        known <= 1'b1;
        first <= first_i;
        last  <= last_i;
      end
    end
  end

  // --- the load that is followed: it has the position of the next store when it enters ---
  logic                     waiting;    // the load is in the queue
  logic [7:0]               load_age;   // number of older stores in the queue
  logic [POSITION_BITS-1:0] position;
  logic                     load_enters, load_leaves;
  (* anyseq *) logic        leaves;     // the load leaves if one leaves
  assign load_enters = !waiting && watch && loads_i != '0 && before <= stores_i;
  assign load_leaves = waiting && leaves && leave_i != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting  <= 1'b0;
      load_age <= '0;
      position <= '0;
    end else if (load_enters) begin
      waiting  <= 1'b1;
      load_age <= stores + 8'(before) - 8'(written_i);
      position <= plus(end_o, 8'(before));
    end else begin
      if (load_leaves) waiting <= 1'b0;
      if (waiting && written_i) load_age <= load_age - 8'd1;
    end
  end

  // --- the load that searches ---
  logic [7:0] older;                 // number of older stores in the queue
  logic       is_older, needs, writes;
  logic [7:0] answer;                // age of the store that forwards
  assign older    = distance(head, position_i);
  assign is_older = inside && age < older;
  assign needs    = search_i && first_i <= any && any <= last_i;
  assign writes   = known && first <= any && any <= last;
  assign answer   = age_of(slot_o, head);

  // Through the older stores in the order of their ages.
  logic unknown, overlaps, covers;
  always_comb begin
    unknown  = 1'b0;
    overlaps = 1'b0;
    covers   = 1'b0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (8'(n) < older) begin
        if (!known_q[slot(plus(head, 8'(n)))]) begin
          unknown = 1'b1;
        end else if (first_q[slot(plus(head, 8'(n)))*32 +: 32] <= last_i
                     && first_i <= last_q[slot(plus(head, 8'(n)))*32 +: 32]) begin
          overlaps = 1'b1;
          covers   = first_q[slot(plus(head, 8'(n)))*32 +: 32] <= first_i
                     && last_i <= last_q[slot(plus(head, 8'(n)))*32 +: 32];
        end
      end
    end
  end

  logic tidy;  // slots without a store have no address
  always_comb begin
    tidy = 1'b1;
    for (int unsigned s = 0; s < QUEUE; s++) if (age_of(SLOT_BITS'(s), head) >= stores && known_q[s]) tidy = 1'b0;
  end

  always_comb begin
    assume (loads_i <= 4 && stores_i <= 4 && leave_i <= 4);
    assume (8'(loads_i) + 8'(stores_i) + loads + stores <= 8'(QUEUE));
    assume (8'(leave_i) <= loads);
    assume (!written_i || stores != '0);
    assume (!known_i || (32'(known_slot_i) < QUEUE && age_of(known_slot_i, head) < stores));
    assume (!search_i || (32'(position_i) < 2 * QUEUE && older <= stores));
    assume (!written_i || !waiting || load_age != '0);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    // Contract: what a load gets, and what the core needs to know.
    room_is_what_is_left:         assert (8'(room_o) == 8'(QUEUE) - loads - stores);
    room_is_what_is_left_reached: cover (room_o == '0 && loads != '0);

    positions_count_the_stores:         assert (end_o == plus(head, stores));
    positions_count_the_stores_reached: cover (end_o < head);

    the_oldest_store_is_shown: assert (inside && age == '0
        ? oldest_o == known && oldest_first_o == (known ? first : '0) && oldest_last_o == (known ? last : '0)
        : stores != '0 || (!oldest_o && oldest_first_o == '0 && oldest_last_o == '0));
    the_oldest_store_is_shown_reached: cover (inside && age == '0 && oldest_o && oldest_first_o != '0);

    a_load_gets_one_answer:         assert (32'(forward_o) + 32'(wait_o) <= 32'(search_i));
    a_load_gets_one_answer_reached: cover (search_i && !forward_o && !wait_o && older != '0);

    no_forward_from_a_younger_store:         assert (!forward_o || (32'(slot_o) < QUEUE && answer < older));
    no_forward_from_a_younger_store_reached: cover (forward_o && (older < stores || QUEUE == 1));

    a_forwarding_store_has_all_bytes: assert (
        !forward_o || !inside || answer != age || (known && first <= first_i && last_i <= last));
    a_forwarding_store_has_all_bytes_reached: cover (forward_o && inside && answer == age && first != first_i);

    no_load_gets_older_data: assert (
        !needs || !is_older || (known && !writes) || wait_o || (forward_o && answer >= age));
    no_load_gets_older_data_reached: cover (needs && is_older && writes && forward_o && (answer > age || QUEUE == 1));

    a_load_waits_for_older_stores_only:         assert (!wait_o || older != '0);
    a_load_waits_for_older_stores_only_reached: cover (wait_o && !unknown);

    // Policy: which store decides.
    forwards_if_the_youngest_that_overlaps_has_all:         assert (forward_o == (search_i && !unknown && covers));
    forwards_if_the_youngest_that_overlaps_has_all_reached: cover (forward_o && slot_o == SLOT_BITS'(QUEUE - 1));

    waits_if_it_has_a_part_or_one_has_no_address: assert (
        wait_o == (search_i && (unknown || (overlaps && !covers))));
    waits_if_it_has_a_part_or_one_has_no_address_reached: cover (wait_o && unknown && (overlaps || QUEUE == 1));

    without_one_the_slot_is_0:         assert (forward_o || slot_o == '0);
    without_one_the_slot_is_0_reached: cover (wait_o);

    // The position of a load says for as long as it needs it which stores are older.
    a_position_says_which_stores_are_older:         assert (!waiting || distance(head, position) == load_age);
    a_position_says_which_stores_are_older_reached: cover (waiting && load_age < stores && (position < head || QUEUE == 1));

    lemma_numbers: assert (
        head_q == head && end_q == plus(head, stores) && 8'(loads_q) == loads && stores <= 8'(QUEUE)
        && loads + stores <= 8'(QUEUE) && 32'(head) < 2 * QUEUE);
    lemma_numbers_reached: cover (end_q < head_q);
    lemma_store: assert (!inside || (age < stores && known_q[slot(plus(head, age))] == known
        && (!known || (first_q[slot(plus(head, age))*32 +: 32] == first && last_q[slot(plus(head, age))*32 +: 32] == last))));
    lemma_store_reached: cover (inside && known);
    lemma_outside:         assert (tidy);
    lemma_outside_reached: cover (known_q != '0 && (stores < 8'(QUEUE) || QUEUE == 1));
    lemma_load:            assert (!waiting || (load_age <= stores && 32'(position) < 2 * QUEUE));
    lemma_load_reached:    cover (waiting && (load_age != '0 || QUEUE == 1));
  end
endmodule
