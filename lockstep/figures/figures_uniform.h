/*
 * figures_uniform: declarations shared by both reports on Xiang et al., Exploiting Uniform Vector
 * Instructions (ICS 2013). Each report has a variant BASE, the reference of all others.
 */
#ifndef LOCKSTEP_FIGURES_UNIFORM_H
#define LOCKSTEP_FIGURES_UNIFORM_H

#include "lockstep/figures/figures_words.h"

#define STORAGE(name) "uniform.storage=" name
#define INTRA         "uniform.intra=on"
#define INTER         "uniform.inter=on"
#define NO_INTRA      "uniform.intra=off"
#define NO_INTER      "uniform.inter=off"
#define ONLY(kind)    "uniform.intra_only=" kind

#define SPEED_UP(n, v, p)     SPEED_UP_OVER(BASE, n, v, p)
#define ENERGY(kind, n, v, p) ENERGY_OVER(BASE, kind, n, v, p)

/* The first variants, common to both reports; variants of one report follow. */
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
    COMPUTED,
    OWN_VARIANTS
};
#define COMMON_VARIANTS                                                                                      \
    [BASE] = {"none", {STORAGE("none")}, .redundancy = true},                                                \
    [TOKEN_INTRA] = {"token, intra", {STORAGE("token"), INTRA, NO_INTER}},                                   \
    [TOKEN_INTER] = {"token, inter", {STORAGE("token"), NO_INTRA, INTER}},                                   \
    [TOKEN] = {"token, both", {STORAGE("token"), INTRA, INTER}},                                             \
    [SRF_INTRA] = {"srf, intra", {STORAGE("srf"), INTRA, NO_INTER}},                                         \
    [SRF_INTER] = {"srf, inter", {STORAGE("srf"), NO_INTRA, INTER}},                                         \
    [SRF] = {"srf, both", {STORAGE("srf"), INTRA, INTER}},                                                   \
    [SRF_16] = {"srf of 16", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=16"}},                    \
    [SRF_32] = {"srf of 32", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=32"}},                    \
    [SRF_64] = {"srf of 64", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=64"}},                    \
    [SRF_256] = {"srf of 256", {STORAGE("srf"), INTRA, INTER, "uniform.srf_registers=256"}},                 \
    [IRB_2] = {"irb of 2", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=2"}},                       \
    [IRB_4] = {"irb of 4", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=4"}},                       \
    [IRB_16] = {"irb of 16", {STORAGE("token"), INTRA, INTER, "uniform.irb_entries=16"}},                    \
    [ONLY_ALU] = {"alu only", {STORAGE("token"), INTRA, NO_INTER, ONLY("alu")}},                             \
    [ONLY_MEMORY] = {"memory only", {STORAGE("token"), INTRA, NO_INTER, ONLY("memory")}},                    \
    [ONLY_BRANCHES] = {"branches only", {STORAGE("token"), INTRA, NO_INTER, ONLY("branches")}},              \
    [ONLY_PRIORITIES] = {"priorities only", {STORAGE("token"), INTRA, NO_INTER, ONLY("priorities")}},        \
    [ONLY_IDS] = {"ids only", {STORAGE("token"), INTRA, NO_INTER, ONLY("ids")}},                             \
    [COMPUTED] = {"computed ids", {STORAGE("none"), "kernel.ids=computed"}, .redundancy = true}

/* --- what the figures show --- */

static const struct figures_series redundancy[] = {
    RATIO("intra", BASE, "redundancy.intra", "redundancy.operations", 18.1),
    RATIO("inter", BASE, "redundancy.inter", "redundancy.operations", 8.9),
    RATIO("both", BASE, "redundancy.both", "redundancy.operations", 18.4),
};
static const struct figures_series computed[] = {
    RATIO("intra", COMPUTED, "redundancy.intra", "redundancy.operations", 18.1),
    RATIO("inter", COMPUTED, "redundancy.inter", "redundancy.operations", 8.9),
    RATIO("both", COMPUTED, "redundancy.both", "redundancy.operations", 18.4),
};
static const struct figure_known redundancy_known[] = {
    {"vector_add", 1, 28.5}, {"vector_add", 2, 42.4}, {"ray_tracing", 0, 34.5}};

static const struct figures_series token[] = {
    SPEED_UP("intra", TOKEN_INTRA, 7.4),
    SPEED_UP("inter", TOKEN_INTER, 8.1),
    SPEED_UP("both", TOKEN, 12.0),
    SPEED_UP("intra, ALU only", ONLY_ALU, 7.4),
};
static const struct figure_known token_known[] = {
    {"vector_add", 1, 7.3}, {"path_finder", 2, 23.9}, {"ray_tracing", 0, 8.6}};

static const struct figures_series srf[] = {
    SPEED_UP("intra", SRF_INTRA, 6.7),
    SPEED_UP("inter", SRF_INTER, 7.2),
    SPEED_UP("both", SRF, 10.7),
};

static const struct figures_series copies[] = {
    RATIO("all partial writes", TOKEN, "uniform.copies", "warp_instructions", NAN),
    RATIO("the paper's rule", TOKEN, "uniform.copies_of_sources", "warp_instructions", 0.010)};

static const struct figure_known copies_known[] = {{"fft", 1, 0.044}};

static const struct figures_series split[] = {
    SPEED_UP("ALU", ONLY_ALU, NAN),           SPEED_UP("memory", ONLY_MEMORY, NAN),
    SPEED_UP("branches", ONLY_BRANCHES, NAN), SPEED_UP("priorities", ONLY_PRIORITIES, NAN),
    SPEED_UP("ids", ONLY_IDS, NAN),           SPEED_UP("all", TOKEN_INTRA, 7.4),
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

static const struct figure_known register_known[] = {{"bfs", 0, 0.1}};

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

/* --- the figures, without their notes --- */

#define FIG2                                                                                                 \
    FIGURE("fig2", "Operations of threads that are redundant, within a warp and between warps (Fig. 2)",     \
           "% of operations", 1, redundancy),                                                                \
        KNOWN(redundancy_known)
#define FIG2COMPUTED                                                                                         \
    FIGURE("fig2computed",                                                                                   \
           "The same with global ids and addresses by instructions of their own, as PTX makes them "         \
           "(kernel.ids: computed)",                                                                         \
           "% of operations", 1, computed),                                                                  \
        KNOWN(redundancy_known)
#define FIG5 FASTER("fig5", "Speed-up of the token design (Fig. 5)", token), KNOWN(token_known)
#define FIG5SPLIT                                                                                            \
    FASTER("fig5split",                                                                                      \
           "What of Fig. 5 each kind of instruction brings, executed alone for one thread (token, intra)",   \
           split)
#define FIG6                                                                                                 \
    FASTER("fig6", "Speed-up of the design with a scalar register file of 128 registers (Fig. 6)", srf)
#define FIG7                                                                                                 \
    FIGURE("fig7", "Copies of uniform values before partial writes, token design (Fig. 7)",                  \
           "% of warp instructions", 3, copies),                                                             \
        KNOWN(copies_known)
#define FIG8  FIGURE("fig8", "Dynamic energy (Fig. 8)", "% more", 1, dynamic), KNOWN(dynamic_known)
#define FIG9  FIGURE("fig9", "Energy with leakage, token design (Fig. 9)", "% more", 1, token_energy)
#define FIG10 FIGURE("fig10", "Energy with leakage, scalar register file (Fig. 10)", "% more", 1, srf_energy)
#define FIG11 FASTER("fig11", "Speed-up by the size of the scalar register file (Fig. 11)", srf_sizes)
#define FIG12                                                                                                \
    FASTER("fig12", "Speed-up by the entries of the instruction reuse buffer, token design (Fig. 12)",       \
           irb_sizes)
#define FIG14                                                                                                \
    FIGURE("fig14", "Scalar operations of the ALUs that are protected against errors (Fig. 14)",             \
           "% of operations", 1, alu_coverage),                                                              \
        KNOWN(alu_known)
#define FIG15                                                                                                \
    FIGURE("fig15", "Live vector registers that are protected against errors (Fig. 15)",                     \
           "% of live registers", 1, register_coverage),                                                     \
        KNOWN(register_known)
#define FIG16                                                                                                \
    FIGURE("fig16",                                                                                          \
           "What checks take (Fig. 16): for each instruction executed for one thread, an operation in a "    \
           "second lane and a second copy of its result",                                                    \
           "% of dynamic energy", 2, checks)

#endif
