/* `make install` and `make uninstall`; and what was installed, with nothing else of ours: commands, OpenCL
 * driver, headers, library, pkg-config, SystemVerilog, and the examples of benches, which see it when a
 * design is wrong. */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *root;   /* what is installed: DESTDIR, */
static char *prefix; /* and the folder below it that PREFIX names */

/* The command's output; it must succeed. */
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

/* The test runs below `make`, whose flags are not for this one. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL make -s -C %s"

/* PREFIX=/opt/lockstep, moved to a root by DESTDIR: paths inside must be relative. */
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
    SHELL("s=0; %s/bin/lockstep figures uniform 2>err || s=$?; test $s = 125 && "
          "grep -q 'benchmarks/n_queens is missing: an installation has no benchmarks' err",
          prefix);
    SHELL("%s/bin/lockstep cc --emit=asm %s/share/lockstep/examples/powers.cl | grep -q powers", prefix,
          prefix);
    free(program);
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
    SHELL("cd %s/include/lockstep && find . -name '*.h' | sed 's|^./||' >$OLDPWD/headers && cd $OLDPWD && "
          "test $(wc -l <headers) -gt 40 && "
          "while read h; do printf '#include <%%s>\\n' $h >one.c; "
          "gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags lockstep) one.c; done "
          "<headers",
          prefix);
    SHELL("! grep -rnE '#include \"(tests|lockstep)/' %s/include", prefix);
}

/* Nothing of what the library is made of: FST, LZ4; nothing whose name no header says. */
static void names_are_those_of_the_headers(void **state) {
    (void)state;
    SHELL("nm -D --defined-only %s/lib/liblockstep.so | awk '{print $3}' | sort >names && test $(wc -l "
          "<names) -gt 300 && "
          "! grep -E '^(fst|LZ4|fastlz|Jenkins|_)' names && grep -v '_dpi_' names >plain && "
          "cat $(find %s/include -name '*.h') | grep -oE '[A-Za-z_0-9]+' | sort -u >said && "
          "comm -23 plain said >unsaid && cat unsaid && ! test -s unsaid",
          prefix, prefix);
    SHELL("readelf -d %s/lib/liblockstep.so | grep -F 'soname: [liblockstep.so.0]'", prefix);
    SHELL("grep -o 'function [a-z ]* [a-z_]*_dpi_[a-z]*' %s/share/lockstep/dpi/lockstep_dpi.sv | sed 's/.* "
          "//' | "
          "sort >imported && test $(wc -l <imported) -gt 30 && "
          "nm -D --defined-only %s/lib/liblockstep.so | awk '{print $3}' | sort | comm -13 - imported "
          ">missing && "
          "! test -s missing",
          prefix, prefix);
}

/* One for each block of rtl/, less the whole co-processor, what clusters share, and those of GPU-like
 * machines alone. */
static void modules_are_clean(void **state) {
    (void)state;
    SHELL("cd %s/lib/lockstep/rtl && ls *.sv | sed 's/.sv$//' | grep -vx -e simt_coprocessor -e "
          "exclusive_monitor -e "
          "work_group_dispatcher -e snoop_directory -e coalescer -e "
          "bank_conflict_resolver -e dram_scheduler -e round_compactor -e lane_scheduler -e "
          "local_memory_arbiter -e miss_registers -e scalar_scheduler -e scoreboard -e re_convergence_stack "
          "-e subwarp_packer -e warp_lookup -e "
          "warp_formation_table -e re_convergence_barriers -e second_level -e harp_scheduler "
          ">$OLDPWD/blocks && "
          "cd $OLDPWD && test -s "
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
    /* The first thread of the lowest level instead of the highest. */
    SHELL(
        "sed 's/level = 0; level < levels; ++level/level = levels; level-- > 0;/' cluster_bench.c >wrong.c "
        "&& "
        "! cmp -s wrong.c cluster_bench.c && gcc wrong.c $(pkg-config --cflags --libs lockstep) -o wrong && "
        "! ./wrong powers.img >out && grep -q '^FAIL' out && grep -q '^cycle ' out");
    SHELL("! ./bench nothing.img 2>err && grep -q 'nothing.img: No such file' err");
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
          /* Of the ready threads those with the chosen PC: now all. */
          "sed -i 's/ = ready_i\\[k\\] && .*/ = ready_i[k];/' my_arbiter.sv && "
          "verilate arbiter_bench " DPI "/warp_pc_arbiter_model.sv my_arbiter.sv arbiter_bench.sv && "
          "! o/Varbiter_bench >out 2>&1 && grep -q 'FAIL: cycle' out");
    /* Blocks with flip-flops: our Verilog beside the models, and a change of it. */
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
        TEST(programs_find_the_driver),
        TEST(each_header_stands_alone),
        TEST(names_are_those_of_the_headers),
        TEST(modules_are_clean),
        TEST(a_bench_in_c),
        TEST(the_example_of_the_documentation),
        TEST(benches_in_systemverilog),
        TEST(all_is_removed_again),
        TEST(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, install, remove_all);
}
