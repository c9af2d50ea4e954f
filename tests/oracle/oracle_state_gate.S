/* oracle_state_gate: enters code that owns all registers, and returns. The gate keeps its own data among its
 * instructions. Offsets are those of struct oracle_state. */
    .section .gate, "awx", %progbits
    .syntax unified
    .arch armv7-a
    .fpu neon
    .arm
    .global gate_enter
    .type gate_enter, %function
gate_enter:
    push {r4-r11, lr}
    vpush {d8-d15}
    str sp, gate_stack
    str r0, gate_state
    ldr r1, [r0]
    str r1, gate_target
    ldr r1, [r0, #324]
    msr APSR_nzcvqg, r1
    ldr r1, [r0, #328]
    vmsr fpscr, r1
    add r1, r0, #68
    vldmia r1!, {d0-d15}
    vldmia r1, {d16-d31}
    clrex
    add lr, r0, #4
    ldmia lr, {r0-r12}
    ldr sp, [lr, #52]
    ldr lr, [lr, #56]
    ldr pc, gate_target
    .global gate_leave
gate_leave:
    str r0, gate_r0
    ldr r0, gate_state
    add r0, r0, #8
    stmia r0, {r1-r12}
    str sp, [r0, #48]
    str lr, [r0, #52]
    ldr r1, gate_r0
    str r1, [r0, #-4]
    mrs r1, APSR
    str r1, [r0, #316]
    vmrs r1, fpscr
    str r1, [r0, #320]
    add r0, r0, #60
    vstmia r0!, {d0-d15}
    vstmia r0, {d16-d31}
    mov r1, #0
    vmsr fpscr, r1
    ldr sp, gate_stack
    vpop {d8-d15}
    pop {r4-r11, pc}
gate_stack: .word 0
gate_state: .word 0
gate_target: .word 0
gate_r0: .word 0
    .section .note.GNU-stack, "", %progbits
