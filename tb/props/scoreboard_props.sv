// Properties of scoreboard (rtl/scoreboard.sv; gpu-like.md §3). scripts/formal puts an instance into the module.
// Sizes: WARPS=4 REGISTERS=5;WARPS=1 REGISTERS=1;WARPS=5 REGISTERS=9
module scoreboard_props #(
    parameter  int unsigned WARPS             = 32,
    parameter  int unsigned REGISTERS         = 51,
    localparam int unsigned WARP_BITS         = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam int unsigned RELEASE_BITS      = REGISTERS,
    localparam int unsigned UNREAD_BITS       = REGISTERS,
    localparam int unsigned NEEDS_BITS        = REGISTERS,
    localparam int unsigned DESTINATIONS_BITS = REGISTERS,
    localparam int unsigned PENDING_BITS      = REGISTERS
) (
    input logic                               clk_i,
    input logic                               rst_ni,
    input logic                               issued_i,
    input logic [WARP_BITS-1:0]               warp_i,
    input logic [REGISTERS-1:0]               writes_i,
    input logic [WARPS*RELEASE_BITS-1:0]      release_i,
    input logic [WARPS*UNREAD_BITS-1:0]       unread_i,
    input logic [WARPS*NEEDS_BITS-1:0]        needs_i,
    input logic [WARPS*DESTINATIONS_BITS-1:0] destinations_i,
    input logic [WARPS-1:0]                   clear_o,
    input logic [WARPS*PENDING_BITS-1:0]      pending_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any register of any warp: a property of it holds for all.
  (* anyconst *) logic [5:0] w;
  (* anyconst *) logic [5:0] r;
  logic released, unread, needed, written, issues;
  assign released = release_i[32'(w)*REGISTERS + 32'(r)];
  assign unread   = unread_i[32'(w)*REGISTERS + 32'(r)];
  assign needed   = needs_i[32'(w)*REGISTERS + 32'(r)];
  assign written  = destinations_i[32'(w)*REGISTERS + 32'(r)];
  assign issues   = issued_i && 32'(warp_i) == 32'(w) && writes_i[r];

  // The register is still to be written, by the inputs so far.
  logic awaited, awaited_q;
  assign awaited = (awaited_q || issues) && !released;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) awaited_q <= 1'b0;
    else         awaited_q <= awaited;
  end

  // Other hazards of the warp.
  logic [REGISTERS-1:0] others, hazards;
  assign others = pending_q[32'(w)*REGISTERS +: REGISTERS]
                | (issued_i && 32'(warp_i) == 32'(w) ? writes_i : REGISTERS'(0));
  assign hazards = (needs_i[32'(w)*REGISTERS +: REGISTERS] & others & ~release_i[32'(w)*REGISTERS +: REGISTERS])
                 | (destinations_i[32'(w)*REGISTERS +: REGISTERS] & unread_i[32'(w)*REGISTERS +: REGISTERS]);

  always_comb begin
    assume (32'(w) < WARPS && 32'(r) < REGISTERS);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    lemma_pending:         assert (pending_q[32'(w)*REGISTERS + 32'(r)] == awaited_q);
    lemma_pending_reached: cover (awaited_q);

    nobody_reads_or_writes_what_is_awaited:         assert (!(clear_o[w] && needed) || !awaited);
    nobody_reads_or_writes_what_is_awaited_reached: cover (needed && awaited && awaited_q);

    nobody_writes_what_is_to_be_read:         assert (!(clear_o[w] && written) || !unread);
    nobody_writes_what_is_to_be_read_reached: cover (written && unread);

    nobody_waits_without_a_hazard:         assert (clear_o[w] || hazards != '0);
    nobody_waits_without_a_hazard_reached: cover (!clear_o[w]);

    a_release_is_seen_at_once:         assert (!(needed && released && hazards == '0) || clear_o[w]);
    a_release_is_seen_at_once_reached: cover (needed && released && awaited_q && clear_o[w]);
  end
endmodule
