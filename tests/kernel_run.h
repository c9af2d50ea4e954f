/* kernel_run: runs a kernel of a compiled image on one buffer of words, on the machine or under the oracle.
 * The kernel's parameters are __global int *, then ints. Panics and failed checks end the test. */
#ifndef TESTS_KERNEL_RUN_H
#define TESTS_KERNEL_RUN_H

#include "model/machine/machine.h"
#include "runtime/image.h"
#include "tests/oracle/oracle_run.h"

enum { KERNEL_RUN_BASE = MEMORY_BUFFER_BASE, KERNEL_RUN_ARGUMENTS = MEMORY_LOCAL_BASE - 0x1000 };

struct kernel_run {
    struct image *image;
    struct machine_code code;
    uint8_t arguments[256];
};

/* Reads an image written by the compiler, and decodes its code. Free with image_free() and
 * machine_code_free(). */
struct image *kernel_run_image(const char *path, struct machine_code *code);

/* Compiles an OpenCL C file with the compiler beside the test (options: "" or build options). */
void kernel_run_open(struct kernel_run *r, const char *source_path, const char *options);
/* Does the same with another option of the compiler; NULL: none. */
void kernel_run_open_for(struct kernel_run *r, const char *source_path, const char *options, char *option);
void kernel_run_close(struct kernel_run *r);

struct kernel_run_work {
    const char *machine; /* machine of configs/; NULL: the defaults */
    const char *kernel;
    uint32_t items, group;
    int32_t numbers[4]; /* arguments after the buffer */
    bool check_levels;  /* machine_set_check_levels() */
    /* Called after the machine has been created, and after the launch has ended, with or without an error
     * (fills *e on an error of its own); NULL: nothing. */
    void (*begin)(struct machine *m);
    void (*end)(struct error *e);
};

/* Runs on a machine. settings: "field=value", NULL at the end. Returns false with *e on failure. */
bool kernel_run_machine(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                        uint32_t *buffer, uint32_t words, struct error *e);

/* Does the same in SIMT mode and returns the launch's counters. */
struct kernel_run_figures {
    uint64_t cycles, warp_instructions, thread_instructions;
};
bool kernel_run_measured(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                         uint32_t *buffer, uint32_t words, struct kernel_run_figures *figures,
                         struct error *e);

/* Adds the launch, and the reading of its buffer, to the oracle's work. twin: runs work-groups with
 * the twin. */
void kernel_run_oracle(struct kernel_run *r, const struct kernel_run_work *w, struct oracle *o, bool twin,
                       const uint32_t *buffer, uint32_t words);

#endif
