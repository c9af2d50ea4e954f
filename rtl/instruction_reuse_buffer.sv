// instruction_reuse_buffer: holds results of uniform instructions for other warps that execute the same instruction
// with the same operands (Xiang et al. 2013 §3.2, §3.3; machine.md §9). Twin of
// model/control/instruction_reuse_buffer.h.
//
// The buffer is fully associative. An entry matches an instruction by tag and opcode. If all operands are equal, too,
// the look-up hits. An executed instruction is inserted into the entry that it matches, else into an invalid entry,
// else into the least recently used one. A matching entry with wrong parity counts as no match and becomes invalid.
//
// Latency: outputs are combinational. The look-up of a cycle does not see the insertion of the same cycle.
module instruction_reuse_buffer #(
    parameter  logic [31:0] ENTRIES           = 8,                               // entries of the buffer, 1–256
    parameter  logic [31:0] TAG_BITS          = 10,                              // bits of a tag, 1–30
    parameter  logic [31:0] OPCODE_BITS       = 13,                              // bits of an opcode, 1–16
    parameter  logic [31:0] WORD_BITS         = 32,                              // bits of an operand and of a result,
                                                                                 // 1–32; fewer than 32 only in proofs
    localparam logic [31:0] FLAGS_BITS        = 9,
    localparam logic [31:0] SOURCE_BITS       = WORD_BITS,
    localparam logic [31:0] RESULT_BITS       = WORD_BITS,
    localparam logic [31:0] RESULT_FLAGS_BITS = 4,
    localparam logic [31:0] VALID_BITS        = 1,
    localparam logic [31:0] PARITY_BITS       = 1,
    localparam logic [31:0] RANK_BITS         = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   lookup_i,              // 1: an instruction is looked up
    input  logic [TAG_BITS-1:0]    lookup_tag_i,          // low bits of the PC of the instruction that is looked up
    input  logic [OPCODE_BITS-1:0] lookup_opcode_i,       // operation of that instruction, kind of shift, and whether
                                                          // it sets flags
    input  logic [WORD_BITS-1:0]   lookup_source0_i,      // first operand, a register or an immediate; 0 without one
    input  logic [WORD_BITS-1:0]   lookup_source1_i,      // second operand
    input  logic [WORD_BITS-1:0]   lookup_source2_i,      // third operand
    input  logic [FLAGS_BITS-1:0]  lookup_flags_i,        // AHP, DN, FZ, RMode, NZCV; 0 for flags that it does not read
    input  logic                   insert_i,              // 1: an executed instruction is inserted
    input  logic [TAG_BITS-1:0]    insert_tag_i,          // low bits of the PC of the inserted instruction
    input  logic [OPCODE_BITS-1:0] insert_opcode_i,       // opcode of the inserted instruction, as in lookup_opcode_i
    input  logic [WORD_BITS-1:0]   insert_source0_i,      // first operand of the inserted instruction
    input  logic [WORD_BITS-1:0]   insert_source1_i,      // second operand of the inserted instruction
    input  logic [WORD_BITS-1:0]   insert_source2_i,      // third operand of the inserted instruction
    input  logic [FLAGS_BITS-1:0]  insert_flags_i,        // flags that the inserted instruction read, as in
                                                          // lookup_flags_i
    input  logic [WORD_BITS-1:0]   insert_result_i,       // result of the inserted instruction
    input  logic [3:0]             insert_result_flags_i,  // NZCV that it set; 0 if it sets none
    input  logic                   insert_poison_i,       // 1: stores the inverted parity bit; for tests
    output logic                   hit_o,                 // 1: the look-up hits
    output logic [WORD_BITS-1:0]   result_o,              // result of the hit; 0 without one
    output logic [3:0]             result_flags_o,        // NZCV of the hit; 0 without one
    output logic                   operands_o,            // 1: an entry matches but has other operands
    output logic                   parity_o,              // 1: the look-up or the insertion met an entry with wrong
                                                          // parity
    output logic                   evicted_o              // 1: the insertion replaces a valid entry that it does not
                                                          // match
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (ENTRIES < 1 || ENTRIES > 256) begin : gen_illegal_entries
    $error("instruction_reuse_buffer: ENTRIES must be 1 to 256");
  end
  if (TAG_BITS < 1 || TAG_BITS > 30) begin : gen_illegal_tag
    $error("instruction_reuse_buffer: TAG_BITS must be 1 to 30");
  end
  if (OPCODE_BITS < 1 || OPCODE_BITS > 16) begin : gen_illegal_opcode
    $error("instruction_reuse_buffer: OPCODE_BITS must be 1 to 16");
  end

  if (WORD_BITS < 1 || WORD_BITS > 32) begin : gen_illegal_word
    $error("instruction_reuse_buffer: WORD_BITS must be 1 to 32");
  end
`endif

  logic [ENTRIES*VALID_BITS-1:0]        valid_d, valid_q;    // entry is valid
  logic [ENTRIES*PARITY_BITS-1:0]       parity_d, parity_q;  // even parity of the entry without its rank
  logic [ENTRIES*TAG_BITS-1:0]          tag_d, tag_q;        // tag
  logic [ENTRIES*OPCODE_BITS-1:0]       opcode_d, opcode_q;  // opcode
  logic [ENTRIES*3*SOURCE_BITS-1:0]     source_d, source_q;  // three operands
  logic [ENTRIES*FLAGS_BITS-1:0]        flags_d, flags_q;  // flags that the instruction read
  logic [ENTRIES*RESULT_BITS-1:0]       result_d, result_q;  // result
  logic [ENTRIES*RESULT_FLAGS_BITS-1:0] result_flags_d, result_flags_q;  // NZCV of the result
  logic [ENTRIES*RANK_BITS-1:0]         rank_d, rank_q;      // order of use; 0: used last

  // --- look-up and insertion search all entries ---
  logic [ENTRIES-1:0] found, inserted;  // entries whose tag and opcode match
  logic [ENTRIES-1:0] good, same;       // entries with right parity; entries with equal operands
  always_comb begin
    good     = '1;
    found    = '0;
    same     = '0;
    inserted = '0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      found[e] = lookup_i && valid_q[e] && tag_q[e*TAG_BITS+:TAG_BITS] == lookup_tag_i &&
                 opcode_q[e*OPCODE_BITS+:OPCODE_BITS] == lookup_opcode_i;
      inserted[e] = insert_i && valid_q[e] && tag_q[e*TAG_BITS+:TAG_BITS] == insert_tag_i &&
                    opcode_q[e*OPCODE_BITS+:OPCODE_BITS] == insert_opcode_i;
      if (found[e] || inserted[e]) begin
        good[e] = !(^{parity_q[e], valid_q[e], tag_q[e*TAG_BITS+:TAG_BITS], opcode_q[e*OPCODE_BITS+:OPCODE_BITS],
                      source_q[e*3*SOURCE_BITS+:3*SOURCE_BITS], flags_q[e*FLAGS_BITS+:FLAGS_BITS],
                      result_q[e*RESULT_BITS+:RESULT_BITS],
                      result_flags_q[e*RESULT_FLAGS_BITS+:RESULT_FLAGS_BITS]});
        same[e] = source_q[e*3*SOURCE_BITS+:3*SOURCE_BITS] == {lookup_source2_i, lookup_source1_i, lookup_source0_i} &&
                  flags_q[e*FLAGS_BITS+:FLAGS_BITS] == lookup_flags_i;
      end
    end
  end

  // --- look-up ---
  logic [ENTRIES-1:0] hits, left;  // hits; entries that are valid after both searches
  assign hits       = found & good & same;
  assign hit_o      = hits != '0;
  assign operands_o = (found & good) != '0 && !hit_o;
  assign parity_o   = ((found | inserted) & ~good) != '0;
  assign left       = valid_q & ~((found | inserted) & ~good);
  always_comb begin
    result_o       = '0;
    result_flags_o = '0;
    if (hit_o) begin
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (hits[e]) begin
          result_o       = result_o | result_q[e*RESULT_BITS+:RESULT_BITS];
          result_flags_o = result_flags_o | result_flags_q[e*RESULT_FLAGS_BITS+:RESULT_FLAGS_BITS];
        end
      end
    end
  end

  // --- ranks after the look-up, the entry that is written, and ranks after the insertion ---
  logic [RANK_BITS-1:0]         hit_rank, into_rank;
  logic [ENTRIES*RANK_BITS-1:0] rank_found;
  logic [ENTRIES-1:0]           spare, last, into;
  always_comb begin
    hit_rank   = '0;
    rank_found = rank_q;
    if (hit_o) begin
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (hits[e]) hit_rank = hit_rank | rank_q[e*RANK_BITS+:RANK_BITS];
      end
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (hits[e]) rank_found[e*RANK_BITS+:RANK_BITS] = '0;
        else if (rank_q[e*RANK_BITS+:RANK_BITS] < hit_rank)
          rank_found[e*RANK_BITS+:RANK_BITS] = rank_q[e*RANK_BITS+:RANK_BITS] + RANK_BITS'(1);
      end
    end
  end

  assign spare = ~left & (left + ENTRIES'(1));  // first invalid entry
  always_comb begin
    last = '0;
    into = '0;
    if (insert_i) begin
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        last[e] = 32'(rank_found[e*RANK_BITS+:RANK_BITS]) == ENTRIES - 1;
      end
      into = (inserted & good) != '0 ? inserted & good : spare != '0 ? spare : last;
    end
  end
  assign evicted_o = (into & left & ~inserted) != '0;

  always_comb begin
    valid_d        = left | into;
    parity_d       = parity_q;
    tag_d          = tag_q;
    opcode_d       = opcode_q;
    source_d       = source_q;
    flags_d        = flags_q;
    result_d       = result_q;
    result_flags_d = result_flags_q;
    rank_d         = rank_found;
    into_rank      = '0;
    if (insert_i) begin
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (into[e]) begin
          into_rank                                           = rank_found[e*RANK_BITS+:RANK_BITS];
          tag_d[e*TAG_BITS+:TAG_BITS]                         = insert_tag_i;
          opcode_d[e*OPCODE_BITS+:OPCODE_BITS]                = insert_opcode_i;
          source_d[e*3*SOURCE_BITS+:3*SOURCE_BITS]            = {insert_source2_i, insert_source1_i, insert_source0_i};
          flags_d[e*FLAGS_BITS+:FLAGS_BITS]                   = insert_flags_i;
          result_d[e*RESULT_BITS+:RESULT_BITS]                = insert_result_i;
          result_flags_d[e*RESULT_FLAGS_BITS+:RESULT_FLAGS_BITS] = insert_result_flags_i;
          parity_d[e] = insert_poison_i ^ (^{1'b1, insert_tag_i, insert_opcode_i, insert_source0_i, insert_source1_i,
                                             insert_source2_i, insert_flags_i, insert_result_i, insert_result_flags_i});
        end
      end
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (into[e]) rank_d[e*RANK_BITS+:RANK_BITS] = '0;
        else if (rank_found[e*RANK_BITS+:RANK_BITS] < into_rank)
          rank_d[e*RANK_BITS+:RANK_BITS] = rank_found[e*RANK_BITS+:RANK_BITS] + RANK_BITS'(1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q        <= '0;
      parity_q       <= '0;
      tag_q          <= '0;
      opcode_q       <= '0;
      flags_q        <= '0;
      result_q       <= '0;
      result_flags_q <= '0;
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        source_q[e*3*SOURCE_BITS+:3*SOURCE_BITS] <= '0;
        rank_q[e*RANK_BITS+:RANK_BITS]           <= RANK_BITS'(e);
      end
    end else begin
      valid_q        <= valid_d;
      parity_q       <= parity_d;
      tag_q          <= tag_d;
      opcode_q       <= opcode_d;
      source_q       <= source_d;
      flags_q        <= flags_d;
      result_q       <= result_d;
      result_flags_q <= result_flags_d;
      rank_q         <= rank_d;
    end
  end
endmodule
