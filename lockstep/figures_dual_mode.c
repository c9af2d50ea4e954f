/* Figure 13 of Chen and Chen, Enabling SIMT Execution Model on Homogeneous Multi-Core System. */
#include "lockstep/figures_words.h"

enum {
    ICS_FIRST,
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
    ALT
};

#define NOTE_POLICIES                                                                                        \
    "The machine's library for log and exp branches (kernel.math classic), as the paper's did. Where "       \
    "threads part in it ICS-First is 3.1 times as fast as no rule (black_scholes; the paper's 8.3), and "    \
    "Min-PC takes 8 % fewer cycles: its order is that of the code, whose blocks stand as the source has "    \
    "them. Where nothing is to be mended ICS-First pays for its priority operations, more than the "         \
    "paper's: with "                                                                                         \
    "simt.priority_operations off it is as fast as first_ready in reduction, back_propagation, dwt_haar, "   \
    "n_queens and bfs (their whole 13 to 19 %). In histogram threads try atomics again, and without the "    \
    "operations they do so 29 % longer. LavaMD, the paper's other program with a large gain, is missing."
#define NOTE_MITIGATION                                                                                      \
    "The five programs in which lanes are idle most (black_scholes, mandelbrot, ray_tracing, "               \
    "n_queens, bfs) gain 19 to 60 %, the nine others together 1.1 %: the paper's mean of 2.5 % is "          \
    "over programs of which few part much. A map that spreads threads costs scalar_product 20 % and "        \
    "vector_add 12 % by itself: neighbours access the same lines, each lane has an L2 of its own, and "      \
    "twice as many lines are fetched (144,000 for 70,000 in scalar_product); its 8 miss registers "          \
    "are full in 27 % of the cycles. With 32 (mem.mshrs) scalar_product loses 0.5 %. Any lane for any "      \
    "thread needs no map, but the network takes 4 cycles and loads stay in their lanes: no more than "       \
    "balanced. Two paths of a warp in flight bring nothing in general, as the paper says of "                \
    "dual-path execution: 15 other warps hide latencies already; histogram, whose threads try atomics "      \
    "again, gains 7.6 %. Alternate execution gains what the paper's does, most where "                       \
    "threads part in the library (black_scholes: 18 % of its thread-instructions are executed so). Who "     \
    "waits on a lower level does not take part: if all threads do, they never meet again, 93 % are "         \
    "executed so, and black_scholes takes 35 % more cycles than without."
#define NOTE_ROUNDS                                                                                          \
    "What compaction alone brings. With block neighbours, which part together, share a lane, and there is "  \
    "less to fill; cyclic and balanced differ little here."

/* The paper's divergent programs live on the math library of its time, which branches. */
#define MACHINE      "kernel.math=classic"
#define POLICY(name) "simt.pc_policy=" name
#define LANES(name)  "simt.lane_map=" name
#define COMPACTED    "simt.mitigation=slp"
/* With the priority operations that only ICS-First reads: the paper does not say that binaries differ. */
#define SAME_BINARY "simt.priority_operations=all"

static const struct figures_variant variants[] = {
    [ICS_FIRST] = {"ics_first", {MACHINE, POLICY("ics_first")}},
    [MIN_PC] = {"min_pc", {MACHINE, POLICY("min_pc"), SAME_BINARY}},
    [FIRST_READY] = {"first_ready", {MACHINE, POLICY("first_ready"), SAME_BINARY}},
    [MIN_PC_OWN] = {"min_pc, own binary", {MACHINE, POLICY("min_pc")}},
    [FIRST_READY_OWN] = {"first_ready, own binary", {MACHINE, POLICY("first_ready")}},
    [SLP] = {"slp, block", {MACHINE, COMPACTED, LANES("block")}},
    [CYCLIC] = {"cyclic", {MACHINE, LANES("cyclic")}},
    [CYCLIC_SLP] = {"slp, cyclic", {MACHINE, COMPACTED, LANES("cyclic")}},
    [BALANCED] = {"balanced", {MACHINE, LANES("balanced")}},
    [BALANCED_SLP] = {"slp, balanced", {MACHINE, COMPACTED, LANES("balanced")}},
    [ANY] = {"slp, any lane", {MACHINE, COMPACTED, LANES("block"), "simt.slp=any"}},
    [DPE] = {"dpe", {MACHINE, "simt.mitigation=dpe", LANES("block")}},
    [ALT] = {"alt", {MACHINE, "simt.mitigation=alt", LANES("block")}},
};
CHECK_VARIANTS;

static const struct figures_benchmark benchmarks[] = {
    {"black_scholes", {NULL}},
    {"mandelbrot", {"--size", "128", NULL}, OURS},
    {"ray_tracing", {NULL}, OURS},
    {"n_queens", {NULL}, OURS},
    {"bfs", {NULL}},
    {"needleman_wunsch", {NULL}},
    {"back_propagation", {NULL}},
    {"dwt_haar", {NULL}},
    {"histogram", {NULL}, OURS},
    {"path_finder", {NULL}},
    {"reduction", {NULL}},
    {"matrix_multiply", {NULL}},
    {"scalar_product", {NULL}, OURS},
    {"vector_add", {NULL}, OURS},
};

static const struct figures_series policies[] = {
    SPEED_UP_OVER(ICS_FIRST, "min_pc", MIN_PC, 0.8),
    SPEED_UP_OVER(ICS_FIRST, "first_ready", FIRST_READY, -17),
    SPEED_UP_OVER(ICS_FIRST, "min_pc, own binary", MIN_PC_OWN, NAN),
    SPEED_UP_OVER(ICS_FIRST, "first_ready, own binary", FIRST_READY_OWN, NAN),
};
/* Blackscholes without any rule takes 8.3 times as long. */
static const struct figure_known policies_known[] = {{"black_scholes", 1, -88.0}};
static const struct figures_series mitigation[] = {
    SPEED_UP_OVER(ICS_FIRST, "slp, balanced", BALANCED_SLP, 2.5),
    SPEED_UP_OVER(ICS_FIRST, "balanced alone", BALANCED, NAN),
    SPEED_UP_OVER(ICS_FIRST, "slp, cyclic", CYCLIC_SLP, NAN),
    SPEED_UP_OVER(ICS_FIRST, "cyclic alone", CYCLIC, NAN),
    SPEED_UP_OVER(ICS_FIRST, "slp, block", SLP, NAN),
    SPEED_UP_OVER(ICS_FIRST, "slp, any lane", ANY, NAN),
    SPEED_UP_OVER(ICS_FIRST, "dpe", DPE, NAN),
    SPEED_UP_OVER(ICS_FIRST, "alt", ALT, 2.6),
};
static const struct figures_series compaction[] = {
    SPEED_UP_OVER(ICS_FIRST, "block", SLP, NAN),
    SPEED_UP_OVER(CYCLIC, "cyclic", CYCLIC_SLP, NAN),
    SPEED_UP_OVER(BALANCED, "balanced", BALANCED_SLP, NAN),
};

static const struct figures_definition figures[] = {
    {{FASTER("fig13a", "Policies of the warp PC over ICS-First (Fig. 13(a))", policies),
      KNOWN(policies_known), .note = NOTE_POLICIES},
     policies},
    {{FASTER("fig13b", "Mitigations over ICS-First (Fig. 13(b))", mitigation), .note = NOTE_MITIGATION},
     mitigation},
    {{FASTER("fig13slp", "Lane permutation over the same lane map without it", compaction),
      .note = NOTE_ROUNDS},
     compaction},
};

const struct figures_paper figures_dual_mode = {
    .name = "dual-mode",
    .title = "Divergence on the base machine (Chen and Chen measured 22 programs in SystemC)",
    TABLES,
};
