/* Figures 7 to 9, 13 and 15 of Yang et al., A Case for a Flexible Scalar Unit in SIMT Architecture. */
#include "lockstep/figures/figures_words.h"

#include <limits.h>

enum { BASE, AHEAD, HALF, FOURTH, EIGHTH, FEW, FEW_AHEAD, ONE, ONE_AHEAD, TURNS, REMAPPED, HELPED, GCN };

#define NOTE_AHEAD                                                                                           \
    "Loading ahead pays where the work-items wait for memory: the next figure says which do. "               \
    "memory_copy gains as the paper's does. What it costs: lines go to the L1D of the SM whose "             \
    "scalar thread loads them, and half of them are needed in the other (vector_add: 8,064 lines "           \
    "loaded ahead, 4,267 useful; replies take 46 % more flits; scalar_product: 3,959 and 1,779). "           \
    "reduction's scalar threads, one for each of few work-groups, load 3,382 lines, of which 372 "           \
    "are useful, and open 2.7 times as many rows of the DRAM."
#define NOTE_WAITS                                                                                           \
    "fft works in local memory, discrete_cosine too. With 8 groups an SM the warps of memory_copy "          \
    "and discrete_cosine no longer hide the memory."
#define NOTE_OTHERS                                                                                          \
    "8 groups an SM (--set cluster.groups=8): warps no longer hide the memory. One SM (--set "               \
    "cluster.count=1): each line is loaded where it is needed, and vector_add gains, too."
#define NOTE_ADDED                                                                                           \
    "The paper counts PTX instructions of larger inputs; ours are ARM's, of which a scalar thread "          \
    "takes 24 where PTX has 10."
#define NOTE_ENERGY                                                                                          \
    "What is saved is leakage for the time that is saved, so energies follow the first figure."
#define NOTE_MISSES                                                                                          \
    "Loads that join a miss count as misses, and stores as accesses that do not miss. The L2's "             \
    "rate falls as the paper's does where no loop loads; in loops half of the turns are skipped."
#define NOTE_CLOCKS                                                                                          \
    "As in the paper half of the clock costs little. A slower unit holds its work-group's slot "             \
    "longer: from a fourth on a short work-group waits for its scalar thread most of the time. "             \
    "matrix_vector gains most at half the clock, where what it loads comes when it is wanted; at "           \
    "the full clock most is driven out before (of 1,374 lines 264 useful)."
#define NOTE_REMAPPED                                                                                        \
    "Over the same kernel without a scalar thread; the next figure has what the kernels were "               \
    "rewritten to. Who leaves a loop when is told to the scalar thread after each turn, in which "           \
    "the others wait for it: a turn must be long. Segmentation's are 16 steps; the others have "             \
    "NAME_scalar.cl: ray_tracing's turn is a ray, mandelbrot's 64 steps, n_queens' 256. laplace3d "          \
    "parts at the grid's edge, in tiles that reach over it, and is remapped once, by hand. Of "              \
    "ray_tracing's "                                                                                         \
    "cycles schedulers issue in 71 % without and in 45 % with the scalar thread: waiting for it costs more " \
    "than full warps bring."
#define NOTE_TURNS                                                                                           \
    "Without a scalar thread, over the program's own kernel. segmentation is not rewritten. "                \
    "laplace3d is faster by its rewriting than by remapping; n_queens, whose turns have no "                 \
    "branches, loses more by it than remapping brings."
#define NOTE_ACTIVE                                                                                          \
    "Idle: no instruction issues in a scheduler's cycle. As in the paper segmentation's cycles with "        \
    "few threads become cycles with 25 to 32."
#define NOTE_HELPED                                                                                          \
    "neural_network's work-groups of one work-item run on both sides (scalar.share_groups). "                \
    "stream_cluster's scalar thread brings the candidate's 16 coordinates, from its start on, "              \
    "since the kernel touches no memory before, but one after the other as the kernel's first "              \
    "work-item does, which seven other work-groups of the SM hide. In vector_add and bitonic_sort "          \
    "blockIdx * blockDim is an id here, which one instruction reads, and arguments come from the "           \
    "constant cache: nothing of 8 operations is left to take, nor of one (lockstep cc "                      \
    "--emit=scalar-kernel --scalar=extract --options=-lockstep-extract-min=1 says so of both). "             \
    "Each work-item of fft computes a factor of its third pass, one of four (--sines 2): in "                \
    "fft_scalar.cl, by hand, the scalar thread does so, since they are neither alike in a "                  \
    "work-group nor one work-item's. The paper's transform has 1,024 values in place of 512; as "            \
    "there, cycles with few threads active go (the sine's branches)."

#define NOTE_HELPED_ENERGY                                                                                   \
    "The paper saves static energy with the time, and takes 12.1 % more dynamic energy. Ours "               \
    "saves 2.0 % of the time, and so dynamic energy as well: a scalar unit executes an "                     \
    "instruction for one thread, which lanes do with their control for 32."

#define UNITS      "scalar.mode=own"
#define LOADING    UNITS, "kernel.scalar=prefetch"
#define FEW_GROUPS "cluster.groups=8"
#define ONE_SM     "cluster.count=1"

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
    [TURNS] = {"rewritten", {NULL}, .helped = true},
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
static const char *const extracted[] = {"neural_network", "stream_cluster", "fft",
                                        "bitonic_sort",   "vector_add",     NULL};

/* --- counters --- */

static double share(double part, double all) {
    return all > 0 ? 100 * part / all : 0;
}

static double sum(const struct figures_run *r, const char *scope, const char *name) {
    return figures_run_sum(r, scope, name);
}

/* Returns the misses of SIMT threads only. */
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

/* Returns the share of schedulers' cycles in which all ready warps wait for a load. */
static double loads_awaited(const struct figures_run *r) {
    return share(sum(r, ".cycles", "awaits load"), sum(r, "", "scheduler_cycles"));
}

/* Returns the share of schedulers' cycles with this number of active threads. */
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
                                               SPEED_UP_OVER(ONE, "one SM", ONE_AHEAD, NAN)};
static const struct figures_series waits[] = {OF("gt640", BASE, loads_awaited, NAN),
                                              OF("8 groups an SM", FEW, loads_awaited, NAN)};
static const struct figures_series instructions[] = {
    OF("of the scalar units", AHEAD, scalar_instructions, 0.73)};
static const struct figures_series energy[] = {ENERGY_OVER(BASE, FIGURES_ALL, "prefetch", AHEAD, -8.0)};
static const struct figures_series misses[] = {
    OF("L1D", BASE, l1_misses, 65.2), OF("L1D, prefetch", AHEAD, l1_misses, 55.4),
    OF("L2", BASE, l2_misses, 47.0), OF("L2, prefetch", AHEAD, l2_misses, 9.6)};
static const struct figures_series clocks[] = {SPEED_UP("1", AHEAD, 19.3), SPEED_UP("1/2", HALF, 16.0),
                                               SPEED_UP("1/4", FOURTH, NAN), SPEED_UP("1/8", EIGHTH, NAN)};
static const struct figures_series remapped[] = {SPEED_UP_OVER(TURNS, "divergence", REMAPPED, 6.9)};
static const struct figures_series turns[] = {SPEED_UP("rewritten", TURNS, NAN)};
static const struct figure_known remapped_known[] = {{"laplace3d", 0, 15.0},
                                                     {"segmentation", 0, 10.6},
                                                     {"ray_tracing", 0, 4.2},
                                                     {"n_queens", 0, 1.3},
                                                     {"mandelbrot", 0, 4.0}};
static const struct figures_series remapped_active[] = {
    ACTIVITY("bl", TURNS), ACTIVITY("SIMT", REMAPPED),
    OF("scalar instructions", REMAPPED, scalar_instructions, 2.1)};
static const struct figures_series helped[] = {SPEED_UP("extract", HELPED, NAN), SPEED_UP("GCN", GCN, NAN)};
static const struct figure_known helped_known[] = {
    {"stream_cluster", 0, 26.8}, {"vector_add", 0, 0.4}, {"bitonic_sort", 0, 2.7}};
static const struct figures_series helped_energy[] = {ENERGY_OVER(BASE, FIGURES_ALL, "extract", HELPED, NAN)};
static const struct figure_known helped_energy_known[] = {{"neural_network", 0, -26.6},
                                                          {"neural_network", 1, -26.6}};
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
    {{FASTER("fig7others", "Loading ahead on other machines", others), OF_ROWS(loading), .note = NOTE_OTHERS},
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
    {{FASTER("fig13", "Divergence eliminated (section VII)", remapped), OF_ROWS(diverging),
      KNOWN(remapped_known), .note = NOTE_REMAPPED},
     remapped},
    {{FASTER("fig13turns", "What the programs are rewritten to brings or costs by itself", turns),
      OF_ROWS(diverging), .note = NOTE_TURNS},
     turns},
    {{FIGURE("fig13active", "Threads that are active in schedulers' cycles (Fig. 13)", "% of cycles", 1,
             remapped_active),
      OF_ROWS(diverging), .note = NOTE_ACTIVE},
     remapped_active},
    {{FASTER("fig15", "Scalar work extracted (section VIII)", helped), OF_ROWS(extracted),
      KNOWN(helped_known), .note = NOTE_HELPED},
     helped},
    {{GAINS("fig15energy", "Energy, with leakage, over the machine without (section VIII)", "% more",
            helped_energy),
      OF_ROWS(extracted), KNOWN(helped_energy_known), .note = NOTE_HELPED_ENERGY},
     helped_energy},
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
