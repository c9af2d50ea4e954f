/*
 * verilated_library: a Verilog block of given parameters as a shared library, loaded at run time.
 *
 * Verilator and g++ build it when it is first needed; it is then kept in the user's cache
 * ($LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep; folder rtl/) under a key made of
 * the source's text, its parameters and the signals that the model has. A source is one file, module called
 * as the block, which includes no others.
 */
#ifndef TB_VERILATED_LIBRARY_H
#define TB_VERILATED_LIBRARY_H

#include "tb/twin_block.h"

#include <stdint.h>

/* Signals are numbered as in the block's list. */
struct verilated_library {
    void *handle;
    void *(*create)(void);
    void (*destroy)(void *instance);
    void (*eval)(void *instance);
    uint8_t *(*clock)(void *instance);           /* NULL: a combinational block */
    uint8_t *(*reset)(void *instance);           /* active low; NULL: none */
    void *(*signal)(void *instance, unsigned n); /* where its bits are: 1, 2, 4, 8 bytes, or 32-bit words */
    unsigned (*bits)(unsigned n);
    unsigned (*element_bits)(unsigned n);
};

/* `source` is an absolute path. False and *e (EXIT_USER) if the tools are missing or refuse it, or the ports
 * are not those of the block. */
bool verilated_library_open(struct verilated_library *l, const struct twin_block *block, const char *source,
                            const struct verilog_setting *settings, unsigned count, struct error *e);
void verilated_library_close(struct verilated_library *l);

#endif
