#include "runtime/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PROTOCOL_MAGIC 0x504b534cu /* "LSKP" */

struct protocol_header {
    uint32_t magic, type;
    uint64_t size_bytes;
};

void protocol_begin(struct protocol_message *m, uint32_t type) {
    *m = (struct protocol_message){.type = type, .fd = -1};
}

void protocol_free(struct protocol_message *m) {
    free(m->data);
    if (m->fd >= 0) close(m->fd);
    *m = (struct protocol_message){.fd = -1};
}

static void put_bytes(struct protocol_message *m, const void *bytes, size_t size) {
    if (m->bad || size == 0) return;
    if (size > PROTOCOL_MAX_BYTES - m->size) {
        m->bad = true;
        return;
    }
    if (m->size + size > m->capacity) {
        size_t capacity = (m->size + size) * 2;
        uint8_t *data = realloc(m->data, capacity);
        if (data == NULL) {
            m->bad = true;
            return;
        }
        m->data = data;
        m->capacity = capacity;
    }
    memcpy(m->data + m->size, bytes, size);
    m->size += size;
}

void protocol_put_u32(struct protocol_message *m, uint32_t v) {
    put_bytes(m, &v, sizeof v);
}

void protocol_put_u64(struct protocol_message *m, uint64_t v) {
    put_bytes(m, &v, sizeof v);
}

void protocol_put_block(struct protocol_message *m, const void *bytes, size_t size) {
    protocol_put_u64(m, size);
    put_bytes(m, bytes, size);
}

/* The terminating zero is part of the message, so that the receiver can return a pointer into the message. */
void protocol_put_text(struct protocol_message *m, const char *text) {
    protocol_put_block(m, text, strlen(text) + 1);
}

void protocol_put_device(struct protocol_message *m, const struct protocol_device *d) {
    const uint32_t facts[] = {d->compute_units,  d->clock_mhz,         d->lanes,          d->warp_size,
                              d->max_work_group, d->local_bytes,       d->cache_bytes,    d->cache_line_bytes,
                              d->stack_bytes,    d->host_bandwidth_mb, d->host_latency_ns};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) protocol_put_u32(m, facts[i]);
    protocol_put_u64(m, d->global_bytes);
    protocol_put_u64(m, d->max_buffer_bytes);
}

static const void *get_bytes(struct protocol_message *m, size_t size) {
    if (m->bad || size > m->size - m->cursor) {
        m->bad = true;
        return NULL;
    }
    const void *bytes = m->data + m->cursor;
    m->cursor += size;
    return bytes;
}

uint32_t protocol_get_u32(struct protocol_message *m) {
    uint32_t v = 0;
    const void *bytes = get_bytes(m, sizeof v);
    if (bytes != NULL) memcpy(&v, bytes, sizeof v);
    return v;
}

uint64_t protocol_get_u64(struct protocol_message *m) {
    uint64_t v = 0;
    const void *bytes = get_bytes(m, sizeof v);
    if (bytes != NULL) memcpy(&v, bytes, sizeof v);
    return v;
}

uint32_t protocol_get_count(struct protocol_message *m, size_t least_bytes) {
    const uint32_t count = protocol_get_u32(m);
    if (!m->bad && count <= (m->size - m->cursor) / least_bytes) return count;
    m->bad = true;
    return 0;
}

const void *protocol_get_block(struct protocol_message *m, size_t *size) {
    uint64_t n = protocol_get_u64(m);
    *size = 0;
    if (n > PROTOCOL_MAX_BYTES) m->bad = true;
    const void *bytes = get_bytes(m, n);
    if (bytes != NULL) *size = n;
    return bytes;
}

const char *protocol_get_text(struct protocol_message *m) {
    size_t size;
    const char *text = protocol_get_block(m, &size);
    if (text == NULL || size == 0 || memchr(text, 0, size) != text + size - 1) {
        m->bad = true;
        return "";
    }
    return text;
}

void protocol_get_device(struct protocol_message *m, struct protocol_device *d) {
    uint32_t *const facts[] = {&d->compute_units,     &d->clock_mhz,        &d->lanes,
                               &d->warp_size,         &d->max_work_group,   &d->local_bytes,
                               &d->cache_bytes,       &d->cache_line_bytes, &d->stack_bytes,
                               &d->host_bandwidth_mb, &d->host_latency_ns};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) *facts[i] = protocol_get_u32(m);
    d->global_bytes = protocol_get_u64(m);
    d->max_buffer_bytes = protocol_get_u64(m);
}

bool protocol_send(int socket_fd, const struct protocol_message *m) {
    if (m->bad) return false;
    struct protocol_header header = {PROTOCOL_MAGIC, m->type, m->size};
    struct iovec parts[2] = {{&header, sizeof header}, {m->data, m->size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = m->size > 0 ? 2 : 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    if (m->fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &m->fd, sizeof(int));
    }
    while (message.msg_iovlen > 0) {
        ssize_t sent = sendmsg(socket_fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        message.msg_control = NULL;
        message.msg_controllen = 0;
        size_t n = (size_t)sent;
        while (message.msg_iovlen > 0 && n >= message.msg_iov->iov_len) {
            n -= message.msg_iov->iov_len;
            message.msg_iov++;
            message.msg_iovlen--;
        }
        if (message.msg_iovlen > 0) {
            message.msg_iov->iov_base = (char *)message.msg_iov->iov_base + n;
            message.msg_iov->iov_len -= n;
        }
    }
    return true;
}

int protocol_above_streams(int fd) {
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
    close(fd);
    errno = why;
    return moved;
}

static void take_descriptor(struct protocol_message *m, struct msghdr *message) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
            if (m->fd >= 0)
                close(fd);
            else
                m->fd = protocol_above_streams(fd);
        }
    }
}

/* Receives bytes up to `size`, of which *done are there. Returns false at the end of the stream, or if more
 * would have to be waited for (*done is less than size, errno EAGAIN). */
static bool receive_bytes(int socket_fd, struct protocol_message *m, void *out, size_t size, size_t *done,
                          int flags) {
    while (*done < size) {
        struct iovec part = {(char *)out + *done, size - *done};
        union {
            struct cmsghdr header;
            char space[CMSG_SPACE(4 * sizeof(int))];
        } control;
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof control.space};
        ssize_t n = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC | flags);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EPIPE;
        if (n <= 0) return false;
        take_descriptor(m, &message);
        *done += (size_t)n;
    }
    return true;
}

void protocol_reception_init(struct protocol_reception *r) {
    *r = (struct protocol_reception){0};
    protocol_begin(&r->message, 0);
}

void protocol_reception_free(struct protocol_reception *r) {
    protocol_free(&r->message);
}

/* Makes room for the message after its header has arrived. */
static bool begin_message(struct protocol_reception *r) {
    struct protocol_message *m = &r->message;
    struct protocol_header header;
    _Static_assert(sizeof header == sizeof r->header, "a reception has room for a header");
    memcpy(&header, r->header, sizeof header);
    if (header.magic != PROTOCOL_MAGIC || header.size_bytes > PROTOCOL_MAX_BYTES) return false;
    m->type = header.type;
    m->data = malloc(header.size_bytes + 1);
    if (m->data == NULL) return false;
    m->size = m->capacity = header.size_bytes;
    r->begun = true;
    r->done = 0;
    return true;
}

static enum protocol_received receive(int socket_fd, struct protocol_reception *r, struct protocol_message *m,
                                      int flags) {
    bool there =
        r->begun || receive_bytes(socket_fd, &r->message, r->header, sizeof r->header, &r->done, flags);
    if (there && !r->begun && !begin_message(r)) return PROTOCOL_BROKEN;
    there = there && receive_bytes(socket_fd, &r->message, r->message.data, r->message.size, &r->done, flags);
    if (!there) return flags && (errno == EAGAIN || errno == EWOULDBLOCK) ? PROTOCOL_PART : PROTOCOL_BROKEN;
    *m = r->message;
    protocol_reception_init(r);
    return PROTOCOL_WHOLE;
}

enum protocol_received protocol_receive_part(int socket_fd, struct protocol_reception *r,
                                             struct protocol_message *m) {
    return receive(socket_fd, r, m, MSG_DONTWAIT);
}

bool protocol_receive(int socket_fd, struct protocol_message *m) {
    struct protocol_reception r;
    protocol_reception_init(&r);
    const bool whole = receive(socket_fd, &r, m, 0) == PROTOCOL_WHOLE;
    if (!whole) *m = r.message;
    return whole;
}
