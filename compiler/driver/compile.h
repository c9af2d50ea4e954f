/*
 * compile: compiles an OpenCL program from source to image; --emit shows intermediate stages.
 */
#ifndef COMPILER_COMPILE_H
#define COMPILER_COMPILE_H

#include "compiler/driver/build_options.h"

#include <stdint.h>

enum emit {
    EMIT_IMAGE,
    EMIT_PRIORITY,
    EMIT_COALESCED,
    EMIT_IR,
    EMIT_ASM,
    EMIT_TABLE,
    EMIT_OBJECT,
    EMIT_SCALAR,
    EMIT_SCALAR_KERNEL,
    EMIT_MEETINGS
};

/* Conditional statements with priority operations: all, those whose condition may vary within a work-group,
 * none. */
enum compile_priorities { PRIORITIES_ALL, PRIORITIES_VARYING, PRIORITIES_OFF };
extern const char *const compile_priorities_name[3];
enum compile_coalescing { COALESCE_MODERN, COALESCE_SNUCL }; /* coalesce.h */
extern const char *const compile_coalescing_name[3];         /* NULL at the end, as in the arrays below */
/* Distribution of SIMT code's values between scalar and vector registers (scalar_classes.h); off: none. */
enum compile_scalarize { SCALARIZE_OFF, SCALARIZE_NONE, SCALARIZE_CONVERGENT, SCALARIZE_WIDE };
enum compile_mode { MODES_BOTH, MODES_SIMT, MODES_MIMD }; /* modes in which the image can run */
enum compile_math { MATH_TABLE, MATH_CLASSIC };           /* log, exp and pow of the device library */
extern const char *const compile_math_name[3];
enum compile_isa { COMPILE_VFP, COMPILE_NEON }; /* floating-point instructions, and vectors */
extern const char *const compile_isa_name[3];
enum compile_ids { IDS_COPROCESSOR, IDS_COMPUTED }; /* source of global ids and addresses in SIMT code */
extern const char *const compile_ids_name[3];
enum compile_startup { STARTUP_LOOP, STARTUP_UNROLLED }; /* form of the loops in SIMT mode's start-up code */
extern const char *const compile_startup_name[3];

struct compilation {
    const char *file; /* "-": standard input */
    const char *name; /* name of the source, for messages and line tables */
    const char *output;
    const char *library_directory; /* directory of library.parts */
    const char *cache_directory;   /* NULL: no cache */
    uint64_t cache_limit_bytes;
    const char *options; /* options of clBuildProgram */
    unsigned priority_levels;
    enum emit emit;
    bool link; /* `file` holds compiled objects (object.h) instead of a source */
    enum compile_priorities priorities;
    enum compile_coalescing coalescing;
    enum compile_math math;
    enum compile_isa isa;
    enum compile_ids ids;
    enum compile_startup startup;
    enum compile_mode modes; /* modes of EMIT_IMAGE */
    enum compile_scalarize scalarize;
    bool marks_unwritten;         /* unwritten.h */
    enum compile_partner partner; /* used unless the build options name one */
    unsigned line_bytes;          /* line of the machine's L1D, for scalar kernels that prefetch */
    unsigned warp_size; /* warp size of the machine, for scalar kernels that redistribute iterations */
};

/* Compiles. Messages for the build log go to standard error. A source with errors is refused. */
void compile(const struct compilation *c);

#endif
