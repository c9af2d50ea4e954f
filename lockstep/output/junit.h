/*
 * junit: results of comparisons with Verilog in JUnit's XML format, for systems of continuous integration.
 */
#ifndef LOCKSTEP_JUNIT_H
#define LOCKSTEP_JUNIT_H

#include "sim/part.h"

struct junit {
    struct part part;
    FILE *cases; /* NULL: not requested */
    char *text;  /* text of the cases so far */
    size_t size;
    unsigned count, failures, errors, skipped;
};

/* Begins the file; with path NULL this and all other functions do nothing. Returns false with *e (EXIT_USER)
 * if it cannot be written. */
bool junit_open(struct junit *j, const char *path, struct error *e);

/* Adds a case. `why` NULL or EXIT_SOUND: passed; EXIT_TWINS_DISAGREE: failed; another status: an error. */
void junit_add(struct junit *j, const char *suite, const char *name, const struct error *why);
void junit_skip(struct junit *j, const char *suite, const char *name, const char *why);

/* Writes the file. False and *e (EXIT_USER) if not everything could be written. */
bool junit_close(struct junit *j, struct error *e);

/* Removes the file if it is open. */
void junit_abandon(struct junit *j);

#endif
