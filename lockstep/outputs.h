/*
 * outputs: the files that a command is to write, compared before it writes any.
 */
#ifndef LOCKSTEP_OUTPUTS_H
#define LOCKSTEP_OUTPUTS_H

#include "sim/error.h"

#include <stddef.h>

struct output_name {
    const char *option; /* that asks for it, for messages: "--stats" */
    const char *path;   /* NULL: not asked for */
};

/* Whether each has a name and no two are one file, however written: by way of another folder or link to one,
 * or as what is left of the other (NAME.part). False and *e (EXIT_USER) otherwise. */
bool outputs_check(const struct output_name *outputs, size_t count, struct error *e);

/* Whether GTKWave's view can name a waveform: without line breaks, other control characters and quotes. */
bool outputs_in_view(const char *path);

/* Whether a file that is written at the end, if at all, can be: then it is too late to learn that it cannot.
 * False and *e (EXIT_USER) otherwise. */
bool outputs_can_write(const char *option, const char *path, struct error *e);

/* Whether none of them is a file that is there and is read or run: `what` says by whom ("--config"), path
 * NULL or a word that names no file is none. False and *e (EXIT_USER) otherwise. */
bool outputs_spare(const struct output_name *outputs, size_t count, const char *what, const char *path,
                   struct error *e);

#endif
