/* `make install` and `make uninstall`; and the installed files, without anything else of ours: commands,
 * OpenCL driver, headers, library, pkg-config, SystemVerilog, and the examples of benches, which detect a
 * wrong design. */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *root;   /* root of the installation (DESTDIR) */
static char *prefix; /* folder below `root` (PREFIX) */

/* Returns the command's output; it must succeed. */
static char *shell(const char *folder, const char *command) {
    struct spawned s = spawn(folder, (char *[]){"bash", "-ec", (char *)(uintptr_t)command, NULL});
    if (s.status) fail_msg("'%s' ends with %d:\n%s\n%s", command, s.status, s.out, s.err);
    char *out = strdup(s.out);
    spawn_free(&s);
    return out;
}

#define SHELL(...)                                                                                           \
    do {                                                                                                     \
        char *command_ = spawn_text(__VA_ARGS__);                                                            \
        free(shell(fixture_folder ? fixture_folder : "/", command_));                                        \
        free(command_);                                                                                      \
    } while (0)

/* The test runs below `make`, whose flags must not reach the inner one. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL make -s -C %s"

/* PREFIX=/opt/lockstep, moved to a root by DESTDIR: paths in files must be relative. */
static int install(void **state) {
    (void)state;
    root = spawn_folder();
    prefix = spawn_text("%s/opt/lockstep", root);
    SHELL(MAKE " install B=%s PREFIX=/opt/lockstep DESTDIR=%s", spawn_source(), spawn_build(), root);
    char *path = spawn_text("%s/lib/pkgconfig", prefix);
    setenv("PKG_CONFIG_PATH", path, 1);
    free(path);
    path = spawn_text("%s/lib", prefix);
    setenv("LD_LIBRARY_PATH", path, 1);
    free(path);
    return 0;
}

static int remove_all(void **state) {
    (void)state;
    spawn_remove_folder(root);
    free(prefix);
    return 0;
}

/* --- commands and driver --- */

static void commands_work(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    SHELL("test $(readlink -f %s/bin/lockstep) = $(readlink -f %s)/lib/lockstep/bin/lockstep", prefix,
          prefix);
    SHELL("%s/bin/lockstep run --rtl check --config %s/share/lockstep/configs/dual-mode-32x2.yaml -- %s "
          "2>err | grep PASS && grep -q 'warp_scheduler' err",
          prefix, prefix, program);
    SHELL("%s/bin/lockstep run --rtl warp_pc_arbiter=replace:"
          "%s/lib/lockstep/rtl/examples/round_robin_arbiter.sv,round_robin_arbiter -- %s | grep PASS",
          prefix, prefix, program);
    SHELL(
        "for b in warp_scheduler warp_pc_arbiter barrier_table tpo_address; do %s/bin/lockstep rtl-template "
        "$b >$b.sv; "
        "%s/lockstep rtl-template $b | cmp - $b.sv; done; ! grep -q \"assign .* = '0\" warp_scheduler.sv && "
        "grep -q \"assign .* = '0\" tpo_address.sv",
        prefix, spawn_build());
    SHELL("t=%s/lib/lockstep/rtl/templates && mv $t $t.gone && ! %s/bin/lockstep rtl-template warp_scheduler "
          ">out 2>err; "
          "s=$?; mv $t.gone $t; test $s = 0 && ! test -s out && grep -q "
          "'templates/warp_scheduler.svh: the template cannot be read: build or install Lockstep again' err",
          prefix, prefix);
    SHELL("l=$(readlink -f %s)/lib/lockstep/bin/benchmarks && mv $l/n_queens n_queens && s=0 && "
          "%s/bin/lockstep figures uniform 2>err || s=$?; mv n_queens $l; test $s = 125 && "
          "grep -q 'benchmarks/n_queens is missing: benchmarks lie beside the command' err",
          prefix, prefix);
    SHELL("%s/bin/lockstep cc --emit=asm %s/share/lockstep/examples/powers.cl | grep -q powers", prefix,
          prefix);
    free(program);
}

/* Programs, their kernels and their data; results go to the current folder. */
static void benchmarks_run(void **state) {
    (void)state;
    SHELL("%s/bin/lockstep run -- %s/lib/lockstep/bin/benchmarks/reduction 2>err | grep PASS", prefix,
          prefix);
    SHELL("%s/bin/lockstep figures uniform --figure 2 --benchmark vector_add --quiet >out && "
          "grep -q vector_add out && test -f figures/uniform.json",
          prefix);
    SHELL(
        "cd %s/share/lockstep && test $(ls benchmarks/*/*.cl | wc -l) -gt 50 && test -f benchmarks/host.c && "
        "test -f waves/warps.gtkw && grep -q ' /opt/lockstep/lib/lockstep/bin/benchmarks/reduction' "
        "configs/explorations/cycles.yaml && ! grep -r build/ configs",
        prefix);
}

static void pages_are_installed(void **state) {
    (void)state;
    SHELL(
        "cd %s/share/doc/lockstep && cmp LICENSE %s/LICENSE && test -f docs/rtl.md && "
        /* Each link of README.md, except links to the benchmarks and Verilog, which have their own places. */
        "grep -oE '\\]\\([a-z][^)#:]*' README.md docs/README.md | sed 's/.*(//' | grep -vE 'benchmarks/' | "
        "sort -u | "
        "while read -r f; do test -e $f || test -e docs/$f; done",
        prefix, spawn_source());
    SHELL("cd %s/share && test -f man/man1/lockstep.1 && test -f man/man1/lockstep-cc.1 && "
          "test -f zsh/site-functions/_lockstep && . bash-completion/completions/lockstep-cc && "
          "COMP_LINE='lockstep run --trace-f' && COMP_POINT=${#COMP_LINE} && _lockstep && "
          "test \"${COMPREPLY[*]}\" = --trace-flush=",
          prefix);
}

/* debian/copyright names the holders of the code that is built in, of each file under the path that it has.
 */
static void built_in_code_has_its_notice(void **state) {
    (void)state;
    SHELL("cd %s/device && ls libm/*/*.bc classic/*.bc >$OLDPWD/built && cd $OLDPWD && test $(wc -l <built) "
          "-gt 80 && "
          "tr -d '\\n' <%s/debian/copyright | grep -oE 'Files: [^:]*Copyright: "
          "[^:]*License' >rows && "
          "while read -r f; do c=$(echo $f | sed 's|^classic|libm/math|; s|bc$|c|'); "
          "h=$(grep -m1 -oE 'Copyright.*(Sun|Arm Ltd|Red Hat)' %s/device/newlib/newlib/$c | grep -oE "
          "'Sun|Arm Ltd|Red Hat' || echo Sun); "
          "own=; while read -r row; do p=$(echo \"$row\" | sed 's/^Files: //; s/Copyright:.*//'); set -f; "
          "for g in $p; do case build/device/$f in $g) own=$row;; esac; done; set +f; done <rows; "
          "echo \"$own\" | grep -q \"$h\" || { echo $f: $h; exit 1; }; done <built",
          spawn_build(), spawn_source(), spawn_build());
}

static void a_bench_in_python(void **state) {
    (void)state;
    SHELL("cp %s/share/lockstep/examples/* . && export PYTHONPATH=%s/lib/python3/dist-packages "
          "PYTHONDONTWRITEBYTECODE=1 && /usr/bin/python3 scheduler_bench.py powers.cl >out && "
          "grep -qx 'PASS: 1000 cycles' out && grep -q 'cycles, .* 0 wrong' out && "
          "sed 's/range(1, WARPS + 1)/range(WARPS)/' scheduler_bench.py >wrong.py && "
          "! /usr/bin/python3 wrong.py 2>err && grep -q 'FAIL: cycle' err",
          prefix, prefix);
}

/* The same with a core in Python, whose mistake is also reduced. */
static void a_design_in_python_that_commits(void **state) {
    (void)state;
    SHELL("cp %s/share/lockstep/examples/commit_bench.py . && "
          "export PYTHONPATH=%s/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 && "
          "b=%s/lib/lockstep/bin/benchmarks && "
          "for p in 'bitonic_sort --log2-count 4' 'floyd_warshall --nodes 5' 'bfs --nodes 32'; do "
          "/usr/bin/python3 commit_bench.py $b/$p >out && "
          "grep -q '^PASS: [0-9]* launches, [0-9][0-9][0-9]* instructions' out && "
          "grep -q \"^${p%%%% *}: PASS\" out; done && "
          "! /usr/bin/python3 commit_bench.py --mistake $b/bfs --nodes 32 >out 2>err && "
          "grep -q \"kernel 'bfs' differs at .*:[1-9][0-9]*: core 0, work-group (0,0,0)\" out && "
          "grep -q 'made small: these 2 instructions' out && test $(grep -c '^  0x' out) = 3 && "
          "grep -q 'FAIL: launch 1 differs' err",
          prefix, prefix, prefix);
}

/* A core in SystemVerilog runs the kernels of three programs. Its mistake is found in the fourth run,
 * reported with the source line, and reduced. */
static void a_design_that_commits(void **state) {
    (void)state;
    SHELL("e=%s/share/lockstep/examples && d=$(pkg-config --variable=dpidir lockstep) && "
          "verilator --binary --top-module commit_bench $d/lockstep_dpi.sv $e/a32_core.sv $e/commit_bench.sv "
          "-MAKEFLAGS OPT_FAST=-O1 -LDFLAGS \"$(pkg-config --libs lockstep)\" >log && "
          "b=%s/lib/lockstep/bin/benchmarks && "
          "for p in 'bitonic_sort --log2-count 5' 'floyd_warshall --nodes 10' 'bfs --nodes 256'; do "
          "obj_dir/Vcommit_bench +program=\"$b/$p\" >out && "
          "grep -q '^PASS: [0-9]* launches, [0-9][0-9][0-9]* instructions in' out && "
          "grep -q \"^${p%%%% *}: PASS\" out; done && "
          "! obj_dir/Vcommit_bench +program=\"$b/bfs --nodes 256\" +mistake >out 2>err && "
          "grep -q \"kernel 'bfs' differs at .*:[1-9][0-9]*: core 0, work-group (0,0,0)\" err && "
          "grep -q 'made small: these 2 instructions' out && test $(grep -c '^  0x' out) = 2 && "
          "grep -q '^  with r[0-9]* = 0x' out && grep -q 'FAIL: launch 1 differs' out err",
          prefix, prefix);
}

/* A kernel in a SystemC platform, with memory outside, takes the cycles of a plain machine, and accesses its
 * data by DMI or transactions. The header has a module for each block. */
static void a_platform_in_systemc(void **state) {
    (void)state;
    struct stat header;
    if (stat("/usr/include/systemc", &header) != 0) {
        print_message("no SystemC: scripts/setup --with systemc\n");
        skip();
    }
    SHELL("e=%s/share/lockstep/examples && s=$(pkg-config --variable=systemcdir lockstep) && "
          "g++ -std=c++17 -O0 -Wall -Wextra -Werror $e/platform.cc "
          "$(pkg-config --cflags --libs lockstep) -I$s -lsystemc -o platform && "
          "test $(grep -c '^class .* : public sc_core::sc_module' $s/lockstep_blocks.h) = $(ls %s/rtl/*.sv | "
          "wc -l) && "
          "%s/bin/lockstep-cc -o powers.img $e/powers.cl && "
          "./platform powers.img >direct 2>&1 && grep -q '^PASS: scheduler 1301, 0 results wrong, 0 "
          "transactions' "
          "direct && ./platform powers.img --no-dmi >copied 2>&1 && grep -q '^PASS: .* 9 transactions' "
          "copied && "
          "test $(grep -c '^launch' copied) = 3",
          prefix, spawn_source(), prefix);
}

/* Eight kernels on seven machines, with and without DMI: each launch takes the same cycles in a platform and
 * on a plain machine, and leaves the same bytes. */
static void platforms_take_the_cycles_of_plain_machines(void **state) {
    (void)state;
    struct stat header;
    if (stat("/usr/include/systemc", &header) != 0) {
        print_message("no SystemC: scripts/setup --with systemc\n");
        skip();
    }
    SHELL("s=%s/share/lockstep && c=$s/configs && "
          "g++ -std=c++17 -O0 -Wall -Wextra -Werror %s/tests/library/platform_kernels.cc "
          "$(pkg-config --cflags --libs lockstep) -I$(pkg-config --variable=systemcdir lockstep) -lsystemc "
          "-o platform_kernels && "
          "on() { k=$1; shift; test -f $k.img || %s/bin/lockstep-cc -o $k.img $s/benchmarks/$k/$k.cl; "
          "for machine in '' ':mode=mimd' ':simt.warp_size=16 simt.pc_policy=min_pc' "
          "$c/dual-mode-32x2.yaml: $c/gt640-like.yaml: $c/dual-mode-superscalar.yaml: "
          "$c/out-of-order-3.yaml:; do for memory in dmi copies; do "
          "./platform_kernels $k.img \"${machine%%%%:*}\" \"${machine#*:}\" $memory 2 \"$@\" >out 2>&1 || "
          "{ echo \"$k, '$machine', $memory\"; cat out; exit 1; }; "
          "test $(grep -c ' cycles in the platform' out) = 2; done; done; }; "
          "on vector_add vector_add 1024 64 floats:1024 floats:1024 floats:1024 uint:1000 && "
          "on reduction reduction 512 128 floats:2048 uint:2000 floats:4 local:512 && "
          "on mandelbrot mandelbrot 32x16 16x4 words:512 uint:32 uint:16 float:-2 float:-1 float:0.0625 "
          "uint:40 && "
          "on matrix_vector by_rows 64 32 floats:4096 floats:64 floats:64 uint:64 && "
          "on matrix_vector by_columns 64 32 floats:4096 floats:64 floats:64 uint:64 && "
          "on triad triad 1024 128 floats:1024 floats:1024 floats:1024 float:1.5 uint:1024 && "
          "on bitonic_sort bitonic_sort 512 64 words:1024 uint:3 uint:2 && "
          "on floyd_warshall floyd_warshall 16x16 8x8 words:256 uint:16 uint:3",
          prefix, spawn_source(), prefix);
}

/* The commands of ci.yml, with a design that is right and one that grants two threads. */
static void the_example_of_continuous_integration(void **state) {
    (void)state;
    SHELL("export PATH=%s/bin:$PATH; sed -n 's|^ *run: \\(lockstep .*\\)|\\1|p' "
          "%s/share/lockstep/examples/ci.yml | "
          "sed 's|/usr/lib|%s/lib|' >commands && "
          "test $(wc -l <commands) = 2 && "
          "sed 's/module round_robin_arbiter/module my_arbiter/' "
          "%s/lib/lockstep/rtl/examples/round_robin_arbiter.sv >mine.sv && "
          "sh -e commands >out 2>&1 && "
          "grep -q '<testsuite name=\"lockstep\" tests=\"1\" failures=\"0\" errors=\"0\"' alone.xml && "
          "grep -q 'tests=\"2\" failures=\"0\"' machine.xml && "
          "grep -q 'name=\"warp_pc_arbiter\"/>' machine.xml && "
          "sed -i 's/ = ready_i\\[k\\] && .*/ = ready_i[k];/' mine.sv && "
          "while read -r c; do s=0; sh -c \"$c\" >out 2>&1 || s=$?; test $s = 121; done <commands && "
          "grep -q 'failures=\"1\"' alone.xml && grep -q '<failure message=' machine.xml && "
          "for f in alone machine; do /usr/bin/python3 -c \"import xml.dom.minidom as m; "
          "m.parse('$f.xml')\"; done",
          prefix, prefix, prefix, prefix);
}

/* The file names the place where it was meant to be. */
static void programs_find_the_driver(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    SHELL("test $(cat %s/etc/OpenCL/vendors/lockstep.icd) = "
          "/opt/lockstep/lib/lockstep/bin/liblockstep_opencl.so",
          prefix);
    SHELL("mkdir vendors && sed 's|^|%s|' %s/etc/OpenCL/vendors/lockstep.icd >vendors/lockstep.icd && "
          "OCL_ICD_VENDORS=$PWD/vendors/ %s | grep PASS",
          root, prefix, program);
    free(program);
}

/* --- headers and library --- */

static void each_header_stands_alone(void **state) {
    (void)state;
    SHELL("cd %s/include && ls lockstep.h lockstep/*.h >$OLDPWD/headers && cd $OLDPWD && "
          "test $(wc -l <headers) = $(($(ls %s/rtl/*.sv | wc -l) + 2)) && "
          "while read h; do printf '#include <%%s>\\n' $h >one.c; cp one.c one.cc; "
          "gcc -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags lockstep) one.c; "
          "g++ -std=c++17 -pedantic -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags lockstep) "
          "one.cc; done "
          "<headers",
          prefix, spawn_source());
    SHELL("! grep -rnE '#include \"(abi|sim|model|tb|tests|runtime)/' %s/include", prefix);
}

/* The library exports no internal names, only names of headers or imports. */
static void names_are_those_of_the_headers(void **state) {
    (void)state;
    SHELL("nm -D --defined-only %s/lib/liblockstep.so | awk '$2 != \"A\" { print $3 }' | sed 's/@.*//' | "
          "sort >names && "
          "test $(wc -l <names) -gt 300 && ! grep -vE '^lockstep_|_dpi_' names && "
          "cat %s/include/lockstep.h %s/include/lockstep/*.h | grep -oE 'lockstep_[A-Za-z_0-9]+\\(' | tr -d "
          "'(' | sort -u >said && "
          "grep ^lockstep_ names | diff - said",
          prefix, prefix, prefix);
    SHELL("readelf -d %s/lib/liblockstep.so | grep -F 'soname: [liblockstep.so.0]' && "
          "readelf -V %s/lib/liblockstep.so | grep -F LOCKSTEP_0",
          prefix, prefix);
    SHELL("grep -o 'function [a-z ]* [a-z_]*_dpi_[a-z]*' %s/share/lockstep/dpi/lockstep_dpi.sv | sed 's/.* "
          "//' | "
          "sort >imported && test $(wc -l <imported) -gt 30 && "
          "nm -D --defined-only %s/lib/liblockstep.so | awk '{print $3}' | sed 's/@.*//' | sort | comm -13 - "
          "imported "
          ">missing && "
          "! test -s missing",
          prefix, prefix);
}

/* One for each block of rtl/. */
static void modules_are_clean(void **state) {
    (void)state;
    SHELL("cd %s/lib/lockstep/rtl && ls *.sv | sed 's/.sv$//' >$OLDPWD/blocks && cd $OLDPWD && test -s "
          "blocks && "
          "while read b; do verilator --lint-only -Wall --top-module ${b}_model "
          "%s/share/lockstep/dpi/lockstep_dpi.sv %s/share/lockstep/dpi/${b}_model.sv; done <blocks",
          prefix, prefix, prefix);
}

/* --- benches --- */

static void fetch_examples(void) {
    SHELL("cp %s/share/lockstep/examples/* . && %s/bin/lockstep-cc -o powers.img powers.cl", prefix, prefix);
}

static void a_bench_in_c(void **state) {
    (void)state;
    fetch_examples();
    SHELL("gcc -Wall -Wextra -Werror cluster_bench.c $(pkg-config --cflags --libs lockstep) -o bench && "
          "./bench powers.img | tee out && grep -q '^PASS: [1-9][0-9]* cycles compared, 0 differ' out");
    /* The mistake: the first thread of the lowest level instead of the highest. */
    SHELL(
        "sed 's/level = 0; level < LEVELS; ++level/level = LEVELS; level-- > 0;/' cluster_bench.c >wrong.c "
        "&& "
        "! cmp -s wrong.c cluster_bench.c && gcc wrong.c $(pkg-config --cflags --libs lockstep) -o wrong && "
        "! ./wrong powers.img >out && grep -q '^FAIL' out && grep -q '^cycle ' out");
    SHELL("! ./bench nothing.img 2>err && grep -q 'nothing.img: No such file' err");
}

static void a_bench_in_cpp(void **state) {
    (void)state;
    fetch_examples();
    SHELL("g++ -std=c++17 -Wall -Wextra -Werror scheduler_bench.cc $(pkg-config --cflags --libs lockstep) -o "
          "bench && "
          "./bench | grep -x 'PASS: 100000 cycles'");
}

static void the_example_of_the_documentation(void **state) {
    (void)state;
    SHELL("sed -n '/^```c$/,/^```$/p' %s/docs/library.md | grep -v '^```' >one.c && "
          "gcc -Wall -Wextra -Werror one.c $(pkg-config --cflags --libs lockstep) -o one && "
          "test \"$(./one)\" = \"$(sed -n 's/.* prints \\(.*\\) \\*\\/$/\\1/p' one.c) \"",
          spawn_source());
}

#define DPI "$(pkg-config --variable=dpidir lockstep)"
/* Builds a bench in the folder's o/; Verilator's own parts only the first time, since they take longest. */
#define VERILATE                                                                                             \
    "verilate() { top=$1; shift; verilator --cc --exe --main --timing --Mdir o --top-module $top "           \
    "-LDFLAGS \"$(pkg-config --libs lockstep)\" " DPI "/lockstep_dpi.sv \"$@\"; old=; "                      \
    "for part in o/verilated*.o; do test ! -f $part || old=\"$old -o ${part#o/}\"; done; "                   \
    "make -s -C o -f V$top.mk OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 $old; }; "

static void benches_in_systemverilog(void **state) {
    (void)state;
    fetch_examples();
    SHELL(VERILATE
          "verilate arbiter_bench " DPI "/warp_pc_arbiter_model.sv my_arbiter.sv arbiter_bench.sv && "
          "o/Varbiter_bench | grep '^PASS: 20000 cycles' && "
          "verilate cluster_bench my_arbiter.sv cluster_bench.sv && "
          "o/Vcluster_bench | grep '^PASS: [1-9][0-9]* cycles compared' && "
          /* The mistake: all ready threads instead of those with the chosen PC. */
          "sed -i 's/ = ready_i\\[k\\] && .*/ = ready_i[k];/' my_arbiter.sv && "
          "verilate arbiter_bench " DPI "/warp_pc_arbiter_model.sv my_arbiter.sv arbiter_bench.sv && "
          "! o/Varbiter_bench >out 2>&1 && grep -q 'FAIL: cycle' out");
    /* Blocks with flip-flops: our Verilog compared with the models, and a modified version. */
    SHELL(VERILATE
          "blocks() { verilate blocks_bench " DPI "/warp_scheduler_model.sv " DPI
          "/two_level_scheduler_model.sv " DPI
          "/barrier_table_model.sv %s/lib/lockstep/rtl/{warp,two_level}_scheduler.sv \"$@\" "
          "%s/tests/library/blocks_bench.sv; }; "
          "blocks %s/lib/lockstep/rtl/barrier_table.sv && o/Vblocks_bench | grep ^PASS && "
          "sed 's/release_q *<= opens_o;/release_q <= 1;/' %s/lib/lockstep/rtl/barrier_table.sv "
          ">barrier_table.sv && ! cmp -s barrier_table.sv %s/lib/lockstep/rtl/barrier_table.sv && "
          "blocks barrier_table.sv && ! o/Vblocks_bench >out 2>&1 && grep -q 'FAIL: barrier_table' out",
          prefix, spawn_source(), prefix, prefix, prefix);
}

/* --- installing itself --- */

static void all_is_removed_again(void **state) {
    (void)state;
    SHELL("mkdir -p other/opt/bin && touch other/opt/bin/mine && " MAKE
          " install B=%s PREFIX=/opt DESTDIR=$PWD/other && " MAKE
          " install B=%s PREFIX=/opt DESTDIR=$PWD/other && "
          "test -x other/opt/bin/lockstep-cc && " MAKE " uninstall B=%s PREFIX=/opt DESTDIR=$PWD/other && "
          "test \"$(find other ! -type d)\" = other/opt/bin/mine",
          spawn_source(), spawn_build(), spawn_source(), spawn_build(), spawn_source(), spawn_build());
}

static void mistakes_are_named(void **state) {
    (void)state;
    SHELL("! " MAKE " install B=%s PREFIX=here 2>err && grep -q 'PREFIX=here is not an absolute path' err",
          spawn_source(), spawn_build());
    SHELL("! " MAKE
          " install B=%s PREFIX=/dev/null/x 2>err && grep -q 'to install below another folder: PREFIX' err",
          spawn_source(), spawn_build());
    SHELL("! " MAKE
          " uninstall B=%s PREFIX=/opt DESTDIR=$PWD/none 2>err && grep -q 'nothing is installed' err",
          spawn_source(), spawn_build());
    SHELL("! " MAKE
          " install B=$PWD/unbuilt PREFIX=/opt DESTDIR=$PWD/none 2>err && grep -q 'run `make` first' err && "
          "! test -e unbuilt",
          spawn_source());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(commands_work),
        TEST(benchmarks_run),
        TEST(pages_are_installed),
        TEST(built_in_code_has_its_notice),
        TEST(a_bench_in_python),
        TEST(a_design_that_commits),
        TEST(a_design_in_python_that_commits),
        TEST(a_platform_in_systemc),
        TEST(platforms_take_the_cycles_of_plain_machines),
        TEST(the_example_of_continuous_integration),
        TEST(programs_find_the_driver),
        TEST(each_header_stands_alone),
        TEST(names_are_those_of_the_headers),
        TEST(modules_are_clean),
        TEST(a_bench_in_c),
        TEST(a_bench_in_cpp),
        TEST(the_example_of_the_documentation),
        TEST(benches_in_systemverilog),
        TEST(all_is_removed_again),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, install, remove_all);
}
