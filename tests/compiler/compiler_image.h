/* compiler_image: common parts of tests of lockstep-cc that compile text or files to images. */
#ifndef TESTS_COMPILER_COMPILER_IMAGE_H
#define TESTS_COMPILER_COMPILER_IMAGE_H

#include "runtime/image.h"
#include "tests/compiler/compiler_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Runs lockstep-cc without the cache; the rest of its command line from a printf format. */
#define COMPILE(format, ...)                                                                                 \
    run_command("%s/lockstep-cc --no-cache " format, run_build_directory(), __VA_ARGS__)

static inline void expect_success(struct run_result r) {
    if (r.status != 0) fail_msg("exit status %d: %s", r.status, r.errors);
    free(r.errors);
}

/* Checks the exit status, and that the messages hold a text. */
static inline void expect_failure(struct run_result r, int status, const char *message) {
    if (r.status != status || !strstr(r.errors, message))
        fail_msg("exit status %d instead of %d, or no '%s' in: %s", r.status, status, message, r.errors);
    free(r.errors);
}

static inline struct image *load(const char *path) {
    size_t size;
    char *bytes = run_read(path, &size);
    struct error e = {0};
    struct image *i = image_load(bytes, size, &e);
    if (!i) fail_msg("%s: %s", path, e.message);
    free(bytes);
    return i;
}

static inline struct run_result compile_text(const char *source, const char *options) {
    run_write(run_path("text.cl"), source);
    return COMPILE("%s -o %s %s", options, run_path("image"), run_path("text.cl"));
}

static inline void expect_same_files(const char *a, const char *b) {
    size_t sizes[2];
    char *contents[2] = {run_read(a, &sizes[0]), run_read(b, &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(contents[0], contents[1], sizes[0]);
    free(contents[0]);
    free(contents[1]);
}

#endif
