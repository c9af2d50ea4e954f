#include "synthesis/liberty.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAX_DEPTH 64 /* deepest nesting of groups */

/* --- words --- */

/* A cursor over the text. It takes a word, a string without its quotes, or a single character. */
struct reader {
    struct liberty *l;
    size_t at, line;
    size_t from, length; /* position of the last token */
    bool quoted;
    struct error *e;
};

static bool fail(const struct reader *r, const char *what) {
    return error_set(r->e, EXIT_USER, "%s:%zu: %s", r->l->path, r->line, what);
}

static void skip(struct reader *r) {
    const char *t = r->l->text;
    for (;;) {
        const char c = t[r->at];
        if (c == '\n') r->line++;
        if (c && strchr(" \t\r\n\f\v\\", c)) {
            r->at++;
        } else if (c == '/' && t[r->at + 1] == '*') {
            const char *end = strstr(t + r->at + 2, "*/");
            const size_t to = end ? (size_t)(end - t) + 2 : r->l->size;
            for (; r->at < to; r->at++) r->line += t[r->at] == '\n';
        } else if (c == '/' && t[r->at + 1] == '/') {
            r->at += strcspn(t + r->at, "\n");
        } else {
            return;
        }
    }
}

/* Takes the next token. Returns false at the end of the text. */
static bool next_token(struct reader *r) {
    const char *t = r->l->text;
    skip(r);
    r->from = r->at;
    r->quoted = t[r->at] == '"';
    if (!t[r->at]) return false;
    if (r->quoted) {
        r->from = ++r->at;
        for (; t[r->at] && t[r->at] != '"'; r->at++) r->line += t[r->at] == '\n';
        r->length = r->at - r->from;
        if (!t[r->at]) return fail(r, "a string does not end");
        r->at++;
        return true;
    }
    r->length = strcspn(t + r->at, " \t\r\n\f\v\\(){}:;,\"");
    if (r->length == 0) r->length = 1;
    r->at += r->length;
    return true;
}

static bool is(const struct reader *r, const char *word) {
    return r->length == strlen(word) && memcmp(r->l->text + r->from, word, r->length) == 0;
}

static bool is_mark(const struct reader *r, char mark) {
    return !r->quoted && r->length == 1 && r->l->text[r->from] == mark;
}

static char *taken(const struct reader *r) {
    char *s = strndup(r->l->text + r->from, r->length);
    require_memory(s);
    return s;
}

static bool taken_number(const struct reader *r, double *value) {
    char text[64], *end;
    snprintf(text, sizeof text, "%.*s", (int)r->length, r->l->text + r->from);
    *value = strtod(text, &end);
    if (end != text && !*end && isfinite(*value)) return true;
    return fail(r, "this should be a number");
}

/* --- groups --- */

/* The cell and pin around a statement (NULL: none), and the number of groups around it. */
struct place {
    struct liberty_cell *cell;
    struct liberty_pin *pin;
    unsigned depth;
};

static void *grow(void *array, size_t count, size_t size) {
    if (count & (count - 1)) return array;
    array = reallocarray(array, count ? 2 * count : 1, size);
    require_memory(array);
    return array;
}

static struct liberty_cell *add_cell(struct reader *r, char *name) {
    struct liberty *l = r->l;
    l->cells = grow(l->cells, l->cell_count, sizeof *l->cells);
    l->cells[l->cell_count] = (struct liberty_cell){.name = name, .line = r->line};
    return &l->cells[l->cell_count++];
}

static struct liberty_pin *add_pin(struct liberty_cell *c, char *name) {
    c->pins = grow(c->pins, c->pin_count, sizeof *c->pins);
    c->pins[c->pin_count] = (struct liberty_pin){.name = name};
    return &c->pins[c->pin_count++];
}

/* Reads "name : value ;". */
static bool read_attribute(struct reader *r, const struct place *p, const char *name) {
    if (!next_token(r) || is_mark(r, ';') || is_mark(r, '}')) return fail(r, "a value is missing after ':'");
    double number;
    if (p->cell && !p->pin && p->depth == 2 && strcmp(name, "area") == 0) {
        if (!taken_number(r, &p->cell->area)) return false;
        p->cell->area_at = r->from;
        p->cell->area_length = r->length;
    } else if (p->cell && p->depth == 2 && strcmp(name, "pad_cell") == 0) {
        p->cell->pad = is(r, "true");
    } else if (p->pin && p->depth == 3 && strcmp(name, "direction") == 0) {
        p->pin->output = is(r, "output");
    } else if (p->pin && p->depth == 3 && strcmp(name, "function") == 0) {
        free(p->pin->function);
        p->pin->function = taken(r);
    } else if (p->pin && p->depth == 3 && strcmp(name, "capacitance") == 0) {
        if (!taken_number(r, &number)) return false;
        p->pin->capacitance_ff = number;
    }
    /* An expression has several words; its end is ';' or the end of the line. */
    for (const size_t line = r->line;;) {
        skip(r);
        if (r->l->text[r->at] == ';') {
            r->at++;
            return true;
        }
        if (r->line != line || r->l->text[r->at] == '}') return true;
        if (!next_token(r)) return fail(r, "the file ends in the middle of a statement");
    }
}

static bool read_statements(struct reader *r, struct place p);

/* Reads to the closing parenthesis and keeps the first two words. */
static bool read_arguments(struct reader *r, char *first[2]) {
    size_t count = 0;
    while (next_token(r)) {
        if (is_mark(r, ')')) return true;
        if (is_mark(r, ',')) continue;
        if (is_mark(r, '{') || is_mark(r, '}') || is_mark(r, ';')) return fail(r, "a ')' is missing");
        if (count < 2) first[count++] = taken(r);
    }
    return fail(r, "the file ends in the middle of a statement");
}

static void read_unit(struct reader *r, char *const argument[2]) {
    if (!argument[0] || !argument[1]) return;
    const double unit = strcasecmp(argument[1], "ff") == 0   ? 1
                        : strcasecmp(argument[1], "pf") == 0 ? 1e3
                        : strcasecmp(argument[1], "nf") == 0 ? 1e6
                                                             : 0;
    r->l->capacitance_unit_ff = strtod(argument[0], NULL) * unit;
}

/* Reads "name ( … ) ;" or "name ( … ) { … }". */
static bool read_group(struct reader *r, struct place p, const char *name) {
    char *argument[2] = {NULL, NULL};
    bool good = read_arguments(r, argument);
    skip(r);
    if (good && r->l->text[r->at] == '{') {
        r->at++;
        if (p.depth == 0 && strcmp(name, "library") != 0) {
            good = fail(r, "this is not Liberty: it should begin with library (NAME) {");
        } else if (p.depth == 0 && argument[0]) {
            free(r->l->name);
            r->l->name = strdup(argument[0]);
        }
        if (good && p.depth == 1 && strcmp(name, "cell") == 0 && argument[0]) {
            p.cell = add_cell(r, argument[0]);
            argument[0] = NULL;
        } else if (p.cell && p.depth == 2 && strcmp(name, "pin") == 0 && argument[0]) {
            p.pin = add_pin(p.cell, argument[0]);
            argument[0] = NULL;
        } else if (p.cell && p.depth == 2) {
            p.cell->flip_flop |= strcmp(name, "ff") == 0;
            p.cell->latch |= strcmp(name, "latch") == 0 || strcmp(name, "statetable") == 0;
        }
        p.depth++;
        good = good && read_statements(r, p);
    } else if (good) {
        if (p.depth == 1 && strcmp(name, "capacitive_load_unit") == 0) read_unit(r, argument);
        if (r->l->text[r->at] == ';') r->at++;
    }
    free(argument[0]);
    free(argument[1]);
    return good;
}

/* Reads to the '}' of the group or, at depth 0, to the end of the file. */
static bool read_statements(struct reader *r, struct place p) {
    if (p.depth > MAX_DEPTH) return fail(r, "groups are nested too deeply");
    while (next_token(r)) {
        if (is_mark(r, '}')) return p.depth > 0 || fail(r, "a '}' too many");
        if (is_mark(r, ';')) continue;
        if (r->quoted || strchr("(){}:,", r->l->text[r->from])) return fail(r, "this is not Liberty");
        char *name = taken(r);
        skip(r);
        const char mark = r->l->text[r->at];
        bool good;
        if (mark == ':' || mark == '(') {
            r->at++;
            good = mark == ':' ? read_attribute(r, &p, name) : read_group(r, p, name);
        } else {
            good = fail(r, "this is not Liberty: a ':' or '(' should follow a name");
        }
        free(name);
        if (!good) return false;
    }
    if (r->e->status != EXIT_SOUND) return false;
    return p.depth == 0 || fail(r, "the file ends in the middle of a group: is it cut short?");
}

/* --- what a pin computes --- */

struct expression {
    const char *at;
    const struct liberty_cell *cell;
    unsigned values; /* values of the inputs, one bit each */
    bool wrong;
};

static bool evaluate_or(struct expression *x);

static size_t input_index(const struct liberty_cell *c, const char *name, size_t length) {
    size_t n = 0;
    for (const struct liberty_pin *p; (p = liberty_input(c, n)); n++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) break;
    return n;
}

static bool evaluate_atom(struct expression *x) {
    x->at += strspn(x->at, " ");
    bool value = false;
    if (*x->at == '!') {
        x->at++;
        return !evaluate_atom(x);
    }
    if (*x->at == '(') {
        x->at++;
        value = evaluate_or(x);
        x->at += strspn(x->at, " ");
        x->wrong |= *x->at != ')';
        if (*x->at) x->at++;
    } else if (*x->at == '0' || *x->at == '1') {
        value = *x->at++ == '1';
    } else {
        const size_t length = strcspn(x->at, " !&|*+^()'");
        const size_t n = input_index(x->cell, x->at, length);
        x->wrong |= length == 0 || n >= LIBERTY_MAX_INPUTS || !liberty_input(x->cell, n);
        value = !x->wrong && (x->values >> n & 1);
        x->at += length;
    }
    for (x->at += strspn(x->at, " "); *x->at == '\''; x->at++) value = !value;
    return value;
}

/* A blank between two names also means AND. */
static bool evaluate_and(struct expression *x) {
    bool value = evaluate_atom(x);
    while (!x->wrong) {
        x->at += strspn(x->at, " ");
        if (!*x->at || strchr("|+^)", *x->at)) break;
        if (*x->at == '&' || *x->at == '*') x->at++;
        value &= evaluate_atom(x);
    }
    return value;
}

static bool evaluate_xor(struct expression *x) {
    bool value = evaluate_and(x);
    while (!x->wrong && *x->at == '^') {
        x->at++;
        value ^= evaluate_and(x);
    }
    return value;
}

static bool evaluate_or(struct expression *x) {
    bool value = evaluate_xor(x);
    while (!x->wrong && (*x->at == '|' || *x->at == '+')) {
        x->at++;
        value |= evaluate_xor(x);
    }
    return value;
}

/* Returns whether the cell has that many inputs and one output whose truth table is `table`: a bit for each
 * value of the inputs. */
static bool computes(const struct liberty_cell *c, size_t inputs, unsigned table) {
    const struct liberty_pin *out = liberty_output(c);
    if (c->pad || c->flip_flop || c->latch || !out || !out->function || c->pin_count != inputs + 1 ||
        !liberty_input(c, inputs - 1))
        return false;
    unsigned found = 0;
    for (unsigned values = 0; values < 1u << inputs; values++) {
        struct expression x = {.at = out->function, .cell = c, .values = values};
        const bool value = evaluate_or(&x);
        if (x.wrong || *x.at) return false;
        found |= (unsigned)value << values;
    }
    return found == table;
}

static const struct liberty_cell *smallest(const struct liberty *l, size_t inputs, unsigned table) {
    const struct liberty_cell *best = NULL;
    for (const struct liberty_cell *c = l->cells; c < l->cells + l->cell_count; c++)
        if (c->area > 0 && computes(c, inputs, table) && (!best || c->area < best->area)) best = c;
    return best;
}

static bool find_gates(struct liberty *l, struct error *e) {
    bool flip_flop = false;
    for (size_t n = 0; n < l->cell_count; n++) flip_flop |= l->cells[n].flip_flop;
    l->inverter = smallest(l, 1, 1);
    l->nand2 = smallest(l, 2, 7);
    if (l->inverter && l->nand2 && flip_flop) return true;
    return error_set(e, EXIT_USER, "%s: of its %zu cells none is %s: nothing can be synthesised with it",
                     l->path, l->cell_count,
                     !l->inverter ? "an inverter with an area"
                     : !l->nand2  ? "a NAND gate of two inputs with an area"
                                  : "a flip-flop");
}

/* --- files --- */

/* Reads a whole file, gzipped or not. Returns NULL with *e on failure. */
static char *read_file(const char *path, size_t *size, struct error *e) {
    gzFile in = gzopen(path, "rb");
    if (!in) {
        error_set(e, EXIT_USER, "%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    int n = 1;
    for (*size = 0; n > 0; *size += n > 0 ? (size_t)n : 0) {
        char *larger = realloc(text, *size + (1 << 16) + 1);
        require_memory(larger);
        text = larger;
        n = gzread(in, text + *size, 1 << 16);
    }
    int why;
    const char *message = gzerror(in, &why);
    if (n < 0 || (why != Z_OK && why != Z_STREAM_END)) {
        error_set(e, EXIT_USER, "%s cannot be read: %s", path,
                  why == Z_ERRNO       ? strerror(errno)
                  : why == Z_BUF_ERROR ? "it is cut short"
                                       : message);
        gzclose(in);
        free(text);
        return NULL;
    }
    gzclose(in);
    text[*size] = '\0';
    if (strlen(text) == *size) return text;
    error_set(e, EXIT_USER, "%s: this is no text", path);
    free(text);
    return NULL;
}

bool liberty_read(struct liberty *l, const char *path, struct error *e) {
    *l = (struct liberty){.path = strdup(path)};
    require_memory(l->path);
    l->text = read_file(path, &l->size, e);
    if (!l->text) return false;
    struct reader r = {.l = l, .line = 1, .e = e};
    if (l->text[strspn(l->text, " \t\r\n")] == '\0')
        return error_set(e, EXIT_USER, "%s: the file is empty", path);
    if (!read_statements(&r, (struct place){0})) return false;
    if (l->capacitance_unit_ff <= 0)
        return error_set(e, EXIT_USER, "%s: capacitive_load_unit is missing, or not so many ff or pf", path);
    for (size_t n = 0; n < l->cell_count; n++)
        for (size_t p = 0; p < l->cells[n].pin_count; p++)
            l->cells[n].pins[p].capacitance_ff *= l->capacitance_unit_ff;
    return find_gates(l, e);
}

/* Reads "SIZE 3.2 BY 10 ;". */
static bool read_size(const char *line, double *area) {
    char by[8];
    double width, height;
    if (sscanf(line, " SIZE %lf %7s %lf", &width, by, &height) != 3 || strcmp(by, "BY") != 0) return false;
    *area = width * height;
    return isfinite(*area) && *area > 0;
}

bool liberty_use_lef(struct liberty *l, const char *path, struct error *e) {
    size_t size, found = 0;
    char *text = read_file(path, &size, e), *rest = text;
    if (!text) return false;
    struct liberty_cell *cell = NULL;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[256];
        double area;
        if (sscanf(line, " MACRO %255s", name) == 1) {
            cell = (struct liberty_cell *)liberty_find(l, name);
        } else if (cell && read_size(line, &area)) {
            cell->area = area;
            cell = NULL;
            found++;
        }
    }
    free(text);
    if (!found)
        return error_set(e, EXIT_USER, "%s: no MACRO with a SIZE is called as a cell of %s", path, l->path);
    return find_gates(l, e);
}

bool liberty_write(const struct liberty *l, const char *path, struct error *e) {
    FILE *out = fopen(path, "w");
    if (!out) return error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
    size_t at = 0;
    for (size_t n = 0; n < l->cell_count; n++) {
        const struct liberty_cell *c = &l->cells[n];
        if (!c->area_length) continue;
        fwrite(l->text + at, 1, c->area_at - at, out);
        fprintf(out, "%.9g%s", c->area, c->pad ? "; dont_use : true" : "");
        at = c->area_at + c->area_length;
    }
    fwrite(l->text + at, 1, l->size - at, out);
    const bool whole = !ferror(out);
    if (fclose(out) == 0 && whole) return true;
    return error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
}

const struct liberty_cell *liberty_find(const struct liberty *l, const char *name) {
    for (size_t n = 0; n < l->cell_count; n++)
        if (strcmp(l->cells[n].name, name) == 0) return &l->cells[n];
    return NULL;
}

const struct liberty_pin *liberty_output(const struct liberty_cell *c) {
    for (size_t n = 0; n < c->pin_count; n++)
        if (c->pins[n].output) return &c->pins[n];
    return NULL;
}

const struct liberty_pin *liberty_input(const struct liberty_cell *c, size_t input) {
    for (size_t n = 0; n < c->pin_count; n++)
        if (!c->pins[n].output && input-- == 0) return &c->pins[n];
    return NULL;
}

void liberty_free(struct liberty *l) {
    for (size_t n = 0; n < l->cell_count; n++) {
        for (size_t p = 0; p < l->cells[n].pin_count; p++) {
            free(l->cells[n].pins[p].name);
            free(l->cells[n].pins[p].function);
        }
        free(l->cells[n].pins);
        free(l->cells[n].name);
    }
    free(l->cells);
    free(l->text);
    free(l->name);
    free(l->path);
    *l = (struct liberty){0};
}
