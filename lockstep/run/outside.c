#include "lockstep/run/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ADDRESS_SPACE_BYTES (1ull << 32)

bool outside_begin(struct outside *o, struct memory *memory, struct error *e) {
    uint8_t *host = mmap(NULL, ADDRESS_SPACE_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return error_set(e, EXIT_USER, "--tolerate-outside: no 4 GB of address space: %s", strerror(errno));
    *o = (struct outside){.memory = memory, .state = {.host = host}};
    memory->outside = &o->state;
    return true;
}

void outside_end(struct outside *o) {
    if (!o->memory) return;
    memory_forget_outside(o->memory);
    o->memory->outside = NULL;
    munmap(o->state.host, ADDRESS_SPACE_BYTES);
    for (size_t i = 0; i < o->place_count; i++) free(o->places[i].kernel);
    free(o->places);
    *o = (struct outside){0};
}

/* Notes the location of an access. Returns whether it is new. */
static bool note(struct outside *o, const char *kernel, uint32_t pc) {
    for (size_t i = 0; i < o->place_count; i++)
        if (o->places[i].pc == pc && strcmp(o->places[i].kernel, kernel) == 0) return false;
    o->places = realloc(o->places, (o->place_count + 1) * sizeof *o->places);
    require_memory(o->places);
    o->places[o->place_count++] = (struct outside_place){strdup(kernel), pc};
    return true;
}

static void tell(const struct memory_outside *first, const struct machine_launch *launch) {
    const struct machine_code *code = launch->code;
    const char *file;
    unsigned line;
    fprintf(stderr, "lockstep: kernel '%s' %s %u byte%s at 0x%08x, %s: tolerated, as may be more\n",
            launch->kernel, first->first_is_store ? "writes" : "reads", first->first_bytes,
            first->first_bytes == 1 ? "" : "s", first->first_address, first->first_place);
    if (code->line && code->line(code->line_context, first->first_pc, &file, &line))
        fprintf(stderr, "  at pc 0x%x, %s:%u\n", first->first_pc, file, line);
}

void outside_report(struct outside *o, const struct machine_launch *launch) {
    if (!o->memory || !o->state.accessed) return;
    if (note(o, launch->kernel, o->state.first_pc)) tell(&o->state, launch);
    memory_forget_outside(o->memory);
}
