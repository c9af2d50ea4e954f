/* Figures 7 to 9, 13 and 15 of Yang et al., A Case for a Flexible Scalar Unit in SIMT Architecture. */
#include "lockstep/figures_words.h"

#include <limits.h>

enum {
    BASE,
    AHEAD,
    HALF,
    FOURTH,
    EIGHTH,
    FEW,
    FEW_AHEAD,
    ONE,
    ONE_AHEAD,
    FAR,
    FAR_AHEAD,
    FAR_HALF,
    FAR_FOURTH,
    FAR_EIGHTH,
    TURNS,
    REMAPPED,
    HELPED,
    GCN
};

#define NOTE_AHEAD                                                                                           \
    "Loading ahead pays where the work-items wait for memory, and on this machine few of these programs "    \
    "do: the next two figures say which, and where it does pay. What it costs: lines go to the L1D of the "  \
    "SM whose scalar thread loads them, and half of them are needed in the other (vector_add: 8,056 lines "  \
    "loaded ahead, 4,446 useful; replies take 44 % more flits, and misses find no free register in 57,000 "  \
    "cycles in place of 12,000); a work-group's slot is free when its scalar thread has ended, too; it has " \
    "a fetch only when no warp wants one. reduction and histogram are the paper's forms: a loop over the "   \
    "values of few work-groups, and bins of each work-item's own."
#define NOTE_WAITS                                                                                           \
    "fft works in local memory, discrete_cosine too, and memory_copy, vector_add and scalar_product are "    \
    "held up by the load-store unit, which takes an instruction every second cycle (a round, then its "      \
    "transaction), those that load arguments, too: memory_copy's 16,384 warps x 5 x 2 are 163,840 of its "   \
    "167,581 cycles."
#define NOTE_OTHERS                                                                                          \
    "8 groups an SM (--set cluster.groups=8): memory_copy's and discrete_cosine's warps no longer hide "     \
    "the memory. One SM (--set cluster.count=1): each line is loaded where it is needed. Memory far away "   \
    "(--set dram.pipe=571 --set l1d.mshrs=128 --set simt.fetches=2): the 64 warps of an SM copy a value "    \
    "each in 64 x 5 x 2 = 640 cycles, in the paper in less than the memory's 300, since it finds them "      \
    "waiting for it (25.9 of 40 GB/s). 750 cycles to memory set that right. 32 miss registers are 32 x 256 " \
    "bytes in 300 cycles, those 25.9 GB/s again: the paper's prefetches, which bring 19.3 % more, must "     \
    "have had more. Its scalar units fetch by themselves (section V). The distance alone brings 8.9 % in "   \
    "the mean, with the registers 18.9 %; these and the fetches without the distance, -2.4 %."
#define NOTE_FAR_CLOCKS                                                                                      \
    "As in the paper half of the clock costs some 3 points; at an eighth most lose. histogram gains most "   \
    "at "                                                                                                    \
    "a fourth: the lines of a work-group's turns, 96 x 256 bytes apart, lie in one set of the L1D, and a "   \
    "scalar thread far ahead drives out its own (of 2,080 lines 562 useful, at a fourth 2,070 of 2,070). "   \
    "With --set l1d.ways=24 it gains 43.7, 42.9, 43.0 and 25.5 %, with --groups 95 as much."
#define NOTE_ADDED                                                                                           \
    "The paper counts PTX instructions of larger inputs; ours are ARM's, of which a scalar thread "          \
    "takes 24 where PTX has 10."
#define NOTE_ENERGY                                                                                          \
    "What is saved is leakage for the time that is saved, so energies follow the first figure."
#define NOTE_MISSES                                                                                          \
    "Loads that join a miss count as misses, and stores as accesses that do not miss. The L2's rate "        \
    "falls as the paper's does where no loop loads; in loops half of the turns are skipped."
#define NOTE_CLOCKS                                                                                          \
    "A slower unit holds its work-group's slot longer: at an eighth of the clock a short work-group waits "  \
    "for its scalar thread most of the time. In reduction's loop a turn's own instructions take more than "  \
    "the 400 cycles below which it skips more: the scalar thread falls behind its work-items (half the "     \
    "clock with -lockstep-prefetch-latency=1000: 95,680 cycles in place of 137,753). matrix_vector gains "   \
    "most at half the clock, where what it loads comes when it is wanted; at the full clock most is driven " \
    "out before (of 1,374 lines 269 useful; with --set l1d.size=196608 1,165, and 39.7 % gained, at half "   \
    "the clock 31.0). The next figure is over the machine on which loading ahead pays."
#define NOTE_REMAPPED                                                                                        \
    "Who leaves a loop when is told to the scalar thread after each turn, in which the others wait for it: " \
    "a turn must be long. Segmentation's are 16 steps; the others have NAME_scalar.cl: ray_tracing's turn "  \
    "is a ray, mandelbrot's 64 steps, n_queens' 256. With short ones all lose: ray_tracing 21 % with 12 "    \
    "balls (--size 64 --balls 12), mandelbrot 7 % with 256 steps in all, which are 4 turns (--iterations "   \
    "256), n_queens 14 % with turns of 16 steps. n_queens gains least, as the paper's: of 96 work-items in " \
    "three warps, alone on an SM but for three more, each instruction waits for the one before; with "       \
    "--input large it loses 0.5 %. laplace3d parts at the grid's edge, in tiles that reach over it, and is " \
    "remapped once, by hand. 7.6 % of what it gains are the remapping's, the rest comes of what it was "     \
    "rewritten to (laplace3d_scalar.cl without its lines with lockstep_sync(1) and its scalar kernel, with " \
    "--kernel). With 50 cells a side remapping alone is -1.9 %: all 26 work-groups run at once, so that it " \
    "brings 0.1 % (each work-item computing its place itself), and waiting for the scalar thread costs 2.2 " \
    "% (places left as they are); with 80 it is 12.3 and 2.0 %."
#define NOTE_TURNS                                                                                           \
    "Without a scalar thread. n_queens' turns have no branches, so that work-items do not part in them. "    \
    "Turns with branches are 13.7 % faster by themselves, and remapped 9.3 % (--input large: 31.3 and "      \
    "8.0): "                                                                                                 \
    "then what remapping costs is more than what it brings."
#define NOTE_ACTIVE                                                                                          \
    "Idle: no instruction issues in a scheduler's cycle. As in the paper segmentation's cycles with "        \
    "few threads become cycles with 25 to 32."
#define NOTE_HELPED                                                                                          \
    "neural_network's work-groups of one work-item run on both sides (scalar.share_groups). "                \
    "stream_cluster's scalar thread brings the candidate's 16 coordinates, from its start on, since the "    \
    "kernel touches no memory before (1.4 % without that), but one after the other as the kernel's first "   \
    "work-item does, which seven other work-groups of the SM hide; if it has all on the way at once the "    \
    "program is 55 % faster, but 50 % if the work-item has. In vector_add and bitonic_sort blockIdx * "      \
    "blockDim is an id here, which one instruction reads, and arguments come from the constant cache: "      \
    "nothing of 8 operations is left to take, nor of one (lockstep cc --emit=scalar-kernel "                 \
    "--scalar=extract "                                                                                      \
    "--options=-lockstep-extract-min=1 says so of both). Each work-item of fft computes a factor of its "    \
    "third pass, one of four (--sines 2): in fft_scalar.cl, by hand, the scalar thread does so, since they " \
    "are neither alike in a work-group nor one work-item's. A sine and a cosine are 108 of a work-item's "   \
    "516 instructions. The paper's transform, of 1,024 values in place of 512, saves 2.4 % of static "       \
    "energy; as there, cycles with few threads active go (the sine's branches)."

#define UNITS      "scalar.mode=own"
#define LOADING    UNITS, "kernel.scalar=prefetch"
#define FEW_GROUPS "cluster.groups=8"
#define ONE_SM     "cluster.count=1"
#define FAR_AWAY   "dram.pipe=571", "l1d.mshrs=128", "simt.fetches=2"

static const struct figures_variant variants[] = {
    [BASE] = {"without", {NULL}},
    [AHEAD] = {"prefetch", {LOADING}},
    [HALF] = {"prefetch, 1/2", {LOADING, "scalar.clock_divisor=2"}},
    [FOURTH] = {"prefetch, 1/4", {LOADING, "scalar.clock_divisor=4"}},
    [EIGHTH] = {"prefetch, 1/8", {LOADING, "scalar.clock_divisor=8"}},
    [FEW] = {"8 groups an SM", {FEW_GROUPS}},
    [FEW_AHEAD] = {"8 groups an SM, prefetch", {LOADING, FEW_GROUPS}},
    [ONE] = {"one SM", {ONE_SM}},
    [ONE_AHEAD] = {"one SM, prefetch", {LOADING, ONE_SM}},
    [FAR] = {"memory far away", {FAR_AWAY}},
    [FAR_AHEAD] = {"memory far away, prefetch", {LOADING, FAR_AWAY}},
    [FAR_HALF] = {"memory far away, prefetch, 1/2", {LOADING, FAR_AWAY, "scalar.clock_divisor=2"}},
    [FAR_FOURTH] = {"memory far away, prefetch, 1/4", {LOADING, FAR_AWAY, "scalar.clock_divisor=4"}},
    [FAR_EIGHTH] = {"memory far away, prefetch, 1/8", {LOADING, FAR_AWAY, "scalar.clock_divisor=8"}},
    [TURNS] = {"turns", {NULL}, .helped = true},
    [REMAPPED] = {"divergence", {UNITS, "kernel.scalar=divergence"}, .helped = true},
    [HELPED] = {"extract", {UNITS, "kernel.scalar=extract", "scalar.share_groups=on"}, .helped = true},
    [GCN] = {"gcn", {"scalar.mode=gcn", "scalar.registers=8192", "kernel.scalarize=wide"}},
};
CHECK_VARIANTS;

static const struct figures_benchmark benchmarks[] = {
    {"fft", {"--input", "large", "--sines", "2", NULL}},
    {"vector_add", {NULL}},
    {"reduction", {"--groups", "64", "--group-size", "128", "--count", "1048576", NULL}},
    {"memory_copy", {"--input", "large", NULL}},
    {"matrix_vector", {"--access", "2", NULL}},
    {"scalar_product", {NULL}},
    {"discrete_cosine", {"--input", "large", NULL}},
    {"histogram", {"--bins", "2", "--words", "262144", "--groups", "96", NULL}},
    {"laplace3d", {"--size", "80", NULL}},
    {"segmentation", {"--input", "medium", NULL}},
    {"ray_tracing", {"--size", "64", "--balls", "64", NULL}},
    {"n_queens", {"--input", "medium", NULL}},
    {"mandelbrot", {"--size", "128", "--iterations", "1024", NULL}},
    {"neural_network", {"--input", "medium", NULL}},
    {"stream_cluster", {"--input", "medium", NULL}},
    {"bitonic_sort", {"--input", "medium", NULL}},
};
static const char *const loading[] = {"fft",
                                      "vector_add",
                                      "reduction",
                                      "memory_copy",
                                      "matrix_vector",
                                      "scalar_product",
                                      "discrete_cosine",
                                      "histogram",
                                      NULL};
static const char *const diverging[] = {"laplace3d", "segmentation", "ray_tracing",
                                        "n_queens",  "mandelbrot",   NULL};
static const char *const *const in_turns = diverging + 1;
static const char *const extracted[] = {"neural_network", "stream_cluster", "fft",
                                        "bitonic_sort",   "vector_add",     NULL};

/* --- counters --- */

static double share(double part, double all) {
    return all > 0 ? 100 * part / all : 0;
}

static double sum(const struct figures_run *r, const char *scope, const char *name) {
    return figures_run_sum(r, scope, name);
}

/* Of SIMT threads alone. */
static double l1_misses(const struct figures_run *r) {
    return share(sum(r, ".l1d", "misses") + sum(r, ".l1d", "merged") - sum(r, ".scalar", "l1d_misses"),
                 sum(r, ".l1d", "accesses") - sum(r, ".scalar", "l1d_accesses"));
}
static double l2_misses(const struct figures_run *r) {
    return share(sum(r, "l2", "misses") - sum(r, "l2", "scalar_misses"),
                 sum(r, "l2", "reads") - sum(r, ".scalar", "prefetches"));
}
static double scalar_instructions(const struct figures_run *r) {
    const double scalar = sum(r, ".scalar", "instructions");
    return share(scalar, scalar + sum(r, "", "thread_instructions"));
}

/* The share of schedulers' cycles in which all that could issue waits for a load. */
static double loads_awaited(const struct figures_run *r) {
    return share(sum(r, ".cycles", "awaits load"), sum(r, "", "scheduler_cycles"));
}

/* The share of schedulers' cycles in which so many threads are active. */
static double active(const struct figures_run *r, unsigned from, unsigned to) {
    return share(figures_run_counted(r, "issue_threads", from, to),
                 figures_run_counted(r, "issue_threads", 0, UINT_MAX));
}
static double idle(const struct figures_run *r) {
    return active(r, 0, 0);
}
static double up_to_8(const struct figures_run *r) {
    return active(r, 1, 8);
}
static double up_to_16(const struct figures_run *r) {
    return active(r, 9, 16);
}
static double up_to_24(const struct figures_run *r) {
    return active(r, 17, 24);
}
static double up_to_32(const struct figures_run *r) {
    return active(r, 25, 32);
}

/* --- series --- */

#define SPEED_UP(n, v, p) SPEED_UP_OVER(BASE, n, v, p)
#define OF(n, v, function, p)                                                                                \
    { .series = {n, p}, .variant = v, .base = v, .of = function }
#define ACTIVITY(n, v)                                                                                       \
    OF(n " idle", v, idle, NAN), OF(n " 1-8", v, up_to_8, NAN), OF(n " 9-16", v, up_to_16, NAN),             \
        OF(n " 17-24", v, up_to_24, NAN), OF(n " 25-32", v, up_to_32, NAN)

static const struct figures_series ahead[] = {SPEED_UP("prefetch", AHEAD, 19.3)};
static const struct figure_known ahead_known[] = {{"memory_copy", 0, 19.3}};
static const struct figures_series others[] = {SPEED_UP_OVER(FEW, "8 groups an SM", FEW_AHEAD, NAN),
                                               SPEED_UP_OVER(ONE, "one SM", ONE_AHEAD, NAN),
                                               SPEED_UP_OVER(FAR, "memory far away", FAR_AHEAD, 19.3)};
static const struct figure_known others_known[] = {{"memory_copy", 2, 19.3}};
static const struct figures_series waits[] = {OF("gt640", BASE, loads_awaited, NAN),
                                              OF("8 groups an SM", FEW, loads_awaited, NAN),
                                              OF("memory far away", FAR, loads_awaited, NAN)};
static const struct figures_series instructions[] = {
    OF("of the scalar units", AHEAD, scalar_instructions, 0.73)};
static const struct figures_series energy[] = {ENERGY_OVER(BASE, FIGURES_ALL, "prefetch", AHEAD, -8.0)};
static const struct figures_series misses[] = {
    OF("L1D", BASE, l1_misses, 65.2), OF("L1D, prefetch", AHEAD, l1_misses, 55.4),
    OF("L2", BASE, l2_misses, 47.0), OF("L2, prefetch", AHEAD, l2_misses, 9.6)};
static const struct figures_series clocks[] = {SPEED_UP("1", AHEAD, 19.3), SPEED_UP("1/2", HALF, 16.0),
                                               SPEED_UP("1/4", FOURTH, NAN), SPEED_UP("1/8", EIGHTH, NAN)};
static const struct figures_series remapped[] = {SPEED_UP("divergence", REMAPPED, 6.9)};
static const struct figures_series turns[] = {SPEED_UP("turns", TURNS, NAN)};
static const struct figures_series far_clocks[] = {
    SPEED_UP_OVER(FAR, "1", FAR_AHEAD, 19.3), SPEED_UP_OVER(FAR, "1/2", FAR_HALF, 16.0),
    SPEED_UP_OVER(FAR, "1/4", FAR_FOURTH, NAN), SPEED_UP_OVER(FAR, "1/8", FAR_EIGHTH, NAN)};
static const struct figure_known remapped_known[] = {{"laplace3d", 0, 15.0},
                                                     {"segmentation", 0, 10.6},
                                                     {"ray_tracing", 0, 4.2},
                                                     {"n_queens", 0, 1.3},
                                                     {"mandelbrot", 0, 4.0}};
static const struct figures_series remapped_active[] = {
    ACTIVITY("bl", BASE), ACTIVITY("SIMT", REMAPPED),
    OF("scalar instructions", REMAPPED, scalar_instructions, 2.1)};
static const struct figures_series helped[] = {SPEED_UP("extract", HELPED, NAN), SPEED_UP("GCN", GCN, NAN)};
static const struct figure_known helped_known[] = {
    {"stream_cluster", 0, 26.8}, {"vector_add", 0, 0.4}, {"bitonic_sort", 0, 2.7}};
static const struct figures_series helped_active[] = {ACTIVITY("bl", BASE), ACTIVITY("SIMT", HELPED)};

#define OF_ROWS(array) .rows = array

static const struct figures_definition figures[] = {
    {{FASTER("fig7", "Loading ahead (Fig. 7)", ahead), OF_ROWS(loading), KNOWN(ahead_known),
      .note = NOTE_AHEAD},
     ahead},
    {{FIGURE("fig7waits", "Schedulers' cycles that wait for a load, without scalar units", "% of cycles", 1,
             waits),
      OF_ROWS(loading), .note = NOTE_WAITS},
     waits},
    {{FASTER("fig7others", "Loading ahead on other machines", others), OF_ROWS(loading), KNOWN(others_known),
      .note = NOTE_OTHERS},
     others},
    {{FIGURE("fig7instructions", "Instructions that the scalar units add (section VI)", "% of all", 2,
             instructions),
      OF_ROWS(loading), .note = NOTE_ADDED},
     instructions},
    {{GAINS("fig7energy", "Energy, with leakage, over the machine without (section VI)", "% more", energy),
      OF_ROWS(loading), .note = NOTE_ENERGY},
     energy},
    {{FIGURE("fig8", "Miss rates of the SIMT threads (Fig. 8)", "%", 1, misses), OF_ROWS(loading),
      .note = NOTE_MISSES},
     misses},
    {{FASTER("fig9", "Scalar units at a part of the clock (Fig. 9)", clocks), OF_ROWS(loading),
      .note = NOTE_CLOCKS},
     clocks},
    {{FASTER("fig9far", "The same with memory far away", far_clocks), OF_ROWS(loading),
      .note = NOTE_FAR_CLOCKS},
     far_clocks},
    {{FASTER("fig13", "Divergence eliminated (section VII)", remapped), OF_ROWS(diverging),
      KNOWN(remapped_known), .note = NOTE_REMAPPED},
     remapped},
    {{FASTER("fig13turns", "What the programs' form in turns brings or costs by itself", turns),
      OF_ROWS(in_turns), .note = NOTE_TURNS},
     turns},
    {{FIGURE("fig13active", "Threads that are active in schedulers' cycles (Fig. 13)", "% of cycles", 1,
             remapped_active),
      OF_ROWS(diverging), .note = NOTE_ACTIVE},
     remapped_active},
    {{FASTER("fig15", "Scalar work extracted (section VIII)", helped), OF_ROWS(extracted),
      KNOWN(helped_known), .note = NOTE_HELPED},
     helped},
    {{FIGURE("fig15active", "Threads that are active in schedulers' cycles (Fig. 15)", "% of cycles", 1,
             helped_active),
      OF_ROWS(extracted), .note = NOTE_HELPED},
     helped_active},
};

const struct figures_paper figures_scalar = {
    .name = "scalar-unit",
    .title = "Scalar units beside the lanes (Yang et al. measured 16 programs on GPGPU-Sim)",
    TABLES,
};
