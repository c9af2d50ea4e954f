// Properties of work_group_dispatcher (rtl/work_group_dispatcher.sv). scripts/formal puts an instance into the module.
module work_group_dispatcher_props (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        begin_i,
    input logic [31:0] count_x_i,
    input logic [31:0] count_y_i,
    input logic [31:0] count_z_i,
    input logic        take_i,
    input logic        valid_o,
    input logic [63:0] number_o,
    input logic [31:0] x_o,
    input logic [31:0] y_o,
    input logic [31:0] z_o,
    input logic        left_q,
    input logic [31:0] count_x_q,
    input logic [31:0] count_y_q,
    input logic [31:0] count_z_q
);
  // The previous cycle, and the counts of the launch.
  logic        started = 1'b0;
  logic        after_reset, began, taken, was_left;
  logic [31:0] x_was, y_was, z_was, count_x, count_y, count_z;
  logic [63:0] number_was;
  always_ff @(posedge clk_i) begin
    started    <= 1'b1;
    x_was      <= x_o;
    y_was      <= y_o;
    z_was      <= z_o;
    number_was <= number_o;
    was_left   <= valid_o;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      after_reset <= 1'b1;
      began       <= 1'b0;
      taken       <= 1'b0;
      count_x     <= '0;
      count_y     <= '0;
      count_z     <= '0;
    end else begin
      after_reset <= 1'b0;
      began       <= begin_i;
      taken       <= !begin_i && take_i && valid_o;
      if (begin_i) begin
        count_x <= count_x_i;
        count_y <= count_y_i;
        count_z <= count_z_i;
      end
    end
  end

  // Any work-group: whether it has been dispatched in this launch.
  (* anyconst *) logic [31:0] any_x;
  (* anyconst *) logic [31:0] any_y;
  (* anyconst *) logic [31:0] any_z;
  logic given, here;
  assign here = valid_o && x_o == any_x && y_o == any_y && z_o == any_z;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              given <= 1'b0;
    else if (begin_i)         given <= 1'b0;
    else if (take_i && here)  given <= 1'b1;
  end

  // Number of the first work-group in the id's row: count_x · (y + count_y · z), thus count_x more than that
  // of the previous row.
  logic [63:0] row_q, row;
  assign row = began ? 64'd0 : taken && last_x ? row_q + 64'(count_x) : row_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_q <= '0;
    else         row_q <= row;
  end

  // The id was the last in its dimension and in all previous ones.
  logic last_x, last_y, last_z, running;
  assign last_x  = x_was + 32'd1 == count_x;
  assign last_y  = last_x && y_was + 32'd1 == count_y;
  assign last_z  = last_y && z_was + 32'd1 == count_z;
  assign running = !after_reset && !began;

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (!begin_i || (count_x_i != '0 && count_y_i != '0 && count_z_i != '0));
  end

  always_comb if (started && rst_ni) begin
    lemma_counts:         assert (count_x_q == count_x && count_y_q == count_y && count_z_q == count_z && left_q == valid_o);
    lemma_counts_reached: cover (valid_o && count_x > 32'd3 && count_y == 32'd2 && count_z == 32'd5);

    lemma_given:         assert (!(given && valid_o)
                           || {z_o, y_o, x_o} > {any_z, any_y, any_x});
    lemma_given_reached: cover (given && valid_o && z_o > any_z);

    lemma_none_left:         assert (valid_o || number_o == '0 && x_o == '0 && y_o == '0 && z_o == '0);
    lemma_none_left_reached: cover (!valid_o && given);

    // Contract: requirements of the machine.
    an_id_is_inside_the_launch:         assert (!valid_o || (x_o < count_x && y_o < count_y && z_o < count_z));
    an_id_is_inside_the_launch_reached: cover (valid_o && x_o == 32'd2 && y_o == 32'd1);

    the_number_is_that_of_the_id:         assert (!valid_o || number_o == row + 64'(x_o));
    the_number_is_that_of_the_id_reached: cover (valid_o && x_o == 32'd1 && number_o == 64'd5);

    each_is_handed_out_once:         assert (!(given && here));
    each_is_handed_out_once_reached: cover (given && valid_o);

    none_is_put_out_when_none_is_left:         assert (!(taken && last_z) || !valid_o);
    none_is_put_out_when_none_is_left_reached: cover (taken && last_z && number_was == 64'd5);

    one_is_put_out_while_one_is_left:         assert (!(began || (taken && !last_z)) || valid_o);
    one_is_put_out_while_one_is_left_reached: cover (taken && !last_z);

    // Policy: ascending numbers.
    a_launch_begins_with_the_first:         assert (!began || (number_o == '0 && x_o == '0 && y_o == '0 && z_o == '0));
    a_launch_begins_with_the_first_reached: cover (began && number_was == 64'd2);

    numbers_count_up:         assert (!(taken && !last_z) || number_o == number_was + 64'd1);
    numbers_count_up_reached: cover (taken && number_o == 64'd4);

    the_first_dimension_first:         assert (!taken || x_o == (last_x ? 32'd0 : x_was + 32'd1));
    the_first_dimension_first_reached: cover (taken && last_x && !last_y);

    the_second_after_it:         assert (!taken || y_o == (last_y ? 32'd0 : last_x ? y_was + 32'd1 : y_was));
    the_second_after_it_reached: cover (taken && last_y && !last_z);

    the_third_at_last:         assert (!taken || z_o == (last_z ? 32'd0 : last_y ? z_was + 32'd1 : z_was));
    the_third_at_last_reached: cover (taken && z_o == 32'd2);

    nothing_changes_unasked:         assert (!(running && !taken)
                                       || (number_o == number_was && x_o == x_was && y_o == y_was && z_o == z_was && valid_o == was_left));
    nothing_changes_unasked_reached: cover (running && !taken && x_was == 32'd1);

    nothing_is_left_after_a_reset:         assert (!after_reset || !valid_o);
    nothing_is_left_after_a_reset_reached: cover (after_reset);
  end
endmodule
