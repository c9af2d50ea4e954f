/* scripts/prose refuses a count that rises, and one that has fallen without being recorded; it draws the same
 * by the same seed. */
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
    free(begin);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(counts_only_fall), TEST(draws_by_a_seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
