/*
 * oracle_state: an ARM Linux program that runs short pieces of code, each from a state of its own, and hands
 * back the state that they leave: a second opinion on single instructions and short sequences (qemu-arm).
 *
 * oracle_state INPUT OUTPUT: both are series of struct oracle_state, one run each, in order, little-endian.
 * `text` is put at `base`, `page` at ORACLE_STATE_PAGE, and control goes to `base` with everything else as it
 * stands here. The code ends by jumping to base + ORACLE_STATE_LEAVE, where the program has put its way back;
 * a signal ends it, too.
 * Needs: $(B)/tests/oracle_state
 */
#ifndef TESTS_ORACLE_ORACLE_STATE_H
#define TESTS_ORACLE_ORACLE_STATE_H

#include <stdint.h>

#define ORACLE_STATE_PAGE   0x60000000u
#define ORACLE_STATE_LEAVE  256u /* two words of text are there the program's own */
#define ORACLE_STATE_CODE   0x00010000u
#define ORACLE_STATE_REGION (1u << 20) /* base + sizeof text is within so many bytes of ORACLE_STATE_CODE */

struct oracle_state {
    uint32_t base;
    uint32_t registers[80]; /* r0–r14, unused, d0–d31 */
    uint32_t apsr, fpscr;
    uint32_t signal, signal_pc; /* 0: none */
    uint32_t text[128];
    uint8_t page[4096];
};

#endif
