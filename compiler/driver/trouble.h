/*
 * trouble: ends lockstep-cc after a failure. A compiler run is short, so failures end the process: the system
 * releases its resources, and files appear only when complete (text_write_file()).
 */
#ifndef COMPILER_TROUBLE_H
#define COMPILER_TROUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum compiler_exit {
    COMPILER_DONE = 0,
    COMPILER_REFUSED = 1,     /* error in the user's source: the text on standard error is the build log */
    COMPILER_TROUBLE = 2,     /* error of the installation: a missing tool, an unreadable file, no memory */
    COMPILER_BAD_OPTIONS = 3, /* error in the user's build options: the text is the build log, too */
    COMPILER_DEFECT = 4,      /* internal error: an impossible state, a crash of LLVM */
};

/* Prints "lockstep-cc: MESSAGE" and leaves with COMPILER_TROUBLE. */
void trouble(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Prints "lockstep-cc: internal error: MESSAGE" and leaves with COMPILER_DEFECT. */
void defect(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Prints the message as it is and leaves with COMPILER_REFUSED. */
void refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Prints the message and leaves with COMPILER_BAD_OPTIONS. */
void refuse_options(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Returns whether a message, ours or LLVM's, reports that memory is out. */
static inline bool says_no_memory(const char *said) {
    return strstr(said, "out of memory") || strstr(said, "bad_alloc");
}

/* Like realloc(), but never returns NULL; memory beyond the old size is not cleared. */
void *allocate(void *old, size_t size);

char *copy_string(const char *string);

/* Makes room for one more element of `size` bytes in an array that holds `count`. */
void *grow(void *array, size_t count, size_t size);

#endif
