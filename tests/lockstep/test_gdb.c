/* `lockstep run --gdb`: sessions of gdb-multiarch in both modes, after which cycles and counters are those of
 * a run without gdb; and clients that speak the protocol badly. */
#include "sim/error.h"
#include "tests/fixture.h"
#include "tests/seed.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- runs that wait for gdb --- */

struct session {
    struct spawned run;
    unsigned port;
    char folder[64]; /* folder of the sources */
    int fd;          /* descriptor of our client */
    char packet[40000];
};

/* Starts a run; returns when it waits for gdb. */
static struct session begin(char *const argv[]) {
    static const char at[] = "127.0.0.1:", folder[] = "'directory ";
    struct session s = {.run = spawn_start(fixture_folder, false, argv), .fd = -1};
    char text[4096];
    for (unsigned tries = 0; tries < 3000 && !s.port; tries++) {
        const ssize_t n = pread(s.run.err_fd, text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = '\0';
        const char *found = strstr(text, at);
        if (found && strchr(found, '\n')) {
            s.port = (unsigned)atoi(found + strlen(at));
            sscanf(strstr(text, folder) + strlen(folder), "%63[^']", s.folder);
        } else {
            usleep(20000);
        }
    }
    if (!s.port) fail_msg("it does not wait for gdb: %s", text);
    return s;
}

static void end(struct session *s, int status) {
    if (s->fd >= 0) close(s->fd);
    spawn_finish(&s->run);
    assert_status(&s->run, status);
    spawn_free(&s->run);
    assert_int_not_equal(access(s->folder, F_OK), 0);
}

/* Runs gdb with a script of tests/gdb. */
static struct spawned debug(const struct session *s, const char *script) {
    char *directory = spawn_text("directory %s", s->folder),
         *target = spawn_text("target remote 127.0.0.1:%u", s->port),
         *path = spawn_text("%s/tests/gdb/%s", spawn_source(), script);
    struct spawned g = spawn(fixture_folder, (char *[]){"gdb-multiarch", "-q", "-nx", "-batch", "-ex",
                                                        directory, "-ex", target, "-x", path, NULL});
    free(directory);
    free(target);
    free(path);
    return g;
}

static void assert_same_file(const char *a, const char *b) {
    char *paths[] = {fixture_path(a), fixture_path(b)}, *texts[2];
    for (unsigned n = 0; n < 2; n++) assert_non_null(texts[n] = spawn_read(paths[n]));
    assert_string_equal(texts[0], texts[1]);
    for (unsigned n = 0; n < 2; n++) {
        free(paths[n]);
        free(texts[n]);
    }
}

/* Runs a session, and the same without gdb: counters are equal. Returns gdb's output. */
static struct spawned session_of(const char *source, char *option, char *value, const char *script) {
    char *program = fixture_host("checked"), *kernel = spawn_text("%s/tests/gdb/%s", spawn_source(), source);
    struct session s = begin((char *[]){fixture_command, "run", option, value, "--gdb", "--stats", "with.csv",
                                        "--", program, kernel, NULL});
    struct spawned g = debug(&s, script);
    assert_status(&g, 0);
    end(&s, 0);
    struct spawned plain = LOCKSTEP("run", option, value, "--stats", "without.csv", "--", program, kernel);
    assert_status(&plain, 0);
    spawn_free(&plain);
    assert_same_file("with.csv", "without.csv");
    free(program);
    free(kernel);
    return g;
}

static struct spawned session(char *option, char *value, const char *script) {
    return session_of("steps.cl", option, value, script);
}

/* Checks gdb's messages and its printed values. */
static void assert_parts(const struct spawned *g, const char *const parts[], size_t count) {
    for (size_t n = 0; n < count; n++)
        if (!strstr(g->err, parts[n])) assert_says(g->out, parts[n]);
}

static void test_simt(void **state) {
    (void)state;
    struct spawned g = session("--mode", "simt", "simt.gdb");
    static const char *const parts[] = {
        "Thread 38 \"item (37,0,0) warp 1 lane 5 of work-group (0,0,0)\" hit Breakpoint 1, k (out=0x60000000",
        "$1 = 37\n$2 = 239\n$3 = 0\n",
        "$4 = 2\n",
        "item (37,0,0) warp 1 lane 5 of work-group (0,0,0)",
        "hit Hardware watchpoint 2: -location out[37]\n\nOld value = 0\nNew value = 264\n",
        "__lockstep_thunk_k",
        "\ncycle 5596 of the run, 5596 of the launch\n",
        "0 of 32 live work-items of the work-group wait at a barrier",
        "program1.cl:11  str ",
        "there is no such command; these are:\ncycle ",
        "hit Temporary breakpoint 3, k (out=",
        "[Inferior 1 (Remote target) exited normally]",
    };
    assert_parts(&g, parts, sizeof parts / sizeof *parts);
    spawn_free(&g);
}

static void test_mimd(void **state) {
    (void)state;
    struct spawned g = session("--mode", "mimd", "mimd.gdb");
    static const char *const parts[] = {
        "Thread 1 \"core 0 of cluster 0 work-group (0,0,0)\" hit Breakpoint 1, k (out=",
        "\"core 1 of cluster 0 work-group (1,0,0)\"",
        "\n\nOld value = 0\nNew value = 264\n",
        "2 of 2 work-groups have begun\n",
        "[Inferior 1 (Remote target) exited normally]",
    };
    assert_parts(&g, parts, sizeof parts / sizeof *parts);
    spawn_free(&g);
}

/* gdb goes back to points, by lines and by instructions, to the beginning of history and to the present. The
 * cycles are those of X, 7 after S: 5165 and 5562 in `lockstep timeline --format log`. */
static void test_reverse_simt(void **state) {
    (void)state;
    struct spawned g = session("--mode", "simt", "reverse-simt.gdb");
    static const char *const parts[] = {
        "hit Breakpoint 1, k (out=0x60000000",
        "pc             0x10040 ",
        "$1 = 131\n6\t        sum += i * me;\n\nNo more reverse-execution history.\n",
        "$2 = 239\n",
        "hit Hardware watchpoint 2: -location out[37]\n\nOld value = 0\nNew value = 264\n",
        "hit Hardware watchpoint 2: -location out[37]\n\nOld value = 264\nNew value = 0\n",
        "$3 = 0\n$4 = (void (*)()) 0x10064 ",
        "0x00010060\t11\t",
        "$5 = (void (*)()) 0x10064 ",
        "Thread 61 \"item (60,0,0) warp 1 lane 28 of work-group (0,0,0)\" hit Temporary breakpoint 3, k",
        "cycle 5172 of the run",
        "No more reverse-execution history.\n__lockstep_thunk_k (__lockstep_block=0x3f000000)",
        "No more reverse-execution history.\n[Switching to Thread 38]\n",
        "cycle 5569 of the run",
        "[Inferior 1 (Remote target) exited normally]",
    };
    assert_parts(&g, parts, sizeof parts / sizeof *parts);
    spawn_free(&g);
}

static void test_reverse_mimd(void **state) {
    (void)state;
    struct spawned g = session("--mode", "mimd", "reverse-mimd.gdb");
    static const char *const parts[] = {
        "hit Breakpoint 1, k (out=",
        "pc             0x104d4 ",
        "pc             0x104dc ",
        "\n\nOld value = 0\nNew value = 264\n",
        "\n\nOld value = 264\nNew value = 0\n",
        "0x60000094:\t0\n\nNo more reverse-execution history.\n",
        "No more reverse-execution history.\n0x00010534 in k (out=",
        "0x60000094:\t264\n",
        "[Inferior 1 (Remote target) exited normally]",
    };
    assert_parts(&g, parts, sizeof parts / sizeof *parts);
    spawn_free(&g);
}

/* GPU-like machines: with a stack and a scoreboard, and with warps of any threads. */
static void test_gpu_like(void **state) {
    (void)state;
    char *dwf = fixture_file("dwf.yaml", "extends: fermi-like\nsimt:\n  divergence: dwf\n", 0644);
    char *const machines[] = {"gtx285-like", dwf};
    for (unsigned n = 0; n < 2; n++) {
        struct spawned g = session("--config", machines[n], "gpu.gdb");
        static const char *const parts[] = {
            "\"item (37,0,0) warp ",
            "lane 5 of work-group (0,0,0)\" hit Breakpoint 1, k (out=0x60000000",
            "$1 = 239\n",
            "0 of 64 live work-items of the work-group wait at a barrier\n",
            "\n2 of 2 work-groups have begun\ncycle ",
            "  program1.cl:4  ldr ",
            "lane 5 of work-group (0,0,0)\" hit Breakpoint 1, k (out=",
            "No more reverse-execution history.\nk (out=",
            "hit Hardware watchpoint 2: -location out[37]\n\nOld value = 0\nNew value = 264\n",
            "hit Hardware watchpoint 2: -location out[37]\n\nOld value = 264\nNew value = 0\n",
            "$2 = 0\n",
            "lane 8 of work-group (0,0,0)\" hit Breakpoint 3, k (out=",
            "$3 = 40\n$4 = 0\n",
            "No more reverse-execution history.\n[Switching to Thread ",
            "1 work-groups, 2 warps\n",
            "[Inferior 1 (Remote target) exited normally]",
        };
        assert_parts(&g, parts, sizeof parts / sizeof *parts);
        spawn_free(&g);
    }
    free(dwf);
}

/* --- a client of ours --- */

static int connect_to(unsigned port) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

static void put(const struct session *s, const char *bytes, size_t size) {
    assert_int_equal(send(s->fd, bytes, size, MSG_NOSIGNAL), size);
}

static void ask(const struct session *s, const char *data) {
    unsigned char sum = 0;
    for (const char *c = data; *c; c++) sum = (unsigned char)(sum + (unsigned char)*c);
    char *frame = spawn_text("$%s#%02x", data, sum);
    put(s, frame, strlen(frame));
    free(frame);
}

/* Returns the next byte; -1 after some seconds, or at the end. */
static int next_byte(const struct session *s) {
    struct pollfd p = {s->fd, POLLIN, 0};
    unsigned char c;
    return poll(&p, 1, 20000) > 0 && recv(s->fd, &c, 1, 0) == 1 ? c : -1;
}

/* Reads the next packet into s->packet. */
static const char *packet(struct session *s) {
    size_t n = 0;
    int c;
    while ((c = next_byte(s)) >= 0 && c != '$') continue;
    while (c >= 0 && (c = next_byte(s)) >= 0 && c != '#' && n < sizeof s->packet - 1)
        s->packet[n++] = (char)c;
    next_byte(s);
    next_byte(s);
    s->packet[n] = '\0';
    put(s, "+", 1);
    return s->packet;
}

static const char *answer(struct session *s, const char *data) {
    ask(s, data);
    return packet(s);
}

/* Starts a run of a program of tests/hosts with an argument, and connects a client. */
static struct session client_of(char *host, char *argument, char *options) {
    char *program = fixture_host(host);
    struct session s =
        begin((char *[]){fixture_command, "run", "--quiet", "--gdb", options, "--", program, argument, NULL});
    free(program);
    s.fd = connect_to(s.port);
    assert_true(s.fd >= 0);
    return s;
}

static void assert_begins(const char *text, const char *part) {
    if (strncmp(text, part, strlen(part)) != 0) fail_msg("'%s' does not begin with '%s'", text, part);
}

/* Ctrl-C stops a kernel that does not end; gdb ends the run. */
static void test_interrupt_and_kill(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=simt");
    assert_begins(answer(&s, "?"), "T05thread:1;");
    ask(&s, "vCont;c");
    usleep(200000);
    put(&s, "\003", 1);
    assert_begins(packet(&s), "T02thread:");
    assert_begins(answer(&s, "vCont;s:1;c"), "T05thread:1;");
    assert_begins(answer(&s, "m60000000,4"), "00000000");
    ask(&s, "k");
    end(&s, EXIT_USER);
}

static void test_mimd_interrupt(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=mimd");
    assert_begins(answer(&s, "?"), "T05thread:1;");
    ask(&s, "vCont;c");
    usleep(200000);
    put(&s, "\003", 1);
    assert_begins(packet(&s), "T02thread:");
    assert_string_equal(answer(&s, "vKill;1"), "OK");
    end(&s, EXIT_USER);
}

/* The kernel reads memory written by gdb. */
static void test_writes(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=simt");
    char before[64];
    assert_string_equal(answer(&s, "M60000000,4:01000000"), "OK");
    assert_string_equal(answer(&s, "m60000000,c"), "010000000000000000000000");
    strcpy(before, answer(&s, "p5"));
    assert_string_equal(answer(&s, "P5=78563412"), "OK");
    assert_string_equal(answer(&s, "p5"), "78563412");
    char *text = spawn_text("P5=%s", before);
    assert_string_equal(answer(&s, text), "OK");
    free(text);
    assert_string_equal(answer(&s, "Pf=00000000"), "E01"); /* the PC cannot be changed */
    assert_string_equal(answer(&s, "M00010000,4:00000000"), "E01");
    assert_string_equal(answer(&s, "m00000000,4"), "E0e");
    assert_begins(answer(&s, "vCont;c"), "W01");
    end(&s, 1);
}

/* A fault is a signal, before the run ends. */
static void test_fault(void **state) {
    (void)state;
    struct session s = client_of("out_of_bounds", "far", "--mode=simt");
    assert_begins(answer(&s, "vCont;c"), "T0bthread:6;"); /* work-item 37, the fifth of its work-group */
    assert_begins(answer(&s, "vCont;c"), "W78");          /* 120 */
    end(&s, EXIT_PROGRAM_FAULT);
}

/* Memory of an SM: a store of this step is in its log. A fault is reported. */
static void test_gpu_like_memory(void **state) {
    (void)state;
    struct session s = client_of("out_of_bounds", "far", "--config=gtx285-like");
    assert_string_equal(answer(&s, "m00000000,4"), "E0e");
    assert_string_equal(answer(&s, "M60000000,4:78563412"), "OK");
    assert_string_equal(answer(&s, "m60000000,4"), "78563412");
    assert_begins(answer(&s, "vCont;c"), "T0bthread:");
    assert_begins(answer(&s, "bs"), "T05thread:");
    assert_null(strstr(s.packet, "replaylog"));
    assert_non_null(strstr(answer(&s, "vCont;c"), ";replaylog:end;"));
    assert_begins(answer(&s, "vCont;c"), "W78");
    end(&s, EXIT_PROGRAM_FAULT);
}

/* From a fault back to the instruction before, and to the fault again. The past cannot be written. */
static void test_reverse_from_fault(void **state) {
    (void)state;
    struct session s = client_of("out_of_bounds", "far", "--mode=simt");
    char fault[256], stop[256];
    assert_non_null(strstr(answer(&s, "qSupported"), "ReverseStep+;ReverseContinue+"));
    strcpy(fault, answer(&s, "vCont;c"));
    assert_begins(fault, "T0bthread:6;");
    assert_begins(answer(&s, "bs"), "T05thread:6;");
    assert_null(strstr(s.packet, "replaylog"));
    assert_non_null(strstr(strcpy(stop, s.packet), ";f:"));
    assert_string_not_equal(strstr(stop, ";f:"), strstr(fault, ";f:"));
    assert_string_equal(answer(&s, "M60000000,4:01000000"), "E01");
    assert_string_equal(answer(&s, "P5=78563412"), "E01");
    assert_string_equal(answer(&s, "bs1"), "E01");
    assert_begins(answer(&s, "vCont;s:6"), "T05thread:6;");
    assert_string_equal(strstr(s.packet, ";f:"), strstr(fault, ";f:"));
    assert_non_null(strstr(answer(&s, "bc"), ";replaylog:begin;"));
    assert_non_null(strstr(answer(&s, "bs"), ";replaylog:begin;"));
    assert_non_null(strstr(answer(&s, "vCont;c"), ";replaylog:end;"));
    assert_begins(answer(&s, "vCont;c"), "W78");
    end(&s, EXIT_PROGRAM_FAULT);
}

/* History begins after a write of gdb. */
static void test_reverse_to_write(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=simt");
    char pc[64];
    for (unsigned n = 0; n < 5; n++) strcpy(pc, answer(&s, "vCont;s:1"));
    assert_begins(pc, "T05thread:1;");
    assert_string_equal(answer(&s, "M60000000,4:00000000"), "OK");
    for (unsigned n = 0; n < 2; n++) assert_begins(answer(&s, "vCont;s:1"), "T05thread:1;");
    assert_string_not_equal(answer(&s, "bs"), pc);
    assert_string_equal(answer(&s, "bs"), pc);
    char *begin = spawn_text("%sreplaylog:begin;", pc);
    assert_string_equal(answer(&s, "bs"), begin);
    free(begin);
    ask(&s, "k"); /* kills the run in the past */
    end(&s, EXIT_USER);
}

/* The newest of several copies is near; the oldest has all of history. */
static void test_reverse_in_long_run(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=simt");
    char present[64], first[64];
    strcpy(first, answer(&s, "?"));
    ask(&s, "vCont;c");
    usleep(2500000);
    put(&s, "\003", 1);
    assert_begins(packet(&s), "T02thread:"); /* thread of either warp */
    assert_begins(answer(&s, "vCont;s:1"), "T05thread:1;");
    strcpy(present, strstr(s.packet, "thread:"));
    assert_begins(answer(&s, "bs"), "T05thread:");
    assert_null(strstr(s.packet, "replaylog"));
    char *step = spawn_text("vCont;s:%x", (unsigned)strtoul(present + strlen("thread:"), NULL, 16));
    assert_begins(answer(&s, step), "T05thread:");
    assert_string_equal(strstr(s.packet, "thread:"), present);
    assert_non_null(strstr(answer(&s, "bc"), strstr(first, ";f:")));
    free(step);
    assert_non_null(strstr(s.packet, ";replaylog:begin;"));
    ask(&s, "k");
    end(&s, EXIT_USER);
}

/* gdb detaches or disconnects in the past: the run continues from the present. */
static void test_leaves_in_past(void **state) {
    (void)state;
    for (unsigned hangs_up = 0; hangs_up < 2; hangs_up++) {
        struct session s = client_of("vector_add", NULL, "--mode=mimd");
        for (unsigned n = 0; n < 5; n++) assert_begins(answer(&s, "vCont;s:1"), "T05thread:1;");
        assert_begins(answer(&s, "bs"), "T05thread:1;");
        if (!hangs_up) assert_string_equal(answer(&s, "D"), "OK");
        end(&s, 0);
    }
}

/* The run ends while gdb is in the past. */
static void test_interrupted_in_past(void **state) {
    (void)state;
    struct session s = client_of("endless", NULL, "--mode=simt");
    for (unsigned n = 0; n < 5; n++) assert_begins(answer(&s, "vCont;s:1"), "T05thread:1;");
    assert_begins(answer(&s, "bs"), "T05thread:1;");
    kill(s.run.pid, SIGINT);
    spawn_finish(&s.run);
    assert_status(&s.run, EXIT_USER);
    spawn_free(&s.run);
    close(s.fd);
}

/* Kinds of runs that no copy can repeat. */
static void test_not_reverse(void **state) {
    (void)state;
    char *program = fixture_host("vector_add"), *trace = fixture_path("gdb.fst");
    struct session s =
        begin((char *[]){fixture_command, "run", "--quiet", "--gdb", "--trace", trace, "--", program, NULL});
    s.fd = connect_to(s.port);
    assert_null(strstr(answer(&s, "qSupported"), "Reverse"));
    assert_string_equal(answer(&s, "bs"), "");
    assert_string_equal(answer(&s, "D"), "OK");
    end(&s, 0);
    free(trace);
    free(program);
}

/* A launch of another image is reported. */
static void test_exec(void **state) {
    (void)state;
    struct session s = client_of("two_programs_kernels", NULL, "--mode=simt");
    bool found = false;
    for (unsigned n = 0; n < 10 && !found && answer(&s, "vCont;c")[0] == 'T'; n++)
        found = strstr(s.packet, "exec:2f6c6f636b737465702f696d616765322e656c66;") != NULL;
    assert_true(found);
    assert_begins(answer(&s, "vFile:open:2f6c6f636b737465702f696d616765322e656c66,0,0"), "F2");
    assert_begins(answer(&s, "vFile:pread:2,4,0"), "F4;\177ELF");
    assert_begins(answer(&s, "vFile:open:2f6574632f706173737764,0,0"), "F-1");
    assert_string_equal(answer(&s, "D"), "OK");
    end(&s, 0);
}

static void test_client_hangs_up(void **state) {
    (void)state;
    struct session s = client_of("vector_add", NULL, "--mode=simt");
    assert_begins(answer(&s, "?"), "T05");
    assert_int_equal(connect_to(s.port), -1); /* a second client */
    end(&s, 0);
}

/* --- bad input --- */

static void test_bad_packets(void **state) {
    (void)state;
    struct session s = client_of("vector_add", NULL, "--mode=simt");
    static const char *const bad[] = {
        "",
        "g1",
        "G",
        "G00",
        "p",
        "pffff",
        "p10",
        "P",
        "P1",
        "P1=",
        "P1=zz",
        "P99=0",
        "m",
        "m0",
        "m0,",
        "m,4",
        "M0",
        "M60000000,4:0",
        "M60000000,4:zz",
        "M60000000,ffffffff:00",
        "X60000000,4:a",
        "H",
        "Hg",
        "Hgzz",
        "Hgffffffff",
        "T",
        "Tffffffff",
        "Z",
        "Z0",
        "Z0,",
        "Z9,0,4",
        "Z0,10000,0",
        "Z2,ffffffffff,4",
        "z",
        "v",
        "vCont",
        "vFile:",
        "vFile:open:",
        "vFile:open:zz,0,0",
        "vFile:pread:",
        "vFile:pread:9,4,0",
        "vFile:fstat:0",
        "qXfer:",
        "qXfer:features:read:",
        "qXfer:features:read:target.xml:",
        "qXfer:features:read:target.xml:ffffffff,4",
        "qXfer:threads:read::zz",
        "qXfer:exec-file:read:",

        "qRcmd,zz",
        "qRcmd,6",
        "Qx",
        "vCont;x",
        "vCont;s:zz",
        "vCont;r1",
        "vCont;rz,z",
        "!",
        "?1",
        "A",
        "b",
        "bx",
        "bcc",
    };
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) answer(&s, bad[n]);
    assert_begins(answer(&s, "p0"), s.packet);
    put(&s, "+$p0#00", 7); /* a wrong checksum */
    int c;
    while ((c = next_byte(&s)) == '+') continue;
    assert_int_equal(c, '-');
    put(&s, "$p0#zz", 6);
    assert_int_equal(next_byte(&s), '-');
    char *huge = malloc(100001);
    memset(huge, 'm', 100000);
    huge[100000] = '\0';
    assert_string_equal(answer(&s, huge), "E16");
    assert_string_equal(answer(&s, "QStartNoAckMode"), "OK");
    assert_begins(answer(&s, "?"), "T05");
    free(huge);
    assert_string_equal(answer(&s, "D"), "OK");
    end(&s, 0);
}

/* Random packets and invalid bytes: some resume or write memory of the kernel, but none crashes. */
static void test_random_packets(void **state) {
    (void)state;
    static const char letters[] = "gGpPmMXHTZzvqQ?s0123456789abcdef,;:=-#$}*\003+ContFilereadXfer";
    struct seed seed = seed_start();
    for (unsigned run = 0; run < 4; run++) {
        struct session s = client_of("vector_add", NULL, "--mode=simt");
        bool open = true;
        for (unsigned n = 0; n < 3000 && open; n++) {
            char text[72], taken[4096];
            const unsigned size = seed_below(&seed, 40);
            unsigned char sum = 0;
            for (unsigned k = 0; k < size; k++) {
                text[k + 1] = letters[seed_below(&seed, sizeof letters - 1)];
                sum = (unsigned char)(sum + (unsigned char)text[k + 1]);
            }
            text[0] = '$';
            const unsigned end = seed_below(&seed, 4) ? (unsigned)sprintf(text + size + 1, "#%02x", sum) : 0;
            open = send(s.fd, text, size + 1 + end, MSG_NOSIGNAL) > 0;
            while (recv(s.fd, taken, sizeof taken, MSG_DONTWAIT) > 0) continue;
        }
        close(s.fd);
        spawn_finish(&s.run);
        if (s.run.status != 1 && s.run.status != EXIT_PROGRAM_FAULT) assert_status(&s.run, 0);
        spawn_free(&s.run);
    }
}

static void assert_refused(struct spawned s, const char *part) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part);
    spawn_free(&s);
}

static void test_bad_options(void **state) {
    (void)state;
    static char *const ports[] = {"--gdb=0", "--gdb=65536", "--gdb=-1",
                                  "--gdb=",  "--gdb=12x",   "--gdb=99999999999999999999"};
    char *program = fixture_host("vector_add");
    for (unsigned n = 0; n < sizeof ports / sizeof *ports; n++)
        assert_refused(LOCKSTEP("run", ports[n], "--", program),
                       "a port of this computer is needed, 1 to 65535");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    char *taken = spawn_text("--gdb=%u", ntohs(address.sin_port));
    assert_refused(LOCKSTEP("run", taken, "--", program), "Address already in use");
    assert_refused(LOCKSTEP("run", "--gdb", "--set", "simt.mitigation=alt", "--", program),
                   "not with simt.mitigation alt");
    assert_refused(LOCKSTEP("run", "--gdb", "--config", "gtx285-like", "--threads", "2", "--", program),
                   "--gdb debugs one host thread");
    assert_refused(LOCKSTEP("run", "--gdb", "--inject", "alu=1", "--", program), "--inject repeats it");
    close(fd);
    free(taken);
    free(program);
}

/* Locals and private arrays, on machines of every kind. Element i is in[37 + i], (37 + i) · 7 mod 31.
 * Work-item 37 counts the elements above element 5 first, which is 15: 1, 2, 6, 7, 10, 11, 14, 15. Their sum
 * is 66, so that element 2 changes by 0; in round 1, element 6 is compared with, and element 3 gets 1 more.
 */
static void test_arrays(void **state) {
    (void)state;
    char *dwf = fixture_file("dwf.yaml", "extends: fermi-like\nsimt:\n  divergence: dwf\n", 0644);
    char *const machines[] = {"dual-mode-4", "gtx285-like", "fermi-like", "gt640-gcn", dwf};
    for (unsigned n = 0; n < sizeof machines / sizeof *machines; n++) {
        struct spawned g = session_of("arrays.cl", "--config", machines[n], "arrays.gdb");
        static const char *const parts[] = {
            "lane 5 of work-group (0,0,0)\" hit Breakpoint 1, k (out=0x60000000",
            "$1 = 37\n$2 = {11, 18, 25, 1, 8, 15, 22, 29, 5, 12, 19, 26, 2, 9, 16, 23}\n$3 = 1\n",
            "$5 = 0\n$6 = {14, 21, 28, 4}\n",
            "  program1.cl:9  ",
            "hit Hardware watchpoint 2: -location table[3]\n\nOld value = 1\nNew value = 2\n",
            "hit Hardware watchpoint 2: -location table[3]\n\nOld value = 2\nNew value = 1\n",
            "[Inferior 1 (Remote target) exited normally]",
        };
        assert_parts(&g, parts, sizeof parts / sizeof *parts);
        spawn_free(&g);
    }
    free(dwf);
}

/* A breakpoint in the second work-group. Element i is in[101 + i], modulo 128. */
static void test_second_group(void **state) {
    (void)state;
    struct spawned g = session_of("arrays.cl", "--mode", "simt", "later.gdb");
    static const char *const parts[] = {
        "\"item (101,0,0) warp 1 lane 5 of work-group (1,0,0)\" hit Breakpoint 1, k (out=0x60000000",
        "$1 = 101\n$2 = {25, 1, 8, 15, 22, 29, 5, 12, 19, 26, 2, 9, 16, 23, 30, 6}\n",
        "$3 = 1\n",
        "hit Hardware watchpoint 2: -location tile[37]\n\nOld value = ",
        "[Inferior 1 (Remote target) exited normally]",
    };
    assert_parts(&g, parts, sizeof parts / sizeof *parts);
    spawn_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_simt),
        TEST(test_mimd),
        TEST(test_gpu_like),
        TEST(test_arrays),
        TEST(test_second_group),
        TEST(test_gpu_like_memory),
        TEST(test_reverse_simt),
        TEST(test_reverse_mimd),
        TEST(test_reverse_from_fault),
        TEST(test_reverse_to_write),
        TEST(test_reverse_in_long_run),
        TEST(test_leaves_in_past),
        TEST(test_interrupted_in_past),
        TEST(test_not_reverse),
        TEST(test_interrupt_and_kill),
        TEST(test_mimd_interrupt),
        TEST(test_writes),
        TEST(test_fault),
        TEST(test_exec),
        TEST(test_client_hangs_up),
        TEST(test_bad_packets),
        TEST(test_random_packets),
        TEST(test_bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
