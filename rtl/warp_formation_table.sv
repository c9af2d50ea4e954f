// warp_formation_table: finds the warp that threads arriving at a PC can join (divergence.md §4, dwf; Fung et al.
// 2007). Twin of model/divergence/warp_formation_table.h.
//
// An entry names, for a PC and a work-group, the youngest warp that has not been issued, and the positions that the
// warp has. Arriving threads take its free positions. Threads whose position is taken make a new warp, which replaces
// the old one in the entry.
//
// A PC selects a set of WAYS entries. In a full set the least recently used entry is replaced. An issued warp leaves
// the table before threads arrive in the same cycle. A free entry is 0, except for its rank: rank 0 was used last. All
// outputs are combinational.
/* verilator lint_off WIDTHCONCAT */  // rows of warps of 64 threads are that wide
module warp_formation_table #(
    parameter  logic [31:0] SETS        = 64,                            // sets of entries, 1–64, a power of two
    parameter  logic [31:0] WARP_SIZE   = 32,                            // positions of a warp, 1–64
    parameter  logic [31:0] POOL        = 1024,                          // warps of the SM, 2–4096
    parameter  logic [31:0] GROUPS      = 8,                             // slots for work-groups, 1–64
    localparam logic [31:0] WAYS        = 4,
    localparam logic [31:0] SET_BITS    = SETS > 1 ? $clog2(SETS) : 1,
    localparam logic [31:0] PC_BITS     = 32,                            // NAME_BITS: bits of a NAME element
    localparam logic [31:0] GROUP_BITS  = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam logic [31:0] WARP_BITS   = $clog2(POOL),
    localparam logic [31:0] MASK_BITS   = WARP_SIZE,
    localparam logic [31:0] RANK_BITS   = $clog2(WAYS)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  issue_i,        // 1: a warp is issued
    input  logic [31:0]           issue_pc_i,     // PC of the issued warp
    input  logic [GROUP_BITS-1:0] issue_group_i,  // slot of the issued warp's work-group
    input  logic [WARP_BITS-1:0]  issue_warp_i,   // number of the issued warp
    input  logic [WARP_SIZE-1:0]  come_i,         // positions of the arriving threads; 0: none arrive
    input  logic [31:0]           come_pc_i,      // PC at which they arrive, not 0
    input  logic [GROUP_BITS-1:0] come_group_i,   // slot of their work-group
    input  logic [WARP_BITS-1:0]  new_warp_i,     // number that a new warp gets
    output logic                  hit_o,          // 1: the table has a warp at their PC
    output logic [WARP_BITS-1:0]  warp_o,         // number of that warp; 0 without one
    output logic [WARP_SIZE-1:0]  joined_o,       // threads that join it
    output logic [WARP_SIZE-1:0]  left_o,         // threads that make a new warp
    output logic                  lost_o          // 1: another entry is replaced for the new warp
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (SETS < 1 || SETS > 64 || (SETS & (SETS - 1)) != 0) begin : gen_illegal_sets
    $error("warp_formation_table: SETS must be a power of two, 1 to 64");
  end
  if (WARP_SIZE < 1 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("warp_formation_table: WARP_SIZE must be 1 to 64");
  end
  if (POOL < 2 || POOL > 4096) begin : gen_illegal_pool
    $error("warp_formation_table: POOL must be 2 to 4096");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("warp_formation_table: GROUPS must be 1 to 64");
  end
`endif

  logic [WAYS*PC_BITS-1:0]    pc_q    [0:SETS-1];  // PC of each entry; 0: the entry is free
  logic [WAYS*GROUP_BITS-1:0] group_q [0:SETS-1];  // work-group of each entry
  logic [WAYS*WARP_BITS-1:0]  warp_q  [0:SETS-1];  // warp of each entry
  logic [WAYS*MASK_BITS-1:0]  mask_q  [0:SETS-1];  // positions that the warp has
  logic [WAYS*RANK_BITS-1:0]  rank_q  [0:SETS-1];  // order of use in the set; 0: used last

  logic [SET_BITS-1:0] issue_set, come_set;
  assign issue_set = SETS > 1 ? issue_pc_i[2 +: SET_BITS] : '0;
  assign come_set  = SETS > 1 ? come_pc_i[2 +: SET_BITS] : '0;

  // --- the set of the issued warp ---
  logic [WAYS*PC_BITS-1:0]    issue_pc;
  logic [WAYS*GROUP_BITS-1:0] issue_group;
  logic [WAYS*WARP_BITS-1:0]  issue_warp;
  logic [WAYS*MASK_BITS-1:0]  issue_mask;

  always_comb begin
    issue_pc    = pc_q[issue_set];
    issue_group = group_q[issue_set];
    issue_warp  = warp_q[issue_set];
    issue_mask  = mask_q[issue_set];
    for (int unsigned n = 0; n < WAYS; n++) begin
      if (issue_i && issue_pc_i != '0 && issue_pc[n*PC_BITS +: PC_BITS] == issue_pc_i &&
          issue_group[n*GROUP_BITS +: GROUP_BITS] == issue_group_i &&
          issue_warp[n*WARP_BITS +: WARP_BITS] == issue_warp_i) begin
        issue_pc[n*PC_BITS +: PC_BITS]          = '0;
        issue_group[n*GROUP_BITS +: GROUP_BITS] = '0;
        issue_warp[n*WARP_BITS +: WARP_BITS]    = '0;
        issue_mask[n*MASK_BITS +: MASK_BITS]    = '0;
      end
    end
  end

  // --- the set of the arriving threads ---
  logic                       same;
  logic [WAYS*PC_BITS-1:0]    pc, pc_d;
  logic [WAYS*GROUP_BITS-1:0] group, group_d;
  logic [WAYS*WARP_BITS-1:0]  warp, warp_d;
  logic [WAYS*MASK_BITS-1:0]  mask, mask_d;
  logic [WAYS*RANK_BITS-1:0]  rank, rank_d;
  assign same  = issue_i && issue_set == come_set;
  assign pc    = same ? issue_pc : pc_q[come_set];
  assign group = same ? issue_group : group_q[come_set];
  assign warp  = same ? issue_warp : warp_q[come_set];
  assign mask  = same ? issue_mask : mask_q[come_set];
  assign rank  = rank_q[come_set];

  // The entry of their PC, else the first free one, else the least recently used.
  logic                 free;
  logic [RANK_BITS-1:0] at, at_rank;
  logic [WARP_SIZE-1:0] taken;

  always_comb begin
    hit_o  = 1'b0;
    free   = 1'b0;
    at     = '0;
    warp_o = '0;
    taken  = '0;
    for (int unsigned n = 0; n < WAYS; n++) if (rank[n*RANK_BITS +: RANK_BITS] == RANK_BITS'(WAYS - 1)) at = RANK_BITS'(n);
    for (int unsigned n = 0; n < WAYS; n++) begin
      if (!free && pc[n*PC_BITS +: PC_BITS] == '0) begin
        free = 1'b1;
        at   = RANK_BITS'(n);
      end
    end
    for (int unsigned n = 0; n < WAYS; n++) begin
      if (come_i != '0 && pc[n*PC_BITS +: PC_BITS] == come_pc_i && group[n*GROUP_BITS +: GROUP_BITS] == come_group_i) begin
        hit_o  = 1'b1;
        at     = RANK_BITS'(n);
        warp_o = warp[n*WARP_BITS +: WARP_BITS];
        taken  = mask[n*MASK_BITS +: MASK_BITS];
      end
    end
  end

  assign joined_o = hit_o ? come_i & ~taken : '0;
  assign left_o   = come_i & ~joined_o;
  assign lost_o   = left_o != '0 && !hit_o && !free;

  always_comb begin
    pc_d    = pc;
    group_d = group;
    warp_d  = warp;
    mask_d  = mask;
    rank_d  = rank;
    at_rank = rank[32'(at)*RANK_BITS +: RANK_BITS];
    for (int unsigned n = 0; n < WAYS; n++) begin
      if (32'(at) == n) begin
        rank_d[n*RANK_BITS +: RANK_BITS] = '0;
        mask_d[n*MASK_BITS +: MASK_BITS] = left_o != '0 ? left_o : mask[n*MASK_BITS +: MASK_BITS] | joined_o;
        if (left_o != '0) begin
          pc_d[n*PC_BITS +: PC_BITS]          = come_pc_i;
          group_d[n*GROUP_BITS +: GROUP_BITS] = come_group_i;
          warp_d[n*WARP_BITS +: WARP_BITS]    = new_warp_i;
        end
      end else if (rank[n*RANK_BITS +: RANK_BITS] < at_rank) begin
        rank_d[n*RANK_BITS +: RANK_BITS] = rank[n*RANK_BITS +: RANK_BITS] + RANK_BITS'(1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < SETS; s++) begin
        pc_q[s]    <= '0;
        group_q[s] <= '0;
        warp_q[s]  <= '0;
        mask_q[s]  <= '0;
        for (int unsigned n = 0; n < WAYS; n++) rank_q[s][n*RANK_BITS +: RANK_BITS] <= RANK_BITS'(n);
      end
    end else begin
      if (issue_i) begin
        pc_q[issue_set]    <= issue_pc;
        group_q[issue_set] <= issue_group;
        warp_q[issue_set]  <= issue_warp;
        mask_q[issue_set]  <= issue_mask;
      end
      if (come_i != '0) begin
        pc_q[come_set]    <= pc_d;
        group_q[come_set] <= group_d;
        warp_q[come_set]  <= warp_d;
        mask_q[come_set]  <= mask_d;
        rank_q[come_set]  <= rank_d;
      end
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
