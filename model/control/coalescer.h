/*
 * coalescer: what one warp's access to memory asks of the L1D: the fewest transactions that the rule allows
 * (gpu-like.md §4), in the order of each one's lowest thread; those of one thread by address.
 *
 * cc13 (by parts of 16 threads): a transaction is a segment of 32, 64 or 128 bytes for accesses of 1, 2, 4
 * and more bytes; of which only one half is used, it becomes that half, as long as it is longer than 32. cc20
 * (the whole warp at once): a transaction is a line of the L1D; a store moves those pieces of 32 bytes of it
 * that it touches. A thread belongs to every segment or line that bytes of its own lie in: two at most.
 *
 * The block gives a transaction in each cycle in which one is asked for (in, q → out, d);
 * coalescer_transactions() gives all of an access at once, which is what a machine asks that computes ahead.
 *
 * A multiple access asks once for each register (a beat); an exclusive access is no matter for the coalescer:
 * each thread has a transaction of its own.
 */
#ifndef MODEL_CONTROL_COALESCER_H
#define MODEL_CONTROL_COALESCER_H

#include "generated/coalescer_ports.h"
#include "model/config/limits.h"
#include "model/config/machine_config.h"

#include <stdbool.h>
#include <stdint.h>

#define COALESCER_PART  16  /* threads that cc13 looks at together */
#define COALESCER_MOST  128 /* transactions of one access: two for each of 64 threads */
#define COALESCER_PIECE 32  /* bytes */
#define COALESCER_LINE  CACHE_MAX_LINE_BYTES

struct coalescer_transaction {
    uint32_t address; /* of its first byte, a multiple of its length */
    uint16_t length;  /* bytes that it covers: 32 to COALESCER_LINE, a power of two */
    uint16_t bytes;   /* bytes that it moves: its length, but for a store with cc20 32 for each piece */
    uint8_t pieces;   /* bit n: bytes are asked for in the 32 from address + 32·n on */
    uint64_t threads; /* that ask for bytes in it */
};

/* --- parameters, ports and flip-flops --- */

struct coalescer_config { /* the parameters of rtl/coalescer.sv */
    enum coalesce_rule rule;
    unsigned warp_size;  /* 4 to 64 */
    unsigned line_bytes; /* of the L1D: 32 to COALESCER_LINE, a power of two */
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

/* The transactions of the threads `active` that load or store 1, 2, 4 or 8 bytes from address[thread] on;
 * returns how many. */
unsigned coalescer_transactions(const struct coalescer_config *c, const uint32_t *address, unsigned bytes,
                                uint64_t active, bool store,
                                struct coalescer_transaction transaction[COALESCER_MOST]);

/* Bit n % 64 of written[n / 64]: a thread of the transaction asks for the byte at its address + n. For
 * stores, whose bytes the caches keep apart. */
void coalescer_bytes(const struct coalescer_transaction *t, const uint32_t *address, unsigned bytes,
                     uint64_t written[COALESCER_LINE / 64]);

#endif
