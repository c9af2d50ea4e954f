#include "lockstep/run/origin.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char unknown[] = "unknown";

/* Returns the rest of the first line that begins with these words, after blanks and colons. To be freed. */
static char *find_line(const char *path, const char *begin) {
    char *line = NULL, *found = NULL;
    size_t capacity = 0;
    FILE *in = fopen(path, "r");
    while (in && !found && getline(&line, &capacity, in) >= 0)
        if (strncmp(line, begin, strlen(begin)) == 0) {
            const char *rest = line + strlen(begin);
            rest += strspn(rest, " \t:");
            found = strndup(rest, strcspn(rest, "\n"));
            require_memory(found);
        }
    if (in) fclose(in);
    free(line);
    return found;
}

static void set(json_t *j, const char *name, char *text) {
    json_t *value = text && *text ? json_string(text) : NULL;
    json_object_set_new(j, name, value ? value : json_string(unknown));
    free(text);
}

char *origin_commit(const char *self) {
    char *path;
    const char *slash = strrchr(self, '/');
    require_memory(asprintf(&path, "%.*scommit", slash ? (int)(slash - self) + 1 : 0, self) >= 0);
    char *commit = find_line(path, "");
    free(path);
    if (!commit) require_memory(commit = strdup(unknown));
    return commit;
}

json_t *origin_now(const char *self) {
    const time_t now = time(NULL);
    struct tm t;
    char date[32];
    json_t *j = json_object();
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &t));
    set(j, "commit", origin_commit(self));
    set(j, "computer", find_line("/proc/cpuinfo", "model name"));
    json_object_set_new(j, "date", json_string(date));
    return j;
}

static void add_once(json_t *sum, const char *name, json_t *value) {
    json_t *list = json_object_get(sum, name), *known;
    size_t n;
    json_array_foreach(list, n, known) if (json_equal(known, value)) return;
    if (value) json_array_append(list, value);
}

void origin_merge(json_t *sum, const json_t *origin) {
    json_t *date = json_object_get(origin, "date");
    const char *text = json_string_value(date), *begun = json_string_value(json_object_get(sum, "begun")),
               *ended = json_string_value(json_object_get(sum, "ended"));
    add_once(sum, "commits", json_object_get(origin, "commit"));
    add_once(sum, "computers", json_object_get(origin, "computer"));
    if (text && (!begun || strcmp(text, begun) < 0)) json_object_set(sum, "begun", date);
    if (text && (!ended || strcmp(text, ended) > 0)) json_object_set(sum, "ended", date);
}
