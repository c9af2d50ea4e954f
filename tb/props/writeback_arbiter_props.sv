// Properties of writeback_arbiter (rtl/writeback_arbiter.sv; timing.md §W, §C). scripts/formal puts an instance into
// the module.
// Sizes: WARPS=4 WRITE_PORTS=2 VTPO_LINES=1;WARPS=1 WRITE_PORTS=1 VTPO_LINES=1;WARPS=5 WRITE_PORTS=3 VTPO_LINES=2;WARPS=8 WRITE_PORTS=1 VTPO_LINES=1
module writeback_arbiter_props #(
    parameter  int unsigned WARPS        = 16,
    parameter  int unsigned WRITE_PORTS  = 1,
    parameter  int unsigned VTPO_LINES   = 1,
    localparam int unsigned N_REG        = 48,
    localparam int unsigned WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned PORT_BITS    = $clog2(WRITE_PORTS + 1),
    localparam int unsigned LINES_BITS   = $clog2(N_REG * VTPO_LINES + 1),
    localparam int unsigned SCALARS_BITS = $clog2(N_REG + 1),
    localparam int unsigned OLDER_BITS   = WARPS,
    localparam int unsigned SUM_BITS     = LINES_BITS + 7
) (
    input logic                          clk_i,
    input logic                          rst_ni,
    input logic                          land_i,
    input logic [WARP_BITS-1:0]          warp_i,
    input logic [LINES_BITS-1:0]         lines_i,
    input logic [SCALARS_BITS-1:0]       scalars_i,
    input logic [WARPS-1:0]              result_i,
    input logic [WARPS-1:0]              write_o,
    input logic [PORT_BITS-1:0]          ports_o,
    input logic [WARPS-1:0]              scalar_o,
    input logic [WARPS-1:0]              commit_o,
    input logic [WARPS-1:0]              landed_q,
    input logic [WARPS-1:0]              there_q,
    input logic [WARPS*LINES_BITS-1:0]   lines_q,
    input logic [WARPS*SCALARS_BITS-1:0] scalars_q,
    input logic [WARPS*OLDER_BITS-1:0]   older_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any warp, and any other one (with a single warp, itself): a property of them holds for all.
  (* anyconst *) logic [WARP_BITS-1:0] any;
  (* anyconst *) logic [WARP_BITS-1:0] other;

  // Reference state of its instruction: landed; last result arrived; results to be written; landed after the
  // other warp's instruction.
  logic                    landed, there, before;
  logic [LINES_BITS-1:0]   lines;
  logic [SCALARS_BITS-1:0] scalars;

  // Warps that wait for ports, and number of lines of the warps that landed before this one.
  logic [WARPS-1:0]        wait_lines, wait_scalars;
  logic [SUM_BITS-1:0]     lines_before, lines_waiting;
  logic [OLDER_BITS-1:0]   older;
  logic [LINES_BITS-1:0]   lines_of;
  assign older = older_q[32'(any)*OLDER_BITS +: OLDER_BITS];
  always_comb begin
    lines_before  = '0;
    lines_waiting = '0;
    lines_of      = '0;
    wait_lines    = '0;
    wait_scalars  = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      lines_of        = lines_q[w*LINES_BITS +: LINES_BITS];
      wait_lines[w]   = there_q[w] && lines_of != '0;
      wait_scalars[w] = there_q[w] && scalars_q[w*SCALARS_BITS +: SCALARS_BITS] != '0;
      if (there_q[w])             lines_waiting = lines_waiting + SUM_BITS'(lines_of);
      if (there_q[w] && older[w]) lines_before  = lines_before + SUM_BITS'(lines_of);
    end
  end

  // This warp's share of the ports, and number of its results that remain to be written.
  logic                    lands, write_scalar, is_there, commits;
  logic [SUM_BITS-1:0]     share;
  logic [LINES_BITS-1:0]   written, lines_then;
  logic [SCALARS_BITS-1:0] scalars_then;
  assign share        = lines_before < SUM_BITS'(WRITE_PORTS) ? SUM_BITS'(WRITE_PORTS) - lines_before : '0;
  assign written      = !there ? '0 : SUM_BITS'(lines) < share ? lines : LINES_BITS'(share);
  assign write_scalar = there && scalars != '0 && (older & wait_scalars) == '0;
  assign lands        = land_i && warp_i == any;
  assign is_there     = there || ((landed || lands) && result_i[any]);
  assign lines_then   = lands ? lines_i : lines - written;
  assign scalars_then = lands ? scalars_i : scalars - SCALARS_BITS'(write_scalar);
  assign commits      = is_there && lines_then == '0 && scalars_then == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      landed  <= 1'b0;
      there   <= 1'b0;
      before  <= 1'b0;
      lines   <= '0;
      scalars <= '0;
    end else begin
      landed  <= (landed || lands) && !commits;
      there   <= is_there && !commits;
      lines   <= lines_then;
      scalars <= scalars_then;
      before  <= (lands ? landed_q[other] : before) && !commits && !commit_o[other];
    end
  end

  // Order of landing: of two landed warps, one is older, and the relation is transitive.
  logic ordered;
  always_comb begin
    ordered = 1'b1;
    for (int unsigned a = 0; a < WARPS; a++)
      for (int unsigned b = 0; b < WARPS; b++) begin
        if (older_q[a*OLDER_BITS + b] && !(landed_q[a] && landed_q[b] && a != b)) ordered = 1'b0;
        if (landed_q[a] && landed_q[b] && a != b && older_q[a*OLDER_BITS + b] == older_q[b*OLDER_BITS + a]) ordered = 1'b0;
        if (older_q[a*OLDER_BITS + b]
            && (older_q[b*OLDER_BITS +: OLDER_BITS] & ~older_q[a*OLDER_BITS +: OLDER_BITS]) != '0) ordered = 1'b0;
      end
  end

  // No state is kept for a warp without a landed instruction.
  logic clean;
  always_comb begin
    clean = (there_q & ~landed_q) == '0;
    for (int unsigned w = 0; w < WARPS; w++)
      if (!landed_q[w] && (lines_q[w*LINES_BITS +: LINES_BITS] != '0 || scalars_q[w*SCALARS_BITS +: SCALARS_BITS] != '0))
        clean = 1'b0;
  end

  always_comb begin
    assume (32'(any) < WARPS && 32'(other) < WARPS && (any != other || WARPS == 1));
    assume (!land_i || (32'(warp_i) < WARPS && !landed_q[warp_i]));
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    the_oldest_lines_are_written_first:         assert (write_o[any] == (written != '0));
    the_oldest_lines_are_written_first_reached: cover (write_o[any] && lines_before != '0 || WARPS == 1 && write_o[any] || WRITE_PORTS == 1 && write_o[any]);

    ports_are_used_while_lines_wait: assert (
        SUM_BITS'(ports_o) == (lines_waiting < SUM_BITS'(WRITE_PORTS) ? lines_waiting : SUM_BITS'(WRITE_PORTS)));
    ports_are_used_while_lines_wait_reached: cover (ports_o == PORT_BITS'(WRITE_PORTS) && lines_waiting > SUM_BITS'(WRITE_PORTS));

    the_oldest_scalar_is_written_first:         assert (scalar_o[any] == write_scalar);
    the_oldest_scalar_is_written_first_reached: cover (scalar_o[any] && (WARPS == 1 || wait_scalars[other]));

    one_scalar_is_written_while_any_waits:         assert ((scalar_o != '0) == (wait_scalars != '0) && (scalar_o & (scalar_o - WARPS'(1))) == '0);
    one_scalar_is_written_while_any_waits_reached: cover (scalar_o != '0 && scalar_o != wait_scalars || WARPS == 1 && scalar_o != '0);

    commits_with_its_last_write:         assert (!there || commit_o[any] == (lines == written && scalars == SCALARS_BITS'(write_scalar)));
    commits_with_its_last_write_reached: cover (commit_o[any] && scalar_o[any] && write_o[any]);

    commits_with_its_last_result_if_it_writes_nothing:         assert (there || commit_o[any] == commits);
    commits_with_its_last_result_if_it_writes_nothing_reached: cover (commit_o[any] && lands && result_i[any]);

    lemma_landed:          assert (landed_q[any] == landed && there_q[any] == there);
    lemma_landed_reached:  cover (landed && !there);
    lemma_lines:           assert (lines_q[32'(any)*LINES_BITS +: LINES_BITS] == lines && scalars_q[32'(any)*SCALARS_BITS +: SCALARS_BITS] == scalars);
    lemma_lines_reached:   cover (lines != '0 && scalars != '0);
    lemma_older:           assert (WARPS == 1 || older[other] == before);
    lemma_older_reached:   cover (before || WARPS == 1);
    lemma_ordered:         assert (ordered);
    lemma_ordered_reached: cover (landed_q == '1);
    lemma_clean:           assert (clean);
    lemma_clean_reached:   cover (landed_q == '0);
  end
endmodule
