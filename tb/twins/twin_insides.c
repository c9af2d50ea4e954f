#include "tb/twins/twin_insides.h"

#include "tb/twins/twin.h"

#include <stdlib.h>
#include <string.h>

const char *twin_left_out(const struct twin *t) {
    const char *all = t->library.left_out;
    return all && *all ? all + strlen(", ") : NULL;
}

bool twin_insides_open(struct twin *t) {
    struct twin_insides *s = &t->insides;
    if (s->reader || !t->library.inside_open) return s->reader != NULL;
    if (!s->vcd.top) verilated_vcd_init(&s->vcd, t->library.top, t->library.inside_types);
    s->reader = t->library.inside_open(t->instance);
    twin_insides_look(t);
    return true;
}

static void close_reader(struct twin *t) {
    if (t->insides.reader) t->library.inside_close(t->insides.reader);
    t->insides.reader = NULL;
}

void twin_insides_free(struct twin *t) {
    close_reader(t);
    verilated_vcd_free(&t->insides.vcd);
    free(t->insides.again);
    free(t->insides.state[0]);
    free(t->insides.state[1]);
    t->insides = (struct twin_insides){0};
}

void twin_insides_look(struct twin *t) {
    verilated_vcd_read(&t->insides.vcd, t->library.inside_look(t->insides.reader));
}

void twin_insides_keep(struct twin *t) {
    struct twin_insides *s = &t->insides;
    const unsigned n = s->kept++ % 2;
    if (!s->state[n]) s->state[n] = malloc(t->library.state_bytes(t->instance));
    require_memory(s->state[n]);
    t->library.state_keep(t->instance, s->state[n]);
    s->before[n] = t->records;
    s->next = t->records + TWIN_STATE_CYCLES;
}

void twin_insides_forget(struct twin *t) {
    close_reader(t);
    free(t->insides.again);
    t->insides.again = NULL;
    t->insides.kept = t->insides.next = 0;
}

/* Returns the state from which most records can be repeated. */
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

/* Repeats a record. Returns whether the results are those of the record. */
static bool repeat(struct twin *t, unsigned age, twin_value *values) {
    const struct twin_record *r = twin_history(t, age);
    const size_t size = (t->slots - t->input_slots) * sizeof *values;
    t->library.settle(t->instance, twin_inputs(t, age));
    twin_insides_look(t);
    memcpy(t->insides.again + (t->records - 1 - age) % TWIN_HISTORY * t->insides.vcd.all.words,
           t->insides.vcd.now, t->insides.vcd.all.words * sizeof *t->insides.again);
    twin_read(t, values);
    const bool same = memcmp(values + t->input_slots, r->verilog + t->input_slots, size) == 0;
    if (t->library.edge && age > 0) t->library.edge(t->instance);
    return same;
}

/* Restores a state. The next look reads all values, not only changed ones. */
static void put(struct twin *t, const char *state, unsigned bytes) {
    close_reader(t);
    t->library.state_put(t->instance, state, bytes);
    twin_insides_open(t);
}

unsigned twin_insides_repeat(struct twin *t) {
    uint64_t record = 0;
    const char *state = earliest(t, &record);
    if (!state || !twin_insides_open(t)) return 0;
    const unsigned bytes = t->library.state_bytes(t->instance);
    char *present = malloc(bytes);
    twin_value *values = calloc(t->slots, sizeof *values);
    free(t->insides.again);
    t->insides.again = calloc((size_t)TWIN_HISTORY * t->insides.vcd.all.words + 1, sizeof *t->insides.again);
    require_memory(present && values && t->insides.again);
    const unsigned count = (unsigned)(t->records - record);
    bool same = true;
    t->library.state_keep(t->instance, present);
    t->library.hush(true);
    put(t, state, bytes);
    for (unsigned age = count; same && age-- > 0;) same = repeat(t, age, values);
    put(t, present, bytes);
    t->library.hush(t->quiet);
    free(present);
    free(values);
    return same ? count : 0;
}

const uint32_t *twin_insides_of(const struct twin *t, unsigned age) {
    return t->insides.again + (t->records - 1 - age) % TWIN_HISTORY * t->insides.vcd.all.words;
}
