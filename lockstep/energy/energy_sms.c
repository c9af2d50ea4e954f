/*
 * Energy of GPU-like machines: banks of the vector register file, operand collectors, caches, local memory,
 * the crossbar, the L2 and the DRAM (docs/energy.md).
 *
 * An access to a bank reads or writes a row: one register of all threads that execute together, active or
 * not. For a scalar with a token it accesses one word of the row.
 */
#include "lockstep/energy/energy_rows.h"

#include "model/config/scalar_config.h"
#include "synthesis/area.h"
#include "synthesis/cache_memory.h"
#include "synthesis/sm_memories.h"

#define CACTI "CACTI"

/* Returns the words of a separate file for scalars of warps; 0 if they are in the banks. */
static unsigned scalar_file(const struct machine_config *m) {
    return m->uniform.storage == UNIFORM_SRF ? m->uniform.srf_registers
           : machine_warp_scalar_units(m)    ? machine_warp_scalar_registers(m)
                                             : 0;
}

static void add_registers(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    const struct machine_config *m = &n->config;
    const struct sram bank = sm_register_bank(m).sram, collector = sm_operand_collector(m).sram,
                      file = sram_memory(scalar_file(m), 32, 3);
    const double words = sm_row_registers(m), reads = energy_counter(n, ".vrf", "reads"),
                 writes = energy_counter(n, ".vrf", "writes"),
                 scalar_reads = energy_counter(n, ".uniform", "scalar_reads") +
                                energy_counter(n, ".lanes", "scalar_reads"),
                 scalar_writes = energy_counter(n, ".uniform", "scalar_writes") +
                                 energy_counter(n, ".lanes", "scalar_writes");
    const double read = energy_or_memory(c->register_read, bank.read_pj / words),
                 write = energy_or_memory(c->register_write, bank.write_pj / words);
    const bool srf = scalar_file(m) != 0;
    const char *source = c->register_read < 0 ? CACTI : c->name;
    energy_add(x, "registers (VRF)", "rows read", reads - (srf ? 0 : scalar_reads), words * read, source);
    energy_add(x, "registers (VRF)", "rows written", writes - (srf ? 0 : scalar_writes), words * write,
               source);
    energy_add(x, "registers (scalar)", "read", scalar_reads,
               srf ? energy_or_memory(c->scalar_read, file.read_pj) : read, source);
    energy_add(x, "registers (scalar)", "written", scalar_writes,
               srf ? energy_or_memory(c->scalar_write, file.write_pj) : write, source);
    energy_add(x, "operand collectors", "rows kept", reads, collector.write_pj + collector.read_pj, CACTI);
}

/* Adds scalar threads: an instruction is an operation, with its own control and registers. */
static void add_scalar_units(struct energy *x, const struct energy_counts *n,
                             const struct energy_constants *c) {
    const struct sram file = sram_memory(n->config.scalar.registers, 32, 3);
    for (enum arm_class k = 0; k < ARM_CLASS_COUNT; k++)
        energy_add(x, "scalar units", arm_class_name[k], energy_counter(n, ".scalar.mix", arm_class_name[k]),
                   energy_operation(c, k), c->name);
    energy_add(x, "scalar units", "instructions", energy_counter(n, ".scalar", "instructions"),
               c->instruction, c->name);
    energy_add(x, "scalar units", "registers read", energy_counter(n, ".scalar", "registers_read"),
               energy_or_memory(c->scalar_read, file.read_pj), c->scalar_read < 0 ? CACTI : c->name);
    energy_add(x, "scalar units", "registers written", energy_counter(n, ".scalar", "registers_written"),
               energy_or_memory(c->scalar_write, file.write_pj), c->scalar_write < 0 ? CACTI : c->name);
    energy_add(x, "local memory", "words of scalar threads", energy_counter(n, ".scalar", "local_accesses"),
               sm_local_bank(&n->config).sram.read_pj, CACTI);
}

static void add_caches(struct energy *x, const struct energy_counts *n) {
    const struct machine_config *m = &n->config;
    const struct {
        const char *name, *scope;
        const struct machine_cache_config *config;
    } caches[] = {
        {"L1I", ".l1i", &m->l1i}, {"L1D", ".l1d", &m->l1d}, {"constants", ".constant", &m->constant}};
    for (unsigned k = 0; k < 3; k++) {
        const struct sram s = cache_memory(caches[k].config);
        energy_add(x, caches[k].name, "accesses", energy_counter(n, caches[k].scope, "accesses"), s.read_pj,
                   CACTI);
        energy_add(x, caches[k].name, "lines filled", energy_counter(n, caches[k].scope, "misses"),
                   s.write_pj, CACTI);
    }
    energy_add(x, "L1D", "lines written back", energy_counter(n, ".l1d", "writebacks"),
               cache_memory(&m->l1d).read_pj, CACTI);
    energy_add(x, "local memory", "words", energy_counter(n, ".local", "accesses"),
               sm_local_bank(m).sram.read_pj, CACTI);
    energy_add(x, "coalescer", "transactions", energy_counter(n, ".coalescer", "transactions"), 0,
               "a count without an energy");
}

static void add_memory(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    const struct sram l2 = cache_memory(&n->config.l2);
    const double flits =
        energy_counter(n, "icnt", "request_flits") + energy_counter(n, "icnt", "reply_flits");
    energy_add(x, "crossbar", "flits", flits, c->crossbar_flit * n->config.icnt.flit_bytes / 32.0, c->name);
    energy_add(x, "L2", "reads", energy_counter(n, "l2", "reads"), l2.read_pj, CACTI);
    energy_add(x, "L2", "writes", energy_counter(n, "l2", "writes"), l2.write_pj, CACTI);
    energy_add(x, "L2", "lines filled", energy_counter(n, "l2", "misses"), l2.write_pj, CACTI);
    energy_add(x, "L2", "lines written back", energy_counter(n, "l2", "writebacks"), l2.read_pj, CACTI);
    energy_add(x, "DRAM", "bursts", energy_counter(n, "dram", "bursts"),
               c->memory_line * n->config.dram.burst_bytes / 64.0, c->name);
    energy_add(x, "DRAM", "rows opened", energy_counter(n, "dram", "activates"), 0, "in that of a burst");
}

/* Returns the leakage of a memory: of an SM (logic of the lanes, registers, collectors, caches and local
 * memory) or of a channel (slice of the L2). */
static double leakage_of(struct sm_memory m) {
    return m.count * m.sram.leakage_mw;
}

static double leakage(const struct machine_config *m, const struct energy_constants *c) {
    const unsigned lanes = m->cluster.sp_groups * m->cluster.lanes;
    const double sm = cache_memory(&m->l1i).leakage_mw + cache_memory(&m->l1d).leakage_mw +
                      cache_memory(&m->constant).leakage_mw + leakage_of(sm_local_bank(m)) +
                      leakage_of(sm_register_bank(m)) + leakage_of(sm_operand_collector(m)) +
                      lanes * area_lane.mm2 * c->leakage_mw_per_mm2;
    return m->cluster.count * sm + m->dram.channels * cache_memory(&m->l2).leakage_mw;
}

void energy_add_vrf(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    add_registers(x, n, c);
    if (n->config.scalar.mode == SCALAR_OWN) add_scalar_units(x, n, c);
    add_caches(x, n);
    add_memory(x, n, c);
    x->leakage_mw = leakage(&n->config, c);
}
