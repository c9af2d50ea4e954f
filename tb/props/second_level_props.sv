// Properties of second_level (rtl/second_level.sv; divergence.md §5), for any warp that arrives: it leaves unchanged,
// after all earlier warps and before all later ones. scripts/formal puts an instance into the module.
// Sizes: QUEUE=3 LANES=2 GROUPS=2 REGISTER_ROWS=2;QUEUE=1 LANES=1 GROUPS=1 REGISTER_ROWS=2
module second_level_props #(
    parameter  int unsigned QUEUE       = 3,
    parameter  int unsigned LANES         = 2,
    parameter  int unsigned GROUPS        = 2,
    parameter  int unsigned REGISTER_ROWS = 2,
    localparam int unsigned GROUP_BITS    = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int unsigned PC_BITS       = 32,
    localparam int unsigned MASK_BITS     = LANES,
    localparam int unsigned ROW_BITS      = $clog2(REGISTER_ROWS),
    localparam int unsigned ROWS_BITS     = ROW_BITS,
    localparam int unsigned FIRST_BITS    = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam int unsigned COUNT_BITS    = $clog2(QUEUE + 1)
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic                              take_i,
    input logic                              put_i,
    input logic [31:0]                       put_pc_i,
    input logic [GROUP_BITS-1:0]             put_group_i,
    input logic [LANES-1:0]                  put_mask_i,
    input logic [LANES*ROWS_BITS-1:0]        rows_i,
    input logic [31:0]                       pc_o,
    input logic [GROUP_BITS-1:0]             group_o,
    input logic [LANES-1:0]                  mask_o,
    input logic [LANES*ROWS_BITS-1:0]        rows_o,
    input logic [COUNT_BITS-1:0]             count_o,
    input logic [QUEUE*PC_BITS-1:0]        pc_q,
    input logic [QUEUE*GROUP_BITS-1:0]     group_q,
    input logic [QUEUE*MASK_BITS-1:0]      mask_q,
    input logic [QUEUE*LANES*ROW_BITS-1:0] row_q,
    input logic [FIRST_BITS-1:0]             first_q,
    input logic [COUNT_BITS-1:0]             count_q
);
  (* anyseq *) logic watch;  // the warp that enters in this cycle is the watched one

  // Place and contents of the watched warp in the queue.
  logic                       started = 1'b0, here_q, sees;
  logic [COUNT_BITS-1:0]      ahead_q, told_q;
  logic [31:0]                its_pc_q;
  logic [GROUP_BITS-1:0]      its_group_q;
  logic [LANES-1:0]           its_mask_q;
  logic [LANES*ROWS_BITS-1:0] its_rows_q;
  logic                       leaves, kept;
  logic [COUNT_BITS:0]        at;
  assign sees   = watch && put_i && !here_q;
  assign leaves = here_q && take_i && ahead_q == '0;
  assign at     = (COUNT_BITS+1)'(first_q) + (COUNT_BITS+1)'(ahead_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      here_q      <= 1'b0;
      ahead_q     <= '0;
      told_q      <= '0;
      its_pc_q    <= '0;
      its_group_q <= '0;
      its_mask_q  <= '0;
      its_rows_q  <= '0;
    end else begin
      told_q <= told_q - COUNT_BITS'(take_i) + COUNT_BITS'(put_i);
      if (sees) begin
        here_q      <= 1'b1;
        ahead_q     <= told_q - COUNT_BITS'(take_i);
        its_pc_q    <= put_pc_i;
        its_group_q <= put_group_i;
        its_mask_q  <= put_mask_i;
        its_rows_q  <= rows_i;
      end else if (leaves) begin
        here_q <= 1'b0;
      end else if (here_q && take_i) begin
        ahead_q <= ahead_q - COUNT_BITS'(1);
      end
    end
  end
  always_ff @(posedge clk_i) started <= 1'b1;

  // The entry still holds the watched warp, unchanged.
  always_comb begin
    kept = 1'b0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (32'(at) == n || 32'(at) == n + QUEUE) begin
        kept = pc_q[n*PC_BITS +: PC_BITS] == its_pc_q && group_q[n*GROUP_BITS +: GROUP_BITS] == its_group_q &&
               mask_q[n*MASK_BITS +: MASK_BITS] == its_mask_q &&
               row_q[n*LANES*ROW_BITS +: LANES*ROW_BITS] == its_rows_q;
      end
    end
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    if (take_i) assume (told_q != '0);
    if (put_i) assume (32'(told_q) < QUEUE || take_i);
  end

  always_comb if (started && rst_ni) begin
    lemma_the_ring_is_whole:         assert (count_q == told_q && 32'(first_q) < QUEUE && 32'(count_q) <= QUEUE);
    lemma_the_ring_is_whole_reached: cover (32'(count_q) == QUEUE);

    lemma_it_is_kept:         assert (!here_q || (kept && ahead_q < count_q));
    lemma_it_is_kept_reached: cover (here_q && take_i);

    leaves_as_it_came:         assert (!leaves || (pc_o == its_pc_q && group_o == its_group_q && mask_o == its_mask_q && rows_o == its_rows_q));
    leaves_as_it_came_reached: cover (leaves && its_mask_q != '0);

    says_how_many_there_are:         assert (count_o == told_q);
    says_how_many_there_are_reached: cover (count_o != '0);

    of_nobody_says_nothing:         assert (count_o != '0 || (pc_o == '0 && group_o == '0 && mask_o == '0 && rows_o == '0));
    of_nobody_says_nothing_reached: cover (count_o == '0 && its_pc_q != '0);
  end
endmodule
