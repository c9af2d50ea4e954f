// subwarp_packer: the next sub-warp of a large warp's instruction (divergence.md §4, lwm; Narasiman et al. 2011). Twin of
// model/divergence/subwarp_packer.h.
//
// Thread n is in lane n mod LANES, row n div LANES. Of the threads that are left each lane takes the one in its lowest
// row.
module subwarp_packer #(
    parameter  int unsigned LANES   = 16,           // 1–32
    parameter  int unsigned ROWS    = 2,            // 1–64; LANES * ROWS is at most 64
    localparam int unsigned THREADS = LANES * ROWS
) (
    input  logic [THREADS-1:0] mask_i,     // threads that are left
    output logic [THREADS-1:0] subwarp_o,  // of these, those that go next; combinational, as all outputs
    output logic [THREADS-1:0] rest_o      // and those that go later
);
  if (LANES < 1 || LANES > 32) begin : gen_illegal_lanes
    $error("subwarp_packer: LANES must be 1 to 32");
  end
  if (ROWS < 1 || THREADS > 64) begin : gen_illegal_rows
    $error("subwarp_packer: ROWS must be 1 or more, and LANES x ROWS at most 64");
  end

  logic [LANES-1:0] taken;  // lanes that have a thread

  always_comb begin
    taken     = '0;
    subwarp_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) begin
      subwarp_o[r*LANES +: LANES] = mask_i[r*LANES +: LANES] & ~taken;
      taken = taken | mask_i[r*LANES +: LANES];
    end
  end

  assign rest_o = mask_i & ~subwarp_o;
endmodule
