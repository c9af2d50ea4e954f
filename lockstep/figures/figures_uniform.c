/* The figures of Xiang et al., Exploiting Uniform Vector Instructions (ICS 2013). */
#include "lockstep/figures/figures_uniform.h"

enum { LANES_8 = OWN_VARIANTS, LANES_8_INTRA, LANES_16, LANES_16_INTRA };

#define LANES(n) "cluster.lanes=" n

static const struct figures_variant variants[] = {
    COMMON_VARIANTS,
    [LANES_8] = {"8 lanes", {STORAGE("none"), LANES("8")}},
    [LANES_8_INTRA] = {"8 lanes, intra", {STORAGE("token"), INTRA, NO_INTER, LANES("8")}},
    [LANES_16] = {"16 lanes", {STORAGE("none"), LANES("16")}},
    [LANES_16_INTRA] = {"16 lanes, intra", {STORAGE("token"), INTRA, NO_INTER, LANES("16")}},
};
CHECK_VARIANTS;

static const struct figures_series lanes[] = {
    SPEED_UP("4 lanes", TOKEN_INTRA, NAN),
    SPEED_UP_OVER(LANES_8, "8 lanes", LANES_8_INTRA, 7.4),
    SPEED_UP_OVER(LANES_16, "16 lanes", LANES_16_INTRA, 0.3),
};

static const struct figures_definition figures[] = {
    {{FIG2, .note = "Redundant are instructions of the ALU and VFP only, as in the paper, but there "
                    "are fewer of them here: the co-processor gives ids ready made, and ARM's loads "
                    "and stores shift and add inside an address, so that vector_add has no uniform ALU "
                    "instruction at all (the next figure says how little that explains). What is left is "
                    "loop control and conditions. Nearly all that is redundant "
                    "within a warp is redundant between warps, too: the warps of one work-group run "
                    "in turn and compute the same loop control, and the count has a result for the "
                    "others at once. The paper's means are geometric; ours are arithmetic, since "
                    "vector_add is 0."},
     redundancy},
    {{FIG2COMPUTED, .note =
                        "vector_add has one uniform ALU instruction then, the product of the work-group's "
                        "id and size: 4.0 of the paper's 42.4 %. The rest is unknown."},
     computed},
    {{FIG5, .note = "A warp instruction takes 8 rounds here (32 threads on 4 lanes) and 4 in the "
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
    {{FIG5SPLIT, .note = "Loads and stores of one address, branches, priority operations (with barriers "
                         "and exits) and reads of ids and sizes take eight rounds here where one would do; "
                         "the paper's machine has no priority operations, which bring as much as the ALU. "
                         "Each machine here makes all copies (Fig. 7: path_finder and hotspot have most), "
                         "so that a kind alone can lose by them, and the kinds add up to less than all of "
                         "them bring together."},
     split},
    {{FASTER("fig13",
             "Speed-up of the token design, intra, by the number of lanes (Fig. 5: 8 lanes; Fig. 13: 16)",
             lanes),
      .note =
          "Warps have 32 threads and each machine its own base of as many lanes, all of one cluster. More "
          "lanes mean fewer rounds that an instruction for one thread can save: 7 of 8, 3 of 4, 1 of 2. "
          "The paper's machine has 8 lanes in Fig. 5 and 16 in Fig. 13, so that its 7.4 % stand beside "
          "ours of 8 lanes, not of 4. What is left of the difference is that more than ALU "
          "instructions gain here (fig5split), and that caches and warps grow with the lanes."},
     lanes},
    {{FIG6, .note = "Warps have 32 threads, and each machine is compared with its own base of as many "
                    "lanes. More lanes mean fewer rounds that an instruction for one thread can save: "
                    "7 of 8, 3 of 4, 1 of 2. The paper's machine has 8 lanes in Fig. 5 and 16 in Fig. "
                    "13, so that its 7.4 % stand beside ours of 8 lanes, not of 4. Ours are still "
                    "larger, since more than ALU instructions and loads gains here (fig5split)."},
     srf},
    {{FIG7, .note = "Instructions of ARM can be conditional, and the compiler likes them better than "
                    "short branches. One whose flags are not uniform writes part of a register in "
                    "every warp, divergent or not; on the paper's GPU only divergent branches do. "
                    "And a copy is needed here whenever the register that is written has its token "
                    "(the other threads would lose its value); the paper makes one only where it is a "
                    "source of the instruction as well. Counted so, the two machines agree."},
     copies},
    {{FIG8,
      .note =
          "The two sets of constants (docs/energy.md) differ by 100 in what an operation takes beside a "
          "register, a cache and an instruction's control, and so in what is saved with it. The paper's "
          "ALUs are GPUWattch's, near mcpat's. Main memory is in, which nothing saves; the paper does not "
          "say whether it is in its own."},
     dynamic},
    {{FIG9,
      .note =
          "Leakage goes with time, and here it is most of the energy: four cores with caches of 1.3 MB of "
          "fast cells leak while one warp instruction at a time runs, so that these follow the speed-ups "
          "of Fig. 5, which are larger than the paper's."},
     token_energy},
    {{FIG10,
      .note = "As Fig. 9: leakage goes with time, and the speed-ups of Fig. 6 are larger than the paper's. "
              "The scalar "
              "register file itself leaks next to nothing."},
     srf_energy},
    {{FIG11, .note = "The same shape: more registers help until the uniform values of all warps fit. "
                     "Sixteen warps need fewer than the paper's 32: 128 registers are as good as 256, "
                     "while the paper's CONV, HT, HS, SP and PF go on to gain. Unlimited is the token "
                     "design, as in the paper; it is slower by the TPM's read port (Fig. 6)."},
     srf_sizes},
    {{FIG12, .note = "More entries find more (path_finder has a third more hits with 8 than with 2, and "
                     "no more with 16), but with intra on a hit is worth no cycles here (Fig. 5). In "
                     "the paper it hides latencies of 4 cycles and more, of which ARM's integer "
                     "instructions have none."},
     irb_sizes},
    {{FIG14, .note = "The mean is the paper's, the programs are not: vector_add has no uniform ALU "
                     "instruction (Fig. 2), in reduction most warps have loop control only. Both "
                     "designs protect the same, since 128 scalar registers are enough here."},
     alu_coverage},
    {{FIG15, .note = "Arguments, bounds of loops and base addresses are loaded once and stay in "
                     "registers on ARM, counted in every cycle of their long lives; the paper's GPU "
                     "takes arguments as operands from shared memory and has no register for them. "
                     "There are fewer short-lived values to outweigh them, too: loads and stores form "
                     "addresses without a register."},
     register_coverage},
    {{FIG16,
      .note =
          "As little as in the paper, in either set of constants: an operation and a register beside the 32 "
          "that a vector instruction would have taken, its control and its fetch."},
     checks},
};

static const struct figures_benchmark benchmarks[] = {
    {"vector_add", {NULL}},
    {"convolution", {NULL}},
    {"scalar_product", {NULL}},
    {"path_finder", {NULL}},
    {"hotspot", {"--steps", "4", NULL}},
    {"reduction", {NULL}, OURS},
    {"mandelbrot", {"%/mandelbrot.ppm", NULL}, OURS},
};

const struct figures_paper figures_uniform = {
    .name = "uniform",
    .title = "Uniform values on the dual-mode machine (Xiang et al., ICS 2013, measured a GTX 285 with 13 "
             "programs)",
    TABLES,
};
