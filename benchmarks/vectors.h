/* vectors: common parts of benchmarks whose kernel computes one of its three vectors of floats from the other
 * two. */
#ifndef BENCHMARKS_VECTORS_H
#define BENCHMARKS_VECTORS_H

/* A benchmark. The kernel has the same name as the program. Its arguments are the three vectors, then `scale`
 * if it has one, and the number of elements. Each work-item computes one element. */
struct vectors {
    const char *name, *summary; /* summary: a sentence for --help */
    unsigned result;            /* index of the result vector, 0 to 2 */
    const float *scale;         /* NULL: none */
    /* Returns an element of the result, with the same bits as the kernel's. */
    float (*expected)(float one, float other);
};

/* Does the work of main(). Returns the exit status. */
int vectors_main(const struct vectors *v, int argc, char **argv);

#endif
