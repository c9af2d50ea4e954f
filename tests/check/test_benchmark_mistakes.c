/* Barriers, fences, bounds and initial values of 22 benchmarks are removed; the checks report each mistake,
 * or the script says why not (tests/check/mutants). */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DAY_SECONDS 86400

/* Six mutants, others on each day (or by SEED); with LOCKSTEP_LONG=1 all, which Oclgrind judges as well. */
static void test_mutants(void **state) {
    (void)state;
    const bool is_long = getenv("LOCKSTEP_LONG") != NULL;
    const char *given = getenv("SEED");
    char *script = spawn_text("%s/tests/check/mutants", spawn_source()),
         *build = spawn_text("B=%s", spawn_build()),
         *seed = given ? spawn_text("%s", given)
                       : spawn_text("%llu", (unsigned long long)time(NULL) / DAY_SECONDS);
    print_message("repeat with SEED=%s\n", seed);
    struct spawned s =
        spawn(fixture_folder, (char *[]){"env", build, "/usr/bin/python3", script, "--seed", seed,
                                         is_long ? "--oclgrind" : "--share", is_long ? NULL : "6", NULL});
    printf("%s", s.out);
    assert_status(&s, 0);
    if (!is_long) assert_says(s.out, "6 mutants, ");
    assert_says(s.out, ", 0 not as they should be\n");
    spawn_free(&s);
    free(script);
    free(build);
    free(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
