/*
 * description: a record as a line of text.
 */
#ifndef RECORDING_DESCRIPTION_H
#define RECORDING_DESCRIPTION_H

#include "recording/recording.h"

#define DESCRIPTION_BYTES 256

/* Writes place, event and source line of a record, without its cycle: "cluster0.warp3  0x10184  add r1, r2
 * (line 12), threads ffffffff". */
void description_of(const struct recording *r, unsigned unit, const struct record *x,
                    char text[DESCRIPTION_BYTES]);

extern const char *const description_stamp[RECORD_STAMPS]; /* names of the stamps of a flight */

#endif
