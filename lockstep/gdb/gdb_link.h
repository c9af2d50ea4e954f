/*
 * gdb_link: packets of gdb's remote serial protocol over TCP, from one client of this computer.
 *
 * A packet is $DATA#CHECKSUM. One with a wrong checksum is answered by '-', upon which gdb sends it again;
 * one that is longer than GDB_PACKET_BYTES is dropped. In DATA, '}' stands before a byte that was XORed with
 * 0x20.
 */
#ifndef LOCKSTEP_GDB_GDB_LINK_H
#define LOCKSTEP_GDB_GDB_LINK_H

#include "sim/error.h"

#include <stdbool.h>
#include <stddef.h>

#define GDB_PACKET_BYTES 16384

enum gdb_event {
    GDB_NOTHING,   /* within the time */
    GDB_PACKET,    /* link.packet, of link.size bytes, with a zero byte behind it */
    GDB_INTERRUPT, /* Ctrl-C */
    GDB_GONE,      /* the client has hung up */
};

struct gdb_link {
    int listener, client; /* -1: closed */
    unsigned port;
    bool silent; /* packets are not acknowledged (QStartNoAckMode) */
    char packet[GDB_PACKET_BYTES + 1];
    size_t size;
    unsigned char input[4096]; /* received, not looked at: from `at` to before `end` */
    size_t at, end;
    enum { GDB_BETWEEN, GDB_DATA, GDB_FIRST_DIGIT, GDB_SECOND_DIGIT } state;
    bool escaped, too_long;
    unsigned char sum, given; /* of the packet so far; what it says itself */
    char *sent;               /* the last packet, framed, which gdb may ask for again */
    size_t sent_bytes;
};

/* Listens at a port of 127.0.0.1; 0: any that is free. False and *e (EXIT_USER) if that fails. */
bool gdb_link_open(struct gdb_link *l, unsigned port, struct error *e);
/* Frees all; a link that is all zero is none. */
void gdb_link_close(struct gdb_link *l);

/* Whether a client has come within so many milliseconds. From then on there is no port for others. */
bool gdb_link_accept(struct gdb_link *l, int milliseconds);
/* What comes within so many milliseconds. */
enum gdb_event gdb_link_receive(struct gdb_link *l, int milliseconds);
/* Sends a packet of any bytes. A client that does not take it is found gone by the next receive. */
void gdb_link_send(struct gdb_link *l, const char *data, size_t size);

#endif
