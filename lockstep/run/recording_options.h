/*
 * recording_options: the options of commands that read a recording: its name, and the cycles to show.
 */
#ifndef LOCKSTEP_RECORDING_OPTIONS_H
#define LOCKSTEP_RECORDING_OPTIONS_H

#include "recording/window.h"

#include <argp.h>

struct recording_options {
    const char *path;             /* path of the recording */
    bool cycles, group, launches; /* --cycles, --work-group, --launch are given */
    uint64_t first, last, launch;
    uint32_t id[3];
    uint64_t at_number;    /* cycle or line of `at` */
    const char *at, *when; /* a cycle or KERNEL:LINE; a condition; NULL: not given */
};

/* A child parser, which also takes the name of the recording. Its input is a struct recording_options, all 0
 * at first; `path` is set before the parent's ARGP_KEY_END. */
extern const struct argp recording_options_argp;

/* Opens the recording and selects the cycles to show. Returns false with *e (EXIT_USER), with *r closed, if
 * the file is not a recording, or has no such cycles. */
bool recording_options_open(const struct recording_options *o, struct recording *r, struct window *w,
                            struct error *e);

/* Returns an option's argument as a number; prints an error and exits if it is not one. */
uint64_t recording_options_number(const char *option, const char *argument, struct argp_state *state);

#endif
