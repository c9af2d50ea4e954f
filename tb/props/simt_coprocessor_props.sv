// Properties of simt_coprocessor (rtl/simt_coprocessor.sv; timing.md): its wiring and its registers. scripts/formal
// puts an instance into the module. The scheduler and the dispatcher are the Verilog of rtl/; these blocks are stubs:
// Stubs: thread_descriptor_table warp_pc_arbiter min_pc_arbiter first_ready_arbiter barrier_table
// Sizes: WARPS=16 WARP_SIZE=32 LANES=4 LEVELS=8 SCHEDULER=0 PC_POLICY=0 ACTIVE=4 QUEUE_ENTRIES=2 COLLECTORS=2;WARPS=1 WARP_SIZE=4 LANES=4 LEVELS=1 SCHEDULER=1 PC_POLICY=1 ACTIVE=1 QUEUE_ENTRIES=1 COLLECTORS=1;WARPS=64 WARP_SIZE=64 LANES=16 LEVELS=16 SCHEDULER=2 PC_POLICY=2 ACTIVE=8 QUEUE_ENTRIES=2 COLLECTORS=4;WARPS=5 WARP_SIZE=7 LANES=1 LEVELS=3 SCHEDULER=2 PC_POLICY=1 ACTIVE=3 QUEUE_ENTRIES=3 COLLECTORS=3
// A stub may have any outputs within the assumptions below. The rules of each stub are proved for its block alone.
//
//+ // Inputs and outputs of the stubs: `flatten` connects these wires to their ports (Yosys attribute hierconn).
//+ (* hierconn *) wire [LANES-1:0] \descriptors.start_i ;
//+ (* hierconn *) wire [LANES*START_CONTEXT_BITS-1:0] \descriptors.start_context_i ;
//+ (* hierconn *) wire [LANES*START_PC_BITS-1:0] \descriptors.start_pc_i ;
//+ (* hierconn *) wire \descriptors.select_i ;
//+ (* hierconn *) wire [WARP_BITS-1:0] \descriptors.select_warp_i ;
//+ (* hierconn *) wire \descriptors.schedule_i ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \descriptors.schedule_threads_i ;
//+ (* hierconn *) wire [31:0] \descriptors.schedule_pc_i ;
//+ (* hierconn *) wire \descriptors.execute_i ;
//+ (* hierconn *) wire [WARP_BITS-1:0] \descriptors.execute_warp_i ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \descriptors.execute_passed_i ;
//+ (* hierconn *) wire \descriptors.execute_jumps_i ;
//+ (* hierconn *) wire [WARP_SIZE*EXECUTE_TARGET_BITS-1:0] \descriptors.execute_target_i ;
//+ (* hierconn *) wire [2:0] \descriptors.execute_operation_i ;
//+ (* hierconn *) wire [3:0] \descriptors.execute_by_i ;
//+ (* hierconn *) wire [WARPS-1:0] \descriptors.commit_i ;
//+ (* hierconn *) wire \descriptors.release_i ;
//+ (* hierconn *) wire [31:0] \descriptors.arrive_pc_o ;
//+ (* hierconn *) wire [WARPS-1:0] \descriptors.runnable_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \descriptors.ready_o ;
//+ (* hierconn *) wire [PRIORITIES-1:0] \descriptors.priority_o ;
//+ (* hierconn *) wire [WARP_SIZE*32-1:0] \descriptors.pc_o ;
//+ (* hierconn *) wire [LIVE_BITS-1:0] \descriptors.live_o ;
//+ (* hierconn *) wire [COUNT_BITS-1:0] \descriptors.arrive_count_o ;
//+ (* hierconn *) wire [COUNT_BITS-1:0] \descriptors.exit_count_o ;
//+ (* hierconn *) wire \descriptors.overflow_o ;
//+ (* hierconn *) wire \descriptors.illegal_o ;
//+ (* hierconn *) wire \barriers.start_i ;
//+ (* hierconn *) wire \barriers.start_group_i ;
//+ (* hierconn *) wire [LIVE_BITS-1:0] \barriers.start_live_i ;
//+ (* hierconn *) wire \barriers.start_scalar_i ;
//+ (* hierconn *) wire [COUNT_BITS-1:0] \barriers.arrive_count_i ;
//+ (* hierconn *) wire \barriers.arrive_group_i ;
//+ (* hierconn *) wire [31:0] \barriers.arrive_pc_i ;
//+ (* hierconn *) wire \barriers.arrive_scalar_i ;
//+ (* hierconn *) wire [COUNT_BITS-1:0] \barriers.exit_count_i ;
//+ (* hierconn *) wire \barriers.exit_group_i ;
//+ (* hierconn *) wire \barriers.scalar_arrives_i ;
//+ (* hierconn *) wire \barriers.scalar_exits_i ;
//+ (* hierconn *) wire \barriers.opens_o ;
//+ (* hierconn *) wire \barriers.deadlock_o ;
//+ (* hierconn *) wire \barriers.release_o ;
//+ (* hierconn *) wire \barriers.exited_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_ics_first.arbiter.ready_i ;
//+ (* hierconn *) wire [PRIORITIES-1:0] \gen_ics_first.arbiter.priority_i ;
//+ (* hierconn *) wire [WARP_SIZE*32-1:0] \gen_ics_first.arbiter.pc_i ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_min_pc.arbiter.ready_i ;
//+ (* hierconn *) wire [PRIORITIES-1:0] \gen_min_pc.arbiter.priority_i ;
//+ (* hierconn *) wire [WARP_SIZE*32-1:0] \gen_min_pc.arbiter.pc_i ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_first_ready.arbiter.ready_i ;
//+ (* hierconn *) wire [PRIORITIES-1:0] \gen_first_ready.arbiter.priority_i ;
//+ (* hierconn *) wire [WARP_SIZE*32-1:0] \gen_first_ready.arbiter.pc_i ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_ics_first.arbiter.wtid_o ;
//+ (* hierconn *) wire [31:0] \gen_ics_first.arbiter.pc_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_ics_first.arbiter.participating_o ;
//+ (* hierconn *) wire [LEVEL_BITS-1:0] \gen_ics_first.arbiter.level_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_min_pc.arbiter.wtid_o ;
//+ (* hierconn *) wire [31:0] \gen_min_pc.arbiter.pc_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_min_pc.arbiter.participating_o ;
//+ (* hierconn *) wire [LEVEL_BITS-1:0] \gen_min_pc.arbiter.level_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_first_ready.arbiter.wtid_o ;
//+ (* hierconn *) wire [31:0] \gen_first_ready.arbiter.pc_o ;
//+ (* hierconn *) wire [WARP_SIZE-1:0] \gen_first_ready.arbiter.participating_o ;
//+ (* hierconn *) wire [LEVEL_BITS-1:0] \gen_first_ready.arbiter.level_o ;
//+ wire descriptors_are_told =
//+     \descriptors.start_i  == start_i &&
//+     \descriptors.start_context_i  == start_context_i &&
//+     \descriptors.start_pc_i  == start_pc_i &&
//+     \descriptors.select_i  == select_o &&
//+     \descriptors.select_warp_i  == select_warp_o &&
//+     \descriptors.schedule_i  == fetch_o &&
//+     \descriptors.schedule_threads_i  == fetch_threads_o &&
//+     \descriptors.schedule_pc_i  == fetch_pc_o &&
//+     \descriptors.execute_i  == first_o &&
//+     (!first_o || \descriptors.execute_warp_i  == warp_o) &&
//+     \descriptors.execute_passed_i  == execute_passed_i &&
//+     \descriptors.execute_jumps_i  == execute_jumps_i &&
//+     \descriptors.execute_target_i  == execute_target_i &&
//+     \descriptors.execute_operation_i  == execute_operation_i &&
//+     \descriptors.execute_by_i  == execute_by_i &&
//+     \descriptors.commit_i  == commit_i &&
//+     \descriptors.release_i  == release_o;
//+ wire barriers_are_told =
//+     \barriers.start_i  == (simt_i && !simt_q) &&
//+     \barriers.start_group_i  == 1'b0 &&
//+     \barriers.start_live_i  == live_o &&
//+     \barriers.start_scalar_i  == 1'b0 &&
//+     \barriers.arrive_count_i  == arrive_count_o &&
//+     \barriers.arrive_group_i  == 1'b0 &&
//+     \barriers.arrive_pc_i  == \descriptors.arrive_pc_o  &&
//+     \barriers.arrive_scalar_i  == 1'b0 &&
//+     \barriers.exit_count_i  == exit_count_o &&
//+     \barriers.exit_group_i  == 1'b0 &&
//+     \barriers.scalar_arrives_i  == 1'b0 &&
//+     \barriers.scalar_exits_i  == 1'b0;
//+ wire arbiter_is_told =
//+     (PC_POLICY != 0 || {\gen_ics_first.arbiter.ready_i , \gen_ics_first.arbiter.priority_i , \gen_ics_first.arbiter.pc_i } ==
//+      {\descriptors.ready_o , \descriptors.priority_o , \descriptors.pc_o }) &&
//+     (PC_POLICY != 1 || {\gen_min_pc.arbiter.ready_i , \gen_min_pc.arbiter.priority_i , \gen_min_pc.arbiter.pc_i } ==
//+      {\descriptors.ready_o , \descriptors.priority_o , \descriptors.pc_o }) &&
//+     (PC_POLICY != 2 || {\gen_first_ready.arbiter.ready_i , \gen_first_ready.arbiter.priority_i , \gen_first_ready.arbiter.pc_i } ==
//+      {\descriptors.ready_o , \descriptors.priority_o , \descriptors.pc_o });
//+ wire arbiter_is_put_out = {fetch_wtid_o, fetch_pc_o, fetch_threads_o, fetch_level_o} == (!fetch_o ? '0 :
//+     PC_POLICY == 0 ? {\gen_ics_first.arbiter.wtid_o , \gen_ics_first.arbiter.pc_o , \gen_ics_first.arbiter.participating_o , \gen_ics_first.arbiter.level_o } :
//+     PC_POLICY == 1 ? {\gen_min_pc.arbiter.wtid_o , \gen_min_pc.arbiter.pc_o , \gen_min_pc.arbiter.participating_o , \gen_min_pc.arbiter.level_o } :
//+     {\gen_first_ready.arbiter.wtid_o , \gen_first_ready.arbiter.pc_o , \gen_first_ready.arbiter.participating_o , \gen_first_ready.arbiter.level_o });
//+ wire tables_are_put_out =
//+     \descriptors.runnable_o  == runnable_o &&
//+     \descriptors.live_o  == live_o &&
//+     \descriptors.arrive_count_o  == arrive_count_o &&
//+     \descriptors.exit_count_o  == exit_count_o &&
//+     \descriptors.overflow_o  == overflow_o &&
//+     \descriptors.illegal_o  == illegal_o &&
//+     \barriers.opens_o  == opens_o &&
//+     \barriers.deadlock_o  == deadlock_o &&
//+     \barriers.release_o  == release_o &&
//+     \barriers.exited_o  == exited_o;
module simt_coprocessor_props #(
    parameter  int unsigned WARPS              = 16,
    parameter  int unsigned WARP_SIZE          = 32,
    parameter  int unsigned LANES              = 4,
    parameter  int unsigned SCHEDULER          = 0,
    parameter  int unsigned QUEUE_ENTRIES      = 2,
    parameter  int unsigned COLLECTORS         = 2,
    localparam int unsigned ROUNDS             = WARP_SIZE / LANES,
    localparam int unsigned WARP_BITS          = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned ROUND_BITS         = $clog2(ROUNDS + 1),
    localparam int unsigned LIVE_BITS          = $clog2(WARPS * WARP_SIZE + 1),
    localparam int unsigned COUNT_BITS         = $clog2(WARP_SIZE + 1),
    localparam int unsigned QUEUE_COUNT_BITS   = $clog2(QUEUE_ENTRIES + 1),
    localparam int unsigned WAITING_COUNT_BITS = $clog2(COLLECTORS + 1),
    localparam int unsigned QUEUE_BITS         = WARP_BITS,
    localparam int unsigned WAITING_BITS       = WARP_BITS
) (
    input logic                               clk_i,
    input logic                               rst_ni,
    input logic                               simt_i,
    input logic                               fetched_i,
    input logic                               decode_memory_i,
    input logic                               collect_i,
    input logic                               collected_i,
    input logic [WARPS-1:0]                   commit_i,
    input logic                               select_o,
    input logic [WARP_BITS-1:0]               select_warp_o,
    input logic                               fetch_o,
    input logic [WARP_BITS-1:0]               fetch_warp_o,
    input logic [31:0]                        fetch_pc_o,
    input logic                               decode_o,
    input logic [WARP_BITS-1:0]               decode_warp_o,
    input logic                               offer_o,
    input logic [WARP_BITS-1:0]               offer_warp_o,
    input logic                               first_o,
    input logic [WARP_BITS-1:0]               warp_o,
    input logic [WARPS-1:0]                   runnable_o,
    input logic [LIVE_BITS-1:0]               live_o,
    input logic [COUNT_BITS-1:0]              exit_count_o,
    input logic                               done_o,
    input logic                               simt_q,
    input logic                               a_valid_q,
    input logic [WARP_BITS-1:0]               a_warp_q,
    input logic                               f_valid_q,
    input logic [WARP_BITS-1:0]               f_warp_q,
    input logic [31:0]                        f_pc_q,
    input logic                               d_valid_q,
    input logic [WARP_BITS-1:0]               d_warp_q,
    input logic [QUEUE_COUNT_BITS-1:0]        queue_count_q,
    input logic [QUEUE_ENTRIES*QUEUE_BITS-1:0] queue_q,
    input logic                               o_valid_q,
    input logic [WARP_BITS-1:0]               o_warp_q,
    input logic [WAITING_COUNT_BITS-1:0]      waiting_count_q,
    input logic [COLLECTORS*WAITING_BITS-1:0] waiting_q,
    input logic [WARPS-1:0]                   flight_q,
    input logic [WARPS-1:0]                   memory_q,
    input logic [WARPS-1:0]                   stalled,
    input logic                               descriptors_are_told,
    input logic                               barriers_are_told,
    input logic                               arbiter_is_told,
    input logic                               arbiter_is_put_out,
    input logic                               tables_are_put_out,
    input logic                               lanes_ready
);
  // Place of any warp: its instruction's entry in the queue, or among the instructions that wait for the
  // lanes.
  (* anyconst *) logic [WARP_BITS-1:0] w;

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Dispatched instructions that have not been committed.
  logic [WARPS-1:0] dispatched_q, taken;
  assign taken = first_o ? WARPS'(1) << warp_o : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dispatched_q <= '0;
    else         dispatched_q <= (dispatched_q | taken) & ~commit_i;
  end

  logic       in_a, in_f, in_d, in_o;
  logic [4:0] in_queue, in_waiting, places;
  assign in_a = a_valid_q && a_warp_q == w;
  assign in_f = f_valid_q && f_warp_q == w;
  assign in_d = d_valid_q && d_warp_q == w;
  assign in_o = o_valid_q && o_warp_q == w;
  always_comb begin
    in_queue   = '0;
    in_waiting = '0;
    for (int unsigned n = 0; n < QUEUE_ENTRIES; n++) begin
      in_queue = in_queue + 5'(n < 32'(queue_count_q) && queue_q[n*QUEUE_BITS +: QUEUE_BITS] == w);
    end
    for (int unsigned n = 0; n < COLLECTORS; n++) begin
      in_waiting = in_waiting + 5'(n < 32'(waiting_count_q) && waiting_q[n*WAITING_BITS +: WAITING_BITS] == w);
    end
  end
  assign places = 5'(in_f) + 5'(in_d) + in_queue + 5'(in_o) + in_waiting + 5'(dispatched_q[w]);

  // Contents of the queues beyond their ends.
  logic rest_is_0;
  always_comb begin
    rest_is_0 = 1'b1;
    for (int unsigned n = 0; n < QUEUE_ENTRIES; n++) begin
      if (n >= 32'(queue_count_q) && queue_q[n*QUEUE_BITS +: QUEUE_BITS] != '0) rest_is_0 = 1'b0;
    end
    for (int unsigned n = 0; n < COLLECTORS; n++) begin
      if (n >= 32'(waiting_count_q) && waiting_q[n*WAITING_BITS +: WAITING_BITS] != '0) rest_is_0 = 1'b0;
    end
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(w) < WARPS);
    assume ((runnable_o & flight_q) == '0);  // the table: no warp with threads in Execution
    assume (!collect_i || (queue_count_q != '0 && !o_valid_q && 32'(waiting_count_q) < COLLECTORS));
    assume (!collected_i || o_valid_q || collect_i);
    assume ((commit_i & ~(dispatched_q | taken)) == '0);
    assume (simt_i || !(simt_q && (runnable_o != '0 || flight_q != '0 || a_valid_q)));  // SIMT mode ends only when
                                                                                        // nothing is left
    assume (simt_q || simt_i || flight_q == '0);
  end

  logic        past_q, f_moves_q, a_moves_q, offers_q, collects_q;
  logic        f_moves, memory_p_q, decodes_q, commits_q;
  logic [31:0] past_pc_q;
  assign f_moves = f_valid_q && fetched_i && 32'(queue_count_q) + 32'(d_valid_q) < QUEUE_ENTRIES + 32'(collect_i);
  logic [WARP_BITS-1:0] past_f_q, past_d_q, past_offer_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) past_q <= 1'b0;
    else         past_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    f_moves_q    <= f_moves;
    memory_p_q   <= memory_q[w];
    decodes_q    <= in_d && decode_memory_i;
    commits_q    <= commit_i[w];
    a_moves_q    <= fetch_o;
    offers_q     <= d_valid_q;
    collects_q   <= collect_i;
    past_pc_q    <= fetch_pc_o;
    past_f_q     <= f_warp_q;
    past_d_q     <= d_warp_q;
    past_offer_q <= offer_warp_o;
  end

  always_comb if (started && rst_ni) begin
    // Contract: choices of S and A under every policy.
    only_the_ready_are_selected:         assert (!select_o || (runnable_o[select_warp_o] && !(a_valid_q && a_warp_q == select_warp_o)));
    only_the_ready_are_selected_reached: cover (WARPS == 1 || select_o && a_valid_q);

    a_takes_one_when_it_is_free:         assert (!select_o || !a_valid_q || fetch_o);
    a_takes_one_when_it_is_free_reached: cover (WARPS == 1 || select_o && fetch_o);

    f_takes_one_when_it_is_free:         assert (!fetch_o || (a_valid_q && (!f_valid_q || f_moves)));
    f_takes_one_when_it_is_free_reached: cover (WARPS == 1 || fetch_o && f_valid_q);

    what_the_arbiter_chooses_leaves_a:         assert (arbiter_is_put_out);
    what_the_arbiter_chooses_leaves_a_reached: cover (fetch_o && fetch_pc_o != '0);

    a_warp_is_selected_in_time: assert (SCHEDULER == 2 || select_o || !simt_i || (a_valid_q && !fetch_o)
        || (a_valid_q ? runnable_o & ~(WARPS'(1) << a_warp_q) : runnable_o) == '0);
    a_warp_is_selected_in_time_reached: cover (WARPS == 1 || simt_i && runnable_o != '0 && f_valid_q);

    a_warp_leaves_a_in_time:         assert (fetch_o == (a_valid_q && (!f_valid_q || f_moves)) && fetch_warp_o == (fetch_o ? a_warp_q : '0));
    a_warp_leaves_a_in_time_reached: cover (WARPS == 1 || fetch_o && f_valid_q);

    // Other properties.
    nothing_is_selected_outside_simt_mode:         assert (simt_i || (!select_o && !fetch_o));
    nothing_is_selected_outside_simt_mode_reached: cover (!simt_i && runnable_o != '0);

    what_is_fetched_is_decoded: assert (!past_q || d_valid_q == f_moves_q);
    what_is_fetched_is_decoded_reached: cover (WARPS == 1 || past_q && d_valid_q && f_valid_q);
    it_is_the_same:             assert (!past_q || !d_valid_q || d_warp_q == past_f_q);
    it_is_the_same_reached:     cover (d_valid_q && 32'(d_warp_q) == WARPS - 1);

    the_warp_pc_goes_along:         assert (!(past_q && a_moves_q) || (f_valid_q && f_pc_q == past_pc_q));
    the_warp_pc_goes_along_reached: cover (past_q && a_moves_q && f_pc_q == 32'h8000);

    what_is_decoded_is_queued:         assert (!(past_q && offers_q) || (queue_count_q != '0
        && queue_q[(32'(queue_count_q) - 1)*QUEUE_BITS +: QUEUE_BITS] == past_d_q));
    what_is_decoded_is_queued_reached: cover (past_q && offers_q && 32'(queue_count_q) == QUEUE_ENTRIES);

    the_oldest_is_collected:         assert (!(past_q && collects_q) || !o_valid_q || o_warp_q == past_offer_q);
    the_oldest_is_collected_reached: cover (past_q && collects_q && o_valid_q);

    the_oldest_is_dispatched:         assert (first_o == (waiting_count_q != '0 && lanes_ready) && (!first_o || warp_o == waiting_q[WAITING_BITS-1:0]));
    the_oldest_is_dispatched_reached: cover (first_o && 32'(warp_o) == WARPS - 1);

    the_queue_never_overflows:         assert (32'(queue_count_q) + 32'(d_valid_q) - 32'(collect_i) <= QUEUE_ENTRIES);
    the_queue_never_overflows_reached: cover (32'(queue_count_q) == QUEUE_ENTRIES);

    a_decoded_load_stalls_until_it_commits: assert (!(simt_i && memory_q[w]) || stalled[w]);
    a_decoded_load_stalls_until_it_commits_reached: cover (simt_i && memory_q[w] && dispatched_q[w]);

    // Wiring: each block gets the events of each cycle.
    the_descriptors_are_told_what_happens:         assert (descriptors_are_told);
    the_descriptors_are_told_what_happens_reached: cover ((WARPS == 1 || first_o && fetch_o) && commit_i != '0);

    the_barriers_are_told_what_happens:         assert (barriers_are_told);
    the_barriers_are_told_what_happens_reached: cover (simt_i && !simt_q && exit_count_o != '0);

    the_arbiter_is_told_what_it_chooses_from:         assert (arbiter_is_told);
    the_arbiter_is_told_what_it_chooses_from_reached: cover (fetch_o);

    what_the_tables_say_is_put_out:         assert (tables_are_put_out);
    what_the_tables_say_is_put_out_reached: cover (done_o);

    what_is_in_d_and_offered:         assert (decode_o == d_valid_q && decode_warp_o == d_warp_q && offer_o == (queue_count_q != '0)
        && (!offer_o || offer_warp_o == queue_q[QUEUE_BITS-1:0]));
    what_is_in_d_and_offered_reached: cover (WARPS == 1 || decode_o && offer_o);

    a_load_is_known_from_d_to_its_commit:         assert (!past_q || memory_q[w] == ((memory_p_q || decodes_q) && !commits_q));
    a_load_is_known_from_d_to_its_commit_reached: cover (past_q && memory_p_q && commits_q);

    stalled_is_who_waits:         assert (stalled[w] == (!simt_i || memory_q[w] || !(runnable_o[w] || flight_q[w])));
    stalled_is_who_waits_reached: cover (simt_i && !stalled[w] && flight_q[w]);

    it_is_done_when_nobody_lives:         assert (done_o == (simt_i && 32'(live_o) == 32'(exit_count_o)));
    it_is_done_when_nobody_lives_reached: cover (done_o && exit_count_o != '0);

    lemma_an_instruction_is_in_one_place:         assert (5'(flight_q[w]) == places);
    lemma_an_instruction_is_in_one_place_reached: cover (flight_q[w] && in_waiting != '0);
    lemma_a_warp_has_one_instruction:             assert (!in_a || !flight_q[w]);
    lemma_a_warp_has_one_instruction_reached:     cover (WARPS == 1 || in_a && f_valid_q);
    lemma_counts: assert (32'(queue_count_q) + 32'(d_valid_q) <= QUEUE_ENTRIES
        && 32'(waiting_count_q) + 32'(o_valid_q) <= COLLECTORS);
    lemma_counts_reached:    cover (WARPS == 1 || queue_count_q != '0 && waiting_count_q != '0);
    lemma_empty_is_0:        assert (rest_is_0);
    lemma_empty_is_0_reached: cover (rest_is_0 && queue_count_q != '0);
    lemma_memory:            assert (!memory_q[w] || flight_q[w]);
    lemma_memory_reached:    cover (memory_q[w] && 32'(w) == WARPS - 1);
    lemma_numbers: assert (32'(a_warp_q) < WARPS && 32'(f_warp_q) < WARPS && 32'(d_warp_q) < WARPS);
    lemma_numbers_reached:   cover (a_valid_q && 32'(a_warp_q) == WARPS - 1);
    lemma_mode:              assert (!a_valid_q || simt_q);
    lemma_mode_reached:      cover (a_valid_q && simt_q);
  end
endmodule
