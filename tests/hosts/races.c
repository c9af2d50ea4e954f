/* races: work-groups store to the same words and read them, without atomic operations. Prints a hash of the
 * values read. In each iteration a work-item also stores bytes, halves, words and vectors to 64 bytes of its
 * own and reads them back in other sizes; these values are checked. */
#include "benchmarks/host.h"

enum { GROUPS = 12, GROUP = 32, ITEMS = GROUPS * GROUP, TURNS = 40, PLACE = 64 };

static const char SOURCE[] =
    "__kernel void races(volatile __global uint *words, __global uint *seen, __global uchar *places,\n"
    "                    __global uint *wrong, int turns) {\n"
    "    const uint group = get_group_id(0), me = get_local_id(0), item = get_global_id(0);\n"
    "    volatile __global uchar *bytes = places + item * 64;\n"
    "    volatile __global ushort *halves = (volatile __global ushort *)bytes;\n"
    "    volatile __global uint *own = (volatile __global uint *)bytes;\n"
    "    uint sum = 0, bad = 0;\n"
    "    for (uint i = 0; i < turns; i++) {\n"
    "        const uint at = (i * 7 + me) & 7, side = at & 1, value = i * 2654435761u + item;\n"
    "        words[me] = group * 1000 + i;\n"
    "        sum = sum * 31 + words[me];\n"
    "        own[at] = value;\n"
    "        bytes[at * 4 + 1] = 0xa5;\n"
    "        bad += own[at] != ((value & ~0xff00u) | 0xa500);\n"
    "        halves[at * 2 + 1] = 0x1234;\n"
    "        bad += bytes[at * 4 + 3] != 0x12 || halves[at * 2] != (0xa500 | (value & 0xff));\n"
    "        vstore8((uint8)(value), side, (__global uint *)own);\n"
    "        bad += own[side * 8 + 5] != value || bytes[side * 32 + 31] != value >> 24;\n"
    "        bad += any(vload4(side * 2, (__global uint *)own) != (uint4)(value));\n"
    "    }\n"
    "    seen[item] = sum;\n"
    "    wrong[item] = bad;\n"
    "}\n";

int main(void) {
    static cl_uint words[GROUP], seen[ITEMS], wrong[ITEMS];
    static cl_uchar places[ITEMS * PLACE];
    const cl_int turns = TURNS;
    cl_uint sum = 0, bad = 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "races");
    cl_mem buffer[] = {host_buffer(&host, sizeof words, words), host_buffer(&host, sizeof seen, seen),
                       host_buffer(&host, sizeof places, places), host_buffer(&host, sizeof wrong, wrong)};
    for (cl_uint n = 0; n < 4; n++) HOST_ARGUMENT(kernel, n, buffer[n]);
    HOST_ARGUMENT(kernel, 4, turns);
    host_launch(&host, kernel, 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
    host_read(&host, buffer[1], seen, sizeof seen);
    host_read(&host, buffer[3], wrong, sizeof wrong);
    for (unsigned n = 0; n < ITEMS; n++) {
        sum = sum * 31 + seen[n];
        bad += wrong[n] != 0;
    }
    return host_verdict("races", bad == 0,
                        "the sum is %08x; %u work-items read something else than they stored", sum, bad);
}
