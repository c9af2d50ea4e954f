  // In the order of the linear number: the id counts up as its digits do.
  logic [31:0] count_x_q, count_y_q, count_z_q;
  logic        last_x, last_y, last_z;

  assign last_x = x_o + 32'd1 == count_x_q;
  assign last_y = y_o + 32'd1 == count_y_q;
  assign last_z = z_o + 32'd1 == count_z_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else if (begin_i) begin
      valid_o                           <= 1'b1;
      number_o                          <= '0;
      {z_o, y_o, x_o}                   <= '0;
      {count_z_q, count_y_q, count_x_q} <= {count_z_i, count_y_i, count_x_i};
    end else if (take_i) begin
      valid_o  <= valid_o && !(last_x && last_y && last_z);
      number_o <= number_o + 64'd1;
      x_o      <= last_x ? '0 : x_o + 32'd1;
      if (last_x) y_o <= last_y ? '0 : y_o + 32'd1;
      if (last_x && last_y) z_o <= z_o + 32'd1;
    end
  end
