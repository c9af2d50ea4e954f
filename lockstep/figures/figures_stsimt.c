/* The figures of Lucas et al., Spatiotemporal SIMT and Scalarization for Improving GPU Efficiency (TACO
 * 2015). */
#include "lockstep/figures/figures_stsimt_notes.h"
#include "lockstep/figures/figures_words.h"

#include <string.h>

enum {
    SIMT,
    TSIMT,
    TSIMT_PLUS,
    UNBOUND,
    WARP_16,
    STSIMT2,
    STSIMT4,
    SIMT_SCALAR,
    TSIMT_SCALAR,
    STSIMT4_SCALAR,
    TSIMT_CONVERGENT,
    ONE_SIMT, /* one cluster: this and the following variants are for sweeps */
    ONE_TSIMT,
    ONE_STSIMT4,
    FEW_TSIMT, /* variants with one warp slot in each lane */
    FEW_TSIMT_PLUS,
};

/* Counts registers by the allocation of webs, on all machines. */
#define NONE       "kernel.scalarize=none"
#define WIDE       "kernel.scalarize=wide"
#define CONVERGENT "kernel.scalarize=convergent"
#define TEMPORAL   "lanes.kind=temporal"
#define GROUPS_2   "lanes.kind=spatio_temporal", "lanes.group=2"
#define GROUPS_4   "lanes.kind=spatio_temporal", "lanes.group=4"
#define PLUS       "lanes.free_on_warp_exit=on", "lanes.exact_allocation=on"
#define ONE        "cluster.count=1"
#define ONE_WARP   "cluster.threads=256"

static const struct figures_variant variants[] = {
    [SIMT] = {"SIMT", {NONE}},
    [TSIMT] = {"TSIMT", {NONE, TEMPORAL}},
    [TSIMT_PLUS] = {"TSIMT+", {NONE, TEMPORAL, PLUS}},
    [UNBOUND] = {"TSIMT, any lane", {NONE, TEMPORAL, "lanes.bound=off"}},
    [WARP_16] = {"TSIMT, warps of 16", {NONE, TEMPORAL, "simt.warp_size=16"}},
    [STSIMT2] = {"STSIMT2", {NONE, GROUPS_2, PLUS}},
    [STSIMT4] = {"STSIMT4", {NONE, GROUPS_4, PLUS}},
    [SIMT_SCALAR] = {"SIMT + scalars", {WIDE, "lanes.scalar_unit=on"}},
    [TSIMT_SCALAR] = {"TSIMT+ + scalars", {WIDE, TEMPORAL, PLUS}},
    [STSIMT4_SCALAR] = {"STSIMT4 + scalars", {WIDE, GROUPS_4, PLUS}},
    [TSIMT_CONVERGENT] = {"TSIMT+ + convergent scalars", {CONVERGENT, TEMPORAL, PLUS}},
    [ONE_SIMT] = {"one cluster, SIMT", {ONE}, .of_sweeps = true},
    [ONE_TSIMT] = {"one cluster, TSIMT", {ONE, TEMPORAL}, .of_sweeps = true},
    [ONE_STSIMT4] = {"one cluster, STSIMT4", {ONE, GROUPS_4}, .of_sweeps = true},
    [FEW_TSIMT] = {"one cluster of 8 warps, TSIMT", {ONE, TEMPORAL, ONE_WARP}, .of_sweeps = true},
    [FEW_TSIMT_PLUS] = {"one cluster of 8 warps, TSIMT+", {ONE, TEMPORAL, ONE_WARP, PLUS}, .of_sweeps = true},
};
CHECK_VARIANTS;

/* --- facts about the code: means over the kernels that a program launched --- */

static bool launched_before(const struct figures_run *r, size_t launch) {
    for (size_t n = 0; n < launch; n++)
        if (strcmp(r->launches[n].kernel, r->launches[launch].kernel) == 0) return true;
    return false;
}

static double mean_of_kernels(const struct figures_run *r, double (*of)(const struct launch_record *l)) {
    double sum = 0, count = 0;
    for (size_t n = 0; n < r->launch_count; n++) {
        if (launched_before(r, n)) continue;
        sum += of(&r->launches[n]);
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

static double words_of(const struct launch_record *l) {
    return 32.0 * l->vectors + l->scalars;
}
static double vectors_of(const struct launch_record *l) {
    return l->vectors;
}
static double scalars_of(const struct launch_record *l) {
    return l->scalars;
}
static double scalar_code_of(const struct launch_record *l) {
    return 100.0 * l->code_scalars / l->code_instructions;
}
static double words(const struct figures_run *r) {
    return mean_of_kernels(r, words_of);
}
static double vectors(const struct figures_run *r) {
    return mean_of_kernels(r, vectors_of);
}
static double scalars(const struct figures_run *r) {
    return mean_of_kernels(r, scalars_of);
}
static double scalar_code(const struct figures_run *r) {
    return mean_of_kernels(r, scalar_code_of);
}

/* --- series --- */

#define SPEED_UP(n, v, p) SPEED_UP_OVER(SIMT, n, v, p)
#define OF(n, v, function, p)                                                                                \
    { .series = {n, p}, .variant = v, .base = v, .of = function }
#define OF_CYCLES(n, over, s) SCALED(n, TSIMT, over, "scheduler_cycles", s, NAN)
#define TAKES(kind, n, v, p)  ENERGY_OVER(SIMT, kind, n, v, p)
#define TIME(n, v, p)                                                                                        \
    { .series = {n, p}, .variant = v, .base = SIMT, .energy = FIGURES_TIME }

static const struct figures_series efficiency[] = {
    SCALED("active threads", TSIMT, "executed", "warp_instructions", 1.0 / 32, NAN)};

static const struct figures_series temporal[] = {
    SPEED_UP("TSIMT", TSIMT, -7.3), SPEED_UP("TSIMT+", TSIMT_PLUS, -6.0), SPEED_UP("any lane", UNBOUND, 7.6),
    SPEED_UP("warps of 16", WARP_16, 1.4)};
static const struct figure_known temporal_known[] = {{"divergent", 0, -7.3}, {"coherent", 0, -7.3}};

static const struct figures_series conflicts[] = {
    OF_CYCLES("1", "lanes.conflicts_1", 1),
    OF_CYCLES("2", "lanes.conflicts_2", 1),
    OF_CYCLES("3 or more", "lanes.conflicts_3", 1),
};
static const struct figure_known conflicts_known[] = {
    {"bfs", 0, 8.92},       {"back_propagation", 0, 7.59},  {"coulombic_potential", 0, 4.95},
    {"hotspot", 0, 10.24},  {"laplace3d", 0, 16.61},        {"needleman_wunsch", 0, 2.70},
    {"reduction", 0, 3.87}, {"ray_tracing", 0, 8.91},       {"gaussian_elimination", 0, 17.87},
    {"libor", 0, 1.86},     {"lu_decomposition", 0, 13.58}, {"nearest_neighbors", 0, 9.51},
};

static const struct figures_series active[] = {
    OF_CYCLES("with a ready warp", "lanes.with_ready_warp", 0.01),
    OF_CYCLES("with a warp", "lanes.with_warp", 0.01),
    OF_CYCLES("warps", "lanes.warps", 0.01),
};
static const struct figure_known active_known[] = {
    {"bfs", 0, 1.14},
    {"bfs", 1, 7.69},
    {"bfs", 2, 26.68},
    {"back_propagation", 0, 6.72},
    {"back_propagation", 1, 7.97},
    {"back_propagation", 2, 23.14},
    {"coulombic_potential", 0, 6.55},
    {"coulombic_potential", 1, 6.71},
    {"coulombic_potential", 2, 17.68},
    {"hotspot", 0, 5.34},
    {"hotspot", 1, 7.72},
    {"hotspot", 2, 7.72},
    {"laplace3d", 0, 4.47},
    {"laplace3d", 1, 6.43},
    {"laplace3d", 2, 10.09},
    {"needleman_wunsch", 0, 0.23},
    {"needleman_wunsch", 1, 2.54},
    {"needleman_wunsch", 2, 2.54},
    {"reduction", 0, 1.95},
    {"reduction", 1, 7.92},
    {"reduction", 2, 16.77},
    {"ray_tracing", 0, 6.14},
    {"ray_tracing", 1, 7.50},
    {"ray_tracing", 2, 7.50},
    {"gaussian_elimination", 0, 3.80},
    {"gaussian_elimination", 1, 7.55},
    {"gaussian_elimination", 2, 14.29},
    {"libor", 0, 2.87},
    {"libor", 1, 4.11},
    {"libor", 2, 4.11},
    {"lu_decomposition", 0, 4.92},
    {"lu_decomposition", 1, 7.05},
    {"lu_decomposition", 2, 20.95},
    {"nearest_neighbors", 0, 6.53},
    {"nearest_neighbors", 1, 7.06},
    {"nearest_neighbors", 2, 21.11},
};

static const struct figures_series spatio_temporal[] = {
    SPEED_UP("TSIMT", TSIMT, -7.3), SPEED_UP("STSIMT2", STSIMT2, NAN), SPEED_UP("STSIMT4", STSIMT4, 6.0)};
static const struct figure_known spatio_temporal_known[] = {{"divergent", 2, 6.0}, {"coherent", 2, 5.9}};

static const struct figures_series registers[] = {
    OF("before", TSIMT_PLUS, words, 773.2),
    OF("convergent", TSIMT_CONVERGENT, words, 695.0),
    OF("wide", TSIMT_SCALAR, words, 571.1),
};
static const struct figures_series of_a_thread[] = {
    OF("before", TSIMT_PLUS, vectors, 24.2),
    OF("wide, of a thread", TSIMT_SCALAR, vectors, 17.6),
    OF("wide, of a warp", TSIMT_SCALAR, scalars, 9.0),
};

static const struct figures_series fraction[] = {
    RATIO("executed, wide", TSIMT_SCALAR, "lanes.scalar", "warp_instructions", 30.3),
    RATIO("executed, convergent", TSIMT_CONVERGENT, "lanes.scalar", "warp_instructions", 13.5),
    OF("in the code, wide", TSIMT_SCALAR, scalar_code, 31.1),
    OF("in the code, convergent", TSIMT_CONVERGENT, scalar_code, 12.9),
};

static const struct figures_series together[] = {
    SPEED_UP("SIMT + scalars", SIMT_SCALAR, NAN),        SPEED_UP("TSIMT+", TSIMT_PLUS, -6.0),
    SPEED_UP("TSIMT+ + scalars", TSIMT_SCALAR, 9.3),     SPEED_UP("STSIMT4", STSIMT4, 6.0),
    SPEED_UP("STSIMT4 + scalars", STSIMT4_SCALAR, 19.6),
};
static const struct figures_series scalars_bring[] = {
    SPEED_UP_OVER(SIMT, "SIMT", SIMT_SCALAR, NAN),
    SPEED_UP_OVER(TSIMT_PLUS, "TSIMT+", TSIMT_SCALAR, 16.1),
    SPEED_UP_OVER(STSIMT4, "STSIMT4", STSIMT4_SCALAR, 13.0),
    SPEED_UP_OVER(SIMT_SCALAR, "STSIMT4 over SIMT, both with scalars", STSIMT4_SCALAR, NAN),
};
static const struct figure_known scalars_bring_known[] = {{"divergent", 3, 4.2}, {"coherent", 3, -1.3}};

static const struct figures_series runtime[] = {
    TIME("TSIMT+", TSIMT_PLUS, 6.4), TIME("STSIMT4", STSIMT4, -5.6),
    TIME("TSIMT+ + scalars", TSIMT_SCALAR, -8.5), TIME("STSIMT4 + scalars", STSIMT4_SCALAR, -16.4)};
#define OF_ALL(kind, plus, stsimt4, scalar, stsimt4_scalar)                                                  \
    TAKES(kind, "TSIMT+", TSIMT_PLUS, plus), TAKES(kind, "STSIMT4", STSIMT4, stsimt4),                       \
        TAKES(kind, "TSIMT+ + scalars", TSIMT_SCALAR, scalar),                                               \
        TAKES(kind, "STSIMT4 + scalars", STSIMT4_SCALAR, stsimt4_scalar)
static const struct figures_series power[] = {OF_ALL(FIGURES_POWER, 1.0, 1.8, 5.9, 5.6)};
static const struct figures_series energy[] = {OF_ALL(FIGURES_ALL, NAN, -4.1, -8.3, -16.4)};
static const struct figures_series product[] = {OF_ALL(FIGURES_PRODUCT, NAN, -9.5, -10.1, -26.2)};

/* --- sweeps --- */

#define NAMED(n)                                                                                             \
    {                                                                                                        \
        .series = { n, NAN }                                                                                 \
    }
static const struct figures_series of_warps[] = {NAMED("W1"), NAMED("W2"),  NAMED("W4"),
                                                 NAMED("W8"), NAMED("W16"), NAMED("W32")};
static const struct figures_series of_lanes[] = {NAMED("lane 0"), NAMED("lane 1"), NAMED("lane 2"),
                                                 NAMED("lane 3"), NAMED("lane 4"), NAMED("lane 5"),
                                                 NAMED("lane 6"), NAMED("lane 7")};
static const char *const threads[] = {"1", "2", "4", "8", "12", "16", "24", "32"};
static const char *const thousands[] = {
    "0",   "8",   "16",  "24",  "32",  "40",  "48",  "56",  "64",  "72",  "80",  "88",  "96",  "104", "112",
    "120", "128", "136", "144", "152", "160", "168", "176", "184", "192", "200", "208", "216", "224", "232",
    "240", "248", "256", "264", "272", "280", "288", "296", "304", "312", "320", "328", "336", "344"};
#define CHAINS(name, v)                                                                                      \
    .figure = name, .program = {"dependent_chains", {"--input", "large", NULL}}, .kind = FIGURES_LAUNCHES,   \
    .rows = threads, .row_count = COUNT(threads), .variant = v
#define OVER_TIME(name, v)                                                                                   \
    {                                                                                                        \
        .figure = name, .program = {"dependent_chains", {"--input", "medium", "--warps", "1", NULL}},        \
        .kind = FIGURES_LANE_GROUPS, .rows = thousands, .row_count = COUNT(thousands), .interval = 8000,     \
        .variant = v                                                                                         \
    }
static const struct figures_sweep sweeps[] = {
    {CHAINS("fig5a", ONE_SIMT)},
    {CHAINS("fig5b", ONE_TSIMT)},
    {CHAINS("fig5c", ONE_TSIMT), .over = {"fig5b", "fig5a"}},
    {CHAINS("fig5stsimt4", ONE_STSIMT4)},
    OVER_TIME("fig6a", FEW_TSIMT),
    OVER_TIME("fig6b", FEW_TSIMT_PLUS),
};
static const struct figure_known chains_simt_known[] = {
    {"32", 0, 2}, {"32", 2, 8}, {"32", 5, 8}, {"8", 5, 2}};
static const struct figure_known chains_tsimt_known[] = {
    {"32", 0, 1}, {"32", 2, 4}, {"8", 5, 8}, {"32", 5, 8}};
static const struct figure_known chains_speed_up_known[] = {
    {"8", 4, 4}, {"8", 5, 4}, {"32", 0, 0.5}, {"8", 3, 2.5}};

/* --- figures --- */

static const struct figures_definition figures[] = {
    {{FIGURE("fig4", "SIMD efficiency: active threads of a warp instruction (Fig. 4)", "% of 32", 1,
             efficiency),
      .note = NOTE_EFFICIENCY},
     efficiency},
    {{FIGURE("fig5a",
             "Chains of dependent operations on SIMT: IPC by active threads of a warp, and warps (Fig. 5a)",
             "instructions a cycle", 2, of_warps),
      .lines = true, KNOWN(chains_simt_known), .note = NOTE_CHAINS},
     of_warps},
    {{FIGURE("fig5b", "The same on TSIMT (Fig. 5b)", "instructions a cycle", 2, of_warps), .lines = true,
      KNOWN(chains_tsimt_known), .note = NOTE_CHAINS_TSIMT},
     of_warps},
    {{FIGURE("fig5c", "TSIMT over SIMT (Fig. 5c)", "times as fast", 2, of_warps), .lines = true,
      KNOWN(chains_speed_up_known), .note = NOTE_CHAINS_OVER},
     of_warps},
    {{FIGURE("fig5stsimt4", "The same on STSIMT4, which the paper does not show", "instructions a cycle", 2,
             of_warps),
      .lines = true, .note = NOTE_CHAINS_STSIMT4},
     of_warps},
    {{FIGURE("fig6a",
             "IPC over time, thousands of cycles, of each lane of TSIMT: work-groups of 84 threads (Fig. 6a)",
             "instructions a cycle", 2, of_lanes),
      .lines = true, .note = NOTE_LANES},
     of_lanes},
    {{FIGURE("fig6b", "The same of TSIMT+ (Fig. 6b)", "instructions a cycle", 2, of_lanes), .lines = true,
      .note = NOTE_LANES_PLUS},
     of_lanes},
    {{FASTER("fig7",
             "TSIMT, TSIMT+, and what binding to lanes and warps of 32 cost, over SIMT (Fig. 7, §5.6)",
             temporal),
      KNOWN(temporal_known), .note = NOTE_TEMPORAL},
     temporal},
    {{FIGURE("table4conflicts",
             "Cycles in which lanes wait while an instruction issues to another, TSIMT (Table IV)",
             "% of cycles", 2, conflicts),
      KNOWN(conflicts_known), .note = NOTE_CONFLICTS},
     conflicts},
    {{FIGURE("table4lanes",
             "Lanes with a warp that does not wait for memory, with a warp; warps, TSIMT (Table IV)",
             "lanes of 8, warps", 2, active),
      KNOWN(active_known), .note = NOTE_ACTIVE},
     active},
    {{FASTER("fig8", "Lane groups of 2 and 4 over SIMT (Fig. 8)", spatio_temporal),
      KNOWN(spatio_temporal_known), .note = NOTE_SPATIO_TEMPORAL},
     spatio_temporal},
    {{FIGURE("fig9", "Registers of a warp before and after scalarization (Fig. 9)", "words", 1, registers),
      .note = NOTE_REGISTERS},
     registers},
    {{FIGURE("fig9kinds", "Registers of a thread and of a warp (§5.8)", "registers", 1, of_a_thread),
      .note = NOTE_OF_A_THREAD},
     of_a_thread},
    {{FIGURE("fig10", "Scalar instructions (Fig. 10)", "% of instructions", 1, fraction),
      .note = NOTE_FRACTION},
     fraction},
    {{FASTER("fig11", "With and without scalars over SIMT (Fig. 11)", together), .note = NOTE_TOGETHER},
     together},
    {{FASTER("fig11scalars", "What scalars bring to each machine (§5.9)", scalars_bring),
      KNOWN(scalars_bring_known), .note = NOTE_SCALARS},
     scalars_bring},
    {{GAINS("fig12time", "Runtime over SIMT's (Fig. 12)", "% more", runtime), .note = NOTE_RUNTIME}, runtime},
    {{GAINS("fig12power", "Power over SIMT's (Fig. 12)", "% more", power), .note = NOTE_POWER}, power},
    {{GAINS("fig12energy", "Energy over SIMT's (Fig. 12)", "% more", energy), .note = NOTE_ENERGY}, energy},
    {{GAINS("fig12edp", "Energy times runtime over SIMT's (Fig. 12)", "% more", product),
      .note = NOTE_PRODUCT},
     product},
};

/* The available programs of the paper, and some more divergent ones. */
static const struct figures_benchmark benchmarks[] = {
    {"bfs", {"--input", "medium", NULL}},
    {"needleman_wunsch", {"--input", "medium", NULL}},
    {"n_queens", {"--input", "medium", NULL}, OURS},
    {"ray_tracing", {"--input", "medium", NULL}},
    {"laplace3d", {"--input", "medium", NULL}},
    {"back_propagation", {"--input", "medium", NULL}},
    {"coulombic_potential", {"--input", "medium", NULL}},
    {"hotspot", {"--steps", "2", NULL}},
    {"reduction", {NULL}},
    {"gaussian_elimination", {"--input", "medium", NULL}},
    {"libor", {"--paths", "4096", "--rates", "8", NULL}},
    {"lu_decomposition", {"--tiles", "8", NULL}},
    {"nearest_neighbors", {"--input", "medium", NULL}},
    {"path_finder", {NULL}, OURS},
    {"matrix_multiply", {"--input", "medium", NULL}, OURS},
};

const struct figures_paper figures_stsimt = {
    .name = "stsimt",
    .title = "Temporal and spatio-temporal lanes, and scalars, on stsimt-30x8 (Lucas et al., TACO 2015, "
             "measured 37 CUDA kernels on GPGPU-Sim)",
    TABLES,
    .sweeps = sweeps,
    .sweep_count = COUNT(sweeps),
    .first_group_below = 85,
    .group_names = {"divergent", "coherent"},
};
