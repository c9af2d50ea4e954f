/* scripts/citations reports each citation of a page or a section that does not exist, and no other. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static void copy_script(void) {
    char *line = spawn_text("mkdir -p scripts docs lockstep/figures && cp %s/scripts/citations scripts && "
                            "printf '# A page\\n## 1. One\\n### 1.2. Within\\n## S. Select\\n## A title\\n' "
                            ">docs/a.md && echo '# Another' >docs/b.md",
                            spawn_source());
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", line, NULL});
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    free(line);
}

/* Runs scripts/citations on a file with this text and checks its message (`expected`; "": none). */
static void expect(const char *name, const char *text, const char *expected) {
    free(fixture_file(name, text, 0644));
    struct spawned s = spawn(fixture_folder, (char *[]){"scripts/citations", (char *)name, NULL});
    if (strcmp(s.out, expected) != 0 || s.status != (*expected ? 1 : 0))
        fail_msg("of '%s': exit status %d, '%s', '%s'", text, s.status, s.out, s.err);
    spawn_free(&s);
}

static void citations_end_somewhere(void **state) {
    (void)state;
    copy_script();
    expect("x.c", "/* a.md; docs/a.md §1, §1.2 and §S; a.md,\n * \"A title\" */\n", "");
    expect("x.c", "/* (a.md\n * §1), GCC's cortex-a7.md */\n", "");
    expect("x.sv", "// dual-mode §3.3, Fig. 8;\n// §4.3; Xiang et al. 2013 §9; the paper's §5.6\n", "");
    expect("docs/b.md", "See [a](a.md).\n\nThe paper's §7.\n", "");
    expect("docs/a.md", "# A page\n## 1. One\n\nAs §1 says.\n", "");
    expect("TOP.md", "# Top\n## 1. One\n\nAs §1 says.\n", "");
    expect("lockstep/figures/figures_a.c", "\"Registers (§5.8)\"\n", "");
}

static void others_are_told(void **state) {
    (void)state;
    copy_script();
    expect("x.c", "\n/* c.md */\n", "x.c:2: there is no page c.md\n");
    expect("x.c", "/* a.md §2 */", "x.c:1: a.md has no section 2\n");
    expect("x.c", "/* a.md §1, §3\n * and §T */\n",
           "x.c:1: a.md has no section 3\nx.c:2: a.md has no section T\n");
    expect("x.c", "/* dual-mode §9; a.md\n * §9 */\n", "x.c:2: a.md has no section 9\n");
    expect("x.c", "/* b.md, \"A title\" */\n", "x.c:1: b.md has no heading \"A title\"\n");
    expect("x.c", "\"a.md 1\", \"a.md, S\"\n",
           "x.c:1: § is missing before a section of a.md\nx.c:1: § is missing before a section of a.md\n");
    expect("x.c", "/* a.md §1 */\n\n/* §1 */\n", "x.c:3: §1 names no page and no paper\n");
    expect("docs/b.md", "# Another\n\nAs §1 says.\n", "docs/b.md:3: b.md has no section 1\n");
}

/* Our own, which `make lint` checks. */
static void our_citations(void **state) {
    (void)state;
    char *script = spawn_text("%s/scripts/citations", spawn_source());
    struct spawned s = spawn(fixture_folder, (char *[]){script, NULL});
    if (s.status != 0 || *s.out) fail_msg("%s%s", s.out, s.err);
    spawn_free(&s);
    free(script);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(citations_end_somewhere), TEST(others_are_told),
                                       TEST(our_citations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
