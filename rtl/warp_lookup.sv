// warp_lookup: a table of warps in which threads that arrive at one PC join (divergence.md §5: HARP's Ready-Lookup and
// Waiting-Lookup). Twin of model/divergence/warp_lookup.h.
//
// An entry keeps its slot. The order of arrival is kept for each pair of entries. In a cycle first one entry may leave.
// Then threads of one warp may arrive. All search the table at once; each joins the oldest entry at its PC and of its
// work-group whose lane is free.
//
// With RENEWS, joined entries become the youngest and keep their order among each other. Threads that join no entry
// make a new one in the first free slot, if there is one. A free slot has no lanes; its other fields keep their old
// values.
module warp_lookup #(
    parameter  logic [31:0] LANES         = 16,                              // lanes of the SM, 1–32
    parameter  logic [31:0] SLOTS         = 8,                               // entries, 1–16
    parameter  logic [31:0] GROUPS        = 8,                               // slots for work-groups, 1–64
    parameter  logic [31:0] REGISTER_ROWS = 64,                              // rows of the register file, 2–1024
    parameter  logic [31:0] RENEWS        = 1,                               // 0–1; 1: Ready-Lookup, 0: Waiting-Lookup
    localparam logic [31:0] GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam logic [31:0] ROW_BITS      = $clog2(REGISTER_ROWS),           // NAME_BITS: bits of a NAME element
    localparam logic [31:0] ROWS_BITS     = ROW_BITS,
    localparam logic [31:0] PC_BITS       = 32,
    localparam logic [31:0] MASK_BITS     = LANES,
    localparam logic [31:0] MASKS_BITS    = LANES,
    localparam logic [31:0] CAME_BITS     = LANES,
    localparam logic [31:0] ENTRY_ROWS_BITS = ROW_BITS,
    localparam logic [31:0] AGE_BITS      = SLOTS,
    localparam logic [31:0] COUNT_BITS    = $clog2(SLOTS + 1),
    localparam logic [31:0] ENTRY_BITS    = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          leave_i,        // 1: the entry in slot leave_entry_i leaves; it must not be
                                                          // free
    input  logic [ENTRY_BITS-1:0]         leave_entry_i,  // slot that is read, and from which the entry leaves
    input  logic [LANES-1:0]              come_i,         // lanes whose threads arrive; 0: none
    input  logic [31:0]                   come_pc_i,      // PC at which they arrive
    input  logic [GROUP_BITS-1:0]         come_group_i,   // slot of their work-group
    input  logic [LANES*ROWS_BITS-1:0]    rows_i,         // row of the thread in each lane
    output logic [31:0]                   pc_o,           // PC of the entry in leave_entry_i; registered, as all
                                                          // outputs down to entry_rows_o
    output logic [GROUP_BITS-1:0]         group_o,        // work-group of that entry
    output logic [LANES-1:0]              mask_o,         // lanes of that entry
    output logic [LANES*ROWS_BITS-1:0]    rows_o,         // row of each of its lanes
    output logic [ENTRY_BITS-1:0]         oldest_o,       // slot of the oldest entry; 0 without one
    output logic [COUNT_BITS-1:0]         count_o,        // number of entries
    output logic                          full_o,         // 1: no slot is free
    output logic [SLOTS*MASKS_BITS-1:0]   masks_o,        // lanes of the entry in each slot
    output logic [SLOTS*LANES*ENTRY_ROWS_BITS-1:0] entry_rows_o,  // row of each of these lanes
    output logic [SLOTS*CAME_BITS-1:0]    came_o,         // combinational; lanes whose threads arrive in each slot
    output logic [LANES-1:0]              joined_o,       // combinational; lanes whose threads join an entry
    output logic [LANES-1:0]              bypass_o        // combinational; lanes whose threads find no slot
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("warp_lookup: LANES must be 1 to 32");
  end
  if (SLOTS < 1 || SLOTS > 16) begin : gen_illegal_entries
    $error("warp_lookup: SLOTS must be 1 to 16");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("warp_lookup: GROUPS must be 1 to 64");
  end
  if (REGISTER_ROWS < 2 || REGISTER_ROWS > 1024) begin : gen_illegal_rows
    $error("warp_lookup: REGISTER_ROWS must be 2 to 1024");
  end
  if (RENEWS > 1) begin : gen_illegal_renews
    $error("warp_lookup: RENEWS must be 0 or 1");
  end
`endif

  localparam logic [31:0] WORD = LANES * ROW_BITS;

  logic [SLOTS*PC_BITS-1:0]    pc_d, pc_q;  // PC of each entry
  logic [SLOTS*GROUP_BITS-1:0] group_d, group_q;  // work-group of each entry
  logic [SLOTS*MASK_BITS-1:0]  mask_d, mask_q;  // lanes of each entry
  logic [SLOTS*WORD-1:0]       row_d, row_q;    // row of each of these lanes
  logic [SLOTS*AGE_BITS-1:0]   age_d, age_q;    // bit t of slot s: s arrived before t; 0 if one of them is free
  logic [COUNT_BITS-1:0]       count_d, count_q;  // number of entries

  logic [SLOTS-1:0]       remains;  // slots whose entry does not leave
  logic [SLOTS-1:0]       meets;    // slots at the PC and of the work-group of the arriving threads
  logic [SLOTS-1:0]       rivals;   // entries that a thread could join
  logic [SLOTS-1:0]       elder;    // entries of `rivals` that are older than slot n
  logic [SLOTS-1:0]       elders;   // entries that are older than an entry
  logic [SLOTS*LANES-1:0] joins;    // lane k joins slot n
  logic [SLOTS-1:0]       renewed, made;
  logic [LANES-1:0]       left;
  logic                   room;

  assign count_o = count_q;
  assign full_o  = 32'(count_q) == SLOTS;

  assign masks_o      = mask_q;
  assign entry_rows_o = row_q;

  always_comb begin
    pc_o    = '0;
    group_o = '0;
    mask_o  = '0;
    rows_o  = '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      if (32'(leave_entry_i) == n) begin
        pc_o    = pc_q[n*PC_BITS +: PC_BITS];
        group_o = group_q[n*GROUP_BITS +: GROUP_BITS];
        mask_o  = mask_q[n*MASK_BITS +: MASK_BITS];
        rows_o  = row_q[n*WORD +: WORD];
      end
    end
  end

  always_comb begin
    oldest_o = '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      elders = '0;
      for (int unsigned t = 0; t < SLOTS; t++) elders[t] = age_q[t*AGE_BITS+n];
      if (mask_q[n*MASK_BITS +: MASK_BITS] != '0 && elders == '0) oldest_o = ENTRY_BITS'(n);
    end
  end

  always_comb begin
    joins    = '0;
    joined_o = '0;
    rivals   = '0;
    elder    = '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      remains[n] = mask_q[n*MASK_BITS +: MASK_BITS] != '0 && !(leave_i && 32'(leave_entry_i) == n);
      meets[n] = remains[n] && pc_q[n*PC_BITS +: PC_BITS] == come_pc_i &&
                   group_q[n*GROUP_BITS +: GROUP_BITS] == come_group_i;
    end
    for (int unsigned k = 0; k < LANES; k++) begin
      for (int unsigned n = 0; n < SLOTS; n++) rivals[n] = meets[n] && !mask_q[n*MASK_BITS+k];
      for (int unsigned n = 0; n < SLOTS; n++) begin
        for (int unsigned t = 0; t < SLOTS; t++) elder[t] = rivals[t] && age_q[t*AGE_BITS+n];
        joins[n*LANES+k] = come_i[k] && rivals[n] && elder == '0;
      end
      joined_o[k] = come_i[k] && rivals != '0;
    end
  end

  assign left     = come_i & ~joined_o;
  assign room     = !full_o || leave_i;
  assign bypass_o = room ? '0 : left;
  assign count_d  = count_q - COUNT_BITS'(leave_i) + COUNT_BITS'(left != '0 && room);

  always_comb begin
    pc_d    = pc_q;
    group_d = group_q;
    mask_d  = mask_q;
    row_d   = row_q;
    age_d   = '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      renewed[n] = RENEWS != 0 && joins[n*LANES +: LANES] != '0;
      made[n]    = left != '0 && !remains[n];
      for (int unsigned t = 0; t < n; t++) if (!remains[t]) made[n] = 1'b0;
      if (made[n]) begin
        pc_d[n*PC_BITS +: PC_BITS]          = come_pc_i;
        group_d[n*GROUP_BITS +: GROUP_BITS] = come_group_i;
      end
      came_o[n*CAME_BITS +: CAME_BITS] = joins[n*LANES +: LANES] | (made[n] ? left : '0);
      mask_d[n*MASK_BITS +: MASK_BITS] = (remains[n] ? mask_q[n*MASK_BITS +: MASK_BITS] : '0) |
                                         came_o[n*CAME_BITS +: CAME_BITS];
      for (int unsigned k = 0; k < LANES; k++) begin
        if (joins[n*LANES+k] || (made[n] && left[k])) row_d[n*WORD+k*ROW_BITS +: ROW_BITS] = rows_i[k*ROWS_BITS +: ROWS_BITS];
      end
    end
    for (int unsigned n = 0; n < SLOTS; n++) begin
      for (int unsigned t = 0; t < SLOTS; t++) begin
        if (n != t && remains[n]) begin
          age_d[n*AGE_BITS+t] = made[t] || (remains[t] && (renewed[n] == renewed[t] ? age_q[n*AGE_BITS+t] : renewed[t]));
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q    <= '0;
      group_q <= '0;
      mask_q  <= '0;
      row_q   <= '0;
      age_q   <= '0;
      count_q <= '0;
    end else begin
      pc_q    <= pc_d;
      group_q <= group_d;
      mask_q  <= mask_d;
      row_q   <= row_d;
      age_q   <= age_d;
      count_q <= count_d;
    end
  end
endmodule
