/*
 * build: one compilation between its stages: what it is made from, read and preprocessed.
 */
#ifndef COMPILER_BUILD_H
#define COMPILER_BUILD_H

#include "compiler/compile.h"
#include "compiler/meeting_source.h"
#include "compiler/process.h"
#include "compiler/thunk.h"

/* The parts of the device library, in its directory. */
enum {
    LIBRARY_BITCODE,
    LIBRARY_BUILTINS,
    LIBRARY_TWIN_BUILTINS,
    LIBRARY_STARTUP,
    LIBRARY_DECLARATIONS,
    LIBRARY_PARTS
};

struct build {
    const struct compilation *request;
    struct build_options options;
    struct arguments clang; /* options of every clang stage */
    struct text library_paths[LIBRARY_PARTS], library[LIBRARY_PARTS];
    struct text source, preprocessed;
    bool warned;                           /* the preprocessor had something to say */
    struct text log;                       /* clang's messages about the source as the user wrote it */
    struct thunks thunks;                  /* of the stages */
    struct meeting_source meetings;        /* of the stages; nothing is known of linked objects */
    struct text twin_source, twin_bitcode; /* of the stages; empty: the twin is made from the same bitcode */
    struct text
        generated; /* of the stages: the program with scalar kernels that were made; empty: none were */
    struct text result;
};

/* Reads the source, the build options and the device library. */
void build_read(struct build *b, const struct compilation *request);

void build_preprocess(struct build *b);
/* A source that the compiler has made from the preprocessed one, to b->generated. */
void build_preprocess_generated(struct build *b, const struct text *source);

/* Clang's messages about the source itself, before our edits, go to b->log; a source
 * with errors is refused. */
void build_check(struct build *b);

#endif
