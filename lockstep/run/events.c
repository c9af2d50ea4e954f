#include "lockstep/run/events.h"

#include <stdio.h>
#include <string.h>

static void add_instruction(struct event_counts *c, const struct arm_instruction *i, uint64_t executions) {
    c->operations[i->class] += executions;
    c->registers_read += executions * arm_rows_of(i->sources);
    c->registers_written += executions * arm_rows_of(i->destinations);
    const uint64_t words = executions * ((i->access_bytes + 3u) / 4);
    if (i->is_load) c->words_loaded += words;
    if (i->is_store) c->words_stored += words;
}

void events_add(struct events *x, const struct machine *m, const struct machine_launch *launch) {
    const int64_t *threads = machine_thread_executions(m), *cores = machine_core_executions(m);
    if (!threads || !cores) return;
    for (uint32_t n = 0; n < launch->code->text_bytes / 4; n++) {
        const struct arm_instruction *i = &launch->code->decoded[n];
        if (threads[n]) add_instruction(&x->threads, i, (uint64_t)threads[n]);
        if (cores[n]) add_instruction(&x->cores, i, (uint64_t)cores[n]);
    }
    x->traffic = machine_traffic(m);
}

/* --- as JSON --- */

#define OTHERS       4 /* number of counts that are not operations */
#define INSTRUCTIONS (ARM_CLASS_COUNT + OTHERS)

/* Returns count number n, and writes its name. */
static uint64_t *count_at(struct event_counts *c, size_t n, char name[64]) {
    const struct {
        const char *name;
        uint64_t *value;
    } rest[OTHERS] = {{"registers_read", &c->registers_read},
                      {"registers_written", &c->registers_written},
                      {"words_loaded", &c->words_loaded},
                      {"words_stored", &c->words_stored}};
    if (n < ARM_CLASS_COUNT) {
        snprintf(name, 64, "operations.%s", arm_class_name[n]);
        return &c->operations[n];
    }
    snprintf(name, 64, "%s", rest[n - ARM_CLASS_COUNT].name);
    return rest[n - ARM_CLASS_COUNT].value;
}

/* Returns the n-th count of events that are not instructions; NULL after the last. */
static uint64_t *traffic_at(struct machine_traffic *t, size_t n, char name[64]) {
    const struct {
        const char *name;
        uint64_t *value;
    } all[] = {{"l1d.stores", &t->l1d_stores},
               {"l2.stores", &t->l2_stores},
               {"barrier_arrivals", &t->barrier_arrivals}};
    if (n >= sizeof all / sizeof *all) return NULL;
    snprintf(name, 64, "%s", all[n].name);
    return all[n].value;
}

/* Returns the n-th of all events; NULL after the last. */
static uint64_t *event_at(struct events *x, size_t n, const char **scope, char name[64]) {
    static const char *const scopes[] = {"threads", "cores", "machine"};
    const size_t k = n < 2 * INSTRUCTIONS ? n / INSTRUCTIONS : 2;
    *scope = scopes[k];
    n -= k * INSTRUCTIONS;
    return k == 2 ? traffic_at(&x->traffic, n, name) : count_at(k ? &x->cores : &x->threads, n, name);
}

json_t *events_document(const struct events *x) {
    struct events copy = *x;
    json_t *j = json_array();
    const char *scope;
    char name[64];
    uint64_t *value;
    for (size_t n = 0; (value = event_at(&copy, n, &scope, name)); n++)
        json_array_append_new(
            j, json_pack("{s:s, s:s, s:I}", "scope", scope, "name", name, "value", (json_int_t)*value));
    return j;
}

/* Finds a value; returns false if it is absent. */
static bool find_value(const json_t *document, const char *scope, const char *name, uint64_t *value) {
    size_t index;
    json_t *row;
    json_array_foreach(document, index, row) {
        const char *in = json_string_value(json_object_get(row, "scope")),
                   *called = json_string_value(json_object_get(row, "name"));
        const json_t *is = json_object_get(row, "value");
        if (!in || !called || !json_is_integer(is) || strcmp(in, scope) != 0 || strcmp(called, name) != 0)
            continue;
        *value = (uint64_t)json_integer_value(is);
        return true;
    }
    return false;
}

bool events_from(struct events *x, const json_t *document) {
    const char *scope;
    char name[64];
    uint64_t *value;
    *x = (struct events){0};
    for (size_t n = 0; (value = event_at(x, n, &scope, name)); n++)
        if (!find_value(document, scope, name, value)) return false;
    return true;
}
