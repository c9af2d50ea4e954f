/* no_kernel: uses OpenCL, but runs no kernel. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    char name[200];
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL))
        return 1;
    printf("%s\n", name);
    return 0;
}
