// Properties of exclusive_monitor (rtl/exclusive_monitor.sv). scripts/formal puts an instance into the module.
// Sizes: THREADS=4;THREADS=1;THREADS=5
module exclusive_monitor_props #(
    parameter  int unsigned THREADS      = 64,
    localparam int unsigned THREAD_BITS  = THREADS > 1 ? $clog2(THREADS) : 1,
    localparam int unsigned GRANULE_BITS = 29,
    localparam int unsigned TICKET_BITS  = 32
) (
    input logic                            clk_i,
    input logic                            rst_ni,
    input logic                            reserve_i,
    input logic                            wait_i,
    input logic                            spend_i,
    input logic                            clear_i,
    input logic                            drop_i,
    input logic                            store_i,
    input logic                            own_i,
    input logic [THREAD_BITS-1:0]          thread_i,
    input logic [GRANULE_BITS-1:0]         first_i,
    input logic [GRANULE_BITS-1:0]         last_i,
    input logic [TICKET_BITS-1:0]          ticket_i,
    input logic                            older_i,
    input logic                            may_o,
    input logic                            older_o,
    input logic [THREADS-1:0]              holds_q,
    input logic [THREADS-1:0]              asks_q,
    input logic [THREADS*GRANULE_BITS-1:0] granule_q,
    input logic [THREADS*TICKET_BITS-1:0]  ticket_q
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  // Any two threads: a property of them holds for all.
  (* anyconst *) logic [5:0] t;
  (* anyconst *) logic [5:0] other;
  logic asks;
  assign asks = own_i && 32'(thread_i) == 32'(t);

  // Reference state: the reservation of thread t; since then, a store of another thread, or its release.
  // Whether t asks for that granule, and the ticket since which it does.
  logic                    reserved, struck, given_up, wants;
  logic [GRANULE_BITS-1:0] granule;
  logic [TICKET_BITS-1:0]  turn;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reserved <= 1'b0;
      struck   <= 1'b0;
      given_up <= 1'b0;
      granule  <= '0;
    end else begin
      if (!asks && store_i && first_i <= granule && granule <= last_i) struck <= 1'b1;
      if (asks && (spend_i || clear_i || wait_i)) given_up <= 1'b1;
      if (asks && (reserve_i || wait_i)) granule <= first_i;
      if (asks && reserve_i) begin
        reserved <= 1'b1;
        struck   <= 1'b0;
        given_up <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wants <= 1'b0;
      turn  <= '0;
    end else if (asks && (reserve_i || wait_i)) begin
      wants <= 1'b1;
      if (!wants || granule != first_i) turn <= ticket_i;
    end else if (asks && (may_o || clear_i || drop_i)) begin
      wants <= 1'b0;
    end
  end

  // Turn of the request: that of the thread's ask for the granule, else the request's ticket.
  logic [TICKET_BITS-1:0] turn_here;
  assign turn_here = asks && wants && granule == first_i ? turn : ticket_i;

  // Another thread of the bank that asks for the request's granule; whether any thread has an older ask for
  // it.
  logic other_wants, has_older;
  logic [TICKET_BITS-1:0] of_other;
  // Number of threads of the bank with older asks for t's granule; whether `other` is one of them.
  localparam int unsigned COUNT_BITS = $clog2(THREADS + 1);
  logic [COUNT_BITS-1:0] before_t;
  logic                  other_is_before_t;
  always_comb begin
    other_wants       = 1'b0;
    of_other          = '0;
    has_older         = 1'b0;
    before_t          = '0;
    other_is_before_t = 1'b0;
    for (int unsigned k = 0; k < THREADS; k++) begin
      if (32'(other) == k) begin
        other_wants = asks_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i;
        of_other    = ticket_q[k*TICKET_BITS +: TICKET_BITS];
      end
      if (!(own_i && 32'(thread_i) == k) && asks_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == first_i
          && ticket_q[k*TICKET_BITS +: TICKET_BITS] < turn_here) begin
        has_older = 1'b1;
      end
      if (32'(t) != k && asks_q[k] && granule_q[k*GRANULE_BITS +: GRANULE_BITS] == granule
          && ticket_q[k*TICKET_BITS +: TICKET_BITS] < turn) begin
        before_t = before_t + COUNT_BITS'(1);
        if (32'(other) == k) other_is_before_t = 1'b1;
      end
    end
  end

  // For the previous cycle: t had an ask, and t's request made no other ask; the request's ticket was younger
  // than t's. `other` was before t and has stored, or has ended its ask, without a new ask.
  logic                  asked_before, came_later, other_left;
  logic [COUNT_BITS-1:0] were_before_t;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_before  <= 1'b0;
      came_later    <= 1'b0;
      other_left    <= 1'b0;
      were_before_t <= '0;
    end else begin
      asked_before  <= wants && !(asks && (reserve_i || wait_i) && first_i != granule);
      came_later    <= turn < ticket_i;
      other_left    <= other_is_before_t && own_i && thread_i == THREAD_BITS'(other) && !reserve_i && !wait_i
                       && (may_o || clear_i || drop_i);
      were_before_t <= before_t;
    end
  end

  always_comb begin
    assume (32'(t) < THREADS);
    assume (32'(other) < THREADS);
    if (!started) assume (!rst_ni);
  end

  always_comb if (started && rst_ni) begin
    lemma_holds:         assert (holds_q[t] == (reserved && !struck && !given_up));
    lemma_holds_reached: cover (reserved && struck && !given_up);

    lemma_granule:         assert (granule_q[32'(t)*GRANULE_BITS +: GRANULE_BITS] == granule);
    lemma_granule_reached: cover (reserved && granule != '0);

    lemma_asks:         assert (asks_q[t] == wants);
    lemma_asks_reached: cover (wants && !holds_q[t]);

    lemma_ticket:         assert (ticket_q[32'(t)*TICKET_BITS +: TICKET_BITS] == turn);
    lemma_ticket_reached: cover (wants && turn != '0);

    nobody_stores_without_a_reservation:         assert (!(may_o && asks) || reserved);
    nobody_stores_without_a_reservation_reached: cover (asks && spend_i && !reserved);

    a_reservation_is_of_one_granule:         assert (!(may_o && asks) || first_i == granule);
    a_reservation_is_of_one_granule_reached: cover (asks && spend_i && holds_q[t] && first_i != granule);

    a_store_of_another_ends_it:         assert (!(may_o && asks) || !struck);
    a_store_of_another_ends_it_reached: cover (asks && spend_i && struck && !given_up && first_i == granule);

    a_reservation_is_spent_once:         assert (!(may_o && asks) || !given_up);
    a_reservation_is_spent_once_reached: cover (asks && spend_i && given_up && !struck && first_i == granule);

    // A younger ask fails while an older one is valid; so does a STREX whose ask has ended, by its turn.
    the_turn_is_kept:         assert (!(may_o && asks && t != other) || !other_wants || of_other >= turn_here);
    the_turn_is_kept_reached: cover (THREADS == 1 || (asks && spend_i && wants && holds_q[t] && other_wants && of_other < turn));

    a_late_turn_is_kept:         assert (!(may_o && asks && !wants) || !has_older);
    a_late_turn_is_kept_reached: cover (THREADS == 1 || (asks && spend_i && !wants && holds_q[t] && has_older));

    other_banks_come_first:         assert (!(may_o && asks) || !older_i);
    other_banks_come_first_reached: cover (asks && spend_i && holds_q[t] && first_i == granule && older_i);

    an_older_ask_is_told:         assert (!(!asks && wants && first_i == granule && !own_i && turn < ticket_i) || older_o);
    an_older_ask_is_told_reached: cover (!own_i && older_o);

    only_an_older_ask_is_told:         assert (!(older_o && (asks || !own_i)) || has_older);
    only_an_older_ask_is_told_reached: cover (THREADS == 1 || (asks && older_o));

    // The first in turn is never refused: only a store, CLREX or its own requests end its reservation.
    the_first_in_turn_stores: assert (!(asks && spend_i && !has_older && !older_i && reserved && !struck && !given_up
                                        && first_i == granule) || may_o);
    the_first_in_turn_stores_reached: cover (asks && may_o);

    // Turns are in the order of tickets: if new asks have younger tickets, no thread gets before t ...
    nobody_gets_in_front:         assert (!(asked_before && wants && came_later) || before_t <= were_before_t);
    nobody_gets_in_front_reached: cover (THREADS == 1 || (asked_before && wants && came_later && before_t != '0));

    // ... and each older request that ends moves t one turn forward, until t is the first.
    each_end_brings_a_turn:         assert (!(asked_before && wants && other_left && t != other)
                                            || before_t < were_before_t);
    each_end_brings_a_turn_reached: cover (THREADS == 1 || (asked_before && wants && other_left && t != other));

    only_a_store_that_is_asked_for:         assert (!may_o || (spend_i && own_i));
    only_a_store_that_is_asked_for_reached: cover (!may_o && !spend_i && holds_q[t]);
  end
endmodule
