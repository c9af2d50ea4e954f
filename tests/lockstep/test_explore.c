/* `lockstep explore`: the same whatever happens on the way, no point twice, points that fail, mistakes in
 * sweeps; `lockstep report`: a page that a browser shows. */
#include "lockstep/sweep.h"
#include "sim/error.h"
#include "tests/browser.h"
#include "tests/fake_tools.h"

#include <dirent.h>
#include <signal.h>
#include "tests/seed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* 2 × 2 configurations, two programs; each run of a program tells of itself in a file. */
static char *sweep(const char *more) {
    char *text =
        spawn_text("fields:\n  simt.pc_policy: [ics_first, min_pc]\n  mem.latency: [100, 200]\n"
                   "programs:\n"
                   "  - sh -c \"echo a >>%s/runs; exec %s/benchmarks/vector_add\"\n"
                   "  - sh -c \"echo b >>%s/runs; exec %s/benchmarks/mandelbrot --size 16 $0\" %%/m.ppm\n"
                   "area: off\n%s",
                   fixture_folder, spawn_build(), fixture_folder, spawn_build(), more);
    char *path = fixture_file("sweep.yaml", text, 0644);
    free(text);
    return path;
}

static size_t lines(const char *name) {
    char *path = fixture_path(name), *text = spawn_read(path);
    size_t count = 0;
    for (const char *c = text; c && *c; c++) count += *c == '\n';
    free(text);
    free(path);
    return count;
}

static void assert_same_file(const char *a, const char *b) {
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", (char *)a, (char *)b, NULL});
    if (s.status) fail_msg("%s", s.out);
    spawn_free(&s);
}

static void assert_explored(struct spawned s) {
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "8 points, 8 complete");
    spawn_free(&s);
}

static void nap(long milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static long milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Ten times, at moments of a quarter of what the whole took, so that all of them kill something. */
static void test_killed_at_any_moment(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = sweep("");
    const long begun = milliseconds();
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet"));
    const long took = milliseconds() - begun;
    for (unsigned n = 0; n < 10; n++) {
        char *argv[] = {fixture_command, "explore", "sweep.yaml", "--out", "killed",
                        "--quiet",       "--jobs",  "2",          NULL};
        struct spawned s = spawn_start(fixture_folder, false, argv);
        nap((long)seed_below(&seed, (uint32_t)took / 4 + 1));
        kill(s.pid, SIGKILL);
        spawn_finish(&s);
        spawn_free(&s);
    }
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "killed", "--quiet"));
    assert_same_file("whole/points.sqlite", "killed/points.sqlite");
    assert_same_file("whole/points.csv", "killed/points.csv");
    assert_same_file("whole/points.json", "killed/points.json");
    free(path);
}

/* The trial of 24 points (eight machines, three programs) took 20 s of the processor. */
static void test_24_points(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  cluster.lanes: [2, 4]\n  simt.warp_size: [8, 16]\n"
                            "  simt.pc_policy: [ics_first, min_pc]\nprograms:\n"
                            "  - %s/benchmarks/reduction\n  - %s/benchmarks/vector_add\n"
                            "  - %s/benchmarks/mandelbrot --size 64 %%/m.ppm\narea: off\n",
                            spawn_build(), spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--quiet");
    getrusage(RUSAGE_CHILDREN, &after);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "24 points, 24 complete");
    const long took =
        after.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_utime.tv_sec - before.ru_stime.tv_sec;
    if (took > 20) fail_msg("%ld s", took);
    print_message("%ld s of the processor\n", took);
    spawn_free(&s);
    free(path);
    free(text);
}

static void test_no_point_twice(void **state) {
    (void)state;
    char *path = sweep("");
    char *one[] = {fixture_command, "explore", "sweep.yaml", "--out", "x", "--worker", "1/2", NULL},
         *two[] = {fixture_command, "explore", "sweep.yaml", "--out", "x", "--worker", "2/2", NULL};
    struct spawned a = spawn_start(fixture_folder, false, one), b = spawn_start(fixture_folder, false, two);
    spawn_finish(&a);
    spawn_finish(&b);
    assert_status(&a, 0);
    assert_status(&b, 0);
    spawn_free(&a);
    spawn_free(&b);
    assert_int_equal(lines("runs"), 8);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    assert_int_equal(lines("runs"), 8);
    free(path);
}

static void test_parallel(void **state) {
    (void)state;
    if (access("/usr/bin/parallel", X_OK) != 0) {
        print_message("GNU parallel is missing\n");
        skip();
    }
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local"));
    assert_explored(
        LOCKSTEP("explore", "sweep.yaml", "--out", "parallel", "--engine", "parallel", "--jobs", "2"));
    assert_same_file("local/points.sqlite", "parallel/points.sqlite");
    free(path);
}

/* Slurm with one node: its daemons, their keys and sockets are in the folder. */
static const char slurm_begin[] =
    "set -e\ncd \"$1\"\nmkdir slurm slurm/state slurm/spool\nS=$PWD/slurm\nH=$(hostname -s)\n"
    "dd if=/dev/urandom of=$S/key bs=128 count=1 2>/dev/null\nchmod 600 $S/key\nchmod 755 . slurm\n"
    "munged --force --key-file=$S/key --socket=$S/socket --pid-file=$S/munge.pid --log-file=$S/munge.log "
    "--seed-file=$S/seed\n"
    "cat >slurm/slurm.conf <<END\nClusterName=test\nSlurmctldHost=$H(127.0.0.1)\nSlurmUser=root\n"
    "AuthType=auth/munge\nAuthInfo=socket=$S/socket\nCredType=cred/munge\nStateSaveLocation=$S/state\n"
    "SlurmdSpoolDir=$S/spool\nSlurmctldPidFile=$S/slurmctld.pid\nSlurmdPidFile=$S/slurmd.pid\n"
    "SlurmctldLogFile=$S/slurmctld.log\nSlurmdLogFile=$S/slurmd.log\nProctrackType=proctrack/linuxproc\n"
    "TaskPlugin=task/none\nReturnToService=2\nSlurmctldPort=16827\nSlurmdPort=16828\n"
    "NodeName=$H NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n"
    "PartitionName=all Nodes=$H Default=YES MaxTime=INFINITE State=UP\nEND\n"
    "export SLURM_CONF=$S/slurm.conf\nslurmctld -c\nslurmd -c\n"
    "for n in 1 2 3 4 5 6 7 8 9; do sinfo -h -o %t | grep -q idle && exit 0; sleep 1; done\nexit 1\n";

static const char slurm_end[] = "cd \"$1\"/slurm && for d in slurmd slurmctld munge; do\n"
                                "  [ ! -f $d.pid ] || kill $(cat $d.pid) || true\ndone; sleep 1";

static void test_slurm(void **state) {
    (void)state;
    if (access("/usr/sbin/slurmctld", X_OK) != 0 || access("/usr/sbin/slurmd", X_OK) != 0 ||
        access("/usr/sbin/munged", X_OK) != 0 || geteuid() != 0) {
        print_message("slurmctld, slurmd or munge is missing, or this is not root\n");
        skip();
    }
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local"));
    struct spawned s =
        spawn(fixture_folder, (char *[]){"sh", "-c", (char *)slurm_begin, "sh", fixture_folder, NULL});
    const int begun = s.status;
    spawn_free(&s);
    char *configuration = spawn_text("SLURM_CONF=%s/slurm/slurm.conf", fixture_folder);
    s = spawn(fixture_folder, (char *[]){"env", configuration, fixture_command, "explore", "sweep.yaml",
                                         "--out", "slurm-out", "--engine", "slurm", "--jobs", "2", NULL});
    struct spawned end =
        spawn(fixture_folder, (char *[]){"sh", "-c", (char *)slurm_end, "sh", fixture_folder, NULL});
    spawn_free(&end);
    if (begun) fail_msg("Slurm does not begin");
    assert_explored(s);
    assert_same_file("local/points.sqlite", "slurm-out/points.sqlite");
    free(configuration);
    free(path);
}

/* A stand-in for Slurm's sbatch, where Slurm is missing: it runs the script once for each number of its
 * array, with the number in the environment, and ends as the worst of them. */
static const char fake_sbatch[] =
    "#!/bin/sh\n[ \"$1 $2\" = '--wait --quiet' ] || { echo \"sbatch: unrecognized option '$1'\" >&2; exit 1; "
    "}\n"
    "last=$(sed -n 's/^#SBATCH --array=1-//p' \"$3\") worst=0\n"
    "for n in $(seq $last); do SLURM_ARRAY_TASK_ID=$n sh \"$3\" & pids=\"$pids $!\"; done\n"
    "for p in $pids; do wait $p || worst=$?; done\nexit $worst\n";

static void test_stand_in_for_slurm(void **state) {
    (void)state;
    char *path = sweep(""), *sbatch = fixture_file("sbatch", fake_sbatch, 0755),
         *search = spawn_text("PATH=%s:%s", fixture_folder, getenv("PATH"));
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local"));
    assert_int_equal(lines("runs"), 8);
    char *argv[] = {"env",       search,     fixture_command, "explore", "sweep.yaml", "--out",
                    "slurm-out", "--engine", "slurm",         "--jobs",  "2",          NULL};
    assert_explored(spawn(fixture_folder, argv));
    assert_int_equal(lines("runs"), 2 * 8);
    assert_same_file("local/points.sqlite", "slurm-out/points.sqlite");
    free(search);
    free(sbatch);
    free(path);
}

/* Kills one of two workers at random moments: the other goes on, the command says so, and the next one ends
 * with the same bytes. */
static void test_killed_worker(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet"));
    unsigned lost = 0;
    for (unsigned n = 0; n < 3; n++) {
        char *argv[] = {fixture_command, "explore", "sweep.yaml", "--out", "x",
                        "--quiet",       "--jobs",  "2",          NULL};
        struct spawned s = spawn_start(fixture_folder, false, argv);
        nap(100 + (long)seed_below(&seed, 400));
        char *first = spawn_text("kill -KILL $(cut -d' ' -f1 /proc/%d/task/%d/children)", s.pid, s.pid);
        struct spawned k = spawn(fixture_folder, (char *[]){"sh", "-c", first, NULL});
        spawn_free(&k);
        free(first);
        spawn_finish(&s);
        if (s.status) assert_says(s.err, "a worker was killed by signal 9 (Killed)");
        lost += s.status != 0;
        spawn_free(&s);
    }
    print_message("%u workers were killed\n", lost);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--quiet"));
    assert_same_file("whole/points.sqlite", "x/points.sqlite");
    free(path);
}

/* The table below the front compares machines that differ in one field. */
static void test_effects(void **state) {
    (void)state;
    char *path = sweep("");
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    const char *at = strstr(s.out, "what each field does");
    double policy, latency;
    assert_non_null(at);
    assert_non_null(strstr(at, "simt.pc_policy  ics_first  1.000"));
    const char *min_pc = strstr(at, "min_pc "), *slow = strstr(at, "  200  ");
    assert_non_null(min_pc && slow ? at : NULL);
    assert_int_equal(sscanf(min_pc, "min_pc %lf", &policy), 1);
    assert_int_equal(sscanf(slow, " 200 %lf", &latency), 1);
    assert_true(policy > 0.9 && policy < 1.1 && latency > 1 && latency < 2);
    spawn_free(&s);
    free(path);
}

static void test_points_that_fail(void **state) {
    (void)state;
    char *text =
        spawn_text("fields:\n  simt.warp_size: [16, 32]\n  cluster.threads_per_lane: [128, 512]\nprograms:\n"
                   "  - %s/benchmarks/vector_add\n  - %s/benchmarks/vector_add --no-such-option\n"
                   "area: off\nconstraints: {n_tpo: 48}\nmemory_ns: 100\n",
                   spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "8 points, 2 complete");
    assert_says(s.out, "no machine has completed all programs");
    spawn_free(&s);
    char *csv = fixture_path("x/points.csv"), *rows = spawn_read(csv);
    assert_says(rows, ",failed,");
    assert_says(rows, "\"n_tpo is 16, at least 48 is wanted\"");
    assert_says(rows, "--set mem.latency=100");
    free(rows);
    free(csv);
    free(path);
    free(text);
}

static void assert_row(const char *name, const char *part) {
    char *path = fixture_path(name), *rows = spawn_read(path);
    assert_says(rows, part);
    free(rows);
    free(path);
}

/* A field of a part of the machines is set in those only; the command says which. */
static void test_field_of_some_machines(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  simt.scheduler: [round_robin, two_level]\n"
                            "  simt.active_warps: [2]\nprograms:\n  - %s/benchmarks/vector_add\narea: off\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "2 points, 2 complete");
    assert_row("x/points.csv", "run --set simt.scheduler=round_robin -- ");
    assert_row("x/points.csv", "run --set simt.scheduler=two_level --set simt.active_warps=2 -- ");
    spawn_free(&s);
    free(path);
    free(text);
}

/* Machines that are refused for the same reason are rows of their own. */
static void test_refused(void **state) {
    (void)state;
    char *path =
        fixture_file("sweep.yaml",
                     "fields:\n  cluster.lanes: [8]\n  simt.warp_size: [4]\n  mem.latency: [100, 200]\n"
                     "programs: [\"true\"]\narea: off\n",
                     0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "2 points, 0 complete");
    assert_row("x/points.csv", "0,true,8,4,100,refused,");
    assert_row("x/points.csv", "1,true,8,4,200,refused,");
    spawn_free(&s);
    free(path);
}

/* Of three small machines that with the largest L2 is too large as it is, that with the next one with its
 * Verilog: neither runs. */
static void test_area_budget(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  simt.warp_size: [4]\n  cluster.threads_per_lane: [4]\n"
                            "  simt.priority_levels: [1]\n  l2.size: [32768, 131072, 262144]\n"
                            "programs:\n  - %s/tests/hosts/vector_add\nconstraints: {area_mm2: 6.98}\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    char *tools = fake_tools(), *cache = fixture_cache("cache"),
         *argv[] = {"env", tools, cache, fixture_command, "explore", "sweep.yaml", "--out", "x", NULL};
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "3 points, 1 complete");
    assert_row("x/points.csv", "\"7.003 mm2, at most 6.980 are wanted");
    assert_row("x/points.csv", "\"8.141 mm2 without its Verilog, at most 6.980 are wanted");
    spawn_free(&s);
    free(cache);
    free(tools);
    free(path);
    free(text);
}

/* --- areas --- */

/* Two small machines of the same eleven blocks. */
static char *area_sweep(const char *more) {
    char *text = spawn_text("fields:\n  simt.warp_size: [4]\n  cluster.threads_per_lane: [4]\n"
                            "  simt.priority_levels: [1]\n  l2.size: [32768, 131072]\n"
                            "programs:\n  - %s/tests/hosts/vector_add\n%s",
                            spawn_build(), more);
    char *path = fixture_file("sweep.yaml", text, 0644);
    free(text);
    return path;
}

/* `lockstep explore` of it, begun in the background: a synthesis takes `seconds`, and leaves a line in `log`.
 */
static struct spawned begin_areas(char *out, char *cache, char *seconds, char *jobs) {
    char *tools = fake_tools(), *kept = fixture_cache(cache),
         *log = spawn_text("FAKE_LOG=%s/log", fixture_folder),
         *sleeps = spawn_text("FAKE_SECONDS=%s", seconds);
    char *argv[] = {"env",   tools, kept,     log,  sleeps, fixture_command, "explore", "sweep.yaml",
                    "--out", out,   "--jobs", jobs, NULL};
    const struct spawned s = spawn_start(fixture_folder, false, argv);
    free(sleeps);
    free(log);
    free(kept);
    free(tools);
    return s;
}

static size_t position(const char *text, const char *part) {
    assert_says(text, part);
    return (size_t)(strstr(text, part) - text);
}

/* The programs do not wait for synthesis: the front is printed before, and again with the areas. Two workers
 * share the blocks. */
static void test_programs_first(void **state) {
    (void)state;
    char *path = area_sweep("");
    struct spawned s = begin_areas("x", "cache", "0.5", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.err, "2 points of 2 configurations, 11 blocks to synthesise");
    assert_says(s.err, "block 11 of 11, ");
    const size_t first = position(s.out, "before synthesis: areas with >"),
                 all = position(s.out, "2 points, 2 complete");
    assert_true(first < all);
    assert_true(position(s.out, "> ") < all);
    assert_null(strstr(s.out + all, "> "));
    assert_int_equal(lines("log"), 11);
    spawn_free(&s);
    free(path);
}

/* Killed ten times while programs run and blocks are synthesised: the same bytes, and few blocks are made
 * again. */
static void test_killed_synthesis(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = area_sweep("");
    struct spawned s = begin_areas("whole", "whole-cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    for (unsigned n = 0; n < 10; n++) {
        s = begin_areas("killed", "killed-cache", "0.2", "2");
        nap(200 + (long)seed_below(&seed, 600));
        kill(s.pid, SIGKILL);
        spawn_finish(&s);
        spawn_free(&s);
    }
    s = begin_areas("killed", "killed-cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    assert_same_file("whole/points.sqlite", "killed/points.sqlite");
    assert_same_file("whole/points.csv", "killed/points.csv");
    assert_same_file("whole/points.json", "killed/points.json");
    assert_true(lines("log") <= 2 * 11 + 2 * 10);
    free(path);
}

static void test_stopped_synthesis(void **state) {
    (void)state;
    char *path = area_sweep("");
    struct spawned s = begin_areas("x", "cache", "0.3", "1");
    while (lines("log") < 3) nap(20);
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "stopped: 2 of 2 runs are in ");
    assert_says(s.err, ", 2 of 11 blocks are done");
    assert_says(s.err, "the same command goes on");
    spawn_free(&s);
    free(path);
}

/* The clock is that of the area, so synthesis comes first. */
static void test_period_of_area(void **state) {
    (void)state;
    char *path = area_sweep("period: area\n");
    struct spawned s = begin_areas("x", "cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    assert_null(strstr(s.out, "before synthesis"));
    assert_says(s.out, "2 points, 2 complete");
    assert_row("x/points.csv", "--set cluster.clock_mhz=");
    spawn_free(&s);
    free(path);
}

/* --- failures of the computer, and damage --- */

/* The sweep, its first program behind another command; what it ends with and says. */
static void assert_explores_to(const char *first, int status, const char *part) {
    char *text = spawn_text("programs:\n  - sh -c \"%s; exec %s/benchmarks/vector_add\"\n"
                            "  - %s/benchmarks/vector_add\narea: off\n",
                            first, spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--jobs", "1", "--quiet");
    if (s.status != status) fail_msg("status %d: %s", s.status, s.err);
    assert_says(s.status ? s.err : s.out, part);
    spawn_free(&s);
    free(path);
    free(text);
}

/* The first run of the program fails for reasons of the computer; the next one is asked for by the same
 * command, and what comes of it is the same as if nothing had failed. */
static void test_host_failures(void **state) {
    (void)state;
    static const struct {
        const char *first, *says;
    } hosts[] = {
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -KILL $$; }", "killed by signal 9 (Killed)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -TERM $$; }", "killed by signal 15 (Terminated)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; exit 137; }", "killed by signal 9 (Killed)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -INT $PPID; sleep 9; }", "interrupted by SIGINT"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -KILL $PPID; sleep 9; }",
         "killed by signal 9 (Killed)"},
    };
    for (unsigned n = 0; n < sizeof hosts / sizeof *hosts; n++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *first = spawn_text(hosts[n].first, fixture_folder, n);
#pragma GCC diagnostic pop
        assert_explores_to(first, EXIT_USER, hosts[n].says);
        assert_explores_to(first, 0, "2 points, 2 complete");
        free(first);
    }
}

/* These are the program's own: results, which are not run again. */
static void test_own_failures(void **state) {
    (void)state;
    static const char *const own[] = {"exit 125", "exit 3", "exec true", "kill -SEGV $$", "kill -ABRT $$"};
    for (unsigned n = 0; n < sizeof own / sizeof *own; n++) {
        char *first = spawn_text("echo run >>%s/runs%u; %s", fixture_folder, n, own[n]);
        char *runs = spawn_text("runs%u", n);
        for (unsigned k = 0; k < 2; k++) assert_explores_to(first, 0, "2 points, 1 complete");
        assert_int_equal(lines(runs), 1);
        free(runs);
        free(first);
    }
}

/* Each of them to one of eight results; the same command makes them anew, and says so. */
static void test_damaged_results(void **state) {
    (void)state;
    static const struct damage {
        const char *how;
    } damages[] = {
        {": >$f"},
        {"head -c 200 $f >t; mv t $f"},
        {"echo '{}' >$f"},
        {"sed -i 's/\"cycles\": /\"cycles\": -/' $f"},
        {"sed -i 's/\"cycles\": ./\"cycles\": 7/' $f"},
        {"cp $(ls x/points/*.json | tail -n 1) $f"},
    };
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole"));
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    for (size_t n = 0; n < sizeof damages / sizeof *damages; n++) {
        char *script = spawn_text("f=$(ls x/points/*.json | head -n 1); %s", damages[n].how);
        struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", script, NULL});
        assert_status(&s, 0);
        spawn_free(&s);
        s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
        assert_says(s.err, ".json is damaged: it is removed, and the point runs again");
        assert_explored(s);
        assert_same_file("whole/points.sqlite", "x/points.sqlite");
        assert_same_file("whole/points.json", "x/points.json");
        free(script);
    }
    assert_int_equal(lines("runs"), 16 + sizeof damages / sizeof *damages);
    free(path);
}

/* A killed exploration's database, by the number of a process that is no more. */
static void test_left_database(void **state) {
    (void)state;
    char *path = sweep("");
    struct spawned gone = spawn(fixture_folder, (char *[]){"true", NULL});
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    char *left = spawn_text("x/points.sqlite.%d.part", gone.pid), *file = fixture_file(left, "", 0644);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    assert_exists(left, false);
    free(file);
    free(left);
    spawn_free(&gone);
    free(path);
}

/* Each result is on the disk before it has its name, and then its name is. */
static void test_synced_results(void **state) {
    (void)state;
    if (access("/usr/bin/strace", X_OK) != 0) {
        print_message("strace is missing\n");
        skip();
    }
    char *path = fixture_file("sweep.yaml", "programs: [\"true\"]\narea: off\n", 0644);
    struct spawned s = spawn(fixture_folder, (char *[]){"strace", "-f", "-qq", "-y", "-o", "calls", "-e",
                                                        "trace=fsync,rename", fixture_command, "explore",
                                                        "sweep.yaml", "--out", "x", NULL});
    spawn_free(&s);
    s = spawn(fixture_folder,
              (char *[]){"sh", "-c",
                         "grep 'x/points[/>]' calls | sed 's/^[0-9]* *//; s/(.*//' | tr '\\n' ' '", NULL});
    assert_string_equal(s.out, "fsync rename fsync ");
    spawn_free(&s);
    free(path);
}

/* What the base machine alone has is no constraint of a GPU-like one. */
static void test_constraints_of_other_machines(void **state) {
    (void)state;
    char *text = spawn_text("machine: %s/configs/gtx285-like.yaml\nprograms:\n  - %s/benchmarks/vector_add\n"
                            "area: off\nconstraints: {n_tpo: 48}\n",
                            spawn_source(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_row("x/points.csv", "n_tpo is for machines with contexts: tpm");
    spawn_free(&s);
    free(path);
    free(text);
}

static void test_focus(void **state) {
    (void)state;
    char *text =
        spawn_text("fields:\n  mem.latency: [50, 100, 150, 200, 250, 300]\nprograms:\n"
                   "  - %s/benchmarks/vector_add\narea: off\nsample: {kind: random, points: 1, seed: 3}\n",
                   spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--focus", "pareto");
    assert_status(&s, 0);
    assert_says(s.out, "\n  50 "); /* it has gone down to the least */
    spawn_free(&s);
    free(path);
    free(text);
}

/* The search ends with as many machines as it may run, of a space that has more; a search that was killed
 * chooses the same ones. */
static void test_genetic(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *text =
        spawn_text("fields:\n  mem.latency: [50, 100, 150, 200, 250, 300]\n  simt.warp_size: [8, 16, 32]\n"
                   "  cluster.lanes: [2, 4]\nprograms:\n  - %s/benchmarks/mandelbrot --size 16 %%/m.ppm\n"
                   "area: off\nsample: {kind: genetic, points: 13, population: 4, seed: 2}\n",
                   spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    const long begun = milliseconds();
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet");
    const long took = milliseconds() - begun;
    assert_status(&s, 0);
    assert_says(s.out, "13 points, 13 complete");
    spawn_free(&s);
    for (unsigned n = 0; n < 3; n++) {
        s = spawn_start(
            fixture_folder, false,
            (char *[]){fixture_command, "explore", "sweep.yaml", "--out", "killed", "--quiet", NULL});
        nap((long)seed_below(&seed, (uint32_t)took / 2 + 1));
        kill(s.pid, SIGKILL);
        spawn_finish(&s);
        spawn_free(&s);
    }
    s = LOCKSTEP("explore", "sweep.yaml", "--out", "killed", "--quiet", "--jobs", "1");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_same_file("whole/points.sqlite", "killed/points.sqlite");
    s = LOCKSTEP("explore", "sweep.yaml", "--out", "y", "--worker", "1/2");
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "sweep.yaml: kind: genetic chooses machines by the results of those before: it goes with");
    spawn_free(&s);
    s = LOCKSTEP("report", "whole", "--searches");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "this is not the whole of a space (13 points, ");
    spawn_free(&s);
    free(path);
    free(text);
}

/* --- the sweep's file --- */

static void assert_refused(const char *text, const char *part) {
    struct sweep s;
    struct error e = {0};
    char *path = fixture_file("bad.yaml", text, 0644);
    assert_false(sweep_read(&s, path, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_says(e.message, part);
    sweep_free(&s);
    free(path);
}

static void test_bad_sweeps(void **state) {
    (void)state;
    assert_refused("", "the file is empty");
    assert_refused("[", "this is not YAML");
    assert_refused("- a\n", "`name: value` is needed here");
    assert_refused("fields: {simt.warp_size: [8]}\n", "programs are missing");
    assert_refused("filds: {}\n", "1: there is no filds: there are machine, fields");
    assert_refused("fields:\n  simt.warp_siez: [8]\n", "bad.yaml:2: ");
    assert_refused("fields:\n  simt.warp_size: [8, 9]\n", "simt.warp_size");
    assert_refused("fields:\n  simt.warp_size: [8, 8]\n", "8 is given twice");
    assert_refused("fields:\n  simt.warp_size: []\n", "a value is needed");
    assert_refused(
        "fields:\n  lwm.threads: [128, 64]\nprograms: [a]\n",
        "bad.yaml: lwm.threads=64 does nothing here: it needs simt.divergence=lwm, and that is pc");
    assert_refused("area: off\narea: fast\n", "2: area is given twice");
    assert_refused("programs: a\n", "a list is needed");
    assert_refused("programs: [\"a 'b\"]\n", "a quote does not end");
    assert_refused("programs: [a, a]\n", "a is there twice");
    assert_refused("programs: [a]\narea: some\n", "'some' is none of off, fast, full");
    assert_refused("programs: [a]\narea: off\nperiod: area\n", "area is off, but period: area needs it");
    assert_refused("programs: [a]\narea: off\nconstraints: {area_mm2: 3}\n", "needs it");
    assert_refused("programs: [a]\nconstraints: {area: 3}\n", "there is no area: there are n_tpo, area_mm2");
    assert_refused("programs: [a]\nmemory_ns: soon\n", "a number from 1");
    assert_refused("programs: [a]\nsample: {kind: random}\n", "points are missing");
    assert_refused("programs: [a]\nsample: {points: 3}\n", "its kind is missing");
    assert_refused("programs: [a]\nsample: {kind: best}\n",
                   "'best' is none of random, latin_hypercube, genetic");
    assert_refused("programs: [a]\nsample: {kind: random, points: 3, population: 4}\n",
                   "bad.yaml: sample: population is for kind: genetic");
    assert_refused("programs: [a]\nsample: {kind: genetic, points: 3, population: 1}\n",
                   "2: population: a number");
    assert_refused("programs: [a]\nsample: {kind: genetic}\n", "points are missing");
}

static struct sweep sample(const char *how) {
    struct sweep s;
    struct error e = {0};
    char *text = spawn_text("programs: [a, b]\nfields:\n  mem.latency: [10, 20, 30, 40]\n"
                            "  simt.scheduler: [round_robin, greedy_oldest]\n  tpm.latency: [1, 2, 3, 4]\n%s",
                            how);
    char *path = fixture_file("sample.yaml", text, 0644);
    if (!sweep_read(&s, path, &e)) fail_msg("%s", e.message);
    free(path);
    free(text);
    return s;
}

static void test_combinations(void **state) {
    (void)state;
    struct sweep s = sample("");
    assert_int_equal(s.configuration_count, 32);
    char *last = sweep_assignment(&s, 1, 2), *first = sweep_assignment(&s, 31, 0);
    assert_string_equal(last, "tpm.latency=2");
    assert_string_equal(first, "mem.latency=40");
    assert_int_equal(sweep_with_value(&s, 31, 1, 0), 27);
    free(first);
    free(last);
    sweep_free(&s);
}

/* Each value of a field is as often in a Latin hypercube as any other. */
static void test_samples(void **state) {
    (void)state;
    struct sweep s = sample("sample: {kind: latin_hypercube, points: 8, seed: 7}\n"),
                 again = sample("sample: {kind: latin_hypercube, points: 8, seed: 7}\n");
    unsigned seen[4] = {0};
    assert_int_equal(s.configuration_count, again.configuration_count);
    assert_memory_equal(s.configurations, again.configurations,
                        s.configuration_count * sizeof *s.configurations);
    for (size_t n = 0; n < s.configuration_count; n++) seen[sweep_value(&s, s.configurations[n], 0)]++;
    assert_true(s.configuration_count >= 7); /* two may fall together */
    for (unsigned v = 0; v < 4; v++) assert_in_range(seen[v], 1, 2);
    sweep_free(&s);
    sweep_free(&again);
    s = sample("sample: {kind: random, points: 5, seed: 1}\n");
    assert_in_range(s.configuration_count, 1, 5);
    sweep_free(&s);
    s = sample("sample: {kind: random, points: 500}\n");
    assert_int_equal(s.configuration_count, 32);
    sweep_free(&s);
}

/* --- the command line and the page --- */

static void assert_command_refused(struct spawned s, const char *part) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *path = sweep(""), *file = fixture_file("file", "", 0644);
    char *missing = fixture_file("missing.yaml", "programs: [./nowhere]\narea: off\n", 0644);
    assert_command_refused(LOCKSTEP("explore"), "which sweep?");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml"), "--out is missing");
    assert_command_refused(LOCKSTEP("explore", "nowhere.yaml", "--out", "x"), "nowhere.yaml cannot be read");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "file/x"), "Not a directory");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--jobs", "0"), "--jobs 0");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--worker", "3/2"),
                           "--worker 3/2");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--engine", "cloud"),
                           "--engine cloud");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--focus", "best"),
                           "there is pareto");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--sshlogin", "a"),
                           "--engine parallel");
    struct spawned s = LOCKSTEP("explore", "missing.yaml", "--out", "x");
    assert_status(&s, EXIT_NOT_FOUND);
    assert_says(s.err, "./nowhere: there is no such program");
    spawn_free(&s);
    assert_exists("x", false);
    assert_command_refused(LOCKSTEP("report"), "which exploration?");
    assert_command_refused(LOCKSTEP("report", "x"), "There are --html, --svg and --searches");
    assert_command_refused(LOCKSTEP("report", "x", "--html"), "is x the DIR of a `lockstep explore --out`");
    free(missing);
    free(file);
    free(path);
}

/* What runs a program without any network, if this computer lets us. */
static const char *no_network(void) {
    struct spawned s = spawn(fixture_folder, (char *[]){"unshare", "--net", "true", NULL});
    const bool can = s.status == 0;
    if (!can) print_message("unshare --net is not allowed: Chromium has a network\n");
    spawn_free(&s);
    return can ? "unshare --net" : "";
}

static void assert_shows(struct browser *b, const char *expression, const char *part) {
    char *text = browser_text(b, expression);
    assert_says(text, part);
    free(text);
}

/* Of the page as a whole, at any width: nothing is wider than the window, ticks are round and not too many,
 * the plot is as wide as its column. */
static void assert_fits(struct browser *b, int width) {
    browser_resize(b, width, 900);
    assert_shows(b,
                 "document.documentElement.scrollWidth <= innerWidth ? 'fits' : "
                 "document.documentElement.scrollWidth + ' of ' + innerWidth",
                 "fits");
    assert_shows(b,
                 "(() => { const e = document.querySelector('#plot svg').getBoundingClientRect(), p = "
                 "document.getElementById('plot').getBoundingClientRect();"
                 " return e.width === p.width && e.width >= 350 ? 'wide' : e.width + ' ' + p.width; })()",
                 "wide");
    static const char *const axes[] = {"x", "y"};
    for (unsigned n = 0; n < 2; n++) {
        char *round = spawn_text(
            "(() => { const v = [...document.querySelectorAll('.tick-%s')].map(t => +t.textContent);"
            " const step = v[1] - v[0], power = 10 ** Math.floor(Math.log10(step) + 1e-9);"
            " return v.length >= 2 && v.length <= 30 && [1, 2, 5].includes(Math.round(step / power * 1e6) / "
            "1e6) &&"
            " v.every(t => Math.abs(t / step - Math.round(t / step)) < 1e-6) ? 'round' : v.join(); })()",
            axes[n]);
        assert_shows(b, round, "round");
        free(round);
    }
}

/* The front of the page, a line a machine: the fields' values and the time, in microseconds. */
static const char page_front[] =
    "[...document.querySelectorAll('#front tbody tr')].map(r => [...r.cells].slice(0, 2)"
    ".map(c => c.textContent).join(' ') + ' ' + (+r.cells[2].textContent).toFixed(0)).join('\\n') + '\\n'";

/* The front as the terminal shows it, in the same way. */
static char *terminal_front(const char *folder) {
    static char script[] =
        "\"$0\" explore sweep.yaml --out \"$1\" | awk '/energy, uJ$/ { on = 1; next } NF == 0 { on = 0 } "
        "on { printf \"%s %s %.0f\\n\", $1, $2, $3 }'";
    struct spawned s =
        spawn(fixture_folder, (char *[]){"sh", "-c", script, fixture_command, (char *)folder, NULL});
    char *text = strdup(s.out);
    spawn_free(&s);
    return text;
}

static void assert_clicks(struct browser *b) {
    assert_shows(b, "document.querySelector('.mark.front').tagName", "path");
    assert_shows(b, "document.querySelector('.step').getAttribute('d')", "H");
    browser_click(b, ".mark[data-point=\"2\"]"); /* of all programs */
    assert_shows(b, "document.getElementById('point').textContent",
                 "simt.pc_policy=ics_first, mem.latency=200 cyclesPoint 2: sh");
    assert_shows(b, "document.getElementById('point').textContent", "Point 3: sh");
    assert_shows(b, "document.querySelectorAll('#point code').length + ' commands'", "2 commands");
    assert_shows(b, "document.querySelector('#point code').textContent",
                 "lockstep run --set simt.pc_policy=ics_first");
    assert_shows(b, "document.getElementById('point').textContent", "where the time went");
    assert_shows(b, "location.hash", "#machine=2");
    browser_click(b, "#points tbody tr[data-point=\"5\"] a"); /* a point alone */
    assert_shows(b, "document.querySelectorAll('#point code').length + ' command'", "1 command");
    assert_shows(b, "location.hash", "#point=5");
    assert_shows(b,
                 "[...document.querySelectorAll('.mark.chosen, #points .chosen')]"
                 ".map(e => e.dataset.point).join()",
                 "4,5");
    browser_click(b, "#points th:first-child button"); /* from the last point on */
    assert_shows(b, "document.querySelector('#points tbody td').textContent", "7");
}

static void assert_filters(struct browser *b) {
    static const struct {
        const char *filter, *count; /* rows, marks of the plot, what is said */
    } filters[] = {
        {"min_pc 200", "2 1 "},
        {"pc_policy=min_pc", "4 2 "},
        {"mem.latency!=200", "4 2 "},
        {"latency<=100 simt.pc_policy=ics_first,min_pc", "4 2 "},
        {"status=failed", "0 0 "},
        {"latnecy=200", "8 4 There is no latnecy; there are point, simt.pc_policy"},
        {"latency<", "8 4 latency<: a value is missing."},
    };
    for (size_t n = 0; n < sizeof filters / sizeof *filters; n++) {
        browser_press(b, "Escape");
        browser_press(b, "/");
        char *ignored = browser_text(b, "document.activeElement.select(), document.activeElement.id");
        assert_string_equal(ignored, "filter");
        browser_type(b, filters[n].filter);
        assert_shows(b,
                     "document.querySelectorAll('#points tbody tr').length + ' ' + "
                     "document.querySelectorAll('.mark').length + ' ' + "
                     "document.getElementById('said').textContent",
                     filters[n].count);
        free(ignored);
    }
    char *ignored =
        browser_text(b, "document.activeElement.value = '', filter(), document.activeElement.blur(), ''");
    free(ignored);
}

/* The arrows go to the next faster or slower machine, Enter chooses. */
static void assert_keys(struct browser *b) {
    char *start = browser_text(b, "document.querySelector('.mark[tabindex=\"0\"]').focus(),"
                                  " document.activeElement.getAttribute('data-point')");
    browser_press(b, "ArrowRight");
    char *next = browser_text(b, "document.activeElement.getAttribute('data-point')");
    assert_string_not_equal(start, next);
    browser_press(b, "Enter");
    char *hash = spawn_text("#machine=%s", next);
    assert_shows(b, "location.hash", hash);
    browser_press(b, "ArrowLeft");
    assert_shows(b, "document.activeElement.getAttribute('data-point')", start);
    free(hash);
    free(next);
    free(start);
}

static void test_page(void **state) {
    (void)state;
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    struct spawned s = LOCKSTEP("report", "x", "--html", "--svg");
    assert_status(&s, 0);
    assert_string_equal(s.out, "x/report.html\nx/front.svg\n");
    assert_string_equal(s.err, "");
    assert_exists("x/front.svg", true);
    spawn_free(&s);
    char *page = fixture_path("x/report.html"), *text = spawn_read(page);
    assert_says(text, "default-src 'none'");
    assert_null(strstr(text, "https://"));
    assert_null(strstr(text, "@DATA@"));
    free(text);
    struct browser b;
    char *url = spawn_text("file://%s", page), *profile = fixture_path("profile");
    if (browser_open(&b, no_network(), profile, url)) {
        assert_shows(&b, "document.getElementById('title').textContent", "Exploration sweep.yaml");
        assert_shows(&b, "document.getElementById('sweep').textContent",
                     "simt.pc_policy: [ics_first, min_pc]");
        assert_shows(&b, "document.getElementById('head').textContent", "machine: base machinecommit: ");
        assert_shows(&b, "document.getElementById('links').innerHTML", "href=\"points.csv\"");
        assert_shows(&b, "[...document.querySelectorAll('svg .title')].map(t => t.textContent).join()",
                     "time, µs,energy, µJ");
        assert_shows(&b, "document.getElementById('sensitivity').textContent", "mem.latency, cycles");
        static const int widths[] = {400, 1280, 2560};
        for (unsigned n = 0; n < 3; n++) {
            assert_fits(&b, widths[n]);
            assert_clicks(&b);
            assert_filters(&b);
            assert_keys(&b);
            browser_click(&b, "#points th:first-child button"); /* upwards again */
        }
        browser_close(&b);
    }
    free(profile);
    free(url);
    free(page);
    free(path);
}

/* The front on the page is that on the terminal: two machines, each of which beats one that is as fast, but
 * has a larger L2 and so takes more energy. */
static void test_front(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  cluster.lanes: [2, 4]\n  l2.size: [65536, 262144]\nprograms:\n"
                            "  - %s/benchmarks/mandelbrot --size 16 %%/m.ppm\narea: off\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644), *front = terminal_front("x");
    assert_says(front, "4 65536 ");
    assert_says(front, "\n2 65536 ");
    assert_null(strstr(front, "262144"));
    struct spawned s = LOCKSTEP("report", "x", "--html");
    assert_status(&s, 0);
    spawn_free(&s);
    struct browser b;
    char *page = fixture_path("x/report.html"), *url = spawn_text("file://%s", page),
         *profile = fixture_path("profile");
    if (browser_open(&b, no_network(), profile, url)) {
        char *shown = browser_text(&b, page_front);
        assert_string_equal(shown, front);
        assert_shows(&b, "document.querySelectorAll('.mark.front').length + ' marks'", "2 marks");
        assert_shows(&b, "document.querySelector('.step').getAttribute('d').replace(/[^A-Z]/g, '')", "MVHVH");
        browser_close(&b);
        free(shown);
    }
    free(profile);
    free(url);
    free(page);
    free(front);
    free(path);
    free(text);
}

/* Commit and date come from the results: a later page has the same bytes. */
static void test_same_page(void **state) {
    (void)state;
    char *path = sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    static char script[] = "cd \"$1\" && \"$0\" report x --html && cp x/report.html first && "
                           "sleep 1.1 && \"$0\" explore sweep.yaml --out x && \"$0\" report x --html";
    struct spawned s =
        spawn(fixture_folder, (char *[]){"sh", "-c", script, fixture_command, fixture_folder, NULL});
    assert_status(&s, 0);
    assert_same_file("first", "x/report.html");
    spawn_free(&s);
    assert_row("x/exploration.json", "\"text\": \"fields:\\n  simt.pc_policy: [ics_first, min_pc]");
    assert_row("x/exploration.json", "\"begun\": \"20");
    char *rows = fixture_path("x/points.json"), *text = spawn_read(rows);
    assert_null(strstr(text, "\"date\"")); /* tables of two explorations are the same */
    free(text);
    free(rows);
    free(path);
}

/* One machine: all points of the plot are one, and gnuplot has nothing to warn of. */
static void test_plot_of_one_machine(void **state) {
    (void)state;
    char *text = spawn_text("programs:\n  - %s/benchmarks/vector_add\narea: off\n", spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--quiet");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("report", "x", "--svg");
    assert_status(&s, 0);
    assert_string_equal(s.err, "");
    spawn_free(&s);
    free(path);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_killed_at_any_moment),
        TEST(test_24_points),
        TEST(test_no_point_twice),
        TEST(test_parallel),
        TEST(test_slurm),
        TEST(test_stand_in_for_slurm),
        TEST(test_killed_worker),
        TEST(test_effects),
        TEST(test_points_that_fail),
        TEST(test_field_of_some_machines),
        TEST(test_refused),
        TEST(test_area_budget),
        TEST(test_programs_first),
        TEST(test_killed_synthesis),
        TEST(test_stopped_synthesis),
        TEST(test_period_of_area),
        TEST(test_host_failures),
        TEST(test_own_failures),
        TEST(test_damaged_results),
        TEST(test_left_database),
        TEST(test_synced_results),
        TEST(test_constraints_of_other_machines),
        TEST(test_focus),
        TEST(test_genetic),
        TEST(test_bad_sweeps),
        TEST(test_combinations),
        TEST(test_samples),
        TEST(test_mistakes),
        TEST(test_page),
        TEST(test_front),
        TEST(test_same_page),
        TEST(test_plot_of_one_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
