#include "compiler/scalar/scalar_listing.h"

#include "abi/image_lines.h"
#include "compiler/driver/trouble.h"
#include "model/arm/arm.h"

#include <stdio.h>
#include <string.h>

#define WARP_SIZE 32u

/* --- registers and reasons --- */

static void print_register(struct text *t, unsigned r) {
    static const char *const names[] = {[13] = "sp", [14] = "lr"};
    if (r == SCALAR_NOTE_NZCV)
        text_add(t, "flags");
    else if (r == SCALAR_NOTE_FPSCR_FLAGS)
        text_add(t, "fpscr");
    else if (r == 13 || r == 14)
        text_add(t, names[r]);
    else
        text_printf(t, "%c%u", r < 16 ? 'r' : 's', r < 16 ? r : r - 16);
}

static void print_place(struct text *t, const struct scalar *s, size_t web) {
    const bool vector = s->classes.webs[web].why != SCALAR_IS_SCALAR;
    text_printf(t, "%s%u", vector ? "V" : "S", s->registers.number[web]);
}

static uint32_t address_of(const struct scalar *s, size_t node) {
    return s->code.nodes[node].address;
}

static void print_web_reason(struct text *t, const struct scalar *s, size_t web) {
    const struct scalar_reason *r = &s->classes.webs[web];
    switch (r->why) {
    case SCALAR_STACK: text_add(t, "the stack of each thread"); break;
    case SCALAR_INSTRUCTION:
        text_printf(t, "the vector instruction at 0x%x writes it", address_of(s, r->node));
        break;
    case SCALAR_PAIR: text_printf(t, "half of an operand at 0x%x", address_of(s, r->node)); break;
    case SCALAR_MEETING:
        text_printf(t, "read where the threads that part at 0x%x meet", address_of(s, r->node));
        break;
    case SCALAR_SIDE:
        text_printf(t, "read by threads that go another way at 0x%x", address_of(s, r->node));
        break;
    case SCALAR_BARRIER:
        text_printf(t, "needed behind a barrier among threads that part at 0x%x", address_of(s, r->node));
        break;
    default: text_add(t, "by rule none"); break;
    }
}

static void print_reason(struct text *t, const struct scalar *s, size_t node) {
    const struct scalar_reason *r = &s->classes.nodes[node];
    switch (r->why) {
    case SCALAR_IS_SCALAR: break;
    case SCALAR_VARIES: text_add(t, "; differs from thread to thread"); break;
    case SCALAR_READS:
        text_add(t, "; reads ");
        print_place(t, s, r->web);
        if (s->classes.webs[r->web].why == SCALAR_INSTRUCTION) break;
        text_add(t, ": ");
        print_web_reason(t, s, r->web);
        break;
    case SCALAR_WRITES:
        text_add(t, "; writes ");
        print_place(t, s, r->web);
        text_add(t, ": ");
        print_web_reason(t, s, r->web);
        break;
    case SCALAR_REGION:
        text_printf(t, "; between the branch at 0x%x and where its threads meet", address_of(s, r->node));
        break;
    default: text_add(t, "; by rule none"); break;
    }
}

/* --- instructions --- */

static void print_operands(struct text *t, const struct scalar *s, size_t node) {
    const struct scalar_operands o = scalar_operands(s, node);
    SCALAR_FOR_EACH(r, o.writes) {
        text_add(t, " ");
        print_register(t, r);
        text_add(t, ">");
        print_place(t, s, scalar_written(s, &o, node, r));
    }
    SCALAR_FOR_EACH(r, o.reads) {
        text_add(t, " ");
        print_register(t, r);
        text_add(t, "<");
        print_place(t, s, scalar_web_in(&s->webs, node, r));
    }
}

static void print_instruction(struct text *t, const struct scalar *s, size_t node) {
    char instruction[128];
    struct text operands = {0};
    const struct scalar_operands o = scalar_operands(s, node);
    const uint32_t address = address_of(s, node);
    arm_disassemble(code_section_word(&s->code.section, address), address, instruction, sizeof instruction);
    print_operands(&operands, s, node);
    text_printf(t, "  %05x  %s  %-32s %-32s ", address, o.scalar ? "scalar" : "vector", instruction,
                text_string(&operands));
    const bool by_call = o.call != SCALAR_NONE && s->classes.nodes[node].why == SCALAR_IS_SCALAR;
    print_reason(t, s, by_call ? o.call : node);
    while (t->size && t->data[t->size - 1] == ' ') t->size--;
    text_add(t, "\n");
    text_free(&operands);
}

static void print_function(struct text *t, const struct scalar *s, const struct scalar_function *f,
                           const struct image_lines *lines) {
    unsigned last = 0;
    text_printf(t, "%s:\n", f->name);
    for (size_t n = f->begin; n < f->end; n++) {
        const char *file;
        unsigned line;
        if (!s->code.nodes[n].is_instruction) continue;
        if (lines && image_lines_find(lines, address_of(s, n), &file, &line) && line != last) {
            text_printf(t, "  ; %s:%u\n", file, line);
            last = line;
        }
        print_instruction(t, s, n);
    }
    text_add(t, "\n");
}

/* --- kernels --- */

/* Appends "kernel add: words a warp of 32: none 32·9 = 288, convergent 32·4 + 4 = 132, …". */
static void print_words(struct text *t, const struct text *image, const json_t *kernels) {
    struct scalar s[SCALARIZE_WIDE + 1];
    for (unsigned rule = SCALARIZE_NONE; rule <= SCALARIZE_WIDE; rule++)
        scalar_find(&s[rule], image, kernels, (enum compile_scalarize)rule);
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *name = json_object_get(json_array_get(kernels, k), "name");
        text_printf(t, "; kernel %s: words a warp of %u:", json_string_value(name), WARP_SIZE);
        for (unsigned rule = SCALARIZE_NONE; rule <= SCALARIZE_WIDE; rule++) {
            const unsigned vectors = s[rule].registers.vectors[k], scalars = s[rule].registers.scalars[k];
            text_printf(t, "%s %s %u (%u vectors, %u scalars)", rule == SCALARIZE_NONE ? "" : ",",
                        scalar_rule_name[rule], WARP_SIZE * vectors + scalars, vectors, scalars);
        }
        text_add(t, "\n");
    }
    for (unsigned rule = SCALARIZE_NONE; rule <= SCALARIZE_WIDE; rule++) scalar_free(&s[rule]);
    text_add(t, "\n");
}

void scalar_listing(const struct text *image, const json_t *kernels, enum compile_scalarize rule,
                    struct text *listing) {
    struct scalar s;
    struct text copy = {0};
    text_append(&copy, image->data, image->size);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(copy.data, copy.size);
    struct image_lines *lines = elf ? image_lines_read(elf) : NULL;
    print_words(listing, image, kernels);
    scalar_find(&s, image, kernels, rule);
    for (size_t i = 0; i < s.code.function_count; i++)
        if (s.code.functions[i].reached) print_function(listing, &s, &s.code.functions[i], lines);
    scalar_free(&s);
    image_lines_free(lines);
    elf_end(elf);
    text_free(&copy);
}
