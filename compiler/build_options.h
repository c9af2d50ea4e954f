/*
 * build_options: the options string of clBuildProgram (OpenCL 1.2, 5.6.4) as clang options. Words are
 * separated by blanks; quotes, double or single, keep blanks, a backslash keeps the next character. Single
 * quotes around one character stay where they are: -DC='x' defines a character constant; so does one that is
 * never closed. Every other option is refused: OpenCL does not define it, and no program is known to pass it.
 * -lockstep-scalar=KIND, -lockstep-prefetch-latency=N and -lockstep-extract-min=N are this compiler's own
 * (scalar_partners.h).
 */
#ifndef COMPILER_BUILD_OPTIONS_H
#define COMPILER_BUILD_OPTIONS_H

#include "compiler/process.h"

#include <stdbool.h>

/* Scalar kernels that the compiler makes: none, those that load ahead, that take what one work-item does or
 * all do alike, that sort out which work-items go on. */
enum compile_partner { PARTNER_OFF, PARTNER_PREFETCH, PARTNER_EXTRACT, PARTNER_DIVERGENCE };
extern const char *const compile_partner_name[4];
#define PARTNER_CHOICES "the choices are off, prefetch, extract and divergence"

struct build_options {
    struct arguments clang; /* for every stage */
    bool optimise;          /* not -cl-opt-disable */
    bool quiet;             /* -w */
    enum compile_partner partner;
    unsigned extract_least;    /* operations of a row of declarations that is taken from a kernel */
    unsigned prefetch_latency; /* cycles: less between two clock readings, and the lines were in the cache */
    struct text notes;         /* for the build log: what is accepted and does nothing */
};

/* `partner`: unless the options name one. */
void build_options_read(struct build_options *o, const char *options, enum compile_partner partner);

/* Of a kind of scalar kernels; −1: there is none of this name. */
int compile_partner_find(const char *name);

#endif
