// Properties of re_convergence_stack (rtl/re_convergence_stack.sv; divergence.md §4, sbr), for commits that
// programs can give. scripts/formal puts an instance into the module, after the lines below that begin with //+, which
// give the stack of any warp w.
// Sizes: WARPS=1 WARP_SIZE=2 CALLS=1
//
//+ (* anyconst *) logic [WARP_BITS-1:0] w;
//+ logic [ENTRIES*MASK_BITS-1:0] row_mask;
//+ logic [ENTRIES*PC_BITS-1:0]   row_pc;
//+ logic [ENTRIES*RPC_BITS-1:0]  row_rpc;
//+ logic [ENTRIES*CALL_BITS-1:0] row_call;
//+ logic [DEPTH_BITS-1:0]        row_depth;
//+ assign row_mask  = mask_q[w];
//+ assign row_pc    = pc_q[w];
//+ assign row_rpc   = rpc_q[w];
//+ assign row_call  = call_q[w];
//+ assign row_depth = depth_q[32'(w)*DEPTH_BITS +: DEPTH_BITS];
module re_convergence_stack_props #(
    parameter  int unsigned WARPS      = 1,  // small, since Yosys also elaborates the module with its
                                             // defaults
    parameter  int unsigned WARP_SIZE  = 3,
    parameter  int unsigned CALLS      = 1,
    localparam int unsigned ENTRIES    = 2 * WARP_SIZE + CALLS,
    localparam int unsigned WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned DEPTH_BITS = $clog2(ENTRIES + 1),
    localparam int unsigned MASK_BITS  = WARP_SIZE,
    localparam int unsigned PC_BITS    = 32,
    localparam int unsigned RPC_BITS   = 32,
    localparam int unsigned CALL_BITS  = 1
) (
    input logic                         clk_i,
    input logic                         rst_ni,
    input logic                         start_i,
    input logic [WARP_BITS-1:0]         start_warp_i,
    input logic [31:0]                  start_pc_i,
    input logic [WARP_SIZE-1:0]         start_mask_i,
    input logic [WARP_BITS-1:0]         read_warp_i,
    input logic                         commit_i,
    input logic [WARP_BITS-1:0]         commit_warp_i,
    input logic [WARP_SIZE-1:0]         exit_mask_i,
    input logic [WARP_SIZE-1:0]         first_mask_i,
    input logic [31:0]                  first_pc_i,
    input logic                         first_call_i,
    input logic [WARP_SIZE-1:0]         second_mask_i,
    input logic [31:0]                  second_pc_i,
    input logic                         second_call_i,
    input logic [31:0]                  meeting_i,
    input logic                         more_i,
    input logic                         move_i,
    input logic [WARP_SIZE-1:0]         ready_mask_i,
    input logic [31:0]                  pc_o,
    input logic [WARP_SIZE-1:0]         mask_o,
    input logic                         empty_o,
    input logic                         overflow_o,
    input logic                         moves_o,
    input logic [WARP_BITS-1:0]         w,
    input logic [ENTRIES*MASK_BITS-1:0] row_mask,
    input logic [ENTRIES*PC_BITS-1:0]   row_pc,
    input logic [ENTRIES*RPC_BITS-1:0]  row_rpc,
    input logic [ENTRIES*CALL_BITS-1:0] row_call,
    input logic [DEPTH_BITS-1:0]        row_depth
);
  // --- contents of the warp's stack, all at once ---
  logic [WARP_SIZE-1:0] top_mask, in_some, of_i, of_j;
  logic [31:0]          top_pc, top_rpc;
  logic                 top_call, tree, waited_for, cleared, inside, differ, apart;
  logic [DEPTH_BITS:0]  calls;

  always_comb begin
    top_mask   = '0;
    top_pc     = '0;
    top_rpc    = '0;
    top_call   = 1'b0;
    in_some    = '0;
    tree       = 1'b1;
    waited_for = 1'b1;
    cleared    = 1'b1;
    calls      = '0;
    of_i       = '0;
    of_j       = '0;
    inside     = 1'b0;
    differ     = 1'b1;
    apart      = 1'b1;
    for (int unsigned i = 0; i < ENTRIES; i++) begin
      of_i    = row_mask[i*MASK_BITS +: MASK_BITS];
      in_some = in_some | of_i;
      calls   = calls + (DEPTH_BITS+1)'(row_call[i]);
      if (32'(row_depth) == i + 1) begin
        top_mask = of_i;
        top_pc   = row_pc[i*PC_BITS +: PC_BITS];
        top_rpc  = row_rpc[i*RPC_BITS +: RPC_BITS];
        top_call = row_call[i];
      end
      if (i >= 32'(row_depth) && (of_i != '0 || row_call[i] || row_pc[i*PC_BITS +: PC_BITS] != '0 || row_rpc[i*RPC_BITS +: RPC_BITS] != '0))
        cleared = 1'b0;
      if ((of_i & pending_q) != '0 && ((pending_q & ~of_i) != '0 || of_i == pending_q)) apart = 1'b0;
      inside = of_i == '0 || row_rpc[i*RPC_BITS +: RPC_BITS] == '0;
      for (int unsigned j = 0; j < i; j++) begin
        of_j = row_mask[j*MASK_BITS +: MASK_BITS];
        if ((of_i & ~of_j) == '0) inside = 1'b1;
        if ((of_i & ~of_j) != '0 && (of_i & of_j) != '0) tree = 1'b0;
        if (i < 32'(row_depth) && of_i == of_j && !row_call[i] && !row_call[j]) differ = 1'b0;
      end
      if (!inside) waited_for = 1'b0;
    end
  end

  // --- commits that programs can make ---
  logic                 starts, commits, parts;
  logic [WARP_SIZE-1:0] alive_q, alive_d, pending_q, pending_d, goes;  // pending: threads of groups that
                                                                       // follow in later cycles
  assign starts  = start_i && start_warp_i == w;
  assign commits = commit_i && commit_warp_i == w && !overflow_o;
  assign parts   = commits && !move_i && !more_i && second_mask_i != '0;
  assign goes    = top_mask & ~exit_mask_i;

  always_comb begin
    alive_d   = alive_q;
    pending_d = pending_q;
    if (commits && !move_i) alive_d = alive_q & ~exit_mask_i;
    if (parts) pending_d = goes & ~first_mask_i & ~second_mask_i;
    if (commits && more_i) pending_d = pending_q & ~first_mask_i;
    if (starts) begin
      alive_d   = start_mask_i;
      pending_d = '0;
    end
  end

  logic                 all_live_q;  // no started thread has exited
  logic                 started = 1'b0, past_reset_q, past_start_q, past_one_q, past_two_q, past_call_q, past_exit_q, past_move_q;
  logic [31:0]          past_pc_q, past_first_q, past_meeting_q;
  logic [WARP_SIZE-1:0] past_mask_q, past_gone_q, past_first_mask_q, past_ready_q;
  logic [DEPTH_BITS-1:0] past_depth_q;
  logic                 past_stays_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alive_q    <= '0;
      pending_q  <= '0;
      all_live_q <= 1'b1;
    end else begin
      alive_q   <= alive_d;
      pending_q <= pending_d;
      if (starts)                                       all_live_q <= 1'b1;
      else if (commits && !move_i && exit_mask_i != '0) all_live_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    started           <= 1'b1;
    past_reset_q      <= !rst_ni;
    past_start_q      <= starts;
    past_one_q        <= commits && !move_i && !more_i && first_mask_i != '0 && second_mask_i == '0 && !first_call_i && !starts;
    past_call_q       <= commits && !move_i && !more_i && first_mask_i != '0 && second_mask_i == '0 && first_call_i && !starts;
    past_two_q        <= (parts || (commits && more_i)) && !starts;
    past_exit_q       <= commits && !move_i && !starts;
    past_move_q       <= commits && move_i && moves_o && !starts;
    past_stays_q      <= first_pc_i != top_rpc;
    past_pc_q         <= top_pc;
    past_first_q      <= first_pc_i;
    past_meeting_q    <= meeting_i;
    past_mask_q       <= goes;
    past_gone_q       <= exit_mask_i;
    past_first_mask_q <= first_mask_i;
    past_ready_q      <= ready_mask_i;
    past_depth_q      <= row_depth;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(w) < WARPS && 32'(read_warp_i) < WARPS && 32'(start_warp_i) < WARPS && 32'(commit_warp_i) < WARPS);
    if (commit_i && commit_warp_i == w) begin
      assume (row_depth != '0);
      assume (first_pc_i != '0 && second_pc_i != '0 && first_pc_i != second_pc_i);
      assume ((exit_mask_i & ~top_mask) == '0);
      assume (!(move_i && more_i) && (!more_i || (exit_mask_i == '0 && second_mask_i == '0 && !first_call_i)));
      assume (more_i == (pending_q != '0));
      if (more_i) assume (first_mask_i != '0 && (first_mask_i & ~pending_q) == '0);
      else        assume (((first_mask_i | second_mask_i) & ~goes) == '0 && (first_mask_i & second_mask_i) == '0);
      assume (second_mask_i == '0 || first_mask_i != '0);
      if (!move_i && !more_i && second_mask_i == '0) assume (first_mask_i == goes);
      if (first_mask_i != '0 && first_call_i) assume (meeting_i != '0 && meeting_i != first_pc_i);
      if (second_mask_i != '0 && second_call_i) assume (meeting_i != '0 && meeting_i != second_pc_i);
    end
    if (starts) assume (row_depth == '0 && start_pc_i != '0);
  end

  always_comb if (started && rst_ni) begin
    masks_are_a_tree:         assert (tree);
    masks_are_a_tree_reached: cover (32'(row_depth) > 2);

    lemma_waited_for_by_those_below:         assert (waited_for);
    lemma_waited_for_by_those_below_reached: cover (32'(row_depth) > 2 && top_rpc != '0);

    lemma_nothing_from_depth_on:         assert (cleared && 32'(row_depth) <= ENTRIES);
    lemma_nothing_from_depth_on_reached: cover (32'(row_depth) > 2);

    who_lives_is_in_the_stack:         assert ((in_some | pending_q) == alive_q);
    who_lives_is_in_the_stack_reached: cover (alive_q != '0 && 32'(row_depth) > 1);

    never_empty_while_threads_live:         assert ((alive_q == '0) == (row_depth == '0));
    never_empty_while_threads_live_reached: cover (alive_q != '0);

    the_top_can_run:         assert (row_depth == '0 || (top_mask != '0 && top_pc != top_rpc));
    the_top_can_run_reached: cover (row_depth != '0 && top_rpc != '0);

    // Valid while no thread has exited; an exited thread counts as waiting below, so that the limit of
    // entries still holds.
    lemma_no_two_entries_are_alike:         assert (!all_live_q || (differ && apart));
    lemma_no_two_entries_are_alike_reached: cover (all_live_q && 32'(row_depth) > 2);

    there_is_room_for_all:         assert (!all_live_q || 32'(row_depth) < 2 * WARP_SIZE + 32'(calls));
    there_is_room_for_all_reached: cover (all_live_q && 32'(row_depth) == 2 * WARP_SIZE + 32'(calls) - 1);

    calls_are_no_more_than_there_is_room_for:         assert (32'(calls) <= CALLS);
    calls_are_no_more_than_there_is_room_for_reached: cover (32'(calls) == CALLS);

    reads_the_top:         assert (read_warp_i != w || (mask_o == top_mask && pc_o == top_pc && empty_o == (row_depth == '0)));
    reads_the_top_reached: cover (read_warp_i == w && 32'(row_depth) > 1);
  end

  always_comb if (started && rst_ni && !past_reset_q) begin
    goes_where_it_is_told:         assert (!(past_one_q && past_stays_q) || (top_pc == past_first_q && top_mask == past_mask_q && row_depth == past_depth_q));
    goes_where_it_is_told_reached: cover (past_one_q && past_stays_q && 32'(row_depth) > 1);

    leaves_at_its_meeting:         assert (!(past_one_q && !past_stays_q) || row_depth < past_depth_q);
    leaves_at_its_meeting_reached: cover (past_one_q && !past_stays_q && row_depth != '0);

    a_call_runs_next:         assert (!(past_call_q && 32'(past_depth_q) != ENTRIES) || (top_pc == past_first_q && top_mask == past_mask_q && top_rpc == past_meeting_q && top_call && row_depth > past_depth_q));
    a_call_runs_next_reached: cover (past_call_q);

    the_first_group_runs_next:         assert (!(past_two_q && top_mask == past_first_mask_q) || top_pc == past_first_q);
    the_first_group_runs_next_reached: cover (past_two_q && top_mask == past_first_mask_q);

    nobody_waits_for_the_ended:         assert (!past_exit_q || (in_some & past_gone_q) == '0);
    nobody_waits_for_the_ended_reached: cover (past_exit_q && past_gone_q != '0 && row_depth != '0);

    who_comes_up_is_ready:         assert (!(past_move_q && row_depth == past_depth_q) || (top_mask & past_ready_q) != '0);
    who_comes_up_is_ready_reached: cover (past_move_q && row_depth == past_depth_q);

    begins_alone:         assert (!past_start_q || 32'(row_depth) <= 1);
    begins_alone_reached: cover (past_start_q && row_depth != '0);
  end
endmodule
