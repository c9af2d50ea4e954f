// scoreboard: records which registers of each warp an instruction in flight has still to write, and determines which
// warps' next instructions may issue (gpu-like.md §3). Twin of model/control/scoreboard.h.
//
// A register is pending from the cycle after the issue of an instruction that writes it until its release. A release
// takes effect in the same cycle. A warp is clear if its next instruction neither reads nor writes a pending register,
// and writes no register that an older instruction of the warp has still to read.
module scoreboard #(
    parameter  logic [31:0] WARPS             = 32,                            // warps of the scheduler, 1–128
    parameter  logic [31:0] REGISTERS         = 51,                            // registers of a thread, 1–64
    localparam logic [31:0] WARP_BITS         = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] RELEASE_BITS      = REGISTERS,                     // NAME_BITS: bits of a NAME element
    localparam logic [31:0] UNREAD_BITS       = REGISTERS,
    localparam logic [31:0] NEEDS_BITS        = REGISTERS,
    localparam logic [31:0] DESTINATIONS_BITS = REGISTERS,
    localparam logic [31:0] PENDING_BITS      = REGISTERS
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               issued_i,        // 1: instructions of a warp issued in the cycle before
    input  logic [WARP_BITS-1:0]               warp_i,          // warp of the issued instructions
    input  logic [REGISTERS-1:0]               writes_i,        // registers that these instructions will write
    input  logic [WARPS*RELEASE_BITS-1:0]      release_i,       // registers of each warp whose last write is done
    input  logic [WARPS*UNREAD_BITS-1:0]       unread_i,        // registers of each warp that instructions in flight
                                                                // have still to read
    input  logic [WARPS*NEEDS_BITS-1:0]        needs_i,         // registers of each warp that its next instruction
                                                                // reads or writes
    input  logic [WARPS*DESTINATIONS_BITS-1:0] destinations_i,  // registers of needs_i that the next instruction writes
    output logic [WARPS-1:0]                   clear_o          // bit w: the next instruction of warp w may issue;
                                                                // combinational
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("scoreboard: WARPS must be 1 to 128");
  end
  if (REGISTERS < 1 || REGISTERS > 64) begin : gen_illegal_registers
    $error("scoreboard: REGISTERS must be 1 to 64");
  end
`endif

  logic [WARPS*PENDING_BITS-1:0] pending_d, pending_q;  // pending registers of each warp

  always_comb begin
    pending_d = pending_q;
    clear_o   = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (issued_i && 32'(warp_i) == w)
        pending_d[w*PENDING_BITS +: PENDING_BITS] = pending_q[w*PENDING_BITS +: PENDING_BITS] | writes_i;
      pending_d[w*PENDING_BITS +: PENDING_BITS] =
          pending_d[w*PENDING_BITS +: PENDING_BITS] & ~release_i[w*RELEASE_BITS +: RELEASE_BITS];
      clear_o[w] = (needs_i[w*NEEDS_BITS +: NEEDS_BITS] & pending_d[w*PENDING_BITS +: PENDING_BITS]) == '0
                && (destinations_i[w*DESTINATIONS_BITS +: DESTINATIONS_BITS] & unread_i[w*UNREAD_BITS +: UNREAD_BITS]) == '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= '0;
    else         pending_q <= pending_d;
  end
endmodule
