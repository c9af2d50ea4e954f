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

/* All 128 warps of a cluster have work-items of one work-group. */
static void test_128_warps(void **state) {
    (void)state;
    static char *const machines[][5] = {
        {"simt.warp_size=8", "cluster.threads_per_lane=256", "l1d.size=65536"},
        {"simt.warp_size=8", "cluster.threads_per_lane=256", "l1d.size=65536", "simt.scheduler=two_level",
         "simt.active_warps=128"},
        {"simt.warp_size=8", "cluster.threads_per_lane=256", "l1d.size=65536", "simt.scheduler=greedy_oldest",
         "simt.mitigation=alt"},
        {"simt.warp_size=8", "cluster.lanes=1", "cluster.threads_per_lane=1024", "l1d.size=262144",
         "simt.pc_policy=min_pc"},
        {"simt.warp_size=8", "cluster.threads_per_lane=256", "l1d.size=65536", "uniform.storage=token",
         "uniform.intra=on"},
        {"simt.warp_size=8", "cluster.threads_per_lane=256", "l1d.size=65536", "uniform.storage=srf",
         "uniform.inter=on"},
        {"simt.warp_size=16", "cluster.threads_per_lane=256", "l1d.size=65536", "simt.mitigation=dpe"},
    };
    static char *const ways[][2] = {{NULL}, {"--exact-steps"}, {"--trace", "t.fst"}};
    char *program = fixture_host("large_groups");
    for (size_t n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        json_int_t cycles[3];
        for (size_t way = 0; way < 3; way++) {
            char *argv[24] = {fixture_command, "run", "--stats", "s.json"};
            size_t used = 4;
            for (size_t i = 0; i < 2 && ways[way][i]; i++) argv[used++] = ways[way][i];
            for (size_t i = 0; i < 5 && machines[n][i]; i++) {
                argv[used++] = "--set";
                argv[used++] = machines[n][i];
            }
            argv[used++] = "--";
            argv[used++] = program;
            argv[used++] = "1024";
            struct spawned s = spawn(fixture_folder, argv);
            assert_status(&s, EXIT_SOUND);
            assert_says(s.out, "large_groups: PASS");
            json_t *statistics = fixture_statistics("s.json");
            cycles[way] = fixture_number(json_object_get(statistics, "totals"), "cycles");
            json_decref(statistics);
            spawn_free(&s);
        }
        assert_int_equal(cycles[0], cycles[1]);
        assert_int_equal(cycles[0], cycles[2]);
    }
    free(program);
}

/* An SM has work-items in all of its 128 warps: step by step it takes as many cycles. */
static void test_128_warps_of_an_sm(void **state) {
    (void)state;
    static char *const machines[][5] = {
        {"configs/gt640-like.yaml", "cluster.schedulers=4"},
        {"configs/fermi-like.yaml", "simt.divergence=sbr", "simt.scheduler=two_level",
         "simt.active_warps=64"},
        {"configs/fermi-like.yaml", "simt.divergence=pc", "simt.pc_policy=min_pc"},
        {"configs/fermi-like.yaml", "simt.divergence=tbc"},
        {"configs/fermi-like.yaml", "simt.divergence=lwm"},
        {"configs/fermi-like.yaml", "simt.divergence=dwf"},
        {"configs/fermi-like.yaml", "simt.divergence=harp"},
    };
    char *program = spawn_text("%s/benchmarks/mandelbrot", spawn_build());
    for (size_t n = 0; n < sizeof machines / sizeof machines[0]; n++) {
        char *config = spawn_text("%s/%s", spawn_source(), machines[n][0]);
        json_int_t cycles[2];
        for (unsigned exact = 0; exact < 2; exact++) {
            char *argv[32] = {fixture_command, "run",
                              "--stats",       "s.json",
                              "--config",      config,
                              "--set",         "cluster.count=1",
                              "--set",         "cluster.threads=4096",
                              "--set",         "vrf.registers=262144"};
            size_t used = 12;
            if (exact) argv[used++] = "--exact-steps";
            for (size_t i = 1; i < 5 && machines[n][i]; i++) {
                argv[used++] = "--set";
                argv[used++] = machines[n][i];
            }
            char *const rest[] = {"--", program, "--size", "64", "--iterations", "24", "m.ppm"};
            memcpy(&argv[used], rest, sizeof rest);
            struct spawned s = spawn(fixture_folder, argv);
            assert_status(&s, EXIT_SOUND);
            assert_says(s.out, "mandelbrot: PASS");
            json_t *statistics = fixture_statistics("s.json");
            cycles[exact] = fixture_number(json_object_get(statistics, "totals"), "cycles");
            json_decref(statistics);
            spawn_free(&s);
        }
        assert_int_equal(cycles[0], cycles[1]);
        free(config);
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
        {"simt.warp_size=128",
         "simt.warp_size is 128, but the registers of a warp are rows of at most 64 threads"},
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
    free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_machines_at_the_ends), TEST(test_128_warps),
                                       TEST(test_128_warps_of_an_sm), TEST(test_beyond_the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
