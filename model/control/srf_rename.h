/*
 * srf_rename: map and free list of the scalar register file (Xiang et al. 2013 §3.1.2; machine.md §9).
 *
 * A row that holds one value in all threads of a warp is mapped to one of `physical` scalar registers;
 * whether it is (`q.valid`) is what its token says in token_file, whose masks these are. The states of a warp
 * (NZCV, FPSCR's) are some bits each: their scalar copies are beside the file, one for each warp, and take no
 * register. So the map has warps × N_reg entries; the paper's 512 × 7 bits are of vector registers.
 *
 * Reading (`in.read_*`) is that of token_file; besides, `out.scalar*` are the scalar registers of up to three
 * rows.
 *
 * Writing (`in.write_*`): what would get its token in token_file is mapped, rows that are mapped already stay
 * where they are (`out.mapped`; new registers are `out.target*`). If not as many registers are free as it
 * needs it falls back to an ordinary vector write (`out.refused`: the structural hazard), and so does a write
 * that would need more than two at once. A multiple load writes a register at a time, and so comes as that
 * many writes. All other destinations are unmapped: their registers are free in the next cycle, and can be
 * had then. The lowest-numbered free one goes first: the list is a bit for each.
 *
 * When the last thread of a warp exits all that it has is free again (`in.release`), after the write of that
 * cycle. When a work-group begins, after both, of its warps (`in.start_warps`) the states are uniform, and
 * r0, the argument pointer, is mapped to the warp's home, register physical − 1 − w of warp w, if there is
 * one and it is free then; others take it last. A warp that holds registers does not begin.
 *
 * In a cycle without a start, write or release nothing changes, and it need not be evaluated. In one cycle
 * the reading is before the writing.
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
    struct srf_rename_state q; /* of `valid` and `free` */
    struct {
        uint64_t valid;  /* of in.write_warp */
        uint64_t wanted; /* rows newly mapped, if out.mapped: to out.target0 and out.target1, in this order */
        warp_set at_home; /* warps that begin and get their register for r0 */
        uint32_t old;     /* register of row 0 of in.write_warp before the write, if it was mapped */
        uint32_t left;    /* by row 0 of the warp that is released, if it was mapped */
    } d;
    uint64_t valid[TDT_MAX_WARPS];
    struct srf_rename_row {
        uint32_t map[SRF_RENAME_MAX_ROWS];
    } row[TDT_MAX_WARPS];
    block_rows written;                              /* warps whose map changes in this cycle */
    uint32_t free[SRF_RENAME_MAX_PHYSICAL / 32 + 1]; /* bit p % 32 of word p / 32 */
};

/* --- functions --- */

/* In place: it points to itself and must not be copied. */
void srf_rename_init(struct srf_rename *s, unsigned warps, unsigned registers, unsigned physical);
void srf_rename_reset(struct srf_rename *s); /* flip-flops and ports: all is free */
void srf_rename_eval(struct srf_rename *s);  /* in, q → out, d */
void srf_rename_read(struct srf_rename *s);  /* of this, what reads: without a twin reading needs no edge */
/* Of the edge, after the evaluation, what the map gets. Nothing reads it before the edge: of its rows only
 * those change that are not valid. A twin is compared in between. */
void srf_rename_write_map(struct srf_rename *s);
void srf_rename_clock(struct srf_rename *s); /* d → q: the edge, with the map; inputs are 0 again */

/* The scalar register of a row; −1 if it is not mapped. */
int srf_rename_scalar(const struct srf_rename *s, unsigned warp, unsigned row);

#endif
