/*
 * verilated_library: a Verilog block of given parameters as a shared library, loaded at run time.
 *
 * Verilator and g++ build it when it is first needed; it is then kept in the user's cache (verilated_key.h).
 * Flip-flops without a value at reset, and X, are random, from a seed. A design prints to stderr.
 */
#ifndef TB_VERILATED_LIBRARY_H
#define TB_VERILATED_LIBRARY_H

#include "tb/ports/verilog_notices.h"
#include "tb/twins/twin_block.h"
#include "tb/verilated/verilated_insides.h"
#include "tb/verilated/verilog_guard.h"

#include <stdint.h>

struct verilated_request {
    const struct twin_block *block;
    const struct verilog_source *source; /* resolved source */
    const char *slot; /* file of our Verilog, whose ports the source must have; NULL: the source is ours */
    const struct verilog_setting *settings; /* the machine's; the source gets the settings that it has */
    unsigned count;
    /* Called before it is built, with the block's name and the first file; may be NULL. */
    void (*on_build)(const char *block, const char *file);
    const char *optimize; /* 0 to 3: level of g++ unless $LOCKSTEP_RTL_OPTIMIZE is set; NULL: 3 */
    bool many;            /* further builds follow this one */
    /* Called when a user's design is opened, with the warnings of its build; may be NULL. */
    void (*on_notices)(const char *block, const char *top, const struct verilog_notices *n);
};

/* Signals have the numbers of the block's list. */
struct verilated_library {
    void *handle;
    void *(*create)(int seed); /* seed: at least 1 */
    void (*destroy)(void *instance);
    void (*hush)(bool quiet); /* switches printing of its instances off or on */
    /* Evaluates. Returns NULL, or the reason why the simulation of this library has stopped, now or earlier:
     * $finish, $stop, $fatal, $error, a failed assertion, a combinational loop that does not settle; with
     * place and output. */
    const char *(*eval)(void *instance);
    /* Evaluates after inputs and flip-flops have been written in place; returns as eval. NULL: a user's
     * design. */
    const char *(*force)(void *instance);
    /* Sets the model's inputs, while the clock is low, and evaluates; returns as eval. */
    const char *(*settle)(void *instance, const void *in);
    /* Makes the clock's rising edge; NULL: a combinational block. Its evaluation may be delayed to the next
     * inputs. */
    const char *(*edge)(void *instance);
    void (*finish)(void *instance); /* evaluates a delayed edge; NULL: never delayed */
    /* Return whether the outputs and existing flip-flops equal the model's; whether a row of the memories
     * does. */
    bool (*equal)(void *instance, const void *out, const void *q);
    bool (*row_equal)(void *instance, const void *model, unsigned row);
    /* Copies the model's data to `to`: signal n (for an array: its elements) is kept(n) bytes after it; for n
     * after the last, kept(n) is the total size. */
    void (*keep)(char *to, const void *in, const void *out, const void *q);
    /* Returns whether inputs, outputs and flip-flops equal such a copy. */
    bool (*same)(const char *kept, const void *in, const void *out, const void *q);
    /* Does settle and equal; if equal, keep and edge. NULL: not combined (a user's design may stop in
     * each). */
    bool (*step)(void *instance, char *to, const void *in, const void *out, const void *q);
    unsigned (*kept)(unsigned n);
    uint8_t *(*clock)(void *instance); /* NULL: a combinational block */
    uint8_t *(*reset)(void *instance); /* active low; NULL: none */
    /* Returns the bits of a signal: 1, 2, 4, 8 bytes, or 32-bit words. NULL: the flip-flop does not exist, or
     * has another width */
    void *(*signal)(void *instance, unsigned n);
    unsigned (*bits)(unsigned n); /* width of a signal; 0: does not exist */
    unsigned (*element_bits)(unsigned n);
    unsigned (*rows)(unsigned n); /* rows of a memory, whose bits are those of a row; else 1 */
    /* For a user's design, else NULL: open the insides of an instance, close them; look returns values. */
    void *(*inside_open)(void *instance);
    void (*inside_close)(void *reader);
    const char *left_out; /* memories with too many rows: "mem (1024 rows), ..."; "" or NULL: none */
    const char *(*inside_look)(void *reader); /* VCD: first all values, then changes */
    const struct verilated_inside_type *inside_types;
    char top[VERILOG_MAX_NAME]; /* name of the module */
    /* Save and restore all state of an instance as bytes; NULL: there is other state. */
    unsigned (*state_bytes)(void *instance);
    void (*state_keep)(void *instance, char *to);
    void (*state_put)(void *instance, const char *from, unsigned bytes);
    struct verilog_guard guard; /* effects of the design on the process */
};

/* *l must not move. Returns false with *e (EXIT_USER) if the tools are missing or refuse it, or the ports are
 * not those of the slot. */
bool verilated_library_open(struct verilated_library *l, const struct verilated_request *r, struct error *e);
/* Reads a user's design as for a build, and adds messages about it. Returns false with *e as above; messages
 * found until then are added. */
bool verilated_library_lint(const struct verilated_request *r, struct verilog_notices *n, struct error *e);
void verilated_library_close(struct verilated_library *l);

#endif
