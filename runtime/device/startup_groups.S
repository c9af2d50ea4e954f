/*
 * startup_groups: starts the contexts of this core, work-group after work-group, at about seven instructions
 * a thread.
 *
 *     void lockstep_start_groups(const struct start_plan *plan);
 *
 * The plan (startup.c) says where in the work-group the core's first context is and how local ids go on from one
 * context to the next. Local ids move by additions with carry: x, y, z are kept as x − size_x and so on, so a
 * carry out of an addition means that the size is reached; the packed id is kept beside them. While contexts are
 * started nothing touches memory: the L1D is the TPM and a load would cost an L2 access. The plan stays in VFP registers.
 *
 * With UNROLLED (simt.startup: unrolled) runs of four contexts or more that stay in their row are started four by four.
 */
    .syntax unified
    .arch armv7-a
    .fpu vfpv3-d16
    .arm

/* The plan's words, in the order of struct start_plan. */
#define FIRST_ID       s0
#define FIRST_SP       s1
#define FIRST_X        s2
#define FIRST_Y        s3
#define FIRST_Z        s4
#define KERNEL_PC      s5
#define ARGUMENT_BLOCK s6
#define CONTEXTS       s7
#define STACK_SIZE     s8
#define SIZE_X         s9
#define WRAP_X         s10
#define SIZE_Y         s11
#define WRAP_Y         s12
#define WALK           s13
#define STEP           s14
#define STEP_X         s15
#define STEP_Y         s16
#define STEP_Z         s17
#define UNIT           s18
#define MINUS_ROUNDS   s19

/* Registers all walks share. */
#define id     r0
#define stack  r1
#define x      r2
#define spread r3 /* bytes of a stack */
#define step   r4
#define step_x r5
#define y      r6
#define z      r7
#define size_x r8
#define wrap_x r9

    .section .text.lockstep_start_groups, "ax", %progbits
    .global lockstep_start_groups
    .type lockstep_start_groups, %function
    .p2align 2
lockstep_start_groups:
    push {r4-r11, lr}
    vldmia r0, {s0-s19} /* s16–s19 too: lockstep_startup keeps nothing in them */

.Lnext_group:
    mrc p7, 0, r0, c7, c0, 0
    cmn r0, #1
    popeq {r4-r11, pc}
    vmov r0, KERNEL_PC
    mcr p7, 0, r0, c5, c0, 0
    vmov r0, ARGUMENT_BLOCK
    mcr p7, 0, r0, c5, c0, 1
    mov r0, #0
    mcr p7, 0, r0, c5, c0, 2
    vmov r0, CONTEXTS
    mcr p7, 0, r0, c5, c0, 3
    cmp r0, #0
    beq .Lrun_group
    vmov id, FIRST_ID
    vmov stack, FIRST_SP
    vmov x, FIRST_X
    vmov y, FIRST_Y
    vmov z, FIRST_Z
    vmov spread, STACK_SIZE
    vmov size_x, SIZE_X
    vmov wrap_x, WRAP_X
    vmov step, STEP
    vmov step_x, STEP_X
    vmov r12, WALK
    cmp r12, #1
    blo .Lrows
    beq .Lsteps

/* Block map: runs of `rounds` consecutive work-items, with a step over the other lanes' between. A run is walked in
 * pieces that end with it or with a row. */
    vmov r11, UNIT
    vmov r12, STEP_Y
    vmov lr, MINUS_ROUNDS
#ifdef UNROLLED
    vmov r10, STEP_X
.Lrun:
    cmp x, lr
    cmnle lr, #4 /* −rounds + 4: shorter runs are pieces, too */
    bgt .Lpiece
    mov r5, lr
.Lfour_contexts:
    .rept 4
    mcrr p7, 5, id, stack, c1
    sub stack, stack, spread
    add id, id, r11
    .endr
    adds r5, r5, #4
    bcc .Lfour_contexts
    vmov r5, STEP_Z
    subs x, x, lr
    beq .Lrun_ends_row
.Lnext_run: /* r10: STEP_X, r5: STEP_Z */
    add id, id, step
    adds x, x, r10
    subcs x, x, size_x
    addcs id, id, wrap_x
    adcs y, y, r12
    bcs .Llayer_ends
    adds z, z, r5
    bcc .Lrun
    b .Lrun_group
.Lrun_ends_row:
    sub x, x, size_x
    add id, id, wrap_x
    adds y, y, #1
    bcc .Lnext_run
    vmov r5, SIZE_Y
    sub y, y, r5
    vmov r5, WRAP_Y
    add id, id, r5
    vmov r5, STEP_Z
    adds z, z, #1
    bcc .Lnext_run
    b .Lrun_group
.Lpiece:
#else
.Lrun:
#endif
    cmp x, lr
    mov r5, x
    movlt r5, lr /* − the piece: it runs up to 0 */
    sub x, x, r5
    sub r10, lr, r5 /* − what the piece leaves of the run */
.Lrun_context:
    mcrr p7, 5, id, stack, c1
    sub stack, stack, spread
    add id, id, r11
    adds r5, r5, #1
    bcc .Lrun_context
    cmp x, #0
    beq .Lrow_ends
.Lrow_goes_on:
    cmp r10, #0
    bne .Lrest_of_run
    vmov r5, STEP_X
#ifdef UNROLLED
    mov r10, r5
#endif
    add id, id, step
    adds x, x, r5
    subcs x, x, size_x
    addcs id, id, wrap_x
    adcs y, y, r12
    bcs .Llayer_ends
    vmov r5, STEP_Z
    adds z, z, r5
    bcc .Lrun
    b .Lrun_group
.Llayer_ends:
    vmov r5, SIZE_Y
    sub y, y, r5
    vmov r5, WRAP_Y
    add id, id, r5
    vmov r5, STEP_Z
    add r5, r5, #1
    adds z, z, r5
    bcc .Lrun
    b .Lrun_group
.Lrest_of_run:
    cmp x, r10
    mov r5, x
    movlt r5, r10
    sub x, x, r5
    sub r10, r10, r5
    b .Lrun_context
.Lrow_ends:
    sub x, x, size_x
    add id, id, wrap_x
    adds y, y, #1
    bcc .Lrow_goes_on
    vmov r5, SIZE_Y
    sub y, y, r5
    vmov r5, WRAP_Y
    add id, id, r5
    adds z, z, #1
    bcc .Lrow_goes_on
    b .Lrun_group

/* Cyclic map, a step within a row: work-items `lanes` apart. */
.Lrows:
    vmov r10, SIZE_Y
    vmov r11, WRAP_Y
.Lrow_context:
    mcrr p7, 5, id, stack, c1
    sub stack, stack, spread
    add id, id, step
    adds x, x, step_x
    bcc .Lrow_context
    sub x, x, size_x
    add id, id, wrap_x
    adds y, y, #1
    bcc .Lrow_context
    sub y, y, r10
    add id, id, r11
    adds z, z, #1
    bcc .Lrow_context
    b .Lrun_group

/* Cyclic map, a step across rows. */
.Lsteps:
    vmov r10, SIZE_Y
    vmov r11, WRAP_Y
    vmov r12, STEP_Y
    vmov lr, STEP_Z
.Lstep_context:
    mcrr p7, 5, id, stack, c1
    sub stack, stack, spread
    add id, id, step
    adds x, x, step_x
    subcs x, x, size_x
    addcs id, id, wrap_x
    adcs y, y, r12
    subcs y, y, r10
    addcs id, id, r11
    adcs z, z, lr
    bcc .Lstep_context

.Lrun_group:
    mcr p7, 0, r0, c6, c0, 0
    b .Lnext_group
    .size lockstep_start_groups, . - lockstep_start_groups
