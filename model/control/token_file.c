#include "model/control/token_file.h"

#include "sim/error.h"

#include <string.h>

void token_file_init(struct token_file *f, unsigned warps, unsigned registers) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && registers >= 4 && registers <= 64,
              "token file of %u warps, %u registers", warps, registers);
    *f = (struct token_file){.cfg = {warps, registers}};
    f->q.token = f->token;
}

void token_file_reset(struct token_file *f) {
    token_file_init(f, f->cfg.warps, f->cfg.registers);
}

static uint64_t row_mask(const struct token_file *f) {
    return (1ull << (f->cfg.registers - TOKEN_STATES)) - 1;
}

void token_file_read(struct token_file *f) {
    const struct token_file_in *in = &f->in;
    const uint64_t tokens = f->token[in->read_warp];
    const bool flags_known = !in->read_conditional || tokens & (row_mask(f) + 1);
    const bool whole = in->read_full && flags_known;
    f->out.tokens = tokens;
    f->out.uniform = whole && !(in->read_sources & ~tokens);
    f->out.copies = token_copies(tokens, row_mask(f) + 1, in->read_destinations, in->read_full,
                                 in->read_conditional, in->read_fails);
}

void token_file_eval(struct token_file *f) {
    const struct token_file_in *in = &f->in;
    invariant(in->read_warp < f->cfg.warps && in->write_warp < f->cfg.warps,
              "tokens of warps %u and %u, of %u", in->read_warp, in->write_warp, f->cfg.warps);
    token_file_read(f);
    const uint64_t same = in->write_uniform ? ~0ull : in->write_broadcast;
    const uint64_t sets = in->write_full ? in->write_destinations & same : 0;
    f->d.written = (f->token[in->write_warp] & ~in->write_destinations) | sets;
}

void token_file_clock(struct token_file *f) {
    f->token[f->in.write_warp] = f->d.written;
    for (unsigned w = 0; f->in.start && w < f->cfg.warps; ++w)
        if (warp_set_has(f->in.start_warps, w)) f->token[w] = 1 | 7 * (row_mask(f) + 1);
    memset(&f->in, 0, sizeof f->in);
}
