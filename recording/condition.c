#include "recording/condition.h"

#include "recording/wave_changes.h"
#include "sim/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 256
#define MAX_DEPTH 64

enum node_kind {
    NODE_NUMBER,
    NODE_TEXT,
    NODE_SIGNAL,
    NODE_BIT,
    NODE_COMPARE,
    NODE_NOT,
    NODE_AND,
    NODE_OR,
    NODE_ROSE,
    NODE_FOR
};
enum operator{ EQUAL, DIFFERENT, LESS_OR_EQUAL, GREATER_OR_EQUAL, LESS, GREATER };

struct node {
    enum node_kind kind;
    enum operator operator;
    uint64_t number; /* value of a number; place of a bit; cycles of a duration */
    char *text;      /* a text, to be freed */
    uint32_t signal;
    struct node *a, *b;
    /* State of the cycles before. */
    uint64_t since; /* cycle since which a duration's condition holds; UINT64_MAX: it does not */
    bool known;     /* rose() has been evaluated before, */
    bool was;       /* value of its condition at that time */
};

struct condition {
    struct node node[MAX_NODES];
    unsigned count;
    const struct node *root;
};

struct parser {
    const char *text, *at;
    struct condition *c;
    struct wave_signals *s;
    struct error *e;
    unsigned depth;
    bool bad;
};

/* --- reading --- */

static void *fail(struct parser *p, const char *what, const char *hint) {
    if (!p->bad)
        error_set(p->e, EXIT_USER, "--when '%s': at character %zu: %s%s", p->text,
                  (size_t)(p->at - p->text) + 1, what, hint);
    p->bad = true;
    return NULL;
}

static struct node *new_node(struct parser *p, enum node_kind kind, struct node *a, struct node *b) {
    if (p->bad) return NULL;
    if (p->c->count == MAX_NODES) return fail(p, "the condition is too long", "");
    struct node *n = &p->c->node[p->c->count++];
    *n = (struct node){.kind = kind, .a = a, .b = b, .since = UINT64_MAX};
    return n;
}

static void skip_blanks(struct parser *p) {
    while (isspace((unsigned char)*p->at)) ++p->at;
}

/* Takes a symbol, if it is the next. */
static bool take(struct parser *p, const char *symbol) {
    skip_blanks(p);
    if (strncmp(p->at, symbol, strlen(symbol)) != 0) return false;
    p->at += strlen(symbol);
    return true;
}

static bool is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Takes a word, if it is the next. */
static bool take_word(struct parser *p, const char *word) {
    skip_blanks(p);
    const size_t n = strlen(word);
    if (strncmp(p->at, word, n) != 0 || is_of_name(p->at[n])) return false;
    p->at += n;
    return true;
}

static void expect(struct parser *p, const char *symbol) {
    char what[32];
    snprintf(what, sizeof what, "'%s' is missing", symbol);
    if (!p->bad && !take(p, symbol)) fail(p, what, "");
}

static uint64_t read_number(struct parser *p) {
    char *end;
    skip_blanks(p);
    errno = 0;
    const uint64_t n = strtoull(p->at, &end, 0);
    if (!isdigit((unsigned char)*p->at) || errno || is_of_name(*end)) {
        fail(p, "a number is needed, as 12 or 0x10184", "");
        return 0;
    }
    p->at = end;
    return n;
}

/* Returns how many scopes a name lacks of a signal's; UINT_MAX: the signal has another name. */
static unsigned lacking(const struct wave_signal *s, const char *name, size_t bytes) {
    const size_t length = strlen(s->name);
    unsigned scopes = 0;
    if (!length || length < bytes || memcmp(s->name + length - bytes, name, bytes) != 0 ||
        (length > bytes && s->name[length - bytes - 1] != '.'))
        return UINT_MAX;
    for (size_t n = 0; n < length - bytes; ++n) scopes += s->name[n] == '.';
    return scopes;
}

static void *refuse_name(struct parser *p, const char *name, size_t bytes) {
    char *list, what[160], hint[160];
    size_t size;
    FILE *out = open_memstream(&list, &size);
    require_memory(out);
    for (uint32_t n = 0; n < p->s->count; ++n) {
        const char *full = p->s->signal[n].name, *dot = strchr(full, '.');
        if (*full && p->s->signal[n].form != WAVE_TICKS) fprintf(out, "%s, %s, ", full, dot ? dot + 1 : full);
    }
    fclose(out);
    snprintf(hint, sizeof hint, "%s", nearest_hint(name, bytes, list));
    snprintf(what, sizeof what, "no signal is called '%.*s'", (int)(bytes < 80 ? bytes : 80), name);
    free(list);
    return fail(p, what, hint);
}

static struct node *read_signal(struct parser *p) {
    const char *name = p->at;
    size_t bytes = 0;
    uint32_t found = 0, other = 0;
    unsigned least = UINT_MAX;
    while (is_of_name(name[bytes])) ++bytes;
    if (!bytes) return fail(p, *name ? "a signal, a number or a text is needed" : "something is missing", "");
    for (uint32_t n = 0; n < p->s->count; ++n) {
        if (p->s->signal[n].form == WAVE_TICKS) continue;
        const unsigned lacks = lacking(&p->s->signal[n], name, bytes);
        if (lacks == least && lacks != UINT_MAX) other = n;
        if (lacks < least) {
            least = lacks;
            found = other = n;
        }
    }
    if (least == UINT_MAX) return refuse_name(p, name, bytes);
    if (other != found) {
        char what[256];
        snprintf(what, sizeof what, "'%.*s' may be %s or %s: write more of the name",
                 (int)(bytes < 80 ? bytes : 80), name, p->s->signal[found].name, p->s->signal[other].name);
        return fail(p, what, "");
    }
    p->at += bytes;
    struct node *node = new_node(p, NODE_SIGNAL, NULL, NULL);
    if (!node) return NULL;
    node->signal = found;
    p->s->signal[found].shown = true;
    if (!take(p, "[")) return node;
    struct node *bit = new_node(p, NODE_BIT, node, NULL);
    const uint64_t place = read_number(p);
    if (bit && p->s->signal[found].form == WAVE_TEXT) return fail(p, "a text has no bits", "");
    if (bit && place >= (p->s->signal[found].bits ? p->s->signal[found].bits : 64))
        return fail(p, "the signal has no such bit", "");
    if (bit) bit->number = place;
    expect(p, "]");
    return bit;
}

static struct node *read_text(struct parser *p) {
    const size_t bytes = strcspn(p->at, "\"");
    if (p->at[bytes] != '"') return fail(p, "the text has no end: '\"' is missing", "");
    struct node *node = new_node(p, NODE_TEXT, NULL, NULL);
    if (!node) return NULL;
    node->text = strndup(p->at, bytes);
    require_memory(node->text);
    p->at += bytes + 1;
    return node;
}

static struct node *read_all(struct parser *p);

static struct node *read_primary(struct parser *p) {
    if (p->bad) return NULL;
    if (take(p, "(")) {
        struct node *n = read_all(p);
        expect(p, ")");
        return n;
    }
    if (take(p, "\"")) return read_text(p);
    if (isdigit((unsigned char)*p->at)) {
        struct node *n = new_node(p, NODE_NUMBER, NULL, NULL);
        const uint64_t number = read_number(p);
        if (n) n->number = number;
        return n;
    }
    if (take_word(p, "rose")) {
        expect(p, "(");
        struct node *n = new_node(p, NODE_ROSE, read_all(p), NULL);
        expect(p, ")");
        return n;
    }
    return read_signal(p);
}

/* The names that a signal's values have; NULL: none. */
static const char *const *names_of(const struct wave_signal *s, unsigned *count) {
    *count = s->is_now ? WAVE_NOW_COUNT : s->name_count;
    return s->is_now ? wave_now_name : s->names;
}

/* A text is the name of a value, or a text itself. */
static void check_text(struct parser *p, struct node *signal, struct node *text) {
    if (signal->kind != NODE_SIGNAL) {
        fail(p, "a text can be compared with a signal only", "");
        return;
    }
    const struct wave_signal *s = &p->s->signal[signal->signal];
    unsigned count;
    const char *const *names = names_of(s, &count);
    if (s->form == WAVE_TEXT) return;
    char *list, what[160], hint[320];
    size_t size;
    FILE *out = open_memstream(&list, &size);
    require_memory(out);
    bool known = false;
    for (unsigned n = 0; n < count; ++n) {
        if (strcmp(names[n], text->text) == 0) {
            known = true;
            text->kind = NODE_NUMBER;
            text->number = s->form == WAVE_NUMBER && n + 1 == count ? UINT64_MAX : n;
        }
        fprintf(out, "%s%s", n ? "; " : "", names[n]);
    }
    fclose(out);
    if (!known && count) {
        snprintf(what, sizeof what, "%s is never '%.40s'; its values are: ", s->name, text->text);
        snprintf(hint, sizeof hint, "%s", list);
        fail(p, what, hint);
    } else if (!known) {
        fail(p, s->name, " has numbers as values, no texts");
    }
    free(list);
}

static bool is_text(const struct parser *p, const struct node *n) {
    return n->kind == NODE_SIGNAL && p->s->signal[n->signal].form == WAVE_TEXT;
}

static struct node *read_comparison(struct parser *p) {
    static const char *const symbol[] = {"==", "!=", "<=", ">=", "<", ">"};
    struct node *a = read_primary(p);
    if (p->bad) return NULL;
    for (unsigned n = 0; n < sizeof symbol / sizeof *symbol; ++n) {
        if (!take(p, symbol[n])) continue;
        struct node *b = read_primary(p), *c = new_node(p, NODE_COMPARE, a, b);
        if (!c) return NULL;
        c->operator=(enum operator) n;
        if (a->kind == NODE_TEXT) check_text(p, b, a);
        if (b->kind == NODE_TEXT) check_text(p, a, b);
        if (!p->bad && is_text(p, a) != (b->kind == NODE_TEXT || is_text(p, b)) && a->kind != NODE_TEXT)
            return fail(p, "a text and a number are compared", "");
        if (!p->bad && c->operator> DIFFERENT &&(is_text(p, a) || is_text(p, b)))
            return fail(p, "texts are compared with == and != only", "");
        return c;
    }
    if (a->kind == NODE_TEXT || is_text(p, a)) return fail(p, "a text needs a comparison, == or !=", "");
    return a;
}

static struct node *read_not(struct parser *p) {
    struct node *n;
    if (++p->depth > MAX_DEPTH) return fail(p, "the condition is nested too deeply", "");
    skip_blanks(p);
    if (p->at[0] == '!' && p->at[1] != '=') {
        ++p->at;
        n = new_node(p, NODE_NOT, read_not(p), NULL);
    } else {
        n = read_comparison(p);
    }
    --p->depth;
    return n;
}

static struct node *read_and(struct parser *p) {
    struct node *n = read_not(p);
    while (!p->bad && take(p, "&&")) n = new_node(p, NODE_AND, n, read_not(p));
    return n;
}

static struct node *read_or(struct parser *p) {
    struct node *n = read_and(p);
    while (!p->bad && take(p, "||")) n = new_node(p, NODE_OR, n, read_and(p));
    return n;
}

static struct node *read_all(struct parser *p) {
    struct node *n = read_or(p);
    if (p->bad || !take_word(p, "for")) return n;
    n = new_node(p, NODE_FOR, n, NULL);
    const uint64_t cycles = read_number(p);
    if (!p->bad && !take_word(p, "cycles") && !take_word(p, "cycle"))
        return fail(p, "'cycles' is missing", "");
    if (!p->bad && !cycles) return fail(p, "0 cycles are no duration", "");
    if (n) n->number = cycles;
    return n;
}

struct condition *condition_read(const char *text, struct wave_signals *s, struct error *e) {
    struct condition *c = calloc(1, sizeof *c);
    require_memory(c);
    struct parser p = {.text = text, .at = text, .c = c, .s = s, .e = e};
    for (uint32_t n = 0; n < s->count; ++n) s->signal[n].shown = false;
    c->root = read_all(&p);
    skip_blanks(&p);
    if (!p.bad && *p.at) fail(&p, "the condition should end here", "");
    if (!p.bad) return c;
    condition_free(c);
    return NULL;
}

void condition_free(struct condition *c) {
    for (unsigned n = 0; c && n < c->count; ++n) free(c->node[n].text);
    free(c);
}

/* --- evaluation --- */

/* Returns a signal's value as a waveform shows it; UINT64_MAX without one. */
static uint64_t value_of(const struct wave_signal *s) {
    switch (s->form) {
    case WAVE_NUMBER: return s->value - 1;
    case WAVE_ONE_HOT: return s->value && s->value <= 64 ? UINT64_C(1) << (s->value - 1) : 0;
    default: return s->value;
    }
}

static bool bit_of(const struct wave_signal *s, uint64_t place) {
    if (s->form == WAVE_ONE_HOT) return s->value == place + 1;
    return place < 64 && value_of(s) >> place & 1;
}

static const char *text_of(const struct node *n, const struct wave_signals *s) {
    return n->kind == NODE_TEXT ? n->text : s->text[s->signal[n->signal].value];
}

static uint64_t evaluate(struct node *n, const struct wave_signals *s, uint64_t cycle, uint64_t *next);

static bool compare(const struct node *n, const struct wave_signals *s, uint64_t cycle, uint64_t *next) {
    const bool texts = n->b->kind == NODE_TEXT || n->a->kind == NODE_TEXT ||
                       (n->a->kind == NODE_SIGNAL && s->signal[n->a->signal].form == WAVE_TEXT);
    if (texts) return (strcmp(text_of(n->a, s), text_of(n->b, s)) == 0) == (n->operator== EQUAL);
    const uint64_t a = evaluate(n->a, s, cycle, next), b = evaluate(n->b, s, cycle, next);
    switch (n->operator) {
    case EQUAL: return a == b;
    case DIFFERENT: return a != b;
    case LESS_OR_EQUAL: return a <= b;
    case GREATER_OR_EQUAL: return a >= b;
    case LESS: return a < b;
    default: return a > b;
    }
}

static void ask_for(uint64_t *next, uint64_t cycle) {
    if (cycle < *next) *next = cycle;
}

static bool rose(struct node *n, bool now, uint64_t cycle, uint64_t *next) {
    const bool rises = n->known && now && !n->was;
    n->known = true;
    n->was = now;
    if (rises) ask_for(next, cycle + 1);
    return rises;
}

static bool lasts(struct node *n, bool now, uint64_t cycle, uint64_t *next) {
    if (!now) {
        n->since = UINT64_MAX;
        return false;
    }
    if (n->since == UINT64_MAX) n->since = cycle;
    if (cycle - n->since + 1 >= n->number) return true;
    ask_for(next, n->since + n->number - 1);
    return false;
}

/* Both sides are always evaluated: rose() and durations need each cycle. */
static uint64_t evaluate(struct node *n, const struct wave_signals *s, uint64_t cycle, uint64_t *next) {
    const struct wave_signal *signal = n->kind == NODE_BIT      ? &s->signal[n->a->signal]
                                       : n->kind == NODE_SIGNAL ? &s->signal[n->signal]
                                                                : NULL;
    if (signal && signal->form == WAVE_COUNTS) { /* a signal that changes in each cycle */
        ask_for(next, cycle + 1);
        return n->kind == NODE_BIT ? n->number < 64 && cycle >> n->number & 1 : cycle;
    }
    switch (n->kind) {
    case NODE_NUMBER: return n->number;
    case NODE_TEXT: return 0;
    case NODE_SIGNAL: return value_of(signal);
    case NODE_BIT: return bit_of(signal, n->number);
    case NODE_COMPARE: return compare(n, s, cycle, next);
    case NODE_NOT: return !evaluate(n->a, s, cycle, next);
    case NODE_ROSE: return rose(n, evaluate(n->a, s, cycle, next), cycle, next);
    case NODE_FOR: return lasts(n, evaluate(n->a, s, cycle, next), cycle, next);
    default: {
        const bool a = evaluate(n->a, s, cycle, next), b = evaluate(n->b, s, cycle, next);
        return n->kind == NODE_AND ? a && b : a || b;
    }
    }
}

bool condition_holds(struct condition *c, const struct wave_signals *s, uint64_t cycle, uint64_t *next) {
    *next = UINT64_MAX;
    return evaluate((struct node *)c->root, s, cycle, next) != 0;
}

/* --- search --- */

void condition_continue(struct condition_search_state *s, struct condition *c, struct wave_changes *w,
                        uint64_t last, struct condition_result *result) {
    const struct change *x = w->changes.change, *const end = x + w->changes.count;
    uint64_t next = 0;
    while (s->cycle <= last && next != UINT64_MAX) {
        wave_changes_apply(w, &x, s->cycle);
        const bool now = condition_holds(c, &w->signals, s->cycle, &next);
        if (now && !s->held) {
            ++result->times;
            if (result->first == UINT64_MAX) result->first = s->cycle;
        }
        s->held = now;
        if (x < end && x->cycle < next) next = x->cycle;
        s->cycle = next <= last ? next : last + 1;
    }
    changes_drop(&w->changes, (size_t)(x - w->changes.change));
}

struct condition *condition_prepare(const char *text, struct wave_changes *w, struct error *e) {
    return wave_signals_make(&w->signals, w->r, UINT32_MAX - 1, NULL, e)
               ? condition_read(text, &w->signals, e)
               : NULL;
}

bool condition_search(const struct recording *r, const char *text, uint64_t first, uint64_t last,
                      struct condition_result *result, struct error *e) {
    struct wave_changes w = {.r = r, .first = first, .last = last};
    struct condition_search_state s = {.cycle = first};
    *result = (struct condition_result){.first = UINT64_MAX};
    struct condition *c = condition_prepare(text, &w, e);
    const bool good = c && wave_changes_count(&w, e) && wave_changes_store(&w, e);
    if (good) condition_continue(&s, c, &w, last, result);
    condition_free(c);
    wave_changes_free(&w);
    return good;
}
