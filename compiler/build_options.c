#include "compiler/build_options.h"

#include "compiler/trouble.h"

#include <stdlib.h>
#include <string.h>

static const char *const plain_options[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-no-signed-zeros",
    "-cl-finite-math-only",
    "-cl-kernel-arg-info",
    "-Werror",
    "-g",
};

/* Options that allow what is not made use of; clang would warn that they do nothing. */
static const char *const idle_options[] = {
    "-cl-denorms-are-zero", "-cl-strict-aliasing", /* of OpenCL 1.0 */
};

/* Options that allow a*b+c to be computed at once. */
static const char *const contracting_options[] = {
    "-cl-mad-enable",
    "-cl-unsafe-math-optimizations",
    "-cl-fast-relaxed-math",
};

static bool is_one_of(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, list[i])) return true;
    return false;
}
#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof *(list))

static void split(const char *options, struct arguments *words) {
    struct text word = {0};
    bool quoted = false, started = false;
    for (const char *p = options;; p++) {
        bool blank = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
        if (!*p || (blank && !quoted)) {
            if (started) arguments_add(words, text_string(&word));
            text_free(&word);
            started = false;
            if (!*p) break;
        } else if (*p == '"') {
            quoted = !quoted;
            started = true;
        } else {
            if (*p == '\\' && p[1]) p++;
            text_append(&word, p, 1);
            started = true;
        }
    }
    if (quoted) refuse_options("error: the build options have a quote that is not closed: %s", options);
}

static void read_standard(struct build_options *o, const char *word) {
    static const char *const standards[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2"};
    if (!IS_ONE_OF(word, standards))
        refuse_options(
            "error: build option '%s': this device compiles OpenCL C 1.0, 1.1 and 1.2 (-cl-std=CL1.2)", word);
    arguments_add(&o->clang, word);
}

void build_options_read(struct build_options *o, const char *options) {
    struct arguments words = {0};
    *o = (struct build_options){.optimise = true};
    split(options, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.strings[i];
        if (!strcmp(word, "-D") || !strcmp(word, "-I")) {
            if (i + 1 == words.count) refuse_options("error: build option '%s' needs a value", word);
            arguments_add(&o->clang, word);
            arguments_add(&o->clang, words.strings[++i]);
        } else if (!strncmp(word, "-D", 2) || !strncmp(word, "-I", 2) || IS_ONE_OF(word, plain_options)) {
            arguments_add(&o->clang, word);
        } else if (IS_ONE_OF(word, contracting_options)) {
            arguments_add(&o->clang, word);
            arguments_add(&o->clang, "-ffp-contract=on");
        } else if (!strncmp(word, "-cl-std=", 8)) {
            read_standard(o, word);
        } else if (!strcmp(word, "-cl-opt-disable")) {
            o->optimise = false;
        } else if (IS_ONE_OF(word, idle_options)) {
            continue;
        } else if (!strcmp(word, "-w")) {
            o->quiet = true;
            arguments_add(&o->clang, word);
        } else {
            refuse_options(
                "error: unknown build option '%s'; OpenCL 1.2 defines -D, -I, -w, -Werror, -cl-std=, "
                "-cl-opt-disable, -cl-mad-enable, -cl-fast-relaxed-math and others",
                word);
        }
    }
}
