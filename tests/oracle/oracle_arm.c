/* oracle_arm: runs kernels under qemu-arm, see oracle.h.
 *
 * Each work-item has a context: registers, VFP registers, stack. The co-processor's instructions are
 * undefined for Linux and raise SIGILL. The handler either executes the instruction on the frame of the
 * interrupted context, or switches to another context: at a barrier and at the end of a thread. Priority
 * operations, which change no value, are overwritten by NOPs after their first execution.
 *
 * The program is linked at 0x20000000, which the simulated machine does not use. qemu-arm places this
 * program's stack at MEMORY_LOCAL_BASE; local memory takes the lowest bytes of its 8 MB, which the stack
 * never reaches. */
#include "abi/memory_map.h"
#include "tests/oracle/oracle.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE_BYTES = 4096,
    LOCAL_BYTES = 65536,
    MOST_ITEMS = 2048,
    STACK_BYTES = 65536, /* bytes of stack of a work-item; one that runs a whole work-group has all of them */
    NOP = 0x0320f000,
    THREAD_EXIT = (int)0xee040711, /* MCR p7, 0, r0, c4, c1, 0 */
    USER_MODE = 0x10,
    RETURN_STUB = MEMORY_LAUNCH_BASE - PAGE_BYTES
};

/* Third argument of a signal handler on ARM Linux. */
struct frame {
    uint32_t flags, link, stack[3];
    uint32_t trap, error, old_mask;
    uint32_t r[16], cpsr, fault_address;
    uint32_t mask[32];
    uint64_t coprocessors[64]; /* VFP: 8 bytes of head, d0 to d31, FPSCR */
};
enum { VFP_HEAD = 1, VFP_WORDS = 32, VFP_FPSCR = VFP_HEAD + VFP_WORDS };

enum state { READY, AT_BARRIER, ENDED };

struct context {
    enum state state;
    uint32_t r[16], cpsr;
    uint64_t coprocessors[64];
};

static struct oracle_launch launch;
static uint32_t group[3];
static struct context main_context, context[MOST_ITEMS];
static uint32_t contexts, current;
static uint8_t handler_stack[65536] __attribute__((aligned(8)));

static void *at(uint32_t address) {
    return (void *)(uintptr_t)address;
}

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "oracle: %s: ", launch.kernel[0] ? launch.kernel : "no kernel");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    _exit(1);
}

/* --- contexts --- */

static void save(struct context *c, const struct frame *f) {
    memcpy(c->r, f->r, sizeof c->r);
    memcpy(c->coprocessors, f->coprocessors, sizeof c->coprocessors);
    c->cpsr = f->cpsr;
}

static void resume(const struct context *c, struct frame *f) {
    memcpy(f->r, c->r, sizeof c->r);
    memcpy(f->coprocessors, c->coprocessors, sizeof c->coprocessors);
    f->cpsr = c->cpsr;
}

static void first_context(struct context *c, uint32_t number) {
    memset(c->r, 0, sizeof c->r);
    c->state = READY;
    c->cpsr = USER_MODE;
    c->r[0] = launch.argument_block;
    c->r[13] = MEMORY_STACK_BASE + MOST_ITEMS * STACK_BYTES - number * STACK_BYTES;
    c->r[14] = RETURN_STUB;
    c->r[15] = launch.entry;
    memcpy(c->coprocessors, main_context.coprocessors, sizeof c->coprocessors);
    memset(&c->coprocessors[VFP_HEAD], 0, VFP_WORDS * sizeof c->coprocessors[0]);
    memset(&c->coprocessors[VFP_FPSCR], 0, sizeof(uint32_t));
}

static void start_group(struct frame *f) {
    save(&main_context, f);
    for (uint32_t i = 0; i < contexts; i++) first_context(&context[i], i);
    current = 0;
    resume(&context[0], f);
}

static bool all_are(enum state wanted) {
    for (uint32_t i = 0; i < contexts; i++)
        if (context[i].state != wanted) return false;
    return true;
}

/* Stops the running context in a state and switches to the next one, or to the main program after all have
 * ended. */
static void leave(struct frame *f, enum state state) {
    save(&context[current], f);
    context[current].state = state;
    while (++current < contexts && context[current].state != READY) continue;
    if (current == contexts) {
        if (all_are(ENDED)) {
            resume(&main_context, f);
            return;
        }
        if (!all_are(AT_BARRIER)) die("some work-items wait at a barrier, others have ended");
        for (uint32_t i = 0; i < contexts; i++) context[i].state = READY;
        current = 0;
    }
    resume(&context[current], f);
}

/* --- the co-processor --- */

static uint32_t local_id(unsigned dimension) {
    const uint32_t *size = launch.local_size;
    const uint32_t id[3] = {current % size[0], current / size[0] % size[1], current / size[0] / size[1]};
    return id[dimension];
}

static uint32_t identity(unsigned crn, unsigned crm, unsigned op, uint32_t pc) {
    const unsigned d = op & 3;
    if (crn == 1 && crm == 0 && op < 7 && d < 3 && !launch.whole_groups) {
        const uint32_t first = launch.global_offset[d] + group[d] * launch.local_size[d];
        return local_id(d) + (op >= 4 ? first : 0);
    }
    if (crn == 2 && crm == 3 && op == 0) return launch.work_dim;
    if (crn == 2 && crm < 3 && op < 5) {
        const uint32_t value[5] = {group[crm], launch.global_size[crm] / launch.local_size[crm],
                                   launch.local_size[crm], launch.global_size[crm],
                                   launch.global_offset[crm]};
        return value[op];
    }
    die("work-item %u: MRC p7 of c%u, c%u, %u at %#x", current, crn, crm, op, pc);
}

static void operate(struct frame *f, unsigned crn, unsigned crm, unsigned op) {
    uint32_t *word = at(f->r[15]);
    f->r[15] += 4;
    if (crn == 4 && crm == 1 && op == 0) {
        leave(f, ENDED);
    } else if (launch.whole_groups) {
        die("MCR p7 of c%u, c%u, %u at %#x, in code for whole work-groups", crn, crm, op, f->r[15] - 4);
    } else if (crn == 3) {
        *word = (*word & 0xf0000000) | NOP;
    } else if (crn == 4 && crm == 0 && op == 0) {
        leave(f, AT_BARRIER);
    } else {
        die("work-item %u: MCR p7 of c%u, c%u, %u at %#x", current, crn, crm, op, f->r[15] - 4);
    }
}

static void on_illegal(int number, siginfo_t *info, void *argument) {
    struct frame *f = argument;
    (void)number;
    if (info->si_code <= 0) { /* sent by our own raise() */
        start_group(f);
        return;
    }
    const uint32_t word = *(const uint32_t *)at(f->r[15]);
    const unsigned crn = word >> 16 & 15, crm = word & 15, op = word >> 5 & 7, rt = word >> 12 & 15;
    if ((word & 0x0ff00f10) == 0x0e100710 && rt < 15) {
        f->r[rt] = identity(crn, crm, op, f->r[15]);
        f->r[15] += 4;
    } else if ((word & 0x0ff00f10) == 0x0e000710) {
        operate(f, crn, crm, op);
    } else {
        die("work-item %u: undefined instruction %#010x at %#x", current, word, f->r[15]);
    }
}

static void on_fault(int number, siginfo_t *info, void *argument) {
    const struct frame *f = argument;
    die("work-item %u: signal %d at %#x, address %#lx", current, number, f->r[15],
        (unsigned long)(uintptr_t)info->si_addr);
}

static void catch_signals(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    a.sa_sigaction = on_illegal;
    sigaction(SIGILL, &a, NULL);
    a.sa_sigaction = on_fault;
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &a, NULL);
}

/* --- memory and records --- */

static void map(uint32_t base, uint32_t size_bytes) {
    void *got = mmap(at(base), size_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (got != at(base)) die("no memory of %u bytes at %#x", size_bytes, base);
}

/* Maps the pages of a range that are not mapped yet; buffers may share a page. */
static void map_pages(uint32_t base, uint32_t size_bytes) {
    static uint8_t mapped[1 << 20];
    const uint32_t last = (base + size_bytes - 1) / PAGE_BYTES;
    for (uint32_t page = base / PAGE_BYTES; page <= last;) {
        uint32_t end = page;
        while (end <= last && !mapped[end]) mapped[end++] = 1;
        if (end > page) map(page * PAGE_BYTES, (end - page) * PAGE_BYTES);
        page = end > page ? end : page + 1;
    }
}

static void read_all(FILE *in, void *to, size_t size_bytes) {
    if (fread(to, 1, size_bytes, in) != size_bytes) die("the input ends in the midst of a record");
}

static void run(void) {
    const uint32_t *size = launch.local_size, *all = launch.global_size;
    const uint32_t items = size[0] * size[1] * size[2];
    if (items == 0 || items > MOST_ITEMS) die("a work-group of %u work-items", items);
    contexts = launch.whole_groups ? 1 : items;
    for (group[2] = 0; group[2] < all[2] / size[2]; group[2]++)
        for (group[1] = 0; group[1] < all[1] / size[1]; group[1]++)
            for (group[0] = 0; group[0] < all[0] / size[0]; group[0]++) {
                memset(at(MEMORY_LOCAL_BASE), 0xa5, LOCAL_BYTES);
                raise(SIGILL);
            }
}

static void serve(FILE *in, FILE *out) {
    struct oracle_head head;
    while (fread(&head, sizeof head, 1, in) == 1) {
        switch (head.kind) {
        case ORACLE_MEMORY:
            if (head.size_bytes != 0) map_pages(head.base, head.size_bytes);
            read_all(in, at(head.base), head.size_bytes);
            break;
        case ORACLE_LAUNCH:
            read_all(in, &launch, sizeof launch);
            run();
            break;
        case ORACLE_RESULT:
            if (fwrite(at(head.base), 1, head.size_bytes, out) != head.size_bytes) die("output not written");
            break;
        default: die("a record of unknown kind %u", head.kind);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: oracle_arm INPUT OUTPUT");
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out) die("%s or %s cannot be opened", argv[1], argv[2]);
    map(MEMORY_LOCAL_BASE, LOCAL_BYTES);
    map(MEMORY_STACK_BASE, MOST_ITEMS * STACK_BYTES);
    map_pages(RETURN_STUB, PAGE_BYTES);
    *(uint32_t *)at(RETURN_STUB) = (uint32_t)THREAD_EXIT;
    catch_signals();
    serve(in, out);
    if (fclose(out) != 0) die("%s: not written", argv[2]);
    fclose(in);
    return 0;
}
