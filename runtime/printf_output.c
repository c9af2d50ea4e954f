#include "runtime/printf_output.h"

#include "abi/printf_buffer.h"

#include <stdio.h>
#include <stdlib.h>

bool printf_output_begin(struct printf_output *o, struct memory *m, const struct image_kernel *k) {
    *o = (struct printf_output){.region = -1};
    if (!k->prints) return true;
    o->buffer = calloc(1, PRINTF_MAPPED_BYTES);
    if (o->buffer)
        o->region = memory_add(m, MEMORY_BUFFER, PRINTF_ADDRESS, PRINTF_MAPPED_BYTES, o->buffer, true,
                               "the printf buffer");
    if (o->region >= 0) return true;
    free(o->buffer);
    o->buffer = NULL;
    return false;
}

void printf_output_end(struct printf_output *o, struct memory *m, const struct image *i,
                       const struct image_kernel *k, bool whole, struct printf_text *t) {
    *t = (struct printf_text){0};
    if (!o->buffer) return;
    memory_remove(m, o->region);
    if (!printf_text_read(t, i, o->buffer))
        fprintf(stderr, "lockstep: kernel %s: out of memory for what it printed\n", k->name);
    else if (t->lost)
        fprintf(stderr,
                "lockstep: kernel %s printed more than the %u bytes of the printf buffer "
                "(CL_DEVICE_PRINTF_BUFFER_SIZE): the rest is missing; print less in one launch\n",
                k->name, PRINTF_BUFFER_BYTES);
    if (t->damaged && !whole)
        fprintf(stderr, "lockstep: kernel %s was stopped while it printed: its last output is missing\n",
                k->name);
    else if (t->damaged)
        fprintf(stderr,
                "lockstep: kernel %s has written over its printf buffer (%#x to %#x): output is missing\n",
                k->name, PRINTF_ADDRESS, PRINTF_ADDRESS + PRINTF_MAPPED_BYTES - 1);
    free(o->buffer);
    o->buffer = NULL;
}
