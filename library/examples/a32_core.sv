// A small in-order core for the A32 code that lockstep-cc generates for integer kernels. It is a design to be
// checked by its commits (commit_bench.sv). It has two stages: X reads registers, computes and accesses
// memory; W writes the register and commits. Data from memory arrive in W, whose result is forwarded to X. A
// multiple load or store takes one cycle for each register, and one more for write-back.
//
// With mistake_i the core has a bug: the instruction after a load receives the old value of the register.
module a32_core (
    input logic clk_i,
    input logic mistake_i,

    // Initial state, taken while begin_i is 1. instruction_i must be the one at begin_pc_i in the next cycle.
    input logic        begin_i,
    input logic [31:0] begin_pc_i,
    input logic [ 3:0] begin_flags_i,
    input logic [14:0][31:0] begin_register_i,

    output logic [31:0] fetch_o,        // address of the instruction expected in the next cycle
    input  logic [31:0] instruction_i,
    output logic        load_o,         // data arrive in the next cycle
    output logic        ask_o,          // request to the co-processor, which answers in the next cycle
    output logic [31:0] address_o,
    output logic [31:0] asked_o,        // encoding of the MRC
    input  logic [31:0] data_i,

    // W: written register, stored word, and the committed instruction.
    output logic        writes_o,
    output logic [ 3:0] register_o,
    output logic [31:0] value_o,
    output logic        stores_o,
    output logic        byte_o,
    output logic [31:0] store_address_o,
    output logic [31:0] store_data_o,
    output logic        commits_o,
    output logic [31:0] pc_o,
    output logic        passed_o,
    output logic        accesses_o,
    output logic [31:0] lowest_o,
    output logic        sets_flags_o,
    output logic [ 3:0] flags_o,
    output logic        sleeps_o,       // WFI
    output logic        unknown_o       // instruction not implemented
);
  logic [31:0] register_q[15];
  logic [31:0] pc_q;
  logic [ 3:0] flags_q;  // N Z C V
  logic        runs_q;
  // A multiple access: remaining registers and next address. `last`: the cycle that writes the base or
  // branches.
  logic [15:0] list_q, list_d;
  logic [31:0] next_address_q, lowest_q;
  logic again_q, again_d, last_q, last_d;

  // --- W ---
  struct packed {
    logic valid, writes, from_memory, is_byte, stores, commits, passed, accesses, sets_flags, sleeps, unknown;
    logic [3:0] number;
    logic [31:0] value, address, lowest, pc;
  } w_q, w_d;

  always_comb begin
    writes_o        = w_q.valid && w_q.writes;
    register_o      = w_q.number;
    value_o         = w_q.from_memory ? (w_q.is_byte ? {24'b0, data_i[7:0]} : data_i) : w_q.value;
    stores_o        = w_q.valid && w_q.stores;
    byte_o          = w_q.is_byte;
    store_address_o = w_q.address;
    store_data_o    = w_q.value;
    commits_o       = w_q.valid && w_q.commits;
    pc_o            = w_q.pc;
    passed_o        = w_q.passed;
    accesses_o      = w_q.accesses;
    lowest_o        = w_q.lowest;
    sets_flags_o    = w_q.sets_flags;
    flags_o         = flags_q;
    sleeps_o        = commits_o && w_q.sleeps;
    unknown_o       = commits_o && w_q.unknown;
  end

  // --- X: operands ---
  logic [31:0] i;
  assign i = instruction_i;

  function automatic logic [31:0] read(input logic [3:0] r);
    if (r == 15) return pc_q + 8;
    if (mistake_i && w_q.from_memory && w_q.accesses) return register_q[r];
    return writes_o && register_o == r ? value_o : register_q[r];
  endfunction

  logic condition;
  always_comb begin
    logic n, z, c, v;
    {n, z, c, v} = flags_q;
    unique case (i[31:29])
      0: condition = z;
      1: condition = c;
      2: condition = n;
      3: condition = v;
      4: condition = c && !z;
      5: condition = n == v;
      6: condition = n == v && !z;
      7: condition = 1;
    endcase
    if (i[28] && i[31:29] != 7) condition = !condition;
  end

  // Shifter: operand and carry out.
  logic [31:0] rm, operand;
  logic shift_carry;
  always_comb begin
    logic [ 7:0] amount;
    logic [ 1:0] kind;
    logic [32:0] left;
    logic [31:0] in;
    rm = read(i[3:0]);
    kind = i[6:5];
    amount = i[4] ? 8'(read(i[11:8])) : {3'b0, i[11:7]};
    in = rm;
    if (i[27:25] == 3'b001) begin
      kind = 3;
      amount = {3'b0, i[11:8], 1'b0};
      in = {24'b0, i[7:0]};
    end else if (!i[4] && amount == 0 && kind != 0) begin
      amount = 32;  // LSR, ASR; RRX, which is below
    end
    left = {1'b0, in} << amount;
    operand = in;
    shift_carry = flags_q[1];
    if (amount != 0) begin
      unique case (kind)
        0: {shift_carry, operand} = amount > 32 ? 33'b0 : left;
        1: {operand, shift_carry} = amount > 32 ? 33'b0 : 33'({in, 1'b0} >> amount);
        2: {operand, shift_carry} = 33'($signed({in, 1'b0}) >>> (amount > 32 ? 8'd32 : amount));
        3: begin
          operand = in >> amount[4:0] | in << (6'd32 - {1'b0, amount[4:0]});
          if (!i[25] && !i[4] && amount == 32) {operand, shift_carry} = {flags_q[1], in};
          else shift_carry = operand[31];
        end
      endcase
    end
  end

  // --- X: data processing ---
  logic [31:0] result, rn, addend_a, addend_b;
  logic carry_in, is_arithmetic, no_result;
  logic [32:0] sum;
  logic [3:0] new_flags;
  always_comb begin
    rn = read(i[19:16]);
    addend_a = rn;
    addend_b = operand;
    carry_in = 0;
    is_arithmetic = 1;
    no_result = i[24:23] == 2'b10;
    unique case (i[24:21])
      4'h2, 4'ha: begin addend_b = ~operand; carry_in = 1; end           // SUB, CMP
      4'h3: begin addend_a = ~rn; carry_in = 1; end                       // RSB
      4'h4, 4'hb: ;                                                       // ADD, CMN
      4'h5: carry_in = flags_q[1];                                        // ADC
      4'h6: begin addend_b = ~operand; carry_in = flags_q[1]; end         // SBC
      4'h7: begin addend_a = ~rn; carry_in = flags_q[1]; end              // RSC
      default: is_arithmetic = 0;
    endcase
    sum = {1'b0, addend_a} + {1'b0, addend_b} + 33'(carry_in);
    unique case (i[24:21])
      4'h0, 4'h8: result = rn & operand;
      4'h1, 4'h9: result = rn ^ operand;
      4'hc: result = rn | operand;
      4'hd: result = operand;
      4'he: result = rn & ~operand;
      4'hf: result = ~operand;
      default: result = sum[31:0];
    endcase
    new_flags = {result[31], result == 0, is_arithmetic ? sum[32] : shift_carry,
                 is_arithmetic ? addend_a[31] == addend_b[31] && sum[31] != addend_a[31] : flags_q[0]};
  end

  function automatic logic [31:0] leading_zeros(input logic [31:0] word);
    for (int n = 31; n >= 0; --n) if (word[n]) return 32'(31 - n);
    return 32;
  endfunction

  // --- X: effects of the instruction ---
  logic [31:0] next_pc, address, offset, moved;
  logic [15:0] left;
  logic [3:0] lowest_register;
  always_comb begin
    w_d = '0;
    w_d.valid = runs_q;
    w_d.commits = 1;
    w_d.passed = condition;
    w_d.pc = pc_q;
    next_pc = pc_q + 4;
    load_o = 0;
    ask_o = 0;
    asked_o = i;
    list_d = 0;
    again_d = 0;
    last_d = 0;
    offset = i[25] ? operand : {20'b0, i[11:0]};
    moved = i[23] ? rn + offset : rn - offset;
    address = again_q ? next_address_q : i[24] ? moved : rn;
    left = again_q ? list_q : i[15:0];
    lowest_register = 0;
    for (int n = 15; n >= 0; --n) if (left[n]) lowest_register = 4'(n);
    if (!condition) begin
    end else casez (i)
      32'b????_0001_0010_????_????_????_0001_????: next_pc = rm;                           // BX
      32'b????_0001_0010_????_????_????_0011_????: begin                                   // BLX
        next_pc = rm;
        w_d.writes = 1; w_d.number = 14; w_d.value = pc_q + 4;
      end
      32'b????_0001_0110_????_????_????_0001_????: begin                                   // CLZ
        w_d.writes = 1; w_d.number = i[15:12]; w_d.value = leading_zeros(rm);
      end
      32'b????_0000_000?_????_????_????_1001_????: begin                                   // MUL
        w_d.writes = 1; w_d.number = i[19:16]; w_d.value = rm * read(i[11:8]);
        w_d.unknown = i[20];
      end
      32'b????_0000_0010_????_????_????_1001_????: begin                                   // MLA
        w_d.writes = 1; w_d.number = i[19:16]; w_d.value = rm * read(i[11:8]) + read(i[15:12]);
      end
      32'b????_0000_0110_????_????_????_1001_????: begin                                   // MLS
        w_d.writes = 1; w_d.number = i[19:16]; w_d.value = read(i[15:12]) - rm * read(i[11:8]);
      end
      32'b????_0111_0011_????_????_????_0001_????: begin                                   // UDIV
        logic [31:0] divisor;
        divisor = read(i[11:8]);
        w_d.writes = 1; w_d.number = i[19:16]; w_d.value = divisor == 0 ? 0 : rm / divisor;
      end
      32'b????_0011_0000_????_????_????_????_????: begin                                   // MOVW
        w_d.writes = 1; w_d.number = i[15:12]; w_d.value = {16'b0, i[19:16], i[11:0]};
      end
      32'b????_0011_0100_????_????_????_????_????: begin                                   // MOVT
        w_d.writes = 1; w_d.number = i[15:12]; w_d.value = {i[19:16], i[11:0], 16'h0};
        w_d.value[15:0] = 16'(read(i[15:12]));
      end
      32'b????_0011_0010_0000_????_????_0000_0011: w_d.sleeps = 1;                         // WFI
      32'b????_000?_????_????_????_????_1??1_????, 32'b????_0001_0??0_????_????_????_????_????,
      32'b????_0011_0?10_????_????_????_????_????: w_d.unknown = 1;
      32'b????_00??_????_????_????_????_????_????: begin                                   // data processing
        w_d.writes = !no_result;
        w_d.number = i[15:12];
        w_d.value = result;
        w_d.sets_flags = i[20];
        w_d.unknown = i[15:12] == 15 && !no_result;
      end
      32'b????_010?_????_????_????_????_????_????, 32'b????_011?_????_????_????_????_???0_????: begin
        logic moves;                                                                       // LDR, STR, LDRB, STRB
        moves = i[21] || !i[24];
        w_d.accesses = 1;
        w_d.lowest = again_q ? lowest_q : address;
        w_d.unknown = i[15:12] == 15;
        if (again_q) begin
          w_d.writes = 1; w_d.number = i[19:16]; w_d.value = next_address_q;
        end else begin
          w_d.is_byte = i[22];
          w_d.address = address;
          load_o = runs_q && i[20];
          w_d.from_memory = i[20];
          w_d.writes = i[20];
          w_d.number = i[15:12];
          w_d.stores = !i[20];
          w_d.value = read(i[15:12]);
          again_d = moves;
          w_d.commits = !moves;
        end
      end
      32'b????_100?_?0??_????_????_????_????_????: begin                                   // LDM, STM
        logic [31:0] bytes, lowest, step;
        bytes = 0;
        for (int n = 0; n < 16; ++n) bytes += i[n] ? 4 : 0;
        lowest = (i[23] ? rn : rn - bytes) + (i[24] == i[23] ? 4 : 0);
        step = again_q ? next_address_q : lowest;
        w_d.accesses = 1;
        w_d.lowest = again_q ? lowest_q : lowest;
        if (last_q) begin  // writes the base, or branches to the PC loaded last
          w_d.writes = i[21]; w_d.number = i[19:16]; w_d.value = i[23] ? rn + bytes : rn - bytes;
          if (i[20] && i[15]) next_pc = data_i;
        end else begin
          load_o = runs_q && i[20];
          w_d.from_memory = i[20];
          w_d.writes = i[20] && lowest_register != 15;
          w_d.number = lowest_register;
          w_d.stores = !i[20];
          w_d.address = step;
          w_d.value = read(lowest_register);
          list_d = left & (left - 1);
          last_d = list_d == 0 && (i[21] || (i[20] && i[15]));
          again_d = list_d != 0 || last_d;
          w_d.commits = !again_d;
          address = step;
        end
      end
      32'b????_101?_????_????_????_????_????_????: begin                                   // B, BL
        next_pc = pc_q + 8 + {{6{i[23]}}, i[23:0], 2'b0};
        w_d.writes = i[24]; w_d.number = 14; w_d.value = pc_q + 4;
      end
      32'b????_1110_???1_????_????_0111_???1_????: begin                                   // MRC
        ask_o = runs_q;
        w_d.from_memory = 1; w_d.writes = 1; w_d.number = i[15:12];
      end
      32'b????_1110_???0_????_????_0111_???1_????: ;                                       // MCR: no effect here
      default: w_d.unknown = 1;
    endcase
    if (again_d) next_pc = pc_q;
    if (w_d.sleeps || w_d.unknown) w_d.commits = 1;
    fetch_o = begin_i ? begin_pc_i : next_pc;
    address_o = address;
  end

  always_ff @(posedge clk_i) begin
    for (int r = 0; r < 15; ++r)
      register_q[r] <= begin_i ? begin_register_i[r] : writes_o && register_o == 4'(r) ? value_o : register_q[r];
    if (runs_q && w_d.sets_flags) flags_q <= new_flags;
    w_q <= w_d;
    pc_q <= next_pc;
    list_q <= list_d;
    again_q <= again_d;
    last_q <= last_d;
    // A single access records the new base, a multiple one the next address.
    next_address_q <= i[27] ? address + 4 : moved;
    if (!again_q) lowest_q <= w_d.lowest;
    if (w_d.sleeps || w_d.unknown) runs_q <= 0;
    if (begin_i) begin
      pc_q       <= begin_pc_i;
      flags_q    <= begin_flags_i;
      runs_q     <= 1;
      w_q        <= '0;
      again_q    <= 0;
      last_q     <= 0;
      list_q     <= 0;
    end
  end
endmodule
