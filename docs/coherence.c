/*
 * coherence: prints docs/coherence.md, the coherence protocols as a text in Markdown, made from the tables
 * that the simulator runs on (`make docs/coherence.md`).
 */
#include "model/memory/directory.h"
#include "model/memory/moesi.h"

#include <stdio.h>

struct meaning {
    const char *name, *what;
};

static const struct meaning moesi_states[] = {
#define X(id, what) {#id, what},
    MOESI_STATES(X)
#undef X
};
static const struct meaning moesi_events[] = {
#define X(id, name, what) {name, what},
    MOESI_EVENTS(X)
#undef X
};
static const struct meaning moesi_actions[] = {
#define X(id, name, what) {name, what},
    MOESI_ACTIONS(X)
#undef X
};
static const struct meaning directory_states[] = {
#define X(id, what) {#id, what},
    DIRECTORY_STATES(X)
#undef X
};
static const struct meaning directory_events[] = {
#define X(id, name, what) {name, what},
    DIRECTORY_EVENTS(X)
#undef X
};
static const struct meaning directory_actions[] = {
#define X(id, name, what) {name, what},
    DIRECTORY_ACTIONS(X)
#undef X
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static void print_meanings(FILE *out, const char *title, const struct meaning *m, size_t count) {
    fprintf(out, "| %s | |\n|---|---|\n", title);
    for (size_t n = 0; n < count; ++n)
        if (m[n].name[0]) fprintf(out, "| %s | %s |\n", m[n].name, m[n].what);
    fprintf(out, "\n");
}

static void print_heads(FILE *out, const char *const *states, unsigned count) {
    fprintf(out, "| event |");
    for (unsigned s = 0; s < count; ++s) fprintf(out, " %s |", states[s]);
    fprintf(out, "\n|---|");
    for (unsigned s = 0; s < count; ++s) fprintf(out, "---|");
    fprintf(out, "\n");
}

static void print_row(FILE *out, const char *action, const char *next, bool impossible) {
    if (impossible)
        fprintf(out, " — |");
    else
        fprintf(out, " %s%s%s |", action, action[0] ? " → " : "→ ", next);
}

static void print_assertion(FILE *out, const char *event, const char *state, const char *why) {
    if (why) fprintf(out, "| %s | %s | %s |\n", event, state, why);
}

static void print_moesi(FILE *out) {
    fprintf(out, "## 3. Inside a cluster: MOESI, snooped on a bus (`model/memory/moesi.c`)\n\n");
    print_meanings(out, "state of a line in an L2", moesi_states, COUNT(moesi_states));
    print_meanings(out, "event", moesi_events, COUNT(moesi_events));
    print_meanings(out, "action", moesi_actions, COUNT(moesi_actions));
    print_heads(out, moesi_state_name, MOESI_STATE_COUNT);
    for (unsigned e = 0; e < MOESI_EVENT_COUNT; ++e) {
        fprintf(out, "| %s |", moesi_event_name[e]);
        for (unsigned s = 0; s < MOESI_STATE_COUNT; ++s) {
            const struct moesi_row *r = &moesi_table.row[s][e];
            print_row(out, moesi_actions[r->action].name, moesi_state_name[r->next],
                      r->action == MOESI_IMPOSSIBLE);
        }
        fprintf(out, "\n");
    }
    fprintf(out, "\n| impossible | in state | because |\n|---|---|---|\n");
    for (unsigned e = 0; e < MOESI_EVENT_COUNT; ++e)
        for (unsigned s = 0; s < MOESI_STATE_COUNT; ++s)
            print_assertion(out, moesi_event_name[e], moesi_state_name[s], moesi_assertion[s][e]);
}

static void print_directory(FILE *out) {
    fprintf(out, "\n## 4. Between clusters: a directory (`model/memory/directory_table.c`)\n\n");
    print_meanings(out, "state of a line in the directory", directory_states, COUNT(directory_states));
    print_meanings(out, "event", directory_events, COUNT(directory_events));
    print_meanings(out, "action", directory_actions, COUNT(directory_actions));
    print_heads(out, directory_state_name, DIRECTORY_STATE_COUNT);
    for (unsigned e = 0; e < DIRECTORY_EVENT_COUNT; ++e) {
        fprintf(out, "| %s |", directory_event_name[e]);
        for (unsigned s = 0; s < DIRECTORY_STATE_COUNT; ++s) {
            const struct directory_row *r = &directory_table.row[s][e];
            print_row(out, directory_actions[r->action].name, directory_state_name[r->next],
                      r->action == DIRECTORY_IMPOSSIBLE);
        }
        fprintf(out, "\n");
    }
    fprintf(out, "\n| impossible | in state | because |\n|---|---|---|\n");
    for (unsigned e = 0; e < DIRECTORY_EVENT_COUNT; ++e)
        for (unsigned s = 0; s < DIRECTORY_STATE_COUNT; ++s)
            print_assertion(out, directory_event_name[e], directory_state_name[s], directory_assertion[s][e]);
}

int main(void) {
    FILE *out = stdout;
    fprintf(
        out,
        "# The coherence protocols\n\n"
        "The L2s of the cores hold coherent copies of lines. Inside a cluster they snoop on a bus; between "
        "clusters a directory\nkeeps them coherent. This page lists both protocols. Read it to understand "
        "the counters of buses and directory, or to\nverify a design against the tables.\n\n"
        "`make docs/coherence.md` makes this page from the tables that the simulator uses "
        "(`docs/coherence.c`).\n\n"
        "## 1. An example\n\n"
        "A run counts the requests, for example on one cluster:\n\n"
        "    $ build/lockstep run --mode mimd --stats r.txt -- build/benchmarks/hotspot && grep cluster0.bus "
        "r.txt\n\n"
        "If core 0 reads a line that core 1 has modified, L2 0 requests it on the bus (*load* in state I: "
        "read). L2 1 gets\n*snoop read* in state M: it sends the line (*supply*) and becomes its owner "
        "(O). L2 0 gets *fill shared*; its state\nis then S.\n\n"
        "## 2. When do states change?\n\n"
        "A request is one transaction. Its states change at once, in the order of simulated time. The time "
        "at which line and\npermission arrive is computed from the waits for buses, directory and memory. A "
        "line in flight is already in its new\nstate, with the cycle from which it may be used.\n\n"
        "Each field of the tables below contains the action and the next state. "
        "`tests/memory/test_coherence.c` produces every\npair of state and event, or shows that it is "
        "impossible: its assertion ends the run with status 122.\n"
        "`tests/memory/test_coherence_document.c` compares this page with the tables.\n\n");
    print_moesi(out);
    print_directory(out);
    return fflush(out) || ferror(out);
}
