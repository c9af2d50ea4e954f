#include "runtime/image_code.h"

#include "abi/image_note.h"
#include "abi/scalar_note.h"
#include "model/arm/coprocessor.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

static bool find_line(const void *context, uint32_t pc, const char **file, unsigned *line) {
    return image_line(context, pc, file, line);
}

static void find_callers(const void *context, uint32_t pc, char *text, size_t size) {
    image_callers(context, pc, text, size);
}

static uint32_t *meetings(const struct image *i) {
    const uint32_t words = i->text_bytes / 4;
    uint32_t *meeting = malloc((words + 1) * sizeof *meeting);
    require_memory(meeting);
    for (uint32_t n = 0; n < words; n++) meeting[n] = MACHINE_TOGETHER;
    for (size_t n = 0; n < i->branch_count; n++)
        meeting[(i->branches[n].address - i->text_base) / 4] = i->branches[n].meeting;
    return meeting;
}

static void scalars(const struct image *i, struct machine_code *code) {
    size_t count = 0;
    if (i->scalars == NULL) return;
    for (size_t n = 0; n < i->scalar_count; n++) count += i->scalars[n].reads + i->scalars[n].writes;
    code->scalarized = calloc(i->text_bytes / 4 + 1, sizeof *code->scalarized);
    code->operands = calloc(count + 1, sizeof *code->operands);
    require_memory(code->scalarized);
    require_memory(code->operands);
    for (size_t n = 0; n < count; n++)
        code->operands[n] =
            (struct machine_operand){.architectural = SCALAR_NOTE_OPERAND_ARCHITECTURAL(i->operands[n]),
                                     .vector = SCALAR_NOTE_OPERAND_IS_VECTOR(i->operands[n]),
                                     .number = (uint16_t)SCALAR_NOTE_OPERAND_NUMBER(i->operands[n])};
    for (size_t n = 0; n < i->scalar_count; n++) {
        const struct image_scalar *s = &i->scalars[n];
        code->scalarized[(s->address - i->text_base) / 4] = (struct machine_scalarized){
            .scalar = s->scalar, .reads = s->reads, .writes = s->writes, .first = s->first};
    }
}

_Static_assert(MACHINE_FENCE_LOCAL == 1 && MACHINE_FENCE_GLOBAL == 2, "as the flags of barrier()");

/* Adds the fences of barriers; a barrier without known memory is left out. */
static void fences(const struct image *i, struct machine_code *code) {
    for (uint32_t n = 0; n < code->text_bytes / 4; n++) {
        const uint32_t pc = code->text_base + 4 * n;
        if (!code->decoded[n].is_coprocessor ||
            coprocessor_decode(&code->decoded[n]).operation != COPROCESSOR_BARRIER)
            continue;
        const unsigned column = image_column(i, pc);
        if (column < IMAGE_FENCE_COLUMN) continue;
        code->fences = realloc(code->fences, (code->fence_count + 1) * sizeof *code->fences);
        require_memory(code->fences);
        code->fences[code->fence_count++] = (struct machine_fence){pc, column & IMAGE_FENCE_FLAGS};
    }
}

_Static_assert(IMAGE_MOST_OBJECTS == MACHINE_MOST_OBJECTS, "sets are copied");

/* Sets the objects of accesses of a function without a set of their own. */
static void remaining_objects(const struct image *i, struct machine_code *code, uint32_t address,
                              uint32_t bytes, uint32_t set) {
    if (!address || set > i->object_set_count || set >= UINT16_MAX) return;
    const uint32_t first = (address - code->text_base) / 4, all = code->text_bytes / 4,
                   end = bytes / 4 < all - first ? first + bytes / 4 : all;
    for (uint32_t n = first; n < end; n++)
        if ((code->decoded[n].is_load || code->decoded[n].is_store) && !code->object_set[n])
            code->object_set[n] = (uint16_t)set;
}

/* Adds the objects of a launch: the kernel's variables, its arguments, then the variables of its twin. */
static void objects(const struct image *i, struct machine_code *code) {
    code->object_set = calloc(code->text_bytes / 4 + 1, sizeof *code->object_set);
    code->object_sets = calloc(i->object_set_count + 1, sizeof *code->object_sets);
    require_memory(code->object_set && code->object_sets);
    for (size_t n = 0; n < i->object_set_count; n++) {
        const struct image_object_set *s = &i->object_sets[n];
        code->object_sets[n].count = s->count;
        for (uint32_t k = 0; k < s->count; k++)
            code->object_sets[n].object[k] =
                (uint16_t)(s->object[k] < 0 ? -1 - s->object[k]
                                            : (int32_t)i->kernels[s->kernel].variable_count + s->object[k]);
    }
    for (uint32_t n = 0; n < code->text_bytes / 4; n++) {
        if (!code->decoded[n].is_load && !code->decoded[n].is_store) continue;
        const unsigned mark = image_discriminator(i, code->text_base + 4 * n);
        if (mark >= IMAGE_FIRST_OBJECTS && mark - IMAGE_FIRST_OBJECTS < i->object_set_count &&
            mark - IMAGE_FIRST_OBJECTS < UINT16_MAX)
            code->object_set[n] = (uint16_t)(mark - IMAGE_FIRST_OBJECTS + 1);
    }
    for (size_t n = 0; n < i->kernel_count; n++) {
        const struct image_kernel *k = &i->kernels[n];
        remaining_objects(i, code, k->thunk, k->thunk_bytes, k->thunk_objects);
        remaining_objects(i, code, k->twin, k->twin_bytes, k->twin_objects);
    }
}

void image_code(const struct image *i, struct machine_code *code) {
    *code = (struct machine_code){.text_base = i->text_base,
                                  .text_bytes = i->text_bytes,
                                  .text = i->code + (i->text_base - i->code_base),
                                  .startup = i->startup,
                                  .startup_mimd = i->startup_mimd,
                                  .line = find_line,
                                  .callers = find_callers,
                                  .line_context = i,
                                  .meeting = meetings(i)};
    scalars(i, code);
    code->has_simd = strcmp(i->option[IMAGE_OPTION_ISA], "neon") == 0;
    machine_decode(code);
    fences(i, code);
    objects(i, code);
}
