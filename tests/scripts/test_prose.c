/* scripts/prose refuses a count that rises, and one that has fallen without being recorded. */
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

int main(void) {
    const struct CMUnitTest tests[] = {TEST(counts_only_fall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
