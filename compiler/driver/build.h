/*
 * build: state of one compilation between its stages: its inputs, read and preprocessed.
 */
#ifndef COMPILER_BUILD_H
#define COMPILER_BUILD_H

#include "compiler/driver/compile.h"
#include "compiler/source/meeting_source.h"
#include "compiler/driver/process.h"
#include "compiler/ir/thunk.h"

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
    struct arguments clang; /* options of all clang stages */
    struct text library_paths[LIBRARY_PARTS], library[LIBRARY_PARTS];
    struct text source, preprocessed;
    bool warned;                           /* the preprocessor has reported something */
    struct text log;                       /* clang's messages about the user's source */
    struct thunks thunks;                  /* result of the stages */
    struct meeting_source meetings;        /* result of the stages; empty for linked objects */
    struct text twin_source, twin_bitcode; /* results of the stages; empty: the twin has the same bitcode */
    struct text generated; /* result of the stages: program with generated scalar kernels; empty: none */
    struct text result;
};

/* Reads the source, the build options and the device library. */
void build_read(struct build *b, const struct compilation *request);

void build_preprocess(struct build *b);
/* Preprocesses a source that the compiler has made from the preprocessed one, into b->generated. */
void build_preprocess_generated(struct build *b, const struct text *source);

/* Adds clang's messages about the unedited source to b->log; refuses a source with errors. */
void build_check(struct build *b);

#endif
