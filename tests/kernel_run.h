/*
 * kernel_run: runs a kernel of a compiled image on one buffer of words, on the machine or under the oracle.
 * The kernel's parameters: __global int *, then ints. Panics and failed checks end the test.
 */
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

/* The image in a file that the compiler made, and its code, ready
 * to run: image_free(), machine_code_free(). */
struct image *kernel_run_image(const char *path, struct machine_code *code);

/* Compiles an OpenCL C file with the compiler beside the test (options: "" or build options). */
void kernel_run_open(struct kernel_run *r, const char *source_path, const char *options);
/* Likewise with one more of the compiler's options; NULL: none. */
void kernel_run_open_for(struct kernel_run *r, const char *source_path, const char *options, char *option);
void kernel_run_close(struct kernel_run *r);

struct kernel_run_work {
    const char *machine; /* of configs/; NULL: that of the defaults */
    const char *kernel;
    uint32_t items, group;
    int32_t numbers[4]; /* the arguments behind the buffer */
    bool check_levels;  /* machine_set_check_levels() */
    /* What stands beside the machine: called when it has been made, and when the launch has ended well or not
     * (it fills *e if it finds fault); NULL: nothing. */
    void (*begin)(struct machine *m);
    void (*end)(struct error *e);
};

/* settings: "field=value", NULL at the end. False and *e as machine_run(). */
bool kernel_run_machine(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                        uint32_t *buffer, uint32_t words, struct error *e);

/* Likewise, with the launch's figures; SIMT mode. */
struct kernel_run_figures {
    uint64_t cycles, warp_instructions, thread_instructions;
};
bool kernel_run_measured(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                         uint32_t *buffer, uint32_t words, struct kernel_run_figures *figures,
                         struct error *e);

/* Adds the launch to what the oracle is to do, and to read the buffer afterwards.
 * twin: work-groups at once. */
void kernel_run_oracle(struct kernel_run *r, const struct kernel_run_work *w, struct oracle *o, bool twin,
                       const uint32_t *buffer, uint32_t words);

#endif
