/* The figures of Xiang et al., Exploiting Uniform Vector Instructions (ICS 2013). */
#include "lockstep/figures.h"

#include <math.h>

enum {
    BASE,
    TOKEN_INTRA,
    TOKEN_INTER,
    TOKEN,
    SRF_INTRA,
    SRF_INTER,
    SRF,
    SRF_16,
    SRF_32,
    SRF_64,
    SRF_256,
    IRB_2,
    IRB_4,
    IRB_16,
    ONLY_ALU,
    ONLY_MEMORY,
    ONLY_BRANCHES,
    ONLY_PRIORITIES,
    ONLY_IDS,
    LANES_8,
    LANES_8_INTRA,
    LANES_16,
    LANES_16_INTRA,
    VARIANTS
};
_Static_assert(VARIANTS <= FIGURES_MAX_VARIANTS, "figures.c has no room for them");

#define STORAGE(name) "uniform.storage=" name
#define INTRA         "uniform.intra=on"
#define INTER         "uniform.inter=on"
#define NO_INTRA      "uniform.intra=off"
#define NO_INTER      "uniform.inter=off"
#define ONLY(kind)    "uniform.intra_only=" kind
#define LANES(n)      "cluster.lanes=" n

static const struct figures_variant variants[] = {
    [BASE] = {"none", {STORAGE("none")}, .redundancy = true},
    [TOKEN_INTRA] = {"token, intra", {STORAGE("token"), INTRA, NO_INTER}},
    [TOKEN_INTER] = {"token, inter", {STORAGE("token"), NO_INTRA, INTER}},
    [TOKEN] = {"token, both", {STORAGE("token"), INTRA, INTER}},
    [SRF_INTRA] = {"srf, intra", {STORAGE("srf"), INTRA, NO_INTER}},
    [SRF_INTER] = {"srf, inter", {STORAGE("srf"), NO_INTRA, INTER}},
    [SRF] = {"srf, both", {STORAGE("srf"), INTRA, INTER}},
    [SRF_16] = {"srf of 16", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=16"}},
    [SRF_32] = {"srf of 32", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=32"}},
    [SRF_64] = {"srf of 64", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=64"}},
    [SRF_256] = {"srf of 256", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=256"}},
    [IRB_2] = {"irb of 2", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=2"}},
    [IRB_4] = {"irb of 4", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=4"}},
    [IRB_16] = {"irb of 16", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=16"}},
    [ONLY_ALU] = {"alu only", {STORAGE("token"), INTRA, NO_INTER, ONLY("alu")}},
    [ONLY_MEMORY] = {"memory only", {STORAGE("token"), INTRA, NO_INTER, ONLY("memory")}},
    [ONLY_BRANCHES] = {"branches only", {STORAGE("token"), INTRA, NO_INTER, ONLY("branches")}},
    [ONLY_PRIORITIES] = {"priorities only", {STORAGE("token"), INTRA, NO_INTER, ONLY("priorities")}},
    [ONLY_IDS] = {"ids only", {STORAGE("token"), INTRA, NO_INTER, ONLY("ids")}},
    [LANES_8] = {"8 lanes", {STORAGE("none"), LANES("8")}},
    [LANES_8_INTRA] = {"8 lanes, intra", {STORAGE("token"), INTRA, NO_INTER, LANES("8")}},
    [LANES_16] = {"16 lanes", {STORAGE("none"), LANES("16")}},
    [LANES_16_INTRA] = {"16 lanes, intra", {STORAGE("token"), INTRA, NO_INTER, LANES("16")}},
};

#define SPEED_UP_OVER(b, n, v, p)                                                                            \
    { .series = {n, p}, .variant = v, .base = b }
#define SPEED_UP(n, v, p) SPEED_UP_OVER(BASE, n, v, p)
#define RATIO(n, v, over, under, p)                                                                          \
    { .series = {n, p}, .variant = v, .base = BASE, .numerator = over, .denominator = under }
/* In both sets of constants. */
#define ENERGY(kind, n, v, p)                                                                                \
    {.series = {n ", horowitz", p}, .variant = v, .base = BASE, .energy = kind, .set = 0}, {                 \
        .series = {n ", mcpat", p}, .variant = v, .base = BASE, .energy = kind, .set = 1                     \
    }

static const struct figures_series redundancy[] = {
    RATIO("intra", BASE, "redundancy.intra", "redundancy.operations", 18.1),
    RATIO("inter", BASE, "redundancy.inter", "redundancy.operations", 8.9),
    RATIO("both", BASE, "redundancy.both", "redundancy.operations", 18.4),
};
static const struct figure_known redundancy_known[] = {{"vector_add", 1, 28.5}, {"vector_add", 2, 42.4}};

static const struct figures_series token[] = {
    SPEED_UP("intra", TOKEN_INTRA, 7.4),
    SPEED_UP("inter", TOKEN_INTER, 8.1),
    SPEED_UP("both", TOKEN, 12.0),
};
static const struct figure_known token_known[] = {{"vector_add", 1, 7.3}, {"path_finder", 2, 23.9}};

static const struct figures_series srf[] = {
    SPEED_UP("intra", SRF_INTRA, 6.7),
    SPEED_UP("inter", SRF_INTER, 7.2),
    SPEED_UP("both", SRF, 10.7),
};

static const struct figures_series copies[] = {
    RATIO("all partial writes", TOKEN, "uniform.copies", "warp_instructions", NAN),
    RATIO("the paper's rule", TOKEN, "uniform.copies_of_sources", "warp_instructions", 0.010)};

static const struct figures_series split[] = {
    SPEED_UP("ALU", ONLY_ALU, NAN),           SPEED_UP("memory", ONLY_MEMORY, NAN),
    SPEED_UP("branches", ONLY_BRANCHES, NAN), SPEED_UP("priorities", ONLY_PRIORITIES, NAN),
    SPEED_UP("ids", ONLY_IDS, NAN),           SPEED_UP("all", TOKEN_INTRA, 7.4),
};

static const struct figures_series lanes[] = {
    SPEED_UP("4 lanes", TOKEN_INTRA, NAN),
    SPEED_UP_OVER(LANES_8, "8 lanes", LANES_8_INTRA, 7.4),
    SPEED_UP_OVER(LANES_16, "16 lanes", LANES_16_INTRA, 0.3),
};

static const struct figures_series srf_sizes[] = {
    SPEED_UP("16", SRF_16, NAN), SPEED_UP("32", SRF_32, NAN),   SPEED_UP("64", SRF_64, NAN),
    SPEED_UP("128", SRF, 10.7),  SPEED_UP("256", SRF_256, NAN), SPEED_UP("unlimited", TOKEN, 12.0),
};

static const struct figures_series irb_sizes[] = {
    SPEED_UP("2", IRB_2, 10.8),
    SPEED_UP("4", IRB_4, 11.5),
    SPEED_UP("8", TOKEN, 12.0),
    SPEED_UP("16", IRB_16, 12.3),
};

static const struct figures_series alu_coverage[] = {
    RATIO("token", TOKEN, "uniform.alu_protected", "uniform.alu_operations", 21.1),
    RATIO("srf", SRF, "uniform.alu_protected", "uniform.alu_operations", 19.5),
};
static const struct figure_known alu_known[] = {{"vector_add", 0, 42.9}};

static const struct figures_series register_coverage[] = {
    RATIO("token", TOKEN, "uniform.register_cycles_protected", "uniform.register_cycles_live", 14.1),
    RATIO("srf", SRF, "uniform.register_cycles_protected", "uniform.register_cycles_live", NAN),
};

static const struct figures_series dynamic[] = {ENERGY(FIGURES_DYNAMIC, "token", TOKEN, -13.6),
                                                ENERGY(FIGURES_DYNAMIC, "srf", SRF, -14.7)};
static const struct figure_known dynamic_known[] = {{"vector_add", 2, -36.0}, {"vector_add", 3, -36.0}};

static const struct figures_series token_energy[] = {ENERGY(FIGURES_ALL, "intra", TOKEN_INTRA, -9.8),
                                                     ENERGY(FIGURES_ALL, "inter", TOKEN_INTER, -8.0),
                                                     ENERGY(FIGURES_ALL, "both", TOKEN, -12.7)};

static const struct figures_series srf_energy[] = {ENERGY(FIGURES_ALL, "intra", SRF_INTRA, -10.3),
                                                   ENERGY(FIGURES_ALL, "inter", SRF_INTER, -7.6),
                                                   ENERGY(FIGURES_ALL, "both", SRF, -12.2)};

static const struct figures_series checks[] = {ENERGY(FIGURES_CHECKS, "token", TOKEN, 0.29),
                                               ENERGY(FIGURES_CHECKS, "srf", SRF, 0.17)};

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define SERIES(array) .series_count = COUNT(array)
#define KNOWN(array)  .known = array, .known_count = COUNT(array)

static const struct figures_definition figures[] = {
    {{.name = "fig2",
      .title = "Operations of threads that are redundant, within a warp and between warps (Fig. 2)",
      .unit = "% of operations",
      .digits = 1,
      SERIES(redundancy),
      KNOWN(redundancy_known),
      .note = "Redundant are instructions of the ALU and VFP only, as in the paper, but there "
              "are fewer of them here. The paper's programs compute indices and addresses from "
              "thread and block numbers by ALU instructions (VA's are shifts and ANDs); "
              "here the co-processor gives ids ready made, and ARM's loads and stores shift "
              "and add inside an address, so that vector_add has no uniform ALU instruction at "
              "all. What is left is loop control and conditions. Nearly all that is redundant "
              "within a warp is redundant between warps, too: the warps of one work-group run "
              "in turn and compute the same loop control, and the count has a result for the "
              "others at once. The paper's means are geometric; ours are arithmetic, since "
              "vector_add is 0."},
     redundancy},
    {{.name = "fig5",
      .title = "Speed-up of the token design (Fig. 5)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(token),
      KNOWN(token_known),
      .note = "A warp instruction takes 8 rounds here (32 threads on 4 lanes) and 4 in the "
              "paper (8 lanes), so that an instruction executed for one thread saves 7 of 8 "
              "cycles in the lanes, not 3 of 4; and rounds are what most of these kernels wait "
              "for, where the paper's often wait for memory. Besides ALU instructions, uniform "
              "loads (arguments of kernels are in memory), branches, barriers and the "
              "operations of ICS-First take one round. So vector_add gains without one "
              "redundant ALU operation, and reduction, where most warps have nothing but these "
              "to do in most steps, gains most. The reuse buffer adds next to nothing to this: "
              "a hit takes a cycle in the lanes like any uniform instruction, what it saves is "
              "latency, and an ARM integer instruction has a latency of 1. Alone it gains less "
              "than the paper's, since most uniform instructions here are loads, branches and "
              "co-processor instructions, which never hit."},
     token},
    {{.name = "fig5split",
      .title = "What of Fig. 5 each kind of instruction brings, executed alone for one thread (token, intra)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(split),
      .note = "Loads and stores of one address, branches, priority operations (with barriers "
              "and exits) and reads of ids and sizes take eight rounds here where one would do; "
              "the paper's machine has no priority operations, which bring as much as the ALU. "
              "Each machine here makes all copies (Fig. 7: path_finder and hotspot have most), "
              "so that a kind alone can lose by them, and the kinds add up to less than all of "
              "them bring together."},
     split},
    {{.name = "fig13",
      .title = "Speed-up of the token design, intra, by the number of lanes (Fig. 5: 8 lanes; Fig. 13: 16)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(lanes),
      .note =
          "Warps have 32 threads and each machine its own base of as many lanes, all of one cluster. More "
          "lanes mean fewer rounds that an instruction for one thread can save: 7 of 8, 3 of 4, 1 of 2. "
          "The paper's machine has 8 lanes in Fig. 5 and 16 in Fig. 13, so that its 7.4 % stand beside "
          "ours of 8 lanes, not of 4. What is left of the difference is that more than ALU "
          "instructions gain here (fig5split), and that caches and warps grow with the lanes."},
     lanes},
    {{.name = "fig6",
      .title = "Speed-up of the design with a scalar register file of 128 registers (Fig. 6)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(srf),
      .note = "Warps have 32 threads, and each machine is compared with its own base of as many "
              "lanes. More lanes mean fewer rounds that an instruction for one thread can save: "
              "7 of 8, 3 of 4, 1 of 2. The paper's machine has 8 lanes in Fig. 5 and 16 in Fig. "
              "13, so that its 7.4 % stand beside ours of 8 lanes, not of 4. Ours are still "
              "larger, since more than ALU instructions and loads gains here (fig5split)."},
     srf},
    {{.name = "fig7",
      .title = "Copies of uniform values before partial writes, token design (Fig. 7)",
      .unit = "% of warp instructions",
      .digits = 3,
      SERIES(copies),
      .note = "Instructions of ARM can be conditional, and the compiler likes them better than "
              "short branches. One whose flags are not uniform writes part of a register in "
              "every warp, divergent or not; on the paper's GPU only divergent branches do. "
              "And a copy is needed here whenever the register that is written has its token "
              "(the other threads would lose its value); the paper makes one only where it is a "
              "source of the instruction as well. Counted so, the two machines agree."},
     copies},
    {{.name = "fig8",
      .title = "Dynamic energy (Fig. 8)",
      .unit = "% more",
      .digits = 1,
      SERIES(dynamic),
      KNOWN(dynamic_known),
      .note =
          "The two sets of constants (docs/energy.md) differ by 100 in what an operation takes beside a "
          "register, a cache and an instruction's control, and so in what is saved with it. The paper's "
          "ALUs are GPUWattch's, near mcpat's. Main memory is in, which nothing saves; the paper does not "
          "say whether it is in its own."},
     dynamic},
    {{.name = "fig9",
      .title = "Energy with leakage, token design (Fig. 9)",
      .unit = "% more",
      .digits = 1,
      SERIES(token_energy),
      .note =
          "Leakage goes with time, and here it is most of the energy: four cores with caches of 1.3 MB of "
          "fast cells leak while one warp instruction at a time runs, so that these follow the speed-ups "
          "of Fig. 5, which are larger than the paper's."},
     token_energy},
    {{.name = "fig10",
      .title = "Energy with leakage, scalar register file (Fig. 10)",
      .unit = "% more",
      .digits = 1,
      SERIES(srf_energy),
      .note = "As Fig. 9: leakage goes with time, and the speed-ups of Fig. 6 are larger than the paper's. "
              "The scalar "
              "register file itself leaks next to nothing."},
     srf_energy},
    {{.name = "fig11",
      .title = "Speed-up by the size of the scalar register file (Fig. 11)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(srf_sizes),
      .note = "The same shape: more registers help until the uniform values of all warps fit. "
              "Sixteen warps need fewer than the paper's 32: 128 registers are as good as 256, "
              "while the paper's CONV, HT, HS, SP and PF go on to gain. Unlimited is the token "
              "design, as in the paper; it is slower by the TPM's read port (Fig. 6)."},
     srf_sizes},
    {{.name = "fig12",
      .title = "Speed-up by the entries of the instruction reuse buffer, token design (Fig. 12)",
      .unit = "% faster",
      .gains = true,
      .digits = 1,
      SERIES(irb_sizes),
      .note = "More entries find more (path_finder has a third more hits with 8 than with 2, and "
              "no more with 16), but with intra on a hit is worth no cycles here (Fig. 5). In "
              "the paper it hides latencies of 4 cycles and more, of which ARM's integer "
              "instructions have none."},
     irb_sizes},
    {{.name = "fig14",
      .title = "Scalar operations of the ALUs that are protected against errors (Fig. 14)",
      .unit = "% of operations",
      .digits = 1,
      SERIES(alu_coverage),
      KNOWN(alu_known),
      .note = "The mean is the paper's, the programs are not: vector_add has no uniform ALU "
              "instruction (Fig. 2), in reduction most warps have loop control only. Both "
              "designs protect the same, since 128 scalar registers are enough here."},
     alu_coverage},
    {{.name = "fig15",
      .title = "Live vector registers that are protected against errors (Fig. 15)",
      .unit = "% of live registers",
      .digits = 1,
      SERIES(register_coverage),
      .note = "Arguments, bounds of loops and base addresses are loaded once and stay in "
              "registers on ARM, counted in every cycle of their long lives; the paper's GPU "
              "takes arguments as operands from shared memory and has no register for them. "
              "There are fewer short-lived values to outweigh them, too: loads and stores form "
              "addresses without a register."},
     register_coverage},
    {{.name = "fig16",
      .title = "What checks take (Fig. 16): for each instruction executed for one thread, an operation in a "
               "second "
               "lane and a second copy of its result",
      .unit = "% of dynamic energy",
      .digits = 2,
      SERIES(checks),
      .note =
          "As little as in the paper, in either set of constants: an operation and a register beside the 32 "
          "that a vector instruction would have taken, its control and its fetch."},
     checks},
};

const struct figures_paper figures_uniform = {
    .name = "uniform",
    .title = "Uniform values on the dual-mode machine (Xiang et al., ICS 2013, measured a GTX 285 with 13 "
             "programs)",
    .variants = variants,
    .variant_count = COUNT(variants),
    .figures = figures,
    .figure_count = COUNT(figures),
};
