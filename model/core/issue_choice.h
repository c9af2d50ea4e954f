/*
 * issue_choice: the selection of an out-of-order core while something, such as Verilog, runs beside its block
 * (model/control/issue_select.h). The core asks the block which of its ready entries issue. An access that it
 * chooses may be turned away; the core then asks once more, without this access.
 */
#ifndef MODEL_CORE_ISSUE_CHOICE_H
#define MODEL_CORE_ISSUE_CHOICE_H

#include "model/core/core.h"
#include "model/core/out_of_order.h"

struct issue_choice {
    struct slot_set before[READY_KINDS]; /* entries that are ready in the cycle */
    struct slot_set ready[READY_KINDS];  /* those of them that have not been turned away */
    struct slot_set unaddressed;         /* stores that had not been selected before the cycle */
    uint64_t untranslated;               /* number of the access that waits for the DTLB; 0: none */
    bool may_access;                     /* the load-store unit was free */
};

/* Begins the selection of cycle t. Returns false if nothing is ready. */
bool issue_choice_begin(struct issue_choice *s, const struct core *c, uint64_t t);
/* Asks the block. */
void issue_choice_ask(const struct issue_choice *s, struct core *c, uint64_t t);
/* Returns the n-th entry that the block has chosen, and its unit; NULL if there is none. Wrong answers of a
 * block are taken as none. */
struct window_entry *issue_choice_entry(const struct issue_choice *s, struct core *c, unsigned n,
                                        uint64_t **unit, uint64_t t);
/* Takes away an access that cannot be made in the cycle. */
void issue_choice_turn_away(struct issue_choice *s, const struct core *c, const struct window_entry *e,
                            uint64_t t);
/* Notes and counts why ready entries have not been selected in cycle t. */
void issue_choice_end(const struct issue_choice *s, struct core *c, uint64_t t);

#endif
