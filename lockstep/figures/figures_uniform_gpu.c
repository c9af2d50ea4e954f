/* The figures of Xiang et al., Exploiting Uniform Vector Instructions (ICS 2013), on a similar machine. */
#include "lockstep/figures/figures_uniform.h"

enum {
    LANES_16 = OWN_VARIANTS,
    LANES_16_INTRA,
    LANES_16_INTER,
    LANES_16_BOTH,
    LANES_16_ALU,
    ROOM, /* more collectors for each unit: shows the loss in Fig. 5 without them */
    ROOM_INTRA,
    ROOM_INTER,
    ROOM_BOTH,
    FEW, /* few warps: one work-group in an SM, so that latencies are not hidden */
    FEW_INTRA,
    FEW_INTER,
    FEW_BOTH,
};

#define LANES_OF_16                                                                                          \
    "cluster.lanes=16", "cluster.ldst_lanes=16", "cluster.count=15" /* configs/gtx285-like-16.yaml */
#define COLLECTORS(n) "simt.collectors=" n

#define GROUPS(n) "cluster.groups=" n

static const struct figures_variant variants[] = {
    COMMON_VARIANTS,
    [LANES_16] = {"16 lanes", {STORAGE("none"), LANES_OF_16}},
    [LANES_16_INTRA] = {"16 lanes, intra", {"uniform.storage=token", INTRA, NO_INTER, LANES_OF_16}},
    [LANES_16_INTER] = {"16 lanes, inter", {"uniform.storage=token", NO_INTRA, INTER, LANES_OF_16}},
    [LANES_16_BOTH] = {"16 lanes, both", {"uniform.storage=token", INTRA, INTER, LANES_OF_16}},
    [LANES_16_ALU] = {"16 lanes, alu only",
                      {"uniform.storage=token", INTRA, NO_INTER, "uniform.intra_only=alu", LANES_OF_16}},
    [ROOM] = {"8 collectors", {STORAGE("none"), COLLECTORS("8")}},
    [ROOM_INTRA] = {"8 collectors, intra", {STORAGE("token"), INTRA, NO_INTER, COLLECTORS("8")}},
    [ROOM_INTER] = {"8 collectors, inter", {STORAGE("token"), NO_INTRA, INTER, COLLECTORS("8")}},
    [ROOM_BOTH] = {"8 collectors, both", {STORAGE("token"), INTRA, INTER, COLLECTORS("8")}},
    [FEW] = {"one group", {STORAGE("none"), GROUPS("1")}},
    [FEW_INTRA] = {"one group, intra", {STORAGE("token"), INTRA, NO_INTER, GROUPS("1")}},
    [FEW_INTER] = {"one group, inter", {STORAGE("token"), NO_INTRA, INTER, GROUPS("1")}},
    [FEW_BOTH] = {"one group, both", {STORAGE("token"), INTRA, INTER, GROUPS("1")}},
};
CHECK_VARIANTS;

static const struct figures_series ipc[] = {
    RATIO("none", BASE, "thread_instructions", NULL, NAN),
    RATIO("token, both", TOKEN, "thread_instructions", NULL, NAN),
};
static const struct figure_known ipc_known[] = {
    {"n_queens", 0, 89.3},        {"vector_add", 0, 207.5},  {"fft", 0, 164.1},
    {"convolution", 0, 220.2},    {"bfs", 0, 12.2},          {"matrix_multiply", 0, 135.2},
    {"scalar_product", 0, 177.1}, {"ray_tracing", 0, 193.6}, {"hotspot", 0, 182.3},
    {"path_finder", 0, 209.0},
};

static const struct figures_series lanes[] = {
    SPEED_UP_OVER(LANES_16, "intra", LANES_16_INTRA, 0.3),
    SPEED_UP_OVER(LANES_16, "inter", LANES_16_INTER, 8.2),
    SPEED_UP_OVER(LANES_16, "both", LANES_16_BOTH, 8.5),
    SPEED_UP_OVER(LANES_16, "intra, ALU only", LANES_16_ALU, 0.3),
};

static const struct figures_series room[] = {
    SPEED_UP("none", ROOM, NAN),
    SPEED_UP_OVER(ROOM, "intra", ROOM_INTRA, 7.4),
    SPEED_UP_OVER(ROOM, "inter", ROOM_INTER, 8.1),
    SPEED_UP_OVER(ROOM, "both", ROOM_BOTH, 12.0),
};

static const struct figures_series few[] = {
    SPEED_UP_OVER(FEW, "intra", FEW_INTRA, NAN),
    SPEED_UP_OVER(FEW, "inter", FEW_INTER, NAN),
    SPEED_UP_OVER(FEW, "both", FEW_BOTH, NAN),
};

static const struct figures_definition figures[] = {
    {{FIGURE("table3", "Instructions of threads a cycle, of all SMs; the lanes could do 240 (Table 3)",
             "instructions a cycle", 1, ipc),
      KNOWN(ipc_known),
      .note = "The paper's programs are CUDA's, with inputs of their own; ours are written after the same "
              "algorithms, and small enough to run on 33 machines. Fewer work-groups than 30 SMs have room "
              "for, or waves of them that end unevenly, leave lanes without work (n_queens, matrix_multiply, "
              "bfs). ARM code of them is another mix, too: docs/gpu-like.md. What a figure below says of a "
              "program is worth as much as the two numbers here are alike."},
     ipc},
    {{FIG2,
      .note =
          "Redundant are instructions of the ALU and VFP only, as in the paper. Here the co-processor gives "
          "ids "
          "ready made, and ARM's loads and stores shift and add inside an address, so that vector_add has no "
          "uniform ALU instruction at all; the next figure says how little that explains. What is left is "
          "loop control and conditions. The warps of an SM make like progress, so that nearly all that is "
          "redundant within a warp is redundant between warps, too. The paper's means are geometric; ours "
          "are arithmetic, since some are 0. Its MT, DT and HT are a Mersenne twister, DXT compression and "
          "Rodinia's heart wall: matrix_transpose, dwt_haar and histogram are other programs."},
     redundancy},
    {{FIG2COMPUTED,
      .note = "vector_add has one uniform ALU instruction of 22 then, the product of the work-group's id and "
              "size; offsets and addresses differ from thread to thread. So ids and addresses are 4.5 of "
              "the paper's 42.4 %; the paper names SHL and AND, which no form of this kernel has in ARM "
              "code. The rest is unknown. Where ids and addresses are many instructions of a thread's own, "
              "the shares fall (fft, path_finder)."},
     computed},
    {{FIG5,
      .note = "An instruction executed for one thread takes its unit one cycle, not four, as in the paper; "
              "fig5split says which kinds bring it. With ALU instructions alone, all that the buffer can "
              "have, intra and inter are nearer to each other. Copies cost: each is an instruction of four "
              "rounds, and a condition whose flags are not uniform makes many (fig7: path_finder, hotspot), "
              "which is why a program can lose by inter alone. Loads, branches and co-processor "
              "instructions, most of what is uniform here, never hit. And warps look up a result before the "
              "first has left it: path_finder's 83,334 look-ups have 46 % hits and bring -0.3 %; with "
              "latencies of 2 in place of 11, 67 % and 0.8; with 16 entries 74 % and 1.5; with "
              "simt.scheduler greedy_oldest, where warps do not run side by side, 80 % and 2.5; with 8 "
              "collectors 40 % and -0.8. So hits are not what inter lacks most. Too many warps, which hide "
              "the latencies that a hit saves, are not the reason: with fewer it gains less (fig5few)."},
     token},
    {{FIG5SPLIT, .note = "One kind alone is executed for one thread, while all copies are made: a kind that "
                         "brings nothing shows what the copies cost. Priority operations do not exist on "
                         "this machine; barriers and exits are what is left of that kind."},
     split},
    {{FASTER("fig5room", "Fig. 5 with 8 collectors a unit: what two have no room for", room),
      .note = "A unit has two collectors, each held for the cycles of issue, operands and the round: uniform "
              "instructions issue twice in three cycles, not once in each. With eight they issue every "
              "cycle, and the machine without uniform instructions is faster, too (none). What intra gains "
              "on top of that is what two collectors have no room for. The paper does not say how its "
              "operands are collected."},
     room},
    {{FASTER("fig5few", "Fig. 5 with one work-group in an SM, so that few warps hide latencies", few),
      .note = "The paper explains the gains of inter by latencies that few warps do not hide. That is not so "
              "here: with one work-group in an SM inter gains less than with eight. Fewer warps also have "
              "fewer results of others to find."},
     few},
    {{FIG6, .note = "Scalars take no bank, neither to be read nor written; but programs whose uniform values "
                    "do not fit into 128 registers gain less, as the paper's CONV, SP and PF, and dwt_haar "
                    "loses. With 256 registers the mean passes that of tokens (fig11)."},
     srf},
    {{FIG7,
      .note = "Instructions of ARM can be conditional, and the compiler likes them better than short "
              "branches. One whose flags are not uniform writes part of a register in every warp, divergent "
              "or not; on the paper's GPU only divergent branches do. And a copy is needed here whenever the "
              "register that is written has its token (the other threads would lose its value); the paper "
              "makes one only where it is a source of the instruction as well. Counted so, most programs "
              "have none; matrix_transpose, ray_tracing and mandelbrot make the mean."},
     copies},
    {{FIG8, .note = "Main memory, the crossbar and caches are in, which nothing saves: the more a program "
                    "moves, the less it can save. The two sets of constants (docs/energy.md) differ by 100 "
                    "in what an operation takes beside a register and an instruction's control; the paper's "
                    "ALUs are GPUWattch's, near mcpat's. Tokens and reuse buffer take nothing here."},
     dynamic},
    {{FIG9, .note = "Leakage goes with time, and so these follow the speed-ups of Fig. 5. CACTI's fast cells "
                    "for register files, caches and 4 MB of L2 make it a large part of the energy."},
     token_energy},
    {{FIG10, .note = "As Fig. 9: leakage goes with time, and so these follow the speed-ups of Fig. 6. The "
                     "scalar register file itself leaks next to nothing."},
     srf_energy},
    {{FIG11,
      .note =
          "The same shape: more registers help until the uniform values of all warps fit. Up to 32 warps "
          "share them, each with as many as 48 rows that can be uniform; r0, the argument pointer, takes one "
          "of each warp as far as there are so many. Unlimited is the token design, as in the paper."},
     srf_sizes},
    {{FIG12, .note =
                 "More entries find more, but with intra on a hit takes as long in its unit as any uniform "
                 "instruction and saves latency only. In the paper eight entries are 1.2 % better than two."},
     irb_sizes},
    {{FASTER("fig13", "Speed-up of the token design on 15 SMs of 16 lanes (Fig. 13)", lanes),
      .note = "A vector instruction takes two cycles on 16 lanes: one executed for one thread can save one "
              "of them, not three, as in the paper. The load-store unit has 16 lanes, too; with 8 its "
              "uniform loads would save three of four. fft, reduction and ray_tracing make about 70 % of "
              "intra's mean. With half as many SMs "
              "there are fewer places for work-groups, so that programs with few of them fill the machine "
              "better than 30 SMs."},
     lanes},
    {{FIG14, .note = "Protected are operations of instructions that are executed for one thread or not at "
                     "all. vector_add has no uniform ALU instruction (Fig. 2). Where 128 scalar registers "
                     "are not enough the second design protects less."},
     alu_coverage},
    {{FIG15, .note = "Arguments, bounds of loops and base addresses are loaded once and stay in registers on "
                     "ARM, counted in every cycle of their long lives; the paper's GPU takes arguments as "
                     "operands from shared memory and has no register for them. There are fewer short-lived "
                     "values to outweigh them, too: loads and stores form addresses without a register."},
     register_coverage},
    {{FIG16, .note = "Less than in the paper, in either set of constants: an operation and a register beside "
                     "the 32 that a vector instruction would have taken, its control and its fetch."},
     checks},
};

/* Inputs that occupy 30 SMs, as far as they run in seconds. */
static const struct figures_benchmark benchmarks[] = {
    {"n_queens", {"--input", "medium", NULL}},
    {"vector_add", {NULL}},
    {"fft", {"--input", "large", NULL}},
    {"convolution", {NULL}},
    {"bfs", {"--input", "medium", NULL}},
    {"matrix_multiply", {"--input", "medium", NULL}},
    {"scalar_product", {NULL}},
    {"ray_tracing", {"--input", "large", NULL}},
    {"hotspot", {"--steps", "4", NULL}},
    {"path_finder", {NULL}},
    {"matrix_transpose", {"--input", "medium", NULL}, OURS},
    {"dwt_haar", {"--input", "medium", NULL}, OURS},
    {"histogram", {"--input", "medium", NULL}, OURS},
    {"needleman_wunsch", {"--input", "medium", NULL}, OURS},
    {"laplace3d", {"--input", "medium", NULL}, OURS},
    {"reduction", {NULL}, OURS},
    {"mandelbrot", {"%/mandelbrot.ppm", NULL}, OURS},
};

const struct figures_paper figures_uniform_gpu = {
    .name = "uniform",
    .title = "Uniform values on a machine like the paper's GTX 285 (Xiang et al., ICS 2013)",
    TABLES,
};
