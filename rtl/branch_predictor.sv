// branch_predictor: predicts the branches of a fetch and learns from branches that have executed (docs/superscalar.md
// §1). Twin of model/control/branch_predictor.h.
//
// The tables are memories beside the block: counters of two bits, and a direct-mapped branch target buffer (BTB). The
// low bits of the address of an instruction are its row in both. The block gets the rows of a fetch and of the branches
// that it learns, as they were before the cycle. It puts out what is written at the end of the cycle.
//
// A branch is predicted taken if the BTB has its address and, if it is conditional, its counter is 2 or 3. The first
// such branch ends the fetch. A conditional branch that was taken counts up to 3, one that was not counts down to 0,
// and a branch that was taken writes its target. Branches are learned in their order, those of a cycle before its
// fetch.
//
// All outputs are combinational.
module branch_predictor #(
    parameter  logic [31:0] FETCH_WIDTH      = 4,          // instructions of the aligned block that a fetch is
                                                           // from, 1–8, a power of two
    parameter  logic [31:0] COMMITS          = 3,          // branches learned in a cycle, 1–4
    parameter  logic [31:0] COUNTERS         = 4096,       // counters, 1–65536, a power of two
    parameter  logic [31:0] TAG_BITS         = 18,         // high bits of an address that the BTB holds, 1–30; the
                                                           // others are its row there
    localparam logic [31:0] SLOT_BITS        = FETCH_WIDTH > 1 ? $clog2(FETCH_WIDTH) : 1,
    localparam logic [31:0] WORD_BITS        = 30,         // bits of an address but for the two lowest, which are 0
    localparam logic [31:0] BLOCK_BITS       = WORD_BITS,
    localparam logic [31:0] TARGET_BITS      = WORD_BITS,  // NAME_BITS: bits of a NAME element
    localparam logic [31:0] COUNTER_BITS     = 2,
    localparam logic [31:0] PC_BITS          = WORD_BITS,
    localparam logic [31:0] NEW_TARGET_BITS  = WORD_BITS,
    localparam logic [31:0] OLD_COUNTER_BITS = 2,
    localparam logic [31:0] NEW_COUNTER_BITS = 2
) (
    input  logic                                fetch_i,          // 1: there is a fetch
    input  logic [BLOCK_BITS-1:0]               block_i,          // number of its block; the highest log2(FETCH_WIDTH)
                                                                  // bits are 0
    input  logic [FETCH_WIDTH-1:0]              branch_i,         // instructions of the block that are fetched and are
                                                                  // branches
    input  logic [FETCH_WIDTH-1:0]              conditional_i,    // instructions of branch_i that are conditional
    input  logic [FETCH_WIDTH-1:0]              valid_i,          // 1: the row of the BTB of this instruction of the
                                                                  // block holds a branch
    input  logic [FETCH_WIDTH*TAG_BITS-1:0]     tag_i,            // tag (high bits of the address) in that row
    input  logic [FETCH_WIDTH*TARGET_BITS-1:0]  target_i,         // target in that row
    input  logic [FETCH_WIDTH*COUNTER_BITS-1:0] counter_i,        // counter of each instruction of the block
    input  logic [COMMITS-1:0]                  learn_i,          // branches that are learned, in their order
    input  logic [COMMITS*PC_BITS-1:0]          pc_i,             // address of each learned branch
    input  logic [COMMITS-1:0]                  counts_i,         // 1: that branch is conditional
    input  logic [COMMITS-1:0]                  was_taken_i,      // 1: that branch was taken
    input  logic [COMMITS*NEW_TARGET_BITS-1:0]  new_target_i,     // target of that branch, if it was taken
    input  logic [COMMITS*OLD_COUNTER_BITS-1:0] old_counter_i,    // counter of that branch
    output logic                                taken_o,          // 1: a branch of the fetch is predicted taken
    output logic [SLOT_BITS-1:0]                slot_o,           // number of the taken branch in the block; 0 without
                                                                  // one
    output logic [WORD_BITS-1:0]                next_o,           // target of the taken branch; 0 without one
    output logic [COMMITS-1:0]                  write_counter_o,  // branches whose counters are written, each counter
                                                                  // once
    output logic [COMMITS*NEW_COUNTER_BITS-1:0] new_counter_o,    // new values of these counters; 0 for other branches
    output logic [COMMITS-1:0]                  write_target_o    // branches that are written into the BTB, each row
                                                                  // once
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (FETCH_WIDTH != 1 && FETCH_WIDTH != 2 && FETCH_WIDTH != 4 && FETCH_WIDTH != 8) begin : gen_illegal_width
    $error("branch_predictor: FETCH_WIDTH must be 1, 2, 4 or 8");
  end
  if (COMMITS < 1 || COMMITS > 4) begin : gen_illegal_commits
    $error("branch_predictor: COMMITS must be 1 to 4");
  end
  if (COUNTERS < 1 || COUNTERS > 65536 || (COUNTERS & (COUNTERS - 1)) != 0) begin : gen_illegal_counters
    $error("branch_predictor: COUNTERS must be a power of two from 1 to 65536");
  end
  if (TAG_BITS < 1 || TAG_BITS > 30) begin : gen_illegal_tag
    $error("branch_predictor: TAG_BITS must be 1 to 30");
  end
`endif

  // Bits of an address that are its row.
  localparam logic [29:0] COUNTER_ROW = 30'(COUNTERS - 1);
  localparam logic [29:0] TARGET_ROW  = 30'h3fff_ffff >> TAG_BITS;

  logic [COMMITS-1:0] counts, targets;  // branches that count, and that have a target to be written
  assign counts  = learn_i & counts_i;
  assign targets = learn_i & was_taken_i;

  // --- what is learned ---
  logic [COMMITS*NEW_COUNTER_BITS-1:0] counter;  // counter after each branch
  logic [NEW_COUNTER_BITS-1:0]         was;

  always_comb begin
    counter = '0;
    was     = '0;
    for (int unsigned n = 0; n < COMMITS; n++) begin
      was = old_counter_i[n*OLD_COUNTER_BITS +: OLD_COUNTER_BITS];
      for (int unsigned m = 0; m < n; m++)
        if (counts[m] && ((pc_i[m*PC_BITS +: PC_BITS]
                           ^ pc_i[n*PC_BITS +: PC_BITS]) & COUNTER_ROW) == '0)
          was = counter[m*NEW_COUNTER_BITS +: NEW_COUNTER_BITS];
      if (was_taken_i[n]) was = was == 2'd3 ? was : was + 2'd1;
      else was = was == 2'd0 ? was : was - 2'd1;
      counter[n*NEW_COUNTER_BITS +: NEW_COUNTER_BITS] = was;
    end
  end

  // The last branch of a row writes it.
  always_comb begin
    write_counter_o = counts;
    write_target_o  = targets;
    for (int unsigned n = 0; n < COMMITS; n++) begin
      for (int unsigned m = n + 1; m < COMMITS; m++) begin
        if (counts[m] && ((pc_i[m*PC_BITS +: PC_BITS]
                           ^ pc_i[n*PC_BITS +: PC_BITS]) & COUNTER_ROW) == '0)
          write_counter_o[n] = 1'b0;
        if (targets[m] && ((pc_i[m*PC_BITS +: PC_BITS]
                            ^ pc_i[n*PC_BITS +: PC_BITS]) & TARGET_ROW) == '0)
          write_target_o[n] = 1'b0;
      end
    end
  end

  always_comb begin
    new_counter_o = '0;
    for (int unsigned n = 0; n < COMMITS; n++)
      if (write_counter_o[n])
        new_counter_o[n*NEW_COUNTER_BITS +: NEW_COUNTER_BITS] = counter[n*NEW_COUNTER_BITS +: NEW_COUNTER_BITS];
  end

  // --- the rows of the fetch, after what is learned ---
  logic [FETCH_WIDTH-1:0]             hit;   // BTB has the address
  logic [FETCH_WIDTH-1:0]             high;  // counter is 2 or 3
  logic [FETCH_WIDTH*TARGET_BITS-1:0] target;
  logic [WORD_BITS-1:0]               address;

  always_comb begin
    hit     = '0;
    high    = '0;
    target  = target_i;
    address = '0;
    for (int unsigned n = 0; n < FETCH_WIDTH; n++) begin
      address = WORD_BITS'(block_i) << $clog2(FETCH_WIDTH) | WORD_BITS'(n);
      hit[n]  = valid_i[n] && tag_i[n*TAG_BITS +: TAG_BITS] == address[WORD_BITS-1 -: TAG_BITS];
      high[n] = counter_i[n*COUNTER_BITS+1];
      for (int unsigned m = 0; m < COMMITS; m++) begin
        if (write_counter_o[m] && ((pc_i[m*PC_BITS +: PC_BITS] ^ address) & COUNTER_ROW) == '0)
          high[n] = counter[m*NEW_COUNTER_BITS+1];
        if (write_target_o[m] && ((pc_i[m*PC_BITS +: PC_BITS] ^ address) & TARGET_ROW) == '0) begin
          hit[n] = pc_i[m*PC_BITS +: PC_BITS] == address;
          target[n*TARGET_BITS +: TARGET_BITS] = new_target_i[m*NEW_TARGET_BITS +: NEW_TARGET_BITS];
        end
      end
    end
  end

  // --- the first branch that is predicted taken ---
  logic [FETCH_WIDTH-1:0] taken, first;
  assign taken   = fetch_i ? branch_i & hit & (high | ~conditional_i) : '0;
  assign first   = taken & (~taken + FETCH_WIDTH'(1));
  assign taken_o = taken != '0;

  always_comb begin
    slot_o = '0;
    next_o = '0;
    for (int unsigned n = 0; n < FETCH_WIDTH; n++) begin
      if (first[n]) begin
        slot_o = slot_o | SLOT_BITS'(n);
        next_o = next_o | target[n*TARGET_BITS +: TARGET_BITS];
      end
    end
  end
endmodule
