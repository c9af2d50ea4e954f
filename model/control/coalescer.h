/*
 * coalescer: the transactions with which one warp's memory access reaches the L1D (gpu-like.md §4). They are
 * the fewest that the rule allows, in the order of each one's lowest thread; those of one thread are in the
 * order of addresses.
 *
 * cc13 (in parts of 16 threads): a transaction is a segment of 32, 64 or 128 bytes for accesses of 1, 2, 4
 * and more bytes. If only one half of a segment longer than 32 bytes is used, it shrinks to that half,
 * repeatedly. cc20 (the whole warp at once): a transaction is a line of the L1D; a store moves the 32-byte
 * pieces of it that it touches. A thread takes part in every segment or line that contains bytes of its
 * access: two at most.
 *
 * The block gives one transaction in each cycle with a request (in, q → out, d). coalescer_transactions()
 * gives all transactions of an access at once, for machines that compute ahead.
 *
 * A multiple access makes one request for each register (a beat). Exclusive accesses do not pass through the
 * coalescer: each thread has a transaction of its own.
 */
#ifndef MODEL_CONTROL_COALESCER_H
#define MODEL_CONTROL_COALESCER_H

#include "generated/coalescer_ports.h"
#include "model/config/limits.h"
#include "model/config/machine_config.h"

#include <stdbool.h>
#include <stdint.h>

#define COALESCER_PART  16  /* threads that cc13 coalesces together */
#define COALESCER_MOST  128 /* most transactions of one access: two for each of 64 threads */
#define COALESCER_PIECE 32  /* bytes of a piece */
#define COALESCER_LINE  CACHE_MAX_LINE_BYTES

struct coalescer_transaction {
    uint32_t address; /* address of the first byte, a multiple of `length` */
    uint16_t length;  /* bytes covered: 32 to COALESCER_LINE, a power of two */
    uint16_t bytes;   /* bytes moved: `length`, or 32 for each piece of a store with cc20 */
    uint8_t pieces;   /* bit n: bytes in the 32 from address + 32·n on are accessed */
    uint64_t threads; /* threads with bytes in the transaction */
};

/* --- parameters, ports and flip-flops --- */

struct coalescer_config { /* the parameters of rtl/coalescer.sv */
    enum coalesce_rule rule;
    unsigned warp_size;  /* 4 to 64 */
    unsigned line_bytes; /* line of the L1D in bytes: 32 to COALESCER_LINE, a power of two */
};

struct coalescer {
    struct coalescer_config cfg;
    struct coalescer_in in; /* ports and flip-flops are described in rtl/coalescer.sv */
    struct coalescer_out out;
    struct coalescer_state q, d;
};

/* --- functions --- */

void coalescer_init(struct coalescer *b, const struct coalescer_config *config);
void coalescer_eval(struct coalescer *b);  /* in, q → out, d */
void coalescer_clock(struct coalescer *b); /* d → q: the edge */

/* Fills in the transactions of the threads `active`, which load or store 1, 2, 4 or 8 bytes from
 * address[thread] on. Returns their number. */
unsigned coalescer_transactions(const struct coalescer_config *c, const uint32_t *address, unsigned bytes,
                                uint64_t active, bool store,
                                struct coalescer_transaction transaction[COALESCER_MOST]);

/* Fills in the mask of stored bytes, since caches keep them apart. Bit n % 64 of written[n / 64]: a thread of
 * the transaction stores the byte at its address + n. */
void coalescer_bytes(const struct coalescer_transaction *t, const uint32_t *address, unsigned bytes,
                     uint64_t written[COALESCER_LINE / 64]);

#endif
