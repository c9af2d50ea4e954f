/* commit_design: a design for tests of the commit checker. It executes a launch with its own registers and
 * the design's memory, one core or warp after the other, and reports its commits. Threads of a warp with the
 * lowest PC go first; barriers are obeyed.
 * Links: $(LIBRARY_OBJECTS) */
#ifndef TESTS_LIBRARY_COMMIT_DESIGN_H
#define TESTS_LIBRARY_COMMIT_DESIGN_H

#include "library/commit_parts.h"
#include "model/control/exclusive_monitor.h"

#define DESIGN_ROWS 40 /* limit of an instruction's written values or stored words */

/* Report of an instruction; the pointers of `told` refer to the rows below. */
struct design_commit {
    struct lockstep_committed told;
    uint32_t values[DESIGN_ROWS * ARM_MAX_POSITIONS], addresses[ARM_MAX_POSITIONS],
        data[DESIGN_ROWS * ARM_MAX_POSITIONS];
};

struct design {
    struct lockstep_checker *checker;
    bool mimd;
    unsigned units, threads;
    struct design_unit *unit;
    uint64_t next_item; /* SIMT: work-item to start next */
    unsigned turn;      /* instructions of a unit before the next unit's; 0: 7 */
    bool one_warp;      /* SIMT: no second one is started */
    uint64_t commits;
    struct exclusive_monitor *monitor; /* NULL: exclusive stores always succeed, which is a fault */
    /* Plants a mistake: changes the report of instruction `i`. NULL: no mistake. */
    void (*fault)(struct design *d, struct design_commit *told, const struct arm_instruction *i);
    /* Receives the reports in place of lockstep_commit(), if not NULL. Returns false to end the run. */
    bool (*commit)(struct design *d, const struct design_commit *told);
    void *context;
};

/* Executes the checker's launch to its end. False: a commit has failed. */
bool design_run(struct design *d, struct lockstep_checker *c, unsigned units);
/* Commits up to `count` instructions of a unit again, with the reference's registers. Returns false if one
 * differs. */
bool design_again(struct design *d, unsigned unit, unsigned count);
/* Continues to the launch's end. */
bool design_go_on(struct design *d);
void design_free(struct design *d);

#endif
