/* recording_parts: functions that the files of the reader share. */
#ifndef RECORDING_PARTS_H
#define RECORDING_PARTS_H

#include "recording/recording.h"

/* Reads the head, or a note. Returns false if a writer does not write such a text. */
bool recording_take_head(struct recording *r);
bool recording_take_note(struct recording *r, const json_t *note);
void recording_free_notes(struct recording *r);

#endif
