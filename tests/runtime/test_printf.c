/* printf from end to end: a program's output with the text of its kernels, in both modes, with the driver's
 * own simulator, with more text than fits, and for a launch that fails. */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char said[] = "before\n"
                           "item 0 of all: 0000, 0.00\n"
                           "item 3 of all: 0x03, 0.38\n"
                           "1.000000,2.000000,0.500000,4.000000|x\n"
                           "item 6 of all: 0x06, 0.75\n"
                           "after, 0 lost\n";

static void test_output_stands_where_the_launch_was(void **state) {
    (void)state;
    char *host = fixture_host("printf");
    static char *const modes[] = {"mode=simt", "mode=mimd"};
    for (int i = 0; i < 2; i++) {
        struct spawned s = LOCKSTEP("run", "--set", modes[i], "--", host);
        assert_status(&s, 0);
        assert_string_equal(s.out, said);
        spawn_free(&s);
    }
    free(host);
}

static void test_own_simulator(void **state) {
    (void)state;
    char *host = fixture_host("printf"),
         *setting = spawn_text("OCL_ICD_VENDORS=%s/liblockstep_opencl.so", spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){"env", setting, host, NULL});
    assert_status(&s, 0);
    assert_string_equal(s.out, said);
    spawn_free(&s);
    free(setting);
    free(host);
}

/* 24 bytes a record: 43,690 fit, from the work-items that run first; they are printed in
 * order nevertheless. */
static void test_too_much_output(void **state) {
    (void)state;
    char *host = fixture_host("printf");
    struct spawned s = LOCKSTEP("run", "--", host, "much");
    assert_status(&s, 0);
    assert_says(s.err, "kernel much printed more than the 1048576 bytes of the printf buffer");
    assert_null(strstr(strstr(s.err, "printf buffer") + 1, "kernel much printed"));
    assert_says(s.out, "\nafter, 16310 lost\n");
    int lines = 0, before = -1, number;
    for (const char *p = strchr(s.out, '\n') + 1; sscanf(p, "%d", &number) == 1; p = strchr(p, '\n') + 1) {
        assert_true(number > before && number < 60000);
        before = number;
        lines++;
    }
    assert_int_equal(lines, 60000 - 16310);
    spawn_free(&s);
    free(host);
}

static void test_output_of_a_failed_launch(void **state) {
    (void)state;
    char *host = fixture_host("printf");
    struct spawned s = LOCKSTEP("run", "--", host, "fault");
    assert_status(&s, 120);
    assert_says(s.out, "before the fault\n");
    assert_says(s.err, "work-item (5, 0, 0)");
    spawn_free(&s);
    free(host);
}

/* Checks a kernel whose printf is refused with the compiler's message. */
static void refused(const char *arguments, const char *message) {
    char *source = spawn_text("struct s { int a[40]; };\n"
                              "kernel void k(global struct s *s, global double16 *v) {\n"
                              "  printf(\"text\",\n    %s);\n}\n",
                              arguments);
    char *path = fixture_file("k.cl", source, 0600), *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){compiler, "--name=k", "-o", "image", path, NULL});
    assert_status(&s, 1);
    assert_says(s.err, message);
    spawn_free(&s);
    free(compiler);
    free(path);
    free(source);
}

static void test_what_cannot_be_printed(void **state) {
    (void)state;
    char many[40 * 6] = "v[0]";
    for (int i = 1; i < 40; i++) strcat(many, ",v[0]");
    refused("1, s[0]", "k:4: error: argument 2 of printf is a struct or union");
    refused(many, "k:3: error: this printf prints 5140 bytes at once, and 4096 is the most");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_output_stands_where_the_launch_was),
        TEST(test_own_simulator),
        TEST(test_too_much_output),
        TEST(test_output_of_a_failed_launch),
        TEST(test_what_cannot_be_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
