/* released: uses memory objects after clReleaseMemObject. "argument": a kernel whose argument was released
 * before the launch; "image": the same with an image; "pointer": a kernel that follows a pointer stored by an
 * earlier kernel in another buffer; "host": the program's own calls, which must return errors. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

static const char SOURCE[] = "__kernel void fill(__global int *a) {\n"
                             "    a[get_global_id(0)] = 7;\n"
                             "}\n"
                             "__kernel void leave(__global int *a, __global uint *pointer) {\n"
                             "    pointer[0] = (uint)(a + 3);\n"
                             "}\n"
                             "__kernel void follow(__global const uint *pointer, __global int *out) {\n"
                             "    out[0] = *(__global int *)pointer[0];\n"
                             "}\n"
                             "__kernel void look(__read_only image2d_t from, __global float *out) {\n"
                             "    const sampler_t how = CLK_FILTER_NEAREST;\n"
                             "    out[0] = read_imagef(from, how, (int2)(1, 0)).x;\n"
                             "}\n";

static struct host host;
static cl_program program;

static void launch(const char *name, cl_mem first, cl_mem second, cl_mem released) {
    const size_t count = second != NULL ? 1 : 16;
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    HOST_ARGUMENT(kernel, 0, first);
    if (second != NULL) HOST_ARGUMENT(kernel, 1, second);
    if (released != NULL) HOST_CHECK(clReleaseMemObject(released));
    host_launch(&host, kernel, 1, &count, NULL);
    HOST_CHECK(clReleaseKernel(kernel));
}

static int use_on_the_host(cl_mem buffer) {
    int word = 0;
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "fill");
    HOST_CHECK(clReleaseMemObject(buffer));
    for (int i = 0; i < 3; i++) /* reported once */
        if (clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL) !=
            CL_INVALID_MEM_OBJECT)
            return 1;
    if (clSetKernelArg(kernel, 0, sizeof buffer, &buffer) != CL_INVALID_MEM_OBJECT) return 1;
    if (clReleaseMemObject(buffer) != CL_INVALID_MEM_OBJECT) return 1;
    HOST_CHECK(clReleaseProgram(program)); /* the kernel retains it */
    cl_uint references;
    HOST_CHECK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, NULL));
    if (references != 0) return 1;
    HOST_CHECK(clReleaseKernel(kernel));
    return clReleaseKernel(kernel) != CL_INVALID_KERNEL;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "argument";
    host_open(&host);
    program = host_build(&host, SOURCE, "");
    cl_mem a = host_buffer(&host, 64, NULL), b = host_buffer(&host, 64, NULL),
           c = host_buffer(&host, 64, NULL);
    int status = 0;
    if (strcmp(mode, "argument") == 0) {
        launch("fill", a, NULL, a);
    } else if (strcmp(mode, "pointer") == 0) {
        launch("leave", a, b, NULL);
        HOST_CHECK(clReleaseMemObject(a));
        cl_mem other = host_buffer(&host, 64, NULL); /* has another address than the old one */
        launch("follow", b, other, NULL);
    } else if (strcmp(mode, "image") == 0) {
        const cl_image_format format = {CL_R, CL_FLOAT};
        const cl_image_desc shape = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
        cl_mem image = HOST_CREATE(clCreateImage, host.context, CL_MEM_READ_ONLY, &format, &shape, NULL);
        launch("look", image, c, image);
    } else {
        status = use_on_the_host(a);
    }
    printf("released: %s ended\n", mode);
    return status;
}
