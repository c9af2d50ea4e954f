// srf_rename: map and free list of the scalar register file (Xiang et al. 2013 §3.1.2; machine.md §9). Twin of
// model/control/srf_rename.h.
//
// The registers of a mask are the rows of a thread and, the last three, states of each thread: NZCV, FPSCR's flags,
// FPSCR's modes. A row that holds one value in all threads of a warp is mapped to a scalar register; the states have a
// scalar copy for each warp, beside the file. `valid` is for both what the tokens are in token_file.
//
// What becomes uniform in a write is mapped or, if that needs more registers than are free, not: the write is then an
// ordinary vector write, which unmaps all its destinations. At most two rows are newly mapped in a cycle: a multiple
// load comes a register at a time, an instruction that writes more at once is not mapped. A register freed in a cycle
// can be had in the next one, r0's of a warp that begins at once. Reading and writing may be of different warps; of one
// warp, what is read is from before the write. A release comes after the write of its cycle, a start after both: of its
// warps those begin that hold no register; the states of each are uniform, and r0 is, if the warp's home is free:
// register PHYSICAL - 1 - w of warp w, which others take last.
module srf_rename #(
    parameter  logic [31:0] WARPS         = 16,                                   // 1–128
    parameter  logic [31:0] REGISTERS     = 51,                                   // 5–64
    parameter  logic [31:0] PHYSICAL      = 128,                                  // 2–4096 scalar registers
    localparam logic [31:0] ROWS          = REGISTERS - 3,
    localparam logic [31:0] WARP_BITS     = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] ROW_BITS      = $clog2(ROWS),
    localparam logic [31:0] PHYSICAL_BITS = $clog2(PHYSICAL),
    localparam logic [31:0] MAP_BITS      = PHYSICAL_BITS,
    localparam logic [31:0] VALID_BITS    = REGISTERS,
    localparam logic [31:0] FREE_BITS     = 32,                                   // of a word of the free list
    localparam logic [31:0] LIST          = (PHYSICAL + FREE_BITS - 1) / FREE_BITS * FREE_BITS
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     start_i,              // a work-group begins in these warps: their states are uniform,
    input  logic [WARPS-1:0]         start_warps_i,        // and r0, if its register is free
    input  logic [WARP_BITS-1:0]     read_warp_i,          // of the instruction that is decoded
    input  logic [REGISTERS-1:0]     read_sources_i,       // without what its condition reads
    input  logic [ROWS-1:0]          read_destinations_i,
    input  logic                     read_full_i,          // all live threads of the warp take part
    input  logic                     read_conditional_i,   // it has a condition,
    input  logic                     read_fails_i,         // which fails if all have the flags of the first live one
    input  logic [ROW_BITS-1:0]      read_row0_i,          // up to three of its rows
    input  logic [ROW_BITS-1:0]      read_row1_i,
    input  logic [ROW_BITS-1:0]      read_row2_i,
    input  logic [WARP_BITS-1:0]     write_warp_i,         // of the instruction whose results are written
    input  logic [REGISTERS-1:0]     write_destinations_i, // 0: no write
    input  logic                     write_full_i,         // all live threads of the warp are written
    input  logic                     write_uniform_i,      // it was uniform
    input  logic [REGISTERS-1:0]     write_broadcast_i,    // destinations that all got one value: a load from one address
    input  logic                     release_i,            // the last thread of a warp has exited
    input  logic [WARP_BITS-1:0]     release_warp_i,
    output logic [REGISTERS-1:0]     tokens_o,             // valid of read_warp_i; combinational, as all outputs
    output logic                     uniform_o,            // only uniform sources, all threads take part and do the same
    output logic [ROWS-1:0]          copies_o,             // rows to be copied to all threads before it writes some
    output logic [PHYSICAL_BITS-1:0] scalar0_o,            // scalar registers of the rows read; 0 if not mapped
    output logic [PHYSICAL_BITS-1:0] scalar1_o,
    output logic [PHYSICAL_BITS-1:0] scalar2_o,
    output logic                     mapped_o,             // what gets uniform in this write is mapped
    output logic                     refused_o,            // it would be, with more registers
    output logic [PHYSICAL_BITS-1:0] target0_o,            // mapped: newly taken for its first unmapped row, and its
    output logic [PHYSICAL_BITS-1:0] target1_o             // second one; else 0
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (WARPS < 1 || WARPS > 128) begin : gen_illegal_warps
    $error("srf_rename: WARPS must be 1 to 128");
  end
  if (REGISTERS < 5 || REGISTERS > 64) begin : gen_illegal_registers
    $error("srf_rename: REGISTERS must be 5 to 64");
  end
  if (PHYSICAL < 2 || PHYSICAL > 4096) begin : gen_illegal_physical
    $error("srf_rename: PHYSICAL must be 2 to 4096");
  end
`endif

  localparam logic [31:0] WORDS     = LIST / FREE_BITS;
  localparam logic [31:0] LIST_BITS = $clog2(LIST);

  logic [WARPS*VALID_BITS-1:0] valid_d, valid_q;
  logic [ROWS*MAP_BITS-1:0]    map_q [0:WARPS-1];  // of rows that are valid
  logic [LIST-1:0]             free_d, free_q;     // bit p: register p is free; those beyond PHYSICAL are not
  logic [LIST-1:0]             all;                // that there are

  always_comb begin
    all = '0;
    for (int unsigned p = 0; p < PHYSICAL; p++) all[p] = 1'b1;
  end

  // --- the instruction that is decoded ---
  logic [ROWS*MAP_BITS-1:0] read_map;
  always_comb begin
    tokens_o  = '0;
    scalar0_o = '0;
    scalar1_o = '0;
    scalar2_o = '0;
    read_map  = map_q[read_warp_i];
    if (32'(read_warp_i) < WARPS) tokens_o = valid_q[32'(read_warp_i)*VALID_BITS+:VALID_BITS];
    if (32'(read_row0_i) < ROWS && tokens_o[32'(read_row0_i)]) scalar0_o = read_map[32'(read_row0_i)*MAP_BITS+:MAP_BITS];
    if (32'(read_row1_i) < ROWS && tokens_o[32'(read_row1_i)]) scalar1_o = read_map[32'(read_row1_i)*MAP_BITS+:MAP_BITS];
    if (32'(read_row2_i) < ROWS && tokens_o[32'(read_row2_i)]) scalar2_o = read_map[32'(read_row2_i)*MAP_BITS+:MAP_BITS];
  end
  logic flags_known, whole, nothing;
  assign flags_known = !read_conditional_i || tokens_o[ROWS];
  assign whole       = read_full_i && flags_known;
  assign nothing     = read_conditional_i && flags_known && read_fails_i;
  assign uniform_o   = whole && (read_sources_i & ~tokens_o) == '0;
  assign copies_o    = whole || nothing ? '0 : read_destinations_i & tokens_o[ROWS-1:0];

  // --- the two lowest of the free list ---
  logic [LIST-1:0]      after;  // all but the first
  logic [FREE_BITS-1:0] word;
  logic [LIST_BITS-1:0] first, second;
  logic                 any, more;

  // The number of the only bit that is set.
  function automatic logic [LIST_BITS-1:0] number_of(input logic [FREE_BITS-1:0] bits);
    number_of = LIST_BITS'({(bits & 32'hffff0000) != '0, (bits & 32'hff00ff00) != '0, (bits & 32'hf0f0f0f0) != '0,
                            (bits & 32'hcccccccc) != '0, (bits & 32'haaaaaaaa) != '0});
  endfunction

  always_comb begin
    word  = '0;
    first = '0;
    for (int unsigned n = 0; n < WORDS; n++) begin
      if (free_q[(WORDS-1-n)*FREE_BITS+:FREE_BITS] != '0) begin
        word  = free_q[(WORDS-1-n)*FREE_BITS+:FREE_BITS];
        first = LIST_BITS'((WORDS-1-n) * FREE_BITS);
      end
    end
    any   = word != '0;
    first = first | number_of(word & (~word + FREE_BITS'(1)));
    after = free_q;
    if (any) after[first] = 1'b0;
    word   = '0;
    second = '0;
    for (int unsigned n = 0; n < WORDS; n++) begin
      if (after[(WORDS-1-n)*FREE_BITS+:FREE_BITS] != '0) begin
        word   = after[(WORDS-1-n)*FREE_BITS+:FREE_BITS];
        second = LIST_BITS'((WORDS-1-n) * FREE_BITS);
      end
    end
    more   = word != '0;
    second = second | number_of(word & (~word + FREE_BITS'(1)));
  end

  // --- the instruction that is written: its warp's part of the map ---
  logic [VALID_BITS-1:0]    old_valid, new_valid;
  logic [ROWS*MAP_BITS-1:0] old_map, new_map;
  logic [ROWS-1:0]          wanted, beyond;
  logic [REGISTERS-1:0]     sets;
  logic                     enough, maps, maps_two;

  always_comb begin
    old_valid = '0;
    old_map   = map_q[write_warp_i];
    if (32'(write_warp_i) < WARPS) old_valid = valid_q[32'(write_warp_i)*VALID_BITS+:VALID_BITS];
  end

  assign sets   = !write_full_i ? '0 : write_uniform_i ? write_destinations_i : write_destinations_i & write_broadcast_i;
  assign wanted = sets[ROWS-1:0] & ~old_valid[ROWS-1:0];
  assign beyond = wanted & (wanted - ROWS'(1));  // all but the first
  assign enough = (wanted == '0 || any) && (beyond == '0 || more) && (beyond & (beyond - ROWS'(1))) == '0;

  assign mapped_o  = sets != '0 && enough;
  assign refused_o = sets != '0 && !enough;
  assign maps      = mapped_o && wanted != '0;
  assign maps_two  = mapped_o && beyond != '0;
  assign target0_o = maps ? PHYSICAL_BITS'(first) : '0;
  assign target1_o = maps_two ? PHYSICAL_BITS'(second) : '0;

  assign new_valid = (old_valid & ~write_destinations_i) | (mapped_o ? sets : '0);

  always_comb begin
    new_map = old_map;
    if (maps) begin
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (wanted[r]) new_map[r*MAP_BITS+:MAP_BITS] = beyond[r] ? target1_o : target0_o;
      end
    end
  end

  // --- the edge ---
  logic [ROWS-1:0]          dropped;
  logic [VALID_BITS-1:0]    leaves;  // valid of the warp that is released, after the write
  logic [ROWS*MAP_BITS-1:0] leaves_map;
  logic [WARPS-1:0]         at_home;  // r0 of a warp that begins has its register
  always_comb begin
    valid_d    = valid_q;
    free_d     = free_q;
    dropped    = old_valid[ROWS-1:0] & ~new_valid[ROWS-1:0];
    leaves     = '0;
    leaves_map = map_q[release_warp_i];
    if (32'(write_warp_i) < WARPS) valid_d[32'(write_warp_i)*VALID_BITS+:VALID_BITS] = new_valid;
    if (release_i && 32'(release_warp_i) < WARPS) begin
      leaves = valid_d[32'(release_warp_i)*VALID_BITS+:VALID_BITS];
      if (release_warp_i == write_warp_i) leaves_map = new_map;
      valid_d[32'(release_warp_i)*VALID_BITS+:VALID_BITS] = '0;
    end
    if (maps) free_d[first] = 1'b0;
    if (maps_two) free_d[second] = 1'b0;
    if (dropped != '0) begin
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (dropped[r]) free_d[LIST_BITS'(old_map[r*MAP_BITS+:MAP_BITS])] = 1'b1;
      end
    end
    if (leaves[ROWS-1:0] != '0) begin
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (leaves[r]) free_d[LIST_BITS'(leaves_map[r*MAP_BITS+:MAP_BITS])] = 1'b1;
      end
    end
    at_home = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (start_i && start_warps_i[w] && valid_d[w*VALID_BITS+:ROWS] == '0) begin
        at_home[w] = w < PHYSICAL && free_d[w<PHYSICAL?PHYSICAL-1-w : 0];
        valid_d[w*VALID_BITS+:VALID_BITS] = {3'b111, ROWS'(at_home[w])};
        if (at_home[w]) free_d[w<PHYSICAL?PHYSICAL-1-w : 0] = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned w = 0; w < WARPS; w++) map_q[w] <= '0;
      free_q <= all;
    end else begin
      valid_q <= valid_d;
      free_q  <= free_d;
      if (maps) map_q[write_warp_i] <= new_map;
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (at_home[w]) map_q[w][MAP_BITS-1:0] <= MAP_BITS'(PHYSICAL - 1 - w);
      end
    end
  end
endmodule
