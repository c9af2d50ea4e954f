/*
 * priority_plan: at which level ICS-First insertion has a function's threads at each of its statements.
 *
 * Threads meet where a common operation lowers them all: from then on they stand at one place, and wait for
 * those that are still above it. A conditional statement has one behind it. So has a *region*: elements of a
 * list of statements that are raised together because control leaves them by a jump,
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
 * its threads meet in front of the first case, whichever is theirs, and each case is a region of its own over
 * which those go whose case comes later.
 */
#ifndef COMPILER_PRIORITY_PLAN_H
#define COMPILER_PRIORITY_PLAN_H

#include "compiler/statements.h"

#define PRIORITY_FALLS                                                                                       \
    3 /* in a chain of cases that fall into each other; beyond, it has gates, or, with labels inside, only   \
         so many of its cases, the last ones, meet again */

struct priority_region {
    size_t begin, end; /* elements of the list */
    unsigned label;    /* in front of the common operation; 0: nothing jumps there */
};

struct priority_gate {
    size_t at;       /* the element with the case */
    unsigned number; /* in its chain: 0, 1, … */
    unsigned start;  /* the chain's label in front of its first case, where its threads meet */
    bool last;       /* nobody goes over it */
};

struct priority_place {
    unsigned level;                  /* at which the statement is reached */
    unsigned inside;                 /* of a conditional statement: of what it consists of */
    unsigned dispatch;               /* of a switch: at which its labels are reached */
    bool alone;                      /* of a conditional statement: it has no operations of its own */
    struct priority_region *regions; /* of a list, properly nested */
    size_t region_count;
    struct priority_gate *gates; /* of a switch's list */
    size_t gate_count;
};

struct priority_plan {
    struct statements statements;
    struct priority_place *places; /* by statement */
    unsigned labels;               /* used so far: 1, 2, … */
};

/* Where a jump arrives. */
struct priority_target {
    unsigned level, label; /* label: 0: where the source says */
};

/* `outermost`: a `return` ends the thread; there is nothing behind it to meet for. */
void priority_plan_make(struct priority_plan *p, const struct syntax *s, CXCursor function, bool outermost);
void priority_plan_free(struct priority_plan *p);

/* Levels of a list just before and behind the operations in front of element `at` (or, if there is none, at
 * its end). */
unsigned priority_plan_before(const struct priority_plan *p, size_t list, size_t at);
unsigned priority_plan_behind(const struct priority_plan *p, size_t list, size_t at);

/* The gate at an element, or NULL. */
const struct priority_gate *priority_plan_gate(const struct priority_plan *p, size_t list, size_t at);

/* The region that ends in front of an element, or NULL. */
const struct priority_region *priority_plan_end(const struct priority_plan *p, size_t list, size_t at);

/* Where a break, continue, goto or return leads. */
struct priority_target priority_plan_target(const struct priority_plan *p, size_t jump);

/* The level to which a thread that comes from the switch is brought first, at an element `at` with case
 * labels. */
unsigned priority_plan_entry(const struct priority_plan *p, size_t list, size_t at);

#endif
