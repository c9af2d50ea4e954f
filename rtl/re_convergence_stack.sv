// re_convergence_stack: determines for each warp which threads run, at which PC, and which threads wait for them
// (divergence.md §4, sbr; harp §2.2). Twin of model/divergence/re_convergence_stack.h.
//
// Each warp has a stack. An entry has a PC, an RPC, a mask of threads and a flag for a call. The warp runs the top,
// entry depth - 1. Entries from depth on are 0.
//
// A cycle commits one instruction of a warp. Threads that exit leave every entry. The others go to one PC, with or
// without a call, or form two groups. If there are more than two groups, the last two come first and each following
// cycle brings one more (more_i). At a work-group barrier an entry can be moved to the top (move_i). Afterwards the top
// is removed while its PC is its RPC or its mask is empty.
/* verilator lint_off WIDTHCONCAT */  // rows of warps of 64 threads are that wide
module re_convergence_stack #(
    parameter  logic [31:0] WARPS      = 16,                          // warps of the SM, 1–128
    parameter  logic [31:0] WARP_SIZE  = 32,                          // threads of a warp, 1–64
    parameter  logic [31:0] CALLS      = 16,                          // entries that calls may take in a stack, 1–128
    localparam logic [31:0] ENTRIES    = 2 * WARP_SIZE + CALLS,
    localparam logic [31:0] WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] DEPTH_BITS = $clog2(ENTRIES + 1),
    localparam logic [31:0] MASK_BITS  = WARP_SIZE,                   // NAME_BITS: bits of a NAME element
    localparam logic [31:0] PC_BITS    = 32,
    localparam logic [31:0] RPC_BITS   = 32,
    localparam logic [31:0] CALL_BITS  = 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,         // 1: a warp begins; a commit of this warp in the same cycle is
                                                  // ignored
    input  logic [WARP_BITS-1:0] start_warp_i,    // warp that begins
    input  logic [31:0]          start_pc_i,      // first PC of the warp that begins
    input  logic [WARP_SIZE-1:0] start_mask_i,    // threads of the warp that begins; 0: none
    input  logic [WARP_BITS-1:0] read_warp_i,     // warp whose top is read
    input  logic                 commit_i,        // 1: an instruction of a warp with a non-empty stack commits
    input  logic [WARP_BITS-1:0] commit_warp_i,   // warp of the committed instruction
    input  logic [WARP_SIZE-1:0] exit_mask_i,     // threads that exit
    input  logic [WARP_SIZE-1:0] first_mask_i,    // threads of the group that runs first; 0: none
    input  logic [31:0]          first_pc_i,      // PC of that group
    input  logic                 first_call_i,    // 1: that group calls
    input  logic [WARP_SIZE-1:0] second_mask_i,   // threads of the group that runs next; 0: none
    input  logic [31:0]          second_pc_i,     // PC of that group
    input  logic                 second_call_i,   // 1: that group calls
    input  logic [31:0]          meeting_i,       // for two groups: PC at which they meet; 0: return of the innermost
                                                  // call;
                                                  // for a group that calls: its return address
    input  logic                 more_i,          // 1: the first group belongs to the instruction of the cycle before
    input  logic                 move_i,          // 1: moves an entry to the top: the first below the top with a ready
                                                  // thread that is in no entry above
    input  logic [WARP_SIZE-1:0] ready_mask_i,    // ready threads, for move_i
    output logic [31:0]          pc_o,            // PC of the top of read_warp_i; combinational, as all outputs
    output logic [WARP_SIZE-1:0] mask_o,          // threads of that top; 0 without one
    output logic                 empty_o,         // 1: that stack is empty
    output logic                 overflow_o,      // 1: the commit needs room for one more call; nothing is committed
    output logic                 moves_o          // 1: an entry for move_i exists
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("re_convergence_stack: WARPS must be 1 to 128");
  end
  if (WARP_SIZE < 1 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("re_convergence_stack: WARP_SIZE must be 1 to 64");
  end
  if (CALLS < 1 || CALLS > 128) begin : gen_illegal_calls
    $error("re_convergence_stack: CALLS must be 1 to 128");
  end
`endif

  logic [ENTRIES*MASK_BITS-1:0] mask_q [0:WARPS-1];  // threads of each entry
  logic [ENTRIES*PC_BITS-1:0]   pc_q   [0:WARPS-1];  // PC of each entry
  logic [ENTRIES*RPC_BITS-1:0]  rpc_q  [0:WARPS-1];  // RPC of each entry
  logic [ENTRIES*CALL_BITS-1:0] call_q [0:WARPS-1];  // entry was pushed by a call
  logic [WARPS*DEPTH_BITS-1:0]  depth_q, depth_d;  // number of entries of each warp's stack

  // --- the top that is read ---
  logic [DEPTH_BITS-1:0] read_depth;
  assign read_depth = depth_q[32'(read_warp_i)*DEPTH_BITS +: DEPTH_BITS];
  assign empty_o    = read_depth == '0;

  always_comb begin
    pc_o   = '0;
    mask_o = '0;
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (32'(read_depth) == n + 1) begin
        pc_o   = pc_q[read_warp_i][n*PC_BITS +: PC_BITS];
        mask_o = mask_q[read_warp_i][n*MASK_BITS +: MASK_BITS];
      end
    end
  end

  // --- the stack of the commit ---
  logic [ENTRIES*MASK_BITS-1:0] mask;
  logic [ENTRIES*PC_BITS-1:0]   pc;
  logic [ENTRIES*RPC_BITS-1:0]  rpc;
  logic [ENTRIES*CALL_BITS-1:0] call;
  logic [DEPTH_BITS-1:0]        depth;
  logic [WARP_SIZE-1:0]         top_mask;
  logic [31:0]                  top_pc, top_rpc, back;  // return address of the top's threads; 0: they were not called
  logic                         top_call;

  assign mask  = mask_q[commit_warp_i];
  assign pc    = pc_q[commit_warp_i];
  assign rpc   = rpc_q[commit_warp_i];
  assign call  = call_q[commit_warp_i];
  assign depth = depth_q[32'(commit_warp_i)*DEPTH_BITS +: DEPTH_BITS];

  always_comb begin
    top_mask = '0;
    top_pc   = '0;
    top_rpc  = '0;
    top_call = 1'b0;
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (32'(depth) == n + 1) begin
        top_mask = mask[n*MASK_BITS +: MASK_BITS];
        top_pc   = pc[n*PC_BITS +: PC_BITS];
        top_rpc  = rpc[n*RPC_BITS +: RPC_BITS];
        top_call = call[n];
      end
    end
  end

  always_comb begin
    back = '0;
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (call[n] && (mask[n*MASK_BITS +: MASK_BITS] & top_mask) != '0) back = rpc[n*RPC_BITS +: RPC_BITS];
    end
  end

  logic [DEPTH_BITS:0] calls;  // entries of calls after the commit; entries from depth on are 0
  always_comb begin
    calls = (DEPTH_BITS+1)'(first_call_i && first_mask_i != '0) + (DEPTH_BITS+1)'(second_call_i && second_mask_i != '0);
    for (int unsigned n = 0; n < ENTRIES; n++) calls = calls + (DEPTH_BITS+1)'(call[n]);
  end
  assign overflow_o = commit_i && !move_i && 32'(calls) > CALLS;

  // --- the entry that moves to the top ---
  logic [WARP_SIZE-1:0]  above;
  logic [DEPTH_BITS-1:0] up;

  always_comb begin
    above   = '0;
    up      = '0;
    moves_o = 1'b0;
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (!moves_o && 32'(depth) > ENTRIES - 1 - n) begin
        if (32'(depth) != ENTRIES - n && (mask[(ENTRIES-1-n)*MASK_BITS +: MASK_BITS] & ready_mask_i) != '0 &&
            (mask[(ENTRIES-1-n)*MASK_BITS +: MASK_BITS] & above) == '0) begin
          up      = DEPTH_BITS'(ENTRIES - 1 - n);
          moves_o = commit_i && move_i;
        end
        above = above | mask[(ENTRIES-1-n)*MASK_BITS +: MASK_BITS];
      end
    end
  end

  // --- the next stack ---
  // New entries are pushed above the entries that stay. The last of these may get another PC. A first group at its
  // meeting point is removed again.
  logic                  first, second;  // the group is pushed
  logic [DEPTH_BITS-1:0] stay;
  logic [31:0]           stay_pc, push_rpc;

  always_comb begin
    first    = 1'b0;
    second   = 1'b0;
    stay     = depth;
    stay_pc  = top_pc;
    push_rpc = meeting_i;
    if (more_i) begin
      push_rpc = top_rpc;
      first    = 1'b1;
    end else if (second_mask_i != '0) begin
      if (meeting_i == '0) push_rpc = back;
      if (push_rpc == '0 || (push_rpc == top_rpc && !top_call)) stay = depth - DEPTH_BITS'(1);
      else                                                      stay_pc = push_rpc;
      first  = 1'b1;
      second = second_pc_i != push_rpc;
    end else if (first_mask_i != '0) begin
      stay_pc = first_call_i ? meeting_i : first_pc_i;
      first   = first_call_i;
    end
  end

  logic [ENTRIES*MASK_BITS-1:0] mask_d;
  logic [ENTRIES*PC_BITS-1:0]   pc_d;
  logic [ENTRIES*RPC_BITS-1:0]  rpc_d;
  logic [ENTRIES*CALL_BITS-1:0] call_d;
  logic [DEPTH_BITS-1:0]        kept;  // number of entries that stay

  always_comb begin
    mask_d = mask;
    pc_d   = pc;
    rpc_d  = rpc;
    call_d = call;
    kept   = '0;
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (move_i && moves_o) begin
        if (n >= 32'(up) && n + 1 < 32'(depth) && n + 1 < ENTRIES) begin
          mask_d[n*MASK_BITS +: MASK_BITS] = mask[(n+1)%ENTRIES*MASK_BITS +: MASK_BITS];
          pc_d[n*PC_BITS +: PC_BITS]       = pc[(n+1)%ENTRIES*PC_BITS +: PC_BITS];
          rpc_d[n*RPC_BITS +: RPC_BITS]    = rpc[(n+1)%ENTRIES*RPC_BITS +: RPC_BITS];
          call_d[n]                        = call[(n+1)%ENTRIES];
        end else if (n + 1 == 32'(depth)) begin
          mask_d[n*MASK_BITS +: MASK_BITS] = mask[32'(up)*MASK_BITS +: MASK_BITS];
          pc_d[n*PC_BITS +: PC_BITS]       = pc[32'(up)*PC_BITS +: PC_BITS];
          rpc_d[n*RPC_BITS +: RPC_BITS]    = rpc[32'(up)*RPC_BITS +: RPC_BITS];
          call_d[n]                        = call[32'(up)];
        end
      end else if (!move_i) begin
        mask_d[n*MASK_BITS +: MASK_BITS] = mask[n*MASK_BITS +: MASK_BITS] & ~exit_mask_i;
        if (n + 1 == 32'(stay)) pc_d[n*PC_BITS +: PC_BITS] = stay == depth ? stay_pc : pc[n*PC_BITS +: PC_BITS];
        if (n == 32'(stay) && second) begin
          mask_d[n*MASK_BITS +: MASK_BITS] = second_mask_i;
          pc_d[n*PC_BITS +: PC_BITS]       = second_pc_i;
          rpc_d[n*RPC_BITS +: RPC_BITS]    = push_rpc;
          call_d[n]                        = second_call_i;
        end else if (n == 32'(stay) + 32'(second) && first) begin
          mask_d[n*MASK_BITS +: MASK_BITS] = first_mask_i;
          pc_d[n*PC_BITS +: PC_BITS]       = first_pc_i;
          rpc_d[n*RPC_BITS +: RPC_BITS]    = push_rpc;
          call_d[n]                        = first_call_i;
        end else if (n >= 32'(stay)) begin
          mask_d[n*MASK_BITS +: MASK_BITS] = '0;
        end
      end
      if (mask_d[n*MASK_BITS +: MASK_BITS] != '0 && pc_d[n*PC_BITS +: PC_BITS] != rpc_d[n*RPC_BITS +: RPC_BITS])
        kept = DEPTH_BITS'(n + 1);
    end
    for (int unsigned n = 0; n < ENTRIES; n++) begin
      if (n >= 32'(kept)) begin
        mask_d[n*MASK_BITS +: MASK_BITS] = '0;
        pc_d[n*PC_BITS +: PC_BITS]       = '0;
        rpc_d[n*RPC_BITS +: RPC_BITS]    = '0;
        call_d[n]                        = 1'b0;
      end
    end
  end

  logic        commits;
  logic [31:0] start_pc;
  assign commits  = commit_i && !overflow_o;
  assign start_pc = start_mask_i == '0 ? '0 : start_pc_i;

  always_comb begin
    depth_d = depth_q;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (commits && 32'(commit_warp_i) == w) depth_d[w*DEPTH_BITS +: DEPTH_BITS] = kept;
      if (start_i && 32'(start_warp_i) == w) depth_d[w*DEPTH_BITS +: DEPTH_BITS] = DEPTH_BITS'(start_mask_i != '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      depth_q <= '0;
      for (int unsigned w = 0; w < WARPS; w++) begin
        mask_q[w] <= '0;
        pc_q[w]   <= '0;
        rpc_q[w]  <= '0;
        call_q[w] <= '0;
      end
    end else begin
      depth_q <= depth_d;
      if (commits) begin
        mask_q[commit_warp_i] <= mask_d;
        pc_q[commit_warp_i]   <= pc_d;
        rpc_q[commit_warp_i]  <= rpc_d;
        call_q[commit_warp_i] <= call_d;
      end
      if (start_i) begin
        mask_q[start_warp_i] <= (ENTRIES*MASK_BITS)'(start_mask_i);
        pc_q[start_warp_i]   <= (ENTRIES*PC_BITS)'(start_pc);
        rpc_q[start_warp_i]  <= '0;
        call_q[start_warp_i] <= '0;
      end
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
