#include "runtime/image_code.h"

static bool find_line(const void *context, uint32_t pc, const char **file, unsigned *line) {
    return image_line(context, pc, file, line);
}

static void find_callers(const void *context, uint32_t pc, char *text, size_t size) {
    image_callers(context, pc, text, size);
}

void image_code(const struct image *i, struct machine_code *code) {
    *code = (struct machine_code){.text_base = i->text_base,
                                  .text_bytes = i->text_bytes,
                                  .text = i->code + (i->text_base - i->code_base),
                                  .startup = i->startup,
                                  .startup_mimd = i->startup_mimd,
                                  .line = find_line,
                                  .callers = find_callers,
                                  .line_context = i};
    machine_decode(code);
}
