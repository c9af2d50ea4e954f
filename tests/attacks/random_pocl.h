/* random_pocl: the kernels of a batch on PoCL, an independent compiler and library.
 *
 * PoCL 3.1 cannot be used for whole work-groups: its compiler recurses without end on a quarter of these
 * kernels, and generates wrong code for some with barriers. So PoCL compiles and runs single work-items. This
 * file provides barriers and the functions that return ids, and runs each work-item as a coroutine (preamble,
 * wait_for_others). Local memory is a buffer. */
#ifndef TESTS_ATTACKS_RANDOM_POCL_H
#define TESTS_ATTACKS_RANDOM_POCL_H

#include "tests/attacks/random_batch.h"

/* Results of PoCL for each kernel of a batch. */
struct random_answers {
    bool no_pocl;
    struct random_answer {
        bool known;
        int status; /* status of a process without a result */
        struct random_contents contents;
    } of[RANDOM_BATCH];
};

/* Returns answers in memory that processes share, for as long as the program runs. */
struct random_answers *random_pocl_answers(void);

/* Runs the kernels of a batch. Returns false if PoCL is not installed. */
bool random_pocl_ask(const struct random_batch *b, struct random_answers *a);

#endif
