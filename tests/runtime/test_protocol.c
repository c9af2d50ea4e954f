/* protocol: contents survive the transfer; damaged, truncated and inconsistent messages are refused;
 * descriptors are transferred. The protocol is hidden in the shared libraries, as in the driver.
 * Links: $(B)/obj/runtime/protocol.o */
#include "runtime/protocol.h"
#include "tests/seed.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

struct ends {
    int a, b;
};

static struct ends connect_ends(void) {
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    return (struct ends){fds[0], fds[1]};
}

static void close_ends(struct ends e) {
    close(e.a);
    close(e.b);
}

static void values_come_through(void **state) {
    (void)state;
    struct ends e = connect_ends();
    struct protocol_message out, in;
    static const struct protocol_device device = {1,  1000, 4,  32,  512,        32768, 262144,
                                                  64, 1024, 25, 500, 1ull << 40, 77};
    protocol_begin(&out, PROTOCOL_LAUNCH);
    protocol_put_u32(&out, 0xdeadbeef);
    protocol_put_text(&out, "reduce");
    protocol_put_u64(&out, UINT64_MAX - 1);
    protocol_put_block(&out, "\0\1\2", 3);
    protocol_put_text(&out, "");
    protocol_put_device(&out, &device);
    assert_true(protocol_send(e.a, &out));
    assert_true(protocol_receive(e.b, &in));
    assert_int_equal(in.type, PROTOCOL_LAUNCH);
    assert_int_equal(protocol_get_u32(&in), 0xdeadbeef);
    assert_string_equal(protocol_get_text(&in), "reduce");
    assert_true(protocol_get_u64(&in) == UINT64_MAX - 1);
    size_t size;
    const void *block = protocol_get_block(&in, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(block, "\0\1\2", 3);
    assert_string_equal(protocol_get_text(&in), "");
    struct protocol_device received;
    memset(&received, 0, sizeof received); /* padding is compared, too */
    protocol_get_device(&in, &received);
    assert_memory_equal(&received, &device, sizeof device);
    assert_false(in.bad);
    assert_int_equal(in.cursor, in.size);
    assert_int_equal(protocol_get_u32(&in), 0);
    assert_true(in.bad);
    protocol_free(&out);
    protocol_free(&in);
    close_ends(e);
}

/* A memory file is the same memory in both processes. */
static void a_descriptor_travels(void **state) {
    (void)state;
    struct ends e = connect_ends();
    struct protocol_message out, in;
    protocol_begin(&out, PROTOCOL_REPLY);
    out.fd = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(write(out.fd, "shared", 6), 6);
    assert_true(protocol_send(e.a, &out));
    protocol_free(&out);
    assert_true(protocol_receive(e.b, &in));
    assert_true(in.fd >= 0);
    assert_true(fcntl(in.fd, F_GETFD) & FD_CLOEXEC);
    char text[6];
    assert_int_equal(pread(in.fd, text, 6, 0), 6);
    assert_memory_equal(text, "shared", 6);
    const int fd = in.fd;
    protocol_free(&in);
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* freeing closes descriptors that were not taken */
    close_ends(e);
}

static void texts_must_end_where_they_say(void **state) {
    (void)state;
    struct protocol_message m;
    protocol_begin(&m, PROTOCOL_BUILD);
    protocol_put_block(&m, "ab", 2); /* no zero at its end */
    assert_string_equal(protocol_get_text(&m), "");
    assert_true(m.bad);
    protocol_free(&m);
    protocol_begin(&m, PROTOCOL_BUILD);
    protocol_put_block(&m, "a\0b", 4); /* a zero byte inside */
    assert_string_equal(protocol_get_text(&m), "");
    assert_true(m.bad);
    protocol_free(&m);
    protocol_begin(&m, PROTOCOL_BUILD);
    protocol_put_u64(&m, 1ull << 63); /* a length beyond everything */
    size_t size;
    assert_null(protocol_get_block(&m, &size));
    assert_true(m.bad);
    assert_int_equal(size, 0);
    protocol_free(&m);
}

/* An announced count cannot exceed the message, so that no receiver allocates without bound. */
static void counts_fit_their_messages(void **state) {
    (void)state;
    struct protocol_message m;
    static const struct { uint32_t announced, counted; } rows[] = {{0, 0}, {2, 2}, {3, 0}, {UINT32_MAX, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        protocol_begin(&m, PROTOCOL_REPLY);
        protocol_put_u32(&m, rows[i].announced);
        for (unsigned n = 0; n < 5; n++) protocol_put_u32(&m, n); /* room for two things of 8 bytes */
        assert_int_equal(protocol_get_count(&m, 8), rows[i].counted);
        assert_int_equal(m.bad, rows[i].counted != rows[i].announced);
        protocol_free(&m);
    }
}

static void noise_and_cut_messages_are_refused(void **state) {
    (void)state;
    struct protocol_message m;
    struct ends e = connect_ends();
    static const uint8_t noise[16] = "GET / HTTP/1.1\r\n";
    assert_int_equal(write(e.a, noise, sizeof noise), sizeof noise);
    assert_false(protocol_receive(e.b, &m));
    protocol_free(&m);
    close_ends(e);

    e = connect_ends();
    const uint64_t header[2] = {0x504b534cu | (uint64_t)PROTOCOL_HELLO << 32,
                                8}; /* 8 bytes announced, 4 sent */
    assert_int_equal(write(e.a, header, sizeof header), sizeof header);
    assert_int_equal(write(e.a, header, 4), 4);
    close(e.a);
    assert_false(protocol_receive(e.b, &m));
    protocol_free(&m);
    close(e.b);

    e = connect_ends();
    const uint64_t huge[2] = {0x504b534cu | (uint64_t)PROTOCOL_HELLO << 32, 1ull << 40};
    assert_int_equal(write(e.a, huge, sizeof huge), sizeof huge);
    assert_false(protocol_receive(e.b, &m));
    protocol_free(&m);
    close(e.a);
    protocol_begin(&m, PROTOCOL_HELLO);
    assert_false(protocol_send(e.b, &m)); /* no receiver: an error, no signal */
    close(e.b);
}

static void *send_message(void *context) {
    void **arguments = context;
    const bool sent = protocol_send(*(int *)arguments[0], arguments[1]);
    return (void *)(uintptr_t)sent;
}

/* Longer than any socket's buffer, in both pieces of its way. */
static void long_messages_come_whole(void **state) {
    (void)state;
    enum { SIZE = 5000003 };
    struct seed s = seed_start();
    struct ends e = connect_ends();
    uint8_t *bytes = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++) bytes[i] = (uint8_t)seed_next(&s);
    struct protocol_message out, in;
    protocol_begin(&out, PROTOCOL_LOAD);
    protocol_put_block(&out, bytes, SIZE);
    pthread_t sender;
    void *arguments[] = {&e.a, &out}, *sent;
    pthread_create(&sender, NULL, send_message, arguments);
    assert_true(protocol_receive(e.b, &in));
    pthread_join(sender, &sent);
    assert_non_null(sent);
    size_t size;
    const void *block = protocol_get_block(&in, &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(block, bytes, SIZE);
    protocol_free(&out);
    protocol_free(&in);
    free(bytes);
    close_ends(e);
}

/* For any contents of a message, reading stays inside it. */
static void random_messages_are_read_safely(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (int round = 0; round < 2000; round++) {
        struct protocol_message m;
        protocol_begin(&m, PROTOCOL_BUILD);
        for (unsigned n = seed_below(&s, 12); n > 0; n--)
            seed_below(&s, 2) ? protocol_put_u64(&m, seed_below(&s, 20))
                              : protocol_put_u32(&m, seed_below(&s, 9));
        for (int reads = 0; reads < 12; reads++) {
            size_t size = 0;
            const uint8_t *block = NULL;
            switch (seed_below(&s, 3)) {
            case 0: block = protocol_get_block(&m, &size); break;
            case 1: (void)strlen(protocol_get_text(&m)); break;
            default: protocol_get_u32(&m); break;
            }
            assert_true(m.cursor <= m.size);
            if (block != NULL) assert_true(block >= m.data && block + size <= m.data + m.size);
        }
        protocol_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_through),
        cmocka_unit_test(a_descriptor_travels),
        cmocka_unit_test(texts_must_end_where_they_say),
        cmocka_unit_test(noise_and_cut_messages_are_refused),
        cmocka_unit_test(counts_fit_their_messages),
        cmocka_unit_test(long_messages_come_whole),
        cmocka_unit_test(random_messages_are_read_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
