/* forks: OpenCL in a program, in a child that it forks after using it, and in a child that is another
 * program. With the argument `leave` the parent ends while its child still waits; with `inherit` the child
 * uses a buffer of the parent. Prints one line for each process. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SOURCE[] =
    "__kernel void square(__global int *a) { int i = get_global_id(0); a[i] = i * i; }\n";

/* Runs a small computation with its own objects. Returns whether the result is right. */
static int compute(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status, values[64] = {0};
    const char *source = SOURCE;
    const size_t size = 64;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 0;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &status);
    if (buffer == NULL) return 0;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL)) return 0;
    cl_kernel kernel = clCreateKernel(program, "square", &status);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL)) return 0;
    if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL)) return 0;
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return values[63] == 63 * 63;
}

/* The child fills a buffer of its parent, which it has not inherited. */
static int inherit(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    int child = 0;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    const char *source = SOURCE;
    const size_t size = 64;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &status);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL)) return 1;
    cl_kernel kernel = clCreateKernel(program, "square", &status);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const pid_t pid = fork();
    if (pid == 0) {
        for (int n = 0; n < 2; n++)
            status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
        _exit(status == CL_OUT_OF_RESOURCES ? 5 : 6);
    }
    if (waitpid(pid, &child, 0) != pid) return 1;
    printf("child: %d\n", WEXITSTATUS(child));
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) != CL_SUCCESS;
}

static int say(const char *who) {
    const int right = compute();
    printf("%s: %s\n", who, right ? "PASS" : "FAIL");
    fflush(stdout);
    return !right;
}

static int child_status(pid_t pid) {
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "other") == 0) return say("other program");
    if (argc > 1 && strcmp(argv[1], "inherit") == 0) return inherit();
    int failed = say("parent");
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (argc > 1 && strcmp(argv[1], "leave") == 0) sleep(30);
        _exit(say("child"));
    }
    if (argc > 1) return failed;
    failed |= child_status(pid);
    pid = fork();
    if (pid == 0) {
        execl("/proc/self/exe", argv[0], "other", (char *)NULL);
        _exit(98);
    }
    failed |= child_status(pid);
    failed |= say("parent again");
    /* Whatever the driver has started is no child of this program. */
    errno = 0;
    if (wait(NULL) != -1 || errno != ECHILD) failed = 1;
    printf("forks: %s\n", failed ? "FAIL" : "PASS");
    return failed;
}
