#include "lockstep/commands/arguments.h"

#include "sim/error.h"
#include "sim/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls `visit` for each long option of a parser and its children, and for argp's own options, until it
 * returns true. */
typedef bool visitor(const struct argp_option *o, void *context);

static bool visit_options(const struct argp *argp, visitor *visit, void *context) {
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
        if (o->name && visit(o, context)) return true;
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        if (visit_options(c->argp, visit, context)) return true;
    return false;
}

static const struct argp_option added[] = {{"help", 0, NULL, 0, NULL, 0},
                                           {"usage", 0, NULL, 0, NULL, 0},
                                           {"version", 0, NULL, 0, NULL, 0},
                                           {"program-name", 0, "NAME", 0, NULL, 0},
                                           {"HANG", 0, "SECONDS", OPTION_ARG_OPTIONAL, NULL, 0}};

enum { TOLD = 3 }; /* largest number of names that a message suggests */

static bool visit_all(const struct argp *argp, visitor *visit, void *context) {
    if (visit_options(argp, visit, context)) return true;
    for (size_t n = 0; n < sizeof added / sizeof *added; n++)
        if (visit(&added[n], context)) return true;
    return false;
}

struct search {
    const char *name; /* name without -- and = */
    size_t length;
    const struct argp_option *found;
};

/* Returns whether a name begins with the searched text. getopt accepts the beginning of a name as an
 * abbreviation. */
static bool begins(const struct argp_option *o, void *context) {
    struct search *s = context;
    if (strncmp(o->name, s->name, s->length) != 0) return false;
    s->found = o;
    return o->name[s->length] == '\0';
}

static bool add_name(const struct argp_option *o, void *context) {
    fprintf(context, "%s ", o->name);
    return false;
}

static _Noreturn void refuse(const struct argp *argp, const char *command, const struct search *s) {
    char *names;
    size_t size;
    FILE *list = open_memstream(&names, &size);
    require_memory(list);
    visit_options(argp, add_name, list);
    for (size_t n = 0; n < TOLD; n++) add_name(&added[n], list);
    fclose(list);
    const char *slash = strrchr(command, '/'), *own = slash ? slash + 1 : command;
    const char *hint = nearest_hint(s->name, s->length, names), *quote = strchr(hint, '\'');
    fprintf(stderr, "%s: unrecognized option '--%.*s'%.*s%s%s\n", own, (int)s->length, s->name,
            quote ? (int)(quote - hint) + 1 : 0, hint, quote ? "--" : "", quote ? quote + 1 : "");
    fprintf(stderr, "Try `%s --help' or `%s --usage' for more information.\n", own, own);
    free(names);
    exit(argp_err_exit_status);
}

/* Checks long options; getopt reports short options without argument. */
static void check_options(const struct argp *argp, int argc, char **argv, unsigned flags) {
    for (int n = 1; n < argc && strcmp(argv[n], "--") != 0; n++) {
        const char *word = argv[n];
        /* The word is the program; words behind it are options of the program. */
        if (word[0] != '-' && (flags & ARGP_IN_ORDER)) return;
        if (strncmp(word, "--", 2) != 0) continue;
        struct search s = {word + 2, strcspn(word + 2, "="), NULL};
        visit_all(argp, begins, &s);
        if (!s.found) refuse(argp, argv[0], &s);
        const bool separate = s.found->arg && !(s.found->flags & OPTION_ARG_OPTIONAL) && !word[2 + s.length];
        n += separate; /* skips the option's argument */
    }
}

void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    check_options(argp, argc, argv, flags);
    argp_parse(argp, argc, argv, flags, NULL, input);
}
