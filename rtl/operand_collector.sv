// operand_collector: collects the source vTPOs of warp instructions before their rounds (dual-mode §3.5; timing.md §O).
// Twin of model/control/operand_collector.h.
//
// One instruction is being collected; others wait for their rounds, each in a buffer, and the one whose rounds start
// holds its own until the last has started: with two buffers, collecting overlaps the rounds. The lines of the sources
// are read in their order, in batches of as many as there are ports; a batch has its ports for READ_LATENCY cycles.
// Where loads of stack objects leave fewer ports than the batch at hand needs, collecting stands still for the cycle.
// Of a scalar (a register that has the same value in all threads) one line is read. What is here is which vTPO is read
// when and which buffers are free; the words themselves are not.
module operand_collector #(
    parameter  logic [31:0] WARPS        = 16,                                          // 1–128
    parameter  logic [31:0] COLLECTORS   = 2,                                           // buffers, 1–16
    parameter  logic [31:0] READ_PORTS   = 1,                                           // of the TPM, 1–16
    parameter  logic [31:0] READ_LATENCY = 1,                                           // cycles, 1–100
    parameter  logic [31:0] VTPO_LINES   = 1,                                           // cache lines of a vTPO, 1–8
    localparam logic [31:0] N_REG        = 48,
    localparam logic [31:0] WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] WAIT_BITS    = $clog2(COLLECTORS + 1),
    localparam logic [31:0] PORT_BITS    = $clog2(READ_PORTS + 1),
    localparam logic [31:0] PHASE_BITS   = READ_LATENCY > 1 ? $clog2(READ_LATENCY) : 1,
    localparam logic [31:0] LINE_BITS    = VTPO_LINES > 1 ? $clog2(VTPO_LINES) : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 valid_i,    // there is an instruction to be collected
    input  logic [WARP_BITS-1:0] warp_i,     // its warp
    input  logic [N_REG-1:0]     sources_i,  // and the registers it reads, perhaps none
    input  logic [N_REG-1:0]     scalars_i,  // of these, those that are scalars
    input  logic                 take_i,     // X starts the rounds of the oldest that waits; there is one
    input  logic                 hold_i,     // the last round of an instruction in X starts in this cycle or later
    input  logic [PORT_BITS-1:0] taken_i,    // read ports that loads of stack objects have in this cycle
    output logic                 start_o,    // combinational, as all outputs: collecting that instruction starts
    output logic [WARP_BITS-1:0] warp_o,     // whose operands are being collected: m; 0: nobody's
    output logic [N_REG-1:0]     objects_o,  // each d of which a line is read: row m·n_tpo + d of the TPM
    output logic [PORT_BITS-1:0] reads_o,    // lines that are read
    output logic                 stall_o,    // collecting stands still
    output logic                 done_o      // the last cycle of collecting an instruction
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

  logic                  busy_d, busy_q;        // an instruction is being collected:
  logic [WARP_BITS-1:0]  warp_d, warp_q;        // its warp,
  logic [N_REG-1:0]      sources_d, sources_q;  // its sources that are not all read,
  logic [N_REG-1:0]      scalars_d, scalars_q;  // which of these are scalars,
  logic [LINE_BITS-1:0]  line_d, line_q;        // how many lines of the first source have been read,
  logic [PHASE_BITS-1:0] phase_d, phase_q;      // for how many cycles the batch at hand is being read
  logic [WAIT_BITS-1:0]  waiting_d, waiting_q;  // instructions collected, not yet taken

  logic                 collecting, ends;
  logic [N_REG-1:0]     sources, batch, first, rest;  // to be read; of the batch at hand, its last; left after it
  logic [N_REG-1:0]     scalars;
  logic [LINE_BITS-1:0] line;                         // of the first of those that are left
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
  assign line_d    = ends ? line : line_q;  // 0 after the last
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
