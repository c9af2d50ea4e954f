#include "tb/twin_insides.h"

#include "tb/twin.h"

#include <stdlib.h>
#include <string.h>

const char *twin_left_out(const struct twin *t) {
    const char *all = t->library.left_out;
    return all && *all ? all + strlen(", ") : NULL;
}

bool twin_insides_open(struct twin *t) {
    struct twin_insides *s = &t->insides;
    if (s->reader || !t->library.inside_open) return s->reader != NULL;
    s->reader = t->library.inside_open(t->instance, &s->all);
    s->now = calloc(s->all.words + 1, sizeof *s->now);
    require_memory(s->now);
    return true;
}

static void close_reader(struct twin *t) {
    if (t->insides.reader) t->library.inside_close(t->insides.reader);
    free(t->insides.now);
    free(t->insides.again);
    t->insides.reader = NULL;
    t->insides.now = t->insides.again = NULL;
}

void twin_insides_free(struct twin *t) {
    close_reader(t);
    free(t->insides.state[0]);
    free(t->insides.state[1]);
}

void twin_insides_look(struct twin *t) {
    t->library.inside_look(t->insides.reader, t->insides.now);
}

void twin_insides_keep(struct twin *t) {
    struct twin_insides *s = &t->insides;
    const unsigned n = s->kept++ % 2;
    if (!s->state[n]) s->state[n] = malloc(t->library.state_bytes());
    require_memory(s->state[n]);
    t->library.state_keep(t->instance, s->state[n]);
    s->before[n] = t->records;
    s->next = t->records + TWIN_STATE_CYCLES;
}

void twin_insides_forget(struct twin *t) {
    close_reader(t);
    t->insides.kept = t->insides.next = 0;
}

/* The state from which most of the records are repeated. */
static const char *earliest(const struct twin *t, uint64_t *record) {
    const struct twin_insides *s = &t->insides;
    const char *state = NULL;
    for (unsigned n = 0; n < 2 && n < s->kept; ++n) {
        if (t->records - s->before[n] > TWIN_HISTORY || (state && s->before[n] > *record)) continue;
        state = s->state[n];
        *record = s->before[n];
    }
    return state;
}

/* True: it gives what it gave before. */
static bool repeat(struct twin *t, unsigned age, twin_value *values) {
    const struct twin_record *r = twin_history(t, age);
    const size_t size = (t->slots - t->input_slots) * sizeof *values;
    t->library.settle(t->instance, twin_inputs(t, age));
    t->library.inside_look(t->insides.reader,
                           t->insides.again + (t->records - 1 - age) % TWIN_HISTORY * t->insides.all.words);
    twin_read(t, values);
    const bool same = memcmp(values + t->input_slots, r->verilog + t->input_slots, size) == 0;
    if (t->library.edge && age > 0) t->library.edge(t->instance);
    return same;
}

unsigned twin_insides_repeat(struct twin *t) {
    uint64_t record = 0;
    const char *state = earliest(t, &record);
    if (!state || !twin_insides_open(t)) return 0;
    char *present = malloc(t->library.state_bytes());
    twin_value *values = calloc(t->slots, sizeof *values);
    free(t->insides.again);
    t->insides.again = calloc((size_t)TWIN_HISTORY * t->insides.all.words + 1, sizeof *t->insides.again);
    require_memory(present && values && t->insides.again);
    const unsigned count = (unsigned)(t->records - record);
    bool same = true;
    t->library.state_keep(t->instance, present);
    t->library.hush(true);
    t->library.state_put(t->instance, state);
    for (unsigned age = count; same && age-- > 0;) same = repeat(t, age, values);
    t->library.state_put(t->instance, present);
    t->library.hush(t->quiet);
    free(present);
    free(values);
    return same ? count : 0;
}

const uint32_t *twin_insides_of(const struct twin *t, unsigned age) {
    return t->insides.again + (t->records - 1 - age) % TWIN_HISTORY * t->insides.all.words;
}
