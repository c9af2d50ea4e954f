/*
 * recording_writer: writes a recording during a run. Records of each unit come through its recorder and are
 * packed and written chunk by chunk. Each chunk can be read alone, so that a killed run leaves a readable
 * file NAME.N.part (sim/part.h). Units may be on several threads.
 */
#ifndef RECORDING_WRITER_H
#define RECORDING_WRITER_H

#include "recording/recorder.h"
#include "sim/error.h"

#include <jansson.h>

struct recording_writer;

/* Makes the file. `head`: the configuration and the units. Returns NULL with *e (EXIT_USER) if the file
 * cannot be made. */
struct recording_writer *recording_writer_open(const char *path, const json_t *head, unsigned units,
                                               struct error *e);
/* Returns the recorder of a unit, valid until the end. */
struct recorder *recording_writer_unit(struct recording_writer *w, unsigned unit);
/* Adds a note about the whole machine, between launches; takes ownership of it. */
void recording_writer_note(struct recording_writer *w, json_t *note);

/* Writes pending records and the index, renames the file and frees the writer. Writes the number of
 * records. Returns false with *e (EXIT_USER) if not all could be written. */
bool recording_writer_finish(struct recording_writer *w, uint64_t *records, struct error *e);
/* Frees the writer and removes the file. */
void recording_writer_abandon(struct recording_writer *w);

#endif
