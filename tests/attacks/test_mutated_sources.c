/* The kernel compiler on OpenCL C with random changes of bytes or tokens, from the kernels of this
 * repository. It writes a complete image or refuses the source with a message. It never crashes or hangs and
 * leaves no other files. `make test` runs a few cases, LOCKSTEP_LONG=1 (`make test-long`) 10,000 of each kind
 * (docs/test-long.md). */
#include "runtime/image.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <string.h>

enum { MOST_TOKENS = 20000 };

/* --- sources --- */

static glob_t sources;

static void find_sources(void) {
    static const char *const patterns[] = {"benchmarks/*/*.cl", "tests/kernels/*.cl",
                                           "tests/kernels/concepts/*.cl"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *pattern = spawn_text("%s/%s", spawn_source(), patterns[i]);
        glob(pattern, i ? GLOB_APPEND : 0, NULL, &sources);
        free(pattern);
    }
    assert_true(sources.gl_pathc > 10);
}

static char *choose_source(struct seed *s, size_t *size) {
    return attack_read(sources.gl_pathv[seed_below(s, (unsigned)sources.gl_pathc)], size);
}

/* --- tokens --- */

struct tokens {
    const char *at[MOST_TOKENS];
    unsigned length[MOST_TOKENS], count;
};

static const char *const dictionary[] = {"goto",
                                         "barrier(CLK_LOCAL_MEM_FENCE);",
                                         "__local",
                                         "__global",
                                         "__kernel",
                                         "__constant",
                                         "__private",
                                         "volatile",
                                         "const",
                                         "restrict",
                                         "struct",
                                         "union",
                                         "typedef",
                                         "enum",
                                         "for(;;)",
                                         "while(1)",
                                         "do",
                                         "switch",
                                         "case 1:",
                                         "default:",
                                         "break;",
                                         "continue;",
                                         "return;",
                                         "goto x;",
                                         "x:",
                                         "{",
                                         "}",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         ";",
                                         ",",
                                         "*",
                                         "&",
                                         "->",
                                         ".",
                                         "...",
                                         "=",
                                         "+=",
                                         "/",
                                         "%",
                                         "<<",
                                         "?",
                                         ":",
                                         "__attribute__((noinline))",
                                         "__attribute__((reqd_work_group_size(1,1,1)))",
                                         "__attribute__((packed))",
                                         "image2d_t",
                                         "sampler_t",
                                         "event_t",
                                         "float16",
                                         "half",
                                         "double",
                                         "long",
                                         "uchar3",
                                         "bool",
                                         "void",
                                         "size_t",
                                         "printf(\"%d %s %v4f\", 1);",
                                         "asm(\"wfi\");",
                                         "\"\"",
                                         "'x'",
                                         "0x7fffffff",
                                         "0",
                                         "1e400",
                                         "-1",
                                         "4294967296",
                                         "/*",
                                         "*/",
                                         "//",
                                         "\\\n",
                                         "\n#define X\n",
                                         "\n#define barrier\n",
                                         "\n#include \"x\"\n",
                                         "\n#if 0\n",
                                         "\n#else\n",
                                         "\n#endif\n",
                                         "\n#line 7 \"y\"\n",
                                         "\n#pragma unroll\n",
                                         "__builtin_trap();",
                                         "__builtin_unreachable();",
                                         "inline",
                                         "static",
                                         "extern",
                                         "&&x",
                                         "(int4)(1)",
                                         "[1000000]",
                                         "get_global_id(0)",
                                         "atomic_inc",
                                         "async_work_group_copy",
                                         "({ 1; })",
                                         "__builtin_va_arg",
                                         "__asm__ volatile(\"\");",
                                         "_Static_assert(0, \"\");"};

static unsigned token_length(const char *p) {
    unsigned n = 1;
    if (isalnum((unsigned char)*p) || *p == '_')
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

static void split(struct tokens *t, const char *text) {
    t->count = 0;
    for (const char *p = text; *p && t->count < MOST_TOKENS;) {
        t->at[t->count] = p;
        t->length[t->count] = token_length(p);
        p += t->length[t->count++];
    }
}

static void insert(struct tokens *t, unsigned at, const char *text, unsigned length) {
    if (t->count == MOST_TOKENS) return;
    memmove(t->at + at + 1, t->at + at, (t->count - at) * sizeof *t->at);
    memmove(t->length + at + 1, t->length + at, (t->count - at) * sizeof *t->length);
    t->at[at] = text;
    t->length[at] = length;
    t->count++;
}

static void cut(struct tokens *t, unsigned at, unsigned count) {
    memmove(t->at + at, t->at + at + count, (t->count - at - count) * sizeof *t->at);
    memmove(t->length + at, t->length + at + count, (t->count - at - count) * sizeof *t->length);
    t->count -= count;
}

/* Chooses a token, not a blank if another is near. */
static unsigned choose_token(struct seed *s, const struct tokens *t) {
    unsigned at = seed_below(s, t->count);
    while (at + 1 < t->count && isspace((unsigned char)*t->at[at])) at++;
    return at;
}

static void replace(struct tokens *t, unsigned at, const char *text) {
    t->at[at] = text;
    t->length[at] = (unsigned)strlen(text);
}

static bool is_type(const struct tokens *t, unsigned at, const char *const *types, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (strlen(types[i]) == t->length[at] && !strncmp(types[i], t->at[at], t->length[at])) return true;
    return false;
}

/* A number, an operator or a type by another. */
static void mutate_alike(struct seed *s, struct tokens *t, unsigned at) {
    static const char *const numbers[] = {"0",    "1",          "2",  "3",      "31", "32",       "255",
                                          "1.5f", "0x80000000", "-1", "100000", "7u", "0x1p-140f"};
    static const char *const operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<", ">"};
    static const char *const types[] = {"int",    "uint",   "float",  "char",   "uchar", "short",
                                        "ushort", "long",   "ulong",  "double", "bool",  "int2",
                                        "float4", "uchar3", "size_t", "long8"};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, TYPES = sizeof types / sizeof *types };
    for (; at < t->count; at++)
        if (isdigit((unsigned char)*t->at[at])) {
            replace(t, at, numbers[seed_below(s, NUMBERS)]);
            return;
        } else if (strchr("+-*/%&|^<>", *t->at[at])) {
            replace(t, at, operators[seed_below(s, 10)]);
            return;
        } else if (is_type(t, at, types, TYPES)) {
            replace(t, at, types[seed_below(s, TYPES)]);
            return;
        }
}

/* Deletes or duplicates a statement; `at`: a token in it. */
static void mutate_statement(struct seed *s, struct tokens *t, unsigned at) {
    while (at > 0 && !strchr(";{}", *t->at[at - 1])) at--;
    unsigned end = at;
    while (end < t->count && !strchr(";{}", *t->at[end])) end++;
    if (end == t->count || *t->at[end] != ';') return;
    const unsigned length = end + 1 - at;
    if (seed_below(s, 2))
        cut(t, at, length);
    else
        for (unsigned i = 0; i < length; i++) insert(t, end + 1 + i, t->at[at + i], t->length[at + i]);
}

static void mutate_anyhow(struct seed *s, struct tokens *t, unsigned at, unsigned other) {
    const char *word = dictionary[seed_below(s, sizeof dictionary / sizeof *dictionary)];
    const unsigned most = t->count - at < 200 ? t->count - at : 200;
    switch (seed_below(s, 6)) {
    case 0: cut(t, at, 1); break;
    case 1: insert(t, at, t->at[at], t->length[at]); break;
    case 2:
        t->at[at] = t->at[other];
        t->length[at] = t->length[other];
        break;
    case 3:
        insert(t, at, " ", 1);
        insert(t, at, word, (unsigned)strlen(word));
        insert(t, at, " ", 1);
        break;
    case 4: cut(t, at, 1 + seed_below(s, most)); break;
    default:
        for (unsigned i = 1 + seed_below(s, 60); i > 0 && other + i < t->count; i--)
            insert(t, at, t->at[other + i], t->length[other + i]);
    }
}

static void mutate_token(struct seed *s, struct tokens *t) {
    const unsigned at = choose_token(s, t), other = choose_token(s, t), kind = seed_below(s, 10);
    if (kind < 5)
        mutate_alike(s, t, at);
    else if (kind < 7)
        mutate_statement(s, t, at);
    else
        mutate_anyhow(s, t, at, other);
}

static char *join(const struct tokens *t, size_t *size) {
    char *text;
    FILE *f = open_memstream(&text, size);
    assert_non_null(f);
    for (unsigned i = 0; i < t->count; i++) fwrite(t->at[i], 1, t->length[i], f);
    assert_int_equal(fclose(f), 0);
    return text;
}

static char *mutated_tokens(struct seed *s, size_t *size) {
    static struct tokens t;
    char *source = choose_source(s, size);
    split(&t, source);
    for (unsigned n = 1 + seed_below(s, 3); n > 0 && t.count > 0; n--) mutate_token(s, &t);
    char *changed = join(&t, size);
    free(source);
    return changed;
}

static char *mutated_bytes(struct seed *s, size_t *size) {
    char *source = choose_source(s, size);
    attack_mutate(s, &source, size);
    return source;
}

/* --- compiling --- */

struct tally {
    unsigned compiled, refused;
};

static unsigned files_left(void) {
    DIR *folder = opendir(fixture_folder);
    unsigned count = 0;
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2;
}

static void assert_whole_image(const struct attack *a) {
    char *path = fixture_path("m.img");
    size_t size;
    struct error e = {0};
    char *bytes = attack_read(path, &size);
    struct image *i = image_load(bytes, size, &e);
    if (!i) attack_fail(a, "the image is refused: %s\n", e.message);
    image_free(i);
    free(bytes);
    remove(path);
    free(path);
}

static void compile(const struct attack *a, char *source, size_t size, struct tally *t) {
    char *path = fixture_path("m.cl"), *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    attack_write(path, source, size);
    struct spawned s = spawn(fixture_folder, (char *[]){compiler, "--no-cache", "-o", "m.img", "m.cl", NULL});
    if (s.status != 0 && (s.status != 1 || !strstr(s.err, "error: ")))
        attack_fail(a, "exit status %d, expected 0, or 1 and an error\n%s\n", s.status, s.err);
    if (files_left() != 1 + (s.status == 0)) attack_fail(a, "exit status %d leaves other files\n", s.status);
    if (s.status == 0) assert_whole_image(a);
    t->compiled += s.status == 0;
    t->refused += s.status == 1;
    spawn_free(&s);
    free(compiler);
    free(path);
    free(source);
}

static void attack_compiler(const char *test, char *(*mutated)(struct seed *, size_t *)) {
    struct attack a = attack_start(test, 30, 10000);
    struct tally t = {0};
    if (sources.gl_pathc == 0) find_sources();
    spawn_limit_seconds = 100;
    while (attack_next(&a)) {
        struct seed s = attack_seed(&a);
        size_t size;
        char *source = mutated(&s, &size);
        compile(&a, source, size, &t);
    }
    attack_end(&a, "%u sources compiled, %u refused", t.compiled, t.refused);
}

static void changed_tokens(void **state) {
    (void)state;
    attack_compiler("changed_tokens", mutated_tokens);
}

static void changed_bytes(void **state) {
    (void)state;
    attack_compiler("changed_bytes", mutated_bytes);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(changed_tokens), TEST(changed_bytes)};
    return attack_run(argc, argv, tests);
}
