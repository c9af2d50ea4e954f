/* registry: added objects are found, removed ones are not; random operations compared with a plain list. */
#include "runtime/opencl/registry.h"

#include "tests/seed.h"

static void random_addresses(void **state) {
    (void)state;
    enum { OBJECTS = 3000, STEPS = 60000 };
    static char objects[OBJECTS][32];
    static bool there[OBJECTS];
    struct seed s = seed_start();
    assert_false(registry_has(objects[0])); /* there is no table before the first object */
    for (int step = 0; step < STEPS; step++) {
        const unsigned n = seed_below(&s, OBJECTS);
        assert_int_equal(registry_has(objects[n]), there[n]);
        if (there[n])
            registry_remove(objects[n]);
        else
            assert_true(registry_add(objects[n]));
        there[n] = !there[n];
        assert_false(registry_has(objects[n] + 1));
    }
    for (int n = 0; n < OBJECTS; n++) assert_int_equal(registry_has(objects[n]), there[n]);
    assert_false(registry_has(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
