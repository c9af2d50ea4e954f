/* b_tree: the dual-mode paper's B+tree: searches for random keys and ranges of keys in a B+ tree on an OpenCL
 * device. Every answer must equal that of C, which searches the sorted keys. */
#include "benchmarks/host.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 128, HALF = ORDER / 2, ABSENT = -1, STEP = 4 /* largest distance of two neighbouring keys */ };

struct node {
    cl_int key[ORDER + 1];
    cl_int next[ORDER + 1];
};

/* The tree that results from inserting keys in ascending order: a full node splits, and its left half does
 * not change any more. Nodes are stored leaves first, the root last. `next` of an inner node are nodes,
 * `next` of a leaf are records. */
struct tree {
    size_t keys, nodes;
    cl_int height; /* levels below the root */
    struct node *node;
    cl_int *key, *record;
};

/* Fills a level of nodes. Their slots get the `count` keys and the numbers from `first` on. Returns the
 * number of nodes. */
static size_t fill_level(struct node *node, const cl_int *key, size_t count, size_t first) {
    const size_t nodes = (count + HALF - 1) / HALF;
    for (size_t n = 0; n < nodes; n++)
        for (size_t slot = 0; slot <= ORDER; slot++) {
            const size_t i = n * HALF + slot;
            const bool used = slot < HALF && i < count;
            node[n].key[slot] = used ? key[i] : INT_MAX;
            node[n].next[slot] = used ? (cl_int)(first + i) : ABSENT;
        }
    return nodes;
}

static struct tree random_tree(size_t keys, unsigned *seed) {
    struct tree t = {.keys = keys, .node = host_allocate((keys / HALF * 2 + 8) * sizeof(struct node))};
    cl_int last = 0;
    t.key = host_allocate(keys * sizeof(cl_int));
    t.record = host_allocate(keys * sizeof(cl_int));
    for (size_t i = 0; i < keys; i++) {
        t.key[i] = last += 1 + (cl_int)(host_random(seed) % STEP);
        t.record[i] = (cl_int)host_random(seed);
    }
    size_t below = 0, count = t.nodes = fill_level(t.node, t.key, keys, 0);
    while (count > 1) {
        cl_int *least = host_allocate(count * sizeof *least);
        for (size_t n = 0; n < count; n++) least[n] = t.node[below + n].key[0];
        const size_t level = fill_level(t.node + t.nodes, least, count, below);
        free(least);
        below = t.nodes;
        t.nodes += level;
        count = level;
        t.height++;
    }
    return t;
}

static void free_tree(struct tree *t) {
    free(t->node);
    free(t->key);
    free(t->record);
}

/* Returns the number of the record with a key, or ABSENT. */
static cl_int search_in_c(const struct tree *t, cl_int key) {
    size_t low = 0, high = t->keys;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (t->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->keys && t->key[low] == key ? (cl_int)low : ABSENT;
}

/* Queries, with the answers of the device and of C: a record for each find; the first record and the number
 * of records for each range. */
struct queries {
    size_t finds, ranges;
    cl_int *key, *low, *high;
    cl_int *answer, *first, *length, *expected_answer, *expected_first, *expected_length;
};

static cl_int *new_numbers(size_t count) {
    cl_int *numbers = host_allocate(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = ABSENT;
    return numbers;
}

static size_t random_index(const struct tree *t, unsigned *seed) {
    const size_t high = host_random(seed);
    return (high << 24 | host_random(seed)) % t->keys;
}

/* Makes random queries. About half of the keys to find are absent; both keys of a range are present. */
static struct queries random_queries(const struct tree *t, size_t finds, size_t ranges, unsigned *seed) {
    struct queries q = {.finds = finds, .ranges = ranges};
    cl_int **const of_finds[] = {&q.key, &q.answer, &q.expected_answer},
                   **const of_ranges[] = {&q.low,    &q.high,           &q.first,
                                          &q.length, &q.expected_first, &q.expected_length};
    for (size_t i = 0; i < 3; i++) *of_finds[i] = new_numbers(finds);
    for (size_t i = 0; i < 6; i++) *of_ranges[i] = new_numbers(ranges);
    for (size_t i = 0; i < finds; i++) {
        q.key[i] = t->key[random_index(t, seed)] - (cl_int)(host_random(seed) % 2);
        const cl_int found = search_in_c(t, q.key[i]);
        if (found != ABSENT) q.expected_answer[i] = t->record[found];
    }
    for (size_t i = 0; i < ranges; i++) {
        const size_t a = random_index(t, seed), b = random_index(t, seed), low = a < b ? a : b;
        q.low[i] = t->key[low];
        q.high[i] = t->key[a + b - low];
        q.expected_first[i] = (cl_int)low;
        q.expected_length[i] = (cl_int)(a + b - low - low + 1);
    }
    return q;
}

static void free_queries(struct queries *q) {
    cl_int *const all[] = {q->key,    q->answer,         q->expected_answer, q->low, q->high, q->first,
                           q->length, q->expected_first, q->expected_length};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* Makes a buffer of `count` numbers, each the number of the root. */
static cl_mem roots(const struct host *host, const struct tree *t, size_t count) {
    cl_int *numbers = host_allocate(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = (cl_int)t->nodes - 1;
    cl_mem buffer = host_buffer(host, count * sizeof *numbers, numbers);
    free(numbers);
    return buffer;
}

/* Finds keys on the device. openmp: by the kernels of b_tree_openmp.cl, here and below. */
static cl_ulong find_on_device(const struct host *host, cl_program program, bool openmp, cl_mem nodes,
                               const struct tree *t, struct queries *q) {
    const size_t bytes = q->finds * sizeof(cl_int), local = ORDER, global = q->finds * ORDER;
    enum { BUFFERS = 5 };
    const cl_int finds = (cl_int)q->finds;
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, openmp ? "find_part" : "find");
    cl_mem buffer[BUFFERS] = {host_buffer(host, t->keys * sizeof(cl_int), t->record),
                              host_buffer(host, bytes, q->key), roots(host, t, q->finds),
                              roots(host, t, q->finds), host_buffer(host, bytes, q->answer)};
    HOST_ARGUMENT(kernel, 0, nodes);
    HOST_ARGUMENT(kernel, 1, t->height);
    for (cl_uint i = 0; i < BUFFERS; i++) HOST_ARGUMENT(kernel, 2 + i, buffer[i]);
    if (openmp) HOST_ARGUMENT(kernel, 2 + BUFFERS, finds);
    const cl_ulong time_ns =
        openmp ? host_region(host, kernel) : host_launch(host, kernel, 1, &global, &local);
    host_read(host, buffer[4], q->answer, bytes);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    return time_ns;
}

static cl_ulong range_on_device(const struct host *host, cl_program program, bool openmp, cl_mem nodes,
                                const struct tree *t, struct queries *q) {
    const size_t bytes = q->ranges * sizeof(cl_int), local = ORDER, global = q->ranges * ORDER;
    enum { BUFFERS = 8 };
    const cl_int ranges = (cl_int)q->ranges;
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, openmp ? "range_part" : "range");
    cl_mem buffer[BUFFERS] = {host_buffer(host, bytes, q->low),   host_buffer(host, bytes, q->high),
                              roots(host, t, q->ranges),          roots(host, t, q->ranges),
                              roots(host, t, q->ranges),          roots(host, t, q->ranges),
                              host_buffer(host, bytes, q->first), host_buffer(host, bytes, q->length)};
    HOST_ARGUMENT(kernel, 0, nodes);
    HOST_ARGUMENT(kernel, 1, t->height);
    for (cl_uint i = 0; i < BUFFERS; i++) HOST_ARGUMENT(kernel, 2 + i, buffer[i]);
    if (openmp) HOST_ARGUMENT(kernel, 2 + BUFFERS, ranges);
    const cl_ulong time_ns =
        openmp ? host_region(host, kernel) : host_launch(host, kernel, 1, &global, &local);
    host_read(host, buffer[6], q->first, bytes);
    host_read(host, buffer[7], q->length, bytes);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    return time_ns;
}

static cl_ulong search_on_device(const char *source, bool openmp, const struct tree *t, struct queries *q) {
    char options[32];
    snprintf(options, sizeof options, "-D ORDER=%d", ORDER);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_mem nodes = host_buffer(&host, t->nodes * sizeof(struct node), t->node);
    const cl_ulong time_ns = find_on_device(&host, program, openmp, nodes, t, q) +
                             range_on_device(&host, program, openmp, nodes, t, q);
    HOST_CHECK(clReleaseMemObject(nodes));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"keys", "keys in the tree", 0, 1 << 24},
                                {"finds", "keys to find", 0, 1 << 18},
                                {"ranges", "ranges to find", 0, 1 << 18}};
    host_inputs inputs[] = {{20000, 200000, 1000000}, {400, 2000, 10000}, {240, 1200, 6000}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "b_tree",
        .summary = "Searches a B+ tree on the first OpenCL device and checks every answer.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct tree t = random_tree(sizes[0].value, &seed);
    struct queries q = random_queries(&t, sizes[1].value, sizes[2].value, &seed);
    const cl_ulong time_ns = search_on_device(source, model.value, &t, &q);
    const unsigned wrong =
        host_count_wrong("b_tree: find", q.answer, q.expected_answer, sizeof(cl_int), q.finds) +
        host_count_wrong("b_tree: first of range", q.first, q.expected_first, sizeof(cl_int), q.ranges) +
        host_count_wrong("b_tree: length of range", q.length, q.expected_length, sizeof(cl_int), q.ranges);
    printf("b_tree: %zu keys, %zu nodes, height %d, hash of answers %016llx, kernel time %llu ns\n", t.keys,
           t.nodes, t.height, host_hash(q.answer, q.finds * sizeof(cl_int)), (unsigned long long)time_ns);
    free_tree(&t);
    free_queries(&q);
    free(source);
    return host_verdict("b_tree", wrong == 0, "%u of %zu answers differ from C", wrong,
                        q.finds + 2 * q.ranges);
}
