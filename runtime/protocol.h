/*
 * protocol: the messages between the OpenCL driver inside a program and the simulator.
 *
 * The driver asks, the simulator answers, one at a time, over a Unix stream socket. Numbers are
 * little-endian; texts and blocks are a 64-bit length and their bytes. A reply begins with a status, the
 * simulated time and a text for the user; the rest is there only if the status is PROTOCOL_OK. The storage of
 * a buffer is a memfd that the reply to PROTOCOL_CREATE_BUFFER carries; both sides map it. Knows neither the
 * simulator nor OpenCL, so that both sides can link it.
 *
 * Requests and what their replies add (site: a place in the program, call_site.h):
 *
 *   PROTOCOL_HELLO            u32 version                         device facts: see protocol_put_device()
 *   PROTOCOL_CREATE_BUFFER    u64 bytes, u32 enum protocol_use,   u32 id, and the file descriptor
 *                             u32 1: the program gives its
 *                             contents, 0: it has none
 *   PROTOCOL_RELEASE_BUFFER   u32 id, text site                   –
 *   PROTOCOL_HOST_WROTE       u32 id, u64 offset, u64 bytes,      –
 *                             rows, slices, u64 row pitch,
 *                             slice pitch (of what the program
 *                             has written into the buffer)
 *   PROTOCOL_BUILD            u32 enum protocol_build, text name program; of PROTOCOL_BUILD_OBJECT
 *                             (of the source of an object, else   a block, and the text for the user
 *                             empty), text directory (of the      is the log, as it is of a failure
 *                             program), text options, block
 *                             source (compiled objects, one
 *                             behind the other, to be linked)
 *   PROTOCOL_LOAD             block image                         program
 *   PROTOCOL_RELEASE_PROGRAM  u32 id                              –
 *   PROTOCOL_LAUNCH           u32 program id, text kernel,        u64 start, end (ps), block of
 *                             u32 dimensions, 3 × (u64 global     what it printed
 *                             size, local size, offset),
 *                             u32 arguments, each u32 enum
 *                             protocol_argument and what it says
 *   PROTOCOL_LOCATE           text site                           text in words
 *   PROTOCOL_ROOM             u64 work-items of a work-group      text: the options of the command that make
 * room for it, "" if none do
 *
 * program: u32 id, text compiler log, block image, u32 kernels, each: text name, text attributes, u32 local
 * bytes, u32 stack bytes, 3 × u32 required work-group size, u32 arguments, each: text name, type, access,
 * qualifiers, u32 enum protocol_space, u32 bytes
 */
#ifndef RUNTIME_PROTOCOL_H
#define RUNTIME_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTOCOL_VERSION 8
/* longest message; longer ones are taken for damage */
#define PROTOCOL_MAX_BYTES (256u << 20)

/* --- requests and replies --- */

/* Accesses of kernels to a buffer. */
enum protocol_use { PROTOCOL_READ_ONLY, PROTOCOL_READ_WRITE, PROTOCOL_WRITE_ONLY };

enum protocol_request {
    PROTOCOL_HELLO = 1,
    PROTOCOL_CREATE_BUFFER,
    PROTOCOL_RELEASE_BUFFER,
    PROTOCOL_BUILD,
    PROTOCOL_LOAD,
    PROTOCOL_RELEASE_PROGRAM,
    PROTOCOL_LAUNCH,
    PROTOCOL_LOCATE,
    PROTOCOL_ROOM,
    PROTOCOL_HOST_WROTE,
    PROTOCOL_REPLY = 0x100,
};

enum protocol_status {
    PROTOCOL_OK,
    PROTOCOL_MALFORMED, /* the request cannot be understood, or names an unknown object */
    PROTOCOL_VERSION_DIFFERS,
    PROTOCOL_NO_MEMORY,     /* no room for a buffer in the device's address space, or on the host */
    PROTOCOL_BUILD_FAILED,  /* the source does not compile; the text is the compiler's */
    PROTOCOL_BAD_OPTIONS,   /* the build options are refused; the text is the compiler's */
    PROTOCOL_BAD_IMAGE,     /* not a program image of this version */
    PROTOCOL_BAD_SIZES,     /* work sizes or local memory beyond the device's limits */
    PROTOCOL_LAUNCH_FAILED, /* the launch was stopped; the simulator prints the reason on standard error */
};

enum protocol_build {
    PROTOCOL_BUILD_PROGRAM, /* a source, to a program */
    PROTOCOL_BUILD_OBJECT,  /* a source, to a compiled object */
    PROTOCOL_BUILD_LINK,    /* compiled objects, to a program */
    PROTOCOL_BUILD_KINDS
};

enum protocol_argument {
    PROTOCOL_ARGUMENT_VALUE,  /* block; also a sampler's bits */
    PROTOCOL_ARGUMENT_BUFFER, /* u32 id, u64 offset; a released buffer faults if the kernel uses it */
    PROTOCOL_ARGUMENT_NULL,   /* no data */
    PROTOCOL_ARGUMENT_LOCAL,  /* u64 bytes */
    PROTOCOL_ARGUMENT_IMAGE,  /* u32 id, u32 width, height, bytes a row, bytes a pixel, order, type */
};
/* The kind of a kernel's argument. */
enum protocol_space {
    PROTOCOL_GLOBAL,
    PROTOCOL_CONSTANT,
    PROTOCOL_LOCAL,
    PROTOCOL_PRIVATE,
    PROTOCOL_IMAGE2D,
    PROTOCOL_SAMPLER,
    PROTOCOL_OTHER_IMAGE, /* image that is not 2-D: no argument can be given for it */
};

/* Facts about the device that the driver reports to programs. */
struct protocol_device {
    uint32_t compute_units, clock_mhz, lanes, warp_size;
    uint32_t max_work_group, local_bytes, cache_bytes, cache_line_bytes, stack_bytes;
    uint32_t host_bandwidth_mb, host_latency_ns; /* bandwidth and latency of a command that moves bytes; 0:
                                                    no time */
    uint64_t global_bytes, max_buffer_bytes;
};

/* --- messages --- */

struct protocol_message {
    uint32_t type;
    uint8_t *data;
    size_t size, capacity, cursor;
    bool bad; /* a read beyond the end, or no memory for a write */
    int fd;   /* descriptor that the message carries; −1: none */
};

void protocol_begin(struct protocol_message *m, uint32_t type); /* makes an empty message, to be freed */
void protocol_free(struct protocol_message *m);                 /* closes a file descriptor still in it */

void protocol_put_u32(struct protocol_message *m, uint32_t v);
void protocol_put_u64(struct protocol_message *m, uint64_t v);
void protocol_put_block(struct protocol_message *m, const void *bytes, size_t size);
void protocol_put_text(struct protocol_message *m, const char *text);
void protocol_put_device(struct protocol_message *m, const struct protocol_device *d);

/* Read values. Reading beyond the end gives 0, NULL or "" and sets `bad`. Blocks and texts point into the
 * message; a text is zero-terminated and has no other zero. */
uint32_t protocol_get_u32(struct protocol_message *m);
uint64_t protocol_get_u64(struct protocol_message *m);
/* Returns the number of elements that follow, of at least least_bytes each; 0 and `bad` if the message is
 * too short for them. */
uint32_t protocol_get_count(struct protocol_message *m, size_t least_bytes);
const void *protocol_get_block(struct protocol_message *m, size_t *size);
const char *protocol_get_text(struct protocol_message *m);
void protocol_get_device(struct protocol_message *m, struct protocol_device *d);

/* Moves a descriptor above those of the standard streams, which a program may have closed: its output must
 * not go to the simulator. −1 stays, and errno is kept. */
int protocol_above_streams(int fd);

/* Sends a whole message, with m->fd if it is not −1. Returns false if the other side is gone. */
bool protocol_send(int socket_fd, const struct protocol_message *m);

/* State of a message that arrives in parts. */
struct protocol_reception {
    struct protocol_message message;
    uint8_t header[16];
    size_t done; /* bytes received of the header, then of the message */
    bool begun;  /* the header has arrived */
};
enum protocol_received { PROTOCOL_PART, PROTOCOL_WHOLE, PROTOCOL_BROKEN };
void protocol_reception_init(struct protocol_reception *r);
void protocol_reception_free(struct protocol_reception *r);
/* Receives available parts of a message, without waiting. PROTOCOL_WHOLE: the message is in *m, to be
 * freed, and the next one begins. PROTOCOL_BROKEN: the stream has ended or is damaged. */
enum protocol_received protocol_receive_part(int socket_fd, struct protocol_reception *r,
                                             struct protocol_message *m);

/* Receives a whole message into *m, to be freed in either case. Returns false at the end of the stream, on
 * a damaged one, and when the socket's receive timeout passes within a message. */
bool protocol_receive(int socket_fd, struct protocol_message *m);

#endif
