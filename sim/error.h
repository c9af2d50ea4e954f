/*
 * error: the report of a failure, the same on every floor.
 *
 * A function that can fail for the user's reasons takes a `struct error *`, fills it and returns false (or
 * NULL). The exit status says whose mistake it was. The text is for the user: what is wrong, where, what to
 * do. The first failure wins: filling an error that is already filled has no effect.
 */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* The exit status of `lockstep` by kind of failure, on the model of timeout(1). */
enum exit_status {
    EXIT_SOUND = 0,            /* nothing failed */
    EXIT_PROGRAM_FAULT = 120,  /* mistake of the simulated program */
    EXIT_TWINS_DISAGREE = 121, /* a C model and its Verilog differ */
    EXIT_INTERNAL = 122,       /* mistake of Lockstep itself */
    EXIT_USER = 125,           /* mistake of the user: configuration, files, command line, a machine without
                                  memory */
    EXIT_CANNOT_RUN = 126,     /* the program exists but cannot be run */
    EXIT_NOT_FOUND = 127,      /* the program does not exist */
};

struct error {
    enum exit_status status; /* EXIT_SOUND while nothing has failed */
    char message[4096];      /* one or more lines, without a final newline */
};

/* Fills *e from a printf format unless it is filled already. Always returns
 * false, for `return error_set(…)`. */
bool error_set(struct error *e, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a broken invariant of the simulator itself: prints file, line and the message, calls the
 * functions registered with error_at_panic(), and leaves the process with EXIT_INTERNAL. Never returns. */
_Noreturn void error_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Calls function(context), in which a broken invariant is the mistake of the model's user. Then *e
 * (EXIT_USER) has the invariant's text, false is returned, and the state is left as the function has made
 * it. The function must hold no memory or lock. */
bool error_guard(struct error *e, void (*function)(void *context), void *context);

/* Reports that the host has no memory left, calls the same functions, and leaves the process with
 * EXIT_USER. Never returns. */
_Noreturn void error_out_of_memory(void);

/* Registers a function that error_panic() calls (last registered first) before it leaves; at most 16. */
void error_at_panic(void (*function)(void *context), void *context);
/* Cancels the registration for `context`; must be called before the context is freed. */
void error_cancel_at_panic(void (*function)(void *context), void *context);

/* `invariant(condition, format, …)`: catches an impossible state where it occurs, in every build. */
#define invariant(condition, ...)                                                                            \
    do {                                                                                                     \
        if (__builtin_expect(!(condition), 0)) error_panic(__FILE__, __LINE__, __VA_ARGS__);                 \
    } while (0)

/* `require_memory(pointer)`: checks the result of an allocation, or of another call that fails only for
 * lack of memory. */
#define require_memory(got)                                                                                  \
    do {                                                                                                     \
        if (__builtin_expect(!(got), 0)) error_out_of_memory();                                              \
    } while (0)

#endif
