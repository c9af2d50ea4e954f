#include "lockstep/gdb/gdb_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEND_SECONDS 10 /* time limit for sending to a client that does not read */

bool gdb_link_open(struct gdb_link *l, unsigned port, struct error *e) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1;
    *l = (struct gdb_link){.client = -1};
    l->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (l->listener >= 0) setsockopt(l->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (l->listener < 0 || bind(l->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(l->listener, 1) != 0 || getsockname(l->listener, (struct sockaddr *)&address, &size) != 0)
        return error_set(e, EXIT_USER,
                         "--gdb: port %u of 127.0.0.1: %s; without a number, --gdb takes a free one", port,
                         strerror(errno));
    l->port = ntohs(address.sin_port);
    return true;
}

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

void gdb_link_close(struct gdb_link *l) {
    if (!l->port && !l->sent) return;
    close_descriptor(&l->listener);
    close_descriptor(&l->client);
    free(l->sent);
    *l = (struct gdb_link){.listener = -1, .client = -1};
}

static bool readable(int fd, int milliseconds) {
    struct pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, milliseconds) > 0;
}

bool gdb_link_accept(struct gdb_link *l, int milliseconds) {
    const struct timeval patience = {.tv_sec = SEND_SECONDS};
    const int yes = 1;
    if (!readable(l->listener, milliseconds)) return false;
    l->client = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
    if (l->client < 0) return false;
    setsockopt(l->client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(l->client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    close_descriptor(&l->listener);
    return true;
}

/* --- receiving --- */

static void send_all(struct gdb_link *l, const char *bytes, size_t size) {
    while (size && l->client >= 0) {
        const ssize_t n = send(l->client, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close_descriptor(&l->client);
            return;
        }
        bytes += n;
        size -= (size_t)n;
    }
}

static int digit(unsigned char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void begin_packet(struct gdb_link *l) {
    l->state = GDB_DATA;
    l->size = 0;
    l->sum = 0;
    l->escaped = l->too_long = false;
}

static void add_data(struct gdb_link *l, unsigned char c) {
    l->sum = (unsigned char)(l->sum + c);
    if (!l->escaped && c == '}') {
        l->escaped = true;
        return;
    }
    if (l->size == GDB_PACKET_BYTES)
        l->too_long = true;
    else
        l->packet[l->size++] = (char)(l->escaped ? c ^ 0x20 : c);
    l->escaped = false;
}

/* Ends a packet with its last checksum digit, and acknowledges it. Returns whether it is valid and
 * complete. */
static bool end_packet(struct gdb_link *l, int last) {
    l->state = GDB_BETWEEN;
    l->packet[l->size] = 0;
    const bool good = last >= 0 && ((l->given << 4 | last) & 0xff) == l->sum;
    if (!l->silent) send_all(l, good ? "+" : "-", 1);
    if (good && l->too_long) gdb_link_send(l, "E16", 3);
    return good && !l->too_long;
}

static enum gdb_event take_byte(struct gdb_link *l, unsigned char c) {
    switch (l->state) {
    case GDB_BETWEEN:
        if (c == 3) return GDB_INTERRUPT;
        if (c == '$') begin_packet(l);
        if (c == '-' && l->sent && !l->silent) send_all(l, l->sent, l->sent_bytes);
        return GDB_NOTHING;
    case GDB_DATA:
        if (c == '$')
            begin_packet(l);
        else if (c == '#')
            l->state = GDB_FIRST_DIGIT;
        else
            add_data(l, c);
        return GDB_NOTHING;
    case GDB_FIRST_DIGIT:
        /* Not a digit: an invalid checksum. */
        l->given = (unsigned char)(digit(c) < 0 ? 0xf0 ^ l->sum >> 4 : digit(c));
        l->state = GDB_SECOND_DIGIT;
        return GDB_NOTHING;
    default: return end_packet(l, digit(c)) ? GDB_PACKET : GDB_NOTHING;
    }
}

enum gdb_event gdb_link_receive(struct gdb_link *l, int milliseconds) {
    for (;;) {
        while (l->at < l->end) {
            const enum gdb_event e = take_byte(l, l->input[l->at++]);
            if (e != GDB_NOTHING) return e;
        }
        if (l->client < 0) return GDB_GONE;
        if (!readable(l->client, milliseconds)) return GDB_NOTHING;
        const ssize_t n = recv(l->client, l->input, sizeof l->input, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return GDB_GONE;
        l->at = 0;
        l->end = (size_t)n;
    }
}

/* --- sending --- */

void gdb_link_send(struct gdb_link *l, const char *data, size_t size) {
    char *frame = malloc(1 + 2 * size + sizeof "#00"), *p = frame;
    unsigned char sum = 0;
    require_memory(frame);
    *p++ = '$';
    for (size_t n = 0; n < size; n++) {
        const char c = data[n];
        if (c == '#' || c == '$' || c == '}' || c == '*') {
            *p++ = '}';
            *p++ = (char)(c ^ 0x20);
        } else {
            *p++ = c;
        }
    }
    for (const char *c = frame + 1; c < p; c++) sum = (unsigned char)(sum + (unsigned char)*c);
    p += sprintf(p, "#%02x", sum);
    free(l->sent);
    l->sent = frame;
    l->sent_bytes = (size_t)(p - frame);
    send_all(l, l->sent, l->sent_bytes);
}
