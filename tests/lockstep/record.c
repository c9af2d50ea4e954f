#include "tests/lockstep/record.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const how_names[] = {"run", "traced", "large", "explain"};

enum { NAME_COLUMNS = 44, MOST_DIFFERENCES = 12 };

/* Reads "NUMBER HOW: OPTIONS -- ARGUMENTS"; the text is cut to pieces. */
static void read_run(struct record *r, char *line) {
    char *how = strchr(line, ' '), *colon = how ? strchr(how, ':') : NULL;
    char *arguments = colon ? strstr(colon, " --") : NULL;
    while (arguments && arguments[3] != ' ' && arguments[3] != '\0') arguments = strstr(arguments + 1, " --");
    if (!arguments || atoll(line) != r->runs + 1)
        fail_msg(RECORD_FOLDER "/%s.txt: run %u is '%s', but must be '%u HOW: OPTIONS -- ARGUMENTS'",
                 r->program, r->runs + 1, line, r->runs + 1);
    *colon = *arguments = '\0';
    r->run = realloc(r->run, (r->runs + 1) * sizeof *r->run);
    unsigned kind = 0;
    while (kind < sizeof how_names / sizeof *how_names && strcmp(how + 1, how_names[kind]) != 0) kind++;
    if (kind == sizeof how_names / sizeof *how_names)
        fail_msg(RECORD_FOLDER "/%s.txt: run %u is '%s', but must be run, traced, large or explain",
                 r->program, r->runs + 1, how + 1);
    r->run[r->runs++] = (struct record_run){
        .how = kind,
        .options = strdup(colon + 1 + strspn(colon + 1, " ")),
        .arguments = strdup(arguments + 3 + strspn(arguments + 3, " ")),
    };
}

/* Reads "NAME  V V*N …"; the text is cut to pieces. */
static void read_value(struct record *r, char *line) {
    char *values = strstr(line, "  "), *rest;
    assert_non_null(values);
    *values = '\0';
    json_t *all = json_array();
    for (char *word = strtok_r(values + 1, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *times = strchr(word, '*');
        if (times) *times++ = '\0';
        for (long n = times ? atol(times) : 1; n > 0; n--) json_array_append_new(all, json_string(word));
    }
    if (json_array_size(all) > r->runs)
        fail_msg(RECORD_FOLDER "/%s.txt: '%s' has %zu values, but there are %u runs", r->program, line,
                 json_array_size(all), r->runs);
    while (json_array_size(all) < r->runs)
        json_array_append_new(all, json_string("0")); /* values of
                                                       * new runs */
    json_object_set_new(r->values, line, all);
}

static struct record read_one(const char *path) {
    const char *name = strrchr(path, '/') + 1;
    struct record r = {.program = strndup(name, strlen(name) - strlen(".txt")), .values = json_object()};
    char *text = spawn_read(path), *rest;
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] >= '0' && line[0] <= '9')
            read_run(&r, line);
        else if (line[0] != '#')
            read_value(&r, line);
    }
    free(text);
    return r;
}

static void free_one(struct record *r) {
    for (unsigned n = 0; n < r->runs; n++) {
        free(r->run[n].options);
        free(r->run[n].arguments);
    }
    free(r->run);
    free(r->program);
    json_decref(r->values);
}

void record_visit_all(void (*visit)(void *context, struct record *r), void *context) {
    char *pattern = spawn_text("%s/" RECORD_FOLDER "/*.txt", spawn_source());
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n++) {
        struct record r = read_one(found.gl_pathv[n]);
        visit(context, &r);
        free_one(&r);
    }
    globfree(&found);
    free(pattern);
}

static const char *value_of(const json_t *values, unsigned run) {
    const char *text = json_string_value(json_array_get(values, run));
    return text ? text : "0";
}

const char *record_value(const struct record *r, const char *name, unsigned run) {
    return value_of(json_object_get(r->values, name), run);
}

static void write_value(FILE *out, const char *name, const json_t *values, unsigned runs) {
    unsigned n = 0;
    while (n < runs && strcmp(value_of(values, n), "0") == 0) n++;
    if (n == runs) return;
    fprintf(out, "%-*s ", NAME_COLUMNS, name);
    unsigned same;
    for (n = 0; n < runs; n += same) {
        const char *value = value_of(values, n);
        for (same = 1; n + same < runs && strcmp(value_of(values, n + same), value) == 0;) same++;
        fprintf(out, same > 1 ? " %s*%u" : " %s", value, same);
    }
    fputc('\n', out);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void record_write(const struct record *r) {
    char *path = spawn_text("%s/" RECORD_FOLDER "/%s.txt", spawn_source(), r->program), *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "# Runs of %s; tests/lockstep/record.h says what the lines mean\n", r->program);
    for (unsigned n = 0; n < r->runs; n++) {
        const struct record_run *run = &r->run[n];
        fprintf(out, "%u %s: %s%s--%s%s\n", n + 1, how_names[run->how], run->options,
                *run->options ? " " : "", *run->arguments ? " " : "", run->arguments);
    }
    const char **names = calloc(json_object_size(r->values), sizeof *names), *name;
    size_t count = 0;
    json_t *values;
    json_object_foreach(r->values, name, values) names[count++] = name;
    qsort(names, count, sizeof *names, by_name);
    for (size_t n = 0; n < count; n++)
        write_value(out, names[n], json_object_get(r->values, names[n]), r->runs);
    fclose(out);
    spawn_write(path, text);
    free(names);
    free(text);
    free(path);
}

void record_set(struct record *r, unsigned run, const json_t *found) {
    const char *name;
    json_t *values, *value;
    json_object_foreach((json_t *)found, name, value) {
        if (json_object_get(r->values, name)) continue;
        json_object_set_new(r->values, name, values = json_array());
        for (unsigned n = 0; n < r->runs; n++) json_array_append_new(values, json_string("0"));
    }
    json_object_foreach(r->values, name, values) {
        value = json_object_get(found, name);
        json_array_set_new(values, run, value ? json_copy(value) : json_string("0"));
    }
}

bool record_compare(const struct record *r, unsigned run, const char *how, bool traced, const json_t *found) {
    json_t *all = json_copy((json_t *)found), *value;
    const char *name;
    unsigned different = 0;
    json_object_foreach(r->values, name, value) {
        if (!json_object_get(all, name)) json_object_set_new(all, name, json_string("0"));
    }
    json_object_foreach(all, name, value) {
        const char *now = json_string_value(value), *recorded = record_value(r, name, run);
        const bool wave = strncmp(name, RECORD_WAVES, strlen(RECORD_WAVES)) == 0;
        if ((wave && !traced) || strcmp(now, recorded) == 0) continue;
        const size_t sum = strcspn(now, "/");
        const bool parts = sum == strcspn(recorded, "/") && strncmp(now, recorded, sum) == 0;
        if (different++ < MOST_DIFFERENCES)
            fprintf(stderr, "%s run %u, %s: %s: recorded %s, found %s%s\n", r->program, run + 1, how, name,
                    recorded, now, parts ? " (equal sums, other parts)" : "");
    }
    if (different > MOST_DIFFERENCES)
        fprintf(stderr, "%s run %u, %s: %u more values differ\n", r->program, run + 1, how,
                different - MOST_DIFFERENCES);
    json_decref(all);
    return different == 0;
}
