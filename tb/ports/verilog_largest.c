#include "tb/ports/verilog_largest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the B of the first A–B in a text; false if there is none. */
static bool range_of(const char *text, unsigned *largest) {
    static const char dash[] = "–";
    for (const char *at = text; (at = strstr(at, dash)) != NULL; at += sizeof dash - 1) {
        const char *to = at + sizeof dash - 1;
        if (at == text || !isdigit((unsigned char)at[-1]) || !isdigit((unsigned char)*to)) continue;
        *largest = (unsigned)strtoul(to, NULL, 10);
        return true;
    }
    return false;
}

/* Returns the name that a line declares as a parameter, to be freed; NULL: none. */
static char *declared(const char *line) {
    char name[VERILOG_MAX_NAME];
    return sscanf(line, " parameter logic [31:0] %63[A-Z0-9_] =", name) == 1 ? strdup(name) : NULL;
}

static bool is_comment(const char *line) {
    return strncmp(line + strspn(line, " "), "//", 2) == 0;
}

bool verilog_largest(const char *path, struct verilog_setting *settings, unsigned *count, struct error *e) {
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool found = true; /* the range of the latest parameter */
    *count = 0;
    if (!in) {
        error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
        return false;
    }
    struct verilog_setting *last = NULL; /* the parameter whose comment is read */
    while (getline(&line, &size, in) > 0) {
        char *name = declared(line);
        if (!found && (name || !is_comment(line))) {
            free(name);
            break;
        }
        if (name && *count < VERILOG_MAX_PARAMETERS) {
            last = &settings[(*count)++];
            *last = (struct verilog_setting){.name = name};
            found = false;
        } else if (!is_comment(line)) {
            last = NULL;
        }
        const char *comment = last ? strstr(line, "//") : NULL;
        if (comment && !found) found = range_of(comment, &last->value);
        if (comment && strstr(comment, "proofs")) {
            free((char *)last->name);
            last = NULL;
            --*count;
        }
    }
    free(line);
    fclose(in);
    if (!found)
        error_set(e, EXIT_USER, "%s: the comment of parameter %s has no range, such as 1–128", path,
                  settings[*count - 1].name);
    return found;
}
