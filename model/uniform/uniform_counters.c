/* Registers the counters of a cluster's uniform instructions. */
#include "model/uniform/uniform.h"

#include <stdio.h>

struct row {
    enum uniform_count index;
    const char *name, *unit, *what;
};
#define X(id, name, unit, what) {UNIFORM_COUNT_##id, name, unit, what},
static const struct row all[] = {UNIFORM_COUNTS(X)}, srf[] = {UNIFORM_SRF_COUNTS(X)},
                        irb[] = {UNIFORM_IRB_COUNTS(X)};
#undef X
#define ROWS(list) list, sizeof(list) / sizeof(list)[0]

static void register_rows(struct uniform *u, const char *cluster, const char *scope, const struct row *row,
                          size_t rows, struct counter_registry *r) {
    char whole[64];
    snprintf(whole, sizeof whole, "%s.%s", cluster, scope);
    for (size_t n = 0; n < rows; ++n)
        counter_register(r, whole, row[n].name, row[n].unit, row[n].what, &u->count[row[n].index]);
}

/* Registers counters of the lines accessed. An access to a vector register takes vector_lines lines in each
 * lane. */
static void register_lines(struct uniform *u, const char *scope, struct counter_registry *r) {
    const struct uniform_registers *at = &u->registers;
    const unsigned vector = at->lanes * at->vector_lines, scalar = at->scalar_lines;
    const unsigned words = at->words - (scalar != 0);
    static const struct {
        const char *name, *what, *saved_name, *saved_what, *words_name, *words_what;
    } both[] = {{"read_lines", "lines of registers read to collect operands, in all lanes",
                 "read_lines_saved", "that vectors would have been read in on top of these",
                 "read_words_saved", "of registers that were not read, since a scalar stood for them"},
                {"write_lines", "lines of registers written with results, in all lanes", "write_lines_saved",
                 "that vectors would have been written in on top of these", "write_words_saved",
                 "of registers that were not written, since a scalar stands for them"}};
    for (unsigned n = 0; n < 2; ++n) {
        const char *access = n ? "writes" : "reads";
        char formula[96];
        snprintf(formula, sizeof formula, "%u * vector_%s + %u * scalar_%s", vector, access, scalar, access);
        counter_register_ratio(r, scope, both[n].name, "lines", both[n].what, formula);
        snprintf(formula, sizeof formula, "%u * scalar_%s", vector - scalar, access);
        counter_register_ratio(r, scope, both[n].saved_name, "lines", both[n].saved_what, formula);
        snprintf(formula, sizeof formula, "%u * scalar_%s", words, access);
        counter_register_ratio(r, scope, both[n].words_name, "words", both[n].words_what, formula);
    }
}

void uniform_register_counters(struct uniform *u, const char *cluster, struct counter_registry *r) {
    char scope[64];
    if (!u->on) return;
    register_rows(u, cluster, "uniform", ROWS(all), r);
    if (u->config->uniform.storage == UNIFORM_SRF) register_rows(u, cluster, "uniform.srf", ROWS(srf), r);
    if (u->config->uniform.inter) register_rows(u, cluster, "uniform.irb", ROWS(irb), r);
    snprintf(scope, sizeof scope, "%s.uniform", cluster);
    counter_register(r, scope, "register_cycles_live", "cycles",
                     "of vector registers of warps, holding a value that was read later",
                     &u->register_cycles.live);
    counter_register(r, scope, "register_cycles_protected", "cycles",
                     "of these, as scalars, of which a second copy can be kept for nothing",
                     &u->register_cycles.protected);
    register_lines(u, scope, r);
    counter_register_ratio(r, scope, "alu_coverage", "%", "share of the ALU operations that can be checked",
                           "100 * alu_protected / alu_operations");
    counter_register_ratio(r, scope, "register_coverage", "%",
                           "share of the live registers that can be checked, over all cycles",
                           "100 * register_cycles_protected / register_cycles_live");
    counter_register_ratio(r, cluster, "copy_ratio", "%", "copy instructions to warp instructions",
                           "100 * uniform.copies / warp_instructions");
}
