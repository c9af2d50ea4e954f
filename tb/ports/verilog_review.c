#include "tb/ports/verilog_review.h"

#include "tb/ports/verilator.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES   (64u << 20) /* limit of preprocessed text */
#define MOST_MODULES 4096
#define MOST_WORD    512

/* --- words --- */

struct text {
    const char *at;
    char file[PATH_MAX];
    unsigned line;
};

struct module {
    char name[MOST_WORD], place[PATH_MAX + 16];
    bool used;
};

/* State of the reader before a word. */
struct review {
    struct verilog_notices *notices; /* NULL: only modules are collected */
    struct module *module;
    unsigned modules;
    bool finds_uses;                         /* all modules have been collected */
    char last[MOST_WORD], before[MOST_WORD]; /* the previous word, and the one before it */
    char name[MOST_WORD], target[MOST_WORD]; /* the last name; the name before the last assignment */
    char random[MOST_WORD], random_place[PATH_MAX + 16]; /* a random function whose arguments follow;
                                                          * "": none */
    char gate[MOST_WORD];                                /* a gate whose output follows; "": none */
    bool opened, latch;                                  /* after the gate's parenthesis; within an
                                                          * always_latch */
    unsigned brackets, parentheses;
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Reads a line such as `line 12 "file" 1 */
static void read_line(struct text *t) {
    char file[PATH_MAX];
    unsigned line;
    if (sscanf(t->at, "`line %u \"%4095[^\"]\"", &line, file) == 2) {
        strcpy(t->file, file);
        t->line = line - 1; /* the next line has this number */
    }
    t->at += strcspn(t->at, "\n");
}

/* Skips blanks, comments, strings and directives. */
static void skip(struct text *t) {
    for (;; ++t->at) {
        if (*t->at == '\n') ++t->line;
        if (strncmp(t->at, "`line ", 6) == 0) {
            read_line(t);
            if (*t->at == '\n') ++t->line;
        } else if (t->at[0] == '/' && t->at[1] == '/') {
            t->at += strcspn(t->at, "\n");
            if (*t->at == '\n') ++t->line;
        } else if (t->at[0] == '/' && t->at[1] == '*') {
            const char *end = strstr(t->at + 2, "*/");
            for (end = end ? end + 1 : t->at + strlen(t->at) - 1; t->at < end; ++t->at)
                t->line += *t->at == '\n';
        } else if (*t->at == '"') {
            for (++t->at; *t->at && *t->at != '"' && *t->at != '\n'; ++t->at)
                if (t->at[0] == '\\' && t->at[1] && t->at[1] != '\n') ++t->at;
            if (*t->at != '"') --t->at;
        } else if (!isspace((unsigned char)*t->at)) {
            return;
        }
        if (!*t->at) return;
    }
}

/* Returns the length of the number, name or operator at a place. */
static size_t word_length(const char *at) {
    static const char *const operators[] = {
        "===", "!==", "==?", "!=?", "<<<", ">>>", "==", "!=", "<=", ">=", "&&", "||", "::", "->", "##"};
    size_t length = 0;
    if (*at == '\\') return 1 + strcspn(at + 1, " \t\n");
    if (is_word(*at) && !isdigit((unsigned char)*at)) {
        while (is_word(at[length])) ++length;
        return length;
    }
    while (isdigit((unsigned char)at[length]) || (length && at[length] == '_')) ++length;
    if (at[length] == '\'' && (isalnum((unsigned char)at[length + 1]) || at[length + 1] == '?')) {
        ++length;
        while (is_word(at[length]) || at[length] == '?') ++length;
    }
    if (length) return length;
    for (unsigned n = 0; n < sizeof operators / sizeof *operators; ++n)
        if (strncmp(at, operators[n], strlen(operators[n])) == 0) return strlen(operators[n]);
    return 1;
}

/* Returns false at the end of the text. */
static bool next_word(struct text *t, char word[MOST_WORD]) {
    if (*t->at) skip(t);
    if (!*t->at) return false;
    const size_t length = word_length(t->at);
    snprintf(word, MOST_WORD, "%.*s", (int)(length < MOST_WORD ? length : MOST_WORD - 1), t->at);
    t->at += length;
    return true;
}

static bool is_one_of(const char *word, const char *words) {
    char padded[MOST_WORD + 2];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(words, padded) != NULL;
}

/* --- findings --- */

static const char *place_of(const struct text *t, char place[PATH_MAX + 16]) {
    snprintf(place, PATH_MAX + 16, "%s:%u", t->file, t->line);
    return place;
}

static void add_notice(struct review *r, const struct text *t, const char *name, const char *format,
                       const char *what) {
    char place[PATH_MAX + 16], text[MOST_WORD + 64];
    snprintf(text, sizeof text, "%s%s", format, what);
    verilog_notices_add(r->notices, false, name, place_of(t, place), text);
}

/* Records a module's name after `module`. Anywhere else, except in `endmodule : name`, the name instantiates
 * the module. */
static void see_module(struct review *r, const struct text *t, const char *word) {
    if (!r->finds_uses && is_one_of(r->last, " module macromodule ") &&
        !is_one_of(word, " automatic static ") && r->modules < MOST_MODULES) {
        struct module *m = &r->module[r->modules++];
        snprintf(m->name, sizeof m->name, "%s", word);
        place_of(t, m->place);
        m->used = false;
    }
    if (!r->finds_uses || is_one_of(r->last, " module macromodule ")) return;
    if (strcmp(r->last, ":") == 0 && strcmp(r->before, "endmodule") == 0) return;
    for (unsigned n = 0; n < r->modules; ++n)
        if (strcmp(r->module[n].name, word) == 0) r->module[n].used = true;
}

static void see_name(struct review *r, const struct text *t, const char *word) {
    if (r->brackets) return;
    if (strcmp(r->last, ".") == 0 && *r->name && !r->parentheses) {
        const size_t length = strlen(r->name);
        snprintf(r->name + length, sizeof r->name - length, ".%s", word);
    } else {
        snprintf(r->name, sizeof r->name, "%s", word);
    }
    if (*r->gate && r->opened) {
        add_notice(r, t, "z", "may be Z: ", word);
        *r->gate = '\0';
    }
}

/* Handles an assignment: `=` and `<=` outside of parentheses. */
static void see_assignment(struct review *r, const struct text *t) {
    snprintf(r->target, sizeof r->target, "%s", r->name);
    if (r->latch && !r->parentheses) add_notice(r, t, "latch", "always_latch assigns ", r->target);
}

/* Reports a constant with Z. After these words, it drives a signal; after others, a casez compares it. */
static void see_number(struct review *r, const struct text *t, const char *word) {
    const char *base = strchr(word, '\'');
    if (base && strpbrk(base, "zZ") && is_one_of(r->last, " = <= ? : { ( "))
        add_notice(r, t, "z", "may be Z: ", r->target);
}

static void see_random(struct review *r, const struct text *t, const char *word) {
    const bool seeded = strcmp(r->last, "(") == 0 && strcmp(word, ")") != 0;
    if (*r->random && (strcmp(r->last, "(") == 0 || strcmp(word, "(") != 0)) {
        if (!seeded || strcmp(r->random, "$urandom_range") == 0)
            verilog_notices_add(r->notices, false, "random", r->random_place, r->random);
        *r->random = '\0';
    }
    if (!is_one_of(word, " $random $urandom $urandom_range ")) return;
    snprintf(r->random, sizeof r->random, "%s", word);
    place_of(t, r->random_place);
}

static void see_brackets(struct review *r, const char *word) {
    r->brackets += *word == '[';
    r->brackets -= *word == ']' && r->brackets;
    r->parentheses += *word == '(';
    r->parentheses -= *word == ')' && r->parentheses;
    if (*word == '(' && *r->gate) r->opened = true;
    if (*word == ';') {
        r->brackets = r->parentheses = 0;
        *r->gate = '\0';
    }
}

static void see(struct review *r, const struct text *t, const char *word) {
    see_module(r, t, word);
    if (!r->notices) return;
    see_random(r, t, word);
    if (strcmp(word, "always_latch") == 0)
        r->latch = true;
    else if (is_one_of(word, " always always_comb always_ff initial final assign logic wire reg endmodule "))
        r->latch = false;
    if (is_one_of(word, " bufif0 bufif1 notif0 notif1 ")) {
        snprintf(r->gate, sizeof r->gate, "%s", word);
        r->opened = false;
    } else if (*word == '\\' || (is_word(*word) && !isdigit((unsigned char)*word))) {
        see_name(r, t, word);
    } else if (strcmp(word, "=") == 0 || strcmp(word, "<=") == 0) {
        see_assignment(r, t);
    } else if (strchr(word, '\'')) {
        see_number(r, t, word);
    } else {
        see_brackets(r, word);
    }
}

static void read_text(struct review *r, const char *text) {
    struct text *t = calloc(1, sizeof *t);
    char word[MOST_WORD];
    require_memory(t);
    t->at = text;
    t->line = 1;
    *r->last = *r->before = *r->name = *r->target = *r->random = *r->gate = '\0';
    r->brackets = r->parentheses = 0;
    r->latch = false;
    while (next_word(t, word)) {
        see(r, t, word);
        strcpy(r->before, r->last);
        strcpy(r->last, word);
    }
    free(t);
}

/* --- the preprocessor --- */

/* Fills a buffer of MOST_BYTES with the preprocessed text of the source's files and of `more`. Returns false
 * if there is none. */
static bool preprocess(char *text, const struct verilog_source *source, char *const more[], unsigned count,
                       const struct tool_folder *f) {
    struct error why = {0};
    unsigned n = 0;
    char **argv = calloc(VERILOG_MAX_ITEMS + count + 8, sizeof *argv);
    require_memory(argv);
    argv[n++] = (char *)verilator_command();
    argv[n++] = (char *)"-E";
    for (unsigned i = 0; i < source->count; ++i)
        if (source->item[i].kind != VERILOG_FUNCTIONS && source->item[i].kind != VERILOG_PARAMETER)
            argv[n++] = source->item[i].text;
    for (unsigned i = 0; i < count; ++i) argv[n++] = more[i];
    *text = '\0';
    const bool good = tool_ask(argv, f, text, MOST_BYTES, &why);
    free(argv);
    return good;
}

/* Finds those of `files` that the text does not include: modules that Verilator has found by name. */
static unsigned find_more(const char *text, char *files, char *more[], unsigned most) {
    unsigned count = 0;
    for (char *path = files, *rest; (path = strtok_r(path, "\n", &rest)) && count < most; path = NULL) {
        char quoted[PATH_MAX + 3];
        snprintf(quoted, sizeof quoted, "\"%s\"", path);
        const size_t length = strlen(path);
        const bool verilog = (length > 3 && strcmp(path + length - 3, ".sv") == 0) ||
                             (length > 2 && strcmp(path + length - 2, ".v") == 0);
        if (verilog && !strstr(text, quoted)) more[count++] = path;
    }
    return count;
}

static bool read_source(struct review *r, const struct verilog_source *source, const char *files,
                        const struct tool_folder *f) {
    char *text = malloc(MOST_BYTES), *copy = strdup(files ? files : ""), *more[512];
    r->module = calloc(MOST_MODULES, sizeof *r->module);
    require_memory(text && copy && r->module);
    bool good = preprocess(text, source, NULL, 0, f);
    const unsigned count = good ? find_more(text, copy, more, sizeof more / sizeof *more) : 0;
    if (count) good = preprocess(text, source, more, count, f);
    if (good) {
        struct verilog_notices *const notices = r->notices;
        r->notices = NULL;
        read_text(r, text);
        r->finds_uses = true;
        r->notices = notices;
        read_text(r, text);
    }
    free(copy);
    free(text);
    return good;
}

void verilog_review(struct verilog_notices *n, const struct verilog_source *source, const char *files,
                    const struct tool_folder *f) {
    struct review r = {.notices = n};
    read_source(&r, source, files, f);
    bool found = false;
    for (unsigned i = 0; i < r.modules; ++i) found |= strcmp(r.module[i].name, source->top) == 0;
    for (unsigned i = 0; found && i < r.modules; ++i)
        if (!r.module[i].used && strcmp(r.module[i].name, source->top) != 0)
            verilog_notices_add(n, false, "tops", r.module[i].place, r.module[i].name);
    free(r.module);
}

char *verilog_review_tops(const struct verilog_source *source, const struct tool_folder *f) {
    struct review r = {.notices = NULL};
    char *tops = NULL;
    size_t size;
    FILE *out = open_memstream(&tops, &size);
    require_memory(out);
    read_source(&r, source, NULL, f);
    for (unsigned i = 0, all = 0; i < r.modules; ++i)
        if (!r.module[i].used) fprintf(out, "%s%s", all++ ? ", " : "", r.module[i].name);
    fclose(out);
    free(r.module);
    return tops;
}
