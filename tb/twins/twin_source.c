#include "tb/twins/twin_source.h"

#include <stdio.h>

/* Adds our modules that the user's modules instantiate and that are defined nowhere else. */
static bool add_ours(struct verilog_source *source, const char *folder, struct error *e) {
    char option[PATH_MAX + 2];
    const int n = snprintf(option, sizeof option, "-I%s", folder);
    if (n > 0 && n < (int)sizeof option && verilog_source_add(source, VERILOG_INCLUDE, option, (size_t)n))
        return true;
    return error_set(e, EXIT_USER, "--rtl: more than %u files, folders and options for a block",
                     VERILOG_MAX_ITEMS);
}

bool twin_source_find(struct twin_source *s, const struct verilog_source *users,
                      const struct twin_block *block, const char *folder, struct error *e) {
    const int n = snprintf(s->slot, sizeof s->slot, "%s/%s.sv", folder, block->module);
    s->verilog = (struct verilog_source){0};
    if (n < 0 || n >= (int)sizeof s->slot) return error_set(e, EXIT_USER, "--rtl: a path is too long");
    s->own = users->count == 0;
    if (s->own) {
        const bool found = verilog_source_one(&s->verilog, s->slot, block->module, e);
        s->verilog.pure = twin_block_is_pure(block->slot);
        return found;
    }
    verilog_source_copy(&s->verilog, users);
    if (!verilog_source_resolve(&s->verilog, e)) return false;
    /* Default: the name of the slot or of its policy. */
    if (!users->top)
        verilog_source_name(&s->verilog, verilog_source_declares(&s->verilog, block->name) ||
                                                 !verilog_source_declares(&s->verilog, block->module)
                                             ? block->name
                                             : block->module);
    return add_ours(&s->verilog, folder, e);
}

void twin_source_free(struct twin_source *s) {
    verilog_source_free(&s->verilog);
}
