/*
 * twin_source: which Verilog a twin is made of: ours, or a user's in a slot.
 */
#ifndef TB_TWIN_SOURCE_H
#define TB_TWIN_SOURCE_H

#include "tb/twin_block.h"

#include <limits.h>

struct twin_source {
    struct verilog_source verilog; /* resolved */
    bool own;                      /* it is ours */
    char slot[PATH_MAX];           /* our file, whose ports are the slot's */
};

/* The user's source; without files: ours, in `folder`. False and *e (EXIT_USER) if something is not there;
 * free it in either case. */
bool twin_source_find(struct twin_source *s, const struct verilog_source *users,
                      const struct twin_block *block, const char *folder, struct error *e);
void twin_source_free(struct twin_source *s);

#endif
