// writeback_arbiter: assigns the write ports of the TPM to results (W) and determines which instructions commit (C;
// timing.md). Twin of model/control/writeback_arbiter.h.
//
// An instruction lands in the cycle in which its last round starts. Its results are a number of lines of each lane and
// a number of scalar registers. From the cycle after its last result on, its lines are written, at most WRITE_PORTS
// lines a cycle. Instructions that landed earlier go first. Scalar registers have one port of their own.
//
// An instruction commits at the end of the cycle of its last write, or of its last result if it writes nothing. A warp
// has at most one instruction here.
/* verilator lint_off WIDTHCONCAT */  // older_q is that wide with 128 warps
module writeback_arbiter #(
    parameter  logic [31:0] WARPS        = 16,  // warps of the cluster, 1–128
    parameter  logic [31:0] WRITE_PORTS  = 1,   // write ports of the TPM, 1–16
    parameter  logic [31:0] VTPO_LINES   = 1,   // cache lines of a vTPO, 1–8
    localparam logic [31:0] N_REG        = 48,
    localparam logic [31:0] WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] PORT_BITS    = $clog2(WRITE_PORTS + 1),
    localparam logic [31:0] LINES_BITS   = $clog2(N_REG * VTPO_LINES + 1),  // NAME_BITS: bits of a NAME element
    localparam logic [31:0] SCALARS_BITS = $clog2(N_REG + 1),
    localparam logic [31:0] OLDER_BITS   = WARPS
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    land_i,     // 1: the last round of an instruction starts
    input  logic [WARP_BITS-1:0]    warp_i,     // warp of that instruction, which must have no landed instruction
    input  logic [LINES_BITS-1:0]   lines_i,    // lines that it writes
    input  logic [SCALARS_BITS-1:0] scalars_i,  // scalar registers that it writes
    input  logic [WARPS-1:0]        result_i,   // bit w: the last result of warp w's instruction arrives at the end of
                                                // this cycle
    output logic [WARPS-1:0]        write_o,    // warps whose lines are written; registered, as all outputs but the
                                                // last
    output logic [PORT_BITS-1:0]    ports_o,    // number of lines that are written
    output logic [WARPS-1:0]        scalar_o,   // warp of which a scalar register is written, one-hot
    output logic [WARPS-1:0]        commit_o    // warps whose instructions commit at the end of this cycle;
                                                // combinational
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("writeback_arbiter: WARPS must be 1 to 128");
  end
  if (WRITE_PORTS < 1 || WRITE_PORTS > 16) begin : gen_illegal_ports
    $error("writeback_arbiter: WRITE_PORTS must be 1 to 16");
  end
  if (VTPO_LINES < 1 || VTPO_LINES > 8) begin : gen_illegal_lines
    $error("writeback_arbiter: VTPO_LINES must be 1 to 8");
  end
`endif

  logic [WARPS-1:0]              landed_d, landed_q;    // warp has a landed instruction
  logic [WARPS-1:0]              there_d, there_q;      // the last result of each landed instruction has arrived
  logic [WARPS*LINES_BITS-1:0]   lines_d, lines_q;      // lines still to be written
  logic [WARPS*SCALARS_BITS-1:0] scalars_d, scalars_q;  // scalar registers still to be written
  logic [WARPS*OLDER_BITS-1:0]   older_d, older_q;      // warps whose instructions landed earlier

  // --- W: the instructions with all results get ports, oldest first ---
  logic [WARPS-1:0]            wait_lines, wait_scalars, rest, first;
  logic [PORT_BITS-1:0]        free;
  logic [LINES_BITS-1:0]       of_first, taken;
  logic [WARPS*LINES_BITS-1:0] lines_left;  // lines left at the end of the cycle

  always_comb begin
    wait_lines   = '0;
    wait_scalars = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      wait_lines[w]   = there_q[w] && lines_q[w*LINES_BITS +: LINES_BITS] != '0;
      wait_scalars[w] = there_q[w] && scalars_q[w*SCALARS_BITS +: SCALARS_BITS] != '0;
    end
  end

  always_comb begin
    write_o    = '0;
    lines_left = lines_q;
    rest       = wait_lines;
    free       = PORT_BITS'(WRITE_PORTS);
    first      = '0;
    of_first   = '0;
    taken      = '0;
    for (int unsigned n = 0; n < WRITE_PORTS; n++) begin
      of_first = '0;
      for (int unsigned w = 0; w < WARPS; w++) begin
        first[w] = free != '0 && rest[w] && (older_q[w*OLDER_BITS +: OLDER_BITS] & rest) == '0;
        if (first[w]) of_first = of_first | lines_q[w*LINES_BITS +: LINES_BITS];
      end
      taken = of_first < LINES_BITS'(free) ? of_first : LINES_BITS'(free);
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (first[w]) lines_left[w*LINES_BITS +: LINES_BITS] = of_first - taken;
      end
      write_o = write_o | first;
      rest    = rest & ~first;
      free    = free - PORT_BITS'(taken);
    end
    ports_o = PORT_BITS'(WRITE_PORTS) - free;
  end

  always_comb begin
    scalar_o = '0;
    for (int unsigned w = 0; w < WARPS; w++)
      scalar_o[w] = wait_scalars[w] && (older_q[w*OLDER_BITS +: OLDER_BITS] & wait_scalars) == '0;
  end

  // --- the instruction that lands, and C ---
  logic [WARPS-1:0] lands;

  always_comb begin
    lands     = land_i ? WARPS'(1) << warp_i : '0;
    there_d   = there_q | ((landed_q | lands) & result_i);
    lines_d   = lines_left;
    scalars_d = scalars_q;
    commit_o  = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (scalar_o[w])
        scalars_d[w*SCALARS_BITS +: SCALARS_BITS] = scalars_q[w*SCALARS_BITS +: SCALARS_BITS] - SCALARS_BITS'(1);
      if (lands[w]) begin
        lines_d[w*LINES_BITS +: LINES_BITS]       = lines_i;
        scalars_d[w*SCALARS_BITS +: SCALARS_BITS] = scalars_i;
      end
      commit_o[w] = there_d[w] && lines_d[w*LINES_BITS +: LINES_BITS] == '0
                 && scalars_d[w*SCALARS_BITS +: SCALARS_BITS] == '0;
    end
    there_d  = there_d & ~commit_o;
    landed_d = (landed_q | lands) & ~commit_o;
    older_d  = '0;
    for (int unsigned w = 0; w < WARPS; w++)
      if (landed_d[w])
        older_d[w*OLDER_BITS +: OLDER_BITS] = landed_d & (lands[w] ? ~lands : older_q[w*OLDER_BITS +: OLDER_BITS]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      landed_q  <= '0;
      there_q   <= '0;
      lines_q   <= '0;
      scalars_q <= '0;
      older_q   <= '0;
    end else begin
      landed_q  <= landed_d;
      there_q   <= there_d;
      lines_q   <= lines_d;
      scalars_q <= scalars_d;
      older_q   <= older_d;
    end
  end
endmodule
