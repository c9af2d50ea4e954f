#include "runtime/image_code.h"

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
    machine_decode(code);
}
