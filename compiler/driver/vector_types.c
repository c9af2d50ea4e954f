#include "compiler/driver/vector_types.h"

#include "compiler/driver/edits.h"

#include <stdio.h>
#include <string.h>

static unsigned element_bytes(const char *type) {
    static const struct {
        const char *name;
        unsigned bytes;
    } elements[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},  {"int", 4},
                    {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (!strcmp(type, elements[i].name)) return elements[i].bytes;
    return 0;
}

void vector_types_align(struct text *preprocessed) {
    struct edits edits = {0};
    struct text aligned = {0};
    for (const char *line = text_string(preprocessed); line && *line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        char type[32], name[32];
        unsigned count;
        int end = 0;
        if (strncmp(line, "typedef ", 8)) continue;
        if (sscanf(line, "typedef %31s %31s __attribute__((ext_vector_type(%u)%n", type, name, &count,
                   &end) != 3 ||
            !end)
            continue;
        unsigned bytes = element_bytes(type) * (count == 3 ? 4 : count);
        if (bytes)
            edits_insert(&edits, (size_t)(line - preprocessed->data) + (size_t)end, ", aligned(%u)", bytes);
    }
    edits_apply(&edits, preprocessed, &aligned);
    text_free(preprocessed);
    *preprocessed = aligned;
}
