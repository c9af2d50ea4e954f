// work_group_dispatcher: hands out the work-groups of a launch in the order of requests. Twin of
// model/control/work_group_dispatcher.h.
//
// A cycle is one request: a launch begins, or a cluster takes a work-group. Work-groups are handed out in the order of
// their linear number: the first dimension of their ids counts fastest. All outputs are registered.
module work_group_dispatcher (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        begin_i,    // 1: a launch begins
    input  logic [31:0] count_x_i,  // work-groups of the launch in the first dimension, at least 1
    input  logic [31:0] count_y_i,  // work-groups in the second dimension, at least 1
    input  logic [31:0] count_z_i,  // work-groups in the third dimension, at least 1
    input  logic        take_i,     // 1: the work-group at the outputs is taken
    output logic        valid_o,    // 1: a work-group is left
    output logic [63:0] number_o,   // linear number of the next work-group; 0 without one
    output logic [31:0] x_o,        // id of the next work-group in the first dimension
    output logic [31:0] y_o,        // id of the next work-group in the second dimension
    output logic [31:0] z_o         // id of the next work-group in the third dimension
);
  logic        left_d, left_q;  // a work-group is left
  logic [63:0] number_d, number_q;  // linear number of the next work-group
  logic [31:0] x_d, x_q, y_d, y_q, z_d, z_q;  // id of the next work-group (x, y, z)
  logic [31:0] count_x_d, count_x_q, count_y_d, count_y_q, count_z_d, count_z_q;  // work-groups of the launch in each
                                                                                  // dimension
  logic        last_x, last_y, last_z;

  assign valid_o  = left_q;
  assign number_o = number_q;
  assign x_o      = x_q;
  assign y_o      = y_q;
  assign z_o      = z_q;

  assign last_x = x_q == count_x_q - 32'd1;
  assign last_y = y_q == count_y_q - 32'd1;
  assign last_z = z_q == count_z_q - 32'd1;

  always_comb begin
    left_d    = left_q;
    number_d  = number_q;
    x_d       = x_q;
    y_d       = y_q;
    z_d       = z_q;
    count_x_d = count_x_q;
    count_y_d = count_y_q;
    count_z_d = count_z_q;
    if (begin_i) begin
      left_d    = 1'b1;
      number_d  = 64'd0;
      x_d       = 32'd0;
      y_d       = 32'd0;
      z_d       = 32'd0;
      count_x_d = count_x_i;
      count_y_d = count_y_i;
      count_z_d = count_z_i;
    end else if (take_i && left_q) begin
      left_d   = !(last_x && last_y && last_z);
      number_d = left_d ? number_q + 64'd1 : 64'd0;
      x_d      = last_x ? 32'd0 : x_q + 32'd1;
      if (last_x) y_d = last_y ? 32'd0 : y_q + 32'd1;
      if (last_x && last_y) z_d = last_z ? 32'd0 : z_q + 32'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q    <= 1'b0;
      number_q  <= 64'd0;
      x_q       <= 32'd0;
      y_q       <= 32'd0;
      z_q       <= 32'd0;
      count_x_q <= 32'd0;
      count_y_q <= 32'd0;
      count_z_q <= 32'd0;
    end else begin
      left_q    <= left_d;
      number_q  <= number_d;
      x_q       <= x_d;
      y_q       <= y_d;
      z_q       <= z_d;
      count_x_q <= count_x_d;
      count_y_q <= count_y_d;
      count_z_q <= count_z_d;
    end
  end
endmodule
