/*
 * moesi: the snooping protocol between the L2s of a cluster: the action and the next state for each state of
 * a line and each event, one table (docs/coherence.md shows it; dual-mode Table 2, §5.4.2).
 *
 * A request is one transaction: it waits for its turn on the cluster's bus, every other L2 snoops it, and all
 * states change at once. The units (private_l2, snoop_bus) compute when data and permission arrive. So there
 * are no transient states; a line in flight has an ordinary state and a time.
 */
#ifndef MODEL_MEMORY_MOESI_H
#define MODEL_MEMORY_MOESI_H

#include <stdbool.h>
#include <stdint.h>

#define MOESI_STATES(X)                                                                                      \
    X(I, "invalid: not there")                                                                               \
    X(S, "shared: others may have it; equal to the owner's copy or, without an owner, to memory")            \
    X(E, "exclusive: the only copy, as in memory")                                                           \
    X(O, "owned: others may have it; memory is out of date")                                                 \
    X(M, "modified: the only copy; memory is out of date")
enum moesi_state {
#define X(id, what) MOESI_##id,
    MOESI_STATES(X)
#undef X
        MOESI_STATE_COUNT
};

#define MOESI_EVENTS(X)                                                                                      \
    X(LOAD, "load", "the core, its L1s or its page walker read the line")                                    \
    X(STORE, "store", "the core writes to the line")                                                         \
    X(EVICT, "evict", "the line makes room for another")                                                     \
    X(FILL_SHARED, "fill shared", "the answer to a read: others have the line, too")                         \
    X(FILL_ALONE, "fill alone", "the answer to a read: no other L2 has the line")                            \
    X(FILL_WRITE, "fill to write", "the answer to a write: all other copies are invalid")                    \
    X(GRANT, "grant", "the answer to an upgrade: all other copies are invalid")                              \
    X(SNOOP_READ, "snoop read", "another L2 reads the line")                                                 \
    X(SNOOP_WRITE, "snoop write", "another L2 requests the line to write to it")                             \
    X(SNOOP_UPGRADE, "snoop upgrade", "another L2 has the line and requests to write to it")
enum moesi_event {
#define X(id, name, what) MOESI_##id,
    MOESI_EVENTS(X)
#undef X
        MOESI_EVENT_COUNT
};

#define MOESI_ACTIONS(X)                                                                                     \
    X(IMPOSSIBLE, "—", "impossible: the run ends with status 122")                                           \
    X(NOTHING, "", "nothing else happens")                                                                   \
    X(HIT, "hit", "the access is done")                                                                      \
    X(READ, "read", "asks the bus for the line")                                                             \
    X(WRITE, "write", "asks the bus for the line and the right to write")                                    \
    X(UPGRADE, "upgrade", "asks the bus for the right to write")                                             \
    X(SUPPLY, "supply", "sends the line to the requester")                                                   \
    X(WRITE_BACK, "write back", "writes the line to memory")
enum moesi_action {
#define X(id, name, what) MOESI_##id,
    MOESI_ACTIONS(X)
#undef X
        MOESI_ACTION_COUNT
};

struct moesi_row {
    uint8_t action, next; /* enum moesi_action, enum moesi_state */
};
struct moesi_table {
    struct moesi_row row[MOESI_STATE_COUNT][MOESI_EVENT_COUNT];
};

extern const struct moesi_table moesi_table;
extern const char *const moesi_state_name[MOESI_STATE_COUNT];
extern const char *const moesi_event_name[MOESI_EVENT_COUNT];
/* Why the impossible rows are impossible; NULL for the others. */
extern const char *const moesi_assertion[MOESI_STATE_COUNT][MOESI_EVENT_COUNT];

/* Ends the run: the event is impossible in that state. */
void moesi_panic(unsigned state, enum moesi_event event, uint32_t line);

/* Returns the row of an event; panics with its name if it is impossible. */
static inline const struct moesi_row *moesi_apply(const struct moesi_table *t, unsigned state,
                                                  enum moesi_event event, uint32_t line) {
    const struct moesi_row *row = &t->row[state][event];
    if (__builtin_expect(row->action == MOESI_IMPOSSIBLE, 0)) moesi_panic(state, event, line);
    return row;
}

/* Return whether the line must be written to memory when it is evicted; whether it is the machine's only
 * copy. */
static inline bool moesi_dirty(unsigned state) {
    return state == MOESI_O || state == MOESI_M;
}
static inline bool moesi_alone(unsigned state) {
    return state == MOESI_E || state == MOESI_M;
}

#endif
