// operand_collector: decides in which cycles and through which ports the source vTPOs of a warp instruction are read,
// and which operand buffers are free (dual-mode §3.5; timing.md §O). Twin of model/control/operand_collector.h.
//
// One instruction is collected at a time. Collected instructions wait for their rounds, each in a buffer. The
// instruction whose rounds start keeps its buffer until the last round has started. With two buffers, collecting
// overlaps the rounds.
//
// The lines of the sources are read in ascending order, in batches of at most READ_PORTS lines. A batch holds its ports
// for READ_LATENCY cycles. If loads of stack objects leave too few ports for the batch, collecting stalls for the
// cycle. Only one line of a scalar, a register with the same value in all threads, is read.
//
// The block controls the reads; the words that are read do not pass through it. All outputs are combinational.
module operand_collector #(
    parameter  logic [31:0] WARPS        = 16,
        // warps of the cluster, 1–128
    parameter  logic [31:0] COLLECTORS   = 2,
        // operand buffers, 1–16
    parameter  logic [31:0] READ_PORTS   = 1,
        // read ports of the TPM, 1–16
    parameter  logic [31:0] READ_LATENCY = 1,
        // cycles for which a batch holds its ports, 1–100
    parameter  logic [31:0] VTPO_LINES   = 1,
        // cache lines of a vTPO, 1–8
    localparam logic [31:0] N_REG        = 48,
    localparam logic [31:0] WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] WAIT_BITS    = $clog2(COLLECTORS + 1),
    localparam logic [31:0] PORT_BITS    = $clog2(READ_PORTS + 1),
    localparam logic [31:0] PHASE_BITS   = READ_LATENCY > 1 ? $clog2(READ_LATENCY) : 1,
    localparam logic [31:0] LINE_BITS    = VTPO_LINES > 1 ? $clog2(VTPO_LINES) : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 valid_i,    // 1: an instruction waits to be collected
    input  logic [WARP_BITS-1:0] warp_i,     // warp of the waiting instruction
    input  logic [N_REG-1:0]     sources_i,  // registers that it reads; may be 0
    input  logic [N_REG-1:0]     scalars_i,  // registers of sources_i that are scalars
    input  logic                 take_i,     // 1: X starts the rounds of the oldest collected instruction; there must
                                             // be one
    input  logic                 hold_i,     // 1: the last round of an instruction in X starts in this cycle or later
    input  logic [PORT_BITS-1:0] taken_i,    // read ports that loads of stack objects use in this cycle
    output logic                 start_o,    // 1: collecting the instruction at the inputs starts
    output logic [WARP_BITS-1:0] warp_o,     // warp m whose operands are being collected; 0 without one
    output logic [N_REG-1:0]     objects_o,  // objects d of which a line is read: row m·n_tpo + d of the TPM
    output logic [PORT_BITS-1:0] reads_o,    // number of lines that are read
    output logic                 stall_o,    // 1: collecting stalls
    output logic                 done_o      // 1: the last cycle of collecting an instruction
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("operand_collector: WARPS must be 1 to 128");
  end
  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_illegal_collectors
    $error("operand_collector: COLLECTORS must be 1 to 16");
  end
  if (READ_PORTS < 1 || READ_PORTS > 16) begin : gen_illegal_ports
    $error("operand_collector: READ_PORTS must be 1 to 16");
  end
  if (READ_LATENCY < 1 || READ_LATENCY > 100) begin : gen_illegal_latency
    $error("operand_collector: READ_LATENCY must be 1 to 100");
  end
  if (VTPO_LINES < 1 || VTPO_LINES > 8) begin : gen_illegal_lines
    $error("operand_collector: VTPO_LINES must be 1 to 8");
  end
`endif

  logic                  busy_d, busy_q;        // an instruction is being collected
  logic [WARP_BITS-1:0]  warp_d, warp_q;        // warp of the instruction in collection
  logic [N_REG-1:0]      sources_d, sources_q;  // sources with lines that have not been read
  logic [N_REG-1:0]      scalars_d, scalars_q;  // registers of the sources that are scalars
  logic [LINE_BITS-1:0]  line_d, line_q;        // lines of the first source that have been read
  logic [PHASE_BITS-1:0] phase_d, phase_q;      // cycles for which the current batch has been read
  logic [WAIT_BITS-1:0]  waiting_d, waiting_q;  // instructions that are collected and not yet taken

  logic                 collecting, ends;
  logic [N_REG-1:0]     sources, batch, first, rest;  // sources to read; sources of the batch; the last of them;
                                                      // sources left after the batch
  logic [N_REG-1:0]     scalars;
  logic [LINE_BITS-1:0] line;                         // lines read of the first source that is left
  logic [PORT_BITS-1:0] wanted;                       // lines of the batch

  assign start_o    = valid_i && !busy_q
                   && (WAIT_BITS + 1)'(waiting_q) + (WAIT_BITS + 1)'(hold_i)
                    < (WAIT_BITS + 1)'(COLLECTORS) + (WAIT_BITS + 1)'(take_i);
  assign collecting = busy_q || start_o;
  assign sources    = busy_q ? sources_q : sources_i;
  assign scalars    = busy_q ? scalars_q : scalars_i;

  always_comb begin
    rest   = sources;
    line   = line_q;
    batch  = '0;
    first  = '0;
    wanted = '0;
    for (int unsigned port = 0; port < READ_PORTS; port++) begin
      first = rest & (~rest + N_REG'(1));
      batch = batch | first;
      if (rest != '0) begin
        wanted = wanted + PORT_BITS'(1);
        if (VTPO_LINES == 1 || line == LINE_BITS'(VTPO_LINES - 1) || (scalars & first) != '0) begin
          rest = rest & ~first;
          line = '0;
        end else begin
          line = line + LINE_BITS'(1);
        end
      end
    end
  end

  assign stall_o   = collecting && (PORT_BITS + 1)'(taken_i) + (PORT_BITS + 1)'(wanted) > (PORT_BITS + 1)'(READ_PORTS);
  assign ends      = collecting && !stall_o && (wanted == '0 || phase_q == PHASE_BITS'(READ_LATENCY - 1));
  assign warp_o    = busy_q ? warp_q : start_o ? warp_i : '0;
  assign objects_o = collecting && !stall_o ? batch : '0;
  assign reads_o   = collecting && !stall_o ? wanted : '0;
  assign done_o    = ends && rest == '0;

  assign busy_d    = collecting && !done_o;
  assign warp_d    = busy_d ? warp_o : '0;
  assign sources_d = !busy_d ? '0 : ends ? rest : sources;
  assign scalars_d = busy_d ? scalars : '0;
  assign line_d    = ends ? line : line_q;  // 0 after the last source
  assign phase_d   = !busy_d || ends ? '0 : stall_o ? phase_q : phase_q + PHASE_BITS'(1);
  assign waiting_d = waiting_q + WAIT_BITS'(done_o) - WAIT_BITS'(take_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      warp_q    <= '0;
      sources_q <= '0;
      scalars_q <= '0;
      line_q    <= '0;
      phase_q   <= '0;
      waiting_q <= '0;
    end else begin
      busy_q    <= busy_d;
      warp_q    <= warp_d;
      sources_q <= sources_d;
      scalars_q <= scalars_d;
      line_q    <= line_d;
      phase_q   <= phase_d;
      waiting_q <= waiting_d;
    end
  end
endmodule
