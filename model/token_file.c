#include "model/token_file.h"

#include "sim/error.h"

#include <string.h>

void token_file_init(struct token_file *f, unsigned warps, unsigned registers) {
    invariant(warps >= 1 && warps <= TOKEN_FILE_MAX_WARPS && registers >= 3 && registers <= 64,
              "token file of %u warps, %u registers", warps, registers);
    *f = (struct token_file){.cfg = {warps, registers}};
    f->q.token = f->token;
}

void token_file_reset(struct token_file *f) {
    token_file_init(f, f->cfg.warps, f->cfg.registers);
}

static void read_tokens(struct token_file *f) {
    const uint64_t tokens = f->token[f->in.read_warp];
    f->out.tokens = tokens;
    f->out.uniform = f->in.read_full && !(f->in.read_sources & ~tokens);
    f->out.copies = f->in.read_full ? 0 : f->in.read_destinations & tokens;
}

void token_file_eval(struct token_file *f) {
    const struct token_file_in *in = &f->in;
    invariant(in->read_warp < f->cfg.warps && in->write_warp < f->cfg.warps,
              "tokens of warps %u and %u, of %u", in->read_warp, in->write_warp, f->cfg.warps);
    read_tokens(f);
    const uint64_t tokens = f->token[in->write_warp];
    const bool sets = in->write_full && (in->write_uniform || in->write_broadcast);
    f->d.written = sets ? tokens | in->write_destinations : tokens & ~in->write_destinations;
}

void token_file_clock(struct token_file *f) {
    f->token[f->in.write_warp] = f->d.written;
    if (f->in.start)
        for (unsigned w = 0; w < f->cfg.warps; ++w) f->token[w] = 1;
    memset(&f->in, 0, sizeof f->in);
}
