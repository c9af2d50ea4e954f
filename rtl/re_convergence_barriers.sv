// re_convergence_barriers: records where diverged threads wait for each other (divergence.md §5, HARP's barriers). Twin
// of model/divergence/re_convergence_barriers.h.
//
// A barrier has an RPC, a work-group and, for each lane, the row of a thread and whether the thread has reached the
// RPC. The row of a thread modulo BARRIER_SETS selects the set of barriers in which the thread's slots are. A free
// barrier and a free slot are 0.
//
// In a cycle, these steps follow each other: the complete barrier fires; threads exit; threads reserve slots, lane by
// lane; threads arrive at a PC.
/* verilator lint_off WIDTHCONCAT */  // rows of many barriers are that wide
module re_convergence_barriers #(
    parameter  logic [31:0] BARRIER_SETS  = 8,                              // sets of barriers, 1–64
    parameter  logic [31:0] WAYS          = 16,                             // barriers of a set, 1–16; at most 128
                                                                            // barriers in all
    parameter  logic [31:0] LANES         = 16,                             // lanes of the SM, 1–32
    parameter  logic [31:0] GROUPS        = 8,                              // slots for work-groups, 1–64
    parameter  logic [31:0] REGISTER_ROWS = 64,                             // rows of the register file, 2–1024
    localparam logic [31:0] BARRIERS      = BARRIER_SETS * WAYS,
    localparam logic [31:0] BARRIER_BITS  = BARRIERS > 1 ? $clog2(BARRIERS) : 1,
    localparam logic [31:0] GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam logic [31:0] RPC_BITS      = 32,                             // NAME_BITS: bits of a NAME element
    localparam logic [31:0] MASK_BITS     = LANES,
    localparam logic [31:0] REACHED_BITS  = LANES,
    localparam logic [31:0] ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam logic [31:0] ROWS_BITS     = ROW_BITS
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       fire_i,       // 1: the complete barrier at the outputs fires; without one no
                                                     // effect
    input  logic [LANES-1:0]           exit_i,       // lanes whose threads, with their rows in rows_i, exit; no barrier
                                                     // waits for them any longer
    input  logic [LANES-1:0]           reserve_i,    // lanes whose threads diverge and reserve a slot for their
                                                     // reconvergence
    input  logic [31:0]                rpc_i,        // PC of the reconvergence, not 0
    input  logic [GROUP_BITS-1:0]      group_i,      // slot of their work-group
    input  logic                       gone_i,       // 1: a barrier was freed just before and must not be taken
    input  logic [BARRIER_BITS-1:0]    gone_barrier_i,  // number of that barrier
    input  logic [LANES-1:0]           arrive_i,     // lanes whose threads arrive at arrive_pc_i
    input  logic [31:0]                arrive_pc_i,  // PC at which these threads arrive
    input  logic [LANES*ROWS_BITS-1:0] rows_i,       // row of the thread in each lane
    output logic                       complete_o,   // registered; 1: all threads of a barrier have reached it
    output logic [BARRIER_BITS-1:0]    barrier_o,    // number of the first such barrier; 0 without one
    output logic [31:0]                pc_o,         // PC of the warp that the barrier makes
    output logic [GROUP_BITS-1:0]      group_o,      // work-group of that warp
    output logic [LANES-1:0]           mask_o,       // lanes of that warp
    output logic [LANES*ROWS_BITS-1:0] rows_o,       // row of each lane of that warp
    output logic [LANES-1:0]           shared_o,     // combinational; lanes that reserved a slot of a barrier made by
                                                     // other threads
    output logic [LANES-1:0]           missed_o,     // combinational; lanes that found no slot
    output logic [LANES-1:0]           waits_o       // combinational; lanes whose threads arrive at a barrier and wait
                                                     // there
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (BARRIER_SETS < 1 || BARRIER_SETS > 64) begin : gen_illegal_sets
    $error("re_convergence_barriers: BARRIER_SETS must be 1 to 64");
  end
  if (WAYS < 1 || WAYS > 16 || BARRIERS > 128) begin : gen_illegal_ways
    $error("re_convergence_barriers: WAYS must be 1 to 16, and there are at most 128 barriers");
  end
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("re_convergence_barriers: LANES must be 1 to 32");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("re_convergence_barriers: GROUPS must be 1 to 64");
  end
  if (REGISTER_ROWS < 2 || REGISTER_ROWS > 1024) begin : gen_illegal_rows
    $error("re_convergence_barriers: REGISTER_ROWS must be 2 to 1024");
  end
`endif

  logic [BARRIERS*RPC_BITS-1:0]       rpc_d, rpc_q;          // RPC of each barrier; 0: the barrier is free
  logic [BARRIERS*GROUP_BITS-1:0]     group_d, group_q;      // work-group of the barrier
  logic [BARRIERS*MASK_BITS-1:0]      mask_d, mask_q;        // lanes with a thread
  logic [BARRIERS*REACHED_BITS-1:0]   reached_d, reached_q;  // lanes of mask_q whose thread has reached the RPC
  logic [BARRIERS*LANES*ROW_BITS-1:0] row_d, row_q;          // row of the thread in each lane

  // --- the first complete barrier ---
  always_comb begin
    complete_o = 1'b0;
    barrier_o  = '0;
    pc_o       = '0;
    group_o    = '0;
    mask_o     = '0;
    rows_o     = '0;
    for (int unsigned n = 0; n < BARRIERS; n++) begin
      if (!complete_o && mask_q[n*MASK_BITS +: MASK_BITS] != '0 &&
          reached_q[n*REACHED_BITS +: REACHED_BITS] == mask_q[n*MASK_BITS +: MASK_BITS]) begin
        complete_o = 1'b1;
        barrier_o  = BARRIER_BITS'(n);
        pc_o       = rpc_q[n*RPC_BITS +: RPC_BITS];
        group_o    = group_q[n*GROUP_BITS +: GROUP_BITS];
        mask_o     = mask_q[n*MASK_BITS +: MASK_BITS];
        rows_o     = row_q[n*LANES*ROW_BITS +: LANES*ROW_BITS];
      end
    end
  end

  // --- threads, one by one ---
  // For a thread: its row, and three kinds of ways in its set: a way holds the thread at the PC (held), has room for it
  // at this PC (room), or is free (unused). Each kind has a flag and the first such way.
  logic [ROW_BITS-1:0]     row;
  int unsigned             first, n;  // first barrier of the set; a way of the set
  logic                    held, room, unused;
  logic [BARRIER_BITS-1:0] at_room, at_unused, at;

  always_comb begin
    rpc_d     = rpc_q;
    group_d   = group_q;
    mask_d    = mask_q;
    reached_d = reached_q;
    row_d     = row_q;
    shared_o  = '0;
    missed_o  = '0;
    waits_o   = '0;
    row       = '0;
    first     = 0;
    n         = 0;
    held      = 1'b0;
    room      = 1'b0;
    unused    = 1'b0;
    at_room   = '0;
    at_unused = '0;
    at        = '0;
    if (fire_i && complete_o) begin
      rpc_d[32'(barrier_o)*RPC_BITS +: RPC_BITS]             = '0;
      group_d[32'(barrier_o)*GROUP_BITS +: GROUP_BITS]       = '0;
      mask_d[32'(barrier_o)*MASK_BITS +: MASK_BITS]          = '0;
      reached_d[32'(barrier_o)*REACHED_BITS +: REACHED_BITS] = '0;
      row_d[32'(barrier_o)*LANES*ROW_BITS +: LANES*ROW_BITS] = '0;
    end
    for (int unsigned k = 0; k < LANES; k++) begin
      row   = rows_i[k*ROWS_BITS +: ROWS_BITS];
      first = 32'(row) % BARRIER_SETS * WAYS;
      for (int unsigned way = 0; way < WAYS; way++) begin
        n = first + way;
        if (exit_i[k] && mask_d[n*MASK_BITS+k] && row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] == row) begin
          mask_d[n*MASK_BITS+k]                   = 1'b0;
          reached_d[n*REACHED_BITS+k]             = 1'b0;
          row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] = '0;
          if (mask_d[n*MASK_BITS +: MASK_BITS] == '0) begin
            rpc_d[n*RPC_BITS +: RPC_BITS]       = '0;
            group_d[n*GROUP_BITS +: GROUP_BITS] = '0;
          end
        end
      end
    end
    for (int unsigned k = 0; k < LANES; k++) begin
      row    = rows_i[k*ROWS_BITS +: ROWS_BITS];
      first  = 32'(row) % BARRIER_SETS * WAYS;
      held   = 1'b0;
      room   = 1'b0;
      unused = 1'b0;
      for (int unsigned way = 0; way < WAYS; way++) begin
        n = first + way;
        if (rpc_d[n*RPC_BITS +: RPC_BITS] == rpc_i && mask_d[n*MASK_BITS+k] &&
            row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] == row) held = 1'b1;
        if (!room && rpc_d[n*RPC_BITS +: RPC_BITS] == rpc_i && group_d[n*GROUP_BITS +: GROUP_BITS] == group_i &&
            !mask_d[n*MASK_BITS+k] &&
            reached_d[n*REACHED_BITS +: REACHED_BITS] != mask_d[n*MASK_BITS +: MASK_BITS]) begin
          room    = 1'b1;
          at_room = BARRIER_BITS'(n);
        end
        if (!unused && rpc_d[n*RPC_BITS +: RPC_BITS] == '0 && !(gone_i && 32'(gone_barrier_i) == n)) begin
          unused    = 1'b1;
          at_unused = BARRIER_BITS'(n);
        end
      end
      if (reserve_i[k] && !held) begin
        shared_o[k] = room;
        missed_o[k] = !room && !unused;
        at          = room ? at_room : at_unused;
        if (room || unused) begin
          rpc_d[32'(at)*RPC_BITS +: RPC_BITS]             = rpc_i;
          group_d[32'(at)*GROUP_BITS +: GROUP_BITS]       = group_i;
          mask_d[32'(at)*MASK_BITS+k]                     = 1'b1;
          row_d[(32'(at)*LANES+k)*ROW_BITS +: ROW_BITS]   = row;
        end
      end
    end
    for (int unsigned k = 0; k < LANES; k++) begin
      row   = rows_i[k*ROWS_BITS +: ROWS_BITS];
      first = 32'(row) % BARRIER_SETS * WAYS;
      for (int unsigned way = 0; way < WAYS; way++) begin
        n = first + way;
        if (arrive_i[k] && rpc_d[n*RPC_BITS +: RPC_BITS] == arrive_pc_i && mask_d[n*MASK_BITS+k] &&
            row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] == row) begin
          reached_d[n*REACHED_BITS+k] = 1'b1;
          waits_o[k]                  = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rpc_q     <= '0;
      group_q   <= '0;
      mask_q    <= '0;
      reached_q <= '0;
      row_q     <= '0;
    end else begin
      rpc_q     <= rpc_d;
      group_q   <= group_d;
      mask_q    <= mask_d;
      reached_q <= reached_d;
      row_q     <= row_d;
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
