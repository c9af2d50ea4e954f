/*
 * arm_objdump: objdump's opinion of encodings, line by line.
 */
#ifndef TESTS_ARM_ARM_OBJDUMP_H
#define TESTS_ARM_ARM_OBJDUMP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* Receives objdump's text for code[index], which may be modified. */
typedef void arm_objdump_line(unsigned index, uint32_t encoding, char *text);

/* Disassembles `count` encodings with objdump, the first one at address 0. Fails the test if a line is
 * missing. */
static inline void arm_objdump(const uint32_t *code, unsigned count, arm_objdump_line *take) {
    char path[] = "/tmp/lockstep-arm-XXXXXX", command[100], line[256];
    const int file = mkstemp(path);
    unsigned seen = 0;
    assert_true(file >= 0);
    assert_int_equal(write(file, code, count * sizeof *code), (ssize_t)(count * sizeof *code));
    close(file);
    snprintf(command, sizeof command, "arm-linux-gnueabihf-objdump -D -b binary -m armv7 %s", path);
    FILE *objdump = popen(command, "r");
    assert_non_null(objdump);
    while (fgets(line, sizeof line, objdump)) {
        unsigned address, encoding;
        int at = 0;
        if (sscanf(line, " %x: %x %n", &address, &encoding, &at) < 2 || !at) continue;
        assert_true(address / 4 < count);
        assert_int_equal(encoding, code[address / 4]);
        seen++;
        take(address / 4, encoding, line + at);
    }
    pclose(objdump);
    unlink(path);
    assert_int_equal(seen, count);
}

#endif
