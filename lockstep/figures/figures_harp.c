/* The figures of Lashgar et al., HARP: Harnessing Inactive Threads in Many-Core Processors. */
#include "lockstep/figures/figures_words.h"

enum {
    SBR,
    LWM,
    DWF,
    HARP,
    ORACLE,
    SBR_DEEP,
    HARP_DEEP,
    SBR_NARROW,
    HARP_NARROW,
    SBR_WIDE,
    HARP_WIDE,
    BARRIERS_16,
    BARRIERS_32,
    BARRIERS_64,
    READY_4,
    WAITING_4,
    STAGES_2,
    STAGES_4,
    FIRST_OF_DESIGN, /* runs of Table 6, each with sbr and harp */
};

#define NOTE_PERFORMANCE                                                                                     \
    "HARP gains over dwf and lwm what the paper's does. Over the stack it gains nothing here, where "        \
    "the paper's gains 10 %. The MUMmer programs, for which HARP is best in the paper, are missing. "        \
    "Threads seldom join others: 2.5 % of the threads of all instructions do in bfs, 0.1 % in "              \
    "path_finder and n_queens, next to none elsewhere (harp0.ready_merged, harp0.waiting_merged). "          \
    "Experiments: (1) One scheduler instead of two changes nothing. (2) matrix_multiply loses since "        \
    "warps of 16 ask for its rows in halves, and main memory opens 24 % more of them; if opening one "       \
    "is free (dram.ras, rcd, rp, rc and rrd 1), HARP and the stack differ by 0.03 %. (3) With 8 lanes "      \
    "it loses 27 %, with memory that answers at once 6.8 %. (4) bfs needs threads to hide its loads: "       \
    "with the paper's 4,096 nodes HARP loses 6 % though it takes a third fewer rounds; if the L2 "           \
    "answers at once (l2.latency 1) it loses 0.6 %. (5) With 16,384 nodes bfs gains 1.6 %, with "            \
    "32,768 5.5 %. (6) Larger lookup tables change nothing in n_queens. The rest of the difference is "      \
    "unknown. As in the paper dwf loses where threads that have parted should meet (needleman_wunsch, "      \
    "laplace3d, ray_tracing; fig13), and HARP does not."
#define NOTE_DEPTH                                                                                           \
    "Of the cycles in which an SM has a work-group. A load or store of several registers counts once. "      \
    "dwf's depth is high where its width is low (needleman_wunsch, ray_tracing): the same code is executed " \
    "by more and narrower warps. lwm has the fewest warps, whose threads all wait for the slowest."
#define NOTE_WIDTH                                                                                           \
    "As in the paper: no engine is above the oracle, lwm is the widest engine, HARP is near the stack "      \
    "or above, and dwf is below it where it forgoes meeting, most in needleman_wunsch. bfs is fuller "       \
    "with lwm and HARP. In n_queens the oracle could fill 83 % of the lanes, and HARP fills no more "        \
    "than the stack: its stacks are in local memory, whose accesses join no threads. The oracle joins "      \
    "threads that are never there at one time."
#define NOTE_IDLE                                                                                            \
    "In cycles of a scheduler with threads that issues nothing. As in the paper most threads wait for "      \
    "their instruction, usually a load. Exceptions are n_queens, whose threads leave its loop at "           \
    "different turns, and bfs, where one side waits for the loads of the other: the stack keeps 64 "         \
    "and 57 % of their threads (the paper's most are 37 %, in MUMmer). Threads that are ready could "        \
    "be selected, but the next stage is taken."
#define NOTE_PARTED                                                                                          \
    "Of all threads, where the paper's figure is over sbr's. As there lwm keeps more threads waiting than "  \
    "the stack, and HARP fewer: it sets both sides of a branch going at once (bfs, laplace3d). In n_queens " \
    "and ray_tracing threads wait where they meet, which HARP does not change."
#define NOTE_SENSITIVITY                                                                                     \
    "As the paper says, HARP is better with narrow lanes and short pipelines. With 8 lanes its warps are "   \
    "a quarter of the stack's, and n_queens, needleman_wunsch and ray_tracing gain most. matrix_multiply "   \
    "loses there since a warp of 8 asks for half a line: four times the requests, twice the transactions "   \
    "(39,456 for 19,728), 42 % more rows opened; with memory that answers at once (l2.latency and "          \
    "icnt.latency 1, rows that open for nothing) it loses 6.8 % and not 26.6 %. With 32 lanes HARP's "       \
    "warps are no smaller than the stack's, and alone a warp issues every 9 cycles, one more than a warp "   \
    "of the stack in one round."
#define NOTE_BARRIERS                                                                                        \
    "As in the paper a table of 16 or 32 barriers is enough for programs with little divergence. Here only " \
    "path_finder and n_queens change with it: n_queens gains by 64 and 128, path_finder is best with 16. "   \
    "Counters harp0.missed and harp0.shared say how often a thread found no barrier, or one of another "     \
    "warp."
#define NOTE_TABLES                                                                                          \
    "Over HARP with lookups of 8 entries and a table of barriers that answers in one cycle. The paper's "    \
    "table takes 0.63 ns, so its pipelining is a pessimistic case there."
#define NOTE_DESIGN                                                                                          \
    "As in the paper SIMD width decides, and HARP loses with wide lanes; docs/divergence.md has the "        \
    "effects (scripts/design-effects). The design cannot tell the effect of the L2 from that of depth "      \
    "and width together. This machine has no texture cache, whose column is what the others leave: "         \
    "effects below 0.004 say nothing."

#define ENGINE(name) "simt.divergence=" name
#define DEPTH        "simt.pipeline_depth=16"
#define LANES(n)     "cluster.lanes=" n, "cluster.ldst_lanes=" n
#define BARRIERS(n)  "harp.barriers=" n
#define WIDE         "cluster.lanes=32", "cluster.ldst_lanes=32"
#define L1D          "l1d.size=98304"
#define CONSTANT     "constant.size=16384"
#define L2           "l2.size=262144"
#define THREADS      "cluster.threads=3072", "vrf.registers=65536", "local.bytes=65536", "cluster.groups=32"
#define TEXT(...)    #__VA_ARGS__
/* Sizes are doubled in their sets. */
#define RUN(n, ...)                                                                                          \
    [FIRST_OF_DESIGN + 2 * (n)-2] = {TEXT(sbr run n), {"simt.divergence=sbr", __VA_ARGS__}},                 \
                           [FIRST_OF_DESIGN + 2 * (n)-1] = {TEXT(harp run n),                                \
                                                            {"simt.divergence=harp", __VA_ARGS__}}

static const struct figures_variant variants[] = {
    [SBR] = {"sbr", {ENGINE("sbr")}, .idle = true},
    [LWM] = {"lwm", {ENGINE("lwm")}, .idle = true},
    [DWF] = {"dwf", {ENGINE("dwf")}},
    [HARP] = {"harp", {ENGINE("harp")}, .idle = true},
    [ORACLE] = {"oracle", {ENGINE("oracle")}},
    [SBR_DEEP] = {"sbr, 16 stages", {ENGINE("sbr"), DEPTH}},
    [HARP_DEEP] = {"harp, 16 stages", {ENGINE("harp"), DEPTH}},
    [SBR_NARROW] = {"sbr, 8 lanes", {ENGINE("sbr"), LANES("8")}},
    [HARP_NARROW] = {"harp, 8 lanes", {ENGINE("harp"), LANES("8")}},
    [SBR_WIDE] = {"sbr, 32 lanes", {ENGINE("sbr"), LANES("32")}},
    [HARP_WIDE] = {"harp, 32 lanes", {ENGINE("harp"), LANES("32")}},
    [BARRIERS_16] = {"harp, 16 barriers", {ENGINE("harp"), BARRIERS("16")}},
    [BARRIERS_32] = {"harp, 32 barriers", {ENGINE("harp"), BARRIERS("32")}},
    [BARRIERS_64] = {"harp, 64 barriers", {ENGINE("harp"), BARRIERS("64")}},
    [READY_4] = {"harp, ready lookup of 4", {ENGINE("harp"), "harp.ready_lookup=4"}},
    [WAITING_4] = {"harp, waiting lookup of 4", {ENGINE("harp"), "harp.waiting_lookup=4"}},
    [STAGES_2] = {"harp, barriers in 2 stages", {ENGINE("harp"), "harp.barrier_stages=2"}},
    [STAGES_4] = {"harp, barriers in 4 stages", {ENGINE("harp"), "harp.barrier_stages=4"}},
    RUN(1, DEPTH, CONSTANT, WIDE, THREADS),
    RUN(2, DEPTH, L1D, L2, THREADS),
    RUN(3, DEPTH, L1D, WIDE),
    RUN(4, L1D, CONSTANT, THREADS),
    RUN(5, DEPTH, CONSTANT, L2),
    RUN(6, L1D, CONSTANT, L2, WIDE),
    RUN(7, L2, WIDE, THREADS),
};
CHECK_VARIANTS;

static const struct figures_benchmark benchmarks[] = {
    {"n_queens", {"--input", "medium", NULL}},
    {"needleman_wunsch", {"--input", "medium", NULL}},
    {"path_finder", {NULL}, OURS},
    {"bfs", {"--nodes", "4096", NULL}},
    {"back_propagation", {NULL}},
    {"hotspot", {NULL}},
    {"laplace3d", {NULL}},
    {"ray_tracing", {"--input", "medium", NULL}},
    {"fft", {"--input", "medium", NULL}, OURS},
    {"matrix_multiply", {NULL}},
    {"coulombic_potential", {NULL}},
    {"walsh_transform", {NULL}},
};

#define WIDTH(n, v)      RATIO(n, v, "thread_instructions", "lane_slots", NAN)
#define IDLE(n, v, what) RATIO(n, v, "idle." what, "idle.threads", NAN)
#define BUSY(n, v)       RATIO(n, v, "active_rounds", "scheduler_cycles", NAN)

static const struct figures_series performance[] = {
    SPEED_UP_OVER(SBR, "lwm", LWM, NAN),           SPEED_UP_OVER(SBR, "dwf", DWF, NAN),
    SPEED_UP_OVER(SBR, "harp", HARP, 10),          SPEED_UP_OVER(DWF, "harp over dwf", HARP, 7),
    SPEED_UP_OVER(LWM, "harp over lwm", HARP, 10),
};
static const struct figures_series depth[] = {BUSY("sbr", SBR), BUSY("lwm", LWM), BUSY("dwf", DWF),
                                              BUSY("harp", HARP)};
static const struct figures_series width[] = {
    WIDTH("sbr", SBR),
    WIDTH("lwm", LWM),
    WIDTH("dwf", DWF),
    WIDTH("harp", HARP),
    RATIO("oracle", ORACLE, "oracle.executions", "oracle.lane_slots", NAN),
};
static const struct figures_series idle[] = {
    IDLE("dependency", SBR, "dependent"), IDLE("barrier", SBR, "barrier"), IDLE("inactive", SBR, "inactive"),
    IDLE("meeting", SBR, "meeting"),      IDLE("ready", SBR, "ready"),
};
static const struct figures_series parted[] = {IDLE("sbr", SBR, "parted"), IDLE("lwm", LWM, "parted"),
                                               IDLE("harp", HARP, "parted")};
static const struct figures_series sensitivity[] = {
    SPEED_UP_OVER(SBR, "8 stages, 16 lanes", HARP, 10),
    SPEED_UP_OVER(SBR_DEEP, "16 stages", HARP_DEEP, NAN),
    SPEED_UP_OVER(SBR_NARROW, "8 lanes", HARP_NARROW, NAN),
    SPEED_UP_OVER(SBR_WIDE, "32 lanes", HARP_WIDE, -4),
};
static const struct figures_series barriers[] = {
    SPEED_UP_OVER(SBR, "16", BARRIERS_16, NAN), SPEED_UP_OVER(SBR, "32", BARRIERS_32, NAN),
    SPEED_UP_OVER(SBR, "64", BARRIERS_64, NAN), SPEED_UP_OVER(SBR, "128", HARP, 10),
    SPEED_UP_OVER(SBR, "dwf", DWF, NAN),
};

static const struct figures_series tables[] = {
    SPEED_UP_OVER(HARP, "ready lookup of 4", READY_4, -2),
    SPEED_UP_OVER(HARP, "waiting lookup of 4", WAITING_4, -6),
    SPEED_UP_OVER(HARP, "barriers in 2 stages", STAGES_2, -3),
    SPEED_UP_OVER(HARP, "barriers in 4 stages", STAGES_4, -8),
};

#define OF_RUN(n, paper) SPEED_UP_OVER(FIRST_OF_DESIGN + 2 * (n)-2, #n, FIRST_OF_DESIGN + 2 * (n)-1, paper)
static const struct figures_series design[] = {
    OF_RUN(1, 3),  OF_RUN(2, 9),  OF_RUN(3, 1),  OF_RUN(4, 9),
    OF_RUN(5, 10), OF_RUN(6, -4), OF_RUN(7, -3), SPEED_UP_OVER(SBR, "8", HARP, 10)};

static const struct figures_definition figures[] = {
    {{FIGURE("fig5", "What threads of sbr do while their scheduler issues nothing (Fig. 5)", "% of threads",
             1, idle),
      .note = NOTE_IDLE},
     idle},
    {{FASTER("fig11", "Performance over the re-convergence stack (Fig. 11)", performance),
      .note = NOTE_PERFORMANCE},
     performance},
    {{FIGURE("fig12",
             "Pipeline depth utilization: cycles of the lanes in which a thread is active (equation 1; Figs. "
             "3, 12)",
             "% of cycles", 1, depth),
      .note = NOTE_DEPTH},
     depth},
    {{FIGURE("fig13", "Pipeline width utilization: lane activity (equation 2; Figs. 4, 13)", "% of lanes", 1,
             width),
      .note = NOTE_WIDTH},
     width},
    {{FIGURE(
          "fig14",
          "Threads that wait for others from which they have parted, or to meet them, while their scheduler "
          "issues nothing (Fig. 14)",
          "% of threads", 1, parted),
      .note = NOTE_PARTED},
     parted},
    {{FASTER("fig15", "HARP over the stack on other machines (Fig. 15)", sensitivity),
      .note = NOTE_SENSITIVITY},
     sensitivity},
    {{FASTER("fig16", "HARP over the stack by the number of barriers (Fig. 16)", barriers),
      .note = NOTE_BARRIERS},
     barriers},
    {{FASTER("fig16tables", "HARP with smaller lookups and a pipelined table of barriers (section 7.3)",
             tables),
      .note = NOTE_TABLES},
     tables},
    {{FASTER("table6", "HARP over the stack in the runs of the Plackett-Burman design (Table 6)", design),
      .note = NOTE_DESIGN},
     design},
};

const struct figures_paper figures_harp = {
    .name = "harp",
    .title =
        "Divergence engines on fermi-like (Lashgar et al., HARP, measured 13 CUDA programs on GPGPU-Sim)",
    TABLES,
};
