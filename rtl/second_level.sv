// second_level: queues the warps that are ready, oldest first (divergence.md §5, HARP's Second-Level). Twin of
// model/divergence/second_level.h.
//
// The queue is a ring. In a cycle first the oldest warp may leave, then a warp may enter; the caller ensures that there
// is room. Free entries keep their old values. All outputs are registered.
/* verilator lint_off WIDTHCONCAT */  // rows of many entries are that wide
module second_level #(
    parameter  logic [31:0] QUEUE       = 64,                              // entries, 1–1024
    parameter  logic [31:0] LANES         = 16,                              // lanes of the SM, 1–32
    parameter  logic [31:0] GROUPS        = 8,                               // slots for work-groups, 1–64
    parameter  logic [31:0] REGISTER_ROWS = 64,                              // rows of the register file, 2–1024
    localparam logic [31:0] GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam logic [31:0] PC_BITS       = 32,                              // NAME_BITS: bits of a NAME element
    localparam logic [31:0] MASK_BITS     = LANES,
    localparam logic [31:0] ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam logic [31:0] ROWS_BITS     = ROW_BITS,
    localparam logic [31:0] FIRST_BITS    = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam logic [31:0] COUNT_BITS    = $clog2(QUEUE + 1)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       take_i,       // 1: the oldest warp leaves; there must be one
    input  logic                       put_i,        // 1: a warp enters
    input  logic [31:0]                put_pc_i,     // PC of the entering warp
    input  logic [GROUP_BITS-1:0]      put_group_i,  // slot of the entering warp's work-group
    input  logic [LANES-1:0]           put_mask_i,   // lanes of the entering warp with a thread
    input  logic [LANES*ROWS_BITS-1:0] rows_i,       // row of the thread in each lane
    output logic [31:0]                pc_o,         // PC of the oldest warp; 0 without one
    output logic [GROUP_BITS-1:0]      group_o,      // work-group of the oldest warp; 0 without one
    output logic [LANES-1:0]           mask_o,       // lanes of the oldest warp; 0 without one
    output logic [LANES*ROWS_BITS-1:0] rows_o,       // rows of the oldest warp; 0 without one
    output logic [COUNT_BITS-1:0]      count_o       // number of warps in the queue
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (QUEUE < 1 || QUEUE > 1024) begin : gen_illegal_entries
    $error("second_level: QUEUE must be 1 to 1024");
  end
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("second_level: LANES must be 1 to 32");
  end
  if (GROUPS < 1 || GROUPS > 64) begin : gen_illegal_groups
    $error("second_level: GROUPS must be 1 to 64");
  end
  if (REGISTER_ROWS < 2 || REGISTER_ROWS > 1024) begin : gen_illegal_rows
    $error("second_level: REGISTER_ROWS must be 2 to 1024");
  end
`endif

  localparam logic [31:0] WORD = LANES * ROW_BITS;

  logic [QUEUE*PC_BITS-1:0]        pc_d, pc_q;  // PC of each entry
  logic [QUEUE*GROUP_BITS-1:0]     group_d, group_q;  // work-group of each entry
  logic [QUEUE*MASK_BITS-1:0]      mask_d, mask_q;  // lanes of each entry
  logic [QUEUE*LANES*ROW_BITS-1:0] row_d, row_q;        // rows of each entry
  logic [FIRST_BITS-1:0]             first_d, first_q;  // entry of the oldest warp
  logic [COUNT_BITS-1:0]             count_d, count_q;  // number of warps in the queue

  logic [COUNT_BITS:0] last;  // entry after the youngest warp, plus QUEUE if it has wrapped

  assign count_o = count_q;
  assign count_d = count_q - COUNT_BITS'(take_i) + COUNT_BITS'(put_i);
  assign first_d = !take_i ? first_q : 32'(first_q) == QUEUE - 1 ? '0 : first_q + FIRST_BITS'(1);
  assign last    = (COUNT_BITS+1)'(first_q) + (COUNT_BITS+1)'(count_q);

  always_comb begin
    pc_o    = '0;
    group_o = '0;
    mask_o  = '0;
    rows_o  = '0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (count_q != '0 && 32'(first_q) == n) begin
        pc_o    = pc_q[n*PC_BITS +: PC_BITS];
        group_o = group_q[n*GROUP_BITS +: GROUP_BITS];
        mask_o  = mask_q[n*MASK_BITS +: MASK_BITS];
        rows_o  = row_q[n*WORD +: WORD];
      end
    end
  end

  always_comb begin
    pc_d    = pc_q;
    group_d = group_q;
    mask_d  = mask_q;
    row_d   = row_q;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (put_i && (32'(last) == n || 32'(last) == n + QUEUE)) begin
        pc_d[n*PC_BITS +: PC_BITS]          = put_pc_i;
        group_d[n*GROUP_BITS +: GROUP_BITS] = put_group_i;
        mask_d[n*MASK_BITS +: MASK_BITS]    = put_mask_i;
        row_d[n*WORD +: WORD]               = rows_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q    <= '0;
      group_q <= '0;
      mask_q  <= '0;
      row_q   <= '0;
      first_q <= '0;
      count_q <= '0;
    end else begin
      pc_q    <= pc_d;
      group_q <= group_d;
      mask_q  <= mask_d;
      row_q   <= row_d;
      first_q <= first_d;
      count_q <= count_d;
    end
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
