/* image: complete images are read with kernels, lines and local memory; other files are refused with the
 * reason. The images are assembled and linked here, so that every number is known. */
#include "runtime/image.h"
#include "abi/image_checksum.h"
#include "runtime/image_code.h"
#include "tests/seed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NOTE                                                                                                 \
    "{\"checksum\":\"00000000\", \"version\": 20, \"priority_levels\": 8, \"startup\": \"start\", "          \
    "\"build\": {\"priorities\": \"all\", \"coalescing\": \"modern\", \"math\": \"table\", \"scalar\": "     \
    "\"off\", \"scalarize\": \"off\", \"ids\": \"coprocessor\", \"startup\": \"loop\", \"isa\": \"vfp\"}, "  \
    "\"local_limit_bytes\": 32768, "                                                                         \
    "\"branches\": [[65536, 65540]], \"objects\": [[0, -1, 1]], "                                            \
    "\"kernels\": ["                                                                                         \
    "{\"name\": \"sum\", \"thunk\": \"thunk_sum\", \"file\": \"sum.cl\", \"line\": 12, "                     \
    "\"argument_block_bytes\": 8,"                                                                           \
    " \"local_bytes\": 48, \"attributes\": \"reqd\", \"reqd_work_group_size\": [8, 2, 1], \"stack_bytes\": " \
    "16,"                                                                                                    \
    " \"twin\": \"twin_sum\", \"twin_stack_bytes\": 264, \"twin_item_bytes\": 12, \"registers\": 9,"         \
    " \"conditional_returns\": 4, \"thunk_objects\": 1, \"twin_objects\": 0,"                                \
    " \"barriers\": 3, \"replicated\": 2, \"divergent_branches\": 5, \"prints\": 0,"                         \
    " \"scalar_kernel\": \"\", \"prefetches\": 0, \"synchronises\": 1, \"stores\": 1,"                       \
    " \"features\": [{\"trips\": [], \"counts\": [20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0.5]},"                     \
    " {\"trips\": [4], \"counts\": [1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}],"                                   \
    " \"arguments\": [{\"name\": \"in\", \"type\": \"float*\", \"space\": \"global\", \"access\": \"none\"," \
    " \"qualifiers\": \"const restrict\", \"offset\": 0, \"size\": 4, \"alignment\": 4}, {\"name\": \"n\","  \
    " \"type\": \"int\", \"space\": \"private\", \"access\": \"none\", \"qualifiers\": \"\", \"offset\": 4," \
    " \"size\": 4, \"alignment\": 4}], \"variables\": [{\"name\": \"tile\", \"file\": \"sum.cl\", "          \
    "\"line\": 13, \"private\": 0, \"base\": 0, \"stride\": 0,"                                              \
    " \"offset\": 16, \"size\": 32, \"element\": 4, \"dimensions\": [2, 4]}], \"twin_variables\": ["         \
    "{\"name\": \"p\", \"file\": \"sum.cl\", \"line\": 15, \"private\": 1, \"base\": 13, \"stride\": 24,"    \
    " \"offset\": 8, \"size\": 16, \"element\": 4, \"dimensions\": [4]}]}]}"

/* Functions: start (2 instructions, lines 3 and 4 of start.c; start_mimd is the second),
 * thunk_sum (lines 12 and 13 of sum.cl), twin_sum at its second instruction. */
static const char source[] = "#line 2 \"start.c\"\n__attribute__((naked)) void start(void) {\n"
                             "__asm__(\"mov r0, #1\");\n__asm__(\"bx lr\");\n}\n"
                             "#line 11 \"sum.cl\"\n__attribute__((naked)) void thunk_sum(void) {\n"
                             "__asm__(\"mov r1, #2\");\n__asm__(\".global twin_sum\\ntwin_sum: bx lr\");\n}\n"
                             "__asm__(\".set start_mimd, start + 4\");\n"
                             "const unsigned word = 0x11223344;\n"
                             "__asm__(\".section .local,\\\"aw\\\",%nobits\\n.space 48\\n"
                             ".section .note.lockstep,\\\"\\\",%note\\n.long 9, 2f - 1f, NOTE_TYPE\\n"
                             ".asciz \\\"Lockstep\\\"\\n.p2align 2\\n"
                             "1: .incbin \\\"note.json\\\"\\n2: .p2align 2\\n.text\\n\");\n";
static const char script[] =
    "PHDRS { all PT_LOAD FLAGS(5); local PT_LOAD FLAGS(6); EXTRA }\nSECTIONS {\n"
    " . = 0x10000; .text : { *(.text) } :all /DISCARD/ : { *(.ARM.*) }\n .rodata : { *(.rodata) } :all\n"
    " . = 0x40000000; .local (NOLOAD) : { *(.local) } :local\n DATA\n"
    " .note.lockstep 0 : { KEEP(*(.note.lockstep)) } :NONE\n}\n";

static char directory[] = "/tmp/lockstep-test-image-XXXXXX";

static void write_file(const char *name, const char *text, size_t size) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

/* Writes `text` with one word put in another's place. */
static void write_replaced(const char *name, const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    char *made;
    assert_non_null(at);
    assert_true(asprintf(&made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    write_file(name, made, strlen(made));
    free(made);
}

struct bytes {
    char *data;
    size_t size;
};

/* Makes an image with this note, note type, and text in the linker script's DATA and EXTRA. */
static struct bytes make_image(const char *note, const char *note_type, const char *data,
                               const char *header) {
    char *step;
    write_file("note.json", note, strlen(note));
    write_replaced("image.c", source, "NOTE_TYPE", note_type);
    write_replaced("step.ld", script, "DATA", data);
    FILE *f = fopen("step.ld", "rb");
    step = calloc(1, 4096);
    assert_true(fread(step, 1, 4095, f) > 0);
    fclose(f);
    write_replaced("image.ld", step, "EXTRA", header);
    free(step);
    assert_int_equal(system("clang-14 --target=armv7a-none-eabi -marm -g -c image.c -o image.o &&"
                            " ld.lld-14 -e start -T image.ld image.o -o image.elf"),
                     0);
    struct bytes b = {malloc(1 << 20), 0};
    f = fopen("image.elf", "rb");
    assert_non_null(f);
    b.size = fread(b.data, 1, 1 << 20, f);
    fclose(f);
    image_checksum_write(b.data, b.size); /* needed if the note has one */
    return b;
}

static struct bytes good_image(void) {
    return make_image(NOTE, "1", "", "");
}

static void assert_refused(struct bytes b, const char *says) {
    struct error e = {0};
    struct image *i = image_load(b.data, b.size, &e);
    assert_null(i);
    assert_int_equal(e.status, EXIT_USER);
    if (strstr(e.message, says) == NULL) fail_msg("'%s' does not say '%s'", e.message, says);
    free(b.data);
}

static void a_good_image_is_read(void **state) {
    (void)state;
    struct error e = {0};
    struct bytes b = good_image();
    struct image *i = image_load(b.data, b.size, &e);
    if (i == NULL) fail_msg("%s", e.message);
    free(b.data); /* nothing may point into it */
    assert_int_equal(i->code_base, 0x10000);
    assert_int_equal(i->code_bytes, 20);
    assert_int_equal(i->text_base, 0x10000);
    assert_int_equal(i->startup, 0x10000);
    assert_int_equal(i->startup_mimd, 0x10004);
    assert_int_equal(i->local_bytes, 48);
    assert_int_equal(i->priority_levels, 8);
    assert_string_equal(i->option[IMAGE_OPTION_PRIORITIES], "all");
    assert_string_equal(i->option[IMAGE_OPTION_COALESCING], "modern");
    assert_string_equal(i->option[IMAGE_OPTION_MATH], "table");
    assert_string_equal(i->option[IMAGE_OPTION_SCALAR], "off");
    assert_string_equal(i->option[IMAGE_OPTION_SCALARIZE], "off");
    assert_string_equal(i->option[IMAGE_OPTION_IDS], "coprocessor");
    assert_string_equal(i->option[IMAGE_OPTION_STARTUP], "loop");
    assert_string_equal(i->option[IMAGE_OPTION_ISA], "vfp");
    assert_int_equal(i->branch_count, 1);
    assert_int_equal(image_branch(i, 0x10000)->meeting, 0x10004);
    assert_null(image_branch(i, 0x10004));
    static const uint32_t words[] = {0xe3a00001, 0xe12fff1e, 0xe3a01002, 0xe12fff1e, 0x11223344};
    assert_memory_equal(i->code, words, sizeof words);
    assert_null(image_find(i, "summ"));
    const struct image_kernel *k = image_find(i, "sum");
    assert_non_null(k);
    assert_int_equal(k->thunk, 0x10008);
    assert_int_equal(k->argument_block_bytes, 8);
    assert_int_equal(k->local_bytes, 48);
    assert_int_equal(k->stack_bytes, 16);
    assert_int_equal(k->twin, 0x1000c);
    assert_int_equal(k->twin_stack_bytes, 264);
    assert_int_equal(k->twin_item_bytes, 12);
    assert_int_equal(k->registers, 9);
    assert_int_equal(k->conditional_returns, 4);
    assert_int_equal(k->barriers, 3);
    assert_int_equal(k->replicated, 2);
    assert_int_equal(k->divergent_branches, 5);
    assert_int_equal(k->line, 12);
    assert_string_equal(k->file, "sum.cl");
    assert_int_equal(k->reqd_work_group_size[0], 8);
    assert_int_equal(k->reqd_work_group_size[1], 2);
    assert_int_equal(k->argument_count, 2);
    assert_int_equal(k->arguments[0].space, IMAGE_GLOBAL);
    assert_string_equal(k->arguments[0].qualifiers, "const restrict");
    assert_int_equal(k->arguments[1].space, IMAGE_PRIVATE);
    assert_int_equal(k->arguments[1].offset, 4);
    assert_int_equal(k->variable_count, 1);
    assert_int_equal(k->twin_variable_count, 1);
    assert_int_equal(k->twin_variables[0].base, 13);
    assert_int_equal(k->twin_variables[0].stride, 24);
    assert_int_equal(k->twin_variables[0].offset, 8);
    assert_string_equal(k->variables[0].name, "tile");
    assert_int_equal(k->variables[0].offset, 16);
    assert_int_equal(k->variables[0].dimensions, 2);
    assert_int_equal(k->variables[0].dimension[1], 4);
    assert_int_equal(k->feature_count, 2);
    assert_int_equal(k->features[0].trip_count, 0);
    assert_true(k->features[0].count[KERNEL_COUNT_INSTRUCTIONS] == 20);
    assert_true(k->features[0].count[KERNEL_COUNT_LOADS] == 6);
    assert_true(k->features[0].count[KERNEL_COUNT_CALLS] == 0.5);
    assert_int_equal(k->features[1].trip_count, 1);
    assert_int_equal(k->features[1].trips[0], 4);
    assert_true(k->features[1].count[KERNEL_COUNT_INSTRUCTIONS] == 1.5);
    image_free(i);
}

static void instructions_have_lines_and_functions(void **state) {
    (void)state;
    struct error e = {0};
    struct bytes b = good_image();
    struct image *i = image_load(b.data, b.size, &e);
    assert_non_null(i);
    static const struct {
        uint32_t pc;
        bool known;
        const char *file;
        unsigned line;
        const char *function;
    } rows[] = {{0x0fffc, false, "?", 0, "?"},
                {0x10000, true, "start.c", 3, "start"},
                {0x10004, true, "start.c", 4, "start_mimd"},
                {0x10008, true, "sum.cl", 12, "thunk_sum"},
                {0x1000c, true, "sum.cl", 13, "thunk_sum"},
                {0x10010, false, "?", 0, "?"},
                {0xfffffffc, false, "?", 0, "?"}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        const char *file;
        unsigned line;
        assert_int_equal(image_line(i, rows[n].pc, &file, &line), rows[n].known);
        assert_string_equal(file, rows[n].file);
        assert_int_equal(line, rows[n].line);
        assert_string_equal(image_function(i, rows[n].pc), rows[n].function);
    }
    image_free(i);
    free(b.data);
}

static void what_is_no_image_is_refused(void **state) {
    (void)state;
    assert_refused((struct bytes){calloc(1, 1), 0}, "not an ELF file");
    assert_refused((struct bytes){strdup("#!/bin/sh\nexit 0\n"), 17}, "not an ELF file");
    assert_refused(make_image(NOTE, "2", "", ""), "no .note.lockstep");
    struct bytes other = good_image();
    other.data[18] = 62; /* e_machine: x86-64 */
    assert_refused(other, "ARM executable");
    assert_refused(make_image(NOTE, "1", ".data 0x20000 : { LONG(1) } :data", "data PT_LOAD FLAGS(6);"),
                   "writable segment");
}

static void notes_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } rows[] = {
        {"\"version\": 20", "\"version\": 1", "version 1"},
        {"\"scalar_kernel\": \"\"", "\"scalar_kernel\": \"sun\"", "scalar kernel"},
        {"\"scalar_kernel\": \"\"", "\"scalar_kernel\": 0", "scalar_kernel"},
        {"\"prefetches\": 0", "\"prefetches\": true", "prefetches"},
        {"\"version\": 20", "\"version\": ", "not JSON"},
        {"\"build\"", "\"built\"", "build: 'priorities' is missing"},
        {"\"math\": \"table\"", "\"math\": 1", "build: 'math' is missing"},
        {"\"start\"", "\"begin\"", "'begin' is missing"},
        {"\"thunk_sum\"", "\"nowhere\"", "'nowhere' is missing"},
        {"\"twin_sum\"", "\"nowhere\"", "'nowhere' is missing"},
        {"\"replicated\": 2", "\"replicated\": -2", "'replicated'"},
        {"\"local_bytes\": 48", "\"local_bytes\": \"48\"", "'local_bytes'"},
        {"\"private\"", "\"generic\"", "address space"},
        {"\"offset\": 4", "\"offset\": 5", "argument 'n'"},
        {"[8, 2, 1]", "[8, 2]", "not fully described"},
        {"\"variables\"", "\"variable\"", "a kernel has no list of variables"},
        {"\"line\": 13", "\"line\": -13", "a variable: 'line'"},
        {"\"private\": 0", "\"private\": -1", "a variable: 'private'"},
        {"[2, 4]", "[2, 4, 2, 4, 2]", "a variable is not whole"},
        {"\"objects\"", "\"object\"", "its note has no list of objects"},
        {"[0, -1, 1]", "[1, -1, 1]", "its list of objects is not whole"},
        {"[0, -1, 1]", "[0, -2, 1]", "its list of objects is not whole"},
        {"[0, -1, 1]", "[0, -1, 3]", "its list of objects is not whole"},
        {"\"twin_variables\"", "\"twin_variable\"", "a kernel has no list of variables"},
        {"\"base\": 13", "\"base\": 14", "a variable has no place"},
        {"\"stride\": 24", "\"stride\": -24", "a variable: 'stride'"},
        {"\"features\"", "\"feature\"", "kernel sum: its features are not whole"},
        {"\"trips\": [4]", "\"trips\": [8]", "features are not whole"},
        {"\"trips\": [4]", "\"trips\": [0, 0, 0, 0, 0]", "features are not whole"},
        {"[20, 0, 1", "[20, -1, 1", "features are not whole"},
        {"[20, 0, 1", "[20, 0, 0, 1", "features are not whole"},
        {"\"kernels\"", "\"kernel\"", "list of kernels"},
        {"\"branches\"", "\"branch\"", "list of branches"},
        {"[65536, 65540]", "[65536, 65542]", "list of branches"},
        {"[65536, 65540]", "[65536, 65540], [65536, 0]", "list of branches"},
    };
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        char note[sizeof NOTE + 32];
        const char *at = strstr(NOTE, rows[n].from);
        snprintf(note, sizeof note, "%.*s%s%s", (int)(at - NOTE), NOTE, rows[n].to,
                 at + strlen(rows[n].from));
        assert_refused(make_image(note, "1", "", ""), rows[n].says);
    }
}

/* An image with missing or wrong bytes is read as a whole or refused. */
static void damaged_images_do_no_harm(void **state) {
    (void)state;
    struct seed s = seed_start();
    struct bytes b = good_image();
    for (size_t size = 0; size < b.size; size += 1 + size / 50) {
        struct error e = {0};
        char *cut = malloc(size + 1); /* a buffer of its own, so that a sanitizer sees a read beyond it */
        memcpy(cut, b.data, size);
        assert_null(image_load(cut, size, &e));
        assert_int_equal(e.status, EXIT_USER);
        free(cut);
    }
    for (int round = 0; round < 3000; round++) {
        struct error e = {0};
        char *copy = malloc(b.size);
        memcpy(copy, b.data, b.size);
        for (unsigned n = 1 + seed_below(&s, 4); n > 0; n--)
            copy[seed_below(&s, (unsigned)b.size)] = (char)seed_next(&s);
        image_checksum_write(copy, b.size); /* otherwise nothing but the checksum would be tested */
        struct image *i = image_load(copy, b.size, &e);
        assert_int_equal(i == NULL, e.status == EXIT_USER);
        image_free(i);
        free(copy);
    }
    free(b.data);
}

/* A wrong byte anywhere, be it in the start-up code, is seen. */
static void every_wrong_byte_is_refused(void **state) {
    (void)state;
    struct bytes b = good_image();
    for (size_t at = 0; at < b.size; at++) {
        struct error e = {0};
        b.data[at] ^= 0x10;
        assert_null(image_load(b.data, b.size, &e));
        assert_int_equal(e.status, EXIT_USER);
        b.data[at] ^= 0x10;
    }
    const char *startup = memmem(b.data, b.size, "\x01\x00\xa0\xe3", 4); /* its mov r0, #1 */
    assert_non_null(startup);
    b.data[startup - b.data] ^= 1;
    assert_refused(b, "it is damaged: its bytes do not have the checksum in its note");
}

static void code_knows_where_threads_part_and_meet(void **state) {
    (void)state;
    struct error e = {0};
    struct bytes b = good_image();
    struct image *i = image_load(b.data, b.size, &e);
    if (i == NULL) fail_msg("%s", e.message);
    free(b.data);
    struct machine_code code;
    image_code(i, &code);
    assert_int_equal(code.meeting[0], 0x10004);
    for (uint32_t n = 1; n < i->text_bytes / 4; n++) assert_int_equal(code.meeting[n], MACHINE_TOGETHER);
    machine_code_free(&code);
    assert_null(code.meeting);
    image_free(i);
}

static int enter_directory(void **state) {
    (void)state;
    return mkdtemp(directory) == NULL || chdir(directory) != 0;
}

static int leave_directory(void **state) {
    (void)state;
    static const char *const names[] = {"note.json", "image.c", "step.ld",
                                        "image.ld",  "image.o", "image.elf"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) unlink(names[n]);
    return chdir("/") != 0 || rmdir(directory) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_image_is_read),
        cmocka_unit_test(instructions_have_lines_and_functions),
        cmocka_unit_test(what_is_no_image_is_refused),
        cmocka_unit_test(notes_are_checked),
        cmocka_unit_test(damaged_images_do_no_harm),
        cmocka_unit_test(code_knows_where_threads_part_and_meet),
        cmocka_unit_test(every_wrong_byte_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
