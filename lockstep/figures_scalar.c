/* Figures 7 to 9, 13 and 15 of Yang et al., A Case for a Flexible Scalar Unit in SIMT Architecture. */
#include "lockstep/figures_words.h"
#include "model/machine/sms.h"

enum { BASE, AHEAD, HALF, FOURTH, EIGHTH, FEW, FEW_AHEAD, TURNS, REMAPPED, HELPED, GCN };

#define NOTE_AHEAD                                                                                           \
    "Loading ahead pays where the work-items wait for memory. With 16 work-groups an SM is held up by "      \
    "its load-store unit instead: it takes an instruction every second cycle (a round, then its "            \
    "transaction), and one of memory_copy's five loads its operand, three are of arguments: 5 x 2 x "        \
    "16,384 warps = 163,840 of 167,581 cycles. Twice the DRAM's clock, no row timing, 128 miss "             \
    "registers or 64-byte flits change that by less than 1 %. The next figure takes half of the work- "      \
    "groups away. What it costs: a work-group's slot is free only when its scalar thread has ended, "        \
    "too, which takes some 200 cycles (an ARM instruction's result after 10), and 1,000 where a "            \
    "tile's place is found by division (discrete_cosine); half of the lines go to the L1D of the "           \
    "other SM, where the work-group does not come to run. histogram's work-items try atomics again, "        \
    "and how often changes with any cycle."
#define NOTE_FEW                                                                                             \
    "With half of the work-groups memory_copy waits for memory as the paper's does (its 2,048 threads "      \
    "an SM find 25.9 of 40 GB/s), and gains what the paper's gains."
#define NOTE_ADDED                                                                                           \
    "The paper counts PTX instructions of larger inputs; ours are ARM's, of which a scalar thread "          \
    "takes 24 where PTX has 10."
#define NOTE_ENERGY                                                                                          \
    "What is saved is leakage for the time that is saved, so energies follow the first figure."
#define NOTE_MISSES                                                                                          \
    "Loads that join a miss count as misses, and stores as accesses that do not miss. The L2's rate "        \
    "falls as the paper's does where no loop loads; in loops half of the turns are skipped."
#define NOTE_CLOCKS                                                                                          \
    "A slower unit holds its work-group's slot longer: at an eighth of the clock a short work-group "        \
    "waits for its scalar thread most of the time. The paper's loses 3.3 points at half the clock."
#define NOTE_REMAPPED                                                                                        \
    "Who leaves a loop when is told to the scalar thread after each turn, which must be long for "           \
    "that. Segmentation, where one is of 16 steps, is a third faster. The others were "                      \
    "rewritten in turns (NAME_scalar.cl; 'turns alone': without a scalar thread), which costs "              \
    "mandelbrot 26 % and n_queens 16 %, more than remapping can bring; the paper's turns are its "           \
    "programs' own. n_queens has four work-groups of 96, of which less than 32 work-items go on after "      \
    "few turns: it gains nothing. With jumps inside of its turn it took 8 times as long: the compiler "      \
    "gave each way its own copy of the loop's end, and work-items met only behind it. laplace3d parts "      \
    "at its tiles' edges, in no loop: it is not remapped."
#define NOTE_ACTIVE                                                                                          \
    "Idle: no instruction issues in a scheduler's cycle. As in the paper segmentation's cycles with "        \
    "few threads become cycles with 25 to 32."
#define NOTE_HELPED                                                                                          \
    "neural_network's work-groups of one work-item run on both sides (scalar.share_groups). "                \
    "stream_cluster's scalar thread brings the candidate's 16 coordinates; the paper's loads more of "       \
    "them, one after the other. In vector_add and bitonic_sort blockIdx * blockDim is an id here, "          \
    "which one instruction reads, and arguments come from the constant cache: nothing of 8 operations "      \
    "is left to take, nor with -lockstep-extract-min=1. The factors of our fft come from the host."

#define UNITS     "scalar.mode=own"
#define MADE(k)   UNITS, "kernel.scalar=" k
#define CLOCK(n)  "scalar.clock_divisor=" n
#define GROUPS(n) "cluster.groups=" n

static const struct figures_variant variants[] = {
    [BASE] = {"without", {NULL}},
    [AHEAD] = {"prefetch", {MADE("prefetch")}},
    [HALF] = {"prefetch, 1/2", {MADE("prefetch"), CLOCK("2")}},
    [FOURTH] = {"prefetch, 1/4", {MADE("prefetch"), CLOCK("4")}},
    [EIGHTH] = {"prefetch, 1/8", {MADE("prefetch"), CLOCK("8")}},
    [FEW] = {"8 groups an SM", {GROUPS("8")}},
    [FEW_AHEAD] = {"8 groups an SM, prefetch", {MADE("prefetch"), GROUPS("8")}},
    [TURNS] = {"turns", {NULL}, .helped = true},
    [REMAPPED] = {"divergence", {MADE("divergence")}, .helped = true},
    [HELPED] = {"extract", {MADE("extract"), "scalar.share_groups=on"}, .helped = true},
    [GCN] = {"gcn", {"scalar.mode=gcn", "scalar.registers=8192", "kernel.scalarize=wide"}},
};
CHECK_VARIANTS;

static const struct figures_benchmark benchmarks[] = {
    {"fft", {"--input", "medium", NULL}},
    {"vector_add", {NULL}},
    {"reduction", {NULL}},
    {"memory_copy", {"--input", "large", NULL}},
    {"matrix_vector", {"--access", "2", NULL}},
    {"scalar_product", {NULL}},
    {"discrete_cosine", {"--input", "large", NULL}},
    {"histogram", {"--input", "medium", NULL}},
    {"segmentation", {"--input", "medium", NULL}},
    {"ray_tracing", {"--input", "medium", NULL}},
    {"n_queens", {"--input", "medium", NULL}},
    {"mandelbrot", {"--size", "128", NULL}},
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
static const char *const diverging[] = {"segmentation", "ray_tracing", "n_queens", "mandelbrot", NULL};
static const char *const extracted[] = {"neural_network", "stream_cluster", "fft",
                                        "bitonic_sort",   "vector_add",     NULL};

/* --- counters --- */

static double share(double part, double all) {
    return all > 0 ? 100 * part / all : 0;
}

static double sum(const struct run_record *r, const char *scope, const char *name) {
    return (double)run_record_sum(r, scope, name);
}

/* Of SIMT threads alone. */
static double l1_misses(const struct run_record *r) {
    return share(sum(r, ".l1d", "misses") + sum(r, ".l1d", "merged") - sum(r, ".scalar", "l1d_misses"),
                 sum(r, ".l1d", "accesses") - sum(r, ".scalar", "l1d_accesses"));
}
static double l2_misses(const struct run_record *r) {
    return share(sum(r, "l2", "misses") - sum(r, "l2", "scalar_misses"),
                 sum(r, "l2", "reads") - sum(r, ".scalar", "prefetches"));
}
static double scalar_instructions(const struct run_record *r) {
    const double scalar = sum(r, ".scalar", "instructions");
    return share(scalar, scalar + sum(r, "", "thread_instructions"));
}

/* The share of schedulers' cycles in which so many threads are active. */
static double active(const struct run_record *r, unsigned from, unsigned to) {
    const struct sms *sms = machine_sms(r->machine);
    double some = 0, all = 0;
    for (unsigned k = 0; k < sms->count; k++) {
        const struct histogram *h = &sms->sm[k].issue_threads;
        all += (double)h->total;
        for (unsigned n = from; n <= to && n < h->buckets; n++) some += (double)h->bucket[n];
    }
    return share(some, all);
}
static double idle(const struct run_record *r) {
    return active(r, 0, 0);
}
static double up_to_8(const struct run_record *r) {
    return active(r, 1, 8);
}
static double up_to_16(const struct run_record *r) {
    return active(r, 9, 16);
}
static double up_to_24(const struct run_record *r) {
    return active(r, 17, 24);
}
static double up_to_32(const struct run_record *r) {
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
static const struct figures_series few[] = {SPEED_UP_OVER(FEW, "prefetch", FEW_AHEAD, NAN)};
static const struct figures_series instructions[] = {
    OF("of the scalar units", AHEAD, scalar_instructions, 0.73)};
static const struct figures_series energy[] = {ENERGY_OVER(BASE, FIGURES_ALL, "prefetch", AHEAD, -8.0)};
static const struct figures_series misses[] = {
    OF("L1D", BASE, l1_misses, 65.2), OF("L1D, prefetch", AHEAD, l1_misses, 55.4),
    OF("L2", BASE, l2_misses, 47.0), OF("L2, prefetch", AHEAD, l2_misses, 9.6)};
static const struct figures_series clocks[] = {SPEED_UP("1", AHEAD, 19.3), SPEED_UP("1/2", HALF, 16.0),
                                               SPEED_UP("1/4", FOURTH, NAN), SPEED_UP("1/8", EIGHTH, NAN)};
static const struct figures_series remapped[] = {SPEED_UP("turns alone", TURNS, NAN),
                                                 SPEED_UP("divergence", REMAPPED, 6.9)};
static const struct figure_known remapped_known[] = {
    {"segmentation", 1, 10.6}, {"ray_tracing", 1, 4.2}, {"n_queens", 1, 1.3}, {"mandelbrot", 1, 4.0}};
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
    {{FASTER("fig7few", "The same with 8 work-groups an SM instead of 16", few), OF_ROWS(loading),
      .note = NOTE_FEW},
     few},
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
