// Properties of token_file (rtl/token_file.sv; machine.md §9). scripts/formal puts an instance into the module.
module token_file_props #(
    parameter  int unsigned WARPS      = 16,
    parameter  int unsigned REGISTERS  = 51,
    localparam int unsigned ROWS       = REGISTERS - 3,
    localparam int unsigned WARP_BITS  = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned TOKEN_BITS = REGISTERS
) (
    input logic                        clk_i,
    input logic                        rst_ni,
    input logic                        start_i,
    input logic [WARPS-1:0]            start_warps_i,
    input logic [WARP_BITS-1:0]        read_warp_i,
    input logic [REGISTERS-1:0]        read_sources_i,
    input logic [ROWS-1:0]             read_destinations_i,
    input logic                        read_full_i,
    input logic                        read_conditional_i,
    input logic                        read_fails_i,
    input logic [WARP_BITS-1:0]        write_warp_i,
    input logic [REGISTERS-1:0]        write_destinations_i,
    input logic                        write_full_i,
    input logic                        write_uniform_i,
    input logic [REGISTERS-1:0]        write_broadcast_i,
    input logic [REGISTERS-1:0]        tokens_o,
    input logic                        uniform_o,
    input logic [ROWS-1:0]             copies_o,
    input logic [WARPS*TOKEN_BITS-1:0] token_q
);
  // Any register of any warp, and any two of its threads: a property of them holds for all. Both threads hold
  // one value: a write that is not uniform may change that; a work-group starts with equal r0 and states.
  (* anyconst *) logic [WARP_BITS-1:0] w;
  (* anyconst *) logic [5:0] r;
  (* anyseq *) logic by_chance;

  logic starts;
  always_comb begin
    starts = 1'b0;
    for (int unsigned n = 0; n < WARPS; n++) begin
      if (32'(w) == n) starts = start_i && start_warps_i[n];
    end
  end

  logic token, flags, partial, reads, writes, same_for_all, from_start, equal_q, past_reset_q, past_token_q, past_reason_q;
  always_comb begin
    token = 1'b0;
    flags = 1'b0;
    for (int unsigned n = 0; n < WARPS; n++) begin
      for (int unsigned k = 0; k < REGISTERS; k++) begin
        if (32'(w) == n && 32'(r) == k) token = token_q[n*TOKEN_BITS+k];
      end
      if (32'(w) == n) flags = token_q[n*TOKEN_BITS+ROWS];
    end
  end
  assign reads        = read_warp_i == w;
  assign writes       = write_warp_i == w && write_destinations_i[r];
  assign same_for_all = write_full_i && (write_uniform_i || write_broadcast_i[r]);
  assign from_start   = r == '0 || 32'(r) >= ROWS;
  assign partial      = !read_full_i || (read_conditional_i && !flags);

  logic started = 1'b0;
  always_ff @(posedge clk_i) begin
    started       <= 1'b1;
    past_reset_q  <= !rst_ni;
    past_token_q  <= token;
    past_reason_q <= starts ? from_start : writes && same_for_all;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      equal_q <= 1'b0;
    else if (starts)  equal_q <= from_start || by_chance;
    else if (writes)  equal_q <= same_for_all || by_chance;
  end

  always_comb begin
    if (!started) assume (!rst_ni);
    assume (32'(w) < WARPS && 32'(r) < REGISTERS);
    assume (32'(read_warp_i) < WARPS && 32'(write_warp_i) < WARPS);
  end

  always_comb if (started && rst_ni) begin
    a_token_never_lies:         assert (!token || equal_q);
    a_token_never_lies_reached: cover (token && !from_start);

    uniform_needs_every_token:         assert (!(uniform_o && reads && read_sources_i[r]) || (token && read_full_i));
    uniform_needs_every_token_reached: cover (uniform_o && reads && read_sources_i[r] && !from_start);

    uniform_needs_known_flags:         assert (!(uniform_o && reads && read_conditional_i) || flags);
    uniform_needs_known_flags_reached: cover (uniform_o && reads && read_conditional_i);

    uniform_if_nothing_is_missing:         assert (!reads || uniform_o || partial || (read_sources_i & ~tokens_o) != '0);
    uniform_if_nothing_is_missing_reached: cover (reads && !uniform_o && !partial && !read_sources_i[0]);

    a_partial_write_copies_first:         assert (!reads || 32'(r) >= ROWS || copies_o[r] == (partial && read_destinations_i[r] && token && !(read_conditional_i && flags && read_fails_i)));
    a_partial_write_copies_first_reached: cover (reads && 32'(r) < ROWS && copies_o[r] && !read_sources_i[r] && !from_start);

    copies_without_known_flags:         assert (!(reads && read_conditional_i && !flags && 32'(r) < ROWS && read_destinations_i[r] && token) || copies_o[r]);
    copies_without_known_flags_reached: cover (reads && read_conditional_i && !flags && read_full_i && copies_o != '0);

    reads_the_tokens_of_the_warp:         assert (!reads || tokens_o[r] == token);
    reads_the_tokens_of_the_warp_reached: cover (reads && token && writes && !same_for_all);

    set_only_by_rules:         assert (past_reset_q || !token || past_token_q || past_reason_q);
    set_only_by_rules_reached: cover (!past_reset_q && token && !past_token_q && !from_start);

    set_by_every_rule:         assert (past_reset_q || !past_reason_q || token);
    set_by_every_rule_reached: cover (!past_reset_q && past_reason_q && past_token_q && !from_start);
  end

  // Tokens that a cycle clears.
  logic past_taken_q, past_kept_q, past_others_start_q;
  always_ff @(posedge clk_i) begin
    past_taken_q <= starts ? !from_start : writes && !same_for_all;
    past_kept_q  <= token && !starts && !writes;
    past_others_start_q <= start_i && !starts && !writes;
  end
  always_comb if (started && rst_ni && !past_reset_q) begin
    cleared_by_every_other_write:         assert (!past_taken_q || !token);
    cleared_by_every_other_write_reached: cover (past_taken_q && past_token_q);

    kept_otherwise:         assert (!past_kept_q || token);
    kept_otherwise_reached: cover (past_kept_q && !from_start);

    a_start_is_of_its_warps_only:         assert (!past_others_start_q || token == past_token_q);
    a_start_is_of_its_warps_only_reached: cover (past_others_start_q && token && !from_start);
  end
endmodule
