// Properties of snoop_directory (rtl/snoop_directory.sv). scripts/formal puts an instance into the module.
// Sizes: CLUSTERS=1 L2S=2;CLUSTERS=1 L2S=3;CLUSTERS=1 L2S=4;CLUSTERS=2 L2S=1;CLUSTERS=2 L2S=2;CLUSTERS=3 L2S=1;CLUSTERS=4 L2S=1;CLUSTERS=3 L2S=2
//
// Assumptions: a request fits the state of the line in the cluster that makes it, and the line is coherent before the
// request. Property: the line is coherent after the request; by induction, after any number of requests. A store into a
// line in E makes it M without a request; the line remains coherent.
module snoop_directory_props #(
    parameter  int unsigned CLUSTERS     = 64,
    parameter  int unsigned L2S          = 4,
    localparam int unsigned CLUSTER_BITS = CLUSTERS > 1 ? $clog2(CLUSTERS) : 1,
    localparam int unsigned L2_BITS      = L2S > 1 ? $clog2(L2S) : 1,
    localparam int unsigned COPIES       = CLUSTERS * L2S,
    localparam int unsigned STATE_BITS   = 3
) (
    input logic [2:0]                   request_i,
    input logic [CLUSTER_BITS-1:0]      cluster_i,
    input logic [L2_BITS-1:0]           l2_i,
    input logic [COPIES*STATE_BITS-1:0] state_i,
    input logic [1:0]                   entry_i,
    input logic [CLUSTER_BITS-1:0]      owner_i,
    input logic [COPIES*STATE_BITS-1:0] next_o,
    input logic                         supplied_o,
    input logic [CLUSTER_BITS-1:0]      supplier_cluster_o,
    input logic [L2_BITS-1:0]           supplier_l2_o,
    input logic                         memory_o,
    input logic                         write_back_o,
    input logic [CLUSTERS-1:0]          asked_o,
    input logic [1:0]                   entry_o,
    input logic [CLUSTER_BITS-1:0]      owner_o
);
  localparam logic [2:0] I = 3'd0, S = 3'd1, E = 3'd2, O = 3'd3, M = 3'd4;
  localparam logic [2:0] READ = 3'd1, WRITE = 3'd2, UPGRADE = 3'd3, EVICT = 3'd4;
  localparam logic [1:0] ENTRY_U = 2'd0, ENTRY_S = 2'd1, ENTRY_O = 2'd2, ENTRY_X = 2'd3;

  // Copies before and after, by L2: valid, newer than memory, exclusive.
  logic [COPIES-1:0]   there, dirty, only, there_after, dirty_after, only_after;
  logic [CLUSTERS-1:0] in_cluster, in_cluster_after, dirty_in_after, dirty_in;
  logic [COPIES-1:0]   its, near, far;  // the requester; its neighbours; all others
  always_comb begin
    in_cluster       = '0;
    in_cluster_after = '0;
    dirty_in         = '0;
    dirty_in_after   = '0;
    for (int unsigned k = 0; k < COPIES; k++) begin
      there[k]       = state_i[k*STATE_BITS +: STATE_BITS] != I;
      dirty[k]       = state_i[k*STATE_BITS +: STATE_BITS] == O || state_i[k*STATE_BITS +: STATE_BITS] == M;
      only[k]        = state_i[k*STATE_BITS +: STATE_BITS] == E || state_i[k*STATE_BITS +: STATE_BITS] == M;
      there_after[k] = next_o[k*STATE_BITS +: STATE_BITS] != I;
      dirty_after[k] = next_o[k*STATE_BITS +: STATE_BITS] == O || next_o[k*STATE_BITS +: STATE_BITS] == M;
      only_after[k]  = next_o[k*STATE_BITS +: STATE_BITS] == E || next_o[k*STATE_BITS +: STATE_BITS] == M;
      its[k]         = k / L2S == 32'(cluster_i) && k % L2S == 32'(l2_i);
      near[k]        = k / L2S == 32'(cluster_i) && k % L2S != 32'(l2_i);
      far[k]         = k / L2S != 32'(cluster_i);
      if (there[k]) in_cluster[k/L2S] = 1'b1;
      if (there_after[k]) in_cluster_after[k/L2S] = 1'b1;
      if (dirty[k]) dirty_in[k/L2S] = 1'b1;
      if (dirty_after[k]) dirty_in_after[k/L2S] = 1'b1;
    end
  end

  // The line is coherent.
  logic [COPIES-1:0]   one_copy;
  logic [CLUSTERS-1:0] own_cluster, owner_cluster;
  assign one_copy      = COPIES'(1);
  assign own_cluster   = CLUSTERS'(1) << cluster_i;
  assign owner_cluster = CLUSTERS'(1) << owner_i;
  logic one_dirty, one_only, entry_fits;
  assign one_dirty  = (dirty & (dirty - one_copy)) == '0;
  assign one_only   = only == '0 || (there & (there - one_copy)) == '0;
  assign entry_fits = CLUSTERS == 1 ? entry_i == ENTRY_U && owner_i == '0
                      : entry_i == ENTRY_U ? in_cluster == '0 && owner_i == '0
                      : entry_i == ENTRY_S ? in_cluster != '0 && dirty == '0 && only == '0 && owner_i == '0
                      : entry_i == ENTRY_O ? dirty_in == owner_cluster && only == '0
                      : in_cluster == owner_cluster;

  // Possible suppliers, by the copies before the request.
  logic [COPIES-1:0] supplier, givers;
  logic              asks, loads, writes, held, alone, directory;
  assign asks      = request_i == READ || request_i == WRITE || request_i == UPGRADE;
  assign loads     = request_i == READ || request_i == WRITE;
  assign writes    = request_i == WRITE || request_i == UPGRADE;
  assign held      = (there & near) != '0;
  assign alone     = (only & near) != '0;
  assign directory = CLUSTERS > 1 && asks && !alone && (writes || !held);
  always_comb begin
    givers = '0;
    for (int unsigned k = 0; k < COPIES; k++) begin
      supplier[k] = supplied_o && k / L2S == 32'(supplier_cluster_o) && k % L2S == 32'(supplier_l2_o);
      if (held) givers[k] = there[k] && near[k];
      else givers[k] = there[k] && far[k] && (entry_i == ENTRY_O || entry_i == ENTRY_X) && k / L2S == 32'(owner_i);
    end
  end

  // Any L2, and any cluster: a property of them holds for all.
  (* anyconst *) logic [5:0] any;
  (* anyconst *) logic [5:0] any_cluster;
  logic [2:0] was, is;
  assign was = state_i[32'(any)*STATE_BITS +: STATE_BITS];
  assign is  = next_o[32'(any)*STATE_BITS +: STATE_BITS];

  always_comb begin
    assume (32'(any) < COPIES && 32'(any_cluster) < CLUSTERS);
    assume (32'(cluster_i) < CLUSTERS && 32'(l2_i) < L2S && 32'(owner_i) < CLUSTERS);
    assume (request_i <= EVICT);
    for (int unsigned k = 0; k < COPIES; k++) assume (state_i[k*STATE_BITS +: STATE_BITS] <= M);
    assume (!loads || (there & its) == '0);
    assume (request_i != UPGRADE || ((there & its) != '0 && (only & its) == '0));
    assume (request_i != EVICT || (there & its) != '0);
    assume (one_dirty && one_only && entry_fits);
  end

  always_comb begin
    // The line stays coherent.
    one_l2_answers_for_the_line:         assert ((dirty_after & (dirty_after - one_copy)) == '0);
    one_l2_answers_for_the_line_reached: cover (dirty_after != '0 && dirty != '0);

    the_only_copy_is_the_only_one:         assert (only_after == '0 || (there_after & (there_after - one_copy)) == '0);
    the_only_copy_is_the_only_one_reached: cover (only_after != '0);

    the_directory_knows_what_is_there:         assert (CLUSTERS == 1 ? entry_o == ENTRY_U && owner_o == '0
        : entry_o == ENTRY_U ? in_cluster_after == '0 && owner_o == '0
        : entry_o == ENTRY_S ? in_cluster_after != '0 && dirty_after == '0 && only_after == '0 && owner_o == '0
        : entry_o == ENTRY_O ? dirty_in_after == CLUSTERS'(1) << owner_o && only_after == '0
        : in_cluster_after == CLUSTERS'(1) << owner_o);
    the_directory_knows_what_is_there_reached: cover (CLUSTERS == 1 || entry_o == ENTRY_S);

    // No line is lost, and no stale line is supplied.
    what_memory_has_not_somebody_keeps_or_writes:         assert (dirty == '0 || dirty_after != '0 || write_back_o);
    what_memory_has_not_somebody_keeps_or_writes_reached: cover (dirty != '0 && write_back_o);

    memory_gives_no_stale_line:         assert (!memory_o || dirty == '0);
    memory_gives_no_stale_line_reached: cover (memory_o);

    who_supplies_has_it:         assert (!supplied_o || (supplier & there & ~its) != '0);
    who_supplies_has_it_reached: cover (supplied_o);

    // Each request is answered, exactly once.
    each_request_is_answered_by_one:         assert ((supplied_o != memory_o) == loads && !(supplied_o && memory_o));
    each_request_is_answered_by_one_reached: cover (loads && supplied_o);

    who_reads_may_read:         assert (request_i != READ || (there_after & its) != '0);
    who_reads_may_read_reached: cover (request_i == READ && there != '0);

    who_writes_may_write:         assert (!writes || (dirty_after & only_after & its) != '0);
    who_writes_may_write_reached: cover (request_i == UPGRADE && there != its);

    // Policy: the tables of the protocol.
    a_neighbour_supplies_else_the_owners_cluster:         assert ((supplier & ~givers) == '0 && supplied_o == (loads && givers != '0));
    a_neighbour_supplies_else_the_owners_cluster_reached: cover (L2S == 1 || supplied_o && held);

    who_is_newer_supplies_else_the_lowest:         assert (!supplied_o || ((dirty & givers) != '0
        ? (supplier & dirty) != '0 : (givers & (supplier - one_copy)) == '0));
    who_is_newer_supplies_else_the_lowest_reached: cover (supplied_o && (supplier & dirty) != '0);

    nobody_supplies_without_a_number:         assert (supplied_o || (supplier_cluster_o == '0 && supplier_l2_o == '0));
    nobody_supplies_without_a_number_reached: cover (!supplied_o && asks);

    dirty_lines_are_written_when_they_go:         assert (write_back_o == (request_i == EVICT && (dirty & its) != '0));
    dirty_lines_are_written_when_they_go_reached: cover (request_i == EVICT && !write_back_o);

    the_others_do_what_the_request_says:         assert (its[any] || is == (!asks || (far[any] && !asked_o[any/L2S]) ? was
        : writes ? I : was == E ? S : was == M ? O : was));
    the_others_do_what_the_request_says_reached: cover (asks && !its[any] && was != is);

    a_reader_of_what_nobody_has_is_alone:         assert (request_i != READ || !its[any] || is == (there == '0 ? E : S));
    a_reader_of_what_nobody_has_is_alone_reached: cover (request_i == READ && its[any] && is == S);

    who_evicts_has_it_no_more:         assert (request_i != EVICT || !its[any] || is == I);
    who_evicts_has_it_no_more_reached: cover (request_i == EVICT && its[any]);

    who_asks_nothing_keeps_it:         assert (request_i != 3'd0 || is == was);
    who_asks_nothing_keeps_it_reached: cover (request_i == 3'd0 && was == M);

    clusters_are_asked_that_must_give_it:         assert (asked_o[any_cluster] == (directory && !own_cluster[any_cluster]
        && (writes ? in_cluster[any_cluster]
            : (entry_i == ENTRY_O || entry_i == ENTRY_X) && owner_cluster[any_cluster])));
    clusters_are_asked_that_must_give_it_reached: cover (CLUSTERS == 1 || asked_o[any_cluster]);

    who_writes_owns_it:         assert (CLUSTERS == 1 || !writes || (entry_o == ENTRY_X && owner_o == cluster_i));
    who_writes_owns_it_reached: cover (CLUSTERS == 1 || writes);

    // A line that clusters have shared is exclusive again only by a write.
    shared_lines_stay_shared:         assert (CLUSTERS == 1 || writes || entry_i == ENTRY_U || entry_i == ENTRY_X
        || entry_o != ENTRY_X);
    shared_lines_stay_shared_reached: cover (CLUSTERS == 1 || entry_i == ENTRY_S && entry_o == ENTRY_S);

    a_cluster_alone_keeps_it_so:         assert (CLUSTERS == 1 || writes || entry_i != ENTRY_X || directory || there_after == '0
        || entry_o == ENTRY_X);
    a_cluster_alone_keeps_it_so_reached: cover (CLUSTERS == 1 || entry_i == ENTRY_X && entry_o == ENTRY_X);

    the_first_reader_is_exclusive:         assert (CLUSTERS == 1 || request_i != READ || there != '0 || entry_o == ENTRY_X);
    the_first_reader_is_exclusive_reached: cover (request_i == READ && there == '0);
  end
endmodule
