/* random_writer: common parts of random_kernel: the kernel being written, the position of the next statement
 * in its flow, and functions that write statements.
 * Links: $(addprefix $(B)/obj/tests/attacks/,random_jump.o random_memory.o) */
#ifndef TESTS_ATTACKS_RANDOM_WRITER_H
#define TESTS_ATTACKS_RANDOM_WRITER_H

#include "tests/attacks/random_expression.h"
#include "tests/attacks/random_kernel.h"

enum {
    RANDOM_MOST_HELPERS = 3,
    RANDOM_MOST_TRIPS = 60,  /* limit for a nest of loops */
    RANDOM_MOST_COST = 3000, /* limit of statements that a work-item executes */
    RANDOM_MOST_DEPTH = 3,
    RANDOM_PARAMETERS = 3 /* parameters of a helper, besides those of all functions */
};

/* Permission of the flow to leave its statements: none, only uniformly, any. */
enum random_leave { LEAVE_NOT, LEAVE_TOGETHER, LEAVE_FREELY };

struct random_flow {
    bool uniform; /* all work-items of the group reach this point */
    enum random_leave by_break, by_continue, by_return, by_goto;
    unsigned depth, trips;
    unsigned label; /* target of by_goto, behind the enclosing statements */
};

struct random_helper {
    bool barriers; /* callable in uniform flow only */
    enum random_type result, parameter[RANDOM_PARAMETERS];
    unsigned cost;
};

struct random_writer {
    struct random_text t;
    unsigned number, helpers, cost, labels;
    struct random_helper helper[RANDOM_MOST_HELPERS];
    const struct random_helper *inside; /* NULL: in the kernel */
};

/* Starts a line that is executed as often as the flow indicates. */
void random_line(struct random_writer *w, const struct random_flow *f);
/* Print statements; print the same between braces, without a newline at the end. Variables leave the scope
 * there. */
void random_statements(struct random_writer *w, struct random_flow f, unsigned count);
void random_block(struct random_writer *w, struct random_flow f, unsigned count);
/* Returns a depth for an expression. */
unsigned random_depth(struct random_writer *w);
/* Returns the number of a new variable's name. The variable is declared with an expression that cannot use it
 * yet. */
unsigned random_next_name(const struct random_writer *w);
/* Chooses whether the next statement is uniform, and the flow inside it. */
bool random_choose_uniform(struct random_writer *w, const struct random_flow *f);
struct random_flow random_inside_choice(const struct random_flow *f, bool uniform);
/* Declares a random number of rounds below `most` as v<limit>, and names a counter for them, which is the
 * caller's to declare. */
void random_rounds(struct random_writer *w, const struct random_flow *f, unsigned most, bool uniform,
                   unsigned *limit, char counter[12]);

/* random_memory.c: statements that store, count with atomics, exchange values between barriers. */
void random_store(struct random_writer *w, const struct random_flow *f);
void random_count(struct random_writer *w, const struct random_flow *f);
void random_barrier(struct random_writer *w, const struct random_flow *f, const char *kind);
void random_exchange(struct random_writer *w, const struct random_flow *f);

/* random_jump.c: a statement with gotos or with case labels inside a loop. */
void random_jump(struct random_writer *w, const struct random_flow *f);

#endif
