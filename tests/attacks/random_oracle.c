#include "tests/attacks/random_oracle.h"

#include "tests/oracle/oracle_run.h"

#include <string.h>

static void give_to_oracle(struct oracle *o, const struct random_batch *b, struct random_subject *s,
                           bool twin) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    struct oracle_launch l = {.entry = twin ? k->twin : k->thunk,
                              .argument_block = RANDOM_ARGUMENTS,
                              .whole_groups = twin,
                              .work_dim = s->kernel.work_dim};
    snprintf(l.kernel, sizeof l.kernel, "seed %llu", (unsigned long long)s->seed);
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    oracle_memory(o, RANDOM_ARGUMENTS, s->arguments, sizeof s->arguments);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        oracle_memory(o, random_parts[n].base, random_part_of(&s->before, n),
                      (uint32_t)random_parts[n].size_bytes);
    oracle_launch(o, &l);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        oracle_result(o, random_parts[n].base, (uint32_t)random_parts[n].size_bytes);
}

unsigned random_oracle_differences(struct random_batch *b, bool twin, bool say) {
    struct oracle o;
    unsigned different = 0;
    oracle_start(&o);
    oracle_memory(&o, b->image->code_base, b->image->code, b->image->code_bytes);
    for (unsigned i = 0; i < b->count; i++) give_to_oracle(&o, b, &b->subject[i], twin);
    char *said = oracle_finish(&o);
    if (said) fail_msg("%s", said);
    for (unsigned i = 0; i < b->count; i++) {
        struct random_contents c = b->subject[i].before;
        for (unsigned n = 0; n < RANDOM_PARTS; n++)
            oracle_read(&o, random_part_of(&c, n), (uint32_t)random_parts[n].size_bytes);
        different += !random_batch_same(&b->subject[i], &c,
                                        twin ? "from the twin under qemu-arm" : "under qemu-arm", say);
    }
    oracle_end(&o);
    return different;
}
