/* Machines at the ends of their sizes give the right results, step by step in as many cycles; beyond them a
 * machine is refused with the field and the reason. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static void test_machines_at_the_ends(void **state) {
    (void)state;
    static char *const ends[][5] = {
        {"cluster.lanes=32", "cluster.threads_per_lane=64", "simt.lane_map=cyclic"},
        {"cluster.lanes=32", "simt.warp_size=64", "simt.lane_map=block", "uniform.storage=token",
         "uniform.intra=on"},
        {"cluster.count=64", "cluster.lanes=1", "cluster.threads_per_lane=512", "l1d.size=131072"},
        {"cluster.count=64", "mode=mimd"},
        {"l1i.line=256", "l1d.line=256", "l2.line=256"},
        {"l2.size=98304", "l2.ways=6", "l1i.size=3072", "l1i.ways=3", "l1d.size=49152"},
        {"l2.size=131072", "l2.ways=64", "l1d.ways=48", "l1d.size=24576", "mode=mimd"},
    };
    char *program = fixture_host("any_machine");
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++) {
        json_int_t cycles[2];
        for (unsigned exact = 0; exact < 2; exact++) {
            char *argv[24] = {fixture_command, "run", "--stats", "s.json", NULL};
            size_t used = 4;
            if (exact) argv[used++] = "--exact-steps";
            for (size_t i = 0; i < 5 && ends[n][i]; i++) {
                argv[used++] = "--set";
                argv[used++] = ends[n][i];
            }
            argv[used++] = "--";
            argv[used++] = program;
            struct spawned s = spawn(fixture_folder, argv);
            assert_status(&s, EXIT_SOUND);
            assert_says(s.out, "any_machine: PASS");
            json_t *statistics = fixture_statistics("s.json");
            cycles[exact] = fixture_number(json_object_get(statistics, "totals"), "cycles");
            json_decref(statistics);
            spawn_free(&s);
        }
        assert_int_equal(cycles[0], cycles[1]);
    }
    free(program);
}

static void test_beyond_the_ends(void **state) {
    (void)state;
    static const struct {
        char *set, *says;
    } refused[] = {
        {"cluster.lanes=64", "expected a whole number, 1 to 32, a power of two, in lanes"},
        {"cluster.count=65", "expected a whole number, 1 to 64, in clusters"},
        {"simt.warp_size=128", "expected a whole number, 4 to 64"},
        {"cluster.threads_per_lane=1024", "expected a whole number, 1 to 512"},
        {"l2.ways=65", "expected a whole number, 1 to 64, in ways"},
        {"l2.line=512", "expected a whole number, 32 to 256, a power of two, in bytes"},
        {"l1d.line=128", "l1d.line is 128 and l2.line 64"},
        {"l2.size=100000",
         "l2.size 100000 is not a whole number of sets of l2.ways 8 x l2.line 64 = 512 bytes; 99840 is"},
        {"l1i.ways=3", "l1i.size 32768 is not a whole number of sets of l1i.ways 3 x l1i.line 64"},
    };
    for (size_t n = 0; n < sizeof refused / sizeof refused[0]; n++) {
        struct spawned s = LOCKSTEP("config", "--set", refused[n].set);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, refused[n].says);
        spawn_free(&s);
    }
    struct spawned s = LOCKSTEP("config", "--mode", "mimd", "--set", "cluster.count=64", "--set",
                                "cluster.lanes=8", "--set", "cluster.local_memory=1048576");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "cluster.local_memory 1048576 for each of 512 work-groups at once");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_machines_at_the_ends), TEST(test_beyond_the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
