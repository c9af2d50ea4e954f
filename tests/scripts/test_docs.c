/* scripts/docs regenerates the tables of pages; scripts/figure-table generates them from reports of papers
 * and scripts/table from runs; scripts/figures generates the tracked reports, here with a replacement for the
 * command. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static struct spawned bash(const char *line) {
    return spawn(fixture_folder, (char *[]){"bash", "-c", (char *)line, NULL});
}

/* Runs a shell line; its output must be `out`, and its messages must contain `err`. */
static void expect(const char *line, int status, const char *out, const char *err) {
    struct spawned s = bash(line);
    if (s.status != status || strcmp(s.out, out) != 0 || !strstr(s.err, err))
        fail_msg("%s: exit status %d, '%s', '%s'", line, s.status, s.out, s.err);
    spawn_free(&s);
}

static void copy_scripts(void) {
    char *line =
        spawn_text("mkdir scripts docs; cd %s/scripts && cp docs figure-table figures table %s/scripts",
                   spawn_source(), fixture_folder);
    expect(line, 0, "", "");
    free(line);
}

#define BLOCK(command, table) "before\n<!-- made by: " command " -->\n" table "<!-- end -->\nbehind\n"

static void expect_page(const char *name, const char *expected) {
    char *path = fixture_path(name), *text = spawn_read(path);
    assert_string_equal(text, expected);
    free(text);
    free(path);
}

static void tables_are_made_again(void **state) {
    (void)state;
    copy_scripts();
    free(fixture_file("docs/a.md", BLOCK("cat numbers", "old\n") BLOCK("echo $B", "old\n"), 0644));
    free(fixture_file("docs/b.md", "no table\n", 0644));
    free(fixture_file("numbers", "| 1 |\n| 2 |\n", 0644));
    expect("scripts/docs --list docs/a.md docs/b.md", 0, "docs/a.md: cat numbers\ndocs/a.md: echo $B\n", "");
    struct spawned s = bash("scripts/docs --check docs/a.md docs/b.md");
    assert_true(s.status != 0);
    assert_says(s.out, "\n-old\n+| 1 |\n+| 2 |\n");
    spawn_free(&s);
    expect("scripts/docs docs/a.md docs/b.md", 0, "docs/a.md\n", "");
    expect_page("docs/a.md", BLOCK("cat numbers", "| 1 |\n| 2 |\n") BLOCK("echo $B", "build\n"));
    expect_page("docs/b.md", "no table\n");
    expect("scripts/docs --check docs/a.md docs/b.md && scripts/docs docs/a.md", 0, "", "");
}

#define PICTURE(command) "<!-- picture a.svg made by: " command " -->\n"

/* A picture is generated and compared; a stale or missing one is reported. */
static void pictures_are_made_again(void **state) {
    (void)state;
    copy_scripts();
    free(fixture_file("docs/a.md", PICTURE("cat numbers") BLOCK("echo 1", "1\n"), 0644));
    free(fixture_file("numbers", "one\n", 0644));
    expect("scripts/docs --list docs/a.md", 0, "docs/a.svg: cat numbers\ndocs/a.md: echo 1\n", "");
    expect("scripts/docs --check docs/a.md >/dev/null; test $? != 0 && test ! -e docs/a.svg", 0, "", "");
    expect("scripts/docs docs/a.md && scripts/docs --check docs/a.md && cat docs/a.svg", 0,
           "docs/a.svg\none\n", "");
    expect("echo two >numbers; scripts/docs --check docs/a.md | grep '^[-+][a-z]'", 0, "-one\n+two\n", "");
    free(fixture_file("docs/a.md", PICTURE("false"), 0644));
    expect("scripts/docs docs/a.md; test $? != 0 && cat docs/a.svg", 0, "one\n",
           "docs/a.md: the command fails, or prints nothing: false");
}

/* A page with a mistake is not changed. */
static void mistakes_are_told(void **state) {
    (void)state;
    copy_scripts();
    static const char *const pages[] = {BLOCK("false", "old\n"), BLOCK("true", "old\n"),
                                        "<!-- made by: echo 1 -->\nold\n",
                                        "<!-- made by: echo 1 -->\n" BLOCK("echo 2", "")};
    static const char *const says[] = {
        "docs/a.md:2: the command fails: false", "docs/a.md:2: the command prints nothing: true",
        "a table has no line <!-- end -->", "the table before has no line <!-- end -->"};
    for (unsigned n = 0; n < 4; n++) {
        free(fixture_file("docs/a.md", pages[n], 0644));
        expect("scripts/docs docs/a.md; test $? != 0", 0, "", says[n]);
        expect_page("docs/a.md", pages[n]);
    }
}

/* --- reports --- */

static const char report[] = "A paper\n"
                             "\nfig1: Some title (Fig. 1)\n\n"
                             "  % faster          one lane  two, both\n"
                             "  a program              1.0       -2.5\n"
                             "  geometric mean         3.0        4.0\n"
                             "  paper's programs       5.0       -6.0\n"
                             "  paper                  7.0          -\n"
                             "  difference            -2.0          -\n"
                             "  a program, one lane: paper 8.0, ours 1.0, difference -7.0\n"
                             "\n  A note: with words.\n"
                             "\nfig2: Another\n\n"
                             "  cycles  x\n"
                             "  mean    9\n"
                             "  paper   -\n"
                             "\n  Note.\n";

#define MEANS "| | | all programs | the paper's programs | paper |\n|---|---|---:|---:|---:|\n"

static void tables_of_reports(void **state) {
    (void)state;
    copy_scripts();
    expect("mkdir figures", 0, "", "");
    free(fixture_file("figures/r.txt", report, 0644));
    expect("scripts/figure-table r", 0,
           MEANS "| Some title (Fig. 1), % faster | `one lane` | 3.0 | 5.0 | 7.0 |\n"
                 "|  | `two, both` | 4.0 | −6.0 |  |\n"
                 "| Another, cycles | `x` | 9 | 9 |  |\n",
           "");
    expect("scripts/figure-table r fig2", 0, MEANS "| Another, cycles | `x` | 9 | 9 |  |\n", "");
    expect("scripts/figure-table r fig1: 'a program' paper", 0,
           "| % faster | a program | paper |\n|---|---:|---:|\n| `one lane` | 1.0 | 7.0 |\n"
           "| `two, both` | −2.5 |  |\n",
           "");
    expect("scripts/figure-table r fig3 >/dev/null; test $? != 0", 0, "", "no such figure");
    expect("scripts/figure-table r fig1: nobody >/dev/null; test $? != 0", 0, "", "no row nobody");
}

/* A replacement for `lockstep run`: cycles depend on its options and the program's arguments. */
static void tables_of_runs(void **state) {
    (void)state;
    copy_scripts();
    expect("mkdir b", 0, "", "");
    free(fixture_file(
        "b/lockstep",
        "#!/bin/bash\nfile=$4 n=1000000; [ $(ls | grep -c scripts) = 1 ] || exit 9\n"
        "for w in \"$@\"; do case $w in slow) n=1250000 ;; twice) n=$((2 * n)) ;; *ill) exit 3 ;; esac; "
        "done\n"
        "printf '{\\n  \"totals\": {\\n    \"cycles\": %d,\\n    \"x\": 1\\n  },\\n' $n >$file\n"
        "printf '  \"name\": \"simd_efficiency\",\\n  \"value\": 93.756\\n' >>$file\n"
        "echo $* >>$RUNS\n",
        0755));
    expect(
        "export RUNS=$PWD/runs; B=$PWD/b scripts/table --corner what p 'other: --mode slow -- q 1' -- "
        "'fast: cycles:' 'slow: cycles: --mode slow' 'more: percent: --mode slow' 'less: ratio: --mode slow' "
        "'words: cycles: -- twice' 'SIMD: efficiency:'; wc -l <runs",
        0,
        "| what | fast | slow | more | less | words | SIMD |\n|---|---:|---:|---:|---:|---:|---:|\n"
        "| `p` | 1,000,000 | 1,250,000 | +25.00 | 1.250 | 2,000,000 | 93.76 % |\n"
        "| other | 1,250,000 | 1,250,000 | 0 | 1.000 | 2,500,000 | 93.76 % |\n6\n",
        "");
    expect("export RUNS=$PWD/runs; B=$PWD/b scripts/table ill -- 'x: cycles:'", 1, "",
           "scripts/table: lockstep run   -- ill");
}

/* The hash is that of the sources, and comparisons ignore it. */
static void tracked_reports(void **state) {
    (void)state;
    copy_scripts();
    expect("mkdir -p figures b sim abi model compiler runtime lockstep benchmarks configs; echo 1 >sim/a.c",
           0, "", "");
    free(fixture_file(
        "b/lockstep",
        "#!/bin/bash\nname=$2; while [ $# -gt 1 ]; do shift; done; mkdir -p \"$1\"\n"
        "echo $name >\"$1/$name.txt\"; echo {} >\"$1/$name.json\"; echo x >\"$1/$name-fig1.svg\"\n",
        0755));
    expect("B=b scripts/figures && find figures -type f | wc -l && cat figures/harp.txt "
           "figures/dual-mode-4/uniform.txt",
           0, "19\nharp\nuniform\n", "");
    expect("cp figures/sources old; B=b scripts/figures --check && echo 2 >sim/a.c && B=b scripts/figures "
           "--check && "
           "B=b scripts/figures && ! cmp -s figures/sources old",
           0, "", "");
    expect("echo 3 >figures/harp.txt; B=b scripts/figures --check", 1,
           "Files figures/harp.txt and b/figures/made/harp.txt differ\n", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(tables_are_made_again), TEST(pictures_are_made_again),
                                       TEST(mistakes_are_told),     TEST(tables_of_reports),
                                       TEST(tables_of_runs),        TEST(tracked_reports)};
    unsetenv("B"); /* the build of the scripts: by default `build` */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
