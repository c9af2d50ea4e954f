#include "runtime/image_code.h"

#include "abi/scalar_note.h"
#include "sim/error.h"

#include <stdlib.h>

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
    machine_decode(code);
}
