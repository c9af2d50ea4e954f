/*
 * twin_source: the Verilog of a twin: ours, or a user's in a slot.
 */
#ifndef TB_TWIN_SOURCE_H
#define TB_TWIN_SOURCE_H

#include "tb/twins/twin_block.h"

#include <limits.h>

struct twin_source {
    struct verilog_source verilog; /* resolved */
    bool own;                      /* our own Verilog */
    char slot[PATH_MAX];           /* our file with the slot's ports */
};

/* Finds the user's source or, without files, ours in `folder`. Returns false with *e (EXIT_USER) if something
 * is missing; free it in either case. */
bool twin_source_find(struct twin_source *s, const struct verilog_source *users,
                      const struct twin_block *block, const char *folder, struct error *e);
void twin_source_free(struct twin_source *s);

#endif
