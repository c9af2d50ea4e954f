/* Faults in the inputs that C computes for blocks (scripts/mutants.told) are found by the reckoning alone.
 * Three of them, chosen by seed, or those whose lines contain the text RECKONING_FAULTS ("": all), are
 * planted into test_reckoning, which must fail.
 * Needs: $(B)/tests/test_reckoning */
#include "tests/planted.h"
#include "tests/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 500, EACH_RUN = 3 };

static struct planted_fault faults[MOST];
static unsigned count;

/* In place: \n is a line's end. */
static void unescape(char *text) {
    for (char *at; (at = strstr(text, "\\n")) != NULL; memmove(at + 1, at + 2, strlen(at + 2) + 1))
        *at = '\n';
}

static char *field(char **rest) {
    char *text = *rest, *end = strchr(text, '\t');
    *rest = end ? end + 1 : text + strlen(text);
    if (end) *end = '\0';
    unescape(text);
    return text;
}

static int begin(void **state) {
    (void)state;
    char *path = spawn_text("%s/scripts/mutants.told", spawn_source()), *list = spawn_read(path);
    const char *chosen = getenv("RECKONING_FAULTS");
    assert_non_null(list);
    for (char *line = strtok(list, "\n"); line && count < MOST; line = strtok(NULL, "\n")) {
        if (*line == '#' || (chosen && !strstr(line, chosen))) continue;
        struct planted_fault *f = &faults[count++];
        field(&line); /* the maker */
        f->file = field(&line);
        f->what = field(&line);
        f->text = field(&line);
        f->instead = field(&line);
    }
    free(path);
    planted_begin("test_reckoning");
    return 0; /* keeps the list */
}

static int end(void **state) {
    (void)state;
    planted_end();
    return 0;
}

/* Returns whether the first difference was reported by the reckoning. */
static bool is_found(const struct planted_fault *f) {
    if (strncmp(f->file, "model/sm/", 9) == 0) setenv("RECKONING_MACHINES", "sms", 1);
    if ((strncmp(f->file, "model/unit/", 11) == 0 || strncmp(f->file, "model/slots/", 12) == 0 ||
         strncmp(f->file, "model/cluster/", 14) == 0) &&
        strncmp(f->file, "model/slots/divergence/", 23) != 0) /* an engine may be that of both */
        setenv("RECKONING_MACHINES", "base", 1);
    struct spawned s = planted_run(f);
    char *difference = strstr(s.out, ", reckoned ");
    const bool found = s.status && difference;
    if (!found) fprintf(stderr, "%s: %s: exit status %d: %s\n", f->file, f->what, s.status, s.out);
    if (found && getenv("RECKONING_FIGURES")) {
        while (difference > s.out && difference[-1] != '\n') --difference;
        printf("%s: %s\n    %.*s\n", f->file, f->what, (int)strcspn(difference, "\n"), difference);
    }
    spawn_free(&s);
    unsetenv("RECKONING_MACHINES");
    return found;
}

static void faults_are_found(void **state) {
    (void)state;
    const bool all = getenv("RECKONING_FAULTS") || getenv("LOCKSTEP_LONG");
    struct seed seed = seed_start();
    unsigned missed = 0;
    assert_true(count >= (getenv("RECKONING_FAULTS") ? 1 : EACH_RUN));
    for (unsigned n = 0; n < count && (all || n < EACH_RUN); ++n) {
        const unsigned other = all ? n : n + seed_below(&seed, count - n);
        const struct planted_fault f = faults[other];
        faults[other] = faults[n];
        missed += !is_found(&f);
    }
    assert_int_equal(missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_found)};
    return cmocka_run_group_tests(tests, begin, end);
}
