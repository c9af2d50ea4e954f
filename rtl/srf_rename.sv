// srf_rename: the map and the free list of the scalar register file (Xiang et al. 2013 §3.1.2; machine.md §9). Twin of
// model/control/srf_rename.h.
//
// The registers of a mask are the rows of a thread, then three states of a thread: NZCV, flags of the FPSCR and modes
// of the FPSCR. A row with one value in all threads of a warp is mapped to a scalar register. The states have a scalar
// copy for each warp outside the file. valid_q marks uniform rows and states, as the tokens of token_file do.
//
// Rules of a write:
// - A row that becomes uniform is mapped to a free register. If too few registers are free, the write is an ordinary
//   vector write, which unmaps all its destinations.
// - At most two rows are newly mapped in a cycle. A multiple load writes one register a cycle; another instruction that
//   makes more than two rows uniform is not mapped.
// - A register that is freed in a cycle is free in the next cycle; r0's register of a warp that begins is free at once.
//
// In a cycle, reads see the state before the write. The release follows the write, and the start follows both. A
// starting warp begins if it holds no register: its states are uniform, and r0 is uniform if its home is free. The home
// of warp w is register PHYSICAL - 1 - w, which other rows take last. All outputs are combinational.
module srf_rename #(
    parameter  logic [31:0] WARPS         = 16,                                   // warps of the cluster, 1–128
    parameter  logic [31:0] REGISTERS     = 51,                                   // rows and states of a thread, 5–64
    parameter  logic [31:0] PHYSICAL      = 128,                                  // scalar registers, 2–4096
    localparam logic [31:0] ROWS          = REGISTERS - 3,
    localparam logic [31:0] WARP_BITS     = WARPS > 1 ? $clog2(WARPS) : 1,
    localparam logic [31:0] ROW_BITS      = $clog2(ROWS),
    localparam logic [31:0] PHYSICAL_BITS = $clog2(PHYSICAL),
    localparam logic [31:0] MAP_BITS      = PHYSICAL_BITS,
    localparam logic [31:0] VALID_BITS    = REGISTERS,
    localparam logic [31:0] FREE_BITS     = 32,                                   // width of a word of the free list
    localparam logic [31:0] LIST          = (PHYSICAL + FREE_BITS - 1) / FREE_BITS * FREE_BITS
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     start_i,              // 1: a work-group begins
    input  logic [WARPS-1:0]         start_warps_i,        // warps of the work-group that begins
    input  logic [WARP_BITS-1:0]     read_warp_i,          // warp of the decoded instruction
    input  logic [REGISTERS-1:0]     read_sources_i,       // sources of the decoded instruction, without those of its
                                                           // condition
    input  logic [ROWS-1:0]          read_destinations_i,  // destinations of the decoded instruction
    input  logic                     read_full_i,          // 1: all live threads of its warp take part
    input  logic                     read_conditional_i,   // 1: it has a condition
    input  logic                     read_fails_i,         // 1: the condition fails with the flags of the first live
                                                           // thread
    input  logic [ROW_BITS-1:0]      read_row0_i,          // first row to be looked up
    input  logic [ROW_BITS-1:0]      read_row1_i,          // second row
    input  logic [ROW_BITS-1:0]      read_row2_i,          // third row
    input  logic [WARP_BITS-1:0]     write_warp_i,         // warp of the instruction whose results are written
    input  logic [REGISTERS-1:0]     write_destinations_i,  // destinations of the instruction whose results are
                                                            // written; 0: no write
    input  logic                     write_full_i,         // 1: all live threads of its warp are written
    input  logic                     write_uniform_i,      // 1: the instruction was uniform
    input  logic [REGISTERS-1:0]     write_broadcast_i,    // destinations that a load from one address gave one value
    input  logic                     release_i,            // 1: the last thread of a warp has exited
    input  logic [WARP_BITS-1:0]     release_warp_i,       // warp whose last thread has exited
    output logic [REGISTERS-1:0]     tokens_o,             // uniform rows and states of read_warp_i
    output logic                     uniform_o,            // 1: the decoded instruction is uniform: all threads take
                                                           // part, alike, and its sources are uniform
    output logic [ROWS-1:0]          copies_o,             // rows to copy to all threads before the instruction writes
                                                           // some of them
    output logic [PHYSICAL_BITS-1:0] scalar0_o,            // scalar register of read_row0_i; 0 if it is not mapped
    output logic [PHYSICAL_BITS-1:0] scalar1_o,            // scalar register of read_row1_i
    output logic [PHYSICAL_BITS-1:0] scalar2_o,            // scalar register of read_row2_i
    output logic                     mapped_o,             // 1: the rows that become uniform in this write are mapped
    output logic                     refused_o,            // 1: too few free registers to map them
    output logic [PHYSICAL_BITS-1:0] target0_o,            // register for the first newly mapped row; 0 without one
    output logic [PHYSICAL_BITS-1:0] target1_o             // register for the second newly mapped row; 0 without one
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

  logic [WARPS*VALID_BITS-1:0] valid_d, valid_q;   // uniform rows and states of each warp
  logic [ROWS*MAP_BITS-1:0]    map_q [0:WARPS-1];  // scalar register of each valid row
  logic [LIST-1:0]             free_d, free_q;     // bit p: register p is free; 0 from PHYSICAL on
  logic [LIST-1:0]             all;                // registers that exist

  always_comb begin
    all = '0;
    for (int unsigned p = 0; p < PHYSICAL; p++) all[p] = 1'b1;
  end

  // --- the decoded instruction ---
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

  // --- the two lowest free registers ---
  logic [LIST-1:0]      after;  // free list without the first
  logic [FREE_BITS-1:0] word;
  logic [LIST_BITS-1:0] first, second;
  logic                 any, more;

  // Returns the number of the only bit that is set.
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

  // --- the write: its warp's part of the map ---
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

  // --- next state ---
  logic [ROWS-1:0]          dropped;
  logic [VALID_BITS-1:0]    leaves;  // valid bits of the released warp after the write
  logic [ROWS*MAP_BITS-1:0] leaves_map;
  logic [WARPS-1:0]         at_home;  // starting warps whose r0 has its home
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
