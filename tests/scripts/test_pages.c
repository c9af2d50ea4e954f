/* Manual pages and shell completion, which `make` generates from the help of the commands.
 * Needs: $(PAGES) */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* Runs a script of bash, which must succeed, in the running test's folder; B is the build folder. */
static char *bash(const char *script) {
    setenv("B", spawn_build(), 1);
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-euc", (char *)(uintptr_t)script, NULL});
    if (s.status || *s.err) fail_msg("'%s' ends with %d:\n%s\n%s", script, s.status, s.out, s.err);
    char *out = strdup(s.out);
    spawn_free(&s);
    return out;
}

/* --- manual pages --- */

static void pages_have_every_option(void **state) {
    (void)state;
    free(bash("export ARGP_HELP_FMT=rmargin=9999; $B/lockstep --help | sed -n '/^Commands:/,/^$/s/^  "
              "\\([a-z][a-z-]*\\).*/\\1/p' | grep -vx "
              "help >commands\n"
              "test $(wc -l <commands) -gt 14\n"
              "{ $B/lockstep --help; for c in $(cat commands); do $B/lockstep $c --help; done; } | "
              "sed -n 's/^  *\\(-., \\)*\\(--[a-z-]*\\).*/\\2/p' >expected\n"
              "$B/lockstep-cc --help | sed -n 's/^  *\\(-., \\)*\\(--[a-z-]*\\).*/\\2/p' >>expected\n"
              "test $(wc -l <expected) -gt 150\n"
              "sed 's/\\\\-/-/g' $B/man/lockstep.1 $B/man/lockstep-cc.1 | "
              "sed -n 's/^\\.B \\(-., \\)*\\(--[a-z-]*\\).*/\\2/p' | diff expected -\n"
              "sed 's/.*/.SH LOCKSTEP \\U&/; s/-/\\\\-/' commands | while read -r c; do "
              "grep -qxF \"$c\" $B/man/lockstep.1; done"));
}

/* `man`, where installed, has no warnings. */
static void pages_are_clean(void **state) {
    (void)state;
    free(bash("for page in lockstep lockstep-cc; do grep -q '^.SH NAME' $B/man/$page.1\n"
              "  ! command -v man >man || MANWIDTH=80 man -l --warnings $B/man/$page.1 >text 2>complaints\n"
              "  ! test -s man || { grep -q 'EXIT' text && cmp complaints /dev/null; }; done"));
}

/* --- completion --- */

static const struct {
    const char *line, *words; /* some candidates, or, after =, all */
} completions[] = {
    {"lockstep ", "run compare explain --help"},
    {"lockstep ru", "=run"},
    {"/usr/bin/lockstep rtl-t", "=rtl-template rtl-test"},
    {"lockstep run --trace-p", "=--trace-packing="},
    {"lockstep run --", "--max-cycles= --quiet --config="},
    {"lockstep run --quiet --ma", "=--max-cycles="},
    {"lockstep run --set simt.pc_pol", "=simt.pc_policy="},
    {"lockstep run --set simt.pc_policy=", "=ics_first min_pc first_ready"},
    {"lockstep run --set=simt.pc_policy=m", "=min_pc"},
    {"lockstep run --set arm.cumulative_flags=", "=false true"},
    {"lockstep run --set no.field=", "="},
    {"lockstep run --config=gtx", "=gtx285-like-16 gtx285-like"},
    {"lockstep run --config my", "=my.yaml"},
    {"lockstep run --config=my", "=my.yaml"},
    {"lockstep run --mode ", "=simt mimd auto"},
    {"lockstep compare --mode=m", "=mimd"},
    {"lockstep run --rtl warp_s", "=warp_scheduler="},
    {"lockstep run -- ./m", "=./my.yaml"},
    {"lockstep run -- ./my.yaml --se", "="},
    {"lockstep figures dual", "=dual-mode"},
    {"lockstep rtl-template barrier", "=barrier_table"},
    {"lockstep config --describe simt.warp", "=simt.warp_size"},
    {"lockstep help r", "run report rtl"},
    {"lockstep energy --constants=h", "=horowitz"},
    {"lockstep report ", "=folder"},
    {"lockstep none --", "="},
    {"lockstep-cc --mat", "=--math="},
    {"lockstep-cc my", "=my.yaml"},
    {"lockstep-cc -o my", "=my.yaml"},
};

/* Returns the words that the shell offers: "\nONE\nTWO\n". */
static void assert_completes(const char *shell, const char *driver, size_t i) {
    char *script = spawn_text(driver, completions[i].line);
    char *out = bash(script), *words = strdup(completions[i].words), *rest = words;
    const bool all = *words == '=';
    size_t count = 0, lines = 0;
    rest += all;
    for (char *word; (word = strsep(&rest, " "));) {
        if (!*word) continue;
        char *line = spawn_text("\n%s\n", word);
        if (!strstr(out, line))
            fail_msg("%s: '%s' is not completed to '%s', but to%s", shell, completions[i].line, word, out);
        free(line);
        count++;
    }
    for (const char *c = out + 1; (c = strchr(c, '\n')); c++) lines++;
    if (all && lines != count) fail_msg("%s: '%s' is completed to%s", shell, completions[i].line, out);
    free(words);
    free(out);
    free(script);
}

static void bash_completes(void **state) {
    (void)state;
    free(bash("touch my.yaml && mkdir folder"));
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++)
        assert_completes("bash",
                         ". $B/completion/lockstep; COMP_LINE='%s' && COMP_POINT=${#COMP_LINE} && "
                         "_lockstep && printf '\\n' && printf '%%s\\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"} | "
                         "grep . || true",
                         i);
}

/* zsh's own functions are those of its line editor: here they print. A whole word is replaced there. */
static void zsh_completes(void **state) {
    (void)state;
    free(bash("touch my.yaml && mkdir folder"));
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++)
        assert_completes(
            "zsh",
            "cat >driver <<'END'\n"
            "last() { word=${${(s: :)line}[-1]}; [[ $line != *' ' ]] || word= }\n"
            "compadd() { [[ $1 != -S ]] || shift 2; for c in ${(P)2}; do "
            "[[ $c != $word* ]] || print -r -- ${c#${word%%=*}=}; done }\n"
            "compset() { word=${word#--*=} }\n"
            "_files() { for c in ${word}*(N); do [[ $1 = -/ && ! -d $c ]] || print -r -- $c; done }\n"
            "last; words=(${(s: :)line}); [[ -n $word ]] || words+=(''); CURRENT=$#words; echo\n"
            "END\n"
            "{ echo \"line='%s'\"; cat driver $B/completion/_lockstep; } >all && zsh -f all",
            i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pages_have_every_option),
        TEST(pages_are_clean),
        TEST(bash_completes),
        TEST(zsh_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
