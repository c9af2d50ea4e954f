/*
 * priority_plan: the level of a function's threads at each of its statements, by ICS-First insertion.
 *
 * Threads meet where a common operation lowers them all: there they wait for threads at higher levels. A
 * conditional statement has a common operation after it, as does a *region*: elements of a list of statements
 * that are raised together because control leaves them by a jump,
 *
 *   return     to the end of the function's body       from the first element with a `return`
 *   continue   to the end of the loop's body           from the first element with a `continue`
 *   goto       forward, to a label of the list         from the first element with such a `goto`
 *   goto       backward, a loop                        from the label to the last element with a `goto`
 *   case       that control falls into                 from the first `case` that falls
 *
 * Jumps arrive just before the region's common operation. A switch parts its threads at the highest level of
 * its labels, so that those of lower ones wait (`dispatch`).
 *
 * Regions that all begin at the first `case` of a chain are a level each. A longer chain has *gates* instead:
 * its threads meet in front of the first case, whichever is theirs, and each case is a region of its own that
 * threads with later cases skip.
 */
#ifndef COMPILER_PRIORITY_PLAN_H
#define COMPILER_PRIORITY_PLAN_H

#include "compiler/source/statements.h"

/* Longest chain of cases that fall into each other without gates. A longer chain has gates or, with labels
 * inside, only its last PRIORITY_FALLS cases meet again. */
#define PRIORITY_FALLS 3

struct priority_region {
    size_t begin, end; /* range of elements of the list */
    unsigned label;    /* label before the common operation; 0: no jump goes there */
};

struct priority_gate {
    size_t at;       /* element with the case */
    unsigned number; /* number in the chain: 0, 1, … */
    unsigned start;  /* label before the first case of the chain of cases, where its threads meet */
    bool last;       /* no thread skips it */
};

struct priority_place {
    unsigned level;                  /* level at which the statement is reached */
    unsigned inside;                 /* conditional statement: level of its parts */
    unsigned dispatch;               /* level at which threads reach the labels of a switch */
    bool alone;                      /* conditional statement: without operations of its own */
    struct priority_region *regions; /* list: properly nested */
    size_t region_count;
    struct priority_gate *gates; /* list of a switch */
    size_t gate_count;
};

struct priority_plan {
    struct statements statements;
    struct priority_place *places; /* one for each statement */
    unsigned labels;               /* number of labels used: 1, 2, … */
};

/* Target of a jump. */
struct priority_target {
    unsigned level, label; /* label 0: the source's target */
};

/* `outermost`: a `return` ends the thread, and threads need not meet before it. */
void priority_plan_make(struct priority_plan *p, const struct syntax *s, CXCursor function, bool outermost);
void priority_plan_free(struct priority_plan *p);

/* Return the levels of a list before and after the operations in front of element `at` (or at the list's end
 * if there is no such element). */
unsigned priority_plan_before(const struct priority_plan *p, size_t list, size_t at);
unsigned priority_plan_behind(const struct priority_plan *p, size_t list, size_t at);

/* Returns the gate at an element, or NULL. */
const struct priority_gate *priority_plan_gate(const struct priority_plan *p, size_t list, size_t at);

/* Returns the region that ends before an element, or NULL. */
const struct priority_region *priority_plan_end(const struct priority_plan *p, size_t list, size_t at);

/* Returns the target of a break, continue, goto or return. */
struct priority_target priority_plan_target(const struct priority_plan *p, size_t jump);

/* Returns the level that a thread from the switch first gets at an element `at` with case labels. */
unsigned priority_plan_entry(const struct priority_plan *p, size_t list, size_t at);

#endif
