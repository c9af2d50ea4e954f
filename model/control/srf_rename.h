/*
 * srf_rename: map and free list of the scalar register file (Xiang et al. 2013 §3.1.2; machine.md §9).
 *
 * A row that holds one value in all threads of a warp is mapped to one of `physical` scalar registers. The
 * masks `q.valid` of mapped rows are those of the tokens in token_file. The states of a warp (NZCV, FPSCR's)
 * have a few bits each: their scalar copies, one for each warp, are outside the file and take no register. So
 * the map has warps × N_reg entries; the paper's 512 × 7 bits are of vector registers.
 *
 * Reading (`in.read_*`) is the same as in token_file; in addition, `out.scalar*` are the scalar registers of
 * up to three rows.
 *
 * Writing (`in.write_*`): rows that would get their tokens in token_file are mapped; mapped rows keep their
 * registers (`out.mapped`; new registers are `out.target*`). If too few registers are free, the write becomes
 * an ordinary vector write (`out.refused`: the structural hazard), as does a write that needs more than two
 * new registers. A multiple load writes one register at a time, and so makes as many writes. All other
 * destinations are unmapped: their registers are free from the next cycle on. The lowest-numbered free
 * register is taken first: the list has one bit for each.
 *
 * When the last thread of a warp exits, the warp's registers become free (`in.release`), after the write of
 * that cycle. When a work-group begins, after both, the states of its warps (`in.start_warps`) are uniform,
 * and r0, the argument pointer, is mapped to the warp's home register, physical − 1 − w of warp w, if that
 * exists and is free. Other rows take home registers last. A warp that holds registers does not begin.
 *
 * In a cycle without a start, write or release nothing changes, and the block need not be evaluated. The
 * reading of a cycle comes before the writing.
 */
#ifndef MODEL_CONTROL_SRF_RENAME_H
#define MODEL_CONTROL_SRF_RENAME_H

#include "generated/srf_rename_ports.h"
#include "model/control/block_twins.h"
#include "model/control/token_file.h"

#define SRF_RENAME_MAX_ROWS 64

/* --- parameters, ports and flip-flops --- */

struct srf_rename {
    struct {
        unsigned warps;     /* 1–128 */
        unsigned registers; /* 5–64 */
        unsigned physical;  /* 2–4096; the paper's 128 */
    } cfg;
    struct srf_rename_in in; /* ports and flip-flops are described in rtl/srf_rename.sv */
    struct srf_rename_out out;
    struct srf_rename_state q; /* points to `valid` and `free` */
    struct {
        uint64_t valid;   /* mask of in.write_warp */
        uint64_t wanted;  /* rows newly mapped if out.mapped, to out.target0 and out.target1 in this order */
        warp_set at_home; /* warps that begin and get their home register for r0 */
        uint32_t old;     /* scalar register of row 0 of in.write_warp before the write, if mapped */
        uint32_t left;    /* scalar register that row 0 of the released warp frees, if mapped */
    } d;
    uint64_t valid[TDT_MAX_WARPS];
    struct srf_rename_row {
        uint32_t map[SRF_RENAME_MAX_ROWS];
    } row[TDT_MAX_WARPS];
    block_rows written;                              /* warps whose map changes in this cycle */
    uint32_t free[SRF_RENAME_MAX_PHYSICAL / 32 + 1]; /* bit p % 32 of word p / 32 */
};

/* --- functions --- */

/* Initialises in place: the structure points to itself and must not be copied. */
void srf_rename_init(struct srf_rename *s, unsigned warps, unsigned registers, unsigned physical);
void srf_rename_reset(struct srf_rename *s); /* resets flip-flops and ports: all registers are free */
void srf_rename_eval(struct srf_rename *s);  /* in, q → out, d */
void srf_rename_read(struct srf_rename *s);  /* the reading only, which without a twin needs no edge */
/* Does the part of the edge that writes the map, after the evaluation. Only rows that are not valid change,
 * so that nothing reads them before the edge. A twin is compared in between. */
void srf_rename_write_map(struct srf_rename *s);
void srf_rename_clock(struct srf_rename *s); /* d → q: the edge, with the map; inputs are 0 again */

/* Returns the scalar register of a row; −1 if the row is not mapped. */
int srf_rename_scalar(const struct srf_rename *s, unsigned warp, unsigned row);

#endif
