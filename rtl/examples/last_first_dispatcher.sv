// last_first_dispatcher: another policy for the slot work_group_dispatcher (docs/rtl.md): work-groups are handed out from
// the last to the first.
module last_first_dispatcher (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        begin_i,
    input  logic [31:0] count_x_i,
    input  logic [31:0] count_y_i,
    input  logic [31:0] count_z_i,
    input  logic        take_i,
    output logic        valid_o,
    output logic [63:0] number_o,
    output logic [31:0] x_o,
    output logic [31:0] y_o,
    output logic [31:0] z_o
);
  logic [31:0] count_x_q, count_y_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else if (begin_i) begin
      valid_o   <= 1'b1;
      number_o  <= 64'(count_x_i) * 64'(count_y_i) * 64'(count_z_i) - 64'd1;
      x_o       <= count_x_i - 32'd1;
      y_o       <= count_y_i - 32'd1;
      z_o       <= count_z_i - 32'd1;
      count_x_q <= count_x_i;
      count_y_q <= count_y_i;
    end else if (take_i) begin
      valid_o  <= valid_o && number_o != '0;
      number_o <= number_o - 64'd1;
      x_o      <= x_o == '0 ? count_x_q - 32'd1 : x_o - 32'd1;
      if (x_o == '0) y_o <= y_o == '0 ? count_y_q - 32'd1 : y_o - 32'd1;
      if (x_o == '0 && y_o == '0) z_o <= z_o - 32'd1;
    end
  end
endmodule
