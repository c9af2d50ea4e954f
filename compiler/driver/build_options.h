/*
 * build_options: the options string of clBuildProgram (OpenCL 1.2, 5.6.4) as clang options. Words are
 * separated by blanks; quotes, double or single, keep blanks, a backslash keeps the next character. Single
 * quotes around one character are kept: -DC='x' defines a character constant; a single quote that is never
 * closed is kept, too. Other options are refused: OpenCL does not define them, and no program is known to
 * pass them. -lockstep-scalar=KIND, -lockstep-prefetch-latency=N and -lockstep-extract-min=N are options of
 * this compiler (scalar_partners.h).
 */
#ifndef COMPILER_BUILD_OPTIONS_H
#define COMPILER_BUILD_OPTIONS_H

#include "compiler/driver/process.h"

#include <stdbool.h>

/* Kinds of scalar kernels that the compiler makes: none; prefetching; with work that one work-item does or
 * all do alike; sorting the work-items that continue. */
enum compile_partner { PARTNER_OFF, PARTNER_PREFETCH, PARTNER_EXTRACT, PARTNER_DIVERGENCE };
extern const char *const compile_partner_name[4];
#define PARTNER_CHOICES "the choices are off, prefetch, extract and divergence"

struct build_options {
    struct arguments clang; /* options of every stage */
    bool optimise;          /* not -cl-opt-disable */
    bool quiet;             /* -w */
    enum compile_partner partner;
    unsigned extract_least;    /* smallest number of operations of a run of declarations that is taken from a
                                  kernel */
    unsigned prefetch_latency; /* cycles: lines were in the cache if two clock readings differ by less */
    struct text notes;         /* for the build log: options that are accepted without effect */
};

/* `partner`: used unless the options name one. */
void build_options_read(struct build_options *o, const char *options, enum compile_partner partner);

/* Returns the number of a kind of scalar kernels; −1 if there is no such name. */
int compile_partner_find(const char *name);

#endif
