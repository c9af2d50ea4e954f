/* Machines at the limits of their sizes have the right results, and the same cycles with --exact-steps.
 * Beyond a limit, a machine is refused with the field and the reason. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>

/* Returns the cycles of a run whose program checks its result. */
static json_int_t run(const char *machine, const char *settings, const char *options, const char *program) {
    struct spawned s = fixture_run(machine, settings, options, program);
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, ": PASS");
    spawn_free(&s);
    return fixture_cycles("s.json");
}

static void test_machines_at_the_ends(void **state) {
    (void)state;
    static const char *const ends[] = {
        "cluster.lanes=32 cluster.threads_per_lane=64 simt.lane_map=cyclic",
        "cluster.lanes=32 simt.warp_size=64 simt.lane_map=block uniform.storage=token uniform.intra=on",
        "cluster.count=64 cluster.lanes=1 cluster.threads_per_lane=512 l1d.size=131072",
        "cluster.count=64 mode=mimd",
        "l1i.line=256 l1d.line=256 l2.line=256",
        "l2.size=98304 l2.ways=6 l1i.size=3072 l1i.ways=3 l1d.size=49152",
        "l2.size=131072 l2.ways=64 l1d.ways=48 l1d.size=24576 mode=mimd",
    };
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++)
        assert_int_equal(run(NULL, ends[n], "", "tests/hosts/any_machine"),
                         run(NULL, ends[n], "--exact-steps", "tests/hosts/any_machine"));
}

/* All 128 warps of a cluster have work-items of one work-group. */
static void test_128_warps(void **state) {
    (void)state;
#define OF_8 "simt.warp_size=8 cluster.threads_per_lane=256 l1d.size=65536 "
    static const char *const machines[] = {
        OF_8,
        OF_8 "simt.scheduler=two_level simt.active_warps=128",
        OF_8 "simt.scheduler=greedy_oldest simt.mitigation=alt",
        "simt.warp_size=8 cluster.lanes=1 cluster.threads_per_lane=1024 l1d.size=262144 "
        "simt.pc_policy=min_pc",
        OF_8 "uniform.storage=token uniform.intra=on",
        OF_8 "uniform.storage=srf uniform.inter=on",
        "simt.warp_size=16 cluster.threads_per_lane=256 l1d.size=65536 simt.mitigation=dpe",
    };
#undef OF_8
    static const char program[] = "tests/hosts/large_groups 1024";
    for (size_t n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        const json_int_t cycles = run(NULL, machines[n], "", program);
        assert_int_equal(cycles, run(NULL, machines[n], "--exact-steps", program));
        assert_int_equal(cycles, run(NULL, machines[n], "--trace t.fst", program));
    }
}

/* An SM with work-items in all of its 128 warps takes the same cycles with --exact-steps. */
static void test_128_warps_of_an_sm(void **state) {
    (void)state;
    static const char *const machines[][2] = {
        {"gt640-like", "cluster.schedulers=4"},
        {"fermi-like", "simt.divergence=sbr simt.scheduler=two_level simt.active_warps=64"},
        {"fermi-like", "simt.divergence=pc simt.pc_policy=min_pc"},
        {"fermi-like", "simt.divergence=tbc"},
        {"fermi-like", "simt.divergence=lwm"},
        {"fermi-like", "simt.divergence=dwf"},
        {"fermi-like", "simt.divergence=harp"},
    };
    static const char program[] = "benchmarks/mandelbrot --size 64 --iterations 24 m.ppm";
    for (size_t n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        char *settings =
            spawn_text("cluster.count=1 cluster.threads=4096 vrf.registers=262144 %s", machines[n][1]);
        assert_int_equal(run(machines[n][0], settings, "", program),
                         run(machines[n][0], settings, "--exact-steps", program));
        free(settings);
    }
}

/* An SM with all units: for each of 16 lane groups, and scalar units beside them. */
static void test_all_units_of_an_sm(void **state) {
    (void)state;
    static const char settings[] = "cluster.count=1 vrf.registers=65536 lanes.kind=temporal lanes.group=1 "
                                   "cluster.lanes=16 scalar.mode=gcn scalar.units=8 kernel.scalarize=wide";
    static const char program[] = "benchmarks/mandelbrot --size 32 --iterations 24 m.ppm";
    assert_int_equal(run("stsimt-30x8", settings, "", program),
                     run("stsimt-30x8", settings, "--exact-steps", program));
}

static void test_beyond_the_ends(void **state) {
    (void)state;
    static const struct {
        char *set, *says;
    } refused[] = {
        {"cluster.lanes=64", "expected a whole number, 1 to 32, a power of two, in lanes"},
        {"cluster.count=65", "expected a whole number, 1 to 64, in clusters"},
        {"simt.warp_size=128", "simt.warp_size is 128, but must be at most 64"},
        {"simt.warp_size=256", "expected a whole number, 4 to 128"},
        {"cluster.threads_per_lane=2048", "expected a whole number, 1 to 1024"},
        {"simt.active_warps=129", "expected a whole number, 1 to 128"},
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
    static const struct {
        char *set, *says;
    } of_sm[] = {
        {"simt.warp_size=16",
         "cluster.threads 4096 makes 256 warps of simt.warp_size 16; whole ones, 2 to 128"},
        {"cluster.schedulers=1",
         "makes 128 warps of simt.warp_size 32; whole ones, 1 to 64, are possible with "
         "cluster.schedulers 1"},
    };
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    for (size_t n = 0; n < sizeof of_sm / sizeof of_sm[0]; n++) {
        s = LOCKSTEP("config", "--config", config, "--set", "simt.issue=scoreboard", "--set",
                     "cluster.threads=4096", "--set", of_sm[n].set);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, of_sm[n].says);
        spawn_free(&s);
    }
    s = LOCKSTEP("config", "--config", config, "--set", "lanes.kind=spatio_temporal", "--set",
                 "lanes.group=32", "--set", "simt.divergence=dwf", "--set", "cluster.sp_groups=1");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "lanes.group 32 makes 0 groups of cluster.lanes 16");
    spawn_free(&s);
    free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_machines_at_the_ends), TEST(test_128_warps),
                                       TEST(test_128_warps_of_an_sm), TEST(test_all_units_of_an_sm),
                                       TEST(test_beyond_the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
