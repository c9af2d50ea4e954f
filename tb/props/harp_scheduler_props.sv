// Properties of harp_scheduler (rtl/harp_scheduler.sv; divergence.md §5): in every clock each live thread is in exactly
// one place and every other thread in none, for any inputs from the pipeline. scripts/formal puts an instance into the
// module; its blocks are the Verilog of rtl/.
// Sizes: LANES=2 QUEUE=3 FIRST_LEVEL=2 READY_SLOTS=2 WAITING_SLOTS=1 BARRIER_SETS=1 WAYS=2 STAGES=1 GROUPS=1 REGISTER_ROWS=2;LANES=2 QUEUE=3 FIRST_LEVEL=1 READY_SLOTS=1 WAITING_SLOTS=2 BARRIER_SETS=2 WAYS=1 STAGES=2 GROUPS=2 REGISTER_ROWS=2
//
//+ // Contents of the blocks: `flatten` connects these wires to the flip-flops (Yosys attribute hierconn).
//+ (* hierconn *) wire [QUEUE*LANES-1:0] \second.mask_q ;
//+ (* hierconn *) wire [QUEUE*WORD-1:0] \second.row_q ;
//+ (* hierconn *) wire [(QUEUE > 1 ? $clog2(QUEUE) : 1)-1:0] \second.first_q ;
//+ (* hierconn *) wire [QUEUE*LANES-1:0] \parked.mask_q ;
//+ (* hierconn *) wire [QUEUE*WORD-1:0] \parked.row_q ;
//+ (* hierconn *) wire [(QUEUE > 1 ? $clog2(QUEUE) : 1)-1:0] \parked.first_q ;
//+ (* hierconn *) wire [READY_SLOTS*LANES-1:0] \ready_lookup.mask_q ;
//+ (* hierconn *) wire [READY_SLOTS*WORD-1:0] \ready_lookup.row_q ;
//+ (* hierconn *) wire [READY_SLOTS*READY_SLOTS-1:0] \ready_lookup.age_q ;
//+ (* hierconn *) wire [WAITING_SLOTS*LANES-1:0] \waiting_lookup.mask_q ;
//+ (* hierconn *) wire [WAITING_SLOTS*WORD-1:0] \waiting_lookup.row_q ;
//+ (* hierconn *) wire [WAITING_SLOTS*WAITING_SLOTS-1:0] \waiting_lookup.age_q ;
//+ (* hierconn *) wire [BARRIERS*32-1:0] \barriers.rpc_q ;
//+ (* hierconn *) wire [BARRIERS*LANES-1:0] \barriers.mask_q ;
//+ (* hierconn *) wire [BARRIERS*LANES-1:0] \barriers.reached_q ;
//+ (* hierconn *) wire [BARRIERS*WORD-1:0] \barriers.row_q ;
//+ wire [QUEUE*LANES-1:0]                        second_mask    = \second.mask_q ;
//+ wire [QUEUE*WORD-1:0]                         second_row     = \second.row_q ;
//+ wire [(QUEUE > 1 ? $clog2(QUEUE) : 1)-1:0]    second_first   = \second.first_q ;
//+ wire [QUEUE*LANES-1:0]                        parked_masks   = \parked.mask_q ;
//+ wire [QUEUE*WORD-1:0]                         parked_row     = \parked.row_q ;
//+ wire [(QUEUE > 1 ? $clog2(QUEUE) : 1)-1:0]    parked_first   = \parked.first_q ;
//+ wire [READY_SLOTS*LANES-1:0]                  ready_masks    = \ready_lookup.mask_q ;
//+ wire [READY_SLOTS*WORD-1:0]                   ready_row      = \ready_lookup.row_q ;
//+ wire [READY_SLOTS*READY_SLOTS-1:0]            ready_age      = \ready_lookup.age_q ;
//+ wire [WAITING_SLOTS*LANES-1:0]                waiting_masks  = \waiting_lookup.mask_q ;
//+ wire [WAITING_SLOTS*WORD-1:0]                 waiting_row    = \waiting_lookup.row_q ;
//+ wire [WAITING_SLOTS*WAITING_SLOTS-1:0]        waiting_age    = \waiting_lookup.age_q ;
//+ wire [BARRIERS*32-1:0]                        barrier_rpc    = \barriers.rpc_q ;
//+ wire [BARRIERS*LANES-1:0]                     barrier_masks  = \barriers.mask_q ;
//+ wire [BARRIERS*LANES-1:0]                     barrier_reached = \barriers.reached_q ;
//+ wire [BARRIERS*WORD-1:0]                      barrier_row    = \barriers.row_q ;
module harp_scheduler_props #(
    parameter  int unsigned LANES         = 2,  // small, since Yosys also elaborates the module with its
                                                // defaults
    parameter  int unsigned QUEUE         = 3,
    parameter  int unsigned FIRST_LEVEL   = 2,
    parameter  int unsigned READY_SLOTS   = 2,
    parameter  int unsigned WAITING_SLOTS = 1,
    parameter  int unsigned BARRIER_SETS  = 1,
    parameter  int unsigned WAYS          = 2,
    parameter  int unsigned STAGES        = 1,
    parameter  int unsigned GROUPS        = 1,
    parameter  int unsigned REGISTER_ROWS = 2,
    localparam int unsigned GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam int unsigned WORD          = LANES * ROW_BITS,
    localparam int unsigned BARRIERS      = BARRIER_SETS * WAYS,
    localparam int unsigned FIRST_BITS    = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam int unsigned COUNT_BITS    = $clog2(QUEUE + 1),
    localparam int unsigned FL_COUNT_BITS = $clog2(FIRST_LEVEL + 1),
    localparam int unsigned READY_COUNT_BITS = $clog2(READY_SLOTS + 1),
    localparam int unsigned WAITING_COUNT_BITS = $clog2(WAITING_SLOTS + 1),
    localparam int unsigned THREADS       = LANES * REGISTER_ROWS,
    localparam int unsigned PLACE_BITS    = 6
) (
    input logic                                 clk_i,
    input logic                                 rst_ni,
    input logic                                 start_i,
    input logic                                 due_i,
    input logic                                 memory_i,
    input logic [LANES-1:0]                     done_i,
    input logic                                 release_i,
    input logic [GROUP_BITS-1:0]                group_i,
    input logic [LANES-1:0]                     mask_i,
    input logic [LANES*ROW_BITS-1:0]            rows_i,
    input logic                                 choose_i,
    input logic                                 step_i,
    input logic [LANES*32-1:0]                  next_i,
    input logic                                 waits_i,
    input logic                                 commit_o,
    input logic [LANES-1:0]                     commit_mask_o,
    input logic [LANES*ROW_BITS-1:0]            commit_rows_o,
    input logic                                 issue_o,
    input logic [LANES-1:0]                     issue_mask_o,
    input logic [LANES*ROW_BITS-1:0]            issue_rows_o,
    input logic                                 busy_o,
    input logic                                 ready_o,
    input logic [LANES-1:0]                     met_o,
    input logic [COUNT_BITS-1:0]                second_count_o,
    input logic [READY_COUNT_BITS-1:0]          ready_count_o,
    input logic [WAITING_COUNT_BITS-1:0]        waiting_count_o,
    input logic [COUNT_BITS-1:0]                parked_count_o,
    input logic [FIRST_LEVEL*LANES-1:0]         fl_mask_q,
    input logic [FIRST_LEVEL*WORD-1:0]          fl_row_q,
    input logic [FIRST_LEVEL-1:0]               fl_issued_q,
    input logic [FIRST_LEVEL-1:0]               fl_due_q,
    input logic [FIRST_LEVEL-1:0]               fl_memory_q,
    input logic [FL_COUNT_BITS-1:0]             fl_count_q,
    input logic [QUEUE*LANES-1:0]               wait_mask_q,
    input logic [QUEUE*WORD-1:0]                wait_row_q,
    input logic [STAGES*LANES-1:0]              stage_mask_q,
    input logic [STAGES*WORD-1:0]               stage_row_q,
    input logic [1:0]                           source_q,
    input logic [9:0]                           at_q,
    input logic                                 fire_q,
    input logic                                 lookup_q,
    input logic                                 forward_q,
    input logic [GROUPS-1:0]                    released_q,
    input logic [COUNT_BITS-1:0]                unparks_q,
    input logic                                 stepping_q,
    input logic                                 complete_o,
    input logic                                 commits,
    input logic                                 settles,
    input logic [31:0]                          its_pc,
    input logic [STAGES*32-1:0]                 stage_pc_q,
    input logic [LANES-1:0]                     those_left,
    input logic [LANES*32-1:0]                  nexts,
    input logic [LANES-1:0]                     group,
    input logic [31:0]                          group_pc,
    input logic [31:0]                          ready_pc_o,
    input logic [LANES-1:0]                     its_mask,
    input logic [LANES*ROW_BITS-1:0]            its_rows,
    input logic [QUEUE*LANES-1:0]               second_mask,
    input logic [QUEUE*WORD-1:0]                second_row,
    input logic [FIRST_BITS-1:0]                second_first,
    input logic [QUEUE*LANES-1:0]               parked_masks,
    input logic [QUEUE*WORD-1:0]                parked_row,
    input logic [FIRST_BITS-1:0]                parked_first,
    input logic [READY_SLOTS*LANES-1:0]         ready_masks,
    input logic [READY_SLOTS*WORD-1:0]          ready_row,
    input logic [READY_SLOTS*READY_SLOTS-1:0]   ready_age,
    input logic [WAITING_SLOTS*LANES-1:0]       waiting_masks,
    input logic [WAITING_SLOTS*WORD-1:0]        waiting_row,
    input logic [WAITING_SLOTS*WAITING_SLOTS-1:0] waiting_age,
    input logic [BARRIERS*32-1:0]               barrier_rpc,
    input logic [BARRIERS*LANES-1:0]            barrier_masks,
    input logic [BARRIERS*LANES-1:0]            barrier_reached,
    input logic [BARRIERS*WORD-1:0]             barrier_row
);
  // Thread t: lane t % LANES, row t / LANES. Bit t % LANES of masks and rows is its lane.
  localparam int unsigned NONE = 0, FIRST = 1, LOOKUP = 2, SECOND = 3;

  logic              started = 1'b0, chosen_q;
  logic [THREADS-1:0] live_q;  // threads that have started and not ended

  // --- places of threads ---
  logic [QUEUE-1:0]   second_there, parked_there;  // valid entries of a ring
  logic [THREADS-1:0] once, twice, in_second, in_parked, in_first, in_ready, in_lookup, in_wait, in_stage, reached;
  logic               here;

  always_comb begin
    for (int unsigned n = 0; n < QUEUE; n++) begin
      second_there[n] = n >= 32'(second_first) ? n < 32'(second_first) + 32'(second_count_o)
                                               : n + QUEUE < 32'(second_first) + 32'(second_count_o);
      parked_there[n] = n >= 32'(parked_first) ? n < 32'(parked_first) + 32'(parked_count_o)
                                               : n + QUEUE < 32'(parked_first) + 32'(parked_count_o);
    end
  end

  always_comb begin
    once      = '0;
    twice     = '0;
    in_second = '0;
    in_parked = '0;
    in_first  = '0;
    in_ready  = '0;
    in_lookup = '0;
    in_wait   = '0;
    in_stage  = '0;
    reached   = '0;
    here      = 1'b0;
    for (int unsigned t = 0; t < THREADS; t++) begin
      for (int unsigned n = 0; n < QUEUE; n++) begin
        here         = second_there[n] && second_mask[n*LANES+t%LANES] && 32'(second_row[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]     = twice[t] || (once[t] && here);
        once[t]      = once[t] || here;
        in_second[t] = in_second[t] || here;
        here         = parked_there[n] && parked_masks[n*LANES+t%LANES] && 32'(parked_row[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]     = twice[t] || (once[t] && here);
        once[t]      = once[t] || here;
        in_parked[t] = in_parked[t] || here;
        here         = wait_mask_q[n*LANES+t%LANES] && 32'(wait_row_q[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]     = twice[t] || (once[t] && here);
        once[t]      = once[t] || here;
        in_wait[t]   = in_wait[t] || here;
      end
      for (int unsigned n = 0; n < FIRST_LEVEL; n++) begin
        here        = fl_mask_q[n*LANES+t%LANES] && 32'(fl_row_q[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]    = twice[t] || (once[t] && here);
        once[t]     = once[t] || here;
        in_first[t] = in_first[t] || here;
      end
      for (int unsigned n = 0; n < READY_SLOTS; n++) begin
        here        = ready_masks[n*LANES+t%LANES] && 32'(ready_row[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]    = twice[t] || (once[t] && here);
        once[t]     = once[t] || here;
        in_ready[t] = in_ready[t] || here;
      end
      for (int unsigned n = 0; n < WAITING_SLOTS; n++) begin
        here         = waiting_masks[n*LANES+t%LANES] && 32'(waiting_row[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]     = twice[t] || (once[t] && here);
        once[t]      = once[t] || here;
        in_lookup[t] = in_lookup[t] || here;
      end
      for (int unsigned n = 0; n < STAGES; n++) begin
        here        = stage_mask_q[n*LANES+t%LANES] && 32'(stage_row_q[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]    = twice[t] || (once[t] && here);
        once[t]     = once[t] || here;
        in_stage[t] = in_stage[t] || here;
      end
      for (int unsigned n = 0; n < BARRIERS; n++) begin
        here       = barrier_reached[n*LANES+t%LANES] && 32'(barrier_row[(n*LANES+t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
        twice[t]   = twice[t] || (once[t] && here);
        once[t]    = once[t] || here;
        reached[t] = reached[t] || here;
      end
    end
  end

  // --- live threads ---
  logic [THREADS-1:0] begins, ends, issued, committed;
  always_comb begin
    begins    = '0;
    ends      = '0;
    issued    = '0;
    committed = '0;
    for (int unsigned t = 0; t < THREADS; t++) begin
      begins[t]    = start_i && mask_i[t%LANES] && 32'(rows_i[(t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
      ends[t]      = commits && !waits_i && its_mask[t%LANES] && next_i[(t%LANES)*32 +: 32] == '0 &&
                     32'(its_rows[(t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
      issued[t]    = issue_o && issue_mask_o[t%LANES] && 32'(issue_rows_o[(t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
      committed[t] = commit_o && commit_mask_o[t%LANES] && 32'(commit_rows_o[(t%LANES)*ROW_BITS +: ROW_BITS]) == t / LANES;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q   <= '0;
      chosen_q <= 1'b0;
    end else begin
      live_q   <= (live_q | begins) & ~ends;
      chosen_q <= choose_i || (chosen_q && !step_i);
    end
  end
  always_ff @(posedge clk_i) started <= 1'b1;

  // --- valid places ---
  logic rings_are_whole, first_level_is_whole, ready_is_whole, waiting_is_whole, barriers_are_whole, choice_is_whole, its_place;
  logic [READY_COUNT_BITS-1:0]   ready_used;
  logic [WAITING_COUNT_BITS-1:0] waiting_used;

  always_comb begin
    rings_are_whole = 32'(second_first) < QUEUE && 32'(second_count_o) <= QUEUE && 32'(parked_first) < QUEUE &&
                      32'(parked_count_o) <= QUEUE && unparks_q <= parked_count_o && (unparks_q == '0 || released_q != '0);
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (second_there[n] && second_mask[n*LANES +: LANES] == '0) rings_are_whole = 1'b0;
      if (parked_there[n] && parked_masks[n*LANES +: LANES] == '0) rings_are_whole = 1'b0;
    end
    first_level_is_whole = 32'(fl_count_q) <= FIRST_LEVEL;
    for (int unsigned n = 0; n < FIRST_LEVEL; n++) begin
      if ((n < 32'(fl_count_q)) != (fl_mask_q[n*LANES +: LANES] != '0)) first_level_is_whole = 1'b0;
      if (n >= 32'(fl_count_q) && (fl_issued_q[n] || fl_due_q[n] || fl_memory_q[n])) first_level_is_whole = 1'b0;
    end
    ready_used     = '0;
    ready_is_whole = 1'b1;
    for (int unsigned n = 0; n < READY_SLOTS; n++) begin
      ready_used = ready_used + READY_COUNT_BITS'(ready_masks[n*LANES +: LANES] != '0);
      for (int unsigned t = 0; t < READY_SLOTS; t++) begin
        if (ready_age[n*READY_SLOTS+t] && (n == t || ready_masks[n*LANES +: LANES] == '0 || ready_masks[t*LANES +: LANES] == '0 ||
            ready_age[t*READY_SLOTS+n])) ready_is_whole = 1'b0;
        if (n != t && ready_masks[n*LANES +: LANES] != '0 && ready_masks[t*LANES +: LANES] != '0 && !ready_age[n*READY_SLOTS+t] &&
            !ready_age[t*READY_SLOTS+n]) ready_is_whole = 1'b0;
        for (int unsigned u = 0; u < READY_SLOTS; u++) begin
          if (ready_age[n*READY_SLOTS+t] && ready_age[t*READY_SLOTS+u] && !ready_age[n*READY_SLOTS+u]) ready_is_whole = 1'b0;
        end
      end
    end
    if (ready_used != ready_count_o) ready_is_whole = 1'b0;
    waiting_used     = '0;
    waiting_is_whole = 1'b1;
    for (int unsigned n = 0; n < WAITING_SLOTS; n++) begin
      waiting_used = waiting_used + WAITING_COUNT_BITS'(waiting_masks[n*LANES +: LANES] != '0);
      for (int unsigned t = 0; t < WAITING_SLOTS; t++) begin
        if (waiting_age[n*WAITING_SLOTS+t] && (n == t || waiting_masks[n*LANES +: LANES] == '0 || waiting_masks[t*LANES +: LANES] == '0 ||
            waiting_age[t*WAITING_SLOTS+n])) waiting_is_whole = 1'b0;
        if (n != t && waiting_masks[n*LANES +: LANES] != '0 && waiting_masks[t*LANES +: LANES] != '0 &&
            !waiting_age[n*WAITING_SLOTS+t] && !waiting_age[t*WAITING_SLOTS+n]) waiting_is_whole = 1'b0;
        for (int unsigned u = 0; u < WAITING_SLOTS; u++) begin
          if (waiting_age[n*WAITING_SLOTS+t] && waiting_age[t*WAITING_SLOTS+u] && !waiting_age[n*WAITING_SLOTS+u]) waiting_is_whole = 1'b0;
        end
      end
    end
    if (waiting_used != waiting_count_o) waiting_is_whole = 1'b0;
    barriers_are_whole = 1'b1;
    for (int unsigned n = 0; n < BARRIERS; n++) begin
      if ((barrier_masks[n*LANES +: LANES] == '0) != (barrier_rpc[n*32 +: 32] == '0)) barriers_are_whole = 1'b0;
      if ((barrier_reached[n*LANES +: LANES] & ~barrier_masks[n*LANES +: LANES]) != '0) barriers_are_whole = 1'b0;
      for (int unsigned k = 0; k < LANES; k++) begin
        if (barrier_masks[n*LANES+k] && 32'(barrier_row[(n*LANES+k)*ROW_BITS +: ROW_BITS]) % BARRIER_SETS != n / WAYS) barriers_are_whole = 1'b0;
        for (int unsigned m = 0; m < n; m++) begin
          if (barrier_masks[n*LANES+k] && barrier_masks[m*LANES+k] && barrier_rpc[n*32 +: 32] == barrier_rpc[m*32 +: 32] &&
              barrier_row[(n*LANES+k)*ROW_BITS +: ROW_BITS] == barrier_row[(m*LANES+k)*ROW_BITS +: ROW_BITS]) barriers_are_whole = 1'b0;
        end
      end
    end
    its_place = 32'(source_q) == NONE;
    for (int unsigned n = 0; n < FIRST_LEVEL; n++) if (32'(source_q) == FIRST && 32'(at_q) == n && n < 32'(fl_count_q)) its_place = 1'b1;
    for (int unsigned n = 0; n < WAITING_SLOTS; n++) begin
      if (32'(source_q) == LOOKUP && 32'(at_q) == n && waiting_masks[n*LANES +: LANES] != '0) its_place = 1'b1;
    end
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (32'(source_q) == SECOND && 32'(at_q) == n && wait_mask_q[n*LANES +: LANES] != '0) its_place = 1'b1;
    end
    choice_is_whole = !stepping_q && its_place && (!fire_q || complete_o) && (!lookup_q || (!fire_q && ready_count_o != '0)) &&
                      (!forward_q || (second_count_o != '0 && 32'(fl_count_q) < FIRST_LEVEL));
  end

  // --- the first group, of any lane ---
  (* anyconst *) logic [LANES-1:0] k;
  logic [LANES-1:0] falling;
  logic [31:0]      falls, next_k;
  assign falls = (settles ? stage_pc_q[31:0] : its_pc) + 32'd4;
  always_comb begin
    assume (k != '0 && (k & (k - LANES'(1))) == '0);  // one-hot
    next_k = '0;
    for (int unsigned n = 0; n < LANES; n++) begin
      falling[n] = those_left[n] && nexts[n*32 +: 32] == falls;
      if (k[n]) next_k = nexts[n*32 +: 32];
    end
  end

  // Events: at most one in a clock, while nothing arrives; a step follows the choice that it belongs to.
  logic [2:0] told;
  assign told = 3'(start_i) + 3'(due_i) + 3'(memory_i) + 3'(done_i != '0) + 3'(release_i) + 3'(choose_i) + 3'(step_i);

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (told <= 3'd1 && (told == '0 || !busy_o));
    assume (!start_i || (mask_i != '0 && (begins & live_q) == '0));
    for (int unsigned t = QUEUE; t < THREADS; t++) assume (!begins[t]);  // no further threads exist
    assume (!step_i || chosen_q);
    assume (!choose_i || !chosen_q);
    assume (32'(group_i) < GROUPS);
  end

  always_comb if (started && rst_ni) begin
    lemma_there_are_no_more_threads:         assert (32'(live_q) >> QUEUE == '0);
    lemma_there_are_no_more_threads_reached: cover (live_q[QUEUE-1]);

    lemma_rings_are_whole:         assert (rings_are_whole);
    lemma_rings_are_whole_reached: cover (32'(second_count_o) == QUEUE);

    lemma_the_first_level_is_whole:         assert (first_level_is_whole);
    lemma_the_first_level_is_whole_reached: cover (32'(fl_count_q) == FIRST_LEVEL);

    lemma_lookups_are_whole:         assert (ready_is_whole && waiting_is_whole);
    lemma_lookups_are_whole_reached: cover (32'(ready_count_o) == READY_SLOTS);

    lemma_barriers_are_whole:         assert (barriers_are_whole);
    lemma_barriers_are_whole_reached: cover (complete_o);

    lemma_what_was_chosen_is_there:         assert (!chosen_q || choice_is_whole);
    lemma_what_was_chosen_is_there_reached: cover (chosen_q && 32'(source_q) == SECOND);

    lemma_the_first_stage_is_empty_between_cycles:         assert (stepping_q || stage_mask_q[LANES-1:0] == '0);
    lemma_the_first_stage_is_empty_between_cycles_reached: cover (!stepping_q && live_q != '0);

    each_thread_that_lives_is_in_one_place:         assert (once == live_q && twice == '0);
    each_thread_that_lives_is_in_one_place_reached: cover (in_wait != '0 && in_lookup != '0);

    who_waits_where_threads_meet_lives_on:         assert ((reached & ~live_q) == '0);
    who_waits_where_threads_meet_lives_on_reached: cover (reached != '0 && in_second != '0);

    only_who_lives_is_issued:         assert ((issued & ~live_q) == '0 && (!issue_o || issued != '0) && (issued & ~in_first) == '0);
    only_who_lives_is_issued_reached: cover (issue_o);

    only_who_lives_is_committed:         assert ((committed & ~live_q) == '0 && (!commit_o || committed != '0) && (committed & ~(in_first | in_lookup | in_wait)) == '0);
    only_who_lives_is_committed_reached: cover (commit_o && fl_due_q == '0);

    who_is_parked_is_asked_once:         assert (unparks_q <= parked_count_o);
    who_is_parked_is_asked_once_reached: cover (busy_o && in_parked != '0 && ready_o);

    who_comes_to_a_barrier_came_from_its_stage:         assert (met_o == '0 || in_stage != '0);
    who_comes_to_a_barrier_came_from_its_stage_reached: cover (met_o != '0);

    threads_that_fall_through_go_first:         assert (falling == '0 || (group == falling && group_pc == falls));
    threads_that_fall_through_go_first_reached: cover (settles && falling != '0 && falling != those_left && falls[31:12] == 20'h00001 && falls[11:0] == '0);

    else_those_with_the_lowest_pc_go: assert (falling != '0 || (those_left & k) == '0 || (((group & k) != '0) == (next_k == group_pc)
        && next_k >= group_pc));
    else_those_with_the_lowest_pc_go_reached: cover (falling == '0 && (those_left & k) != '0 && (group & k) == '0);

    a_group_is_of_those_left:         assert ((group & ~those_left) == '0 && (group == '0) == (those_left == '0));
    a_group_is_of_those_left_reached: cover (group != '0 && group != those_left && (those_left & k) != '0 && next_k[31]);

    a_group_that_is_ready_has_its_pc:         assert (!(settles && ready_o) || ready_pc_o == group_pc);
    a_group_that_is_ready_has_its_pc_reached: cover (settles && ready_o && ready_pc_o[31]);

    the_ready_lookup_holds_who_lives:         assert ((in_ready & ~live_q) == '0);
    the_ready_lookup_holds_who_lives_reached: cover (in_ready != '0);
  end
endmodule
