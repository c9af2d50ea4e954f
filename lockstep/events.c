#include "lockstep/events.h"

#include <stdio.h>
#include <string.h>

static void add_instruction(struct event_counts *c, const struct arm_instruction *i, uint64_t executions) {
    c->operations[i->class] += executions;
    c->registers_read += executions * (unsigned)__builtin_popcountll(i->sources);
    c->registers_written += executions * (unsigned)__builtin_popcountll(i->destinations);
    const uint64_t words = executions * ((i->access_bytes + 3u) / 4);
    if (i->is_load) c->words_loaded += words;
    if (i->is_store) c->words_stored += words;
}

void events_add(struct events *x, const struct machine *m, const struct machine_launch *launch,
                const struct machine_result *result) {
    const struct machine_profile *rows = machine_profile(m);
    if (!rows) return;
    struct event_counts *c = result->mode == MODE_MIMD ? &x->cores : &x->threads;
    for (uint32_t n = 0; n < launch->code->text_bytes / 4; n++)
        if (rows[n].executions) add_instruction(c, &launch->code->decoded[n], rows[n].executions);
}

/* --- as JSON --- */

/* The count with a number, and its name; NULL: there are no more. */
static uint64_t *count_at(struct event_counts *c, size_t n, char name[64]) {
    const struct {
        const char *name;
        uint64_t *value;
    } rest[] = {{"registers_read", &c->registers_read},
                {"registers_written", &c->registers_written},
                {"words_loaded", &c->words_loaded},
                {"words_stored", &c->words_stored}};
    if (n < ARM_CLASS_COUNT) {
        snprintf(name, 64, "operations.%s", arm_class_name[n]);
        return &c->operations[n];
    }
    n -= ARM_CLASS_COUNT;
    if (n >= sizeof rest / sizeof *rest) return NULL;
    snprintf(name, 64, "%s", rest[n].name);
    return rest[n].value;
}

json_t *events_document(const struct events *x) {
    struct events copy = *x;
    json_t *j = json_array();
    for (unsigned k = 0; k < 2; k++) {
        char name[64];
        uint64_t *value;
        for (size_t n = 0; (value = count_at(k ? &copy.cores : &copy.threads, n, name)); n++)
            json_array_append_new(j, json_pack("{s:s, s:s, s:I}", "scope", k ? "cores" : "threads", "name",
                                               name, "value", (json_int_t)*value));
    }
    return j;
}

bool events_from(struct events *x, const json_t *document) {
    size_t index, found = 0, wanted = 0;
    json_t *row;
    *x = (struct events){0};
    if (!json_is_array(document)) return false;
    for (unsigned k = 0; k < 2; k++) {
        char name[64];
        uint64_t *value;
        for (size_t n = 0; (value = count_at(k ? &x->cores : &x->threads, n, name)); n++, wanted++)
            json_array_foreach(document, index, row) {
                const char *scope = json_string_value(json_object_get(row, "scope")),
                           *called = json_string_value(json_object_get(row, "name"));
                const json_t *is = json_object_get(row, "value");
                if (!scope || !called || !json_is_integer(is) ||
                    strcmp(scope, k ? "cores" : "threads") != 0 || strcmp(called, name) != 0)
                    continue;
                *value = (uint64_t)json_integer_value(is);
                found++;
            }
    }
    return found == wanted;
}
