#include "compiler/ir/ir_lines.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* The text's metadata, by number: "!12 = !DILocation(line: 3, column: 5, scope: !9)". */
struct metadata {
    const char **nodes;
    size_t count;
};

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static void read_metadata(struct metadata *m, const char *ir) {
    for (const char *line = ir; *line; line = next_line(line)) {
        char *end;
        if (*line != '!') continue;
        unsigned long n = strtoul(line + 1, &end, 10);
        if (end == line + 1 || strncmp(end, " = ", 3) || n > strlen(ir)) continue;
        while (m->count <= n) {
            m->nodes = grow(m->nodes, m->count, sizeof *m->nodes);
            m->nodes[m->count++] = NULL;
        }
        m->nodes[n] = end + 3;
    }
}

/* Returns the text after "KEY: " in a node; NULL if the node has no such field. */
static const char *find_field(const char *node, const char *key) {
    size_t size = strlen(key);
    for (const char *p = node, *end = next_line(node); p && p < end; p = strpbrk(p + 1, "( \n")) {
        const char *at = p + (*p == '(' || *p == ' ');
        if (!strncmp(at, key, size) && at[size] == ':') return at + size + 2;
    }
    return NULL;
}

static const char *find_node(const struct metadata *m, const char *reference) {
    size_t n = reference && *reference == '!' ? strtoul(reference + 1, NULL, 10) : m->count;
    return n < m->count ? m->nodes[n] : NULL;
}

static const char *find_file(const struct metadata *m, const char *location) {
    const char *scope = find_node(m, find_field(location, "scope"));
    const char *file = scope ? find_node(m, find_field(scope, "file")) : NULL;
    const char *name = file ? find_field(file, "filename") : NULL;
    return name && *name == '"' ? name + 1 : NULL;
}

/* Adds the position of a line of the text unless it is equal to *last, which is updated. */
static void add_position(const struct metadata *m, const char *line, size_t size, struct text *last,
                         struct text *annotated) {
    static const char key[] = "!dbg ";
    const char *at = memmem(line, size, key, strlen(key));
    const char *location = at ? find_node(m, at + strlen(key)) : NULL;
    const char *number = location ? find_field(location, "line") : NULL;
    const char *file = location ? find_file(m, location) : NULL;
    struct text position = {0};
    if (!number || !file || !strtoul(number, NULL, 10)) return;
    text_printf(&position, "  ; %.*s:%lu\n", (int)strcspn(file, "\""), file, strtoul(number, NULL, 10));
    if (strcmp(text_string(last), position.data) != 0) text_add(annotated, position.data);
    text_free(last);
    *last = position;
}

void ir_lines_add(const char *ir, struct text *annotated) {
    struct metadata m = {0};
    struct text last = {0};
    read_metadata(&m, ir);
    for (const char *line = ir, *next; *line; line = next) {
        next = next_line(line);
        if (!strncmp(line, "define ", 7)) text_free(&last);
        if (!strncmp(line, "  ", 2)) add_position(&m, line, (size_t)(next - line), &last, annotated);
        text_append(annotated, line, (size_t)(next - line));
    }
    text_free(&last);
    free(m.nodes);
}
