// first_ready_arbiter: chooses the warp PC as that of the lowest-numbered Ready thread; for slot warp_pc_arbiter. Twin
// of model/control/warp_pc_arbiter.h with the policy first_ready.
//
// wtid_o names the lowest-numbered Ready thread, one-hot. Its PC is the warp PC, and every Ready thread at this PC
// participates. The policy does nothing against divergence. All outputs are combinational.
module first_ready_arbiter #(
    parameter  logic [31:0] WARP_SIZE     = 32,                              // threads of a warp, 4–64
    parameter  logic [31:0] LEVELS        = 8,                               // priority levels, 1–16
    localparam logic [31:0] LEVEL_BITS    = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam logic [31:0] PRIORITY_BITS = WARP_SIZE,                       // NAME_BITS: bits of a NAME element
    localparam logic [31:0] PC_BITS       = 32
) (
    input  logic [WARP_SIZE-1:0]            ready_i,          // bit k: thread k is Ready
    input  logic [LEVELS*PRIORITY_BITS-1:0] priority_i,       // threads of each level, as a mask; a thread has one
                                                              // level
    input  logic [WARP_SIZE*PC_BITS-1:0]    pc_i,             // PC of each thread
    output logic [WARP_SIZE-1:0]            wtid_o,           // thread that gives the PC, one-hot; 0 if no thread is
                                                              // Ready
    output logic [PC_BITS-1:0]              pc_o,             // warp PC; 0 if no thread is Ready
    output logic [WARP_SIZE-1:0]            participating_o,  // Ready threads at the warp PC
    output logic [LEVEL_BITS-1:0]           level_o           // priority level of the thread that gives the PC
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("first_ready_arbiter: WARP_SIZE must be 4 to 64");
  end
  if (LEVELS < 1 || LEVELS > 16) begin : gen_illegal_levels
    $error("first_ready_arbiter: LEVELS must be 1 to 16");
  end
`endif

  assign wtid_o = ready_i & (~ready_i + WARP_SIZE'(1));

  always_comb begin
    pc_o = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      pc_o = pc_o | ({PC_BITS{wtid_o[k]}} & pc_i[k*PC_BITS +: PC_BITS]);
    end
  end

  always_comb begin
    participating_o = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      participating_o[k] = ready_i[k] && pc_i[k*PC_BITS +: PC_BITS] == pc_o;
    end
  end

  always_comb begin
    level_o = '0;
    for (int unsigned n = 0; n < LEVELS; n++) begin
      if ((wtid_o & priority_i[n*PRIORITY_BITS +: PRIORITY_BITS]) != '0) level_o = LEVEL_BITS'(n);
    end
  end
endmodule
