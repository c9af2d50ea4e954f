// round_robin_arbiter: another policy in the slot warp_pc_arbiter. The PC is that of the first Ready thread after the
// one that gave it last, whatever its priority. So that threads of a loop meet again is left to chance.
module round_robin_arbiter #(
    parameter  logic [31:0] WARP_SIZE     = 32,
    parameter  logic [31:0] LEVELS        = 8,
    localparam logic [31:0] LEVEL_BITS    = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam logic [31:0] PRIORITY_BITS = WARP_SIZE,
    localparam logic [31:0] PC_BITS       = 32
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [WARP_SIZE-1:0]            ready_i,
    input  logic [LEVELS*PRIORITY_BITS-1:0] priority_i,
    input  logic [WARP_SIZE*PC_BITS-1:0]    pc_i,
    output logic [WARP_SIZE-1:0]            wtid_o,
    output logic [PC_BITS-1:0]              pc_o,
    output logic [WARP_SIZE-1:0]            participating_o,
    output logic [LEVEL_BITS-1:0]           level_o
);
  logic [WARP_SIZE-1:0] after_d, after_q;  // the threads after the one that was chosen last
  logic [WARP_SIZE-1:0] from;

  assign from   = (ready_i & after_q) != '0 ? ready_i & after_q : ready_i;
  assign wtid_o = from & (~from + WARP_SIZE'(1));

  always_comb begin
    pc_o = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      pc_o = pc_o | ({PC_BITS{wtid_o[k]}} & pc_i[k*PC_BITS +: PC_BITS]);
    end
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      participating_o[k] = ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
  end

  // The level is only shown.
  always_comb begin
    level_o = '0;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      if ((wtid_o & priority_i[n*PRIORITY_BITS +: PRIORITY_BITS]) != '0) level_o = LEVEL_BITS'(n);
    end
  end

  assign after_d = wtid_o != '0 ? ~((wtid_o - WARP_SIZE'(1)) | wtid_o) : after_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) after_q <= '0;
    else         after_q <= after_d;
  end
endmodule
