/*
 * build: runs the kernel compiler, a separate process, on one OpenCL C source or on compiled objects.
 */
#ifndef RUNTIME_BUILD_H
#define RUNTIME_BUILD_H

#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

enum build_kind {
    BUILD_PROGRAM, /* source to image */
    BUILD_OBJECT,  /* source to compiled object */
    BUILD_LINK,    /* compiled objects, one after the other, to image */
    BUILD_KINDS
};

struct build_request {
    enum build_kind kind;
    const char *compiler;  /* path of lockstep-cc */
    const char *directory; /* working folder, for relative include paths; NULL: the current one */
    const char *options;   /* options of clBuildProgram */
    const char *name;      /* name of the source in messages and line tables */
    unsigned priority_levels;
    unsigned line_bytes; /* bytes of a line of the machine's L1D */
    unsigned warp_size;  /* warp size of the machine */
    const char *priorities, *coalescing, *math, *isa, *ids, *mode, *scalarize, *startup,
        *scalar;                /* choices of lockstep-cc; NULL: its defaults */
    bool reports_uninitialised; /* prints the compiler's warnings of variables without a value */
    bool marks_unwritten;       /* the code marks such variables (compiler/ir/unwritten.h) */
    const char *source;
    size_t source_bytes;
    int interrupt_fd; /* descriptor that ends the compiler when it becomes readable; −1: none */
};

struct build {
    bool compiled;
    bool bad_options; /* the options are refused, and nothing is compiled */
    char *log;        /* output of the compiler; never NULL after build_run() has returned true */
    uint8_t *image;   /* image or object, if compiled */
    size_t image_bytes;
};

/* Runs the compiler to its end. Returns true if it gave a verdict (b->compiled), or false with *e
 * (EXIT_USER, EXIT_INTERNAL) if it could not be run or was interrupted. Release *b in either case. */
bool build_run(const struct build_request *r, struct build *b, struct error *e);
void build_release(struct build *b);

#endif
