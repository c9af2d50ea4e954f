#include "compiler/stages/library_parts.h"

#include <stdio.h>
#include <string.h>

/* Behind the empty line that ends the names; 0: there is none. */
static size_t first_part(const struct text *library) {
    const char *end = memmem(library->data, library->size, "\n\n", 2);
    return end ? (size_t)(end - library->data) + 2 : 0;
}

bool library_parts_find(const struct text *library, const char *function, struct library_part *part) {
    const size_t begin = first_part(library), length = strlen(function);
    const char *at = library->data, *end = at + begin;
    while (begin && (at = memmem(at, (size_t)(end - at), function, length)) != NULL &&
           (at == library->data || at[-1] != '\n' || at[length] != '\n'))
        at++;
    if (!begin || !length || !at) return false;
    while (at > library->data && !(*at == '@' && (at == library->data || at[-1] == '\n'))) at--;
    if (sscanf(at, "@%zu %zu", &part->offset, &part->size) != 2) return false;
    if (part->offset > library->size - begin || part->size > library->size - begin - part->offset)
        return false;
    part->offset += begin;
    return true;
}
