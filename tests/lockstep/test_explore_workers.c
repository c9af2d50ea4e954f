/* `lockstep explore` with several workers: no point runs twice, other search engines, and the same bytes
 * whatever is killed. */
#include "tests/lockstep/exploring.h"
#include "sim/error.h"
#include "tests/seed.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ten times, at random moments of the first quarter of the whole duration, so that each kill hits
 * a process. */
static void test_killed_at_any_moment(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = explore_sweep("");
    const long begun = explore_milliseconds();
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet"));
    const long took = explore_milliseconds() - begun;
    for (unsigned n = 0; n < 10; n++) {
        char *argv[] = {fixture_command, "explore", "sweep.yaml", "--out", "killed",
                        "--quiet",       "--jobs",  "2",          NULL};
        struct spawned s = spawn_start(fixture_folder, false, argv);
        explore_nap((long)seed_below(&seed, (uint32_t)took / 4 + 1));
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

static void test_no_point_twice(void **state) {
    (void)state;
    char *path = explore_sweep("");
    char *one[] = {fixture_command, "explore", "sweep.yaml", "--out", "x", "--worker", "1/2", NULL},
         *two[] = {fixture_command, "explore", "sweep.yaml", "--out", "x", "--worker", "2/2", NULL};
    struct spawned a = spawn_start(fixture_folder, false, one), b = spawn_start(fixture_folder, false, two);
    spawn_finish(&a);
    spawn_finish(&b);
    assert_status(&a, 0);
    assert_status(&b, 0);
    spawn_free(&a);
    spawn_free(&b);
    assert_int_equal(explore_lines("runs"), 8);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    assert_int_equal(explore_lines("runs"), 8);
    free(path);
}

static void test_parallel(void **state) {
    (void)state;
    if (access("/usr/bin/parallel", X_OK) != 0) {
        print_message("GNU parallel is missing\n");
        skip();
    }
    char *path = explore_sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local"));
    assert_explored(
        LOCKSTEP("explore", "sweep.yaml", "--out", "parallel", "--engine", "parallel", "--jobs", "2"));
    assert_same_file("local/points.sqlite", "parallel/points.sqlite");
    free(path);
}

/* Waits until some runs have begun, and a random time. */
static void wait_for_runs(size_t runs, struct seed *seed) {
    for (unsigned n = 0; n < 6000 && explore_lines("runs") < runs; n++) explore_nap(10);
    explore_nap((long)seed_below(seed, 200));
}

/* --- hosts: two sshd of the test's own, on this computer --- */

#define SSHD "/usr/sbin/sshd"

struct host {
    const char *name;
    struct spawned sshd;
    unsigned port;
};

static const char sshd_configuration[] = "ListenAddress 127.0.0.1:%u\nHostKey %s/key\n"
                                         "AuthorizedKeysFile %s/key.pub\nPidFile none\nStrictModes no\n"
                                         "UsePAM no\nPasswordAuthentication no\nUseDNS no\n";

/* Starts sshd on a port. Returns false if the port is in use. The server ends with this process in
 * any case. */
static bool start_sshd(struct host *h, unsigned port) {
    char *text = spawn_text(sshd_configuration, port, fixture_folder, fixture_folder),
         *configuration = fixture_file(h->name, text, 0600),
         *log = spawn_text("%s/%s.log", fixture_folder, h->name);
    h->port = port;
    h->sshd = spawn_start(
        fixture_folder, false,
        (char *[]){"setpriv", "--pdeathsig", "KILL", SSHD, "-D", "-f", configuration, "-E", log, NULL});
    char *said = NULL;
    for (unsigned n = 0; n < 500 && !(said && strchr(said, '\n')); n++) {
        explore_nap(20);
        free(said);
        said = spawn_read(log);
    }
    const bool listens = said && strstr(said, "Server listening"),
               taken = said && strstr(said, "Cannot bind");
    if (!listens && !taken) fail_msg("sshd does not begin: %s", said ? said : "it says nothing");
    free(said);
    free(log);
    free(configuration);
    free(text);
    return listens;
}

static void end_sshd(struct host *h) {
    kill(h->sshd.pid, SIGKILL);
    spawn_finish(&h->sshd);
    spawn_free(&h->sshd);
}

/* Writes the client's configuration. Returns the argument of --sshlogin, to be freed. */
static char *begin_hosts(struct host hosts[2], struct seed *seed) {
    if (geteuid() == 0) mkdir("/run/sshd", 0755); /* sshd needs this folder, which Debian creates at boot */
    struct spawned s =
        spawn(fixture_folder, (char *[]){"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key", NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    for (unsigned n = 0; n < 2; n++)
        while (!start_sshd(&hosts[n], 20000 + seed_below(seed, 12000))) end_sshd(&hosts[n]);
    char *text = spawn_text("Host one\n  Port %u\nHost two\n  Port %u\nHost *\n  HostName 127.0.0.1\n"
                            "  IdentityFile %s/key\n  IdentitiesOnly yes\n  UserKnownHostsFile %s/known\n"
                            "  StrictHostKeyChecking no\n  BatchMode yes\n  LogLevel ERROR\n",
                            hosts[0].port, hosts[1].port, fixture_folder, fixture_folder),
         *path = fixture_file("ssh_config", text, 0600);
    free(text);
    text = spawn_text("ssh -F %s one,ssh -F %s two", path, path);
    free(path);
    return text;
}

static bool has_sshd(void) {
    const bool has = access(SSHD, X_OK) == 0 && access("/usr/bin/parallel", X_OK) == 0;
    if (!has) print_message("openssh-server or parallel is missing: scripts/setup\n");
    return has;
}

/* Each of two hosts runs points, and none twice. */
static void test_hosts(void **state) {
    (void)state;
    if (!has_sshd()) skip();
    struct seed seed = seed_start();
    struct host hosts[2] = {{.name = "one"}, {.name = "two"}};
    char *path = explore_sweep(""), *login = begin_hosts(hosts, &seed);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "a folder", "--engine", "parallel",
                             "--sshlogin", login, "--jobs", "2"));
    for (unsigned n = 0; n < 2; n++) {
        char *connection = spawn_text(" 127.0.0.1 %u\n", hosts[n].port);
        assert_row("runs", connection);
        free(connection);
        end_sshd(&hosts[n]);
    }
    assert_int_equal(explore_lines("runs"), 8);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local", "--quiet"));
    assert_same_file("local/points.sqlite", "a folder/points.sqlite");
    free(login);
    free(path);
}

/* Kills processes, which a command of the shell prints, as soon as there is one. */
static void kill_printed(char *command) {
    char *script = spawn_text(
        "for n in $(seq 200); do pids=$(%s) && break; sleep 0.05; done; kill -KILL $pids", command);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", script, NULL});
    if (s.status) fail_msg("%s: %s", command, s.err);
    spawn_free(&s);
    free(script);
    free(command);
}

/* Returns a command that prints the processes whose command line, with \\x00 between its words, matches; to
 * be freed. */
static char *with_words(const char *before, const char *after) {
    return spawn_text("grep -alPe '%s%s%s' /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | grep .", before,
                      fixture_folder, after);
}

/* The worker, its connection, or the server of a host with all its connections. */
static void kill_part(unsigned part, const struct host *h) {
    switch (part) {
    case 0: kill_printed(with_words("--worker\\x002/2\\x00--out\\x00", "/")); return;
    case 1: kill_printed(with_words("^ssh\\x00-F\\x00", "/ssh_config\\x00two")); return;
    default:
        kill_printed(
            spawn_text("cat /proc/%d/task/%d/children && echo %d", h->sshd.pid, h->sshd.pid, h->sshd.pid));
    }
}

/* A process of a host is killed at a random moment: the exploration continues and ends with the
 * same bytes. */
static void test_killed_host(void **state) {
    (void)state;
    if (!has_sshd()) skip();
    struct seed seed = seed_start();
    struct host hosts[2] = {{.name = "one"}, {.name = "two"}};
    char *path = explore_sweep(""), *login = begin_hosts(hosts, &seed);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet"));
    for (unsigned n = 0; n < 3; n++) {
        const size_t before = explore_lines("runs");
        char *out = spawn_text("x%u", n), *database = spawn_text("x%u/points.sqlite", n);
        struct spawned s =
            spawn_start(fixture_folder, false,
                        (char *[]){fixture_command, "explore", "sweep.yaml", "--out", out, "--engine",
                                   "parallel", "--sshlogin", login, "--jobs", "2", NULL});
        wait_for_runs(before + 2 + seed_below(&seed, 3), &seed);
        kill_part(n, &hosts[1]);
        spawn_finish(&s);
        assert_explored(s);
        assert_same_file("whole/points.sqlite", database);
        free(database);
        free(out);
    }
    for (unsigned n = 0; n < 2; n++) end_sshd(&hosts[n]);
    free(login);
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
    char *path = explore_sweep("");
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

/* A replacement for Slurm's sbatch: it runs the script once for each number of its array, with the number in
 * the environment, and returns the worst status. */
static const char fake_sbatch[] =
    "#!/bin/sh\n[ \"$1 $2\" = '--wait --quiet' ] || { echo \"sbatch: unrecognized option '$1'\" >&2; exit 1; "
    "}\n"
    "last=$(sed -n 's/^#SBATCH --array=1-//p' \"$3\") worst=0\n"
    "for n in $(seq $last); do SLURM_ARRAY_TASK_ID=$n sh \"$3\" & pids=\"$pids $!\"; done\n"
    "for p in $pids; do wait $p || worst=$?; done\nexit $worst\n";

static void test_stand_in_for_slurm(void **state) {
    (void)state;
    char *path = explore_sweep(""), *sbatch = fixture_file("sbatch", fake_sbatch, 0755),
         *search = spawn_text("PATH=%s:%s", fixture_folder, getenv("PATH"));
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "local"));
    assert_int_equal(explore_lines("runs"), 8);
    char *argv[] = {"env",       search,     fixture_command, "explore", "sweep.yaml", "--out",
                    "slurm-out", "--engine", "slurm",         "--jobs",  "2",          NULL};
    assert_explored(spawn(fixture_folder, argv));
    assert_int_equal(explore_lines("runs"), 2 * 8);
    assert_same_file("local/points.sqlite", "slurm-out/points.sqlite");
    free(search);
    free(sbatch);
    free(path);
}

/* Kills one of two workers at a random moment: the other runs all points, with the same bytes. */
static void test_killed_worker(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = explore_sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet"));
    char *argv[] = {fixture_command, "explore", "sweep.yaml", "--out", "x", "--quiet", "--jobs", "2", NULL};
    struct spawned s = spawn_start(fixture_folder, false, argv);
    wait_for_runs(8 + 1 + seed_below(&seed, 3), &seed);
    char *first = spawn_text("kill -KILL $(cut -d' ' -f1 /proc/%d/task/%d/children)", s.pid, s.pid);
    struct spawned k = spawn(fixture_folder, (char *[]){"sh", "-c", first, NULL});
    spawn_free(&k);
    free(first);
    spawn_finish(&s);
    assert_says(s.err, "a worker was killed by signal 9 (Killed)");
    assert_explored(s);
    assert_same_file("whole/points.sqlite", "x/points.sqlite");
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_killed_at_any_moment),
        TEST(test_no_point_twice),
        TEST(test_parallel),
        TEST(test_hosts),
        TEST(test_killed_host),
        TEST(test_slurm),
        TEST(test_stand_in_for_slurm),
        TEST(test_killed_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
