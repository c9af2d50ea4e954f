// token_file: records which registers of a warp hold one value in all its threads (Xiang et al. 2013 §3.1.1; machine.md
// §9). Twin of model/control/token_file.h.
//
// Each register of each warp has a token. The registers of a mask are the rows of a thread, then three states of a
// thread: NZCV, flags of the FPSCR and modes of the FPSCR. A cycle may read tokens of one warp and write tokens of
// another; of the same warp, the tokens read are those before the write. All outputs are combinational.
module token_file #(
    parameter  logic [31:0] WARPS      = 16,                            // warps of the cluster, 1–128
    parameter  logic [31:0] REGISTERS  = 51,                            // rows and states of a thread, 4–64
    localparam logic [31:0] ROWS       = REGISTERS - 3,
    localparam logic [31:0] WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] TOKEN_BITS = REGISTERS
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,              // 1: a work-group begins
    input  logic [WARPS-1:0]     start_warps_i,        // warps of the work-group that begins: only r0 and the states
                                                       // become uniform
    input  logic [WARP_BITS-1:0] read_warp_i,          // warp of the decoded instruction
    input  logic [REGISTERS-1:0] read_sources_i,       // sources of the decoded instruction, without those of its
                                                       // condition
    input  logic [ROWS-1:0]      read_destinations_i,  // destinations of the decoded instruction
    input  logic                 read_full_i,          // 1: all live threads of its warp take part
    input  logic                 read_conditional_i,   // 1: it has a condition
    input  logic                 read_fails_i,         // 1: the condition fails with the flags of the first live thread
    input  logic [WARP_BITS-1:0] write_warp_i,         // warp of the instruction whose results are written
    input  logic [REGISTERS-1:0] write_destinations_i,  // destinations of the instruction whose results are written; 0:
                                                        // no write
    input  logic                 write_full_i,         // 1: all live threads of its warp are written
    input  logic                 write_uniform_i,      // 1: the instruction was uniform
    input  logic [REGISTERS-1:0] write_broadcast_i,    // destinations that a load from one address gave one value
    output logic [REGISTERS-1:0] tokens_o,             // uniform rows and states of read_warp_i
    output logic                 uniform_o,            // 1: the decoded instruction is uniform: all threads take part,
                                                       // alike, and its sources are uniform
    output logic [ROWS-1:0]      copies_o              // rows to copy to all threads before the instruction writes some
                                                       // of them
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("token_file: WARPS must be 1 to 128");
  end
  if (REGISTERS < 4 || REGISTERS > 64) begin : gen_illegal_registers
    $error("token_file: REGISTERS must be 4 to 64");
  end
`endif

  logic [WARPS*TOKEN_BITS-1:0] token_d, token_q;  // uniform rows and states of each warp
  logic [REGISTERS-1:0]        sets;
  logic                        flags_known, whole, nothing;

  always_comb begin
    tokens_o = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (32'(read_warp_i) == w) tokens_o = token_q[w*TOKEN_BITS+:TOKEN_BITS];
    end
  end

  assign flags_known = !read_conditional_i || tokens_o[ROWS];
  assign whole       = read_full_i && flags_known;
  assign nothing     = read_conditional_i && flags_known && read_fails_i;
  assign uniform_o   = whole && (read_sources_i & ~tokens_o) == '0;
  assign copies_o    = whole || nothing ? '0 : read_destinations_i & tokens_o[ROWS-1:0];

  assign sets = !write_full_i ? '0 : write_uniform_i ? write_destinations_i : write_destinations_i & write_broadcast_i;

  always_comb begin
    token_d = token_q;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (32'(write_warp_i) == w)
        token_d[w*TOKEN_BITS+:TOKEN_BITS] = (token_q[w*TOKEN_BITS+:TOKEN_BITS] & ~write_destinations_i) | sets;
      if (start_i && start_warps_i[w]) token_d[w*TOKEN_BITS+:TOKEN_BITS] = {3'b111, ROWS'(1)};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) token_q <= '0;
    else         token_q <= token_d;
  end
endmodule
