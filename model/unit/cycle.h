/*
 * cycle: the order of a cycle of a barrel unit, said once for all its instances. CALL(stage, due) calls a
 * stage of a row if its due cycle, a field of the unit, has come, and with ports in every cycle.
 * DUE(stage, due) does so only for twins: without them the stage's block would do nothing before that cycle.
 * ALWAYS(stage) calls a stage that knows itself whether it is due.
 */
#ifndef MODEL_UNIT_CYCLE_H
#define MODEL_UNIT_CYCLE_H

#define UNIT_BARREL_FIRST(CALL, ALWAYS)                                                                      \
    CALL(SLOTS(u)->contexts->write, u->landed)                                                               \
    CALL(SLOTS(u)->home->answers, u->held.next)                                                              \
    ALWAYS(SLOTS(u)->lanes->execute)                                                                         \
    ALWAYS(SLOTS(u)->contexts->collect)                                                                      \
    CALL(SLOTS(u)->front->step, u->front_next)
/* Uniform values and their blocks are in between. */
#define UNIT_BARREL_LAST(CALL, DUE)                                                                          \
    CALL(SLOTS(u)->contexts->commit, u->landed)                                                              \
    DUE(unit_step_barriers, u->barriers_next)

#define UNIT_CALL_DUE(stage, due) earlier(&next, t < (due) ? (due) : (stage)(u, t));
#define UNIT_CALL_ALWAYS(stage)   earlier(&next, (stage)(u, t));

#endif
