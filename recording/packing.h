/*
 * packing: converts records to bytes and back. A flight is written as its differences from the last flight
 * of its place, and its stamps as their differences from those of the instruction's last flight.
 * docs/recording.md defines the bytes.
 */
#ifndef RECORDING_PACKING_H
#define RECORDING_PACKING_H

#include "recording/recorder.h"

#include <stddef.h>

#define PACKING_INSTRUCTIONS 512 /* instructions whose stamps are kept; others share their places */
#define PACKING_PLACES       256
#define PACKING_RECORD_BYTES 128 /* upper bound of the bytes of a record */

/* State of the records so far, the same in writer and reader. */
struct packing {
    uint64_t cycle;
    uint64_t first, last; /* written records only: the first cycle of all, and the last one */
    uint32_t pc[PACKING_PLACES];
    uint64_t threads[PACKING_PLACES];
    uint32_t stamps[PACKING_INSTRUCTIONS][RECORD_STAMPS]; /* stamps of each instruction's last flight */
};

void packing_reset(struct packing *p);

/* Appends a record; returns the end of its bytes. */
uint8_t *packing_put(struct packing *p, const struct record *r, uint8_t *out);

/* Appends flights up to `end`, to a record of another kind, or until *out is beyond the limit. Returns the
 * first record that is not appended. */
const struct record *packing_put_flights(struct packing *p, const struct record *r, const struct record *end,
                                         uint8_t **out, const uint8_t *limit);

/* Reads a record. Returns the end of its bytes, or NULL if they are no record. */
const uint8_t *packing_get(struct packing *p, struct record *r, const uint8_t *in, const uint8_t *end);

#endif
