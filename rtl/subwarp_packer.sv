// subwarp_packer: selects the threads of the next sub-warp of a large warp's instruction (divergence.md §4, lwm;
// Narasiman et al. 2011). Twin of model/divergence/subwarp_packer.h.
//
// Thread n is in lane n mod LANES and row n div LANES. Each lane takes the remaining thread in its lowest row. The
// block has no state; both outputs are combinational.
module subwarp_packer #(
    parameter  logic [31:0] LANES        = 16,           // lanes of the SM, 1–32
    parameter  logic [31:0] ROWS         = 8,            // rows of threads, 1–128
    localparam logic [31:0] THREADS      = LANES * ROWS,
    localparam logic [31:0] MASK_BITS    = LANES,        // NAME_BITS: bits of a NAME element, a row
    localparam logic [31:0] SUBWARP_BITS = LANES,
    localparam logic [31:0] REST_BITS    = LANES
) (
    input  logic [THREADS-1:0]        mask_i,     // threads that remain, a mask of lanes for each row
    output logic [THREADS-1:0]        subwarp_o,  // threads of mask_i that go next
    output logic [ROWS*REST_BITS-1:0] rest_o      // threads that go later
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("subwarp_packer: LANES must be 1 to 32");
  end
  if (ROWS < 1 || ROWS > 128) begin : gen_illegal_rows
    $error("subwarp_packer: ROWS must be 1 to 128");
  end
`endif

  logic [LANES-1:0] taken;  // lanes that have a thread in a lower row

  always_comb begin
    taken     = '0;
    subwarp_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) begin
      subwarp_o[r*SUBWARP_BITS +: SUBWARP_BITS] = mask_i[r*MASK_BITS +: MASK_BITS] & ~taken;
      taken = taken | mask_i[r*MASK_BITS +: MASK_BITS];
    end
  end

  assign rest_o = mask_i & ~subwarp_o;
endmodule
