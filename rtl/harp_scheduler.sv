// harp_scheduler: the whole of HARP: its blocks, wired up, and the registers between them (divergence.md §5). Twin of
// model/divergence/harp_scheduler.h.
//
// Blocks: second_level, a second instance of it for warps parked at work-group barriers, warp_lookup twice, and
// re_convergence_barriers. Registers: the First-Level, warps that found the Waiting-Lookup full, the stages of the
// barriers' table, and the choice of departures. The actions of the pipeline are inputs: which instruction can be
// committed, goes to memory, or has its access done; and what the committed instruction did.
//
// No block does two things in one clock. A cycle of the machine therefore takes several clocks:
// - choose_i: the departures are chosen; no warp moves.
// - step_i: all chosen warps depart.
// - further clocks while busy_o is 1, with one arrival each: a warp in the Waiting-Lookup, a group of threads, or a
//   parked warp.
//
// Between cycles, while busy_o is 0, the pipeline reports one event a clock. A place without a warp is 0.
/* verilator lint_off WIDTHCONCAT */  // rows of many warps are that wide
module harp_scheduler #(
    parameter  logic [31:0] LANES            = 16,  // lanes of the SM, 1–32
    parameter  logic [31:0] QUEUE            = 64,  // threads of the scheduler, and so at most as many warps, 1–1024
    parameter  logic [31:0] FIRST_LEVEL      = 16,  // warps of the First-Level, 1–64
    parameter  logic [31:0] READY_SLOTS      = 8,   // entries of the Ready-Lookup, 1–16
    parameter  logic [31:0] WAITING_SLOTS    = 8,   // entries of the Waiting-Lookup, 1–16
    parameter  logic [31:0] BARRIER_SETS     = 8,   // sets of the barriers' table, 1–64
    parameter  logic [31:0] WAYS             = 16,  // barriers of a set, 1–16; at most 128 barriers in all
    parameter  logic [31:0] STAGES           = 1,   // stages of the barriers' table, 1–4: groups arrive STAGES - 1
                                                    // cycles after their commit
    parameter  logic [31:0] GROUPS           = 8,   // slots for work-groups, 1–64
    parameter  logic [31:0] REGISTER_ROWS    = 64,  // rows of the register file, 2–1024
    localparam logic [31:0] GROUP_BITS       = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam logic [31:0] ROW_BITS         = $clog2(REGISTER_ROWS),
    localparam logic [31:0] WORD             = LANES * ROW_BITS,
    localparam logic [31:0] FL_COUNT_BITS    = $clog2(FIRST_LEVEL + 1),
    localparam logic [31:0] QUEUE_COUNT_BITS = $clog2(QUEUE + 1),
    localparam logic [31:0] READY_BITS       = READY_SLOTS > 1 ? $clog2(READY_SLOTS) : 1,
    localparam logic [31:0] READY_COUNT_BITS = $clog2(READY_SLOTS + 1),
    localparam logic [31:0] WAITING_BITS     = WAITING_SLOTS > 1 ? $clog2(WAITING_SLOTS) : 1,
    localparam logic [31:0] WAITING_COUNT_BITS = $clog2(WAITING_SLOTS + 1),
    localparam logic [31:0] BARRIERS         = BARRIER_SETS * WAYS,
    localparam logic [31:0] BARRIER_BITS     = BARRIERS > 1 ? $clog2(BARRIERS) : 1,
    localparam logic [31:0] AT_BITS          = 10,        // place in the First-Level, slot, or place of a warp that
                                                          // found the Waiting-Lookup full
    localparam logic [31:0] ROWS_BITS        = ROW_BITS,  // NAME_BITS: bits of a NAME element
    localparam logic [31:0] NEXT_BITS        = 32,
    localparam logic [31:0] COMMIT_ROWS_BITS = ROW_BITS,
    localparam logic [31:0] ISSUE_ROWS_BITS  = ROW_BITS,
    localparam logic [31:0] READY_ROWS_BITS  = ROW_BITS,
    localparam logic [31:0] FL_PC_BITS       = 32,
    localparam logic [31:0] FL_GROUP_BITS    = GROUP_BITS,
    localparam logic [31:0] FL_MASK_BITS     = LANES,
    localparam logic [31:0] FL_ROW_BITS      = ROW_BITS,
    localparam logic [31:0] FL_NUMBER_BITS   = 32,
    localparam logic [31:0] SLOT_READY_BITS  = LANES,
    localparam logic [31:0] SLOT_NUMBER_BITS = 32,
    localparam logic [31:0] WAIT_PC_BITS     = 32,
    localparam logic [31:0] WAIT_GROUP_BITS  = GROUP_BITS,
    localparam logic [31:0] WAIT_MASK_BITS   = LANES,
    localparam logic [31:0] WAIT_ROW_BITS    = ROW_BITS,
    localparam logic [31:0] WAIT_READY_BITS  = LANES,
    localparam logic [31:0] WAIT_NUMBER_BITS = 32,
    localparam logic [31:0] STAGE_PC_BITS    = 32,
    localparam logic [31:0] STAGE_GROUP_BITS = GROUP_BITS,
    localparam logic [31:0] STAGE_MASK_BITS  = LANES,
    localparam logic [31:0] STAGE_ROW_BITS   = ROW_BITS,
    localparam logic [31:0] STAGE_NEXT_BITS  = 32
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              start_i,         // 1: the warp at the inputs begins; at most one of
                                                               // start_i to release_i is not 0
    input  logic                              due_i,           // 1: the warp number_i of the First-Level can be
                                                               // committed
    input  logic                              memory_i,        // 1: that warp goes to the Waiting-Lookup in this cycle
    input  logic [LANES-1:0]                  done_i,          // lanes of the threads, with their rows in rows_i, whose
                                                               // access is done
    input  logic                              release_i,       // 1: the barrier of work-group group_i opens
    input  logic [31:0]                       number_i,        // number of a warp of the First-Level
    input  logic [31:0]                       pc_i,            // PC of the warp that begins
    input  logic [GROUP_BITS-1:0]             group_i,         // slot of a work-group
    input  logic [LANES-1:0]                  mask_i,          // lanes of the warp that begins
    input  logic [LANES*ROWS_BITS-1:0]        rows_i,          // row of the thread in each lane
    input  logic                              choose_i,        // 1: a cycle begins: departures are chosen
    input  logic                              issues_i,        // 1: with choose_i: a warp is issued
    input  logic                              step_i,          // 1: the chosen warps depart; the next three inputs are
                                                               // the outcome of the committed one
    input  logic [LANES*NEXT_BITS-1:0]        next_i,          // PC to which the thread in each of its lanes goes; 0:
                                                               // the thread exits
    input  logic [31:0]                       meeting_i,       // PC at which diverging threads meet again; 0: they do
                                                               // not
    input  logic                              waits_i,         // 1: its threads wait at a barrier of their work-group
                                                               // first
    output logic                              commit_o,        // combinational; 1: a warp is committed, with choose_i
    output logic [31:0]                       commit_pc_o,     // PC of the committed warp
    output logic [GROUP_BITS-1:0]             commit_group_o,  // work-group of the committed warp
    output logic [LANES-1:0]                  commit_mask_o,   // lanes of the committed warp
    output logic [LANES*COMMIT_ROWS_BITS-1:0] commit_rows_o,   // row of each lane of the committed warp
    output logic                              issue_o,         // combinational; 1: a warp is issued, with choose_i
    output logic [31:0]                       issue_number_o,  // number of the issued warp
    output logic [31:0]                       issue_pc_o,      // PC of the issued warp
    output logic [GROUP_BITS-1:0]             issue_group_o,   // work-group of the issued warp
    output logic [LANES-1:0]                  issue_mask_o,    // lanes of the issued warp
    output logic [LANES*ISSUE_ROWS_BITS-1:0]  issue_rows_o,    // row of each lane of the issued warp
    output logic                              busy_o,          // registered; 1: the cycle needs another clock
    output logic                              ready_o,         // combinational; 1: a warp enters the Second-Level
    output logic [31:0]                       ready_pc_o,      // PC of the entering warp
    output logic [GROUP_BITS-1:0]             ready_group_o,   // work-group of the entering warp
    output logic [LANES-1:0]                  ready_mask_o,    // lanes of the entering warp
    output logic [LANES*READY_ROWS_BITS-1:0]  ready_rows_o,    // row of each lane of the entering warp
    output logic [LANES-1:0]                  met_o,           // combinational; lanes whose threads arrive at a barrier
                                                               // and wait there
    output logic                              complete_o,      // registered; 1: all threads of a barrier wait there
    output logic [BARRIER_BITS-1:0]           barrier_o,       // number of the first such barrier; 0 without one
    output logic [QUEUE_COUNT_BITS-1:0]       second_count_o,  // registered; number of warps in the Second-Level
    output logic [READY_COUNT_BITS-1:0]       ready_count_o,   // registered; number of warps in the Ready-Lookup
    output logic [WAITING_COUNT_BITS-1:0]     waiting_count_o,  // registered; number of warps in the Waiting-Lookup
    output logic [QUEUE_COUNT_BITS-1:0]       parked_count_o   // registered; number of warps parked at work-group
                                                               // barriers
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("harp_scheduler: LANES must be 1 to 32");
  end
  if (QUEUE < 1 || QUEUE > 1024) begin : gen_illegal_queue
    $error("harp_scheduler: QUEUE must be 1 to 1024");
  end
  if (FIRST_LEVEL < 1 || FIRST_LEVEL > 64) begin : gen_illegal_first_level
    $error("harp_scheduler: FIRST_LEVEL must be 1 to 64");
  end
  if (STAGES < 1 || STAGES > 4) begin : gen_illegal_stages
    $error("harp_scheduler: STAGES must be 1 to 4");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("harp_scheduler: GROUPS must be 1 to 64");
  end
  if (REGISTER_ROWS < 2 || REGISTER_ROWS > 1024) begin : gen_illegal_rows
    $error("harp_scheduler: REGISTER_ROWS must be 2 to 1024");
  end
`endif

  // Where the committed warp comes from.
  localparam logic [1:0] NONE = 2'd0, FIRST = 2'd1, LOOKUP = 2'd2, SECOND = 2'd3;

  logic [FIRST_LEVEL*FL_PC_BITS-1:0]     fl_pc_d, fl_pc_q;  // PC of each warp of the First-Level, oldest first
  logic [FIRST_LEVEL*FL_GROUP_BITS-1:0]  fl_group_d, fl_group_q;  // work-group of each warp of the First-Level
  logic [FIRST_LEVEL*FL_MASK_BITS-1:0]   fl_mask_d, fl_mask_q;  // lanes of each warp of the First-Level
  logic [FIRST_LEVEL*LANES*FL_ROW_BITS-1:0] fl_row_d, fl_row_q;  // row of each lane of the First-Level's warps
  logic [FIRST_LEVEL*FL_NUMBER_BITS-1:0] fl_number_d, fl_number_q;  // number of each warp of the First-Level
  logic [FIRST_LEVEL-1:0]                fl_issued_d, fl_issued_q;  // warp has been issued
  logic [FIRST_LEVEL-1:0]                fl_due_d, fl_due_q;        // warp can be committed
  logic [FIRST_LEVEL-1:0]                fl_memory_d, fl_memory_q;  // warp goes to the Waiting-Lookup
  logic [FL_COUNT_BITS-1:0]              fl_count_d, fl_count_q;    // number of warps in the First-Level
  logic [31:0]                           number_d, number_q;        // number that the next warp of the First-Level gets
  logic [WAITING_SLOTS*SLOT_READY_BITS-1:0]  slot_ready_d, slot_ready_q;    // Waiting-Lookup: lanes whose access is
                                                                            // done
  logic [WAITING_SLOTS*SLOT_NUMBER_BITS-1:0] slot_number_d, slot_number_q;  // number of the thread group of the entry
                                                                            // that was issued first
  logic [QUEUE*WAIT_PC_BITS-1:0]         wait_pc_d, wait_pc_q;      // PC of each warp that found the Waiting-Lookup
                                                                    // full
  logic [QUEUE*WAIT_GROUP_BITS-1:0]      wait_group_d, wait_group_q;  // work-group of each warp that found the
                                                                      // Waiting-Lookup full
  logic [QUEUE*WAIT_MASK_BITS-1:0]       wait_mask_d, wait_mask_q;  // lanes of each warp that found the Waiting-Lookup
                                                                    // full
  logic [QUEUE*LANES*WAIT_ROW_BITS-1:0]  wait_row_d, wait_row_q;  // row of each lane
  logic [QUEUE*WAIT_READY_BITS-1:0]      wait_ready_d, wait_ready_q;  // lanes of wait_mask_q whose access is done
  logic [QUEUE*WAIT_NUMBER_BITS-1:0]     wait_number_d, wait_number_q;  // number of each warp that found the
                                                                        // Waiting-Lookup full
  logic [STAGES*STAGE_PC_BITS-1:0]       stage_pc_d, stage_pc_q;    // PC of each group in the stages of the barriers'
                                                                    // table that has not arrived
  logic [STAGES*STAGE_GROUP_BITS-1:0]    stage_group_d, stage_group_q;  // work-group of each group in the stages of the
                                                                        // barriers' table
  logic [STAGES*STAGE_MASK_BITS-1:0]     stage_mask_d, stage_mask_q;  // lanes of each group in the stages of the
                                                                      // barriers' table
  logic [STAGES*LANES*STAGE_ROW_BITS-1:0] stage_row_d, stage_row_q;  // row of each lane
  logic [STAGES*LANES*STAGE_NEXT_BITS-1:0] stage_next_d, stage_next_q;  // PC to which the thread in each lane goes
  logic [STAGES-1:0]                     stage_parted_d, stage_parted_q;  // the threads diverged
  logic [1:0]                            source_d, source_q;        // chosen: origin of the committed warp
  logic [AT_BITS-1:0]                    at_d, at_q;                // chosen: its place there
  logic                                  fire_d, fire_q;            // chosen: a barrier fires and its warp goes to the
                                                                    // Second-Level
  logic                                  lookup_d, lookup_q;        // chosen: the oldest entry of the Ready-Lookup goes
                                                                    // to the Second-Level
  logic                                  forward_d, forward_q;      // chosen: the oldest warp of the Second-Level goes
                                                                    // to the First-Level
  logic [GROUPS-1:0]                     released_d, released_q;    // work-groups whose barrier has opened
  logic [QUEUE_COUNT_BITS-1:0]           unparks_d, unparks_q;      // parked warps that have not been checked since a
                                                                    // barrier opened
  logic                                  stepping_d, stepping_q;    // 1: a clock after step_i in which warps arrive

  // --- the arrival of this clock ---
  logic goes, settles, unparks;

  assign busy_o     = stepping_q && (fl_memory_q != '0 || stage_mask_q[STAGE_MASK_BITS-1:0] != '0 || unparks_q != '0);
  assign goes       = busy_o && fl_memory_q != '0;
  assign settles    = busy_o && fl_memory_q == '0 && stage_mask_q[STAGE_MASK_BITS-1:0] != '0;
  assign unparks    = busy_o && fl_memory_q == '0 && stage_mask_q[STAGE_MASK_BITS-1:0] == '0;
  assign stepping_d = step_i || busy_o;

  // --- the choice of departures ---
  logic [WAITING_SLOTS*LANES-1:0] slot_mask;
  logic [1:0]                     source;
  logic [AT_BITS-1:0]             at;
  logic [31:0]                    oldest;

  always_comb begin
    source = NONE;
    at     = '0;
    oldest = '0;
    for (int unsigned n = 0; n < FIRST_LEVEL; n++) begin
      if (fl_due_q[n] && (source == NONE || is_before(fl_number_q[n*FL_NUMBER_BITS +: FL_NUMBER_BITS], oldest))) begin
        source = FIRST;
        at     = AT_BITS'(n);
        oldest = fl_number_q[n*FL_NUMBER_BITS +: FL_NUMBER_BITS];
      end
    end
    for (int unsigned n = 0; n < WAITING_SLOTS; n++) begin
      if (slot_mask[n*LANES +: LANES] != '0 &&
          slot_ready_q[n*SLOT_READY_BITS +: SLOT_READY_BITS] == slot_mask[n*LANES +: LANES] &&
          (source == NONE || is_before(slot_number_q[n*SLOT_NUMBER_BITS +: SLOT_NUMBER_BITS], oldest))) begin
        source = LOOKUP;
        at     = AT_BITS'(n);
        oldest = slot_number_q[n*SLOT_NUMBER_BITS +: SLOT_NUMBER_BITS];
      end
    end
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (wait_mask_q[n*WAIT_MASK_BITS +: WAIT_MASK_BITS] != '0 &&
          wait_ready_q[n*WAIT_READY_BITS +: WAIT_READY_BITS] == wait_mask_q[n*WAIT_MASK_BITS +: WAIT_MASK_BITS] &&
          (source == NONE || is_before(wait_number_q[n*WAIT_NUMBER_BITS +: WAIT_NUMBER_BITS], oldest))) begin
        source = SECOND;
        at     = AT_BITS'(n);
        oldest = wait_number_q[n*WAIT_NUMBER_BITS +: WAIT_NUMBER_BITS];
      end
    end
  end

  assign source_d  = choose_i ? source : source_q;
  assign at_d      = choose_i ? at : at_q;
  assign fire_d    = choose_i ? complete_o : fire_q;
  assign lookup_d  = choose_i ? !complete_o && 32'(second_count_o) < 2 && ready_count_o != '0 : lookup_q;
  assign forward_d = choose_i ? second_count_o != '0 && 32'(fl_count_q) < FIRST_LEVEL : forward_q;

  // The committed warp, when it is chosen and when it departs.
  logic [31:0]           its_pc, slot_pc;
  logic [GROUP_BITS-1:0] its_group, slot_group;
  logic [LANES-1:0]      its_mask, leaving_mask;
  logic [WORD-1:0]       its_rows, slot_rows;

  always_comb begin
    its_pc    = '0;
    its_group = '0;
    its_mask  = '0;
    its_rows  = '0;
    for (int unsigned n = 0; n < FIRST_LEVEL; n++) begin
      if (source_d == FIRST && 32'(at_d) == n) begin
        its_pc    = fl_pc_q[n*FL_PC_BITS +: FL_PC_BITS];
        its_group = fl_group_q[n*FL_GROUP_BITS +: FL_GROUP_BITS];
        its_mask  = fl_mask_q[n*FL_MASK_BITS +: FL_MASK_BITS];
        its_rows  = fl_row_q[n*WORD +: WORD];
      end
    end
    if (source_d == LOOKUP) begin
      its_pc    = slot_pc;
      its_group = slot_group;
      its_mask  = leaving_mask;
      its_rows  = those(slot_rows, leaving_mask);
    end
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (source_d == SECOND && 32'(at_d) == n) begin
        its_pc    = wait_pc_q[n*WAIT_PC_BITS +: WAIT_PC_BITS];
        its_group = wait_group_q[n*WAIT_GROUP_BITS +: WAIT_GROUP_BITS];
        its_mask  = wait_mask_q[n*WAIT_MASK_BITS +: WAIT_MASK_BITS];
        its_rows  = wait_row_q[n*WORD +: WORD];
      end
    end
  end

  assign commit_o       = choose_i && source != NONE;
  assign commit_pc_o    = commit_o ? its_pc : '0;
  assign commit_group_o = commit_o ? its_group : '0;
  assign commit_mask_o  = commit_o ? its_mask : '0;
  assign commit_rows_o  = commit_o ? its_rows : '0;

  // --- the first group: the threads at the next instruction, else those with the lowest PC ---
  logic [31:0]                its_next, group_pc;
  logic [LANES-1:0]           group, those_left;
  logic [LANES*NEXT_BITS-1:0] nexts;
  logic [LANES-1:0]           living;
  logic                       commits, parks, parted;

  assign commits    = step_i && source_q != NONE;
  assign parks      = commits && waits_i;
  assign nexts      = settles ? stage_next_q[LANES*STAGE_NEXT_BITS-1:0] : next_i;
  assign its_next   = (settles ? stage_pc_q[STAGE_PC_BITS-1:0] : its_pc) + 32'd4;
  assign those_left = settles ? stage_mask_q[STAGE_MASK_BITS-1:0] : living;

  always_comb begin
    for (int unsigned k = 0; k < LANES; k++) living[k] = commits && its_mask[k] && next_i[k*NEXT_BITS +: NEXT_BITS] != '0;
  end

  always_comb begin
    group_pc = its_next;
    group    = '0;
    for (int unsigned k = 0; k < LANES; k++) group[k] = those_left[k] && nexts[k*NEXT_BITS +: NEXT_BITS] == its_next;
    if (group == '0) begin
      group_pc = '1;
      for (int unsigned k = 0; k < LANES; k++) begin
        if (those_left[k] && nexts[k*NEXT_BITS +: NEXT_BITS] < group_pc) group_pc = nexts[k*NEXT_BITS +: NEXT_BITS];
      end
      for (int unsigned k = 0; k < LANES; k++) group[k] = those_left[k] && nexts[k*NEXT_BITS +: NEXT_BITS] == group_pc;
    end
  end

  assign parted = group != living || (living != '0 && living != its_mask);

  // --- the First-Level ---
  logic                  fl_leaves, fl_comes;
  logic [31:0]           fl_leaver, fl_end;
  logic [31:0]           first_pc;
  logic [GROUP_BITS-1:0] first_group;
  logic [LANES-1:0]      first_mask;
  logic [WORD-1:0]       first_rows;
  logic [LANES-1:0]      memory_mask;
  logic [31:0]           memory_pc, memory_number;
  logic [GROUP_BITS-1:0] memory_group;
  logic [WORD-1:0]       memory_rows;
  logic                  last;
  int unsigned           behind;

  assign fl_leaves  = goes || (step_i && source_q == FIRST);
  assign fl_comes   = step_i && forward_q;
  assign fl_end     = 32'(fl_count_q) - 32'(fl_leaves);
  assign fl_count_d = FL_COUNT_BITS'(fl_end) + FL_COUNT_BITS'(fl_comes);
  assign number_d   = number_q + 32'(fl_comes);

  // Selects the oldest warp of the First-Level that goes to the Waiting-Lookup, since it accesses memory.
  always_comb begin
    fl_leaver     = 32'(at_q);
    memory_pc     = '0;
    memory_group  = '0;
    memory_mask   = '0;
    memory_rows   = '0;
    memory_number = '0;
    for (int unsigned n = FIRST_LEVEL; n > 0; n--) begin
      if (goes && fl_memory_q[n-1]) begin
        fl_leaver     = n - 1;
        memory_pc     = fl_pc_q[(n-1)*FL_PC_BITS +: FL_PC_BITS];
        memory_group  = fl_group_q[(n-1)*FL_GROUP_BITS +: FL_GROUP_BITS];
        memory_mask   = fl_mask_q[(n-1)*FL_MASK_BITS +: FL_MASK_BITS];
        memory_rows   = fl_row_q[(n-1)*WORD +: WORD];
        memory_number = fl_number_q[(n-1)*FL_NUMBER_BITS +: FL_NUMBER_BITS];
      end
    end
  end

  always_comb begin
    fl_pc_d     = fl_pc_q;
    fl_group_d  = fl_group_q;
    fl_mask_d   = fl_mask_q;
    fl_row_d    = fl_row_q;
    fl_number_d = fl_number_q;
    fl_issued_d = fl_issued_q;
    fl_due_d    = fl_due_q;
    fl_memory_d = fl_memory_q;
    behind      = 0;
    last        = 1'b0;
    for (int unsigned n = 0; n < FIRST_LEVEL; n++) begin
      behind = (n + 1) % FIRST_LEVEL;  // the entry that moves up, if there is one
      last   = n + 1 == FIRST_LEVEL;
      if (fl_leaves && n >= fl_leaver) begin
        fl_pc_d[n*FL_PC_BITS +: FL_PC_BITS]             = last ? '0 : fl_pc_q[behind*FL_PC_BITS +: FL_PC_BITS];
        fl_group_d[n*FL_GROUP_BITS +: FL_GROUP_BITS]    = last ? '0 : fl_group_q[behind*FL_GROUP_BITS +: FL_GROUP_BITS];
        fl_mask_d[n*FL_MASK_BITS +: FL_MASK_BITS]       = last ? '0 : fl_mask_q[behind*FL_MASK_BITS +: FL_MASK_BITS];
        fl_row_d[n*WORD +: WORD]                        = last ? '0 : fl_row_q[behind*WORD +: WORD];
        fl_number_d[n*FL_NUMBER_BITS +: FL_NUMBER_BITS] = last ? '0 : fl_number_q[behind*FL_NUMBER_BITS +: FL_NUMBER_BITS];
        fl_issued_d[n]                                  = !last && fl_issued_q[behind];
        fl_due_d[n]                                     = !last && fl_due_q[behind];
        fl_memory_d[n]                                  = !last && fl_memory_q[behind];
      end
      if (fl_comes && fl_end == n) begin
        fl_pc_d[n*FL_PC_BITS +: FL_PC_BITS]             = first_pc;
        fl_group_d[n*FL_GROUP_BITS +: FL_GROUP_BITS]    = first_group;
        fl_mask_d[n*FL_MASK_BITS +: FL_MASK_BITS]       = first_mask;
        fl_row_d[n*WORD +: WORD]                        = first_rows;
        fl_number_d[n*FL_NUMBER_BITS +: FL_NUMBER_BITS] = number_q;
      end
      if (n < 32'(fl_count_q) && fl_number_q[n*FL_NUMBER_BITS +: FL_NUMBER_BITS] == number_i) begin
        if (due_i) fl_due_d[n] = 1'b1;
        if (memory_i) fl_memory_d[n] = 1'b1;
      end
      if (n < 32'(fl_count_q) && fl_number_q[n*FL_NUMBER_BITS +: FL_NUMBER_BITS] == issue_number_o) begin
        if (issue_o) fl_issued_d[n] = 1'b1;
      end
    end
  end

  // The first warp that has not been issued.
  always_comb begin
    issue_o        = 1'b0;
    issue_number_o = '0;
    issue_pc_o     = '0;
    issue_group_o  = '0;
    issue_mask_o   = '0;
    issue_rows_o   = '0;
    for (int unsigned n = FIRST_LEVEL; n > 0; n--) begin
      if (choose_i && issues_i && n <= 32'(fl_count_q) && !fl_issued_q[n-1]) begin
        issue_o        = 1'b1;
        issue_number_o = fl_number_q[(n-1)*FL_NUMBER_BITS +: FL_NUMBER_BITS];
        issue_pc_o     = fl_pc_q[(n-1)*FL_PC_BITS +: FL_PC_BITS];
        issue_group_o  = fl_group_q[(n-1)*FL_GROUP_BITS +: FL_GROUP_BITS];
        issue_mask_o   = fl_mask_q[(n-1)*FL_MASK_BITS +: FL_MASK_BITS];
        issue_rows_o   = fl_row_q[(n-1)*WORD +: WORD];
      end
    end
  end

  // --- the Waiting-Lookup, and the warps that find it full ---
  logic [WAITING_SLOTS*LANES-1:0]          slot_came;
  logic [WAITING_SLOTS*LANES*ROW_BITS-1:0] slot_row;
  logic [LANES-1:0]                        bypass;
  logic [WAITING_BITS-1:0]                 unused_oldest;
  logic                                    unused_full, unused_ready_full, placed;
  logic [LANES-1:0]                        unused_joined, unused_ready_joined;
  logic [READY_SLOTS*LANES-1:0]            unused_ready_masks, unused_ready_came;
  logic [READY_SLOTS*LANES*ROW_BITS-1:0]   unused_ready_row;

  warp_lookup #(.LANES(LANES), .SLOTS(WAITING_SLOTS), .GROUPS(GROUPS), .REGISTER_ROWS(REGISTER_ROWS),
                .RENEWS(0)) waiting_lookup (
      .clk_i(clk_i), .rst_ni(rst_ni), .leave_i(step_i && source_q == LOOKUP), .leave_entry_i(WAITING_BITS'(at_d)),
      .come_i(memory_mask), .come_pc_i(memory_pc), .come_group_i(memory_group), .rows_i(memory_rows),
      .pc_o(slot_pc), .group_o(slot_group), .mask_o(leaving_mask), .rows_o(slot_rows), .oldest_o(unused_oldest),
      .count_o(waiting_count_o), .full_o(unused_full), .masks_o(slot_mask), .entry_rows_o(slot_row), .came_o(slot_came),
      .joined_o(unused_joined), .bypass_o(bypass));

  always_comb begin
    slot_ready_d  = slot_ready_q;
    slot_number_d = slot_number_q;
    for (int unsigned n = 0; n < WAITING_SLOTS; n++) begin
      for (int unsigned k = 0; k < LANES; k++) begin
        if (done_i[k] && slot_mask[n*LANES+k] &&
            slot_row[(n*LANES+k)*ROW_BITS +: ROW_BITS] == rows_i[k*ROWS_BITS +: ROWS_BITS]) begin
          slot_ready_d[n*SLOT_READY_BITS+k] = 1'b1;
        end
      end
      if (step_i && source_q == LOOKUP && 32'(at_q) == n) begin
        slot_ready_d[n*SLOT_READY_BITS +: SLOT_READY_BITS]    = '0;
        slot_number_d[n*SLOT_NUMBER_BITS +: SLOT_NUMBER_BITS] = '0;
      end
      if (slot_came[n*LANES +: LANES] != '0 && (slot_mask[n*LANES +: LANES] == '0 ||
          is_before(memory_number, slot_number_q[n*SLOT_NUMBER_BITS +: SLOT_NUMBER_BITS]))) begin
        slot_number_d[n*SLOT_NUMBER_BITS +: SLOT_NUMBER_BITS] = memory_number;
      end
    end
  end

  always_comb begin
    wait_pc_d     = wait_pc_q;
    wait_group_d  = wait_group_q;
    wait_mask_d   = wait_mask_q;
    wait_row_d    = wait_row_q;
    wait_ready_d  = wait_ready_q;
    wait_number_d = wait_number_q;
    placed        = bypass == '0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      for (int unsigned k = 0; k < LANES; k++) begin
        if (done_i[k] && wait_mask_q[n*WAIT_MASK_BITS+k] &&
            wait_row_q[(n*LANES+k)*WAIT_ROW_BITS +: WAIT_ROW_BITS] == rows_i[k*ROWS_BITS +: ROWS_BITS]) begin
          wait_ready_d[n*WAIT_READY_BITS+k] = 1'b1;
        end
      end
      if (step_i && source_q == SECOND && 32'(at_q) == n) begin
        wait_pc_d[n*WAIT_PC_BITS +: WAIT_PC_BITS]             = '0;
        wait_group_d[n*WAIT_GROUP_BITS +: WAIT_GROUP_BITS]    = '0;
        wait_mask_d[n*WAIT_MASK_BITS +: WAIT_MASK_BITS]       = '0;
        wait_row_d[n*WORD +: WORD]                            = '0;
        wait_ready_d[n*WAIT_READY_BITS +: WAIT_READY_BITS]    = '0;
        wait_number_d[n*WAIT_NUMBER_BITS +: WAIT_NUMBER_BITS] = '0;
      end
      if (!placed && wait_mask_q[n*WAIT_MASK_BITS +: WAIT_MASK_BITS] == '0) begin
        placed                                                = 1'b1;
        wait_pc_d[n*WAIT_PC_BITS +: WAIT_PC_BITS]             = memory_pc;
        wait_group_d[n*WAIT_GROUP_BITS +: WAIT_GROUP_BITS]    = memory_group;
        wait_mask_d[n*WAIT_MASK_BITS +: WAIT_MASK_BITS]       = bypass;
        wait_row_d[n*WORD +: WORD]                            = those(memory_rows, bypass);
        wait_number_d[n*WAIT_NUMBER_BITS +: WAIT_NUMBER_BITS] = memory_number;
      end
    end
  end

  // --- the barriers and the stages of their table ---
  logic [31:0]           barrier_pc;
  logic [GROUP_BITS-1:0] barrier_group;
  logic [LANES-1:0]      barrier_mask, unused_shared, unused_missed, left;
  logic [WORD-1:0]       barrier_rows, stage_rows;

  assign stage_rows = stage_row_q[WORD-1:0];
  assign left       = group & ~met_o;

  re_convergence_barriers #(.BARRIER_SETS(BARRIER_SETS), .WAYS(WAYS), .LANES(LANES), .GROUPS(GROUPS),
                            .REGISTER_ROWS(REGISTER_ROWS)) barriers (
      .clk_i(clk_i), .rst_ni(rst_ni), .fire_i(step_i && fire_q),
      .exit_i(parks ? its_mask : commits ? its_mask & ~living : '0),
      .reserve_i(commits && !parks && parted && meeting_i != '0 ? living : '0), .rpc_i(meeting_i), .group_i(its_group),
      .gone_i(step_i && fire_q), .gone_barrier_i(barrier_o), .arrive_i(settles ? group : '0), .arrive_pc_i(group_pc),
      .rows_i(settles ? stage_rows : its_rows), .complete_o(complete_o), .barrier_o(barrier_o), .pc_o(barrier_pc),
      .group_o(barrier_group), .mask_o(barrier_mask), .rows_o(barrier_rows), .shared_o(unused_shared),
      .missed_o(unused_missed), .waits_o(met_o));

  always_comb begin
    stage_pc_d     = stage_pc_q;
    stage_group_d  = stage_group_q;
    stage_mask_d   = stage_mask_q;
    stage_row_d    = stage_row_q;
    stage_next_d   = stage_next_q;
    stage_parted_d = stage_parted_q;
    if (settles) stage_mask_d[STAGE_MASK_BITS-1:0] = stage_mask_q[STAGE_MASK_BITS-1:0] & ~group;
    if (step_i || (settles && stage_mask_d[STAGE_MASK_BITS-1:0] == '0)) begin
      stage_pc_d[STAGE_PC_BITS-1:0]           = '0;
      stage_group_d[STAGE_GROUP_BITS-1:0]     = '0;
      stage_row_d[WORD-1:0]                   = '0;
      stage_next_d[LANES*STAGE_NEXT_BITS-1:0] = '0;
      stage_parted_d[0]                       = 1'b0;
    end
    if (step_i) begin  // the first stage is empty
      stage_pc_d     = stage_pc_d >> STAGE_PC_BITS;
      stage_group_d  = stage_group_d >> STAGE_GROUP_BITS;
      stage_mask_d   = stage_mask_d >> STAGE_MASK_BITS;
      stage_row_d    = stage_row_d >> WORD;
      stage_next_d   = stage_next_d >> LANES * STAGE_NEXT_BITS;
      stage_parted_d = stage_parted_d >> 1;
    end
    if (commits && !parks && living != '0) begin
      stage_pc_d[(STAGES-1)*STAGE_PC_BITS +: STAGE_PC_BITS]          = its_pc;
      stage_group_d[(STAGES-1)*STAGE_GROUP_BITS +: STAGE_GROUP_BITS] = its_group;
      stage_mask_d[(STAGES-1)*STAGE_MASK_BITS +: STAGE_MASK_BITS]    = living;
      stage_row_d[(STAGES-1)*WORD +: WORD]                           = those(its_rows, living);
      for (int unsigned k = 0; k < LANES; k++) begin
        stage_next_d[((STAGES-1)*LANES+k)*STAGE_NEXT_BITS +: STAGE_NEXT_BITS] = living[k] ? next_i[k*NEXT_BITS +: NEXT_BITS] : '0;
      end
      stage_parted_d[STAGES-1]                                       = parted;
    end
  end

  // --- the Ready-Lookup ---
  logic [31:0]           lookup_pc;
  logic [GROUP_BITS-1:0] lookup_group, stage_group;
  logic [LANES-1:0]      lookup_mask, refused;
  logic [WORD-1:0]       lookup_rows;
  logic [READY_BITS-1:0] lookup_oldest;
  logic                  stage_parted;

  assign stage_group  = stage_group_q[STAGE_GROUP_BITS-1:0];
  assign stage_parted = stage_parted_q[0];

  warp_lookup #(.LANES(LANES), .SLOTS(READY_SLOTS), .GROUPS(GROUPS), .REGISTER_ROWS(REGISTER_ROWS),
                .RENEWS(1)) ready_lookup (
      .clk_i(clk_i), .rst_ni(rst_ni), .leave_i(step_i && lookup_q), .leave_entry_i(lookup_oldest),
      .come_i(settles && stage_parted ? left : '0), .come_pc_i(group_pc), .come_group_i(stage_group), .rows_i(stage_rows),
      .pc_o(lookup_pc), .group_o(lookup_group), .mask_o(lookup_mask), .rows_o(lookup_rows), .oldest_o(lookup_oldest),
      .count_o(ready_count_o), .full_o(unused_ready_full), .masks_o(unused_ready_masks), .entry_rows_o(unused_ready_row),
      .came_o(unused_ready_came), .joined_o(unused_ready_joined), .bypass_o(refused));

  // --- work-group barriers ---
  logic [31:0]           parked_pc;
  logic [GROUP_BITS-1:0] parked_group;
  logic [LANES-1:0]      parked_mask;
  logic [WORD-1:0]       parked_rows;
  logic                  unparked;

  assign unparked = unparks && released_q[parked_group];

  second_level #(.QUEUE(QUEUE), .LANES(LANES), .GROUPS(GROUPS), .REGISTER_ROWS(REGISTER_ROWS)) parked (
      .clk_i(clk_i), .rst_ni(rst_ni), .take_i(unparks), .put_i(parks || (unparks && !unparked)),
      .put_pc_i(unparks ? parked_pc : group_pc), .put_group_i(unparks ? parked_group : its_group),
      .put_mask_i(unparks ? parked_mask : its_mask), .rows_i(unparks ? parked_rows : its_rows),
      .pc_o(parked_pc), .group_o(parked_group), .mask_o(parked_mask), .rows_o(parked_rows), .count_o(parked_count_o));

  always_comb begin
    unparks_d  = unparks_q;
    released_d = released_q;
    if (release_i) released_d[group_i] = 1'b1;
    if (step_i) unparks_d = released_q != '0 ? parked_count_o + QUEUE_COUNT_BITS'(parks) : '0;
    if (unparks) unparks_d = unparks_q - QUEUE_COUNT_BITS'(1);
    if ((step_i || unparks) && unparks_d == '0) released_d = '0;
  end

  // --- the Second-Level ---
  always_comb begin
    ready_pc_o    = '0;
    ready_group_o = '0;
    ready_mask_o  = '0;
    ready_rows_o  = '0;
    if (start_i) begin
      ready_pc_o    = pc_i;
      ready_group_o = group_i;
      ready_mask_o  = mask_i;
      ready_rows_o  = those(rows_i, mask_i);
    end else if (step_i && fire_q) begin
      ready_pc_o    = barrier_pc;
      ready_group_o = barrier_group;
      ready_mask_o  = barrier_mask;
      ready_rows_o  = barrier_rows;
    end else if (step_i && lookup_q) begin
      ready_pc_o    = lookup_pc;
      ready_group_o = lookup_group;
      ready_mask_o  = lookup_mask;
      ready_rows_o  = those(lookup_rows, lookup_mask);
    end else if (settles && (stage_parted ? refused : left) != '0) begin
      ready_pc_o    = group_pc;
      ready_group_o = stage_group;
      ready_mask_o  = stage_parted ? refused : left;
      ready_rows_o  = those(stage_rows, stage_parted ? refused : left);
    end else if (unparked) begin
      ready_pc_o    = parked_pc;
      ready_group_o = parked_group;
      ready_mask_o  = parked_mask;
      ready_rows_o  = parked_rows;
    end
  end

  assign ready_o = ready_mask_o != '0;

  second_level #(.QUEUE(QUEUE), .LANES(LANES), .GROUPS(GROUPS), .REGISTER_ROWS(REGISTER_ROWS)) second (
      .clk_i(clk_i), .rst_ni(rst_ni), .take_i(fl_comes), .put_i(ready_o), .put_pc_i(ready_pc_o), .put_group_i(ready_group_o),
      .put_mask_i(ready_mask_o), .rows_i(ready_rows_o), .pc_o(first_pc), .group_o(first_group), .mask_o(first_mask),
      .rows_o(first_rows), .count_o(second_count_o));

  // Compares numbers modulo 2^32: numbers in use are less than 2^31 apart.
  function automatic logic is_before(input logic [31:0] a, input logic [31:0] b);
    is_before = ((a - b) & 32'h8000_0000) != '0;
  endfunction

  function automatic logic [WORD-1:0] those(input logic [WORD-1:0] rows, input logic [LANES-1:0] lanes);
    for (int unsigned k = 0; k < LANES; k++) those[k*ROW_BITS +: ROW_BITS] = lanes[k] ? rows[k*ROW_BITS +: ROW_BITS] : '0;
  endfunction

  wire unused = &{1'b0, unused_oldest, unused_full, unused_ready_full, unused_joined, unused_ready_joined, unused_ready_masks,
                  unused_ready_came, unused_ready_row, unused_shared, unused_missed};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fl_pc_q        <= '0;
      fl_group_q     <= '0;
      fl_mask_q      <= '0;
      fl_row_q       <= '0;
      fl_number_q    <= '0;
      fl_issued_q    <= '0;
      fl_due_q       <= '0;
      fl_memory_q    <= '0;
      fl_count_q     <= '0;
      number_q       <= '0;
      slot_ready_q   <= '0;
      slot_number_q  <= '0;
      wait_pc_q      <= '0;
      wait_group_q   <= '0;
      wait_mask_q    <= '0;
      wait_row_q     <= '0;
      wait_ready_q   <= '0;
      wait_number_q  <= '0;
      stage_pc_q     <= '0;
      stage_group_q  <= '0;
      stage_mask_q   <= '0;
      stage_row_q    <= '0;
      stage_next_q   <= '0;
      stage_parted_q <= '0;
      source_q       <= NONE;
      at_q           <= '0;
      fire_q         <= 1'b0;
      lookup_q       <= 1'b0;
      forward_q      <= 1'b0;
      released_q     <= '0;
      unparks_q      <= '0;
      stepping_q     <= 1'b0;
    end else begin
      fl_pc_q        <= fl_pc_d;
      fl_group_q     <= fl_group_d;
      fl_mask_q      <= fl_mask_d;
      fl_row_q       <= fl_row_d;
      fl_number_q    <= fl_number_d;
      fl_issued_q    <= fl_issued_d;
      fl_due_q       <= fl_due_d;
      fl_memory_q    <= fl_memory_d;
      fl_count_q     <= fl_count_d;
      number_q       <= number_d;
      slot_ready_q   <= slot_ready_d;
      slot_number_q  <= slot_number_d;
      wait_pc_q      <= wait_pc_d;
      wait_group_q   <= wait_group_d;
      wait_mask_q    <= wait_mask_d;
      wait_row_q     <= wait_row_d;
      wait_ready_q   <= wait_ready_d;
      wait_number_q  <= wait_number_d;
      stage_pc_q     <= stage_pc_d;
      stage_group_q  <= stage_group_d;
      stage_mask_q   <= stage_mask_d;
      stage_row_q    <= stage_row_d;
      stage_next_q   <= stage_next_d;
      stage_parted_q <= stage_parted_d;
      source_q       <= source_d;
      at_q           <= at_d;
      fire_q         <= fire_d;
      lookup_q       <= lookup_d;
      forward_q      <= forward_d;
      released_q     <= released_d;
      unparks_q      <= unparks_d;
      stepping_q     <= stepping_d;
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
