/*
 * verilated_library: a Verilog block of given parameters as a shared library, loaded at run time.
 *
 * Verilator and g++ build it when it is first needed; it is then kept in the user's cache (verilated_key.h).
 * Flip-flops without a value at reset, and X, are random, from a seed. A design prints to stderr.
 */
#ifndef TB_VERILATED_LIBRARY_H
#define TB_VERILATED_LIBRARY_H

#include "tb/ports/verilog_notices.h"
#include "tb/twin_block.h"
#include "tb/verilated_insides.h"
#include "tb/verilog_guard.h"

#include <stdint.h>

struct verilated_request {
    const struct twin_block *block;
    const struct verilog_source *source; /* resolved */
    const char
        *slot; /* the file of our Verilog, whose ports the source must have; NULL: the source is ours */
    const struct verilog_setting *settings; /* of the machine: the source gets those it has */
    unsigned count;
    /* Called before it is built, with the block's name and the first file; NULL: nothing. */
    void (*on_build)(const char *block, const char *file);
    const char *optimize; /* 0 to 3: level of g++ if $LOCKSTEP_RTL_OPTIMIZE does not say; NULL: 3 */
    /* Called when a user's design has been read by Verilator, with its warnings; NULL: nothing. */
    void (*on_notices)(const char *block, const char *top, const struct verilog_notices *n);
};

/* Signals are numbered as in the block's list. */
struct verilated_library {
    void *handle;
    void *(*create)(int seed); /* 1 or more */
    void (*destroy)(void *instance);
    void (*hush)(bool quiet); /* from now on its instances print nothing, or again */
    /* NULL, or what stopped the simulation of this library, now or earlier: $finish, $stop, $fatal, $error,
     * an assertion that failed, a combinational loop that does not settle; where, and what it printed. */
    const char *(*eval)(void *instance);
    /* The model's inputs, while the clock is low, and the evaluation: as eval. */
    const char *(*settle)(void *instance, const void *in);
    const char *(*edge)(void *instance); /* then the clock's rising edge; NULL: a combinational block */
    /* Are the outputs and those flip-flops that are there the model's? Of a row of the memories likewise. */
    bool (*equal)(void *instance, const void *out, const void *q);
    bool (*row_equal)(void *instance, const void *model, unsigned row);
    /* A copy of what the model has, from `to` on: of signal n (of an array: its elements) kept(n) bytes after
     * it; that of the signal after the last is the size of all. */
    void (*keep)(char *to, const void *in, const void *out, const void *q);
    /* Are inputs, outputs and flip-flops those of such a copy? */
    bool (*same)(const char *kept, const void *in, const void *out, const void *q);
    /* settle, then equal; if that says so, keep and edge. NULL: these cannot be one (a user's design may have
     * stopped in each). */
    bool (*step)(void *instance, char *to, const void *in, const void *out, const void *q);
    unsigned (*kept)(unsigned n);
    uint8_t *(*clock)(void *instance); /* NULL: a combinational block */
    uint8_t *(*reset)(void *instance); /* active low; NULL: none */
    /* Where its bits are: 1, 2, 4, 8 bytes, or 32-bit words. NULL: a flip-flop of the model that is not
     * there, or of another width, */
    void *(*signal)(void *instance, unsigned n);
    unsigned (*bits)(unsigned n); /* which this says; 0: it is not there */
    unsigned (*element_bits)(unsigned n);
    unsigned (*rows)(unsigned n); /* of a memory, whose bits are those of a row; else 1 */
    /* Of a user's design, else NULL: what is inside an instance, until it is closed; its values, in words. */
    void *(*inside_open)(void *instance, struct verilated_insides *all);
    void (*inside_close)(void *reader);
    const char
        *left_out; /* memories with too many rows to be among it: "mem (1024 rows), ..."; "" or NULL: none */
    void (*inside_look)(void *reader, uint32_t *words);
    /* All state of an instance as bytes, to be put back into the same one; NULL: it is not only these. */
    unsigned (*state_bytes)(void);
    void (*state_keep)(void *instance, char *to);
    void (*state_put)(void *instance, const char *from);
    struct verilog_guard guard; /* what the design does to the process */
};

/* *l must stay where it is. False and *e (EXIT_USER) if the tools are missing or refuse it, or the ports are
 * not those of the slot. */
bool verilated_library_open(struct verilated_library *l, const struct verilated_request *r, struct error *e);
/* Reads a user's design as for a build, and adds what is to be said of it. False and *e as above; what has
 * been found until then is there. */
bool verilated_library_lint(const struct verilated_request *r, struct verilog_notices *n, struct error *e);
void verilated_library_close(struct verilated_library *l);

#endif
