#include "model/memory/directory.h"

#include "sim/error.h"

const char *const directory_state_name[DIRECTORY_STATE_COUNT] = {
#define X(id, what) #id,
    DIRECTORY_STATES(X)
#undef X
};
const char *const directory_event_name[DIRECTORY_EVENT_COUNT] = {
#define X(id, name, what) name,
    DIRECTORY_EVENTS(X)
#undef X
};

#define NOBODY  "no cluster has the line"
#define UNASKED "no owner has a request"
#define CLEAN   "no cluster has a line that is newer than memory"
#define BUSY    "the previous request is answered first"
#define OWNER   "the owner writes back before its last copy leaves; then memory answers"
#define SINGLE  "one cluster has copies: its last copy is the last of all"

/* ROW(state, event, action, next state); NEVER(state, event, why it cannot happen). Each row stands here
 * once. */
#define DIRECTORY_ROWS(ROW, NEVER)                                                                           \
    ROW(U, READ, MEMORY, X)                                                                                  \
    ROW(U, WRITE, MEMORY, X)                                                                                 \
    NEVER(U, UPGRADE, NOBODY)                                                                                \
    NEVER(U, CLEAN, UNASKED)                                                                                 \
    NEVER(U, DIRTY, UNASKED)                                                                                 \
    NEVER(U, WRITE_BACK, NOBODY)                                                                             \
    NEVER(U, LEAVE, NOBODY)                                                                                  \
    NEVER(U, LAST_LEAVES, NOBODY)                                                                            \
    ROW(S, READ, MEMORY, S)                                                                                  \
    ROW(S, WRITE, MEMORY_INVALIDATE, X)                                                                      \
    ROW(S, UPGRADE, INVALIDATE, X)                                                                           \
    NEVER(S, CLEAN, UNASKED)                                                                                 \
    NEVER(S, DIRTY, UNASKED)                                                                                 \
    NEVER(S, WRITE_BACK, CLEAN)                                                                              \
    ROW(S, LEAVE, NOTHING, S)                                                                                \
    ROW(S, LAST_LEAVES, NOTHING, U)                                                                          \
    ROW(O, READ, FORWARD, B)                                                                                 \
    ROW(O, WRITE, FORWARD_INVALIDATE, X)                                                                     \
    ROW(O, UPGRADE, INVALIDATE, X)                                                                           \
    NEVER(O, CLEAN, UNASKED)                                                                                 \
    NEVER(O, DIRTY, UNASKED)                                                                                 \
    ROW(O, WRITE_BACK, NOTHING, S)                                                                           \
    ROW(O, LEAVE, NOTHING, O)                                                                                \
    NEVER(O, LAST_LEAVES, OWNER)                                                                             \
    ROW(X, READ, FORWARD, B)                                                                                 \
    ROW(X, WRITE, FORWARD_INVALIDATE, X)                                                                     \
    ROW(X, UPGRADE, NOTHING, X)                                                                              \
    NEVER(X, CLEAN, UNASKED)                                                                                 \
    NEVER(X, DIRTY, UNASKED)                                                                                 \
    ROW(X, WRITE_BACK, NOTHING, X)                                                                           \
    NEVER(X, LEAVE, SINGLE)                                                                                  \
    ROW(X, LAST_LEAVES, NOTHING, U)                                                                          \
    NEVER(B, READ, BUSY)                                                                                     \
    NEVER(B, WRITE, BUSY)                                                                                    \
    NEVER(B, UPGRADE, BUSY)                                                                                  \
    ROW(B, CLEAN, NOTHING, S)                                                                                \
    ROW(B, DIRTY, NOTHING, O)                                                                                \
    NEVER(B, WRITE_BACK, BUSY)                                                                               \
    NEVER(B, LEAVE, BUSY)                                                                                    \
    NEVER(B, LAST_LEAVES, BUSY)

#define ROW(state, event, action, next)                                                                      \
    .row[DIRECTORY_##state][DIRECTORY_##event] = {DIRECTORY_##action, DIRECTORY_##next},
#define NEVER(state, event, why)                                                                             \
    .row[DIRECTORY_##state][DIRECTORY_##event] = {DIRECTORY_IMPOSSIBLE, DIRECTORY_##state},
const struct directory_table directory_table = {DIRECTORY_ROWS(ROW, NEVER)};
#undef ROW
#undef NEVER

#define ROW(state, event, action, next)
#define NEVER(state, event, why) [DIRECTORY_##state][DIRECTORY_##event] = why,
const char *const directory_assertion[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT] = {
    DIRECTORY_ROWS(ROW, NEVER)};
#undef ROW
#undef NEVER

const struct directory_row *directory_apply(const struct directory_table *t, unsigned state,
                                            enum directory_event event, uint32_t line) {
    const struct directory_row *row = &t->row[state][event];
    invariant(row->action != DIRECTORY_IMPOSSIBLE, "directory: %s of line 0x%x, which is in state %s: %s",
              directory_event_name[event], line, directory_state_name[state],
              directory_assertion[state][event]);
    return row;
}
