// bank_conflict_resolver: splits a warp's access to banked local memory into passes without bank conflicts (gpu-like.md
// §4). Twin of model/control/bank_conflict_resolver.h.
//
// Threads are served in parts of BANKS threads, one pass a cycle. In a pass, each bank serves the lowest thread of the
// part that wants one of its words. Other threads that want the same word are served with it: with BROADCAST 1 for any
// word, else only for the word of the part's lowest thread.
//
// Protocol: the access stays at the inputs until last_o; valid_i asks for its next pass. In a cycle without valid_i the
// state does not change. Outputs are combinational: the first pass is in the cycle of the first valid_i.
module bank_conflict_resolver #(
    parameter  logic [31:0] WARP_SIZE = 32,                                     // threads of a warp, 4–64
    parameter  logic [31:0] BANKS     = 32,                                     // banks of local memory, 1–64, a power
                                                                                // of two
    parameter  logic [31:0] BROADCAST = 1,                                      // field local.broadcast, 0–1: 0 one
                                                                                // word a pass, 1 any word
    parameter  logic [31:0] WORD_BITS = 30,                                     // bits of a word's number, 1–30; fewer
                                                                                // than 30 only in proofs
    localparam logic [31:0] PART      = BANKS < WARP_SIZE ? BANKS : WARP_SIZE,
    localparam logic [31:0] PARTS     = (WARP_SIZE + PART - 1) / PART
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           valid_i,    // 1: the access asks for its next pass
    input  logic [WARP_SIZE-1:0]           active_i,   // bit k: thread k wants a word
    input  logic [WARP_SIZE*WORD_BITS-1:0] word_i,     // word that each thread wants: byte address / 4; bank = word mod
                                                       // BANKS
    output logic                           pass_o,     // 1: this cycle is a pass
    output logic [WARP_SIZE-1:0]           threads_o,  // threads that this pass serves; 0 without a pass
    output logic                           last_o      // 1: no thread is left after this cycle
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARP_SIZE < 4 || WARP_SIZE > 64) begin : gen_illegal_warp_size
    $error("bank_conflict_resolver: WARP_SIZE must be 4 to 64");
  end
  if (BANKS < 1 || BANKS > 64 || (BANKS & (BANKS - 1)) != 0) begin : gen_illegal_banks
    $error("bank_conflict_resolver: BANKS must be a power of two, 1 to 64");
  end
  if (BROADCAST > 1) begin : gen_illegal_broadcast
    $error("bank_conflict_resolver: BROADCAST must be 0 or 1");
  end
  if (WORD_BITS < 1 || WORD_BITS > 30) begin : gen_illegal_word
    $error("bank_conflict_resolver: WORD_BITS must be 1 to 30");
  end
`endif

  logic                 begun_d, begun_q;  // the access has had a pass and is not finished
  logic [WARP_SIZE-1:0] left_d, left_q;    // threads of the access that have not been served

  logic [WARP_SIZE-1:0] left;    // threads that have not been served
  logic [WARP_SIZE-1:0] part;    // threads of `left` in the part that this pass serves
  logic [WARP_SIZE-1:0] group;
  logic [WARP_SIZE-1:0] served;
  logic [WORD_BITS-1:0] shared;  // the word of the part's lowest thread
  logic [WARP_SIZE-1:0] first;   // lowest thread of the part at each bank: its word is read
  logic [WARP_SIZE-1:0] rivals;  // lower threads of the part at the bank of thread k
  logic [WARP_SIZE-1:0] equals;  // rivals at the same word
  logic [WORD_BITS-1:0] differs;

  assign left = !valid_i ? '0 : begun_q ? left_q : active_i;

  always_comb begin
    part  = '0;
    group = '0;
    for (int unsigned p = 0; p < PARTS; p++) begin
      for (int unsigned k = 0; k < WARP_SIZE; k++) group[k] = left[k] && k / PART == p;
      if (part == '0) part = group;
    end
  end

  always_comb begin
    shared = '0;
    for (int unsigned k = WARP_SIZE; k > 0; k--) begin
      if (part[k-1]) shared = word_i[(k-1)*WORD_BITS +: WORD_BITS];
    end
  end

  always_comb begin
    served  = '0;
    first   = '0;
    rivals  = '0;
    equals  = '0;
    differs = '0;
    for (int unsigned k = 0; k < WARP_SIZE; k++) begin
      for (int unsigned j = 0; j < WARP_SIZE; j++) begin
        differs   = word_i[j*WORD_BITS +: WORD_BITS] ^ word_i[k*WORD_BITS +: WORD_BITS];
        rivals[j] = j < k && j / PART == k / PART && part[j] && (differs & WORD_BITS'(BANKS - 1)) == '0;
        equals[j] = rivals[j] && differs == '0;
      end
      first[k]  = part[k] && rivals == '0;
      served[k] = first[k] || (part[k] && (equals & first) != '0 &&
                               (BROADCAST == 1 || word_i[k*WORD_BITS +: WORD_BITS] == shared));
    end
  end

  assign pass_o    = part != '0;
  assign threads_o = served;
  assign left_d    = valid_i ? left & ~served : left_q;
  assign begun_d   = left_d != '0;
  assign last_o    = valid_i && !begun_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      left_q  <= '0;
    end else begin
      begun_q <= begun_d;
      left_q  <= left_d;
    end
  end
endmodule
