/*
 * Random kernels on PoCL: a second opinion, of another compiler and library, on what they compute. Their
 * buffers must hold the same bytes as after a launch on the simulated machine (random_batch.h).
 *
 * PoCL builds a kernel in a second, but some with barriers in loops not in an hour: each runs in a process of
 * its own that has PROCESSOR_SECONDS; those without an answer are counted and must be few. `make test` takes
 * 5, LOCKSTEP_LONG=1 (`make test-long`) 1,000, LOCKSTEP_KERNELS=N any number (docs/test-long.md).
 */
#include "tests/pocl.h"
#include "tests/attacks/random_batch.h"
#include "tests/seed.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOME_KERNELS = 5, ALL_KERNELS = 1000, PROCESSOR_SECONDS = 8, SECONDS = 120 };

static struct pocl pocl;

static void set_arguments(cl_kernel kernel, const struct random_kernel *k, cl_mem memory[RANDOM_PARTS]) {
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        POCL_OK(clSetKernelArg(kernel, n, sizeof(cl_mem), &memory[n]));
    POCL_OK(clSetKernelArg(kernel, 4, 4 * k->group_items, NULL));
    POCL_OK(clSetKernelArg(kernel, 5, sizeof k->pa, &k->pa));
    POCL_OK(clSetKernelArg(kernel, 6, sizeof k->pb, &k->pb));
    POCL_OK(clSetKernelArg(kernel, 7, sizeof k->pc, &k->pc));
}

static void launch(cl_kernel kernel, const struct random_kernel *k) {
    size_t global[3], local[3], offset[3];
    for (unsigned d = 0; d < 3; d++) {
        global[d] = k->global_size[d];
        local[d] = k->local_size[d];
        offset[d] = k->global_offset[d];
    }
    POCL_OK(clEnqueueNDRangeKernel(pocl.queue, kernel, k->work_dim, offset, global, local, 0, NULL, NULL));
    POCL_OK(clFinish(pocl.queue));
}

static void run(cl_program program, const struct random_kernel *k, struct random_contents *c) {
    cl_mem memory[RANDOM_PARTS];
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, k->name, &status);
    POCL_OK(status);
    for (unsigned n = 0; n < RANDOM_PARTS; n++) {
        memory[n] = clCreateBuffer(pocl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   random_parts[n].size_bytes, random_part_of(c, n), &status);
        POCL_OK(status);
    }
    set_arguments(kernel, k, memory);
    launch(kernel, k);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        POCL_OK(clEnqueueReadBuffer(pocl.queue, memory[n], CL_TRUE, 0, random_parts[n].size_bytes,
                                    random_part_of(c, n), 0, NULL, NULL));
}

/* In a process of its own. Exit status 0 if there is PoCL. */
static void be_child(const struct random_batch *b, struct random_contents *c) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){PROCESSOR_SECONDS, PROCESSOR_SECONDS});
    alarm(SECONDS);
    if (!pocl_start(&pocl)) _exit(1);
    run(pocl_build(&pocl, "random kernel", b->source), &b->subject[0].kernel, c);
    _exit(0);
}

struct tally {
    unsigned compared, unanswered, different;
};

/* False: there is no PoCL. */
static bool compare(uint64_t seed, struct tally *t, struct random_contents *c) {
    struct random_batch *b = random_batch_make(seed, RANDOM_BARRIERS_OUTERMOST, 1);
    *c = b->subject[0].before;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) be_child(b, c);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status == 0) {
        t->compared++;
        t->different += !random_batch_same(&b->subject[0], c, "on PoCL", true);
    } else {
        t->unanswered++;
    }
    random_batch_free(b);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 1;
}

static void pocl_agrees(void **state) {
    (void)state;
    const struct seed seed = seed_start();
    const unsigned all = random_batch_kernels(SOME_KERNELS, ALL_KERNELS);
    struct random_contents *c =
        mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct tally t = {0};
    assert_true(c != MAP_FAILED);
    for (unsigned i = 0; i < all; i++)
        if (!compare(seed.state + i, &t, c)) {
            print_message("no PoCL on this machine: nothing compared\n");
            skip();
        }
    munmap(c, sizeof *c);
    print_message("seeds %llu to %llu: %u kernels compared with PoCL, %u that it did not run\n",
                  (unsigned long long)seed.state, (unsigned long long)seed.state + all - 1, t.compared,
                  t.unanswered);
    assert_int_equal(t.different, 0);
    assert_true(all < SOME_KERNELS || t.compared > 0);
    assert_true(all < 100 || t.unanswered * 2 < all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pocl_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
