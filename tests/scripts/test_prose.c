/* scripts/prose refuses a count that rises, and one that has fallen without being recorded. It counts pages,
 * strings and comments, and draws the same texts by the same seed. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static void shell(const char *line, int status, const char *part) {
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", (char *)line, NULL});
    if (s.status != status || !strstr(s.err, part)) fail_msg("%s: %d, '%s'", line, s.status, s.err);
    spawn_free(&s);
}

static void counts_only_fall(void **state) {
    (void)state;
    char *begin = spawn_text("git init -q . && mkdir scripts lockstep && cp %s/scripts/prose scripts && "
                             "echo 'int one;' >lockstep/a.c && echo 'A short page.' >page.md && git add . && "
                             "scripts/prose",
                             spawn_source());
    shell(begin, 0, "");
    shell("scripts/prose", 0, "");
    shell("echo 'What is asked stays.' >page.md; scripts/prose", 1, "begins: 1, but at most 0");
    shell("echo 'What is a warp?' >page.md; scripts/prose", 0, "");
    shell("echo 'The warp is told.' >page.md; scripts/prose", 1, "phrase: 1, but at most 0");
    shell("rm scripts/prose.counts; scripts/prose && echo 'A page.' >page.md; scripts/prose", 1,
          "has fallen");
    shell("scripts/prose --update && scripts/prose", 0, "");
    free(begin);
}

/* Runs scripts/prose with a file that is removed afterwards. */
static void expect_comment(const char *file, const char *text, int status, const char *part) {
    char *line = spawn_text("printf '%%s\\n' '%s' >%s && git add -A && scripts/prose", text, file),
         *clean = spawn_text("rm %s && git add -A", file);
    shell(line, status, part);
    shell(clean, 0, "");
    free(clean);
    free(line);
}

/* Each pattern of a comment is counted once, for a comment beside code or above it. Strings, tables in a
 * comment, lines for other scripts and unlisted folders are left out. */
static void comments_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *file, *text, *kind;
    } found[] = {
        {"sim/a.c", "/* Does it wait? */", "question"},
        {"sim/a.c", "/* Whether it waits. */", "question"},
        {"rtl/a.sv", "// It waits here.", "pronoun"},
        {"abi/a.h", "int a; /* of the warp */", "continues"},
        {"rtl/a.sv", "logic a;  // which waits", "continues"},
        {"scripts/a", "a=2  # of the warp", "continues"},
        {"recording/a.c", "/* Nobody waits. */", "phrase"},
        {"scripts/a", "# What a script prints.", "begins"},
        {"runtime/a.c", "/* A warp, who waits. */", "who"},
        {"synthesis/a.c", "/* a a a a a a a a a a a a a a a a\n * a a a a a a a a a a a a a a a */",
         "sentence"},
    };
    static const struct {
        const char *file, *text;
    } sound[] = {
        {"sim/a.c", "/* Returns whether the warp waits. */"},
        {"sim/a.c", "const char *a = \"/* Does it wait? */\";"},
        {"sim/a.c", "/* A table:\n *\n *   which  of the warp? */"},
        {"abi/a.h", "int a; /* number of the warp */"},
        {"scripts/a", "#   a    Does it wait?"},
        {"rtl/a.sv", "// Sizes: A=1\n//+ // What waits?"},
        {"figures/a.c", "/* Does it wait? */"},
    };
    char *begin =
        spawn_text("git init -q . && mkdir scripts rtl sim abi synthesis runtime recording figures && "
                   "cp %s/scripts/prose scripts && echo 'A page.' >page.md && git add . && scripts/prose",
                   spawn_source());
    shell(begin, 0, "");
    for (size_t n = 0; n < sizeof found / sizeof *found; n++) {
        char *part = spawn_text("scripts/prose: comment-%s: 1, but at most 0", found[n].kind);
        expect_comment(found[n].file, found[n].text, 1, part);
        free(part);
    }
    for (size_t n = 0; n < sizeof sound / sizeof *sound; n++)
        expect_comment(sound[n].file, sound[n].text, 0, "");
    free(begin);
}

/* Paragraphs of pages with eight words or more and messages with six, twenty at most; code is no message. */
static void draws_by_a_seed(void **state) {
    (void)state;
    char *begin =
        spawn_text("git init -q . && mkdir -p scripts docs sim && cp %s/scripts/prose scripts && "
                   "for n in $(seq 100 130); do echo \"This is the paragraph with the number $n.\"; echo; "
                   "done >docs/a.md && echo 'Too short.' >README.md && "
                   "echo 'const char *s = \"a message of as many as seven words\";' >sim/a.c && "
                   "echo 'const char *t = \"int a = 1; for (;;) { a = a; }\";' >>sim/a.c && git add .",
                   spawn_source());
    shell(begin, 0, "");
    shell("scripts/prose --draw 5 >one && scripts/prose --draw 5 >two && cmp one two", 0, "");
    shell("scripts/prose --draw 6 >two; cmp -s one two", 1, "");
    shell("[ $(grep -c 'the paragraph with' one) = 20 ] && ! grep -q short one", 0, "");
    shell("[ $(grep 'the paragraph with' one | sort | uniq -d | wc -l) = 0 ]", 0, "");
    shell("grep -q 'as many as seven' one && ! grep -q 'for (' one", 0, "");
    shell("scripts/prose --draw", 1, "--draw needs a seed");
    shell("for n in $(seq 100 130); do echo \"int a$n; /* number $n of all the warps */\"; done >sim/b.c && "
          "git add . && scripts/prose --draw 5 sim >one && scripts/prose --draw 5 sim >two && cmp one two && "
          "[ $(grep -c 'of all the warps' one) = 20 ]",
          0, "");
    shell("scripts/prose --draw 5 nowhere", 1, "no comments in the folder nowhere");
    free(begin);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(counts_only_fall), TEST(comments_are_counted),
                                       TEST(draws_by_a_seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
