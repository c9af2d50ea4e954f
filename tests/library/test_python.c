/* The Python module (library/python/), by its own tests: tests/library/python/test_lockstep.py, where it was
 * built. Needs: $(LIBRARY) $(B)/lockstep-cc $(B)/liblockstep_cc.so $(DEVICE) */
#include "tests/fixture.h"

#include <stdlib.h>

static void module(void **state) {
    (void)state;
    char *path = spawn_text("%s/python", spawn_build()), *cache = fixture_path("cache"),
         *tests = spawn_text("%s/tests/library/python", spawn_source());
    setenv("PYTHONPATH", path, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("LOCKSTEP_CACHE", cache, 1);
    struct spawned s = spawn(fixture_folder, (char *[]){"/usr/bin/python3", "-X", "dev", "-W", "error", "-m",
                                                        "unittest", "discover", "-s", tests, NULL});
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.err, "\nOK\n");
    assert_says(s.err, "Ran 2");
    spawn_free(&s);
    free(path);
    free(cache);
    free(tests);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(module)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
