/* concepts on PoCL: an independent compiler and library for the kernels of tests/kernels/concepts. Integers
 * must be equal; floating-point results may differ slightly (the accuracy of PoCL's functions is not tested),
 * normalised pixels by one step. Printed lines are the same.
 *
 * PoCL takes half a minute to build the kernels: `make test` uses one file, LOCKSTEP_LONG=1 all. Without PoCL
 * (scripts/setup installs it), there is nothing to compare with, and the test says so. */
#include "tests/lockstep/concept.h"
#include "tests/pocl.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct concept_file *files;
static unsigned file_count;
static struct pocl pocl;

static int begin(void **state) {
    (void)state;
    files = concept_load_all(true, &file_count);
    pocl_start(&pocl);
    return 0;
}

static int end(void **state) {
    (void)state;
    pocl_end(&pocl);
    concept_free_all(files, file_count);
    return 0;
}

/* --- a kernel on PoCL --- */

static cl_program build(const struct concept_file *f) {
    char *source = spawn_read(f->source);
    assert_non_null(source);
    cl_program p = pocl_build(&pocl, f->source, source, "");
    free(source);
    return p;
}

/* PoCL supports fewer channel orders. */
static bool has_formats(const struct concept *c) {
    cl_image_format formats[256];
    cl_uint count;
    POCL_OK(clGetSupportedImageFormats(pocl.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 256, formats,
                                       &count));
    for (unsigned p = 0; p < c->parts; p++) {
        const struct image_object *o = &c->part[p].object;
        bool found = !c->part[p].is_image;
        for (cl_uint i = 0; i < count; i++)
            found |= formats[i].image_channel_order == o->channel_order &&
                     formats[i].image_channel_data_type == o->channel_data_type;
        if (!found) return false;
    }
    return true;
}

static cl_mem make_memory(const struct concept_part *p) {
    cl_int status;
    cl_mem m;
    if (p->is_image) {
        const cl_image_format format = {p->object.channel_order, p->object.channel_data_type};
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                    .image_width = p->object.width,
                                    .image_height = p->object.height,
                                    .image_row_pitch = p->object.row_pitch_bytes};
        m = clCreateImage(pocl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, p->before,
                          &status);
    } else {
        m = clCreateBuffer(pocl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, p->size_bytes, p->before,
                           &status);
    }
    POCL_OK(status);
    return m;
}

static cl_sampler make_sampler(uint32_t bits) {
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    cl_int status;
    cl_sampler s =
        clCreateSampler(pocl.context, bits & IMAGE_SAMPLER_NORMALIZED ? CL_TRUE : CL_FALSE,
                        modes[(bits & IMAGE_SAMPLER_ADDRESS_MASK) / 2],
                        bits & IMAGE_SAMPLER_FILTER_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
    POCL_OK(status);
    return s;
}

struct objects {
    cl_kernel kernel;
    cl_mem memory[CONCEPT_PARTS];
    cl_sampler sampler[16];
};

static void set_arguments(const struct concept *c, struct objects *o) {
    for (unsigned i = 0, p = 0; i < c->kernel->argument_count; i++) {
        const struct image_argument *a = &c->kernel->arguments[i];
        uint32_t size;
        const uint8_t *value = concept_value(c, i, &size);
        if (p < c->parts && c->part[p].argument == i) {
            o->memory[p] = make_memory(&c->part[p]);
            POCL_OK(clSetKernelArg(o->kernel, i, sizeof(cl_mem), &o->memory[p]));
            p++;
        } else if (a->space == IMAGE_LOCAL) {
            POCL_OK(clSetKernelArg(o->kernel, i, 64 * c->local_size[0] * c->local_size[1] * c->local_size[2],
                                   NULL));
        } else if (!strcmp(a->type, "sampler_t")) {
            uint32_t bits;
            memcpy(&bits, value, sizeof bits);
            o->sampler[i] = make_sampler(bits);
            POCL_OK(clSetKernelArg(o->kernel, i, sizeof(cl_sampler), &o->sampler[i]));
        } else {
            POCL_OK(clSetKernelArg(o->kernel, i, size, value));
        }
    }
}

static uint8_t *read_back(const struct concept_part *p, cl_mem m) {
    const size_t origin[3] = {0}, region[3] = {p->object.width, p->object.height, 1};
    uint8_t *bytes = calloc(1, p->size_bytes);
    assert_non_null(bytes);
    if (p->is_image)
        POCL_OK(clEnqueueReadImage(pocl.queue, m, CL_TRUE, origin, region, p->object.row_pitch_bytes, 0,
                                   bytes, 0, NULL, NULL));
    else
        POCL_OK(clEnqueueReadBuffer(pocl.queue, m, CL_TRUE, 0, p->size_bytes, bytes, 0, NULL, NULL));
    return bytes;
}

static void run(const struct concept *c, cl_program program, uint8_t *after[CONCEPT_PARTS]) {
    struct objects o = {0};
    size_t global[3], local[3], offset[3];
    cl_int status;
    o.kernel = clCreateKernel(program, c->kernel->name, &status);
    POCL_OK(status);
    set_arguments(c, &o);
    for (unsigned d = 0; d < 3; d++) {
        global[d] = c->global_size[d];
        local[d] = c->local_size[d];
        offset[d] = c->global_offset[d];
    }
    POCL_OK(clEnqueueNDRangeKernel(pocl.queue, o.kernel, c->work_dim, offset, global, local, 0, NULL, NULL));
    POCL_OK(clFinish(pocl.queue));
    for (unsigned p = 0; p < c->parts; p++) {
        after[p] = c->part[p].output ? read_back(&c->part[p], o.memory[p]) : NULL;
        clReleaseMemObject(o.memory[p]);
    }
    for (unsigned i = 0; i < 16; i++)
        if (o.sampler[i]) clReleaseSampler(o.sampler[i]);
    clReleaseKernel(o.kernel);
}

/* --- comparing --- */

static bool near(double a, double b, double tolerance) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

static bool same_number(const struct concept_part *p, const uint8_t *a, const uint8_t *b) {
    float single[2];
    double precise[2];
    if (p->kind == CONCEPT_FLOAT) {
        memcpy(&single[0], a, 4);
        memcpy(&single[1], b, 4);
        return near((double)single[0], (double)single[1], 1e-4);
    }
    if (p->kind == CONCEPT_DOUBLE) {
        memcpy(&precise[0], a, 8);
        memcpy(&precise[1], b, 8);
        return near(precise[0], precise[1], 1e-11);
    }
    if (p->is_image && p->kind == CONCEPT_UINT8) return abs(*a - *b) <= 1;
    return memcmp(a, b, concept_kind_bytes[p->kind]) == 0;
}

static unsigned differences;

static void compare(const struct concept *c, uint8_t *ours[CONCEPT_PARTS], uint8_t *theirs[CONCEPT_PARTS]) {
    for (unsigned p = 0; p < c->parts; p++) {
        const struct concept_part *part = &c->part[p];
        unsigned different = 0;
        for (uint32_t at = 0; ours[p] && at < part->size_bytes; at += concept_kind_bytes[part->kind]) {
            if (same_number(part, ours[p] + at, theirs[p] + at) || different++) continue;
            uint64_t a = 0, b = 0;
            memcpy(&a, ours[p] + at, concept_kind_bytes[part->kind]);
            memcpy(&b, theirs[p] + at, concept_kind_bytes[part->kind]);
            print_error("%s: %s at byte %u is %#llx, on PoCL %#llx\n", c->kernel->name,
                        c->kernel->arguments[part->argument].name, at, (unsigned long long)a,
                        (unsigned long long)b);
        }
        if (different) print_error("    (%u such numbers)\n", different);
        differences += different != 0;
        free(ours[p]);
        free(theirs[p]);
    }
}

/* PoCL prints to standard output, which is redirected into a file meanwhile. */
static int catch_output(FILE *file) {
    fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    return before;
}
static char *end_catching(FILE *file, int before) {
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    const off_t size = lseek(fileno(file), 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(pread(fileno(file), text, (size_t)size, 0), size);
    fclose(file);
    return text;
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* PoCL runs work-items in another order: the same lines, then. */
static void compare_text(const char *kernel, char *ours, char *theirs) {
    char *lines[2][1000], *texts[2] = {ours, theirs};
    size_t counts[2] = {0};
    for (int i = 0; i < 2; i++) {
        for (char *line = strtok(texts[i], "\n"); line && counts[i] < 1000; line = strtok(NULL, "\n"))
            lines[i][counts[i]++] = line;
        qsort(lines[i], counts[i], sizeof(char *), compare_lines);
    }
    for (size_t k = 0; k < counts[0] && k < counts[1]; k++) {
        if (!strcmp(lines[0][k], lines[1][k])) continue;
        print_error("%s prints '%s', on PoCL '%s'\n", kernel, lines[0][k], lines[1][k]);
        differences++;
        return;
    }
    if (counts[0] != counts[1])
        print_error("%s prints %zu lines, on PoCL %zu\n", kernel, counts[0], counts[1]);
    differences += counts[0] != counts[1];
}

static void test_pocl_agrees(void **state) {
    (void)state;
    static const char *const settings[] = {"mode=simt", NULL};
    unsigned kernels = 0;
    if (!pocl.queue) {
        print_message("no PoCL on this machine: nothing compared\n");
        skip();
    }
    for (unsigned f = 0; f < file_count; f++) {
        if (!getenv("LOCKSTEP_LONG") && !strstr(files[f].source, "calls.cl")) continue;
        cl_program program = build(&files[f]);
        for (unsigned k = 0; k < files[f].count; k++) {
            const struct concept *c = &files[f].list[k];
            if (!has_formats(c)) continue;
            kernels++;
            uint8_t *ours[CONCEPT_PARTS], *theirs[CONCEPT_PARTS];
            char *text;
            concept_run(c, settings, ours, &text);
            FILE *file = tmpfile();
            assert_non_null(file);
            const int before = catch_output(file);
            run(c, program, theirs);
            char *printed = end_catching(file, before);
            compare(c, ours, theirs);
            if (text) compare_text(c->kernel->name, text, printed);
            free(printed);
            free(text);
        }
        clReleaseProgram(program);
    }
    print_message("%u kernels compared with PoCL\n", kernels);
    assert_int_equal(differences, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pocl_agrees)};
    return cmocka_run_group_tests(tests, begin, end);
}
