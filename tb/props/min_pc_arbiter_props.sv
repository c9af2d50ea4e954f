// Properties of min_pc_arbiter (rtl/min_pc_arbiter.sv). scripts/formal puts an instance into the module.
//
// A solver cannot prove the whole tree of comparators at once. The properties contain a copy of the tree, with a lemma
// for each level, proved from the lemmas of the levels below.
// Sizes: WARP_SIZE=16 LEVELS=8;WARP_SIZE=4 LEVELS=1;WARP_SIZE=7 LEVELS=3
module min_pc_arbiter_props #(
    parameter  int unsigned WARP_SIZE     = 32,
    parameter  int unsigned LEVELS        = 8,
    localparam int unsigned LEVEL_BITS    = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam int unsigned PRIORITY_BITS = WARP_SIZE,
    localparam int unsigned PC_BITS       = 32,
    localparam int unsigned KEY_BITS      = PC_BITS + 1,
    localparam int unsigned STAGES        = $clog2(WARP_SIZE)
) (
    input logic [WARP_SIZE-1:0]            ready_i,
    input logic [LEVELS*PRIORITY_BITS-1:0] priority_i,
    input logic [WARP_SIZE*PC_BITS-1:0]    pc_i,
    input logic [WARP_SIZE-1:0]            wtid_o,
    input logic [PC_BITS-1:0]              pc_o,
    input logic [WARP_SIZE-1:0]            participating_o,
    input logic [LEVEL_BITS-1:0]           level_o
);
  // Any thread: a property of it holds for all. For each level of the tree: the remaining key in the thread's
  // place is at most its own.
  (* anyconst *) logic [STAGES-1:0] j;
  logic [WARP_SIZE*KEY_BITS-1:0]    key;
  logic [KEY_BITS-1:0]              own, on_its_way;
  logic [STAGES-1:0]                at_most;
  logic                             is_smallest;
  always_comb begin
    assume (32'(j) < WARP_SIZE);
    own = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      key[k*KEY_BITS +: KEY_BITS] = {!ready_i[k], pc_i[k*PC_BITS +: PC_BITS]};
      if (k == 32'(j)) own = key[k*KEY_BITS +: KEY_BITS];
    end
    at_most    = '1;
    on_its_way = own;
    for (int unsigned s = 0; s < STAGES; s++) begin
      on_its_way = '0;
      for (int unsigned n = 0; n < WARP_SIZE; n++) begin
        if (n << (s + 1) < WARP_SIZE) begin
          if ((2 * n + 1) << s < WARP_SIZE &&
              key[(2*n+1)%WARP_SIZE*KEY_BITS +: KEY_BITS] < key[2*n%WARP_SIZE*KEY_BITS +: KEY_BITS]) begin
            key[n*KEY_BITS +: KEY_BITS] = key[(2*n+1)%WARP_SIZE*KEY_BITS +: KEY_BITS];
          end else begin
            key[n*KEY_BITS +: KEY_BITS] = key[2*n%WARP_SIZE*KEY_BITS +: KEY_BITS];
          end
          if (n == 32'(j) >> (s + 1)) on_its_way = key[n*KEY_BITS +: KEY_BITS];
        end
      end
      at_most[s] = on_its_way <= own;
    end
    is_smallest = own[KEY_BITS-1] || pc_o <= own[PC_BITS-1:0];
  end

  // Expected participation of each thread and level, and whether it is output.
  logic [WARP_SIZE-1:0] expected, lower, at_level;
  logic                 once, twice, pc_differs, other_pc, lower_at_pc, has_level, higher;
  always_comb begin
    once        = 1'b0;
    twice       = 1'b0;
    pc_differs  = 1'b0;
    other_pc    = 1'b0;
    lower_at_pc = 1'b0;
    lower       = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      twice       = twice || (once && wtid_o[k]);
      once        = once || wtid_o[k];
      pc_differs  = pc_differs || (wtid_o[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      other_pc    = other_pc || (ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] != pc_o);
      lower_at_pc = lower_at_pc || (wtid_o[k] && (lower & participating_o) != '0);
      lower[k]    = 1'b1;
      expected[k] = ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
    at_level  = '0;
    has_level = 1'b0;
    higher    = 1'b0;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      if (n == 32'(level_o)) at_level = priority_i[n*PRIORITY_BITS +: PRIORITY_BITS];
      if ((wtid_o & priority_i[n*PRIORITY_BITS +: PRIORITY_BITS]) != '0) begin
        has_level = 1'b1;
        if (n > 32'(level_o)) higher = 1'b1;
      end
    end
  end

  always_comb begin
    chosen_is_one_hot:         assert (!twice);
    chosen_is_one_hot_reached: cover (wtid_o[WARP_SIZE-1]);

    chosen_is_ready:         assert ((wtid_o & ~ready_i) == '0);
    chosen_is_ready_reached: cover (wtid_o[1] && !ready_i[2]);

    a_ready_thread_is_chosen_if_any:         assert ((wtid_o != '0) == (ready_i != '0));
    a_ready_thread_is_chosen_if_any_reached: cover (ready_i[2]);

    chosen_is_the_lowest_at_the_pc:         assert (!lower_at_pc);
    chosen_is_the_lowest_at_the_pc_reached: cover (wtid_o[1] && ready_i[0] && participating_o != wtid_o);

    pc_is_that_of_the_chosen:         assert (!pc_differs);
    pc_is_that_of_the_chosen_reached: cover (wtid_o[3] && pc_o == 32'h8000_0004 && other_pc);

    only_the_ready_at_the_pc_participate:         assert ((participating_o & ~expected) == '0);
    only_the_ready_at_the_pc_participate_reached: cover (participating_o[2] && other_pc);

    ready_at_the_pc_participate_no_others:         assert (participating_o == expected);
    ready_at_the_pc_participate_no_others_reached: cover (participating_o != wtid_o && other_pc);

    chosen_participates:         assert ((wtid_o & ~participating_o) == '0);
    chosen_participates_reached: cover (wtid_o != '0 && other_pc);

    level_is_the_highest_of_the_chosen:         assert (has_level ? (wtid_o & at_level) != '0 && !higher : level_o == '0);
    level_is_the_highest_of_the_chosen_reached: cover (wtid_o[1] && 32'(level_o) == LEVELS - 1 && has_level);

    nothing_is_chosen_of_nothing: assert (ready_i != '0 || ({wtid_o, participating_o, pc_o, level_o} == '0));
    nothing_is_chosen_of_nothing_reached: cover (ready_i == '0);

    lemma_level_0:         assert (at_most[0]);
    lemma_level_0_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_level_1:         assert (at_most[1]);
    lemma_level_1_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_level_2:         assert (STAGES > 2 ? at_most[STAGES > 2 ? 2 : 0] : 1'b1);
    lemma_level_2_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_level_3:         assert (STAGES > 3 ? at_most[STAGES > 3 ? 3 : 0] : 1'b1);
    lemma_level_3_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_level_4:         assert (STAGES > 4 ? at_most[STAGES > 4 ? 4 : 0] : 1'b1);
    lemma_level_4_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_level_5:         assert (STAGES > 5 ? at_most[STAGES > 5 ? 5 : 0] : 1'b1);
    lemma_level_5_reached: cover (ready_i[1:0] == 2'b11 && wtid_o[1]);

    lemma_root:         assert (ready_i == '0 || (!key[KEY_BITS-1] && key[0 +: PC_BITS] == pc_o));
    lemma_root_reached: cover (wtid_o[1] && ready_i[0]);

    smallest_pc_of_a_ready_thread_wins:         assert (is_smallest);
    smallest_pc_of_a_ready_thread_wins_reached: cover (wtid_o[2] && ready_i[1:0] == 2'b11 && pc_o == 32'h8000_0004);
  end
endmodule
