// A replacement for warp_pc_arbiter: scans from the lowest level and the last thread on; each ready thread
// overrides those before it.
module my_arbiter #(
    parameter int unsigned WARP_SIZE = 32,
    parameter int unsigned LEVELS    = 8
) (
    input  logic [WARP_SIZE-1:0]        ready_i,
    input  logic [LEVELS*WARP_SIZE-1:0] priority_i,
    input  logic [WARP_SIZE*32-1:0]     pc_i,
    output logic [31:0]                 pc_o,
    output logic [WARP_SIZE-1:0]        participating_o
);
  always_comb begin
    pc_o = '0;
    for (int unsigned level = 0; level < LEVELS; ++level)
      for (int k = int'(WARP_SIZE) - 1; k >= 0; --k)
        if (ready_i[k] && priority_i[level*WARP_SIZE+32'(k)]) pc_o = pc_i[32*k+:32];
    for (int k = 0; k < int'(WARP_SIZE); ++k) participating_o[k] = ready_i[k] && pc_i[32*k+:32] == pc_o;
  end
endmodule
