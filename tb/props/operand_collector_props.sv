// Properties of operand_collector (rtl/operand_collector.sv; timing.md §O). scripts/formal puts an instance into the
// module.
// Sizes: WARPS=16 COLLECTORS=2 READ_PORTS=1 READ_LATENCY=1 VTPO_LINES=1;WARPS=1 COLLECTORS=1 READ_PORTS=2 READ_LATENCY=1 VTPO_LINES=1;WARPS=5 COLLECTORS=3 READ_PORTS=3 READ_LATENCY=3 VTPO_LINES=1;WARPS=16 COLLECTORS=2 READ_PORTS=1 READ_LATENCY=2 VTPO_LINES=2
module operand_collector_props #(
    parameter  int unsigned WARPS        = 16,
    parameter  int unsigned COLLECTORS   = 2,
    parameter  int unsigned READ_PORTS   = 1,
    parameter  int unsigned READ_LATENCY = 1,
    parameter  int unsigned VTPO_LINES   = 1,
    localparam int unsigned N_REG        = 48,
    localparam int unsigned WARP_BITS    = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned WAIT_BITS    = $clog2(COLLECTORS + 1),
    localparam int unsigned PORT_BITS    = $clog2(READ_PORTS + 1),
    localparam int unsigned PHASE_BITS   = READ_LATENCY > 1 ? $clog2(READ_LATENCY) : 1,
    localparam int unsigned LINE_BITS    = VTPO_LINES > 1 ? $clog2(VTPO_LINES) : 1
) (
    input logic                  clk_i,
    input logic                  rst_ni,
    input logic                  valid_i,
    input logic [WARP_BITS-1:0]  warp_i,
    input logic [N_REG-1:0]      sources_i,
    input logic [N_REG-1:0]      scalars_i,
    input logic                  take_i,
    input logic                  hold_i,
    input logic [PORT_BITS-1:0]  taken_i,
    input logic                  start_o,
    input logic [WARP_BITS-1:0]  warp_o,
    input logic [N_REG-1:0]      objects_o,
    input logic [PORT_BITS-1:0]  reads_o,
    input logic                  stall_o,
    input logic                  done_o,
    input logic                  busy_q,
    input logic [WARP_BITS-1:0]  warp_q,
    input logic [N_REG-1:0]      sources_q,
    input logic [N_REG-1:0]      scalars_q,
    input logic [LINE_BITS-1:0]  line_q,
    input logic [PHASE_BITS-1:0] phase_q,
    input logic [WAIT_BITS-1:0]  waiting_q,
    input logic [PORT_BITS-1:0]  wanted
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any register, and any lower one: a property of its vTPO holds for all.
  (* anyconst *) logic [5:0] any;
  (* anyconst *) logic [5:0] lower;

  // Reference state of the instruction in collection: its warp, its registers, and the number of cycles for
  // which the current batch has been read.
  logic                  in_o, in_o_q;
  logic [WARP_BITS-1:0]  who, who_q;
  logic [N_REG-1:0]      what, what_q, scalar, scalar_q;
  logic [6:0]            phase, phases_q;
  logic                  ends;
  assign in_o  = in_o_q || start_o;
  assign who   = in_o_q ? who_q : warp_i;
  assign what  = in_o_q ? what_q : sources_i;
  assign scalar = in_o_q ? scalar_q : scalars_i;
  assign phase = in_o_q ? phases_q : 7'd0;
  assign ends  = in_o && !stall_o && phase == 7'(READ_LATENCY - 1);

  // A line of the vTPO of `any` has been read.
  logic begun, begun_q;
  assign begun = (in_o_q && begun_q) || objects_o[any];

  // The same for the lower one. With one port: number of lines of `any` read.
  logic       begun_lower, begun_lower_q;
  logic [3:0] lines, count, count_q;
  assign begun_lower = (in_o_q && begun_lower_q) || objects_o[lower];
  assign lines       = scalar[any] ? 4'd1 : 4'(VTPO_LINES);
  assign count       = (in_o_q ? count_q : 4'd0) + 4'(ends && objects_o[any]);

  // Registers before `any` that are still to be read.
  logic [N_REG-1:0] before;
  assign before = sources_q & ((N_REG'(1) << any) - N_REG'(1));

  // The batch of the previous cycle, if it continues.
  logic                 goes_on_q, stood_q;
  logic [PORT_BITS-1:0] wanted_q;
  logic [N_REG-1:0]     objects_q;

  // X: an instruction holds its buffer until its last round has started; then another may be taken.
  logic in_x_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_x_q   <= 1'b0;
      in_o_q   <= 1'b0;
      who_q    <= '0;
      what_q   <= '0;
      phases_q <= '0;
      begun_q  <= 1'b0;
      scalar_q      <= '0;
      begun_lower_q <= 1'b0;
      count_q       <= '0;
      goes_on_q     <= 1'b0;
      stood_q       <= 1'b0;
      wanted_q      <= '0;
      objects_q     <= '0;
    end else begin
      scalar_q      <= scalar;
      begun_lower_q <= begun_lower;
      count_q       <= count;
      goes_on_q     <= in_o && !ends && !done_o;
      stood_q       <= stall_o;
      wanted_q      <= wanted;
      objects_q     <= objects_o;
      in_x_q   <= hold_i;
      in_o_q   <= in_o && !done_o;
      who_q    <= who;
      what_q   <= what;
      phases_q <= ends ? 7'd0 : stall_o ? phase : phase + 7'd1;
      begun_q  <= begun;
    end
  end

  always_comb begin
    assume (32'(any) < N_REG && lower < any);
    assume (taken_i <= PORT_BITS'(READ_PORTS));
    assume (!take_i || (waiting_q != '0 && hold_i));
    assume (!hold_i || in_x_q || take_i);  // only an instruction in X holds a buffer
    if (!started) assume (!rst_ni);
  end

  logic [7:0] used;  // buffers
  assign used = 8'(waiting_q) + 8'(busy_q) + 8'(in_x_q);

  always_comb if (started && rst_ni) begin
    buffers_suffice:         assert (used <= 8'(COLLECTORS));
    buffers_suffice_reached: cover (used == 8'(COLLECTORS < 4 ? COLLECTORS : 4));

    starts_as_soon_as_a_buffer_is_free: assert (
        start_o == (valid_i && !in_o_q && 8'(waiting_q) - 8'(take_i) + 8'(hold_i) < 8'(COLLECTORS)));
    starts_as_soon_as_a_buffer_is_free_reached: cover (start_o && in_x_q && !hold_i);

    ports_are_never_exceeded:         assert (8'(reads_o) + 8'(taken_i) <= 8'(READ_PORTS));
    ports_are_never_exceeded_reached: cover (8'(reads_o) + 8'(taken_i) == 8'(READ_PORTS) && reads_o != '0);

    stands_only_for_loads:         assert (!stall_o || taken_i != '0);
    stands_only_for_loads_reached: cover (stall_o && start_o);

    stands_exactly_where_ports_are_missing:         assert (stall_o == (in_o && 8'(taken_i) + 8'(wanted) > 8'(READ_PORTS)));
    stands_exactly_where_ports_are_missing_reached: cover (in_o && taken_i != '0 && !stall_o);

    a_batch_is_what_it_was_until_it_is_read:         assert (!goes_on_q || (wanted == wanted_q && (stall_o || stood_q || objects_o == objects_q)));
    a_batch_is_what_it_was_until_it_is_read_reached: cover (goes_on_q && !stall_o && objects_o != '0);

    what_is_wanted_is_read:         assert (reads_o == (in_o && !stall_o ? wanted : '0));
    what_is_wanted_is_read_reached: cover (reads_o != '0);

    the_lowest_are_read_first:         assert (!(objects_o[any] && what[lower]) || begun_lower);
    the_lowest_are_read_first_reached: cover (objects_o[any] && what[lower] && !objects_o[lower]);

    each_line_is_read_once:         assert (READ_PORTS != 1 || !done_o || count == (what[any] ? lines : 4'd0));
    each_line_is_read_once_reached: cover (done_o && what[any]);

    an_object_has_a_port_at_least:         assert (32'($countones(objects_o)) <= 32'(reads_o) && (VTPO_LINES > 1 || 32'($countones(objects_o)) == 32'(reads_o)));
    an_object_has_a_port_at_least_reached: cover (objects_o[0] && objects_o[47] || READ_PORTS == 1 && objects_o[47]);

    nothing_is_read_while_it_stands:         assert (!stall_o || (reads_o == '0 && objects_o == '0 && !done_o));
    nothing_is_read_while_it_stands_reached: cover (stall_o && in_o_q);

    only_sources_are_read:         assert (objects_o[any] == 1'b0 || (in_o && what[any]));
    only_sources_are_read_reached: cover (objects_o[47]);

    all_sources_are_read:         assert (!done_o || begun == what[any]);
    all_sources_are_read_reached: cover (done_o && what[47] && what[0]);

    whose_they_are:         assert (warp_o == (in_o ? who : '0));
    whose_they_are_reached: cover (in_o && warp_o == WARP_BITS'(WARPS - 1) && reads_o != '0);

    // An instruction without operands takes one cycle. Otherwise a batch has as many registers as there are
    // ports, except the last, and takes exactly READ_LATENCY cycles.
    no_source_takes_one_cycle:         assert (!(start_o && what == '0) || (done_o && reads_o == '0));
    no_source_takes_one_cycle_reached: cover (start_o && what == '0 && taken_i == PORT_BITS'(READ_PORTS));

    batches_are_full:         assert (!ends || reads_o == PORT_BITS'(READ_PORTS) || done_o);
    batches_are_full_reached: cover (done_o && reads_o == PORT_BITS'(READ_PORTS));

    a_batch_has_its_cycles:         assert (!(done_o && reads_o != '0) || ends);
    a_batch_has_its_cycles_reached: cover (done_o && reads_o != '0);

    always_reads_unless_it_stands:         assert (!in_o || stall_o || what == '0 || reads_o != '0);
    always_reads_unless_it_stands_reached: cover (in_o && !stall_o && what != '0);

    lemma_busy:          assert (busy_q == in_o_q && (!busy_q || (warp_q == who_q && sources_q != '0)));
    lemma_busy_reached:  cover (busy_q);
    lemma_idle:          assert (busy_q || (line_q == '0 && phase_q == '0));
    lemma_idle_reached:  cover (!busy_q && waiting_q != '0);
    lemma_line:          assert (line_q <= LINE_BITS'(VTPO_LINES - 1));
    lemma_line_reached:  cover (line_q == '0);
    lemma_phase:         assert (!busy_q || (7'(phase_q) == phases_q && phases_q <= 7'(READ_LATENCY - 1)));
    lemma_phase_reached: cover (busy_q && phase_q == PHASE_BITS'(READ_LATENCY - 1));
    lemma_left:          assert (!busy_q || (sources_q[any] ? what_q[any] : begun_q == what_q[any]));
    lemma_left_reached:  cover (busy_q && sources_q[any]);
    lemma_lower:         assert (!busy_q || (sources_q[lower] ? what_q[lower] && (!begun_q || (READ_PORTS > 1 && READ_LATENCY > 1 && begun_lower_q)) : begun_lower_q == what_q[lower]));
    lemma_lower_reached: cover (busy_q && sources_q[lower] && sources_q[any]);
    lemma_scalars:         assert (!busy_q || scalars_q == scalar_q);
    lemma_scalars_reached: cover (busy_q && scalars_q != '0);
    lemma_lines:           assert (READ_PORTS != 1 || !busy_q || (sources_q[any] ? count_q == (before == '0 ? 4'(line_q) : 4'd0) && count_q < lines
        : count_q == (what_q[any] ? lines : 4'd0)));
    lemma_lines_reached:   cover (READ_PORTS != 1 || busy_q && count_q != '0);
  end
endmodule
