/* Parts of diagnoses about code and faults. */
#include "model/report/text.h"

#include "model/arm/coprocessor.h"

#include <stdarg.h>
#include <stdio.h>

void text_put(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at, t->left, format, arguments);
    va_end(arguments);
    if (n < 0 || t->left == 0) return;
    const size_t used = (size_t)n < t->left ? (size_t)n : t->left - 1;
    t->at += used;
    t->left -= used;
}

void text_place(struct text *out, const struct machine_code *code, uint32_t pc) {
    const char *file;
    unsigned line;
    text_put(out, "pc 0x%x", pc);
    if (!code->line || !code->line(code->line_context, pc, &file, &line)) return;
    text_put(out, ", %s:%u", file, line);
    if (!code->callers) return;
    char callers[300];
    code->callers(code->line_context, pc, callers, sizeof callers);
    text_put(out, "%s", callers);
}

void text_instruction(struct text *out, const struct machine_code *code, uint32_t pc) {
    char assembly[96];
    if (pc - code->text_base >= code->text_bytes || pc % 4) {
        text_put(out, "outside the code");
        return;
    }
    const struct arm_instruction *i = &code->decoded[(pc - code->text_base) / 4];
    arm_disassemble(i->encoding, pc, assembly, sizeof assembly);
    if (i->is_coprocessor) text_put(out, "%s: ", coprocessor_name(coprocessor_decode(i).operation));
    text_put(out, "%s", assembly);
}

void text_instruction_at(struct text *out, const struct machine_code *code, uint32_t pc) {
    text_place(out, code, pc);
    text_put(out, ": ");
    text_instruction(out, code, pc);
}

void text_fail(struct error *e, const struct machine_code *code, const char *who, uint32_t pc,
               const char *format, va_list what) {
    char message[1200], text[TEXT_MESSAGE_BYTES];
    struct text out = {message, sizeof message};
    vsnprintf(text, sizeof text, format, what);
    text_put(&out, "%s %s\n  at ", who, text);
    text_instruction_at(&out, code, pc);
    error_set(e, EXIT_PROGRAM_FAULT, "%s", message);
}

/* Addresses below this come from a null pointer and an index or field. */
#define NULL_REACH 4096

#define KERNEL_TRAP 0xe7ffdefeu /* __builtin_trap() */

static void describe_unmapped(struct text *out, const struct memory *memory, const struct arm_instruction *i,
                              uint32_t address) {
    const struct memory_region *r = memory_nearest(memory, address);
    char history[300];
    text_put(out, "%s %u byte%s at 0x%08x, ", i->is_store ? "writes" : "reads", i->access_bytes,
             i->access_bytes == 1 ? "" : "s", address);
    if (memory->history && memory->history(memory->history_context, address, history, sizeof history)) {
        text_put(out, "%s", history);
        return;
    }
    text_put(out, "outside every buffer");
    if (address < NULL_REACH) {
        text_put(out, ": a null pointer (a kernel argument that was set to NULL?)");
        return;
    }
    if (!r) return;
    const uint64_t end = (uint64_t)r->base + r->size_bytes;
    text_put(out, "; the nearest is %s, %u bytes at 0x%08x: ", r->name, r->size_bytes, r->base);
    if (address < r->base)
        text_put(out, "%u bytes before its start", r->base - address);
    else if (address < end)
        text_put(out, "the access goes beyond its end");
    else if (address == end)
        text_put(out, "right behind its end");
    else
        text_put(out, "%llu bytes behind its end", (unsigned long long)(address - end));
}

void text_fault(struct text *out, const struct memory *memory, const struct arm_instruction *i,
                const struct arm_execution *x, uint32_t stack_size, bool in_mimd) {
    const uint32_t a = x->fault_address;
    const int index = memory_find(memory, a, 1);
    const char *place = index >= 0 ? memory->region[index].name : "?";
    switch (x->fault) {
    case ARM_FAULT_UNMAPPED: describe_unmapped(out, memory, i, a); break;
    case ARM_FAULT_READ_ONLY: text_put(out, "writes to 0x%08x in %s, which is read-only", a, place); break;
    case ARM_FAULT_MISALIGNED:
        text_put(out, "accesses 0x%08x in %s, which this instruction needs aligned (SCTLR.A = 0)", a, place);
        break;
    case ARM_FAULT_FOREIGN_STACK:
        text_put(
            out,
            "accesses 0x%08x, which lies in the private memory of another work-item (or beyond the %u bytes "
            "of its own stack: cluster.stack_size)",
            a, stack_size);
        break;
    case ARM_FAULT_TARGET:
        text_put(out, "branches to 0x%08x: %s", a,
                 a & 1 ? "Thumb state, which is not modelled"
                       : "no multiple of 4, where no instruction can be");
        break;
    case ARM_FAULT_SHORT_VECTOR:
        text_put(out,
                 "computes while LEN or STRIDE of the FPSCR is not 0: VFP short vectors are not modelled");
        break;
    case ARM_FAULT_SUPERVISOR_CALL:
        text_put(out,
                 "calls supervisor service %u (SVC): a kernel has no operating system; it ends by returning",
                 i->immediate);
        break;
    default: {
        if (in_mimd && i->encoding == TEXT_TWIN_TRAP) {
            text_put(out, "finds that not all work-items of the work-group come to the same barriers: ");
            break; /* described by the caller */
        }
        if (i->encoding == KERNEL_TRAP) {
            text_put(out,
                     "runs into a trap: __builtin_trap(), or a place that the kernel says is never reached "
                     "(__builtin_unreachable())");
            break;
        }
        const char *why = arm_refusal(i->encoding);
        text_put(out, "executes 0x%08x, an instruction that is not decoded: %s", i->encoding,
                 why ? why : "Advanced SIMD and D16 to D31 need cluster.isa=neon");
    }
    }
}
