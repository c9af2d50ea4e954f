/* `lockstep timeline --format ftr`: an independent reader finds the log's contents in the file. */
#include "tests/fixture.h"

#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- CBOR --- */

struct input {
    const uint8_t *at, *end;
};

static unsigned take_byte(struct input *in) {
    assert_true(in->at < in->end);
    return *in->at++;
}

/* Returns the value of a head of a major type; UINT64_MAX: an array of any length. */
static uint64_t take(struct input *in, unsigned major) {
    const unsigned first = take_byte(in), more = first & 31;
    uint64_t value = 0;
    assert_int_equal(first >> 5, major);
    if (more < 24) return more;
    if (more == 31) return UINT64_MAX;
    assert_in_range(more, 24, 27);
    for (unsigned n = 1u << (more - 24); n > 0; --n) value = value << 8 | take_byte(in);
    return value;
}

enum { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG };

static bool at_end(struct input *in) {
    assert_true(in->at < in->end);
    if (*in->at != 255) return false;
    ++in->at;
    return true;
}

static struct input take_bytes(struct input *in, unsigned major) {
    const uint64_t size = take(in, major);
    const struct input bytes = {in->at, in->at + size};
    assert_true(size <= (uint64_t)(in->end - in->at));
    in->at += size;
    return bytes;
}

/* --- the file --- */

#define MOST 20000

static struct file {
    char *text[MOST];
    uint64_t name_of_stream[MOST], stream_of_generator[MOST];
    char *line[MOST]; /* for each transaction number, its line in the log */
    unsigned streams, generators, transactions, relations, chunks;
} file;

static void read_dictionary(struct input in) {
    for (uint64_t n = take(&in, MAP); n > 0; --n) {
        const uint64_t id = take(&in, UNSIGNED);
        const struct input text = take_bytes(&in, TEXT);
        assert_true(id < MOST && !file.text[id]);
        file.text[id] = strndup((const char *)text.at, (size_t)(text.end - text.at));
    }
    assert_true(in.at == in.end);
}

static void read_directory(struct input in) {
    assert_true(take(&in, ARRAY) == UINT64_MAX);
    while (!at_end(&in)) {
        const uint64_t tag = take(&in, TAG);
        assert_int_equal(take(&in, ARRAY), 3);
        const uint64_t id = take(&in, UNSIGNED), name = take(&in, UNSIGNED), third = take(&in, UNSIGNED);
        assert_true(id < MOST && name < MOST && file.text[name] && third < MOST);
        if (tag == 16) {
            file.name_of_stream[id] = name;
            assert_string_equal(file.text[third], "warp or core");
            ++file.streams;
        } else {
            assert_int_equal(tag, 17);
            assert_true(file.name_of_stream[third] > 0);
            file.stream_of_generator[id] = third;
            ++file.generators;
        }
    }
    assert_true(in.at == in.end);
}

struct attributes {
    uint64_t line, pc, threads, passed;
    const char *instruction;
};

static void read_attribute(struct input *in, struct attributes *a) {
    assert_int_equal(take(in, TAG), 7);
    assert_int_equal(take(in, ARRAY), 3);
    const char *name = file.text[take(in, UNSIGNED)];
    const uint64_t type = take(in, UNSIGNED), value = take(in, UNSIGNED);
    assert_int_equal(type, strcmp(name, "instruction") == 0 ? 10 : 3);
    if (strcmp(name, "instruction") == 0)
        a->instruction = file.text[value];
    else if (strcmp(name, "line") == 0)
        a->line = value;
    else if (strcmp(name, "pc") == 0)
        a->pc = value;
    else if (strcmp(name, "threads") == 0)
        a->threads = a->passed = value;
    else if (strcmp(name, "passed") == 0)
        a->passed = value;
    else
        fail_msg("attribute '%s'", name);
}

/* Times are in picoseconds, and the clock has 1 GHz. */
static void read_transactions(struct input in, uint64_t stream, uint64_t first, uint64_t last) {
    uint64_t before = 0;
    assert_true(take(&in, ARRAY) == UINT64_MAX);
    while (!at_end(&in)) {
        struct attributes a = {0};
        const uint64_t parts = take(&in, ARRAY);
        assert_int_equal(take(&in, TAG), 6);
        assert_int_equal(take(&in, ARRAY), 4);
        const uint64_t id = take(&in, UNSIGNED), generator = take(&in, UNSIGNED), begin = take(&in, UNSIGNED),
                       end = take(&in, UNSIGNED);
        assert_true(generator < MOST && file.stream_of_generator[generator] == stream);
        assert_true(begin >= first && begin >= before && end <= last && end >= begin);
        before = begin;
        for (uint64_t n = 1; n < parts; ++n) read_attribute(&in, &a);
        assert_true(id > 0 && id < MOST && !file.line[id] && a.instruction);
        file.line[id] =
            spawn_text("%-12llu  %-18s  0x%08x  %016llx  %016llx  %-5u  %s", (unsigned long long)begin / 1000,
                       file.text[file.name_of_stream[stream]], (unsigned)a.pc, (unsigned long long)a.threads,
                       (unsigned long long)a.passed, (unsigned)a.line, a.instruction);
        ++file.transactions;
    }
    assert_true(in.at == in.end);
}

static void read_relations(struct input in) {
    assert_true(take(&in, ARRAY) == UINT64_MAX);
    while (!at_end(&in)) {
        assert_int_equal(take(&in, ARRAY), 5);
        assert_string_equal(file.text[take(&in, UNSIGNED)], "barrier");
        for (unsigned n = 0; n < 2; ++n) {
            const uint64_t id = take(&in, UNSIGNED);
            assert_true(id < MOST && file.line[id]);
        }
        for (unsigned n = 0; n < 2; ++n) assert_true(file.name_of_stream[take(&in, UNSIGNED)] > 0);
        ++file.relations;
    }
    assert_true(in.at == in.end);
}

static void read_chunk(struct input *in) {
    const uint64_t tag = take(in, TAG);
    if (tag == 6) {
        struct input info = take_bytes(in, BYTES);
        assert_int_equal(take(&info, ARRAY), 2);
        assert_int_equal(take(&info, NEGATIVE), 11); /* 10 to the power of -12 */
        assert_int_equal(take(&info, TAG), 1);
        return;
    }
    uint64_t parameter[3] = {0};
    const uint64_t parameters = take(in, ARRAY) - 2;
    assert_int_equal(parameters, tag == 13 ? 3 : 0);
    for (unsigned n = 0; n < parameters; ++n) parameter[n] = take(in, UNSIGNED);
    const uint64_t size = take(in, UNSIGNED);
    const struct input packed = take_bytes(in, BYTES);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(
        LZ4_decompress_safe((const char *)packed.at, (char *)bytes, (int)(packed.end - packed.at), (int)size),
        size);
    const struct input chunk = {bytes, bytes + size};
    switch (tag) {
    case 9: read_dictionary(chunk); break;
    case 11: read_directory(chunk); break;
    case 13: read_transactions(chunk, parameter[0], parameter[1], parameter[2]); break;
    case 15: read_relations(chunk); break;
    default: fail_msg("a chunk of tag %u", (unsigned)tag);
    }
    free(bytes);
    ++file.chunks;
}

static void read_file(const char *name) {
    char *path = fixture_path(name);
    struct stat about;
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(stat(path, &about), 0);
    uint8_t *bytes = malloc((size_t)about.st_size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)about.st_size, stream), about.st_size);
    fclose(stream);
    struct input in = {bytes, bytes + about.st_size};
    assert_int_equal(take(&in, TAG), 55799);
    assert_true(take(&in, ARRAY) == UINT64_MAX);
    while (!at_end(&in)) read_chunk(&in);
    assert_true(in.at == in.end);
    free(bytes);
    free(path);
}

static void free_file(void) {
    for (unsigned n = 0; n < MOST; ++n) {
        free(file.text[n]);
        free(file.line[n]);
    }
    memset(&file, 0, sizeof file);
}

/* Each transaction is a line of the log, in its order. */
static void assert_is_log(const char *log) {
    const char *line = strchr(log, '\n') + 1;
    for (unsigned n = 1; n <= file.transactions; ++n) {
        const size_t length = strcspn(line, "\n");
        assert_non_null(file.line[n]);
        const size_t own = strlen(file.line[n]);
        if (own > length || memcmp(file.line[n], line, own) != 0)
            fail_msg("transaction %u is '%s', but the log says '%.*s'", n, file.line[n], (int)length, line);
        line += length + 1;
    }
    assert_int_equal(*line, '\0');
}

static void assert_timeline(char *mode, char *cycles, unsigned streams, unsigned relations) {
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    struct spawned s = LOCKSTEP("run", "--mode", mode, "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("timeline", "t.lsr", "--cycles", cycles, "--format", "ftr", "-o", "t.ftr");
    assert_status(&s, 0);
    spawn_free(&s);
    read_file("t.ftr");
    assert_int_equal(file.streams, streams);
    assert_int_equal(file.generators, streams);
    assert_true(file.transactions > 500);
    assert_in_range(file.relations, relations, relations ? MOST : 0);
    s = LOCKSTEP("timeline", "t.lsr", "--cycles", cycles, "--format", "log");
    assert_status(&s, 0);
    assert_is_log(s.out);
    spawn_free(&s);
    free_file();
    free(program);
}

static void test_warps(void **state) {
    (void)state;
    assert_timeline("simt", "100000:140000", 20, 16);
}

static void test_cores(void **state) {
    (void)state;
    assert_timeline("mimd", "100000:140000", 20, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_warps), TEST(test_cores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
