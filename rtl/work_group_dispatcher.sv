// work_group_dispatcher: the work-groups of a launch, handed out to whoever asks first. Twin of
// model/control/work_group_dispatcher.h.
//
// A cycle is a request: a launch begins, or somebody takes a work-group. They are handed out in the order of their linear
// number, and so of their ids, the first dimension first.
module work_group_dispatcher (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        begin_i,    // a launch begins,
    input  logic [31:0] count_x_i,  // of so many work-groups in each dimension, 1 at least
    input  logic [31:0] count_y_i,
    input  logic [31:0] count_z_i,
    input  logic        take_i,     // somebody takes the one that is put out
    output logic        valid_o,    // registered, as all outputs: there is one left,
    output logic [63:0] number_o,   // this one; 0: none is left
    output logic [31:0] x_o,        // its id
    output logic [31:0] y_o,
    output logic [31:0] z_o
);
  logic        left_d, left_q;  // there is one
  logic [63:0] number_d, number_q;
  logic [31:0] x_d, x_q, y_d, y_q, z_d, z_q;
  logic [31:0] count_x_d, count_x_q, count_y_d, count_y_q, count_z_d, count_z_q;
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
