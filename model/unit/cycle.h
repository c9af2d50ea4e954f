/*
 * cycle: the order of the stages in a cycle of a barrel unit, common to all its instances. CALL(stage, due)
 * calls a stage of a row if its due cycle, a field of the unit, has come, and with ports in every cycle.
 * DUE(stage, due) does so only for twins: without twins the stage's block has no work before that cycle.
 * ALWAYS(stage) calls a stage that checks itself whether it is due.
 */
#ifndef MODEL_UNIT_CYCLE_H
#define MODEL_UNIT_CYCLE_H

#define UNIT_BARREL_FIRST(CALL, ALWAYS)                                                                      \
    CALL(SLOTS(u)->contexts->write, u->landed)                                                               \
    CALL(SLOTS(u)->home->answers, u->held.next)                                                              \
    ALWAYS(SLOTS(u)->lanes->execute)                                                                         \
    ALWAYS(SLOTS(u)->contexts->collect)                                                                      \
    CALL(SLOTS(u)->front->step, u->front_next)
/* Stages after those of uniform values, which come in between; of engines, after each. */
#define UNIT_BARREL_COMMIT(CALL) CALL(SLOTS(u)->contexts->commit, u->landed)
#define UNIT_BARREL_LAST(DUE)    DUE(unit_step_barriers, u->barriers_next)

#define UNIT_CALL_DUE(stage, due) earlier(&next, t < (due) ? (due) : (stage)(u, t));
#define UNIT_CALL_ALWAYS(stage)   earlier(&next, (stage)(u, t));

#endif
