#include "model/control/srf_rename.h"

#include "sim/error.h"

#include <string.h>

static unsigned rows_of(const struct srf_rename *s) {
    return s->cfg.registers - TOKEN_STATES;
}

static uint64_t row_mask(const struct srf_rename *s) {
    return (1ull << rows_of(s)) - 1;
}

static unsigned words_of(const struct srf_rename *s) {
    return (s->cfg.physical + 31) / 32;
}

static void free_all(struct srf_rename *s) {
    memset(s->free, 0, sizeof s->free);
    memset(s->free, 0xff, s->cfg.physical / 32 * 4);
    s->free[s->cfg.physical / 32] = (1u << s->cfg.physical % 32) - 1;
}

void srf_rename_init(struct srf_rename *s, unsigned warps, unsigned registers, unsigned physical) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && registers >= 5 && registers <= 64 && physical >= 2 &&
                  physical <= SRF_RENAME_MAX_PHYSICAL,
              "scalar register file of %u for %u warps, %u registers", physical, warps, registers);
    memset(s, 0, sizeof *s);
    s->cfg.warps = warps;
    s->cfg.registers = registers;
    s->cfg.physical = physical;
    s->q = (struct srf_rename_state){.valid = s->valid, .free = s->free};
    free_all(s);
}

void srf_rename_reset(struct srf_rename *s) {
    srf_rename_init(s, s->cfg.warps, s->cfg.registers, s->cfg.physical);
}

int srf_rename_scalar(const struct srf_rename *s, unsigned warp, unsigned row) {
    return s->valid[warp] >> row & 1 ? (int)s->row[warp].map[row] : -1;
}

static uint32_t scalar_of(const struct srf_rename *s, unsigned row) {
    const unsigned warp = s->in.read_warp;
    invariant(row < rows_of(s), "scalar register of row %u", row);
    return s->valid[warp] >> row & 1 ? s->row[warp].map[row] : 0;
}

void srf_rename_read(struct srf_rename *s) {
    const struct srf_rename_in *in = &s->in;
    const uint64_t valid = s->valid[in->read_warp];
    const bool flags_known = !in->read_conditional || valid & (row_mask(s) + 1);
    const bool whole = in->read_full && flags_known;
    s->out.tokens = valid;
    s->out.uniform = whole && !(in->read_sources & ~valid);
    s->out.copies = token_copies(valid, row_mask(s) + 1, in->read_destinations, in->read_full,
                                 in->read_conditional, in->read_fails);
    s->out.scalar0 = scalar_of(s, s->in.read_row0);
    s->out.scalar1 = scalar_of(s, s->in.read_row1);
    s->out.scalar2 = scalar_of(s, s->in.read_row2);
}

/* Takes `wanted` registers, at most two, from the free list as targets. Returns false if too few are free. */
static bool take(struct srf_rename *s, unsigned wanted) {
    uint32_t target[2] = {0, 0};
    unsigned found = 0;
    for (unsigned n = 0; n < words_of(s); ++n)
        for (uint32_t rest = s->free[n]; found < wanted && rest; rest &= rest - 1)
            target[found++] = 32 * n + (unsigned)__builtin_ctz(rest);
    if (found < wanted) return false;
    s->out.target0 = target[0];
    s->out.target1 = target[1];
    return true;
}

static void write_map(struct srf_rename *s) {
    const struct srf_rename_in *in = &s->in;
    const uint64_t valid = s->valid[in->write_warp];
    const uint64_t same = in->write_uniform ? ~0ull : in->write_broadcast;
    const uint64_t sets = in->write_full ? in->write_destinations & same : 0;
    s->d.wanted = sets & ~valid & row_mask(s);
    s->out.target0 = s->out.target1 = 0;
    const unsigned wanted = (unsigned)__builtin_popcountll(s->d.wanted);
    s->out.mapped = sets && wanted <= 2 && take(s, wanted);
    s->out.refused = sets && !s->out.mapped;
    s->d.valid = (valid & ~in->write_destinations) | (s->out.mapped ? sets : 0);
}

static void take_from_list(struct srf_rename *s, uint32_t p) {
    s->free[p / 32] &= ~(1u << p % 32);
}

/* Maps the first and the second newly mapped row to the targets. */
static void write_targets(struct srf_rename *s) {
    const uint32_t target[2] = {s->out.target0, s->out.target1};
    unsigned n = 0;
    for (uint64_t rest = s->d.wanted; rest; rest &= rest - 1)
        s->row[s->in.write_warp].map[__builtin_ctzll(rest)] = target[n++];
    if (s->d.wanted) s->written |= warp_bit(s->in.write_warp);
}

/* Returns the rows of a warp that are mapped after the write and the release of the cycle. */
static uint64_t rows_after(const struct srf_rename *s, unsigned warp) {
    if (s->in.release && s->in.release_warp == warp) return 0;
    const bool written = s->in.write_destinations && s->in.write_warp == warp;
    return (written ? s->d.valid : s->valid[warp]) & row_mask(s);
}

/* Returns whether a warp's rows include a scalar register. */
static bool holds(const struct srf_rename *s, unsigned warp, uint64_t rows, uint32_t p) {
    for (rows &= row_mask(s); rows; rows &= rows - 1)
        if (s->row[warp].map[__builtin_ctzll(rows)] == p) return true;
    return false;
}

/* Returns whether a scalar register is free after the write and the release of the cycle. */
static bool free_after(const struct srf_rename *s, uint32_t p) {
    const unsigned writer = s->in.write_warp, leaver = s->in.release_warp;
    const bool two = s->d.wanted & (s->d.wanted - 1);
    const bool taken = s->out.mapped && s->d.wanted && (p == s->out.target0 || (two && p == s->out.target1));
    if (taken) return s->in.release && leaver == writer;
    return s->free[p / 32] >> p % 32 & 1 || holds(s, writer, s->valid[writer] & ~s->d.valid, p) ||
           (s->in.release && holds(s, leaver, s->valid[leaver], p));
}

static uint32_t home_of(const struct srf_rename *s, unsigned warp) {
    return s->cfg.physical - 1 - warp;
}

/* Decides which warps begin. Keeps the old register of r0 of the written warp and of the released warp: if
 * such a warp begins in the same cycle, its r0 gets another register. */
static void start_map(struct srf_rename *s) {
    const bool target = s->out.mapped && s->d.wanted & 1 && s->in.write_warp == s->in.release_warp;
    s->d.old = s->row[s->in.write_warp].map[0];
    s->d.left = target ? s->out.target0 : s->row[s->in.release_warp].map[0];
    s->d.at_home = 0;
    for (unsigned w = 0; s->in.start && w < s->cfg.warps && w < s->cfg.physical; ++w)
        if (warp_set_has(s->in.start_warps, w) && !rows_after(s, w) && free_after(s, home_of(s, w)))
            s->d.at_home |= warp_bit(w);
}

void srf_rename_eval(struct srf_rename *s) {
    invariant(s->in.read_warp < s->cfg.warps && s->in.write_warp < s->cfg.warps &&
                  s->in.release_warp < s->cfg.warps,
              "scalar registers of warps %u, %u and %u, of %u", s->in.read_warp, s->in.write_warp,
              s->in.release_warp, s->cfg.warps);
    srf_rename_read(s);
    write_map(s);
    start_map(s);
}

void srf_rename_write_map(struct srf_rename *s) {
    s->written = s->d.at_home;
    if (s->out.mapped) write_targets(s);
    for (warp_set rest = s->d.at_home; rest; rest &= rest - 1) {
        const unsigned w = warp_set_first(rest);
        s->row[w].map[0] = home_of(s, w);
    }
}

static void free_rows(struct srf_rename *s, unsigned warp, uint64_t rows) {
    for (rows &= row_mask(s); rows; rows &= rows - 1) {
        const uint32_t p = s->row[warp].map[__builtin_ctzll(rows)];
        s->free[p / 32] |= 1u << p % 32;
    }
}

/* Frees the rows' registers, where row 0 had scalar register `first`. */
static void free_rows_of(struct srf_rename *s, unsigned warp, uint64_t rows, uint32_t first) {
    free_rows(s, warp, rows & ~1ull);
    if (rows & 1) s->free[first / 32] |= 1u << first % 32;
}

static void free_released(struct srf_rename *s) {
    const unsigned warp = s->in.release_warp;
    free_rows_of(s, warp, s->valid[warp], s->d.left);
    s->valid[warp] = 0;
}

static void write_back(struct srf_rename *s) {
    const unsigned warp = s->in.write_warp;
    uint64_t *valid = &s->valid[warp];
    free_rows_of(s, warp, *valid & ~s->d.valid, s->d.old);
    if (s->out.mapped && s->d.wanted) take_from_list(s, s->out.target0);
    if (s->out.mapped && s->d.wanted & (s->d.wanted - 1)) take_from_list(s, s->out.target1);
    *valid = s->d.valid;
}

static void start(struct srf_rename *s) {
    for (warp_set rest = s->in.start_warps; rest; rest &= rest - 1) {
        const unsigned w = warp_set_first(rest);
        if (w >= s->cfg.warps || s->valid[w] & row_mask(s)) continue;
        const bool at_home = warp_set_has(s->d.at_home, w);
        s->valid[w] = 7 * (row_mask(s) + 1) | at_home;
        if (at_home) take_from_list(s, home_of(s, w));
    }
}

void srf_rename_clock(struct srf_rename *s) {
    srf_rename_write_map(s);
    if (s->in.write_destinations) write_back(s);
    if (s->in.release) free_released(s);
    if (s->in.start) start(s);
    memset(&s->in, 0, sizeof s->in);
}
