/* string_search: compares a pattern with each place of a random text on an OpenCL device. The number of
 * matching letters at each place must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };

/* Fills letters at random. Three of four are the first letter of the alphabet, so that partial matches are
 * frequent. */
static void fill(cl_uchar *letters, size_t count, unsigned *seed) {
    for (size_t i = 0; i < count; i++) letters[i] = host_random(seed) % 4 ? 'a' : 'b';
}

static cl_ulong search_on_device(const char *source, const cl_uchar *text, const cl_uchar *pattern,
                                 cl_uchar *found, const cl_int number[3]) {
    const size_t places = (size_t)number[0], length = (size_t)number[1], each = (size_t)number[2],
                 local = GROUP, items = (places + each - 1) / each,
                 global = (items + GROUP - 1) / GROUP * GROUP;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "string_search");
    cl_mem buffer[] = {host_buffer(&host, places + length, text), host_buffer(&host, length, pattern),
                       host_buffer(&host, places, NULL)};
    for (cl_uint i = 0; i < 3; i++) {
        HOST_ARGUMENT(kernel, i, buffer[i]);
        HOST_ARGUMENT(kernel, 3 + i, number[i]);
    }
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[2], found, places);
    for (unsigned i = 0; i < 3; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"places", "places of the text", 0, 1 << 24},
                                {"length", "letters of the pattern", 0, 200},
                                {"each", "places of a work-item", 0, 1024}};
    host_inputs inputs[] = {{16384, 131072, 1048576}, {8, 8, 8}, {32, 32, 32}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "string_search",
        .summary = "Looks for a pattern in a text on the first OpenCL device and checks each place.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t places = sizes[0].value, length = sizes[1].value;
    const cl_int number[3] = {(cl_int)places, (cl_int)length, (cl_int)sizes[2].value};
    cl_uchar *text = host_allocate(places + length), *pattern = host_allocate(length),
             *found = host_allocate(places), *expected = host_allocate(places);
    fill(text, places + length, &seed);
    memcpy(pattern, text + places / 2, length); /* the pattern occurs at least once */
    size_t matches = 0;
    for (size_t place = 0; place < places; place++) {
        while (expected[place] < length && text[place + expected[place]] == pattern[expected[place]])
            expected[place]++;
        matches += expected[place] == length;
    }
    const cl_ulong time_ns = search_on_device(source, text, pattern, found, number);
    const unsigned wrong = host_count_wrong("string_search", found, expected, 1, places);
    printf("string_search: %zu places, the pattern occurs at %zu, kernel time %llu ns\n", places, matches,
           (unsigned long long)time_ns);
    free(text);
    free(pattern);
    free(found);
    free(expected);
    free(source);
    return host_verdict("string_search", wrong == 0, "%u of %zu places differ from C", wrong, places);
}
