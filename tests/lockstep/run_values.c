#include "tests/lockstep/run_values.h"
#include "tests/lockstep/record.h"
#include "tests/sim/trace_summary.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NAME_BYTES = 256, CHECK_DIGITS = 3, CHECK_BITS = 6, FAULT_COLUMNS = 7 };

struct run_values run_values_begin(void) {
    return (struct run_values){json_object()};
}

/* A scope with * in place of the numbers of its parts; the 1 of l1d and the 2 of l2 are names. */
static void star(char out[NAME_BYTES], const char *scope) {
    char *to = out;
    assert_in_range(strlen(scope), 0, NAME_BYTES - 1);
    while (*scope) {
        const size_t length = strcspn(scope, ".");
        size_t stem = length;
        while (stem > 0 && isdigit((unsigned char)scope[stem - 1])) stem--;
        if (stem == 0 || (stem == 1 && *scope == 'l')) stem = length;
        to = mempcpy(to, scope, stem);
        if (stem < length) *to++ = '*';
        scope += length;
        if (*scope) *to++ = *scope++;
    }
    *to = '\0';
}

/* Adds `numbers` numbers with a sum and a hash under a name; hash 0: they are all 0. */
static void add(struct run_values *v, const char *scope, const char *name, json_int_t sum, uint64_t hash,
                unsigned numbers) {
    char starred[NAME_BYTES], whole[2 * NAME_BYTES];
    star(starred, scope);
    snprintf(whole, sizeof whole, "%s%s%s", starred, *starred ? " " : "", name);
    json_t *part = json_object_get(v->parts, whole);
    if (!part) {
        part = json_pack("[i, I, i]", 0, (json_int_t)0, 0);
        json_object_set_new(v->parts, whole, part);
    }
    json_integer_set(json_array_get(part, 2), json_integer_value(json_array_get(part, 2)) + numbers);
    if (hash == 0) return;
    const json_int_t before = json_integer_value(json_array_get(part, 1));
    hash ^= XXH3_64bits(scope, strlen(scope));
    json_integer_set(json_array_get(part, 0), json_integer_value(json_array_get(part, 0)) + sum);
    json_integer_set(json_array_get(part, 1),
                     (json_int_t)XXH3_64bits_withSeed(&hash, sizeof hash, (uint64_t)before));
}

static void add_number(struct run_values *v, const char *scope, const char *name, json_int_t value) {
    add(v, scope, name, value, value ? XXH3_64bits(&value, sizeof value) : 0, 1);
}

/* Adds the integers below a part of JSON text; of its texts, the names of kernels and modes. */
static void add_part(struct run_values *v, const char *scope, const char *name, json_t *part) {
    char longer[NAME_BYTES];
    const char *key;
    json_t *of;
    size_t n;
    if (json_is_integer(part) || json_is_boolean(part)) {
        add_number(v, scope, name, json_is_true(part) ? 1 : json_integer_value(part));
    } else if (json_is_string(part) && (strcmp(name, "kernel") == 0 || strcmp(name, "mode") == 0)) {
        snprintf(longer, sizeof longer, "%s %s", name, json_string_value(part));
        add_number(v, scope, longer, 1);
    } else if (json_is_object(part)) {
        snprintf(longer, sizeof longer, "%s%s%s", scope, *scope ? "." : "", name);
        json_object_foreach(part, key, of) {
            add_part(v, longer, key, of);
        }
    }
    json_array_foreach(part, n, of) {
        snprintf(longer, sizeof longer, "%s%zu", name, n);
        add_part(v, scope, longer, of);
    }
}

void run_values_add(struct run_values *v, const char *name, const json_t *part) {
    add_part(v, "", name, (json_t *)part);
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Adds a histogram's sum; every integer of the histogram is hashed. */
static void add_histogram(struct run_values *v, const json_t *histogram) {
    json_t *kept = json_copy((json_t *)histogram);
    json_object_del(kept, "mean");
    json_object_del(kept, "description");
    char *text = json_dumps(kept, JSON_COMPACT | JSON_SORT_KEYS);
    const bool empty = fixture_number(histogram, "total") == 0;
    add(v, text_of(histogram, "scope"), text_of(histogram, "name"), fixture_number(histogram, "sum"),
        empty ? 0 : XXH3_64bits(text, strlen(text)), 2);
    free(text);
    json_decref(kept);
}

void run_values_add_statistics(struct run_values *v, const json_t *statistics) {
    static const char *const kept[] = {"exit_status", "totals", "launches"};
    json_t *of;
    size_t n;
    add_number(v, "outcome", text_of(statistics, "outcome"), 1);
    for (n = 0; n < sizeof kept / sizeof *kept; n++)
        run_values_add(v, kept[n], json_object_get(statistics, kept[n]));
    json_array_foreach(json_object_get(statistics, "counters"), n, of) {
        add_number(v, text_of(of, "scope"), text_of(of, "name"), fixture_number(of, "value"));
    }
    json_array_foreach(json_object_get(statistics, "histograms"), n, of) {
        add_histogram(v, of);
    }
}

/* Lines of a place and a number for each column, two blanks or more between them. */
void run_values_add_faults(struct run_values *v, const char *text) {
    static const char *const columns[FAULT_COLUMNS] = {"runs",   "detected", "by traps", "corrected",
                                                       "masked", "silent",   "hang"};
    const char *line = strstr(text, "\n  faults ");
    while (line && (line = strchr(line + 1, '\n')) && strncmp(line, "\n  ", 3) == 0) {
        const char *place = line + 3, *end = strstr(place, "  ");
        assert_non_null(end);
        char *name = spawn_text("faults.%.*s", (int)(end - place), place), *rest = (char *)end;
        for (unsigned n = 0; n < FAULT_COLUMNS; n++)
            add_number(v, name, columns[n], strtoll(rest, &rest, 10));
        free(name);
    }
}

static void add_wave(void *values, const char *scope, const char *name, uint64_t changes, uint64_t hash) {
    char whole[NAME_BYTES];
    snprintf(whole, sizeof whole, RECORD_WAVES "%s", scope);
    add(values, whole, name, (json_int_t)changes, hash, 2);
}

void run_values_add_waves(struct run_values *v, const char *path) {
    trace_summarize(path, add_wave, v);
}

/* Returns whether a value of the totals is the sum of the launches' values. */
static bool is_sum_of_launches(const struct run_values *v, const char *name, json_int_t sum) {
    if (strncmp(name, "totals", strlen("totals")) != 0) return false;
    char *launches = spawn_text("launches*%s", name + strlen("totals"));
    const json_t *part = json_object_get(v->parts, launches);
    free(launches);
    return part && json_integer_value(json_array_get(part, 0)) == sum;
}

json_t *run_values_end(struct run_values *v) {
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    json_t *all = json_object(), *part;
    const char *name;
    json_object_foreach(v->parts, name, part) {
        const json_int_t sum = json_integer_value(json_array_get(part, 0));
        uint64_t hash = (uint64_t)json_integer_value(json_array_get(part, 1));
        if (hash == 0 || is_sum_of_launches(v, name, sum)) continue;
        char check[CHECK_DIGITS + 1] = "";
        for (unsigned n = 0; n < CHECK_DIGITS; n++, hash >>= CHECK_BITS)
            check[n] = digits[hash % (1u << CHECK_BITS)];
        const bool one = json_integer_value(json_array_get(part, 2)) == 1;
        json_object_set_new(all, name, json_sprintf(one ? "%lld" : "%lld/%s", (long long)sum, check));
    }
    json_decref(v->parts);
    return all;
}
