// Properties of subwarp_packer (rtl/subwarp_packer.sv; divergence.md §4, lwm). scripts/formal puts an instance
// into the module. The properties are for any lane, and any of its rows.
// Sizes: LANES=16 ROWS=4;LANES=1 ROWS=1;LANES=4 ROWS=8;LANES=5 ROWS=3
module subwarp_packer_props #(
    parameter  int unsigned LANES        = 16,
    parameter  int unsigned ROWS         = 4,
    localparam int unsigned THREADS      = LANES * ROWS,
    localparam int unsigned MASK_BITS    = LANES,
    localparam int unsigned SUBWARP_BITS = LANES,
    localparam int unsigned REST_BITS    = LANES
) (
    input logic [THREADS-1:0] mask_i,
    input logic [THREADS-1:0] subwarp_o,
    input logic [THREADS-1:0] rest_o
);
  (* anyconst *) logic [5:0] k;  // an arbitrary lane: properties of it hold for all
  (* anyconst *) logic [5:0] r;  // an arbitrary row

  logic       in_mask, in_subwarp, in_rest, lower, any;
  logic [6:0] left, later, taken;  // threads of the lane: left before, left after, selected
  always_comb begin
    in_mask    = 1'b0;
    in_subwarp = 1'b0;
    in_rest    = 1'b0;
    lower      = 1'b0;
    any        = 1'b0;
    left       = '0;
    later      = '0;
    taken      = '0;
    for (int unsigned n = 0; n < THREADS; n++) begin
      if (n % LANES == 32'(k)) begin
        left  = left + 7'(mask_i[n]);
        later = later + 7'(rest_o[n]);
        taken = taken + 7'(subwarp_o[n]);
        any   = any || mask_i[n];
        if (n / LANES < 32'(r) && mask_i[n]) lower = 1'b1;
        if (n / LANES == 32'(r)) begin
          in_mask    = mask_i[n];
          in_subwarp = subwarp_o[n];
          in_rest    = rest_o[n];
        end
      end
    end
  end

  always_comb assume (32'(k) < LANES && 32'(r) < ROWS);

  always_comb begin
    partitions_what_is_left:         assert ((in_subwarp || in_rest) == in_mask && !(in_subwarp && in_rest));
    partitions_what_is_left_reached: cover (in_subwarp);

    at_most_one_a_lane:         assert (taken <= 7'd1);
    at_most_one_a_lane_reached: cover (ROWS == 1 || (taken == 7'd1 && left > 7'd1));

    the_lowest_row_goes:         assert (in_subwarp == (in_mask && !lower));
    the_lowest_row_goes_reached: cover (ROWS == 1 || (in_mask && lower));

    every_lane_that_has_threads_takes_one:         assert (!any || later == left - 7'd1);
    every_lane_that_has_threads_takes_one_reached: cover (any);
  end
endmodule
