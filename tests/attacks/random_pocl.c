#include "tests/attacks/random_pocl.h"

#include "tests/pocl.h"
#include "tests/spawn.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    PROCESSOR_SECONDS = 20, /* limit of CPU time for a kernel */
    SECONDS = 300,
    STACK_BYTES = 8 << 20, /* stack of a work-item; PoCL compiles the kernel on the first one */
    NOT_ALL = 3            /* exit status: some work-items wait at a barrier, others have ended */
};

/* Data behind the counters: how work-items call this program, and the ids of the running one. */
struct place {
    uint64_t wait;
    uint32_t local_id[3], group_id[3], global_id[3], local_size[3], groups[3], global_size[3], offset[3];
};
#define PLACE                            "((__global place *)(counters + 8))->"
#define WORK_ITEM_FUNCTION(name, member) "#define get_" name "(dimension) " PLACE member "[dimension]\n"

/* Before the kernels' source. OpenCL C has no calls of pointers, so that call() needs the processor's. */
static const char preamble[] =
    "typedef struct {\n    ulong wait;\n    uint local_id[3], group_id[3], global_id[3], local_size[3], "
    "groups[3], global_size[3], offset[3];\n} place;\n"
    "void call(ulong function) {\n"
    "    __asm__ volatile(\"mov %%rsp, %%rbx; lea -128(%%rsp), %%rsp; and $-16, %%rsp; call *%0; mov %%rbx, "
    "%%rsp\""
    " : \"+a\"(function) : : \"rbx\", \"rcx\", \"rdx\", \"rsi\", \"rdi\", \"r8\", \"r9\", \"r10\", \"r11\", "
    "\"xmm0\", \"xmm1\", \"xmm2\", \"xmm3\", \"xmm4\", \"xmm5\", \"xmm6\", \"xmm7\", \"xmm8\", \"xmm9\", "
    "\"xmm10\", \"xmm11\", \"xmm12\", \"xmm13\", \"xmm14\", \"xmm15\", \"memory\", \"cc\");\n}\n"
    "#define barrier(fence) call(" PLACE "wait)\n"
    "#define __local __global\n"
    "#define TILE(words) __global uint *tile = unused\n" WORK_ITEM_FUNCTION("local_id", "local_id")
        WORK_ITEM_FUNCTION("group_id", "group_id") WORK_ITEM_FUNCTION("global_id", "global_id")
            WORK_ITEM_FUNCTION("local_size", "local_size") WORK_ITEM_FUNCTION("num_groups", "groups")
                WORK_ITEM_FUNCTION("global_size", "global_size")
                    WORK_ITEM_FUNCTION("global_offset", "offset");

static struct pocl pocl;

/* --- work-items as coroutines --- */

/* A work-item, with a kernel, a queue and a stack of its own. Commands on the queue end when the coroutine
 * ends. */
struct item {
    cl_kernel kernel;
    cl_command_queue queue;
    ucontext_t context;
    bool ended;
    struct place place;
};

static struct {
    struct item item[RANDOM_MOST_ITEMS];
    unsigned items, running;
    struct place *place; /* place that the kernel reads */
    ucontext_t group;
    uint8_t *stacks;
} all;

static void wait_for_others(void) {
    struct item *i = &all.item[all.running];
    swapcontext(&i->context, &all.group);
}

static void run_item(void) {
    struct item *i = &all.item[all.running];
    const size_t one[3] = {1, 1, 1};
    POCL_OK(clEnqueueNDRangeKernel(i->queue, i->kernel, 3, NULL, one, one, 0, NULL, NULL));
    POCL_OK(clFinish(i->queue));
    i->ended = true;
}

/* Runs each work-item to its next barrier or its end. All must reach the same. */
static void run_to_barrier(void) {
    for (all.running = 0; all.running < all.items; all.running++) {
        struct item *i = &all.item[all.running];
        *all.place = i->place;
        swapcontext(&all.group, &i->context);
        if (i->ended != all.item[0].ended) _exit(NOT_ALL);
    }
}

static void start_item(struct item *i, unsigned number) {
    getcontext(&i->context);
    i->context.uc_stack =
        (stack_t){.ss_sp = all.stacks + (size_t)number * STACK_BYTES, .ss_size = STACK_BYTES};
    i->context.uc_link = &all.group;
    i->ended = false;
    makecontext(&i->context, run_item, 0);
}

static struct place place_of(const struct random_kernel *k, const uint32_t group[3], unsigned number) {
    struct place p = {.wait = (uint64_t)(uintptr_t)wait_for_others};
    uint32_t rest = number;
    for (unsigned d = 0; d < 3; d++) {
        p.local_size[d] = k->local_size[d];
        p.global_size[d] = k->global_size[d];
        p.groups[d] = k->global_size[d] / k->local_size[d];
        p.offset[d] = k->global_offset[d];
        p.group_id[d] = group[d];
        p.local_id[d] = rest % k->local_size[d];
        p.global_id[d] = k->global_offset[d] + group[d] * k->local_size[d] + p.local_id[d];
        rest /= k->local_size[d];
    }
    return p;
}

static void run_groups(const struct random_kernel *k) {
    const uint32_t *size = k->local_size, *global = k->global_size;
    for (uint32_t z = 0; z < global[2] / size[2]; z++)
        for (uint32_t y = 0; y < global[1] / size[1]; y++)
            for (uint32_t x = 0; x < global[0] / size[0]; x++) {
                for (unsigned i = 0; i < all.items; i++) {
                    start_item(&all.item[i], i);
                    all.item[i].place = place_of(k, (const uint32_t[3]){x, y, z}, i);
                }
                do run_to_barrier();
                while (!all.item[0].ended);
            }
}

/* --- launches --- */

static cl_mem shared_buffer(void *bytes, size_t size_bytes) {
    cl_int status;
    cl_mem m =
        clCreateBuffer(pocl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size_bytes, bytes, &status);
    POCL_OK(status);
    return m;
}

static void make_item(struct item *i, cl_program program, const struct random_kernel *k,
                      const cl_mem memory[5]) {
    cl_int status;
    i->kernel = clCreateKernel(program, k->name, &status);
    POCL_OK(status);
    i->queue = clCreateCommandQueue(pocl.context, pocl.device, 0, &status);
    POCL_OK(status);
    for (unsigned n = 0; n < 5; n++) POCL_OK(clSetKernelArg(i->kernel, n, sizeof(cl_mem), &memory[n]));
    POCL_OK(clSetKernelArg(i->kernel, 5, sizeof k->pa, &k->pa));
    POCL_OK(clSetKernelArg(i->kernel, 6, sizeof k->pb, &k->pb));
    POCL_OK(clSetKernelArg(i->kernel, 7, sizeof k->pc, &k->pc));
}

static void run(cl_program program, const struct random_kernel *k, struct random_contents *c) {
    static uint32_t tile[RANDOM_MOST_ITEMS] __attribute__((aligned(128)));
    static struct {
        uint32_t counters[RANDOM_COUNTERS];
        struct place place;
    } counters __attribute__((aligned(128)));
    memcpy(counters.counters, c->counters, sizeof c->counters);
    const cl_mem memory[5] = {shared_buffer(c->out, sizeof c->out), shared_buffer(c->in, sizeof c->in),
                              shared_buffer(c->mid, sizeof c->mid), shared_buffer(&counters, sizeof counters),
                              shared_buffer(tile, sizeof tile)};
    all.items = k->group_items;
    all.place = &counters.place;
    all.stacks = mmap(NULL, (size_t)all.items * STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (unsigned i = 0; i < all.items; i++) make_item(&all.item[i], program, k, memory);
    run_groups(k);
    memcpy(c->counters, counters.counters, sizeof c->counters);
}

/* Runs a kernel in a process of its own, forked from one that has built the program. */
static void be_kernel(cl_program program, const struct random_subject *s, struct random_answer *a) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){PROCESSOR_SECONDS, PROCESSOR_SECONDS});
    alarm(SECONDS);
    a->contents = s->before;
    run(program, &s->kernel, &a->contents);
    a->known = true;
    _exit(0);
}

static int status_of(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* In a process of its own, builds the batch and starts a process for each kernel. */
static void be_builder(const struct random_batch *b, struct random_answers *a) {
    setenv("POCL_DEVICES", "basic", 1);        /* no threads, so that it can fork */
    setenv("POCL_LLVM_CPU_NAME", "x86-64", 1); /* uses only registers that call() names */
#ifdef __x86_64__
    a->no_pocl = !pocl_start(&pocl);
#else
    a->no_pocl = true; /* call() is for this processor */
#endif
    if (a->no_pocl) _exit(0);
    char *source = spawn_text("%s%s", preamble, b->source);
    const cl_program program = pocl_build(&pocl, "random kernels", source, " -cl-opt-disable");
    for (unsigned i = 0; i < b->count; i++) {
        const pid_t pid = fork();
        if (pid == 0) be_kernel(program, &b->subject[i], &a->of[i]);
        a->of[i].status = status_of(pid);
    }
    _exit(0);
}

bool random_pocl_ask(const struct random_batch *b, struct random_answers *a) {
    char *cache = spawn_folder();
    memset(a, 0, sizeof *a);
    setenv("POCL_CACHE_DIR", cache, 1);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) be_builder(b, a);
    const int status = status_of(pid);
    spawn_remove_folder(cache);
    assert_int_equal(status, 0);
    return !a->no_pocl;
}

struct random_answers *random_pocl_answers(void) {
    void *shared =
        mmap(NULL, sizeof(struct random_answers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    return shared;
}
