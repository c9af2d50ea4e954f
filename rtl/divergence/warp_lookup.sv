// warp_lookup: a small table of warps in which threads that come to one PC meet (divergence.md §5: HARP's Ready-Lookup
// and Waiting-Lookup). Twin of model/divergence/warp_lookup.h.
//
// Entries are in the order of their ages, entry 0 the oldest. In a cycle first one may leave; then threads come, those of
// one warp, lane by lane: each joins the oldest entry at its PC, of its work-group, whose lane is free (RENEWS: which so
// becomes the youngest); those that join nobody make one new entry, if there is room. Entries from count on are 0.
module warp_lookup #(
    parameter  int unsigned LANES         = 16,                              // 1–32
    parameter  int unsigned SLOTS         = 8,                               // entries, 1–16
    parameter  int unsigned GROUPS        = 8,                               // 1–64: slots of work-groups
    parameter  int unsigned REGISTER_ROWS = 64,                              // 2–1024, of the register file
    parameter  int unsigned RENEWS        = 1,                               // 1: Ready-Lookup, 0: Waiting-Lookup
    localparam int unsigned GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned ROW_BITS      = $clog2(REGISTER_ROWS),           // NAME_BITS: of an element of NAME
    localparam int unsigned ROWS_BITS     = ROW_BITS,
    localparam int unsigned PC_BITS       = 32,
    localparam int unsigned MASK_BITS     = LANES,
    localparam int unsigned COUNT_BITS    = $clog2(SLOTS + 1),
    localparam int unsigned ENTRY_BITS    = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          leave_i,        // an entry leaves; of those that there are
    input  logic [ENTRY_BITS-1:0]         leave_entry_i,
    input  logic [LANES-1:0]              come_i,         // lanes whose threads come, 0: none
    input  logic [31:0]                   come_pc_i,
    input  logic [GROUP_BITS-1:0]         come_group_i,
    input  logic [LANES*ROWS_BITS-1:0]    rows_i,         // and their rows
    output logic [31:0]                   pc_o,           // of leave_entry_i; registered, as the next four
    output logic [GROUP_BITS-1:0]         group_o,
    output logic [LANES-1:0]              mask_o,
    output logic [COUNT_BITS-1:0]         count_o,        // entries that there are
    output logic                          full_o,
    output logic [LANES-1:0]              joined_o,       // combinational: that have joined an entry
    output logic [LANES-1:0]              bypass_o        // combinational: that find no room
);
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

  logic [SLOTS*PC_BITS-1:0]        pc_d, pc_q;
  logic [SLOTS*GROUP_BITS-1:0]     group_d, group_q;
  logic [SLOTS*MASK_BITS-1:0]      mask_d, mask_q;  // lanes that have a thread
  logic [SLOTS*LANES*ROW_BITS-1:0] row_d, row_q;    // whose row this is; 0 where there is none
  logic [COUNT_BITS-1:0]             count_d, count_q;

  assign count_o = count_q;
  assign full_o  = 32'(count_q) == SLOTS;

  always_comb begin
    pc_o    = '0;
    group_o = '0;
    mask_o  = '0;
    for (int unsigned n = 0; n < SLOTS; n++) begin
      if (32'(leave_entry_i) == n) begin
        pc_o    = pc_q[n*PC_BITS +: PC_BITS];
        group_o = group_q[n*GROUP_BITS +: GROUP_BITS];
        mask_o  = mask_q[n*MASK_BITS +: MASK_BITS];
      end
    end
  end

  // Where a thread joins (`at`, if `found`), and the entry that becomes the youngest (`up_*`); those behind it move up.
  logic                        found, moves;
  logic [COUNT_BITS-1:0]       at;
  logic [LANES-1:0]            left;
  logic [31:0]                 up_pc;
  logic [GROUP_BITS-1:0]       up_group;
  logic [LANES-1:0]            up_mask;
  logic [LANES*ROW_BITS-1:0]   up_row;

  always_comb begin
    pc_d     = pc_q;
    group_d  = group_q;
    mask_d   = mask_q;
    row_d    = row_q;
    count_d  = count_q;
    joined_o = '0;
    bypass_o = '0;
    found    = 1'b0;
    moves    = 1'b0;
    at       = '0;
    up_pc    = '0;
    up_group = '0;
    up_mask  = '0;
    up_row   = '0;
    if (leave_i) begin
      for (int unsigned n = 0; n < SLOTS; n++) begin
        if (n >= 32'(leave_entry_i)) begin
          pc_d[n*PC_BITS +: PC_BITS]                = n + 1 < SLOTS ? pc_d[(n+1)%SLOTS*PC_BITS +: PC_BITS] : '0;
          group_d[n*GROUP_BITS +: GROUP_BITS]       = n + 1 < SLOTS ? group_d[(n+1)%SLOTS*GROUP_BITS +: GROUP_BITS] : '0;
          mask_d[n*MASK_BITS +: MASK_BITS]          = n + 1 < SLOTS ? mask_d[(n+1)%SLOTS*MASK_BITS +: MASK_BITS] : '0;
          row_d[n*LANES*ROW_BITS +: LANES*ROW_BITS] = n + 1 < SLOTS ? row_d[(n+1)%SLOTS*LANES*ROW_BITS +: LANES*ROW_BITS] : '0;
        end
      end
      count_d = count_d - COUNT_BITS'(1);
    end
    for (int unsigned k = 0; k < LANES; k++) begin
      found = 1'b0;
      at    = '0;
      for (int unsigned n = 0; n < SLOTS; n++) begin
        if (!found && n < 32'(count_d) && pc_d[n*PC_BITS +: PC_BITS] == come_pc_i &&
            group_d[n*GROUP_BITS +: GROUP_BITS] == come_group_i && !mask_d[n*MASK_BITS+k]) begin
          found = 1'b1;
          at    = COUNT_BITS'(n);
        end
      end
      if (come_i[k] && found) begin
        joined_o[k] = 1'b1;
        for (int unsigned n = 0; n < SLOTS; n++) begin
          if (32'(at) == n) begin
            mask_d[n*MASK_BITS+k]                   = 1'b1;
            row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] = rows_i[k*ROWS_BITS +: ROWS_BITS];
            up_pc    = pc_d[n*PC_BITS +: PC_BITS];
            up_group = group_d[n*GROUP_BITS +: GROUP_BITS];
            up_mask  = mask_d[n*MASK_BITS +: MASK_BITS];
            up_row   = row_d[n*LANES*ROW_BITS +: LANES*ROW_BITS];
          end
        end
        for (int unsigned n = 0; n < SLOTS; n++) begin
          if (RENEWS != 0 && n >= 32'(at) && n < 32'(count_d)) begin
            moves = n + 1 < 32'(count_d);
            pc_d[n*PC_BITS +: PC_BITS]                = moves ? pc_d[(n+1)%SLOTS*PC_BITS +: PC_BITS] : up_pc;
            group_d[n*GROUP_BITS +: GROUP_BITS]       = moves ? group_d[(n+1)%SLOTS*GROUP_BITS +: GROUP_BITS] : up_group;
            mask_d[n*MASK_BITS +: MASK_BITS]          = moves ? mask_d[(n+1)%SLOTS*MASK_BITS +: MASK_BITS] : up_mask;
            row_d[n*LANES*ROW_BITS +: LANES*ROW_BITS] = moves ? row_d[(n+1)%SLOTS*LANES*ROW_BITS +: LANES*ROW_BITS] : up_row;
          end
        end
      end
    end
    left = come_i & ~joined_o;
    if (left != '0 && 32'(count_d) == SLOTS) begin
      bypass_o = left;
    end else if (left != '0) begin
      for (int unsigned n = 0; n < SLOTS; n++) begin
        if (32'(count_d) == n) begin
          pc_d[n*PC_BITS +: PC_BITS]          = come_pc_i;
          group_d[n*GROUP_BITS +: GROUP_BITS] = come_group_i;
          mask_d[n*MASK_BITS +: MASK_BITS]    = left;
          for (int unsigned k = 0; k < LANES; k++) begin
            row_d[(n*LANES+k)*ROW_BITS +: ROW_BITS] = left[k] ? rows_i[k*ROWS_BITS +: ROWS_BITS] : '0;
          end
        end
      end
      count_d = count_d + COUNT_BITS'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q    <= '0;
      group_q <= '0;
      mask_q  <= '0;
      row_q   <= '0;
      count_q <= '0;
    end else begin
      pc_q    <= pc_d;
      group_q <= group_d;
      mask_q  <= mask_d;
      row_q   <= row_d;
      count_q <= count_d;
    end
  end
endmodule
