#include "tb/verilated/verilated_vcd.h"

#include <stdlib.h>
#include <string.h>

/* Code of a variable in the text, and the place of its value. */
struct verilated_vcd_code {
    uint64_t code; /* characters of the code, as bytes */
    unsigned word, bits;
    bool real;
};

void verilated_vcd_init(struct verilated_vcd *v, const char *top, const struct verilated_inside_type *types) {
    *v = (struct verilated_vcd){.top = top, .types = types};
}

void verilated_vcd_free(struct verilated_vcd *v) {
    for (unsigned n = 0; n < v->all.count; ++n) free((char *)v->all.inside[n].path);
    free(v->all.inside);
    free(v->code);
    free(v->now);
    *v = (struct verilated_vcd){0};
}

static void *grow(void *array, unsigned n, size_t size) {
    if (n & (n - 1)) return array;
    void *larger = reallocarray(array, n ? 2 * (size_t)n : 1, size);
    require_memory(larger);
    return larger;
}

/* --- types --- */

/* Returns whether a path, without its indices, is the path of a type. */
static bool matches(const char *path, const char *type) {
    while (*path || *type) {
        if (*path == *type) {
            ++path;
            ++type;
        } else if (*path == '[') {
            path += strcspn(path, "]");
            path += *path == ']';
        } else {
            return false;
        }
    }
    return true;
}

static const struct verilated_inside_type *type_of(const struct verilated_vcd *v, const char *path) {
    for (const struct verilated_inside_type *t = v->types; t && t->path; ++t)
        if (matches(path, t->path)) return t;
    return NULL;
}

/* --- declarations --- */

static uint64_t packed(const char *code, size_t length) {
    uint64_t all = 0;
    for (size_t n = 0; n < length && n < sizeof all; ++n) all = all << 8 | (uint8_t)code[n];
    return all;
}

static int by_code(const void *a, const void *b) {
    const struct verilated_vcd_code *x = a, *y = b;
    return (x->code > y->code) - (x->code < y->code);
}

/* Returns the declared variable with a code. */
static const struct verilated_vcd_code *declared(const struct verilated_vcd *v, uint64_t code) {
    for (unsigned n = 0; n < v->codes; ++n)
        if (v->code[n].code == code) return &v->code[n];
    return NULL;
}

static unsigned place(struct verilated_vcd *v, uint64_t code, unsigned bits, bool real) {
    const struct verilated_vcd_code *known = declared(v, code);
    if (known) return known->word;
    v->code = grow(v->code, v->codes, sizeof *v->code);
    v->code[v->codes++] = (struct verilated_vcd_code){code, v->all.words, bits, real};
    v->all.words += real ? 2 : (bits + 31) / 32;
    return v->code[v->codes - 1].word;
}

static void add(struct verilated_vcd *v, const char *name, uint64_t code, unsigned bits, bool real) {
    char path[sizeof v->path + 256];
    snprintf(path, sizeof path, "%s%s%s", v->path, *v->path ? " " : "", name + (*name == '\\'));
    const struct verilated_inside_type *type = type_of(v, path);
    if (type && !type->type) return;
    char *kept = strdup(path);
    require_memory(kept);
    v->all.inside = grow(v->all.inside, v->all.count, sizeof *v->all.inside);
    v->all.inside[v->all.count++] =
        (struct verilated_inside){kept, place(v, code, bits, real), bits, real, type ? type->type : NULL};
}

static void enter(struct verilated_vcd *v, const char *name) {
    const size_t length = strlen(v->path);
    ++v->depth;
    if (v->inside)
        snprintf(v->path + length, sizeof v->path - length, "%s%s", length ? " " : "", name);
    else if (v->depth > 1 && strcmp(name, v->top) == 0)
        v->inside = v->depth;
}

static void leave(struct verilated_vcd *v) {
    char *last = strrchr(v->path, ' ');
    if (v->depth == v->inside) v->inside = 0;
    if (v->depth) --v->depth;
    *(last ? last : v->path) = '\0';
}

/* Reads a declaration: $var TYPE BITS CODE NAME [range] $end */
static void declare(struct verilated_vcd *v, const char *line) {
    char type[16], code[16], name[256];
    unsigned bits;
    if (!v->inside || sscanf(line, "$var %15s %u %15s %255s", type, &bits, code, name) != 4) return;
    if (strcmp(type, "parameter") == 0 || strcmp(type, "event") == 0) return;
    add(v, name, packed(code, strlen(code)), bits, strcmp(type, "real") == 0);
}

static void finish(struct verilated_vcd *v) {
    if (v->codes) qsort(v->code, v->codes, sizeof *v->code, by_code);
    v->now = calloc(v->all.words + 1, sizeof *v->now);
    require_memory(v->now);
}

static void read_declaration(struct verilated_vcd *v, const char *line) {
    char name[256];
    if (v->now) return; /* declarations are known: the file has been opened again */
    if (sscanf(line, "$scope %*s %255s", name) == 1) enter(v, name + (*name == '\\'));
    if (strncmp(line, "$upscope", 8) == 0) leave(v);
    if (strncmp(line, "$var", 4) == 0) declare(v, line);
    if (strncmp(line, "$enddefinitions", 15) == 0) finish(v);
}

/* --- values --- */

/* Sets bits from digits. The last digit is bit 0; unknown bits become 0. */
static void set_bits(uint32_t *to, unsigned bits, const char *digit, size_t digits) {
    memset(to, 0, (bits + 31) / 32 * sizeof *to);
    for (unsigned n = 0; n < bits && n < digits; ++n)
        if (digit[digits - 1 - n] == '1') to[n / 32] |= UINT32_C(1) << n % 32;
}

static void read_value(struct verilated_vcd *v, const char *line, size_t length) {
    const bool vector = *line == 'b' || *line == 'B', real = *line == 'r' || *line == 'R';
    const char *value = line + (vector || real);
    const size_t digits = vector || real ? strcspn(value, " ") : 1;
    const char *code = value + digits + (vector || real);
    if (code >= line + length || !v->codes) return;
    const struct verilated_vcd_code key = {packed(code, (size_t)(line + length - code)), 0, 0, false};
    const struct verilated_vcd_code *c = bsearch(&key, v->code, v->codes, sizeof key, by_code);
    if (!c) return;
    if (real && c->real) {
        const double number = strtod(value, NULL);
        memcpy(v->now + c->word, &number, sizeof number);
    } else if (!c->real) {
        set_bits(v->now + c->word, c->bits, value, digits);
    }
}

bool verilated_vcd_read(struct verilated_vcd *v, const char *text) {
    for (const char *next; *text; text = next) {
        const char *line = text + strspn(text, " \t");
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        if (*line == '$')
            read_declaration(v, line);
        else if (v->now && *line != '#' && length)
            read_value(v, line, length);
    }
    return v->now != NULL;
}
