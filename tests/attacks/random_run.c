#include "tests/attacks/random_run.h"

#include "tests/attacks/random_batch.h"
#include "tests/seed.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SECONDS = 900 };

static unsigned kernels(unsigned some, unsigned all) {
    const char *number = getenv("LOCKSTEP_KERNELS");
    if (number) return (unsigned)strtoul(number, NULL, 10);
    return getenv("LOCKSTEP_LONG") ? all : some;
}

/* Returns the number that a line of the record refers to; a line consists of a name and a number. */
static unsigned long long *place_of(struct random_run *r, const char *name) {
    for (unsigned i = 0; r->names[i]; i++)
        if (strcmp(r->names[i], name) == 0) return &r->count[i];
    return NULL;
}

static void read_record(struct random_run *r) {
    char name[64];
    unsigned long long value;
    FILE *f = fopen(r->record, "r");
    if (!f) return;
    while (fscanf(f, "%63s %llu", name, &value) == 2) {
        unsigned long long *place = place_of(r, name);
        if (place)
            *place = value;
        else if (strcmp(name, "seed") == 0)
            r->seed = value;
        else if (strcmp(name, "kernels") == 0)
            r->done = (unsigned)value;
        else
            fail_msg("%s: %s is not counted by this test", r->record, name);
    }
    if (!feof(f)) fail_msg("%s is not a record of this test", r->record);
    fclose(f);
    print_message("continued behind %u kernels from seed %llu\n", r->done, (unsigned long long)r->seed);
}

static void write_record(const struct random_run *r) {
    char part[4096];
    if ((size_t)snprintf(part, sizeof part, "%s.part", r->record) >= sizeof part)
        fail_msg("%s: too long", r->record);
    FILE *f = fopen(part, "w");
    if (!f) fail_msg("%s cannot be written", part);
    fprintf(f, "seed %llu\nkernels %u\n", (unsigned long long)r->seed, r->done);
    for (unsigned i = 0; r->names[i]; i++) fprintf(f, "%s %llu\n", r->names[i], r->count[i]);
    if (fclose(f) != 0 || rename(part, r->record) != 0) fail_msg("%s cannot be written", r->record);
}

struct random_run random_run_start(unsigned some, unsigned all, const char *const *names) {
    const char *seconds = getenv("LOCKSTEP_SECONDS");
    struct random_run r = {.names = names,
                           .seed = seed_start().state,
                           .all = kernels(some, all),
                           .record = getenv("LOCKSTEP_RECORD"),
                           .deadline = time(NULL) + (seconds ? atoi(seconds) : MOST_SECONDS)};
    if (r.record) read_record(&r);
    return r;
}

bool random_run_next(struct random_run *r) {
    r->done += r->batch;
    if (r->record && r->batch != 0) write_record(r);
    const unsigned left = r->all > r->done ? r->all - r->done : 0;
    const bool first = r->batch == 0;
    r->batch = left < RANDOM_BATCH ? left : RANDOM_BATCH;
    if (left != 0 && (first || time(NULL) < r->deadline)) return true;
    r->batch = 0;
    return false;
}

uint64_t random_run_seed(const struct random_run *r) {
    return r->seed + r->done;
}

void random_run_end(const struct random_run *r) {
    print_message("%u kernels of %u, seeds %llu to %llu:", r->done, r->all, (unsigned long long)r->seed,
                  (unsigned long long)r->seed + r->done - 1);
    for (unsigned i = 0; r->names[i]; i++) print_message(" %s %llu", r->names[i], r->count[i]);
    print_message("\n");
}
