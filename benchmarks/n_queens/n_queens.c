/* n_queens: counts the ways to place queens on a board so that no queen attacks another, on an OpenCL device.
 * Each work-item's count must equal that of a recursion in C. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 96, SIZE_LIMIT = 16, PLACED_LIMIT = 5 };

struct placement {
    cl_uint columns, left, right; /* taken columns and diagonals, as in the kernel */
};

struct placements {
    struct placement *list; /* NULL: placements are only counted */
    size_t count;
};

static void place(struct placements *p, unsigned board, unsigned rows, struct placement now) {
    if (rows == 0) {
        if (p->list) p->list[p->count] = now;
        p->count++;
        return;
    }
    for (unsigned open = board & ~(now.columns | now.left | now.right); open; open &= open - 1) {
        const unsigned queen = open & -open;
        place(p, board, rows - 1,
              (struct placement){now.columns | queen, (now.left | queen) << 1, (now.right | queen) >> 1});
    }
}

static unsigned count_in_c(unsigned board, struct placement now) {
    unsigned found = 0;
    if (now.columns == board) return 1;
    for (unsigned open = board & ~(now.columns | now.left | now.right); open; open &= open - 1) {
        const unsigned queen = open & -open;
        found += count_in_c(board, (struct placement){now.columns | queen, (now.left | queen) << 1,
                                                      (now.right | queen) >> 1});
    }
    return found;
}

/* Shuffles the placements, so that neighbours have little in common. */
static void shuffle(struct placements *p, unsigned seed) {
    for (size_t i = p->count; i > 1; i--) {
        const size_t other = host_random(&seed) % i;
        const struct placement swap = p->list[other];
        p->list[other] = p->list[i - 1];
        p->list[i - 1] = swap;
    }
}

static cl_ulong count_on_device(const char *source, const struct placements *p, cl_uint board, unsigned rows,
                                size_t items, cl_uint *found) {
    const size_t local = GROUP;
    const cl_uint count = (cl_uint)p->count;
    char options[64];
    snprintf(options, sizeof options, "-D GROUP=%d -D ROWS=%u", GROUP, rows);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "n_queens");
    cl_mem placements = host_buffer(&host, p->count * sizeof *p->list, p->list),
           solutions = host_buffer(&host, items * sizeof *found, NULL);
    HOST_ARGUMENT(kernel, 0, placements);
    HOST_ARGUMENT(kernel, 1, count);
    HOST_ARGUMENT(kernel, 2, board);
    HOST_ARGUMENT(kernel, 3, solutions);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &items, &local);
    host_read(&host, solutions, found, items * sizeof *found);
    HOST_CHECK(clReleaseMemObject(placements));
    HOST_CHECK(clReleaseMemObject(solutions));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "queens, and rows and columns of the board", 8, SIZE_LIMIT},
                                {"placed", "rows that the host places", 2, PLACED_LIMIT}};
    host_inputs inputs[] = {{8, 10, 12}, {2, 3, 4}};
    unsigned seed = 1, total = 0;
    char *source = host_parse_inputs(
        argc, argv, "n_queens",
        "Counts placements of queens on the first OpenCL device and checks them; the seed orders them.",
        sizes, 2, inputs, &seed);
    const unsigned size = sizes[0].value, placed = sizes[1].value, board = (1u << size) - 1;
    if (placed >= size) HOST_FAIL("--placed %u leaves none of %u rows", placed, size);
    struct placements p = {0};
    place(&p, board, placed, (struct placement){0});
    if (p.count == 0) HOST_FAIL("--size %u --placed %u: no such placement", size, placed);
    p.list = host_allocate(p.count * sizeof *p.list);
    p.count = 0;
    place(&p, board, placed, (struct placement){0});
    shuffle(&p, seed);
    const size_t items = (p.count + GROUP - 1) / GROUP * GROUP;
    cl_uint *found = host_allocate(items * sizeof *found),
            *expected = host_allocate(items * sizeof *expected);
    const cl_ulong time_ns = count_on_device(source, &p, board, size - placed, items, found);
    for (size_t i = 0; i < p.count; i++) total += expected[i] = count_in_c(board, p.list[i]);
    const unsigned wrong = host_count_wrong("n_queens", found, expected, sizeof *found, items);
    printf("n_queens: %u solutions for %u queens, kernel time %llu ns\n", total, size,
           (unsigned long long)time_ns);
    free(p.list);
    free(found);
    free(expected);
    free(source);
    return host_verdict("n_queens", wrong == 0, "%u of %zu counts differ from C", wrong, items);
}
