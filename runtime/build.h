/*
 * build: runs the kernel compiler, a process of its own, on one OpenCL C source or on compiled objects.
 */
#ifndef RUNTIME_BUILD_H
#define RUNTIME_BUILD_H

#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

enum build_kind {
    BUILD_PROGRAM, /* source to image */
    BUILD_OBJECT,  /* source to compiled object */
    BUILD_LINK,    /* compiled objects, one behind the other, to image */
    BUILD_KINDS
};

struct build_request {
    enum build_kind kind;
    const char *compiler;  /* path of lockstep-cc */
    const char *directory; /* to run it in: relative include paths are the program's; NULL: here */
    const char *options;   /* of clBuildProgram */
    const char *name;      /* of the source in messages and line tables */
    unsigned priority_levels;
    unsigned line_bytes; /* of the machine's L1D */
    unsigned warp_size;  /* of the machine */
    const char *priorities, *coalescing, *math, *ids, *mode, *scalarize, *startup,
        *scalar; /* lockstep-cc's choices; NULL: its defaults */
    const char *source;
    size_t source_bytes;
    int interrupt_fd; /* when it becomes readable the compiler is ended; −1: none */
};

struct build {
    bool compiled;
    bool bad_options; /* not compiled, because the options are refused */
    char *log;        /* what the compiler said; never NULL after build_run() has returned true */
    uint8_t *image;   /* if compiled: the image or object */
    size_t image_bytes;
};

/* Runs the compiler to its end. True if it gave a verdict (b->compiled says which); false and *e (EXIT_USER,
 * EXIT_INTERNAL) if it could not be run or was interrupted. Release *b afterwards in every case. */
bool build_run(const struct build_request *r, struct build *b, struct error *e);
void build_release(struct build *b);

#endif
