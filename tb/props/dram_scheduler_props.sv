// Properties of dram_scheduler (rtl/dram_scheduler.sv; gpu-like.md §5), for any distances between commands.
// scripts/formal puts an instance into the module.
//
// Progress: while a request is queued or in a bank, a command is given within three longest distances. With fcfs no
// request overtakes another. With frfcfs, a request for a closed row may wait for ever behind requests for the open
// row: this belongs to the policy.
// Sizes: BANKS=2 QUEUE=2 POLICY=1 TAG_BITS=2 ROW_BITS=1 BURST_BITS=1 TIMER_BITS=4;BANKS=1 QUEUE=1 POLICY=0 TAG_BITS=1 ROW_BITS=1 BURST_BITS=2 TIMER_BITS=4;BANKS=2 QUEUE=3 POLICY=0 TAG_BITS=2 ROW_BITS=1 BURST_BITS=2 TIMER_BITS=4;BANKS=4 QUEUE=3 POLICY=1 TAG_BITS=2 ROW_BITS=1 BURST_BITS=1 TIMER_BITS=4
module dram_scheduler_props #(
    parameter  int unsigned BANKS         = 8,
    parameter  int unsigned QUEUE         = 16,
    parameter  int unsigned POLICY        = 1,
    parameter  int unsigned TAG_BITS      = 8,
    parameter  int unsigned ROW_BITS      = 24,
    parameter  int unsigned BURST_BITS    = 6,
    parameter  int unsigned TIMER_BITS    = 8,
    localparam int unsigned DISTANCE_BITS = TIMER_BITS - 1,
    localparam int unsigned BANK_BITS     = BANKS > 1 ? $clog2(BANKS) : 1,
    localparam int unsigned COUNT_BITS    = $clog2(QUEUE + 1),
    localparam int unsigned INDEX_BITS    = QUEUE > 1 ? $clog2(QUEUE) : 1,
    localparam int unsigned LONGEST       = 1 << (TIMER_BITS - 2)
) (
    input logic                        clk_i,
    input logic                        rst_ni,
    input logic [DISTANCE_BITS-1:0]    rcd_i,
    input logic [DISTANCE_BITS-1:0]    rp_i,
    input logic [DISTANCE_BITS-1:0]    cl_i,
    input logic [DISTANCE_BITS-1:0]    ras_i,
    input logic [DISTANCE_BITS-1:0]    rrd_i,
    input logic [DISTANCE_BITS-1:0]    rc_i,
    input logic [DISTANCE_BITS-1:0]    ccd_i,
    input logic [DISTANCE_BITS-1:0]    wl_i,
    input logic [DISTANCE_BITS-1:0]    cdlr_i,
    input logic [DISTANCE_BITS-1:0]    wr_i,
    input logic [DISTANCE_BITS-1:0]    burst_i,
    input logic                        valid_i,
    input logic                        write_i,
    input logic [BANK_BITS-1:0]        bank_i,
    input logic [ROW_BITS-1:0]         row_i,
    input logic [BURST_BITS-1:0]       bursts_i,
    input logic [TAG_BITS-1:0]         tag_i,
    input logic                        ready_o,
    input logic [2:0]                  command_o,
    input logic [BANK_BITS-1:0]        bank_o,
    input logic                        done_o,
    input logic [TAG_BITS-1:0]         tag_o,
    input logic                        hit_o,
    input logic                        found,
    input logic [BANK_BITS-1:0]        to_bank,
    input logic [INDEX_BITS-1:0]       taken,
    input logic [BANKS-1:0]            wanted,
    input logic [COUNT_BITS-1:0]       count_q,
    input logic [QUEUE-1:0]            queue_write_q,
    input logic [QUEUE*BANK_BITS-1:0]  queue_bank_q,
    input logic [QUEUE*ROW_BITS-1:0]   queue_row_q,
    input logic [QUEUE*BURST_BITS-1:0] queue_bursts_q,
    input logic [QUEUE*TAG_BITS-1:0]   queue_tag_q,
    input logic [BANKS-1:0]            busy_q,
    input logic [BANKS-1:0]            write_q,
    input logic [BANKS-1:0]            hit_q,
    input logic [BANKS-1:0]            open_q,
    input logic [BANKS*ROW_BITS-1:0]   bank_row_q,
    input logic [BANKS*ROW_BITS-1:0]   bank_open_q,
    input logic [BANKS*BURST_BITS-1:0] bank_bursts_q,
    input logic [BANKS*TAG_BITS-1:0]   bank_tag_q,
    input logic [BANKS*TIMER_BITS-1:0] bank_act_q,
    input logic [BANKS*TIMER_BITS-1:0] bank_pre_q,
    input logic [BANKS*TIMER_BITS-1:0] bank_col_q,
    input logic [TIMER_BITS-1:0]       any_act_q,
    input logic [TIMER_BITS-1:0]       any_rd_q,
    input logic [TIMER_BITS-1:0]       any_wr_q,
    input logic [BANK_BITS-1:0]        turn_q,
    input logic [BANK_BITS-1:0]        first_q
);
  localparam int unsigned AGE_BITS = TIMER_BITS + 1;

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any bank, and any request, identified by its tag, which is unique at any time: a property of them holds
  // for all.
  (* anyconst *) logic [4:0]          any;
  (* anyconst *) logic [TAG_BITS-1:0] watched;

  // Commands to any bank, and to the bank.
  logic activate, precharge, read, write, mine, joins;
  assign activate  = command_o == 3'd1;
  assign precharge = command_o == 3'd2;
  assign read      = command_o == 3'd3;
  assign write     = command_o == 3'd4;
  assign mine      = 5'(bank_o) == any && command_o != 3'd0;
  assign joins     = valid_i && ready_o;

  // Cycles since each event, saturated at the largest distinguishable number.
  logic [AGE_BITS-1:0] all_act_q, all_rd_q, all_wr_q, act_q, pre_q, rd_q, wr_q, all_act, all_rd, all_wr, act, pre, rd, wr;
  assign all_act = all_act_q == '1 ? all_act_q : all_act_q + AGE_BITS'(1);
  assign all_rd  = all_rd_q == '1 ? all_rd_q : all_rd_q + AGE_BITS'(1);
  assign all_wr  = all_wr_q == '1 ? all_wr_q : all_wr_q + AGE_BITS'(1);
  assign act     = act_q == '1 ? act_q : act_q + AGE_BITS'(1);
  assign pre     = pre_q == '1 ? pre_q : pre_q + AGE_BITS'(1);
  assign rd      = rd_q == '1 ? rd_q : rd_q + AGE_BITS'(1);
  assign wr      = wr_q == '1 ? wr_q : wr_q + AGE_BITS'(1);

  // The open row of the bank, by its commands; the watched request, as offered; number of cycles without an
  // event.
  logic                                is_open_q, on_q, watched_write_q;
  logic [ROW_BITS-1:0]                 watched_row_q;
  logic [BANK_BITS-1:0]                watched_bank_q;
  logic [BURST_BITS-1:0]               watched_bursts_q;
  logic [AGE_BITS-1:0]                 quiet_q;
  logic [11*DISTANCE_BITS-1:0]         distances, distances_q;
  logic                                is_watched, offered;
  assign distances  = {rcd_i, rp_i, cl_i, ras_i, rrd_i, rc_i, ccd_i, wl_i, cdlr_i, wr_i, burst_i};
  assign offered    = joins && tag_i == watched;
  assign is_watched = done_o && tag_o == watched;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      all_act_q       <= '1;
      all_rd_q        <= '1;
      all_wr_q        <= '1;
      act_q           <= '1;
      pre_q           <= '1;
      rd_q            <= '1;
      wr_q            <= '1;
      is_open_q       <= 1'b0;
      on_q            <= 1'b0;
      watched_write_q <= 1'b0;
      watched_row_q   <= '0;
      watched_bank_q  <= '0;
      watched_bursts_q <= '0;
      quiet_q         <= '0;
    end else begin
      all_act_q <= activate ? '0 : all_act;
      all_rd_q  <= read ? '0 : all_rd;
      all_wr_q  <= write ? '0 : all_wr;
      act_q     <= activate && mine ? '0 : act;
      pre_q     <= precharge && mine ? '0 : pre;
      rd_q      <= read && mine ? '0 : rd;
      wr_q      <= write && mine ? '0 : wr;
      if (mine && (activate || precharge)) is_open_q <= activate;
      on_q      <= (on_q || offered) && !is_watched;
      if (offered) begin
        watched_write_q <= write_i;
        watched_row_q   <= row_i;
        watched_bank_q  <= bank_i;
        watched_bursts_q <= bursts_i;
      end
      quiet_q <= command_o != 3'd0 || (busy_q == '0 && count_q == '0) ? '0 : quiet_q == '1 ? quiet_q : quiet_q + AGE_BITS'(1);
    end
  end
  always_ff @(posedge clk_i) distances_q <= distances;

  // Number of places that hold the watched request, in the queue and in banks: exactly one while it is
  // active.
  logic [7:0]  places;
  logic        right;  // the request is unchanged in its place
  always_comb begin
    places = '0;
    right  = 1'b1;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (n < 32'(count_q) && queue_tag_q[n*TAG_BITS +: TAG_BITS] == watched) begin
        places = places + 8'd1;
        if (queue_bank_q[n*BANK_BITS +: BANK_BITS] != watched_bank_q || queue_write_q[n] != watched_write_q
            || queue_row_q[n*ROW_BITS +: ROW_BITS] != watched_row_q
            || queue_bursts_q[n*BURST_BITS +: BURST_BITS] != watched_bursts_q) right = 1'b0;
      end
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (busy_q[b] && bank_tag_q[b*TAG_BITS +: TAG_BITS] == watched) begin
        places = places + 8'd1;
        if (b != 32'(watched_bank_q) || write_q[b] != watched_write_q
            || bank_row_q[b*ROW_BITS +: ROW_BITS] != watched_row_q) right = 1'b0;
      end
    end
  end

  // Every request has a column access left and an existing bank.
  logic lawful;
  always_comb begin
    lawful = 1'b1;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (n < 32'(count_q) && (queue_bursts_q[n*BURST_BITS +: BURST_BITS] == '0
                               || 32'(queue_bank_q[n*BANK_BITS +: BANK_BITS]) >= BANKS)) lawful = 1'b0;
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (busy_q[b] && bank_bursts_q[b*BURST_BITS +: BURST_BITS] == '0) lawful = 1'b0;
    end
  end

  logic [TIMER_BITS-1:0] bank_act, bank_pre, bank_col;
  assign bank_act = bank_act_q[any*TIMER_BITS +: TIMER_BITS];
  assign bank_pre = bank_pre_q[any*TIMER_BITS +: TIMER_BITS];
  assign bank_col = bank_col_q[any*TIMER_BITS +: TIMER_BITS];

  localparam int unsigned W = AGE_BITS + 2;
  logic [W-1:0] write_read, read_write, write_pre, most;
  assign write_read = W'(wl_i) + W'(burst_i) + W'(cdlr_i);
  assign write_pre  = W'(wl_i) + W'(burst_i) + W'(wr_i);
  assign read_write = W'(cl_i) + W'(burst_i) + W'(2);
  assign most       = W'(3 * LONGEST);  // largest sum of distances, in cycles

  // Remaining cycles of a distance; the larger of two.
  function automatic logic [W-1:0] left(input logic [W-1:0] distance, input logic [W-1:0] since);
    left = distance > since ? distance - since : '0;
  endfunction
  function automatic logic [W-1:0] later(input logic [W-1:0] one, input logic [W-1:0] other);
    later = one > other ? one : other;
  endfunction

  // For no timer do the remaining cycles and the quiet cycles exceed `most`.
  logic calm;
  always_comb begin
    calm = (any_act_q == '0 || W'(any_act_q) + W'(quiet_q) <= most) && (any_rd_q == '0 || W'(any_rd_q) + W'(quiet_q) <= most)
        && (any_wr_q == '0 || W'(any_wr_q) + W'(quiet_q) <= most);
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (bank_act_q[b*TIMER_BITS +: TIMER_BITS] != '0 && W'(bank_act_q[b*TIMER_BITS +: TIMER_BITS]) + W'(quiet_q) > most) calm = 1'b0;
      if (bank_pre_q[b*TIMER_BITS +: TIMER_BITS] != '0 && W'(bank_pre_q[b*TIMER_BITS +: TIMER_BITS]) + W'(quiet_q) > most) calm = 1'b0;
      if (bank_col_q[b*TIMER_BITS +: TIMER_BITS] != '0 && W'(bank_col_q[b*TIMER_BITS +: TIMER_BITS]) + W'(quiet_q) > most) calm = 1'b0;
    end
  end

  // Number of cycles in which the bank has wanted a request of the queue; number of banks whose turn comes
  // first.
  logic       gets;
  logic [5:0] wanting_q, ahead;
  assign gets  = found && 5'(to_bank) == any;
  assign ahead = any >= 5'(turn_q) ? 6'(any) - 6'(turn_q) : 6'(any) + 6'(BANKS) - 6'(turn_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wanting_q <= '0;
    else wanting_q <= wanted[any] && !gets ? wanting_q + 6'd1 : '0;
  end

  // The queue with the joining request: for each place, whether it is occupied, may go to its bank, and has
  // its row open there.
  logic [QUEUE-1:0]            there, may, opens, at_any;
  logic [QUEUE*BANK_BITS-1:0]  bank_of;
  logic [QUEUE*ROW_BITS-1:0]   row_of;
  logic [QUEUE*BURST_BITS-1:0] bursts_of;
  logic [QUEUE*TAG_BITS-1:0]   tag_of;
  logic [QUEUE-1:0]            write_of;
  always_comb begin
    for (int unsigned n = 0; n < QUEUE; n++) begin
      there[n]                               = n < 32'(count_q) || (joins && n == 32'(count_q));
      write_of[n]                            = n < 32'(count_q) ? queue_write_q[n] : write_i;
      bank_of[n*BANK_BITS +: BANK_BITS]      = n < 32'(count_q) ? queue_bank_q[n*BANK_BITS +: BANK_BITS] : bank_i;
      row_of[n*ROW_BITS +: ROW_BITS]         = n < 32'(count_q) ? queue_row_q[n*ROW_BITS +: ROW_BITS] : row_i;
      bursts_of[n*BURST_BITS +: BURST_BITS]  = n < 32'(count_q) ? queue_bursts_q[n*BURST_BITS +: BURST_BITS] : bursts_i;
      tag_of[n*TAG_BITS +: TAG_BITS]         = n < 32'(count_q) ? queue_tag_q[n*TAG_BITS +: TAG_BITS] : tag_i;
      may[n]    = there[n] && !busy_q[bank_of[n*BANK_BITS +: BANK_BITS]] && (POLICY == 1 || n == 0);
      at_any[n] = may[n] && 5'(bank_of[n*BANK_BITS +: BANK_BITS]) == any;
      opens[n]  = open_q[any] && bank_open_q[any*ROW_BITS +: ROW_BITS] == row_of[n*ROW_BITS +: ROW_BITS];
    end
  end

  // The request that the bank gets in its turn: the oldest to its open row, else the oldest; and its fields.
  logic [QUEUE-1:0]      goes;
  logic                  its_write, taken_right, place_right;
  logic [ROW_BITS-1:0]   its_row;
  logic [BURST_BITS-1:0] its_bursts;
  logic [TAG_BITS-1:0]   its_tag;
  always_comb begin
    goes        = (at_any & opens) != '0 ? at_any & opens : at_any;
    goes        = goes & (~goes + QUEUE'(1));
    its_write   = 1'b0;
    its_row     = '0;
    its_bursts  = '0;
    its_tag     = '0;
    taken_right = 1'b0;
    place_right = 1'b0;
    for (int unsigned n = 0; n < QUEUE; n++) begin
      if (goes[n]) begin
        its_write   = write_of[n];
        its_row     = row_of[n*ROW_BITS +: ROW_BITS];
        its_bursts  = bursts_of[n*BURST_BITS +: BURST_BITS];
        its_tag     = tag_of[n*TAG_BITS +: TAG_BITS];
        taken_right = 32'(taken) == n;
      end
      if (32'(place_q) == n && queue_tag_q[n*TAG_BITS +: TAG_BITS] == watched && n < 32'(count_q)) place_right = 1'b1;
    end
  end

  // Reference state of the bank: its request, what is left of it, its open row; and the turn.
  logic                  has, has_q, its_write_q, its_hit_q, has_write, has_hit, in_queue_q;
  logic [ROW_BITS-1:0]   its_row_q, open_row_q, has_row;
  logic [BURST_BITS-1:0] its_bursts_q, has_bursts;
  logic [TAG_BITS-1:0]   its_tag_q, has_tag;
  logic [BANK_BITS-1:0]  after_q, first_is_q;
  logic [COUNT_BITS-1:0] waiting_q, place_q, place;  // requests in the queue, and number of those before the
                                                     // watched one
  assign has        = has_q || gets;
  assign has_write  = gets ? its_write : its_write_q;
  assign has_hit    = gets ? (at_any & opens) != '0 : its_hit_q;
  assign has_row    = gets ? its_row : its_row_q;
  assign has_bursts = gets ? its_bursts : its_bursts_q;
  assign has_tag    = gets ? its_tag : its_tag_q;
  assign place      = in_queue_q ? place_q : waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_q        <= 1'b0;
      its_write_q  <= 1'b0;
      its_hit_q    <= 1'b0;
      its_row_q    <= '0;
      open_row_q   <= '0;
      its_bursts_q <= '0;
      its_tag_q    <= '0;
      after_q      <= '0;
      first_is_q   <= '0;
      waiting_q    <= '0;
      in_queue_q   <= 1'b0;
      place_q      <= '0;
    end else begin
      has_q        <= has && !(mine && done_o);
      its_write_q  <= has_write;
      its_hit_q    <= has_hit;
      its_row_q    <= has_row;
      its_bursts_q <= mine && (read || write) ? has_bursts - BURST_BITS'(1) : has_bursts;
      its_tag_q    <= has_tag;
      if (mine && activate) open_row_q <= has_row;
      if (found && POLICY == 1) after_q <= 32'(to_bank) == BANKS - 1 ? '0 : to_bank + BANK_BITS'(1);
      if (activate || precharge) first_is_q <= 32'(bank_o) == BANKS - 1 ? '0 : bank_o + BANK_BITS'(1);
      waiting_q    <= waiting_q + COUNT_BITS'(joins) - COUNT_BITS'(found);
      in_queue_q   <= (in_queue_q || offered) && !(found && 32'(taken) == 32'(place));
      place_q      <= place - COUNT_BITS'(found && 32'(taken) < 32'(place));
    end
  end

  // The command that the bank wants and the distances permit; number of banks before a bank.
  logic       may_command, turn_right, command_right;
  logic [2:0] next;
  assign next        = !is_open_q ? 3'd1 : open_row_q != has_row ? 3'd2 : has_write ? 3'd4 : 3'd3;
  assign may_command = has && (next == 3'd1 ? W'(act) >= W'(rc_i) && W'(pre) >= W'(rp_i) && W'(all_act) >= W'(rrd_i)
                             : next == 3'd2 ? W'(act) >= W'(ras_i) && W'(rd) >= W'(burst_i) && W'(wr) >= write_pre
                             : W'(act) >= W'(rcd_i)
                               && (next == 3'd3 ? W'(all_rd) >= W'(ccd_i) && W'(all_wr) >= write_read
                                                : W'(all_wr) >= W'(ccd_i) && W'(all_rd) >= W'(ccd_i) && W'(all_rd) + W'(wl_i) >= read_write));
  function automatic logic [5:0] turns(input logic [4:0] bank, input logic [4:0] from);
    turns = bank >= from ? 6'(bank) - 6'(from) : 6'(bank) + 6'(BANKS) - 6'(from);
  endfunction
  assign turn_right    = turns(5'(to_bank), 5'(after_q)) <= turns(any, 5'(after_q));
  assign command_right = turns(5'(bank_o), 5'(first_is_q)) <= turns(any, 5'(first_is_q));

  logic in_range;  // the inputs that are distances in time (cycles) are in range
  always_comb begin
    in_range = rcd_i != '0 && rp_i != '0 && cl_i != '0 && ras_i != '0 && rrd_i != '0 && rc_i != '0 && ccd_i != '0
            && burst_i != '0;
    for (int unsigned n = 0; n < 11; n++) begin
      if (32'(distances[n*DISTANCE_BITS +: DISTANCE_BITS]) > LONGEST) in_range = 1'b0;
    end
  end

  always_comb begin
    assume (32'(any) < BANKS);
    assume (in_range && (!started || distances == distances_q));
    assume (!valid_i || (bursts_i != '0 && 32'(bank_i) < BANKS));
    assume (!(offered && on_q));
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    served_once:         assert (!is_watched || on_q || offered);
    served_once_reached: cover (is_watched && on_q);

    never_lost:         assert (places == 8'(on_q));
    never_lost_reached: cover (on_q);

    served_as_offered: assert (!is_watched || offered
                               || (bank_o == watched_bank_q && write == watched_write_q
                                   && bank_open_q[bank_o*ROW_BITS +: ROW_BITS] == watched_row_q));
    served_as_offered_reached: cover (is_watched && !offered && write);

    served_at_once_as_offered: assert (!(is_watched && offered)
                                       || (bank_o == bank_i && write == write_i
                                           && bank_open_q[bank_o*ROW_BITS +: ROW_BITS] == row_i));
    served_at_once_as_offered_reached: cover (offered && bank_o == bank_i && joins);

    done_is_a_column_access:         assert (!done_o || read || write);
    done_is_a_column_access_reached: cover (done_o);

    activates_what_is_closed: assert (!(activate && mine)
                                      || (!is_open_q && W'(act) >= W'(rc_i) && W'(pre) >= W'(rp_i)));
    activates_what_is_closed_reached: cover (activate && mine);

    activations_are_apart:         assert (!activate || W'(all_act) >= W'(rrd_i));
    activations_are_apart_reached: cover (activate && all_act_q != '1);

    precharges_when_it_may: assert (!(precharge && mine)
                                    || (is_open_q && W'(act) >= W'(ras_i) && W'(rd) >= W'(burst_i) && W'(wr) >= write_pre));
    precharges_when_it_may_reached: cover (precharge && mine);

    accesses_an_open_row:         assert (!((read || write) && mine) || (is_open_q && W'(act) >= W'(rcd_i)));
    accesses_an_open_row_reached: cover (read && mine);

    reads_are_apart:         assert (!read || (W'(all_rd) >= W'(ccd_i) && W'(all_wr) >= write_read));
    reads_are_apart_reached: cover (read);

    writes_are_apart:         assert (!write || (W'(all_wr) >= W'(ccd_i) && W'(all_rd) >= W'(ccd_i)
                                                 && W'(all_rd) + W'(wl_i) >= read_write));
    writes_are_apart_reached: cover (write);

    something_happens:         assert (W'(quiet_q) <= most);
    something_happens_reached: cover (quiet_q != '0);

    banks_take_turns:         assert (POLICY == 0 || 32'(wanting_q) < BANKS);
    banks_take_turns_reached: cover (found && gets);

    nothing_overtakes:         assert (POLICY == 1 || !found || taken == '0);
    nothing_overtakes_reached: cover (found);

    goes_to_its_bank_in_turn:         assert (at_any != '0 ? found && turn_right && (!gets || taken_right) : !gets);
    goes_to_its_bank_in_turn_reached: cover (gets && (POLICY == 0 || QUEUE == 1 || (goes != at_any && taken != '0)));

    commands_as_soon_as_they_may: assert (may_command ? command_o != 3'd0 && command_right && (!mine || command_o == next)
                                                      : !mine);
    commands_as_soon_as_they_may_reached: cover (may_command && mine && precharge);

    hits_are_said:         assert (!hit_o || done_o);
    hits_are_said_reached: cover (hit_o);

    says_what_is_done: assert ((command_o != 3'd0 || (bank_o == '0 && !done_o)) && (done_o || (tag_o == '0 && !hit_o))
                               && (!mine || (done_o == ((read || write) && has_bursts == BURST_BITS'(1))
                                             && (!done_o || (tag_o == has_tag && hit_o == has_hit)))));
    says_what_is_done_reached: cover (mine && done_o && hit_o && has_q);

    takes_a_request_while_there_is_room:         assert (ready_o == (32'(waiting_q) < QUEUE));
    takes_a_request_while_there_is_room_reached: cover (!ready_o);

    keeps_its_place:         assert (!in_queue_q || place_right);
    keeps_its_place_reached: cover (QUEUE == 1 || (in_queue_q && place_q != '0));

    lemma_lawful:         assert (lawful && 32'(count_q) <= QUEUE && 32'(turn_q) < BANKS && 32'(first_q) < BANKS);
    lemma_lawful_reached: cover (count_q != '0);
    lemma_right:          assert (!on_q || right);
    lemma_right_reached:  cover (on_q);
    lemma_bank:           assert (has_q == busy_q[any] && waiting_q == count_q && after_q == turn_q && first_is_q == first_q
                                  && (!has_q || (its_write_q == write_q[any] && its_hit_q == hit_q[any]
                                                 && its_row_q == bank_row_q[any*ROW_BITS +: ROW_BITS]
                                                 && its_bursts_q == bank_bursts_q[any*BURST_BITS +: BURST_BITS]
                                                 && its_tag_q == bank_tag_q[any*TAG_BITS +: TAG_BITS]))
                                  && (!is_open_q || open_row_q == bank_open_q[any*ROW_BITS +: ROW_BITS]));
    lemma_bank_reached:   cover (has_q && is_open_q);
    lemma_open:           assert (is_open_q == open_q[any] && (is_open_q || bank_pre == '0));
    lemma_open_reached:   cover (is_open_q);
    lemma_act:            assert (W'(bank_act) == later(left(W'(rc_i), W'(act)), left(W'(rp_i), W'(pre))) && W'(any_act_q) == left(W'(rrd_i), W'(all_act)));
    lemma_act_reached:    cover (bank_act != '0);
    lemma_col:            assert (W'(bank_col) == left(W'(rcd_i), W'(act)));
    lemma_col_reached:    cover (bank_col != '0);
    lemma_pre:            assert (W'(bank_pre) == later(left(W'(ras_i), W'(act)), later(left(W'(burst_i), W'(rd)), left(write_pre, W'(wr)))));
    lemma_pre_reached:    cover (bank_pre != '0);
    lemma_rd:             assert (W'(any_rd_q) == later(left(W'(ccd_i), W'(all_rd)), left(write_read, W'(all_wr))));
    lemma_rd_reached:     cover (any_rd_q != '0);
    lemma_wr:             assert (W'(any_wr_q) == later(left(W'(ccd_i), W'(all_wr)), later(left(W'(ccd_i), W'(all_rd)), left(read_write, W'(all_rd) + W'(wl_i)))));
    lemma_wr_reached:     cover (any_wr_q != '0);
    lemma_calm:           assert (calm);
    lemma_calm_reached:   cover (quiet_q != '0);
    lemma_turn:           assert (POLICY == 0 || 32'(wanting_q) + 32'(ahead) < BANKS);
    lemma_turn_reached:   cover (count_q != '0);
  end
endmodule
