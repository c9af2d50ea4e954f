/* oracle_state: an ARM Linux program that runs short pieces of code, each from a given state, and returns the
 * resulting state: an independent check of single instructions and short sequences (qemu-arm).
 *
 * oracle_state INPUT OUTPUT: both are series of struct oracle_state, one for each run, in order,
 * little-endian. `text` is loaded at `base`, `page` at ORACLE_STATE_PAGE; the code starts at `base` with the
 * registers of the struct. It ends with a jump to base + ORACLE_STATE_LEAVE, where the program has placed its
 * return code; a signal ends it, too.
 * Needs: $(B)/tests/oracle_state */
#ifndef TESTS_ORACLE_ORACLE_STATE_H
#define TESTS_ORACLE_ORACLE_STATE_H

#include <stdint.h>

#define ORACLE_STATE_PAGE   0x60000000u
#define ORACLE_STATE_LEAVE  256u /* offset of the return code: two words of `text` */
#define ORACLE_STATE_CODE   0x00010000u
#define ORACLE_STATE_REGION (1u << 20) /* largest distance of base + sizeof text from ORACLE_STATE_CODE */

struct oracle_state {
    uint32_t base;
    uint32_t registers[80]; /* r0–r14, one unused word, d0–d31 */
    uint32_t apsr, fpscr;
    uint32_t signal, signal_pc; /* signal number (0: none) and the PC at which it was raised */
    uint32_t text[128];
    uint8_t page[4096];
};

#endif
