#include "compiler/driver/build_options.h"

#include "compiler/driver/trouble.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFETCH_LATENCY 400 /* scalar-unit.md §2: two loads that miss, and the loop around them */
#define MOST_LATENCY     1000000
#define EXTRACT_LEAST    8
#define MOST_OPERATIONS  1000000

static const char *const plain_options[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-no-signed-zeros",
    "-cl-finite-math-only",
    "-cl-kernel-arg-info",
    "-Werror",
    "-g",
};

/* Options without effect; clang would warn about them. */
static const char *const idle_options[] = {
    "-cl-denorms-are-zero", "-cl-strict-aliasing", /* options of OpenCL 1.0 */
};

/* Options that allow a*b+c to be computed at once. */
static const char *const contracting_options[] = {
    "-cl-mad-enable",
    "-cl-unsafe-math-optimizations",
    "-cl-fast-relaxed-math",
};

/* Options of C compilers, which many programs pass: levels of optimisation (all levels but none are equal)
 * and warnings. */
static const char *const level_options[] = {"-O", "-O1", "-O2", "-O3", "-Os", "-Ofast"};
static const char *const warning_options[] = {"-Wall", "-Wextra", "-Wuninitialized", "-pedantic"};

/* Options of other vendors; one that ends in a name without '=' may have its value in the next word. */
static const char *const vendor_prefixes[] = {"-cl-nv-", "-cl-amd-", "-cl-intel-", "-cl-arm-", "-cl-qcom-"};
static const char *const vendor_values[] = {"-cl-nv-maxrregcount", "-cl-nv-opt-level", "-cl-nv-arch"};

static bool is_one_of(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, list[i])) return true;
    return false;
}
#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof *(list))

/* Returns the bytes of a character constant at a single quote: 'x', '\n'; 0 if there is none. */
static size_t character_constant(const char *p) {
    size_t length = p[1] == '\\' && p[2] ? 4 : 3;
    return p[1] && p[1] != '\'' && p[length - 2] && p[length - 1] == '\'' ? length : 0;
}

static void split(const char *options, struct arguments *words) {
    struct text word = {0};
    char quote = 0;
    bool started = false;
    for (const char *p = options;; p++) {
        bool blank = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
        size_t constant = !quote && *p == '\'' ? character_constant(p) : 0;
        if (!*p || (blank && !quote)) {
            if (started) arguments_add(words, text_string(&word));
            text_free(&word);
            started = false;
            if (!*p) break;
            continue;
        }
        started = true;
        if (constant) {
            text_append(&word, p, constant);
            p += constant - 1;
        } else if (quote ? *p == quote : *p == '"' || (*p == '\'' && strchr(p + 1, '\''))) {
            quote = quote ? 0 : *p;
        } else {
            if (*p == '\\' && p[1] && quote != '\'') p++;
            text_append(&word, p, 1);
        }
    }
    if (quote) refuse_options("error: the build options have a quote that is not closed: %s", options);
}

static void read_standard(struct build_options *o, const char *word) {
    static const char *const standards[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2"};
    if (!IS_ONE_OF(word, standards))
        refuse_options(
            "error: build option '%s': this device compiles OpenCL C 1.0, 1.1 and 1.2 (-cl-std=CL1.2)", word);
    arguments_add(&o->clang, word);
}

static bool is_of_vendor(const char *word) {
    for (size_t i = 0; i < sizeof vendor_prefixes / sizeof *vendor_prefixes; i++)
        if (!strncmp(word, vendor_prefixes[i], strlen(vendor_prefixes[i]))) return true;
    return false;
}

/* Reads the option at *i if it is one that OpenCL does not define but programs use; else returns false. */
static bool read_foreign(struct build_options *o, const struct arguments *words, size_t *i) {
    const char *word = words->strings[*i];
    if (!strcmp(word, "-O0")) {
        o->optimise = false;
        text_add(&o->notes, "note: build option '-O0' is taken as -cl-opt-disable\n");
    } else if (IS_ONE_OF(word, level_options)) {
        text_printf(&o->notes, "note: build option '%s' changes nothing: kernels are optimised in one way\n",
                    word);
    } else if (IS_ONE_OF(word, warning_options) || !strncmp(word, "-Wno-", 5)) {
        arguments_add(&o->clang, word);
    } else if (is_of_vendor(word)) {
        text_printf(&o->notes, "note: build option '%s' is another vendor's and changes nothing\n", word);
        bool value = IS_ONE_OF(word, vendor_values) && *i + 1 < words->count;
        if (value && words->strings[*i + 1][0] != '-') ++*i;
    } else {
        return false;
    }
    return true;
}

/* Reads options of OpenCL for code generation. */
static bool read_optimisation(struct build_options *o, const char *word) {
    if (IS_ONE_OF(word, contracting_options)) {
        arguments_add(&o->clang, word);
        arguments_add(&o->clang, "-ffp-contract=on");
    } else if (!strcmp(word, "-cl-opt-disable")) {
        o->optimise = false;
    } else {
        return IS_ONE_OF(word, idle_options);
    }
    return true;
}

const char *const compile_partner_name[4] = {"off", "prefetch", "extract", "divergence"};

int compile_partner_find(const char *name) {
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, compile_partner_name[i])) return i;
    return -1;
}

/* Returns the number in an option. */
static unsigned read_number(const char *word, const char *digits, long most, const char *of) {
    char *end;
    errno = 0;
    const long number = strtol(digits, &end, 10);
    if (errno || end == digits || *end || number < 1 || number > most)
        refuse_options("error: build option '%s': a number of %s from 1 to %ld is needed", word, of, most);
    return (unsigned)number;
}

/* Reads options of this compiler. */
static bool read_own(struct build_options *o, const char *word) {
    static const char partner[] = "-lockstep-scalar=", latency[] = "-lockstep-prefetch-latency=",
                      least[] = "-lockstep-extract-min=";
    if (!strncmp(word, partner, strlen(partner))) {
        const int kind = compile_partner_find(word + strlen(partner));
        if (kind < 0) refuse_options("error: build option '%s': " PARTNER_CHOICES, word);
        o->partner = (enum compile_partner)kind;
    } else if (!strncmp(word, latency, strlen(latency))) {
        o->prefetch_latency = read_number(word, word + strlen(latency), MOST_LATENCY, "cycles");
    } else if (!strncmp(word, least, strlen(least))) {
        o->extract_least = read_number(word, word + strlen(least), MOST_OPERATIONS, "operations");
    } else {
        return false;
    }
    return true;
}

void build_options_read(struct build_options *o, const char *options, enum compile_partner partner) {
    struct arguments words = {0};
    *o = (struct build_options){.optimise = true,
                                .partner = partner,
                                .prefetch_latency = PREFETCH_LATENCY,
                                .extract_least = EXTRACT_LEAST};
    split(options, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.strings[i];
        if (!strcmp(word, "-D") || !strcmp(word, "-I")) {
            if (i + 1 == words.count) refuse_options("error: build option '%s' needs a value", word);
            arguments_add(&o->clang, word);
            arguments_add(&o->clang, words.strings[++i]);
        } else if (!strncmp(word, "-D", 2) || !strncmp(word, "-I", 2) || IS_ONE_OF(word, plain_options)) {
            arguments_add(&o->clang, word);
        } else if (!strncmp(word, "-cl-std=", 8)) {
            read_standard(o, word);
        } else if (!strcmp(word, "-w")) {
            o->quiet = true;
            arguments_add(&o->clang, word);
        } else if (!read_optimisation(o, word) && !read_own(o, word) && !read_foreign(o, &words, &i)) {
            refuse_options(
                "error: unknown build option '%s'; OpenCL 1.2 defines -D, -I, -w, -Werror, -cl-std=, "
                "-cl-opt-disable, -cl-mad-enable, -cl-fast-relaxed-math and others",
                word);
        }
    }
    if (o->quiet) text_free(&o->notes);
}
