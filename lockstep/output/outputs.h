/*
 * outputs: the files that a command will write, checked for conflicts before any is written.
 */
#ifndef LOCKSTEP_OUTPUTS_H
#define LOCKSTEP_OUTPUTS_H

#include "sim/error.h"

#include <stddef.h>

struct output_name {
    const char *option; /* option that names the file, for messages: "--stats" */
    const char *path;   /* NULL: not requested */
};

/* Checks that each has a name and no two are the same file, also through other folders or links, or as the
 * incomplete file of another (NAME.part). Returns false with *e (EXIT_USER) otherwise. */
bool outputs_check(const struct output_name *outputs, size_t count, struct error *e);

/* Returns whether GTKWave's view can name a waveform: no line breaks, other control characters or quotes. */
bool outputs_in_view(const char *path);

/* Checks that a file which is written at the end can be written. Returns false with *e (EXIT_USER)
 * otherwise. */
bool outputs_can_write(const char *option, const char *path, struct error *e);

/* Checks that no output is an existing file that is read or run; `what` is the reader ("--config"); path may
 * be NULL or a word that is not a file. Returns false with *e (EXIT_USER) otherwise. */
bool outputs_spare(const struct output_name *outputs, size_t count, const char *what, const char *path,
                   struct error *e);

#endif
