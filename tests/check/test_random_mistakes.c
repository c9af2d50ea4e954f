/* Random kernels without races have no report. If a barrier, a fence or a bound is spoilt at random, the
 * mistake is found (tests/check/random_kernels, which can also compare with Oclgrind). */
#include "tests/fixture.h"
#include "tests/seed.h"

#include <stdio.h>
#include <stdlib.h>

static struct spawned judge(char *count, char *option) {
    struct seed seed = seed_start();
    char *script = spawn_text("%s/tests/check/random_kernels", spawn_source()),
         *build = spawn_text("B=%s", spawn_build()), *number = spawn_text("%u", seed_below(&seed, 1000000));
    struct spawned s = spawn(fixture_folder, (char *[]){"env", build, "/usr/bin/python3", script, "--count",
                                                        count, "--seed", number, option, NULL});
    free(script);
    free(build);
    free(number);
    assert_status(&s, 0);
    return s;
}

/* With LOCKSTEP_LONG=1 500 of each, which Oclgrind judges as well. */
static void test_random_kernels(void **state) {
    (void)state;
    const bool is_long = getenv("LOCKSTEP_LONG") != NULL;
    struct spawned s = judge(is_long ? "500" : "12", is_long ? "--oclgrind" : NULL);
    if (is_long) printf("%s", s.out);
    if (!is_long) {
        assert_says(s.out, "12 kernels without a mistake: 0 alarms\n");
        assert_says(s.out, "4 with a mistake (barrier): 4 found\n");
        assert_says(s.out, "4 with a mistake (fence): 4 found\n");
        assert_says(s.out, "4 with a mistake (bound): 4 found\n");
    }
    spawn_free(&s);
}

/* Indices that are too large, also of private arrays that each work-item of a core needs over barriers. */
static void test_random_kernels_in_mimd_mode(void **state) {
    (void)state;
    const bool is_long = getenv("LOCKSTEP_LONG") != NULL;
    struct spawned s = judge(is_long ? "200" : "4", "--mimd");
    if (!is_long) assert_says(s.out, "4 kernels without a mistake: 0 alarms\n");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_random_kernels), TEST(test_random_kernels_in_mimd_mode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
