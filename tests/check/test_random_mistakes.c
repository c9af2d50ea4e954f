/* Random kernels without races have no report. If a barrier, a fence or a bound is spoilt at random, the
 * mistake is found (tests/check/random_kernels, which can also compare with Oclgrind). */
#include "tests/fixture.h"
#include "tests/seed.h"

#include <stdio.h>
#include <stdlib.h>

/* With LOCKSTEP_LONG=1 500 of each, which Oclgrind judges as well. */
static void test_random_kernels(void **state) {
    (void)state;
    struct seed seed = seed_start();
    const bool is_long = getenv("LOCKSTEP_LONG") != NULL;
    char *script = spawn_text("%s/tests/check/random_kernels", spawn_source()),
         *build = spawn_text("B=%s", spawn_build()), *number = spawn_text("%u", seed_below(&seed, 1000000));
    struct spawned s = spawn(fixture_folder, (char *[]){"env", build, "/usr/bin/python3", script, "--count",
                                                        is_long ? "500" : "12", "--seed", number,
                                                        is_long ? "--oclgrind" : NULL, NULL});
    if (is_long) printf("%s", s.out);
    assert_status(&s, 0);
    if (!is_long) {
        assert_says(s.out, "12 kernels without a mistake: 0 alarms\n");
        assert_says(s.out, "4 with a mistake (barrier): 4 found\n");
        assert_says(s.out, "4 with a mistake (fence): 4 found\n");
        assert_says(s.out, "4 with a mistake (bound): 4 found\n");
    }
    spawn_free(&s);
    free(script);
    free(build);
    free(number);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
