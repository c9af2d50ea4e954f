/*
 * gdb_link: packets of gdb's remote serial protocol over TCP, for one client on this computer.
 *
 * A packet is $DATA#CHECKSUM. A packet with a wrong checksum is answered by '-', and gdb sends it again. A
 * packet longer than GDB_PACKET_BYTES gets an error. In DATA, '}' precedes a byte that was XORed with 0x20.
 */
#ifndef LOCKSTEP_GDB_GDB_LINK_H
#define LOCKSTEP_GDB_GDB_LINK_H

#include "sim/error.h"

#include <stdbool.h>
#include <stddef.h>

#define GDB_PACKET_BYTES 16384

enum gdb_event {
    GDB_NOTHING,   /* nothing has arrived within the time limit */
    GDB_PACKET,    /* a packet of link.size bytes in link.packet, followed by a zero byte */
    GDB_INTERRUPT, /* Ctrl-C */
    GDB_GONE,      /* the client has closed the connection */
};

struct gdb_link {
    int listener, client; /* -1: closed */
    unsigned port;
    bool silent; /* packets are not acknowledged (QStartNoAckMode) */
    char packet[GDB_PACKET_BYTES + 1];
    size_t size;
    unsigned char input[4096]; /* received bytes; those from `at` to before `end` have not been parsed */
    size_t at, end;
    enum { GDB_BETWEEN, GDB_DATA, GDB_FIRST_DIGIT, GDB_SECOND_DIGIT } state;
    bool escaped, too_long;
    unsigned char sum,
        given;  /* checksum of the packet so far; first digit of the checksum that it contains */
    char *sent; /* the last packet sent, with its frame, since gdb may request it again */
    size_t sent_bytes;
};

/* Listens at a port of 127.0.0.1; port 0: any free port. Returns false with *e (EXIT_USER) on failure. */
bool gdb_link_open(struct gdb_link *l, unsigned port, struct error *e);
/* Closes a link and frees its memory. A zeroed structure is a closed link. */
void gdb_link_close(struct gdb_link *l);

/* Waits up to `milliseconds` for a client. Returns whether one has connected; the port is then closed for
 * others. */
bool gdb_link_accept(struct gdb_link *l, int milliseconds);
/* Returns the next event, or GDB_NOTHING after `milliseconds`. */
enum gdb_event gdb_link_receive(struct gdb_link *l, int milliseconds);
/* Sends a packet of any bytes. If the client does not accept it, the next gdb_link_receive() returns
 * GDB_GONE. */
void gdb_link_send(struct gdb_link *l, const char *data, size_t size);

#endif
