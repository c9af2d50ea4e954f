/* waiting: commands that wait for user events, in queues in order and out of order; barriers and markers;
 * failed events; callbacks; reference counts; buffers in host memory; two threads. Written for this driver:
 * an implementation that orders all commands on one buffer would wait for ever here. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SOURCE[] = "__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }\n";

static unsigned wrong;
static cl_context context;
static cl_device_id device;
static cl_command_queue in_order, out_of_order;
static cl_mem buffer;
static cl_kernel add;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            wrong++;                                                                                         \
            printf("waiting.c:%d: not so: %s\n", __LINE__, #condition);                                      \
        }                                                                                                    \
    } while (0)
#define OK(call) CHECK((call) == CL_SUCCESS)

static cl_int status_of(cl_event e) {
    cl_int status = -1000;
    OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_event user_event(void) {
    cl_int status;
    cl_event e = clCreateUserEvent(context, &status);
    CHECK(status == CL_SUCCESS);
    return e;
}

static void set_up(void) {
    cl_platform_id platform;
    cl_int status;
    const char *source = SOURCE;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    in_order = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    out_of_order = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    cl_int zero[16] = {0};
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &status);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    add = clCreateKernel(program, "add", &status);
    CHECK(status == CL_SUCCESS);
    OK(clReleaseProgram(program)); /* the kernel retains it */
}

static void enqueue_add(cl_command_queue q, cl_int n, const cl_event *wait, cl_event *event) {
    const size_t size = 16;
    OK(clSetKernelArg(add, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(add, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(q, add, 1, NULL, &size, NULL, wait != NULL, wait, event));
}

static cl_int value(void) {
    cl_int values[16];
    OK(clEnqueueReadBuffer(out_of_order, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    return values[15];
}

/* A waiting command blocks all later ones; its arguments are those at the time of its call. */
static void check_in_order(void) {
    const cl_int start = value();
    cl_event gate = user_event(), first, second;
    enqueue_add(in_order, 1, &gate, &first);
    enqueue_add(in_order, 10, NULL, &second);
    CHECK(value() == start);
    CHECK(status_of(first) > CL_COMPLETE && status_of(second) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(in_order));
    CHECK(value() == start + 11);
    CHECK(status_of(first) == CL_COMPLETE && status_of(second) == CL_COMPLETE);
    cl_ulong first_end = 1, second_start = 0, second_queued = 0, second_submit = 0;
    OK(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, 8, &first_end, NULL));
    OK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_START, 8, &second_start, NULL));
    OK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_QUEUED, 8, &second_queued, NULL));
    OK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_SUBMIT, 8, &second_submit, NULL));
    CHECK(second_queued <= second_submit && second_submit <= second_start && first_end <= second_start);
    clReleaseEvent(gate);
    clReleaseEvent(first);
    clReleaseEvent(second);
}

/* Out of order, a command may overtake a waiting one, but never a barrier. */
static void check_out_of_order(void) {
    const cl_int start = value();
    cl_event gate = user_event(), held, marker, behind;
    enqueue_add(out_of_order, 1, &gate, &held);
    enqueue_add(out_of_order, 10, NULL, NULL);
    CHECK(value() == start + 10);
    OK(clEnqueueMarkerWithWaitList(out_of_order, 0, NULL, &marker));
    CHECK(status_of(marker) > CL_COMPLETE);
    enqueue_add(out_of_order, 100, NULL, NULL); /* a marker holds nothing back */
    CHECK(value() == start + 110);
    OK(clEnqueueBarrierWithWaitList(out_of_order, 0, NULL, NULL));
    enqueue_add(out_of_order, 1000, NULL, &behind);
    CHECK(status_of(behind) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &behind));
    CHECK(status_of(marker) == CL_COMPLETE);
    CHECK(value() == start + 1111);
    clReleaseEvent(gate);
    clReleaseEvent(held);
    clReleaseEvent(marker);
    clReleaseEvent(behind);
}

static void CL_CALLBACK note_status(cl_event e, cl_int status, void *out) {
    CHECK(status_of(e) <= status); /* a callback may call back in */
    *(cl_int *)out = status;
}

/* A command that waits for a failed event does not run and fails, too. */
static void check_failure(void) {
    const cl_int start = value();
    cl_event gate = user_event(), held;
    cl_int told = 99, told_late = 99;
    enqueue_add(in_order, 1, &gate, &held);
    OK(clSetEventCallback(held, CL_COMPLETE, note_status, &told));
    CHECK(told == 99);
    OK(clSetUserEventStatus(gate, -5));
    CHECK(clWaitForEvents(1, &held) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status_of(held) < 0);
    CHECK(told == status_of(held));
    OK(clSetEventCallback(held, CL_COMPLETE, note_status, &told_late));
    CHECK(told_late == told);
    CHECK(value() == start);
    clReleaseEvent(gate);
    clReleaseEvent(held);
}

static cl_int stages[3];
static unsigned stage_count;

static void CL_CALLBACK note_stage(cl_event e, cl_int status, void *context_of_event) {
    cl_context found;
    OK(clGetEventInfo(e, CL_EVENT_CONTEXT, sizeof found, &found, NULL));
    CHECK(found == context_of_event);
    if (stage_count < 3) stages[stage_count] = status;
    stage_count++;
}

/* Each requested stage is reported once, in order; the last one also after a late registration. */
static void check_stages(void) {
    cl_event gate = user_event(), held;
    enqueue_add(in_order, 0, &gate, &held);
    OK(clSetEventCallback(held, CL_COMPLETE, note_stage, context));
    OK(clSetEventCallback(held, CL_SUBMITTED, note_stage, context));
    OK(clSetEventCallback(held, CL_RUNNING, note_stage, context));
    CHECK(stage_count == 0 && status_of(held) == CL_QUEUED);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(in_order));
    CHECK(stage_count == 3);
    CHECK(stages[0] == CL_SUBMITTED && stages[1] == CL_RUNNING && stages[2] == CL_COMPLETE);
    OK(clSetEventCallback(held, CL_COMPLETE, note_stage, context));
    CHECK(stage_count == 4);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(held));
}

/* Arguments of an event's callback and of its command outlive objects that the program releases meanwhile. */
static void check_release_while_waiting(void) {
    cl_int status, values[16] = {0}, told = 99;
    const cl_mem before = buffer;
    cl_event gate = user_event(), held;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_mem copy = clCreateBuffer(context, 0, sizeof values, NULL, &status);
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &status);
    enqueue_add(queue, 7, &gate, NULL);
    OK(clEnqueueCopyBuffer(queue, buffer, copy, 0, 0, sizeof values, 0, NULL, &held));
    OK(clSetEventCallback(held, CL_COMPLETE, note_status, &told));
    OK(clReleaseMemObject(buffer)); /* the launch and the copy keep it */
    OK(clReleaseEvent(held));
    OK(clReleaseCommandQueue(queue));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clReleaseEvent(gate));
    OK(clEnqueueReadBuffer(in_order, copy, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[0] == 7 && values[15] == 7 && told == CL_COMPLETE);
    OK(clReleaseMemObject(copy));
    buffer = before;
}

static void *open_gate(void *event) {
    usleep(50000);
    OK(clSetUserEventStatus(*(cl_event *)event, CL_COMPLETE));
    return NULL;
}

/* A blocking call waits in one thread until another opens the way. */
static void check_threads(void) {
    cl_event gate = user_event();
    cl_int values[16];
    pthread_t thread;
    const cl_int start = value();
    enqueue_add(in_order, 5, &gate, NULL);
    pthread_create(&thread, NULL, open_gate, &gate);
    OK(clEnqueueReadBuffer(in_order, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[0] == start + 5);
    pthread_join(thread, NULL);
    clReleaseEvent(gate);
}

static cl_uint references(void) {
    cl_uint count = 0;
    OK(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static void CL_CALLBACK note_end(cl_mem m, void *out) {
    (void)m;
    *(int *)out += 1;
}

static void check_references(void) {
    cl_int status;
    int ends = 0;
    CHECK(references() == 1);
    OK(clRetainMemObject(buffer));
    CHECK(references() == 2);
    OK(clReleaseMemObject(buffer));
    CHECK(references() == 1);
    cl_mem parent = clCreateBuffer(context, 0, 1024, NULL, &status);
    const cl_buffer_region region = {512, 512};
    cl_mem part = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    OK(clSetMemObjectDestructorCallback(parent, note_end, &ends));
    OK(clReleaseMemObject(parent));
    CHECK(ends == 0); /* its sub-buffer retains it */
    cl_int word = 7, back = 0;
    OK(clEnqueueWriteBuffer(in_order, part, CL_TRUE, 508, 4, &word, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(in_order, part, CL_TRUE, 508, 4, &back, 0, NULL, NULL));
    CHECK(back == 7);
    OK(clReleaseMemObject(part));
    CHECK(ends == 1);
}

/* Host memory is up to date after mapping, and changes reach kernels after unmapping. */
static void check_host_memory(void) {
    static cl_int host[16];
    cl_int status;
    const cl_mem before = buffer;
    buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof host, host, &status);
    CHECK(status == CL_SUCCESS);
    enqueue_add(in_order, 3, NULL, NULL);
    cl_int *mapped = clEnqueueMapBuffer(in_order, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4, 8, 0, NULL,
                                        NULL, &status);
    CHECK(mapped == host + 1);
    CHECK(mapped[0] == 3 && mapped[1] == 3);
    mapped[1] = 100;
    OK(clEnqueueUnmapMemObject(in_order, buffer, mapped, 0, NULL, NULL));
    enqueue_add(in_order, 1, NULL, NULL);
    cl_int values[16];
    OK(clEnqueueReadBuffer(in_order, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[1] == 4 && values[2] == 101 && values[3] == 4);
    OK(clReleaseMemObject(buffer));
    buffer = before;
}

/* A program's image, loaded as a binary, gives the same program. */
static void check_binary(void) {
    cl_int status, binary_status;
    cl_program program;
    size_t size = 0;
    OK(clGetKernelInfo(add, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = calloc(1, size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    const unsigned char *binary = bytes;
    cl_program again =
        clCreateProgramWithBinary(context, 1, &device, &size, &binary, &binary_status, &status);
    CHECK(status == CL_SUCCESS && binary_status == CL_SUCCESS);
    OK(clBuildProgram(again, 0, NULL, NULL, NULL, NULL));
    const cl_kernel before = add;
    const cl_int start = value();
    add = clCreateKernel(again, "add", &status);
    CHECK(status == CL_SUCCESS);
    enqueue_add(in_order, 2, NULL, NULL);
    OK(clFinish(in_order));
    CHECK(value() == start + 2);
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(again));
    add = before;
    free(bytes);
}

int main(void) {
    set_up();
    check_in_order();
    check_out_of_order();
    check_failure();
    check_stages();
    check_release_while_waiting();
    check_threads();
    check_references();
    check_host_memory();
    check_binary();
    printf("waiting: %s (%u conditions do not hold)\n", wrong == 0 ? "PASS" : "FAIL", wrong);
    return wrong != 0;
}
