// load_store_queue: holds the stores of an out-of-order core until they are written, and finds the store from which a
// load takes its data (docs/superscalar.md §4). Twin of model/control/load_store_queue.h.
//
// The queue holds stores in program order, and slot 0 follows the last slot. The address of a store arrives when the
// core selects the store. The oldest store is written into memory and leaves. Loads are counted, and nothing else of
// them is in the queue.
//
// A load that the core selects searches the stores that are older. The youngest of these that overlaps decides: if it
// has all bytes of the load, it forwards them. If it has a part of them, the load waits. It also waits while an older
// store has no address. Without such a store, the load gets its data from memory.
//
// The position of a store is its number since the reset modulo 2 × QUEUE, and its slot is its number modulo QUEUE. The
// position of a load is that of the next store at the load's dispatch.
//
// Latency: answers are combinational. The other outputs depend on flip-flops alone.
module load_store_queue #(
    parameter  logic [31:0] QUEUE         = 32,                           // loads and stores in the queue, 1–64
    localparam logic [31:0] SLOT_BITS     = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam logic [31:0] POSITION_BITS = $clog2(2 * QUEUE),
    localparam logic [31:0] COUNT_BITS    = $clog2(QUEUE + 1),
    localparam logic [31:0] FIRST_BITS    = 32,                           // NAME_BITS: of an element of NAME
    localparam logic [31:0] LAST_BITS     = 32
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [2:0]               loads_i,         // number of loads that enter, 0–4
    input  logic [2:0]               stores_i,        // number of stores that enter, 0–4; there is room for both
    input  logic [2:0]               leave_i,         // number of loads that leave, 0–4
    input  logic                     written_i,       // 1: the oldest store has been written and leaves
    input  logic                     known_i,         // 1: a store gets its address; not with search_i
    input  logic [SLOT_BITS-1:0]     known_slot_i,    // slot of that store
    input  logic                     search_i,        // 1: a load searches
    input  logic [POSITION_BITS-1:0] position_i,      // position of that load
    input  logic [FIRST_BITS-1:0]    first_i,         // address of the first byte of the store or load
    input  logic [LAST_BITS-1:0]     last_i,          // address of the last byte of the store or load
    output logic [COUNT_BITS-1:0]    room_o,          // number of free entries
    output logic [POSITION_BITS-1:0] end_o,           // position of the next store
    output logic                     oldest_o,        // 1: the oldest store has its address
    output logic [FIRST_BITS-1:0]    oldest_first_o,  // its first byte; 0 without an address
    output logic [LAST_BITS-1:0]     oldest_last_o,   // its last byte; 0 without an address
    output logic                     forward_o,       // 1: a store forwards all bytes of the load
    output logic [SLOT_BITS-1:0]     slot_o,          // that store; 0 without one
    output logic                     wait_o           // 1: the load waits
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (QUEUE < 1 || QUEUE > 64) begin : gen_illegal_queue
    $error("load_store_queue: QUEUE must be 1 to 64");
  end
`endif

  logic [POSITION_BITS-1:0]    head_d, head_q;    // position of the oldest store
  logic [POSITION_BITS-1:0]    end_d, end_q;      // position of the next store
  logic [COUNT_BITS-1:0]       loads_d, loads_q;  // number of loads
  logic [QUEUE-1:0]            known_d, known_q;  // slots of stores with an address
  logic [QUEUE*FIRST_BITS-1:0] first_d, first_q;  // their first bytes
  logic [QUEUE*LAST_BITS-1:0]  last_d, last_q;    // their last bytes

  // Number of stores from one position to another.
  function automatic logic [31:0] stores_between(input logic [POSITION_BITS-1:0] from,
                                                 input logic [POSITION_BITS-1:0] to);
    stores_between = to >= from ? 32'(to) - 32'(from) : 32'(to) + 2 * QUEUE - 32'(from);
  endfunction

  function automatic logic [SLOT_BITS-1:0] slot_of(input logic [POSITION_BITS-1:0] position);
    slot_of = SLOT_BITS'(32'(position) >= QUEUE ? 32'(position) - QUEUE : 32'(position));
  endfunction

  // Position of a store some numbers later.
  function automatic logic [POSITION_BITS-1:0] later(input logic [POSITION_BITS-1:0] position,
                                                     input logic [2:0]               stores);
    later = POSITION_BITS'(32'(position) + 32'(stores) >= 2 * QUEUE ? 32'(position) + 32'(stores) - 2 * QUEUE
                                                                    : 32'(position) + 32'(stores));
  endfunction

  // Slots below the one of a position.
  function automatic logic [QUEUE-1:0] below(input logic [POSITION_BITS-1:0] position);
    below = ~({QUEUE{1'b1}} << slot_of(position));
  endfunction

  // --- the oldest store, and room ---
  logic [SLOT_BITS-1:0] head;
  assign head           = slot_of(head_q);
  assign oldest_o       = known_q[head];
  assign oldest_first_o = oldest_o ? first_q[head*FIRST_BITS +: FIRST_BITS] : '0;
  assign oldest_last_o  = oldest_o ? last_q[head*LAST_BITS +: LAST_BITS] : '0;
  assign room_o         = COUNT_BITS'(QUEUE - 32'(loads_q) - stores_between(head_q, end_q));
  assign end_o          = end_q;

  // --- the search ---
  // Those below the oldest store's slot are the younger ones.
  // Without an address, a store may overlap by chance: the load then waits anyway.
  logic [QUEUE-1:0]     wrapped, older, overlapping, youngest_part;
  logic [SLOT_BITS-1:0] youngest;
  logic                 covers, unknown;

  assign wrapped = below(head_q);
  always_comb begin
    if (position_i == head_q) older = '0;
    else if (slot_of(position_i) > head) older = below(position_i) & ~wrapped;
    else older = below(position_i) | ~wrapped;
  end

  always_comb begin
    overlapping = '0;
    for (int unsigned s = 0; s < QUEUE; s++)
      overlapping[s] = older[s] && first_q[s*FIRST_BITS +: FIRST_BITS] <= last_i
                       && first_i <= last_q[s*LAST_BITS +: LAST_BITS];
  end
  assign youngest_part = (overlapping & wrapped) != '0 ? overlapping & wrapped : overlapping;

  always_comb begin
    youngest = '0;
    for (int unsigned s = 0; s < QUEUE; s++) if (youngest_part[s]) youngest = SLOT_BITS'(s);
  end

  assign covers    = overlapping != '0 && first_q[youngest*FIRST_BITS +: FIRST_BITS] <= first_i
                     && last_i <= last_q[youngest*LAST_BITS +: LAST_BITS];
  assign unknown   = (older & ~known_q) != '0;
  assign forward_o = search_i && !unknown && covers;
  assign wait_o    = search_i && (unknown || (overlapping != '0 && !covers));
  assign slot_o    = forward_o ? youngest : '0;

  // --- next state ---
  always_comb begin
    head_d  = later(head_q, 3'(written_i));
    end_d   = later(end_q, stores_i);
    loads_d = COUNT_BITS'(32'(loads_q) + 32'(loads_i) - 32'(leave_i));
    known_d = known_q;
    first_d = first_q;
    last_d  = last_q;
    for (int unsigned s = 0; s < QUEUE; s++) begin
      if (known_i && 32'(known_slot_i) == s) begin
        known_d[s]                         = 1'b1;
        first_d[s*FIRST_BITS +: FIRST_BITS] = first_i;
        last_d[s*LAST_BITS +: LAST_BITS]    = last_i;
      end
      if (written_i && 32'(head) == s) known_d[s] = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      end_q   <= '0;
      loads_q <= '0;
      known_q <= '0;
      first_q <= '0;
      last_q  <= '0;
    end else begin
      head_q  <= head_d;
      end_q   <= end_d;
      loads_q <= loads_d;
      known_q <= known_d;
      first_q <= first_d;
      last_q  <= last_d;
    end
  end
endmodule
