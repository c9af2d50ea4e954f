/*
 * signal: a value that processes read and write without seeing each other's writes of the same delta cycle.
 *
 * A read returns the value before the update phase; a write takes effect after it. The last write of an
 * evaluation counts. A signal changes if its value after the update phase differs from that before. Values
 * have 1–64 bits, or, as a wide signal, any number of bits in 64-bit words, the lowest first.
 */
#ifndef SIM_SIGNAL_H
#define SIM_SIGNAL_H

#include "sim/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct kernel;
struct signal;

/* Creates a signal with 1 ≤ width ≤ 64; values are masked to the width. */
struct signal *signal_create(struct kernel *k, const char *name, unsigned width, uint64_t initial);
static inline uint64_t signal_read(const struct signal *s);
static inline void signal_write(struct signal *s, uint64_t value);
/* Writes one bit (< width); the others keep the values written so far, so several processes can own a bit
 * each. */
static inline void signal_write_bit(struct signal *s, unsigned bit, bool value);

/* Creates a wide signal: width ≥ 1 bits in (width + 63) / 64 words; NULL is 0. signal_read() returns its
 * lowest word; signal_write() and signal_write_bit() are a panic in the update phase. */
struct signal *signal_create_wide(struct kernel *k, const char *name, unsigned width,
                                  const uint64_t *initial);
const uint64_t *signal_read_wide(const struct signal *s); /* the pointer stays valid; the words change in
                                                             the update phase */
void signal_write_wide(struct signal *s, const uint64_t *words); /* copied; masked to the width */

struct event *signal_changed(struct signal *s);
struct event *signal_posedge(struct signal *s);  /* 0 → non-0 */
struct event *signal_negedge(struct signal *s);  /* non-0 → 0 */
bool signal_has_changed(const struct signal *s); /* returns whether it changed in the update phase just
                                                    before this delta cycle */

const char *signal_name(const struct signal *s);
unsigned signal_width(const struct signal *s);
bool signal_is_wide(const struct signal *s);

/* Registers an observer: f is called in the update phase whenever the signal has changed, in the order of
 * registration, unnoticed by all processes. It must neither write nor notify nor create objects. */
typedef void signal_watcher(void *context, const struct signal *s, sim_time now);
void signal_watch(struct signal *s, signal_watcher *f, void *context);
void signal_unwatch(struct signal *s, signal_watcher *f, void *context);

/* --- in the header for speed only: not to be used directly --- */

struct signal_updates { /* the signals written in this evaluation, each once */
    struct signal **end;
};

struct signal { /* one cache line */
    uint64_t value, next;
    struct signal_updates *updates;
    process_function *function; /* the only listener, while `listening` is SIGNAL_ONE */
    void *context;
    struct signal_detail *detail;
    sim_time changed_at;
    uint32_t changed_cycle; /* low bits of the number of the delta cycle of the last change */
    uint8_t pending;        /* 1: in the list of signals to update */
    uint8_t unused_bits;    /* unused bits of the (lowest) word */
    uint8_t listening;
    uint8_t wide;
} __attribute__((aligned(64)));

static inline uint64_t signal_read(const struct signal *s) {
    return s->value;
}

/* Writes a value. Whether a write is the first change is often unpredictable, so the code has no branch for
 * it. */
static inline void signal_write(struct signal *s, uint64_t value) {
    struct signal_updates *u = s->updates;
    value &= UINT64_MAX >> s->unused_bits;
    const uint8_t enters = (uint8_t)((value != s->next) & (s->pending ^ 1));
    s->next = value;
    s->pending |= enters;
    *u->end = s;
    u->end += enters;
}

static inline void signal_write_bit(struct signal *s, unsigned bit, bool value) {
    signal_write(s, (s->next & ~(UINT64_C(1) << bit)) | (uint64_t)value << bit);
}

#endif
