/* scripts/mutants on six changes, of the Verilog and of the C models: none is said to survive. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void no_change_gets_away(void **state) {
    (void)state;
    char *line = spawn_text("B='%s' '%s/scripts/mutants' --few 2>&1", spawn_build(), spawn_source());
    struct spawned s = spawn("/tmp", (char *[]){"sh", "-c", line, NULL});
    if (s.status != 0) fail_msg("%s", s.out);
    unsigned caught = 0;
    for (const char *at = s.out; (at = strstr(at, " caught: cycle ")); ++at) ++caught;
    assert_in_range(caught, 4, 6);
    assert_null(strstr(s.out, "SURVIVED"));
    spawn_free(&s);
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_change_gets_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
