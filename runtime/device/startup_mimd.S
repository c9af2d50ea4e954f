/*
 * startup_mimd: what every core runs in a MIMD launch: it takes work-group after work-group and calls the kernel's
 * twin for each, which runs all work-items of the group. Entry lockstep_startup_mimd, with SP set by the launch;
 * ends with WFI. The L1D is empty before anything is loaded: the host may have written buffers since the last launch.
 */
    .syntax unified
    .arch armv7-a
    .arm

#include "abi/launch_block.h"

/* Registers that a twin preserves. */
#define twin     r4
#define argument r5

    .section .text.lockstep_startup_mimd, "axR", %progbits /* R: linked though nothing refers to it */
    .global lockstep_startup_mimd
    .type lockstep_startup_mimd, %function
    .p2align 2
lockstep_startup_mimd:
    mcr p7, 0, r0, c6, c1, 1
    mrc p7, 0, r0, c7, c0, 1
    ldr twin, [r0, #LAUNCH_BLOCK_KERNEL_PC]
    ldr argument, [r0, #LAUNCH_BLOCK_ARGUMENT_BLOCK]
.Lnext_group: /* a twin returns here */
    mrc p7, 0, r0, c7, c0, 0
    cmn r0, #1
    mov r0, argument
    adr lr, .Lnext_group
    bxne twin
    mcr p7, 0, r0, c6, c1, 1
.Lsleep:
    wfi
    b .Lsleep
    .size lockstep_startup_mimd, . - lockstep_startup_mimd
