/* The figures of Chen and Chen, Enabling SIMT Execution Model on Homogeneous Multi-Core System, on its 22
 * programs. */
#include "lockstep/figures/figures_dual_mode_notes.h"
#include "lockstep/figures/figures_words.h"

enum {
    SIMT,
    SIMT_TABLE,
    MIMD_SNUCL,
    MIMD_MODERN,
    MIMD_SNUCL_TABLE,
    MIMD_MODERN_TABLE,
    AUTO_SNUCL,
    AUTO_MODERN,
    SIMT_CHANGED,
    MIMD_CHANGED,
    MODERN_CHANGED,
    SIMT_SHIFTED,
    MIMD_SHIFTED,
    MIN_PC,
    FIRST_READY,
    MIN_PC_OWN,
    FIRST_READY_OWN,
    SLP,
    CYCLIC,
    CYCLIC_SLP,
    BALANCED,
    BALANCED_SLP,
    ANY,
    DPE,
    ALT,
    WIDTH_2,
    WIDTH_4,
    WIDTH_8,
    WIDTH_16,
    OPENMP,
    OPENMP_NEAR,
    MIMD_NEAR,
    MODERN_NEAR,
    SIMT_NEAR,
    SIMT_VECTORS,
    MIMD_VECTORS,
    MODERN_VECTORS,
    SIMT_BY_VFP,
    MIMD_BY_VFP,
    MODERN_BY_VFP,
    SIMT_IN_A_ROW,
    MIMD_IN_A_ROW,
    SIMT_SAME_GROUPS,
    MIMD_SAME_GROUPS,
    IN_ORDER,
    OUT_OF_ORDER,
    DUAL,
    SIMT_IN_ORDER,
    DUAL_TWO,
    DUAL_ROUNDS,
    DUAL_ONE_PORT
};

/* Fields of the paper's time: a library with branches in exp and log. nw needs 33,284 bytes of local memory,
 * which is ordinary memory on this machine. */
#define CLASSIC      "kernel.math=classic", "cluster.local_memory=65536"
#define TABLE        "kernel.math=table", "cluster.local_memory=65536"
#define SNUCL        "mode=mimd", "mimd.coalescing=snucl"
#define MODERN       "mode=mimd", "mimd.coalescing=modern"
#define POLICY(name) "simt.pc_policy=" name
#define LANES(name)  "simt.lane_map=" name
#define COMPACTED    "simt.mitigation=slp"
/* Compiles priority operations for all policies, although only ICS-First reads them, since the paper does not
 * mention different binaries. */
#define SAME_BINARY "simt.priority_operations=all"
/* A miss of the L2 costs twice as much as a hit. */
#define NEAR "mem.latency=8", "mem.bandwidth=1024"
#define NEON "cluster.isa=neon"
/* Fields of configs/in-order-2.yaml, out-of-order-3.yaml and dual-mode-superscalar.yaml; the last one also
 * with fewer instructions in the lanes and fewer read ports. */
#define OF_IN_ORDER     SNUCL, "core.kind=in_order"
#define OF_OUT_OF_ORDER SNUCL, "core.kind=out_of_order", "core.issue_width=3", "core.front_stages=15"
#define WIDE_CORES      "core.kind=in_order", "core.issue_width=3"
#define OF_WARPS(instructions, ports)                                                                        \
    WIDE_CORES, "simt.multi_issue=warps", "simt.issue_width=" instructions, "simt.collectors=6",             \
        "tpm.read_ports=" ports
/* configs/dual-mode-32xLANES.yaml */
#define WIDTH(clusters, lanes)                                                                               \
    CLASSIC, "cluster.count=" clusters, "cluster.lanes=" lanes, "directory.hop=10", "directory.latency=8",   \
        "directory.occupancy=1"

static const struct figures_variant variants[] = {
    [SIMT] = {"SIMT", {CLASSIC}},
    [SIMT_TABLE] = {"SIMT, table", {TABLE}},
    [MIMD_SNUCL] = {"MIMD, snucl", {CLASSIC, SNUCL}},
    [MIMD_MODERN] = {"MIMD, modern", {CLASSIC, MODERN}},
    [MIMD_SNUCL_TABLE] = {"MIMD, snucl, table", {TABLE, SNUCL}},
    [MIMD_MODERN_TABLE] = {"MIMD, modern, table", {TABLE, MODERN}},
    [AUTO_SNUCL] = {"auto, snucl", {CLASSIC, "mode=auto", "mimd.coalescing=snucl"}},
    [AUTO_MODERN] = {"auto, modern", {CLASSIC, "mode=auto", "mimd.coalescing=modern"}},
    [SIMT_CHANGED] = {"SIMT, changed", {CLASSIC}, .changed = 1},
    [MIMD_CHANGED] = {"MIMD, snucl, changed", {CLASSIC, SNUCL}, .changed = 1},
    [MODERN_CHANGED] = {"MIMD, modern, changed", {CLASSIC, MODERN}, .changed = 1},
    [SIMT_SHIFTED] = {"SIMT, one group more", {CLASSIC}, .changed = 2},
    [MIMD_SHIFTED] = {"MIMD, snucl, one group more", {CLASSIC, SNUCL}, .changed = 2},
    [MIN_PC] = {"min_pc", {CLASSIC, POLICY("min_pc"), SAME_BINARY}},
    [FIRST_READY] = {"first_ready", {CLASSIC, POLICY("first_ready"), SAME_BINARY}},
    [MIN_PC_OWN] = {"min_pc, own binary", {CLASSIC, POLICY("min_pc")}},
    [FIRST_READY_OWN] = {"first_ready, own binary", {CLASSIC, POLICY("first_ready")}},
    [SLP] = {"slp, block", {CLASSIC, COMPACTED, LANES("block")}},
    [CYCLIC] = {"cyclic", {CLASSIC, LANES("cyclic")}},
    [CYCLIC_SLP] = {"slp, cyclic", {CLASSIC, COMPACTED, LANES("cyclic")}},
    [BALANCED] = {"balanced", {CLASSIC, LANES("balanced")}},
    [BALANCED_SLP] = {"slp, balanced", {CLASSIC, COMPACTED, LANES("balanced")}},
    [ANY] = {"slp, any lane", {CLASSIC, COMPACTED, "simt.lane_map=block", "simt.slp=any"}},
    [DPE] = {"dpe", {CLASSIC, "simt.mitigation=dpe", LANES("block")}},
    [ALT] = {"alt", {CLASSIC, "simt.mitigation=alt", LANES("block")}},
    [WIDTH_2] = {"16 clusters of 2", {WIDTH("16", "2")}},
    [WIDTH_4] = {"8 clusters of 4", {WIDTH("8", "4")}},
    [WIDTH_8] = {"4 clusters of 8", {WIDTH("4", "8")}},
    [WIDTH_16] = {"2 clusters of 16", {WIDTH("2", "16")}},
    [OPENMP] = {"OpenMP", {CLASSIC, MODERN}, .changed = 3},
    [OPENMP_NEAR] = {"OpenMP, memory near", {CLASSIC, MODERN, NEAR}, .changed = 3},
    [MIMD_NEAR] = {"MIMD, snucl, memory near", {CLASSIC, SNUCL, NEAR}},
    [MODERN_NEAR] = {"MIMD, modern, memory near", {CLASSIC, MODERN, NEAR}},
    [SIMT_NEAR] = {"SIMT, memory near", {CLASSIC, NEAR}},
    [SIMT_VECTORS] = {"SIMT, vectors", {CLASSIC, NEON}, .changed = 4},
    [MIMD_VECTORS] = {"MIMD, snucl, vectors", {CLASSIC, SNUCL, NEON}, .changed = 4},
    [MODERN_VECTORS] = {"MIMD, modern, vectors", {CLASSIC, MODERN, NEON}, .changed = 4},
    [SIMT_BY_VFP] = {"SIMT, vectors by VFP", {CLASSIC}, .changed = 4},
    [MIMD_BY_VFP] = {"MIMD, snucl, vectors by VFP", {CLASSIC, SNUCL}, .changed = 4},
    [MODERN_BY_VFP] = {"MIMD, modern, vectors by VFP", {CLASSIC, MODERN}, .changed = 4},
    [SIMT_IN_A_ROW] = {"SIMT, vectors in a row", {CLASSIC, NEON}, .changed = 5},
    [MIMD_IN_A_ROW] = {"MIMD, snucl, vectors in a row", {CLASSIC, SNUCL, NEON}, .changed = 5},
    [SIMT_SAME_GROUPS] = {"SIMT, vectors, groups as large", {CLASSIC, NEON}, .changed = 6},
    [MIMD_SAME_GROUPS] = {"MIMD, snucl, vectors, groups as large", {CLASSIC, SNUCL, NEON}, .changed = 6},
    [IN_ORDER] = {"in order", {CLASSIC, OF_IN_ORDER}},
    [OUT_OF_ORDER] = {"out of order", {CLASSIC, OF_OUT_OF_ORDER}},
    [DUAL] = {"dual-mode superscalar", {CLASSIC, OF_WARPS("3", "2")}},
    [SIMT_IN_ORDER] = {"SIMT, start-up in order", {CLASSIC, WIDE_CORES}},
    [DUAL_TWO] = {"dual-mode superscalar, two instructions", {CLASSIC, OF_WARPS("2", "2")}},
    [DUAL_ROUNDS] = {"dual-mode superscalar, rounds",
                     {CLASSIC, WIDE_CORES, "simt.multi_issue=rounds", "tpm.read_ports=2"}},
    [DUAL_ONE_PORT] = {"dual-mode superscalar, one read port", {CLASSIC, OF_WARPS("3", "1")}},
};
CHECK_VARIANTS;

/* Programs of Table 4 whose inputs have one size. The second group has few barriers. */
#define SPARSE .second_group = true
#define INPUT(size)                                                                                          \
    { "--input", size, NULL }
#define REGIONS                                                                                              \
    { "--model", "openmp", NULL }
#define VECTORS                                                                                              \
    { "--vectors", "on", NULL }
#define IN_A_ROW                                                                                             \
    { "--vectors", "on", "--order", "sequential", NULL }
/* Work-groups of four times the program's own size: with vectors of four they have as many work-items as
 * before. */
#define SAME_GROUPS(group)                                                                                   \
    { "--vectors", "on", "--group", group, NULL }
#define SPLIT(name, size)                                                                                    \
    {                                                                                                        \
        name, INPUT(size), .changed = { [2] = REGIONS }                                                      \
    }
#define WIDE(name, size)                                                                                     \
    {                                                                                                        \
        name, INPUT(size), .changed = { [3] = VECTORS }                                                      \
    }
#define PROGRAMS(size, places, keys, shifted)                                                                \
    SPLIT("b_tree", size), SPLIT("backprop", size), WIDE("dwthaar1d", size), {"fdtd3d", INPUT(size)},        \
        {"hotspot_pyramid", INPUT(size), .changed = {[2] = REGIONS, [3] = VECTORS}}, SPLIT("lud", size),     \
        {"matrixmul", INPUT(size), .changed = {{"--local", "off", NULL}, [3] = VECTORS}},                    \
        WIDE("nbody", size), SPLIT("nw", size), SPLIT("pathfinder", size), WIDE("reduction_uint4", size),    \
        {"bfs_frontier", INPUT(size), SPARSE, .changed = {[2] = REGIONS}},                                   \
        {"bitonic_sort",                                                                                     \
         {"--log2-count", keys, "--group", "256", NULL},                                                     \
         SPARSE,                                                                                             \
         .changed = {[3] = VECTORS, [5] = SAME_GROUPS("1024")}},                                             \
        {"black_scholes", INPUT(size), SPARSE,                                                               \
         .changed = {{"--order", "sequential", NULL},                                                        \
                     {"--items", shifted, NULL},                                                             \
                     [3] = VECTORS,                                                                          \
                     [4] = IN_A_ROW,                                                                         \
                     [5] = SAME_GROUPS("512")}},                                                             \
        {"cfd", INPUT(size), SPARSE, .changed = {[2] = REGIONS}},                                            \
        {"dotproduct", INPUT(size), SPARSE, .changed = {[3] = VECTORS}}, {"gaussian", INPUT(size), SPARSE},  \
        {"kmeans", INPUT(size), SPARSE, .changed = {{"--swap", "off", NULL}, [2] = REGIONS, [3] = VECTORS}}, \
        {"lavamd", INPUT(size), SPARSE, .changed = {[2] = REGIONS}},                                         \
        {"nearest_neighbors",                                                                                \
         {"--places", places, "--group", "64", NULL},                                                        \
         SPARSE,                                                                                             \
         .changed = {[2] = REGIONS, [3] = VECTORS, [5] = SAME_GROUPS("256")}},                               \
        {"particlefilter", INPUT(size), SPARSE, .changed = {[2] = REGIONS}}, {                               \
        "srad", INPUT(size), SPARSE, .changed = { [2] = REGIONS }                                            \
    }

static const struct figures_benchmark small[] = {PROGRAMS("small", "16384", "14", "4224")};
static const struct figures_benchmark full[] = {PROGRAMS("full", "42764", "16", "61568")};

/* --- values of a run --- */

/* Returns the instructions of kernels, without start-up code. In MIMD mode each cycle with cause "issue" is
 * one of them. */
static double instructions(const struct figures_run *r) {
    double sum = figures_run_sum(r, ".cycles", "issue");
    for (size_t n = 0; n < r->launch_count; n++) sum += (double)r->launches[n].thread_instructions;
    return sum;
}
static double memory_instructions(const struct figures_run *r) {
    return figures_run_sum(r, "", "memory_instructions");
}
static double arrivals(const struct figures_run *r) {
    return figures_run_sum(r, "", "barrier_arrivals");
}
static double bpki(const struct figures_run *r) {
    return 1000 * arrivals(r) / instructions(r);
}

/* --- series --- */

/* Increase of a value of variant v over SIMT mode in percent. */
#define MORE(n, v, function, p)                                                                              \
    { .series = {n, p}, .variant = v, .base = SIMT, .of = function }
#define MORE_THAN(b, n, v, function)                                                                         \
    { .series = {n, NAN}, .variant = v, .base = b, .of = function }
#define OF(n, v, function)                                                                                   \
    { .series = {n, NAN}, .variant = v, .base = v, .of = function }

static const struct figures_series modes_instructions[] = {MORE("snucl", MIMD_SNUCL, instructions, NAN),
                                                           MORE("modern", MIMD_MODERN, instructions, NAN)};
static const struct figure_known instructions_known[] = {{"barriers", 0, 137}};
static const struct figures_series modes_memory[] = {MORE("snucl", MIMD_SNUCL, memory_instructions, NAN),
                                                     MORE("modern", MIMD_MODERN, memory_instructions, NAN)};
static const struct figure_known memory_known[] = {{"barriers", 0, 264}, {"nbody", 0, 613}};
static const struct figures_series modes_time[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "snucl", SIMT, 52), SPEED_UP_OVER(MIMD_MODERN, "modern", SIMT, NAN),
    SPEED_UP_OVER(MIMD_SNUCL_TABLE, "snucl, table", SIMT_TABLE, NAN),
    SPEED_UP_OVER(MIMD_MODERN_TABLE, "modern, table", SIMT_TABLE, NAN)};
static const struct figures_series chosen[] = {SPEED_UP_OVER(SIMT, "snucl, over SIMT", AUTO_SNUCL, 4.57),
                                               SPEED_UP_OVER(MIMD_SNUCL, "over MIMD", AUTO_SNUCL, 59.74),
                                               SPEED_UP_OVER(SIMT, "modern, over SIMT", AUTO_MODERN, NAN),
                                               SPEED_UP_OVER(MIMD_MODERN, "over MIMD", AUTO_MODERN, NAN)};
static const struct figure_known time_known[] = {
    {"barriers", 0, 92}, {"black_scholes", 0, 400}, {"particlefilter", 0, 74}};

static const struct figures_series changed[] = {
    SPEED_UP_OVER(SIMT, "SIMT", SIMT_CHANGED, NAN),
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, snucl", MIMD_CHANGED, NAN),
    SPEED_UP_OVER(MIMD_MODERN, "MIMD, modern", MODERN_CHANGED, NAN),
    SPEED_UP_OVER(MIMD_CHANGED, "SIMT over MIMD, changed", SIMT_CHANGED, NAN)};
/* The paper's time of kmeans in SIMT mode without the swap is 12 % longer. */
static const struct figure_known changed_known[] = {{"matrixmul", 0, 57},     {"matrixmul", 1, 116},
                                                    {"kmeans", 0, -10.7},     {"kmeans", 1, 61},
                                                    {"black_scholes", 0, 84}, {"black_scholes", 1, 617}};
static const char *const changed_rows[] = {"matrixmul", "kmeans", "black_scholes", NULL};
static const struct figures_series shifted[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "as it is", SIMT, NAN),
    SPEED_UP_OVER(MIMD_SHIFTED, "one group more", SIMT_SHIFTED, NAN)};
static const char *const shifted_rows[] = {"black_scholes", NULL};

static const struct figures_series policies[] = {
    SPEED_UP_OVER(SIMT, "min_pc", MIN_PC, 0.8),
    SPEED_UP_OVER(SIMT, "first_ready", FIRST_READY, -17),
    SPEED_UP_OVER(SIMT, "min_pc, own binary", MIN_PC_OWN, NAN),
    SPEED_UP_OVER(SIMT, "first_ready, own binary", FIRST_READY_OWN, NAN),
};
/* In the paper the programs take 8.3 and 3.1 times as long without any rule. */
static const struct figure_known policies_known[] = {{"black_scholes", 1, -88.0}, {"lavamd", 1, -67.7}};
static const struct figures_series mitigation[] = {
    SPEED_UP_OVER(SIMT, "slp, balanced", BALANCED_SLP, 2.5),
    SPEED_UP_OVER(SIMT, "balanced alone", BALANCED, NAN),
    SPEED_UP_OVER(SIMT, "slp, cyclic", CYCLIC_SLP, NAN),
    SPEED_UP_OVER(SIMT, "cyclic alone", CYCLIC, NAN),
    SPEED_UP_OVER(SIMT, "slp, block", SLP, NAN),
    SPEED_UP_OVER(SIMT, "slp, any lane", ANY, NAN),
    SPEED_UP_OVER(SIMT, "dpe", DPE, NAN),
    SPEED_UP_OVER(SIMT, "alt", ALT, 2.6),
};
static const struct figures_series compaction[] = {
    SPEED_UP_OVER(SIMT, "block", SLP, NAN),
    SPEED_UP_OVER(CYCLIC, "cyclic", CYCLIC_SLP, NAN),
    SPEED_UP_OVER(BALANCED, "balanced", BALANCED_SLP, NAN),
};

static const struct figures_series widths[] = {SPEED_UP_OVER(WIDTH_4, "2 lanes", WIDTH_2, NAN),
                                               SPEED_UP_OVER(WIDTH_4, "8 lanes", WIDTH_8, NAN),
                                               SPEED_UP_OVER(WIDTH_4, "16 lanes", WIDTH_16, NAN)};
/* In the paper the programs take 2.42 and 4.33 times as long. */
static const struct figure_known widths_known[] = {{"hotspot_pyramid", 0, -58.7}, {"matrixmul", 0, -76.9}};

/* The paper's values: OpenCL saves 25 % and 45 % of the time. */
static const struct figures_series models[] = {SPEED_UP_OVER(OPENMP, "MIMD, snucl", MIMD_SNUCL, 33.3),
                                               SPEED_UP_OVER(OPENMP, "MIMD, modern", MIMD_MODERN, NAN),
                                               SPEED_UP_OVER(OPENMP, "SIMT", SIMT, 81.8)};
static const struct figures_series model_instructions[] = {
    MORE_THAN(OPENMP, "MIMD, snucl", MIMD_SNUCL, instructions),
    MORE_THAN(OPENMP, "MIMD, modern", MIMD_MODERN, instructions),
    MORE_THAN(OPENMP, "SIMT", SIMT, instructions)};
static const struct figures_series models_near[] = {
    SPEED_UP_OVER(OPENMP_NEAR, "MIMD, snucl", MIMD_NEAR, NAN),
    SPEED_UP_OVER(OPENMP_NEAR, "MIMD, modern", MODERN_NEAR, NAN),
    SPEED_UP_OVER(OPENMP_NEAR, "SIMT", SIMT_NEAR, NAN),
    SPEED_UP_OVER(OPENMP, "OpenMP, over itself", OPENMP_NEAR, NAN)};
static const char *const model_rows[] = {"b_tree", "backprop",   "hotspot_pyramid",   "lud",
                                         "nw",     "pathfinder", "bfs_frontier",      "cfd",
                                         "kmeans", "lavamd",     "nearest_neighbors", "particlefilter",
                                         "srad",   NULL};

/* The paper's values for vectors: MIMD and SIMT mode are "improved by" 39 % and 21 %. */
static const struct figures_series vectors[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, snucl", MIMD_VECTORS, 39),
    SPEED_UP_OVER(MIMD_MODERN, "MIMD, modern", MODERN_VECTORS, NAN),
    SPEED_UP_OVER(SIMT, "SIMT", SIMT_VECTORS, 21),
    SPEED_UP_OVER(MIMD_VECTORS, "SIMT over MIMD, snucl", SIMT_VECTORS, 71),
    SPEED_UP_OVER(MODERN_VECTORS, "over modern", SIMT_VECTORS, NAN)};
static const struct figure_known vectors_known[] = {{"black_scholes", 0, 340},   {"black_scholes", 2, 150},
                                                    {"dotproduct", 0, 0},        {"dotproduct", 2, 0},
                                                    {"nearest_neighbors", 0, 0}, {"nearest_neighbors", 2, 0}};
static const struct figures_series vectors_split[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "snucl: four each", MIMD_BY_VFP, NAN),
    SPEED_UP_OVER(MIMD_BY_VFP, "snucl: NEON", MIMD_VECTORS, NAN),
    SPEED_UP_OVER(MIMD_MODERN, "modern: four each", MODERN_BY_VFP, NAN),
    SPEED_UP_OVER(MODERN_BY_VFP, "modern: NEON", MODERN_VECTORS, NAN),
    SPEED_UP_OVER(SIMT, "SIMT: four each", SIMT_BY_VFP, NAN),
    SPEED_UP_OVER(SIMT_BY_VFP, "SIMT: NEON", SIMT_VECTORS, NAN)};
static const char *const vector_rows[] = {"dwthaar1d",
                                          "hotspot_pyramid",
                                          "matrixmul",
                                          "nbody",
                                          "reduction_uint4",
                                          "bitonic_sort",
                                          "black_scholes",
                                          "dotproduct",
                                          "kmeans",
                                          "nearest_neighbors",
                                          NULL};
static const struct figures_series same_groups[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, a quarter", MIMD_VECTORS, NAN),
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, as large", MIMD_SAME_GROUPS, NAN),
    SPEED_UP_OVER(SIMT, "SIMT, a quarter", SIMT_VECTORS, NAN),
    SPEED_UP_OVER(SIMT, "SIMT, as large", SIMT_SAME_GROUPS, NAN)};
static const char *const same_group_rows[] = {"bitonic_sort", "black_scholes", "nearest_neighbors", NULL};
static const struct figures_series in_a_row[] = {
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, stride kept", MIMD_VECTORS, NAN),
    SPEED_UP_OVER(MIMD_SNUCL, "MIMD, in a row", MIMD_IN_A_ROW, 340),
    SPEED_UP_OVER(MIMD_CHANGED, "MIMD, in a row before", MIMD_IN_A_ROW, NAN),
    SPEED_UP_OVER(SIMT, "SIMT, stride kept", SIMT_VECTORS, NAN),
    SPEED_UP_OVER(SIMT, "SIMT, in a row", SIMT_IN_A_ROW, 150),
    SPEED_UP_OVER(SIMT_CHANGED, "SIMT, in a row before", SIMT_IN_A_ROW, NAN)};

/* The paper's values: dual-mode takes 1 / 1.85 of the time in order, and 1 / 1.40 of the time out of order.
 * With many barriers it takes 1 / 2.70 and 1 / 1.84. */
static const struct figures_series superscalar[] = {
    SPEED_UP_OVER(IN_ORDER, "out of order", OUT_OF_ORDER, 32),
    SPEED_UP_OVER(IN_ORDER, "dual-mode superscalar", DUAL, 85),
    SPEED_UP_OVER(OUT_OF_ORDER, "over out of order", DUAL, 40)};
static const struct figure_known superscalar_known[] = {{"barriers", 1, 170}, {"barriers", 2, 84}};
static const struct figures_series superscalar_split[] = {
    SPEED_UP_OVER(IN_ORDER, "SIMT", SIMT, NAN),
    SPEED_UP_OVER(SIMT, "start-up in order", SIMT_IN_ORDER, NAN),
    SPEED_UP_OVER(SIMT_IN_ORDER, "rounds", DUAL_ROUNDS, NAN),
    SPEED_UP_OVER(SIMT_IN_ORDER, "two warps", DUAL_TWO, NAN),
    SPEED_UP_OVER(SIMT_IN_ORDER, "three warps", DUAL, NAN),
    SPEED_UP_OVER(SIMT_IN_ORDER, "three, one read port", DUAL_ONE_PORT, NAN)};

static const struct figures_series barriers[] = {OF("work-items", SIMT, arrivals)};
static const struct figure_known barriers_known[] = {{"b_tree", 0, 13056000},
                                                     {"backprop", 0, 10485760},
                                                     {"dwthaar1d", 0, 623552},
                                                     {"fdtd3d", 0, 4194304},
                                                     {"hotspot_pyramid", 0, 7573504},
                                                     {"lud", 0, 333056},
                                                     {"matrixmul", 0, 128000},
                                                     {"nbody", 0, 81920},
                                                     {"nw", 0, 8587264},
                                                     {"particlefilter", 0, 1092096},
                                                     {"pathfinder", 0, 4569660},
                                                     {"reduction_uint4", 0, 21201920}};
static const struct figures_series per_thousand[] = {OF("BPKI", SIMT, bpki)};
static const struct figure_known per_thousand_known[] = {{"b_tree", 0, 45.85},
                                                         {"backprop", 0, 46.26},
                                                         {"dwthaar1d", 0, 62.09},
                                                         {"fdtd3d", 0, 16.19},
                                                         {"hotspot_pyramid", 0, 13.5},
                                                         {"lud", 0, 4.32},
                                                         {"matrixmul", 0, 11.4},
                                                         {"nbody", 0, 2.5},
                                                         {"nw", 0, 43.29},
                                                         {"particlefilter", 0, 0.27},
                                                         {"pathfinder", 0, 38.03},
                                                         {"reduction_uint4", 0, 38.28}};
static const char *const with_barriers[] = {
    "b_tree", "backprop", "dwthaar1d",      "fdtd3d",     "hotspot_pyramid", "lud", "matrixmul",
    "nbody",  "nw",       "particlefilter", "pathfinder", "reduction_uint4", NULL};

/* --- figures --- */

static const struct figures_definition figures[] = {
    {{GAINS("fig1", "Kernel instructions of MIMD mode over SIMT mode's (Figs. 1, 11)", "% more",
            modes_instructions),
      KNOWN(instructions_known), .note = NOTE_INSTRUCTIONS},
     modes_instructions},
    {{GAINS("fig11", "Memory instructions of MIMD mode over SIMT mode's (section 5.2)", "% more",
            modes_memory),
      KNOWN(memory_known), .note = NOTE_MEMORY},
     modes_memory},
    {{FASTER("fig10", "SIMT mode over MIMD mode (Fig. 10)", modes_time), KNOWN(time_known),
      .note = NOTE_TIME},
     modes_time},
    {{FASTER("fig10auto", "The mode that is chosen for each launch (Fig. 10)", chosen), .note = NOTE_CHOSEN},
     chosen},
    {{FASTER("fig12", "Kernels without what was made for GPUs, over the same mode with it (Fig. 12)",
             changed),
      KNOWN(changed_known), .rows = changed_rows, .note = NOTE_CHANGED},
     changed},
    {{FASTER("fig12stride", "SIMT over MIMD mode as it is, and with one work-group more (section 5.2)",
             shifted),
      .rows = shifted_rows, .note = NOTE_STRIDE},
     shifted},
    {{FASTER("fig13a", "Policies of the warp PC over ICS-First (Fig. 13(a))", policies),
      KNOWN(policies_known), .note = NOTE_POLICIES},
     policies},
    {{FASTER("fig13b", "Mitigations over ICS-First (Fig. 13(b))", mitigation), .note = NOTE_MITIGATION},
     mitigation},
    {{FASTER("fig13slp", "Lane permutation over the same lane map without it", compaction),
      .note = NOTE_ROUNDS},
     compaction},
    {{FASTER("fig14", "32 cores in clusters of 2, 8 and 16, over clusters of 4 (Fig. 14)", widths),
      KNOWN(widths_known), .note = NOTE_WIDTHS},
     widths},
    {{FASTER("fig15", "OpenCL over OpenMP's way of splitting the work (Fig. 15)", models), .rows = model_rows,
      .note = NOTE_MODELS},
     models},
    {{GAINS("fig15instructions", "Kernel instructions of OpenCL over OpenMP's", "% more", model_instructions),
      .rows = model_rows, .note = NOTE_MODEL_INSTRUCTIONS},
     model_instructions},
    {{FASTER("fig15near", "OpenCL over OpenMP's way, memory as near as an L2", models_near),
      .rows = model_rows, .note = NOTE_MODELS_NEAR},
     models_near},
    {{FASTER("fig16", "Kernels vectorised by hand over those that are not (Fig. 16)", vectors),
      KNOWN(vectors_known), .rows = vector_rows, .note = NOTE_VECTORS},
     vectors},
    {{FASTER("fig16split", "What four a work-item bring without Advanced SIMD, and its instructions then",
             vectors_split),
      .rows = vector_rows, .note = NOTE_VECTORS_SPLIT},
     vectors_split},
    {{FASTER("fig16groups", "Vectors in work-groups of a quarter of the work-items, or of as many",
             same_groups),
      .rows = same_group_rows, .note = NOTE_SAME_GROUPS},
     same_groups},
    {{FASTER("fig16row", "Options of a work-item in a row, in vectors (section 5.5.1)", in_a_row),
      .rows = shifted_rows, .note = NOTE_IN_A_ROW},
     in_a_row},
    {{FASTER("fig17", "Superscalar machines over the one in order (Fig. 17)", superscalar),
      KNOWN(superscalar_known), .note = NOTE_SUPERSCALAR},
     superscalar},
    {{FASTER("fig17split", "Parts of the dual-mode superscalar machine, over the machine without them",
             superscalar_split),
      .note = NOTE_SUPERSCALAR_SPLIT},
     superscalar_split},
    {{FIGURE("table4barriers", "Barriers, once for each work-item that comes to one (Table 4)", "barriers", 0,
             barriers),
      KNOWN(barriers_known), .rows = with_barriers, .note = NOTE_BARRIERS},
     barriers},
    {{FIGURE("table4bpki", "Barriers in a thousand kernel instructions (Table 4)", "barriers", 2,
             per_thousand),
      KNOWN(per_thousand_known), .rows = with_barriers, .note = NOTE_BPKI},
     per_thousand},
};

/* --- the report, on inputs of either size --- */

#define REPORT(n, size)                                                                                      \
    {                                                                                                        \
        .name = n,                                                                                           \
        .title = "SIMT and MIMD mode on the base machine, inputs " #size                                     \
                 " (Chen and Chen, TACO 2018, measured the same 22 programs in SystemC)",                    \
        .benchmarks = size, .benchmark_count = COUNT(size), .variants = variants,                            \
        .variant_count = COUNT(variants), .figures = figures, .figure_count = COUNT(figures),                \
        .group_names = {                                                                                     \
            "barriers",                                                                                      \
            "few barriers"                                                                                   \
        }                                                                                                    \
    }

const struct figures_paper figures_dual_mode = REPORT("dual-mode", small);
const struct figures_paper figures_dual_mode_full = REPORT("dual-mode-full", full);
