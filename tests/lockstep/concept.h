/* concept: the small kernels of tests/kernels/concepts, one concept of OpenCL C or its library each, with
 * their arguments. The contents of memory depend on the kernel's name only, so that all ways to run a kernel
 * can be compared.
 *
 * A kernel is preceded by `// launch: global X [Y [Z]] local X [Y [Z]] [offset X [Y [Z]]]`. Its arguments
 * follow from their types:
 *
 *   global pointer to const, constant pointer   CONCEPT_INPUT_BYTES of numbers suitable for the type
 *   other global pointer                        zeros, which the kernel may write
 *   local pointer                               16 bytes for each work-item of a group
 *   image     CONCEPT_WIDTH x CONCEPT_HEIGHT; the name has order and type ("bgra_unorm8"); an image that is
 *             write_only starts with zeros
 *   sampler   the name has its properties ("linear_repeat")
 *
 * Needs: $(CONCEPT_IMAGES) */
#ifndef TESTS_LOCKSTEP_CONCEPT_H
#define TESTS_LOCKSTEP_CONCEPT_H

#include "abi/image_object.h"
#include "runtime/image.h"

#define CONCEPT_INPUT_BYTES  16384u
#define CONCEPT_OUTPUT_BYTES 32768u
#define CONCEPT_WIDTH        24u
#define CONCEPT_HEIGHT       17u

enum { CONCEPT_PARTS = 8, CONCEPT_LAUNCH_BYTES = 1024 };

/* Type of a number in memory. */
enum concept_kind {
    CONCEPT_INT8,
    CONCEPT_UINT8,
    CONCEPT_INT16,
    CONCEPT_UINT16,
    CONCEPT_INT32,
    CONCEPT_UINT32,
    CONCEPT_INT64,
    CONCEPT_UINT64,
    CONCEPT_HALF,
    CONCEPT_FLOAT,
    CONCEPT_DOUBLE
};
extern const unsigned concept_kind_bytes[];

/* Memory that a kernel sees: a buffer or an image's pixels. */
struct concept_part {
    unsigned argument;
    enum concept_kind kind;
    bool output, is_image;
    uint32_t base, size_bytes;
    uint8_t *before;
    struct image_object object; /* valid if is_image */
};

struct concept {
    const struct concept_file *file;
    const struct image_kernel *kernel;
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
    struct concept_part part[CONCEPT_PARTS];
    unsigned parts;
    uint32_t local_bytes;
    /* At CONCEPT_LAUNCH: the argument block, then the image objects. */
    uint8_t launch[CONCEPT_LAUNCH_BYTES];
};

struct concept_file {
    char *source; /* path */
    struct image *image;
    struct concept *list;
    unsigned count;
};

#define CONCEPT_LAUNCH (MEMORY_LOCAL_BASE - 0x1000u)

/* Loads every file of tests/kernels/concepts, in the order of names, from the images that `make tests` has
 * built, with or without -cl-opt-disable. Fails the test if a file has a mistake. */
struct concept_file *concept_load_all(bool optimised, unsigned *count);
/* Loads them from images FOLDER/NAME.img. */
struct concept_file *concept_load_from(const char *folder, unsigned *count);
void concept_free_all(struct concept_file *files, unsigned count);

/* Returns the value of an argument that is no memory of its own, in the launch's block. */
const uint8_t *concept_value(const struct concept *c, unsigned argument, uint32_t *size_bytes);

/* Runs a kernel, and its scalar kernel if the machine has scalar units, on a machine with the given settings.
 * `settings`: "simt.warp_size=8"…, NULL-terminated; the first may be the path of a configuration. after[i]
 * receives the contents of part i, if it is an output (to be freed), *text the printed text (to be freed;
 * NULL: the kernel cannot print). */
void concept_run(const struct concept *c, const char *const *settings, uint8_t *after[CONCEPT_PARTS],
                 char **text);

#endif
