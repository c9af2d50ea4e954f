/* scripts/mutants on six changes of the Verilog and the C models, none of which survives; and on six of the
 * planted faults. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All of six are caught but `most` perhaps, which the tools refuse; half of them at least by lockstep. */
static void assert_caught(const char *options, unsigned most) {
    char *line =
        spawn_text("B='%s' '%s/scripts/mutants' --few %s 2>&1", spawn_build(), spawn_source(), options);
    struct spawned s = spawn("/tmp", (char *[]){"sh", "-c", line, NULL});
    if (s.status != 0) fail_msg("%s", s.out);
    unsigned caught = 0, by_lockstep = 0;
    for (const char *at = s.out; (at = strstr(at, " caught: ")); ++at) {
        ++caught;
        by_lockstep += strncmp(at, " caught: cycle ", strlen(" caught: cycle ")) == 0;
    }
    assert_in_range(caught, 6 - most, 6);
    assert_in_range(by_lockstep, 3, 6);
    assert_null(strstr(s.out, "SURVIVED"));
    spawn_free(&s);
    free(line);
}

static void no_change_gets_away(void **state) {
    (void)state;
    assert_caught("", 2);
}

static void random_inputs_see_faults_of_designers(void **state) {
    (void)state;
    assert_caught("--language semantic --classes random", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_change_gets_away),
                                       cmocka_unit_test(random_inputs_see_faults_of_designers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
