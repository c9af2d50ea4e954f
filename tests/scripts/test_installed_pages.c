/* The commands and programs of docs/library.md, and those of the README for own programs and machines, run
 * from an installation in an empty folder. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <sys/stat.h>

static char *root;

static void shell(const char *folder, char *command) {
    struct spawned s = spawn(folder, (char *[]){"bash", "-ec", command, NULL});
    if (s.status) fail_msg("'%s' ends with %d:\n%s\n%s", command, s.status, s.out, s.err);
    spawn_free(&s);
    free(command);
}

/* Each test begins with this: block TEXT prints the block of the page that contains TEXT, which must be one;
 * run TEXT runs it. */
#define PAGE                                                                                                 \
    "page=%s/docs/library.md\n"                                                                              \
    "block() { awk -v part=\"$1\" 'substr($0, 1, 3) == \"```\" { if (open && index(text, part)) "            \
    "{ printf \"%%s\", text; ++found } open = !open; text = \"\"; next } open { text = text $0 \"\\n\" } "   \
    "END { if (found != 1) print found + 0 \" blocks with \" part >\"/dev/stderr\"; exit found != 1 }' "     \
    "$page; }\n"                                                                                             \
    "run() { block \"$1\" >commands; . ./commands; }\n"
#define EXAMPLES "run 'cp $(pkg-config'\nlockstep-cc -o powers.img powers.cl\n"
#define RUN(text)                                                                                            \
    do {                                                                                                     \
        char *page_ = spawn_text(PAGE, spawn_source());                                                      \
        shell(fixture_folder, spawn_text("%s%s", page_, text));                                              \
        free(page_);                                                                                         \
    } while (0)

static void set(const char *name, const char *value, const char *rest) {
    char *path = spawn_text("%s/opt/lockstep/%s%s", root, value, rest);
    setenv(name, path, 1);
    free(path);
}

static int install(void **state) {
    (void)state;
    const char *path = getenv("PATH");
    char *rest = spawn_text(":%s", path ? path : "");
    root = spawn_folder();
    shell("/", spawn_text(
                   "env -u MAKEFLAGS -u MAKELEVEL make -s -C %s install B=%s PREFIX=/opt/lockstep DESTDIR=%s",
                   spawn_source(), spawn_build(), root));
    set("PATH", "bin", rest);
    set("PKG_CONFIG_PATH", "lib/pkgconfig", "");
    set("LD_LIBRARY_PATH", "lib", "");
    set("PYTHONPATH", "lib/python3/dist-packages", "");
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    spawn_limit_seconds = 500;
    free(rest);
    return 0;
}

static int remove_all(void **state) {
    (void)state;
    spawn_remove_folder(root);
    return 0;
}

static void the_first_example(void **state) {
    (void)state;
    RUN("block '#include <lockstep.h>' >my_bench.c\n"
        "test \"$(run 'gcc my_bench.c')\" = '0 1 3 0 '");
}

static void benches_in_c_and_cpp(void **state) {
    (void)state;
    RUN(EXAMPLES "run 'gcc cluster_bench.c' >out\n"
                 "test $(grep -c ^PASS out) = 2");
}

static void benches_in_systemverilog(void **state) {
    (void)state;
    RUN(EXAMPLES "run '--top-module arbiter_bench' >out\n"
                 "test $(grep -c ^PASS out) = 2\n"
                 "run 'LD_PRELOAD' >out\n"
                 "grep -q '^scoreboard: ' out");
}

static void python(void **state) {
    (void)state;
    RUN(EXAMPLES "block 'lockstep.build(' >one.py\n"
                 "block 'machine.launch(' | sed 's/^/    /' >>one.py\n"
                 "python3 one.py | grep -qE '^[0-9.]+ [1-9][0-9]* [1-9][0-9]*$'\n"
                 "{ echo import lockstep; block 'async def stimulus'; } >two.py\n"
                 "python3 two.py >out\n"
                 "test $(wc -l <out) = 3\n"
                 "run 'python3 scheduler_bench.py' | grep -q '^PASS'");
}

static void a_platform(void **state) {
    (void)state;
    struct stat header;
    if (stat("/usr/include/systemc", &header) != 0) {
        print_message("no SystemC: scripts/setup --with systemc\n");
        skip();
    }
    RUN(EXAMPLES "run 'g++ -std=c++17 platform.cc' | grep -q '^PASS'");
}

/* The page shows what is printed. Only registers, addresses and lines depend on the compiler. */
#define PLAIN                                                                                                \
    "plain() { sed -E 's/^lockstep: //; s/0x[0-9a-f]+/N/g; s/\\br[0-9]+|sp/r/g; s/[#:][0-9]+/N/g; "          \
    "s/\\b[0-9]+ instructions/N/; s/ +/ /g; s/^ (N (ldr|str)).*/ \\1/; s/with .*/with/'; }\n"                \
    "shows() { block \"kernel 'bfs' differs\" | plain | sort >page.lines; plain <$1 | sort >own.lines; "     \
    "comm -23 page.lines own.lines >missing; ! test -s missing || { cat missing own.lines; return 1; }; }\n"

static void designs_that_commit(void **state) {
    (void)state;
    RUN(EXAMPLES PLAIN "! run '--top-module commit_bench' >out 2>&1\n"
                       "shows out\n"
                       "obj_dir/Vcommit_bench +program=\"$benchmarks/bfs --nodes 256\" | grep -q '^PASS'\n"
                       "! run 'commit_bench.py --mistake' >out 2>&1\n"
                       "shows out\n"
                       "printf '#!/bin/sh\\nexec \"%s/bfs\" --nodes 32\\n' \"$benchmarks\" >my_program\n"
                       "chmod +x my_program\n"
                       "{ printf 'import lockstep\\nfrom commit_bench import Core\\n'; "
                       "block 'for checker in program.launches'; } >mine.py\n"
                       "python3 mine.py | grep -q '^bfs: PASS'");
}

/* Paths of the source are those of library.md §2 in an installation. */
static void the_readme_for_own_programs_and_machines(void **state) {
    (void)state;
    char *commands = spawn_text(
        "s=%s/opt/lockstep/share/lockstep\n"
        "ln -s $s/configs $s/benchmarks .\n"
        "sed -n '/^## Your own program/,/^## Validation/s/^[$] //p' %s/README.md | "
        "sed \"s|build/benchmarks/|%s/opt/lockstep/lib/lockstep/bin/benchmarks/|; s|^build/||\" >commands\n"
        "test $(wc -l <commands) -ge 8\n"
        "while read -r c; do bash -ec \"$c\" >out 2>&1 </dev/null || { echo \"$c\"; cat out; exit 1; }; "
        "done <commands",
        root, spawn_source(), root);
    shell(fixture_folder, commands);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_first_example),
        TEST(benches_in_c_and_cpp),
        TEST(benches_in_systemverilog),
        TEST(python),
        TEST(a_platform),
        TEST(designs_that_commit),
        TEST(the_readme_for_own_programs_and_machines),
    };
    return cmocka_run_group_tests(tests, install, remove_all);
}
