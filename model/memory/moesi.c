#include "model/memory/moesi.h"

#include "sim/error.h"

const char *const moesi_state_name[MOESI_STATE_COUNT] = {
#define X(id, what) #id,
    MOESI_STATES(X)
#undef X
};
const char *const moesi_event_name[MOESI_EVENT_COUNT] = {
#define X(id, name, what) name,
    MOESI_EVENTS(X)
#undef X
};

#define ABSENT "an absent line can be neither evicted nor granted"
#define FILLED "only an absent line is filled"
#define ONLY   "another L2 has the line although this is the only copy"
#define OWN    "the only copy needs no upgrade"

/* ROW(state, event, action, next state); NEVER(state, event, why it cannot happen). Each row stands here
 * once. */
#define MOESI_ROWS(ROW, NEVER)                                                                               \
    ROW(I, LOAD, READ, I)                                                                                    \
    ROW(I, STORE, WRITE, I)                                                                                  \
    NEVER(I, EVICT, ABSENT)                                                                                  \
    ROW(I, FILL_SHARED, NOTHING, S)                                                                          \
    ROW(I, FILL_ALONE, NOTHING, E)                                                                           \
    ROW(I, FILL_WRITE, NOTHING, M)                                                                           \
    NEVER(I, GRANT, ABSENT)                                                                                  \
    ROW(I, SNOOP_READ, NOTHING, I)                                                                           \
    ROW(I, SNOOP_WRITE, NOTHING, I)                                                                          \
    ROW(I, SNOOP_UPGRADE, NOTHING, I)                                                                        \
    ROW(S, LOAD, HIT, S)                                                                                     \
    ROW(S, STORE, UPGRADE, S)                                                                                \
    ROW(S, EVICT, NOTHING, I)                                                                                \
    NEVER(S, FILL_SHARED, FILLED)                                                                            \
    NEVER(S, FILL_ALONE, FILLED)                                                                             \
    NEVER(S, FILL_WRITE, FILLED)                                                                             \
    ROW(S, GRANT, NOTHING, M)                                                                                \
    ROW(S, SNOOP_READ, SUPPLY, S)                                                                            \
    ROW(S, SNOOP_WRITE, SUPPLY, I)                                                                           \
    ROW(S, SNOOP_UPGRADE, NOTHING, I)                                                                        \
    ROW(E, LOAD, HIT, E)                                                                                     \
    ROW(E, STORE, HIT, M)                                                                                    \
    ROW(E, EVICT, NOTHING, I)                                                                                \
    NEVER(E, FILL_SHARED, FILLED)                                                                            \
    NEVER(E, FILL_ALONE, FILLED)                                                                             \
    NEVER(E, FILL_WRITE, FILLED)                                                                             \
    NEVER(E, GRANT, OWN)                                                                                     \
    ROW(E, SNOOP_READ, SUPPLY, S)                                                                            \
    ROW(E, SNOOP_WRITE, SUPPLY, I)                                                                           \
    NEVER(E, SNOOP_UPGRADE, ONLY)                                                                            \
    ROW(O, LOAD, HIT, O)                                                                                     \
    ROW(O, STORE, UPGRADE, O)                                                                                \
    ROW(O, EVICT, WRITE_BACK, I)                                                                             \
    NEVER(O, FILL_SHARED, FILLED)                                                                            \
    NEVER(O, FILL_ALONE, FILLED)                                                                             \
    NEVER(O, FILL_WRITE, FILLED)                                                                             \
    ROW(O, GRANT, NOTHING, M)                                                                                \
    ROW(O, SNOOP_READ, SUPPLY, O)                                                                            \
    ROW(O, SNOOP_WRITE, SUPPLY, I)                                                                           \
    ROW(O, SNOOP_UPGRADE, NOTHING, I)                                                                        \
    ROW(M, LOAD, HIT, M)                                                                                     \
    ROW(M, STORE, HIT, M)                                                                                    \
    ROW(M, EVICT, WRITE_BACK, I)                                                                             \
    NEVER(M, FILL_SHARED, FILLED)                                                                            \
    NEVER(M, FILL_ALONE, FILLED)                                                                             \
    NEVER(M, FILL_WRITE, FILLED)                                                                             \
    NEVER(M, GRANT, OWN)                                                                                     \
    ROW(M, SNOOP_READ, SUPPLY, O)                                                                            \
    ROW(M, SNOOP_WRITE, SUPPLY, I)                                                                           \
    NEVER(M, SNOOP_UPGRADE, ONLY)

#define ROW(state, event, action, next) .row[MOESI_##state][MOESI_##event] = {MOESI_##action, MOESI_##next},
#define NEVER(state, event, why)        .row[MOESI_##state][MOESI_##event] = {MOESI_IMPOSSIBLE, MOESI_##state},
const struct moesi_table moesi_table = {MOESI_ROWS(ROW, NEVER)};
#undef ROW
#undef NEVER

#define ROW(state, event, action, next)
#define NEVER(state, event, why) [MOESI_##state][MOESI_##event] = why,
const char *const moesi_assertion[MOESI_STATE_COUNT][MOESI_EVENT_COUNT] = {MOESI_ROWS(ROW, NEVER)};
#undef ROW
#undef NEVER

void moesi_panic(unsigned state, enum moesi_event event, uint32_t line) {
    invariant(false, "%s of line 0x%x, which is in state %s: %s", moesi_event_name[event], line,
              moesi_state_name[state], moesi_assertion[state][event]);
}
