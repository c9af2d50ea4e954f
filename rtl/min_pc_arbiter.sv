// min_pc_arbiter: chooses the smallest PC of a Ready thread as the warp PC; for slot warp_pc_arbiter. Twin of
// model/control/warp_pc_arbiter.h with the policy min_pc.
//
// A tree of comparators finds the smallest PC. Every Ready thread at this PC participates. wtid_o names the
// lowest-numbered of them. All outputs are combinational.
module min_pc_arbiter #(
    parameter  logic [31:0] WARP_SIZE     = 32,                              // threads of a warp, 4–64
    parameter  logic [31:0] LEVELS        = 8,                               // priority levels, 1–16
    localparam logic [31:0] LEVEL_BITS    = LEVELS > 1 ? $clog2(LEVELS) : 1,
    localparam logic [31:0] PRIORITY_BITS = WARP_SIZE,                       // NAME_BITS: bits of a NAME element
    localparam logic [31:0] PC_BITS       = 32,
    localparam logic [31:0] KEY_BITS      = PC_BITS + 1
) (
    input  logic [WARP_SIZE-1:0]            ready_i,          // bit k: thread k is Ready
    input  logic [LEVELS*PRIORITY_BITS-1:0] priority_i,       // threads of each level, as a mask; a thread has one
                                                              // level
    input  logic [WARP_SIZE*PC_BITS-1:0]    pc_i,             // PC of each thread
    output logic [WARP_SIZE-1:0]            wtid_o,           // lowest-numbered thread at the warp PC, one-hot; 0 if no
                                                              // thread is Ready
    output logic [PC_BITS-1:0]              pc_o,             // warp PC; 0 if no thread is Ready
    output logic [WARP_SIZE-1:0]            participating_o,  // Ready threads at the warp PC
    output logic [LEVEL_BITS-1:0]           level_o           // priority level of the thread in wtid_o
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("min_pc_arbiter: WARP_SIZE must be 4 to 64");
  end
  if (LEVELS < 1 || LEVELS > 16) begin : gen_illegal_levels
    $error("min_pc_arbiter: LEVELS must be 1 to 16");
  end
`endif

  // Each thread has a key: its PC, or a larger value if the thread is not Ready. Each level of the tree keeps the
  // smaller key of two neighbours with its thread; of equal keys, that of the lower-numbered thread.
  logic [WARP_SIZE*KEY_BITS-1:0]  key;
  logic [WARP_SIZE*WARP_SIZE-1:0] who;

  always_comb begin
    who = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      key[k*KEY_BITS +: KEY_BITS] = {!ready_i[k], pc_i[k*PC_BITS +: PC_BITS]};
      who[k*WARP_SIZE+k]          = ready_i[k];
    end
    for (int unsigned left = WARP_SIZE; left > 1; left = (left + 1) / 2) begin
      for (int unsigned n = 0; n < (left + 1) / 2; n++) begin
        if (2 * n + 1 < left && key[(2*n+1)%WARP_SIZE*KEY_BITS +: KEY_BITS] < key[2*n*KEY_BITS +: KEY_BITS]) begin
          key[n*KEY_BITS +: KEY_BITS]   = key[(2*n+1)%WARP_SIZE*KEY_BITS +: KEY_BITS];
          who[n*WARP_SIZE +: WARP_SIZE] = who[(2*n+1)%WARP_SIZE*WARP_SIZE +: WARP_SIZE];
        end else begin
          key[n*KEY_BITS +: KEY_BITS]   = key[2*n*KEY_BITS +: KEY_BITS];
          who[n*WARP_SIZE +: WARP_SIZE] = who[2*n*WARP_SIZE +: WARP_SIZE];
        end
      end
    end
  end

  assign wtid_o = who[0 +: WARP_SIZE];

  always_comb begin
    pc_o            = '0;
    participating_o = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      pc_o = pc_o | ({PC_BITS{wtid_o[k]}} & pc_i[k*PC_BITS +: PC_BITS]);
    end
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
