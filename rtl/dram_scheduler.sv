// dram_scheduler: schedules the requests of a DRAM channel: moves them from a queue to banks and selects the command of
// each cycle (gpu-like.md §5). Twin of model/control/dram_scheduler.h.
//
// A request at the inputs enters the queue if ready_o is 1, and can go to its bank in the same cycle. One request a
// cycle goes to its bank. With POLICY 0 (fcfs) it is the oldest request, if its bank is free. With POLICY 1 (frfcfs)
// the free banks with queued requests take turns; the chosen bank takes its oldest request to the open row, else its
// oldest request.
//
// One command a cycle is given: by the first bank that may give its next command, counted from the bank after the last
// activation or precharge.
//
// The minimum distances between commands are inputs, which must stay constant. Timers count them down.
module dram_scheduler #(
    parameter  logic [31:0] BANKS             = 8,                                // banks of the channel, 1–32, a power
                                                                                  // of two
    parameter  logic [31:0] QUEUE             = 16,                               // entries of the queue, 1–64
    parameter  logic [31:0] POLICY            = 1,                                // dram.policy, 0–1: 0 fcfs, 1 frfcfs
    parameter  logic [31:0] TAG_BITS          = 8,                                // bits of a request's tag, 1–32
    parameter  logic [31:0] ROW_BITS          = 24,                               // bits of a row's number, 1–32; fewer
                                                                                  // than 24 only in proofs
    parameter  logic [31:0] BURST_BITS        = 6,                                // bits of a number of column
                                                                                  // accesses, 1–6; fewer than 6 only in
                                                                                  // proofs
    parameter  logic [31:0] TIMER_BITS        = 8,                                // bits of a timer, 4–8; fewer than 8
                                                                                  // only in proofs
    localparam logic [31:0] DISTANCE_BITS     = TIMER_BITS - 1,
    localparam logic [31:0] BANK_BITS         = BANKS > 1 ? $clog2(BANKS) : 1,
    localparam logic [31:0] COUNT_BITS        = $clog2(QUEUE + 1),
    localparam logic [31:0] INDEX_BITS        = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam logic [31:0] QUEUE_WRITE_BITS  = 1,                                // NAME_BITS: bits of a NAME element
    localparam logic [31:0] QUEUE_BANK_BITS   = BANK_BITS,
    localparam logic [31:0] QUEUE_ROW_BITS    = ROW_BITS,
    localparam logic [31:0] QUEUE_BURSTS_BITS = BURST_BITS,
    localparam logic [31:0] QUEUE_TAG_BITS    = TAG_BITS,
    localparam logic [31:0] BANK_ROW_BITS     = ROW_BITS,
    localparam logic [31:0] BANK_OPEN_BITS    = ROW_BITS,
    localparam logic [31:0] BANK_BURSTS_BITS  = BURST_BITS,
    localparam logic [31:0] BANK_TAG_BITS     = TAG_BITS,
    localparam logic [31:0] BANK_ACT_BITS     = TIMER_BITS,
    localparam logic [31:0] BANK_PRE_BITS     = TIMER_BITS,
    localparam logic [31:0] BANK_COL_BITS     = TIMER_BITS
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [DISTANCE_BITS-1:0] rcd_i,      // from activation to column access, in cycles, as all distances
                                                 // (gpu-like.md §1);
    input  logic [DISTANCE_BITS-1:0] rp_i,       // from precharge to activation; each at most a quarter of what a timer
                                                 // counts
    input  logic [DISTANCE_BITS-1:0] cl_i,       // from read to its data
    input  logic [DISTANCE_BITS-1:0] ras_i,      // from activation to precharge of a bank
    input  logic [DISTANCE_BITS-1:0] rrd_i,      // from activation to activation of any bank
    input  logic [DISTANCE_BITS-1:0] rc_i,       // from activation to activation of one bank
    input  logic [DISTANCE_BITS-1:0] ccd_i,      // from column access to column access
    input  logic [DISTANCE_BITS-1:0] wl_i,       // from write to its data
    input  logic [DISTANCE_BITS-1:0] cdlr_i,     // from the end of written data to a read
    input  logic [DISTANCE_BITS-1:0] wr_i,       // from the end of written data to precharge
    input  logic [DISTANCE_BITS-1:0] burst_i,    // cycles of the data of a column access
    input  logic                     valid_i,    // 1: a request is offered
    input  logic                     write_i,    // 1: it is a write
    input  logic [BANK_BITS-1:0]     bank_i,     // bank of each request
    input  logic [ROW_BITS-1:0]      row_i,      // row of each request
    input  logic [BURST_BITS-1:0]    bursts_i,   // number of its column accesses, at least 1
    input  logic [TAG_BITS-1:0]      tag_i,      // tag that comes back with tag_o
    output logic                     ready_o,    // registered; 1: the queue has room
    output logic [2:0]               command_o,  // command of this cycle: 0 none, 1 ACT, 2 PRE, 3 RD, 4 WR;
                                                 // combinational, as all below
    output logic [BANK_BITS-1:0]     bank_o,     // bank of the command; 0 without one
    output logic                     done_o,     // 1: the command is the last column access of a request
    output logic [TAG_BITS-1:0]      tag_o,      // tag of that request; 0 if done_o is 0
    output logic                     hit_o       // 1: the row of that request was open when the request went to its
                                                 // bank
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0) begin : gen_illegal_banks
    $error("dram_scheduler: BANKS must be a power of two, 1 to 32");
  end
  if (QUEUE < 1 || QUEUE > 64) begin : gen_illegal_queue
    $error("dram_scheduler: QUEUE must be 1 to 64");
  end
  if (POLICY > 1) begin : gen_illegal_policy
    $error("dram_scheduler: POLICY must be 0 or 1");
  end
  if (TAG_BITS < 1 || TAG_BITS > 32 || ROW_BITS < 1 || ROW_BITS > 32) begin : gen_illegal_width
    $error("dram_scheduler: TAG_BITS and ROW_BITS must be 1 to 32");
  end
  if (BURST_BITS < 1 || BURST_BITS > 6 || TIMER_BITS < 4 || TIMER_BITS > 8) begin : gen_illegal_count
    $error("dram_scheduler: BURST_BITS must be 1 to 6, TIMER_BITS 4 to 8");
  end
`endif

  localparam logic [2:0] None      = 3'd0;
  localparam logic [2:0] Activate  = 3'd1;
  localparam logic [2:0] Precharge = 3'd2;
  localparam logic [2:0] Read      = 3'd3;
  localparam logic [2:0] Write     = 3'd4;

  // Entries of the queue, the oldest first. Unused entries are 0.
  logic [COUNT_BITS-1:0]              count_d, count_q;  // number of requests in the queue
  logic [QUEUE*QUEUE_WRITE_BITS-1:0]  queue_write_d, queue_write_q;  // request is a write
  logic [QUEUE*QUEUE_BANK_BITS-1:0]   queue_bank_d, queue_bank_q;  // bank of the request
  logic [QUEUE*QUEUE_ROW_BITS-1:0]    queue_row_d, queue_row_q;  // row of the request
  logic [QUEUE*QUEUE_BURSTS_BITS-1:0] queue_bursts_d, queue_bursts_q;  // column accesses of the request
  logic [QUEUE*QUEUE_TAG_BITS-1:0]    queue_tag_d, queue_tag_q;  // tag of the request
  // State of each bank.
  logic [BANKS-1:0]                   busy_d, busy_q, write_d, write_q, hit_d, hit_q, open_d, open_q;
      // bank has a request (busy), which writes (write) and whose row was open (hit); a row is open (open)
  logic [BANKS*BANK_ROW_BITS-1:0]     bank_row_d, bank_row_q;  // row of the bank's request
  logic [BANKS*BANK_OPEN_BITS-1:0]    bank_open_d, bank_open_q;  // open row
  logic [BANKS*BANK_BURSTS_BITS-1:0]  bank_bursts_d, bank_bursts_q;  // column accesses that the request still needs
  logic [BANKS*BANK_TAG_BITS-1:0]     bank_tag_d, bank_tag_q;  // tag of the request
  logic [BANKS*BANK_ACT_BITS-1:0]     bank_act_d, bank_act_q;  // cycles until the bank may be activated
  logic [BANKS*BANK_PRE_BITS-1:0]     bank_pre_d, bank_pre_q;  // cycles until the bank may be precharged
  logic [BANKS*BANK_COL_BITS-1:0]     bank_col_d, bank_col_q;  // cycles until the bank may be read or written
  // State of the channel.
  logic [TIMER_BITS-1:0]              any_act_d, any_act_q, any_rd_d, any_rd_q, any_wr_d, any_wr_q;
      // cycles until any bank may be activated (act), read (rd), written (wr)
  logic [BANK_BITS-1:0]               turn_d, turn_q, first_d, first_q;  // bank that is first to get a request (turn),
                                                                         // and to give a command (first)

  // --- the offered request enters the queue ---
  logic                               joins;
  logic [COUNT_BITS-1:0]              count;
  logic [QUEUE*QUEUE_WRITE_BITS-1:0]  queue_write;
  logic [QUEUE*QUEUE_BANK_BITS-1:0]   queue_bank;
  logic [QUEUE*QUEUE_ROW_BITS-1:0]    queue_row;
  logic [QUEUE*QUEUE_BURSTS_BITS-1:0] queue_bursts;
  logic [QUEUE*QUEUE_TAG_BITS-1:0]    queue_tag;
  assign ready_o = 32'(count_q) < QUEUE;
  assign joins   = valid_i && ready_o;
  assign count   = count_q + COUNT_BITS'(joins);
  always_comb begin
    queue_write  = queue_write_q;
    queue_bank   = queue_bank_q;
    queue_row    = queue_row_q;
    queue_bursts = queue_bursts_q;
    queue_tag    = queue_tag_q;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (joins && 32'(count_q) == n) begin
        queue_write[n]                                        = write_i;
        queue_bank[n*QUEUE_BANK_BITS +: QUEUE_BANK_BITS]       = bank_i;
        queue_row[n*QUEUE_ROW_BITS +: QUEUE_ROW_BITS]          = row_i;
        queue_bursts[n*QUEUE_BURSTS_BITS +: QUEUE_BURSTS_BITS] = bursts_i;
        queue_tag[n*QUEUE_TAG_BITS +: QUEUE_TAG_BITS]          = tag_i;
      end
    end
  end

  // --- one request goes to its bank ---
  logic [BANKS-1:0]            wanted, hits;  // free banks with a queued request; those with one to their open row
  logic [BANKS*INDEX_BITS-1:0] oldest;        // index of the request that each of them would take
  logic                        found;
  logic [INDEX_BITS-1:0]       taken;
  logic                        to_open;        // the bank's open row is the row of the request
  logic [BANK_BITS-1:0]        to_bank, at;
  logic [QUEUE-1:0]            may, opens;     // requests whose bank is free; requests whose row is open
  logic [QUEUE-1:0]            mine, its;      // requests to bank b; the preferred ones
  always_comb begin
    may   = '0;
    opens = '0;
    at    = '0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      at       = queue_bank[n*QUEUE_BANK_BITS +: QUEUE_BANK_BITS];
      may[n]   = n < 32'(count) && !busy_q[at] && (POLICY == 1 || n == 0);
      opens[n] = open_q[at] && bank_open_q[at*BANK_OPEN_BITS +: BANK_OPEN_BITS]
                            == queue_row[n*QUEUE_ROW_BITS +: QUEUE_ROW_BITS];
    end
  end
  always_comb begin
    wanted = '0;
    hits   = '0;
    oldest = '0;
    mine   = '0;
    its    = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      for (int unsigned n = 0; n < QUEUE; n++) begin
        mine[n] = may[n] && 32'(queue_bank[n*QUEUE_BANK_BITS +: QUEUE_BANK_BITS]) == b;
      end
      wanted[b] = mine != '0;
      hits[b]   = (mine & opens) != '0;
      its       = hits[b] ? mine & opens : mine;
      its = its & (~its + QUEUE'(1));  // oldest of them
      for (int unsigned n = 0; n < QUEUE; n++) begin
        if (its[n]) oldest[b*INDEX_BITS +: INDEX_BITS] = oldest[b*INDEX_BITS +: INDEX_BITS] | INDEX_BITS'(n);
      end
    end
  end
  always_comb begin
    found   = 1'b0;
    taken   = '0;
    to_bank = '0;
    to_open = 1'b0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (wanted[b] && !found && 32'(turn_q) <= b) begin
        found   = 1'b1;
        to_bank = BANK_BITS'(b);
      end
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (wanted[b] && !found) begin
        found   = 1'b1;
        to_bank = BANK_BITS'(b);
      end
    end
    if (found) begin
      taken   = oldest[to_bank*INDEX_BITS +: INDEX_BITS];
      to_open = hits[to_bank];
    end
  end
  assign turn_d = !(found && POLICY == 1) ? turn_q
                : 32'(to_bank) == BANKS - 1 ? '0 : to_bank + BANK_BITS'(1);

  // --- the banks with that request ---
  logic [BANKS-1:0]                  busy, write, hit;
  logic [BANKS*BANK_ROW_BITS-1:0]    bank_row;
  logic [BANKS*BANK_BURSTS_BITS-1:0] bank_bursts;
  logic [BANKS*BANK_TAG_BITS-1:0]    bank_tag;
  always_comb begin
    busy        = busy_q;
    write       = write_q;
    hit         = hit_q;
    bank_row    = bank_row_q;
    bank_bursts = bank_bursts_q;
    bank_tag    = bank_tag_q;
    if (found) begin
      busy[to_bank]                                            = 1'b1;
      write[to_bank]                                           = queue_write[taken];
      hit[to_bank]                                             = to_open;
      bank_row[to_bank*BANK_ROW_BITS +: BANK_ROW_BITS]          = queue_row[taken*QUEUE_ROW_BITS +: QUEUE_ROW_BITS];
      bank_bursts[to_bank*BANK_BURSTS_BITS +: BANK_BURSTS_BITS] =
          queue_bursts[taken*QUEUE_BURSTS_BITS +: QUEUE_BURSTS_BITS];
      bank_tag[to_bank*BANK_TAG_BITS +: BANK_TAG_BITS]          = queue_tag[taken*QUEUE_TAG_BITS +: QUEUE_TAG_BITS];
    end
  end

  // --- the queue without that request ---
  assign count_d = count - COUNT_BITS'(found);
  always_comb begin
    queue_write_d  = queue_write;
    queue_bank_d   = queue_bank;
    queue_row_d    = queue_row;
    queue_bursts_d = queue_bursts;
    queue_tag_d    = queue_tag;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (found && n >= 32'(taken)) begin
        queue_write_d[n]                                        = 1'b0;
        queue_bank_d[n*QUEUE_BANK_BITS +: QUEUE_BANK_BITS]       = '0;
        queue_row_d[n*QUEUE_ROW_BITS +: QUEUE_ROW_BITS]          = '0;
        queue_bursts_d[n*QUEUE_BURSTS_BITS +: QUEUE_BURSTS_BITS] = '0;
        queue_tag_d[n*QUEUE_TAG_BITS +: QUEUE_TAG_BITS]          = '0;
        if (n + 1 < QUEUE) begin
          queue_write_d[n]                                        = queue_write[(n+1)%QUEUE];
          queue_bank_d[n*QUEUE_BANK_BITS +: QUEUE_BANK_BITS]       =
              queue_bank[(n+1)%QUEUE*QUEUE_BANK_BITS +: QUEUE_BANK_BITS];
          queue_row_d[n*QUEUE_ROW_BITS +: QUEUE_ROW_BITS]          =
              queue_row[(n+1)%QUEUE*QUEUE_ROW_BITS +: QUEUE_ROW_BITS];
          queue_bursts_d[n*QUEUE_BURSTS_BITS +: QUEUE_BURSTS_BITS] =
              queue_bursts[(n+1)%QUEUE*QUEUE_BURSTS_BITS +: QUEUE_BURSTS_BITS];
          queue_tag_d[n*QUEUE_TAG_BITS +: QUEUE_TAG_BITS]          =
              queue_tag[(n+1)%QUEUE*QUEUE_TAG_BITS +: QUEUE_TAG_BITS];
        end
      end
    end
  end

  // --- the command ---
  logic [BANKS-1:0] can, same;  // banks that may give their next command; banks whose open row is that of their request
  always_comb begin
    can  = '0;
    same = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      same[b] = open_q[b] && bank_open_q[b*BANK_OPEN_BITS +: BANK_OPEN_BITS] == bank_row[b*BANK_ROW_BITS +: BANK_ROW_BITS];
      if (!open_q[b]) can[b] = bank_act_q[b*BANK_ACT_BITS +: BANK_ACT_BITS] == '0 && any_act_q == '0;
      else if (!same[b]) can[b] = bank_pre_q[b*BANK_PRE_BITS +: BANK_PRE_BITS] == '0;
      else can[b] = bank_col_q[b*BANK_COL_BITS +: BANK_COL_BITS] == '0 && (write[b] ? any_wr_q : any_rd_q) == '0;
      can[b] = can[b] && busy[b];
    end
  end
  logic gives;
  always_comb begin
    gives  = 1'b0;
    bank_o = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (can[b] && !gives && 32'(first_q) <= b) begin
        gives  = 1'b1;
        bank_o = BANK_BITS'(b);
      end
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (can[b] && !gives) begin
        gives  = 1'b1;
        bank_o = BANK_BITS'(b);
      end
    end
  end
  assign command_o = !gives ? None : !open_q[bank_o] ? Activate : !same[bank_o] ? Precharge
                   : write[bank_o] ? Write : Read;
  assign done_o    = (command_o == Read || command_o == Write)
                  && bank_bursts[bank_o*BANK_BURSTS_BITS +: BANK_BURSTS_BITS] == BURST_BITS'(1);
  assign tag_o     = done_o ? bank_tag[bank_o*BANK_TAG_BITS +: BANK_TAG_BITS] : '0;
  assign hit_o     = done_o && hit[bank_o];
  assign first_d   = command_o != Activate && command_o != Precharge ? first_q
                   : 32'(bank_o) == BANKS - 1 ? '0 : bank_o + BANK_BITS'(1);

  // --- effect of the command on the banks ---
  always_comb begin
    busy_d        = busy;
    write_d       = write;
    hit_d         = hit;
    open_d        = open_q;
    bank_row_d    = bank_row;
    bank_open_d   = bank_open_q;
    bank_bursts_d = bank_bursts;
    bank_tag_d    = bank_tag;
    if (command_o == Activate) begin
      open_d[bank_o]                                        = 1'b1;
      bank_open_d[bank_o*BANK_OPEN_BITS +: BANK_OPEN_BITS]  = bank_row[bank_o*BANK_ROW_BITS +: BANK_ROW_BITS];
    end else if (command_o == Precharge) begin
      open_d[bank_o]                                        = 1'b0;
      bank_open_d[bank_o*BANK_OPEN_BITS +: BANK_OPEN_BITS]  = '0;
    end else if (gives) begin
      bank_bursts_d[bank_o*BANK_BURSTS_BITS +: BANK_BURSTS_BITS] =
          bank_bursts[bank_o*BANK_BURSTS_BITS +: BANK_BURSTS_BITS] - BURST_BITS'(1);
      if (done_o) begin
        busy_d[bank_o]                                   = 1'b0;
        write_d[bank_o]                                  = 1'b0;
        hit_d[bank_o]                                    = 1'b0;
        bank_row_d[bank_o*BANK_ROW_BITS +: BANK_ROW_BITS] = '0;
        bank_tag_d[bank_o*BANK_TAG_BITS +: BANK_TAG_BITS] = '0;
      end
    end
  end

  // --- timers: distances count from the end of this cycle ---
  logic [TIMER_BITS-1:0] to_read, to_write, to_precharge, turn_around;
  assign to_read      = TIMER_BITS'(wl_i) + TIMER_BITS'(burst_i) + TIMER_BITS'(cdlr_i);
  assign turn_around  = TIMER_BITS'(cl_i) + TIMER_BITS'(burst_i) + TIMER_BITS'(2);
  assign to_write     = turn_around > TIMER_BITS'(wl_i) + TIMER_BITS'(ccd_i) ? turn_around - TIMER_BITS'(wl_i)
                      : TIMER_BITS'(ccd_i);
  assign to_precharge = command_o == Write ? TIMER_BITS'(wl_i) + TIMER_BITS'(burst_i) + TIMER_BITS'(wr_i)
                      : TIMER_BITS'(burst_i);
  always_comb begin
    bank_act_d = bank_act_q;
    bank_pre_d = bank_pre_q;
    bank_col_d = bank_col_q;
    any_act_d  = any_act_q;
    any_rd_d   = any_rd_q;
    any_wr_d   = any_wr_q;
    case (command_o)
      Activate: begin
        any_act_d                                         = TIMER_BITS'(rrd_i);
        bank_col_d[bank_o*BANK_COL_BITS +: BANK_COL_BITS] = TIMER_BITS'(rcd_i);
        bank_pre_d[bank_o*BANK_PRE_BITS +: BANK_PRE_BITS] = TIMER_BITS'(ras_i);
        bank_act_d[bank_o*BANK_ACT_BITS +: BANK_ACT_BITS] = TIMER_BITS'(rc_i);
      end
      Precharge: begin
        if (bank_act_q[bank_o*BANK_ACT_BITS +: BANK_ACT_BITS] < TIMER_BITS'(rp_i)) begin
          bank_act_d[bank_o*BANK_ACT_BITS +: BANK_ACT_BITS] = TIMER_BITS'(rp_i);
        end
      end
      Read: begin
        any_rd_d = TIMER_BITS'(ccd_i);
        if (any_wr_q < to_write) any_wr_d = to_write;
      end
      Write: begin
        any_wr_d = TIMER_BITS'(ccd_i);
        if (any_rd_q < to_read) any_rd_d = to_read;
      end
      default: ;
    endcase
    if ((command_o == Read || command_o == Write) &&
        bank_pre_q[bank_o*BANK_PRE_BITS +: BANK_PRE_BITS] < to_precharge) begin
      bank_pre_d[bank_o*BANK_PRE_BITS +: BANK_PRE_BITS] = to_precharge;
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (bank_act_d[b*BANK_ACT_BITS +: BANK_ACT_BITS] != '0) begin
        bank_act_d[b*BANK_ACT_BITS +: BANK_ACT_BITS] = bank_act_d[b*BANK_ACT_BITS +: BANK_ACT_BITS] - TIMER_BITS'(1);
      end
      if (bank_pre_d[b*BANK_PRE_BITS +: BANK_PRE_BITS] != '0) begin
        bank_pre_d[b*BANK_PRE_BITS +: BANK_PRE_BITS] = bank_pre_d[b*BANK_PRE_BITS +: BANK_PRE_BITS] - TIMER_BITS'(1);
      end
      if (bank_col_d[b*BANK_COL_BITS +: BANK_COL_BITS] != '0) begin
        bank_col_d[b*BANK_COL_BITS +: BANK_COL_BITS] = bank_col_d[b*BANK_COL_BITS +: BANK_COL_BITS] - TIMER_BITS'(1);
      end
    end
    if (any_act_d != '0) any_act_d = any_act_d - TIMER_BITS'(1);
    if (any_rd_d != '0) any_rd_d = any_rd_d - TIMER_BITS'(1);
    if (any_wr_d != '0) any_wr_d = any_wr_d - TIMER_BITS'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q        <= '0;
      queue_write_q  <= '0;
      queue_bank_q   <= '0;
      queue_row_q    <= '0;
      queue_bursts_q <= '0;
      queue_tag_q    <= '0;
      busy_q         <= '0;
      write_q        <= '0;
      hit_q          <= '0;
      open_q         <= '0;
      bank_row_q     <= '0;
      bank_open_q    <= '0;
      bank_bursts_q  <= '0;
      bank_tag_q     <= '0;
      bank_act_q     <= '0;
      bank_pre_q     <= '0;
      bank_col_q     <= '0;
      any_act_q      <= '0;
      any_rd_q       <= '0;
      any_wr_q       <= '0;
      turn_q         <= '0;
      first_q        <= '0;
    end else begin
      count_q        <= count_d;
      queue_write_q  <= queue_write_d;
      queue_bank_q   <= queue_bank_d;
      queue_row_q    <= queue_row_d;
      queue_bursts_q <= queue_bursts_d;
      queue_tag_q    <= queue_tag_d;
      busy_q         <= busy_d;
      write_q        <= write_d;
      hit_q          <= hit_d;
      open_q         <= open_d;
      bank_row_q     <= bank_row_d;
      bank_open_q    <= bank_open_d;
      bank_bursts_q  <= bank_bursts_d;
      bank_tag_q     <= bank_tag_d;
      bank_act_q     <= bank_act_d;
      bank_pre_q     <= bank_pre_d;
      bank_col_q     <= bank_col_d;
      any_act_q      <= any_act_d;
      any_rd_q       <= any_rd_d;
      any_wr_q       <= any_wr_d;
      turn_q         <= turn_d;
      first_q        <= first_d;
    end
  end
endmodule
