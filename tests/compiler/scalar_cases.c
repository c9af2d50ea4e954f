#include "tests/compiler/scalar_cases.h"

#define KERNEL     "FUNCTION __lockstep_thunk_k\n"
#define ID(r)      "mrc p7, 0, " #r ", c1, c0, 4\n"
#define GROUP(r)   "mrc p7, 0, " #r ", c2, c0, 0\n"
#define BARRIER    "mcr p7, 0, r0, c4, c0, 0\n"
#define EXIT       "mcr p7, 0, r0, c4, c1, 0\nEND __lockstep_thunk_k\n"
#define WIDE       SCALARIZE_WIDE
#define CONVERGENT SCALARIZE_CONVERGENT

const struct scalar_case scalar_cases[] = {
    /* --- 1: by itself --- */
    {"identities", WIDE,
     KERNEL "a: mrc p7, 0, r1, c1, c0, 0\n b: mrc p7, 0, r2, c1, c0, 4\n c: mrc p7, 0, r3, c0, c0, 0\n"
            "d: mrc p7, 0, r4, c2, c0, 0\n e: mrc p7, 0, r5, c0, c0, 1\n f: mrrc p7, 8, r6, r7, c8\n" EXIT,
     "a=v b=v c=v d=s e=s f=v"},
    {"the argument block", WIDE, KERNEL "a: ldr r1, [r0]\n" EXIT, "a=s a.r1=s V=0"},
    {"the stack", WIDE,
     KERNEL "a: ldr r1, [sp, #4]\n b: sub sp, sp, #8\n c: mov r2, #1\n d: str r2, [sp]\n" EXIT,
     "a=v b=v c=s d=v"},
    {"exclusives", WIDE,
     KERNEL "ldr r1, [r0]\n a: ldrex r2, [r1]\n mov r4, #0\n b: strex r3, r4, [r1]\n c: mov r5, r3\n" EXIT,
     "a=v b=v c=v"},
    {"Q and GE", WIDE, KERNEL "mov r1, #1\n a: uadd8 r2, r1, r1\n b: sel r3, r1, r1\n c: mrs r4, apsr\n" EXIT,
     "b=v c=v"},
    {"all of FPSCR", WIDE, KERNEL "a: vmrs r1, fpscr\n" EXIT, "a=v"},
    {"modes that threads may set apart", WIDE,
     KERNEL "mov r1, #0\n vmov s0, r1\n a: vadd.f32 s1, s0, s0\n b: vmsr fpscr, r1\n" EXIT, "a=v b=v"},
    {"modes that nobody sets", WIDE, KERNEL "mov r1, #0\n vmov s0, r1\n a: vadd.f32 s1, s0, s0\n" EXIT,
     "a=s"},
    /* --- 2: operands --- */
    {"sources", WIDE, KERNEL ID(r1) "mov r2, #3\n a: add r3, r2, r2\n b: add r4, r2, r1\n" EXIT, "a=s b=v"},
    {"addresses of loads", WIDE,
     KERNEL ID(r1) "a: ldr r2, [r0]\n b: ldr r3, [r2, r1]\n c: ldr r4, [r2, #4]\n" EXIT, "a=s b=v c=s"},
    {"stores", WIDE,
     KERNEL ID(r1) "ldr r2, [r0]\n a: str r2, [r2]\n b: str r1, [r2]\n c: str r2, [r2, r1]\n" EXIT,
     "a=s b=v c=v"},
    {"conditions", WIDE,
     KERNEL ID(r1) "mov r2, #3\n cmp r2, #1\n a: moveq r3, #1\n b: cmp r1, #1\n c: moveq r4, #1\n" EXIT,
     "a=s b=v c=v"},
    /* --- 3: joined webs --- */
    {"a conditional definition keeps the old value", WIDE,
     KERNEL ID(r1) "a: mov r2, #3\n cmp r1, #1\n b: moveq r2, #4\n c: add r3, r2, #1\n" EXIT, "a=v b=v c=v"},
    {"flags that keep V", WIDE,
     KERNEL ID(r1) "mov r2, #3\n cmp r1, #1\n a: tst r2, #1\n b: moveq r3, #4\n" EXIT, "a=v b=v"},
    {"flags that are all set", WIDE,
     KERNEL ID(r1) "mov r2, #3\n cmp r1, #1\n a: cmp r2, #1\n b: moveq r3, #4\n" EXIT, "a=s b=s"},
    {"one instruction's definitions", WIDE,
     KERNEL ID(
         r1) "a: ldm r0, {r2, r3}\n cmp r1, #1\n moveq r3, #4\n b: add r4, r2, #1\n c: add r5, r3, #1\n" EXIT,
     "a=v a.r2=v a.r3=v b=v c=v"},
    {"halves of a double", WIDE,
     KERNEL ID(r1) "mov r2, #3\n a: vmov s0, r2\n vmov s1, r1\n b: vadd.f64 d1, d0, d0\n" EXIT, "a=v b=v"},
    {"neighbours that are no double", WIDE,
     KERNEL ID(r1) "mov r2, #3\n a: vmov s0, r2\n vmov s1, r1\n b: vadd.f32 s2, s0, s1\n" EXIT, "a=s b=v"},
    {"webs are not registers", WIDE,
     KERNEL ID(r1) "add r1, r1, #1\n a: mov r1, #3\n b: add r1, r1, #1\n" EXIT, "a=s b=s"},
    /* --- 4: control --- */
    {"live at the meeting", WIDE,
     KERNEL ID(r1) "mov r2, #0\n cmp r1, #1\n beq m\n a: add r2, r2, #2\n b: mov r4, #1\n c: add r4, r4, #1\n"
                   "m: add r3, r2, #1\n" EXIT,
     "a=v m=v b=s c=s"},
    {"live on another side", WIDE, /* for (k = 0; k < n; k++) if (c) { use(k); break; } */
     KERNEL ID(
         r1) "ldr r5, [r0]\n a: mov r2, #0\n l: ldr r3, [r1, r2]\n cmp r3, #1\n beq u\n b: add r2, r2, #4\n"
             "cmp r2, #64\n bne l\n b m\n u: str r2, [r5]\n m: mov r2, #0\n" EXIT,
     "a=v b=v u=v m=s"},
    {"dead behind a loop", WIDE,
     KERNEL ID(r1) "a: mov r2, #0\n l: add r2, r2, #1\n subs r1, r1, #1\n bne l\n b: mov r2, #0\n str r2, "
                   "[r0]\n" EXIT,
     "a=s l=s"},
    {"a uniform branch", WIDE,
     KERNEL "ldr r1, [r0]\n mov r2, #0\n cmp r1, #1\n a: beq m\n b: mov r2, #2\n m: add r3, r2, #1\n" EXIT,
     "a=s b=s m=s"},
    {"convergent", CONVERGENT,
     KERNEL ID(r1) "cmp r1, #1\n beq m\n a: mov r4, #1\n b: add r4, r4, #1\n m: mov r3, #1\n" EXIT,
     "a=v b=v m=s"},
    {"convergent, in callees", CONVERGENT,
     "FUNCTION f\n a: mov r2, #1\n bx lr\nEND f\n" KERNEL ID(
         r1) "cmp r1, #1\n beq m\n bl f\n m: mov r3, #1\n" EXIT,
     "a=v m=s"},
    {"none", SCALARIZE_NONE, KERNEL "a: ldr r3, [r0]\n b: b c\n c: mov r1, #1\n" EXIT,
     "a=v a.r3=v b=v c=v V=1 S=0"},
    {"a jump through a table", WIDE,
     KERNEL ID(
         r1) "ldr r2, =t\n mov r3, #0\n ldr pc, [r2, r1, lsl #2]\n t: .word p, q\n p: mov r3, #1\n b m\n"
             "q: mov r3, #2\n m: add r4, r3, #1\n mcr p7, 0, r0, c4, c1, 0\n .ltorg\nEND "
             "__lockstep_thunk_k\n",
     "p=v q=v m=v"},
    {"a jump through a table behind constants", WIDE,
     KERNEL ID(
         r1) "ldr r2, =t\n mov r3, #0\n ldr pc, [r2, r1, lsl #2]\n .word 0x3f99999a, 7\n t: .word p, q\n"
             "p: mov r3, #1\n b m\n"
             "q: mov r3, #2\n m: add r4, r3, #1\n mcr p7, 0, r0, c4, c1, 0\n .ltorg\nEND "
             "__lockstep_thunk_k\n",
     "p=v q=v m=v"},
    {"a jump whose table's place is calculated", WIDE,
     KERNEL ID(r1) "ldr r2, =t\n mov r3, #0\n add r2, r2, r1, lsl #2\n ldr pc, [r2]\n t: .word p, q\n"
                   "p: mov r3, #1\n b m\n"
                   "q: mov r3, #2\n m: add r4, r3, #1\n mcr p7, 0, r0, c4, c1, 0\n .ltorg\nEND "
                   "__lockstep_thunk_k\n",
     "p=v q=v m=v"},
    {"a jump to a place that was loaded", WIDE,
     KERNEL ID(r1) "ldr r2, =t\n mov r3, #0\n ldr r2, [r2, r1, lsl #2]\n mov pc, r2\n"
                   "p: mov r3, #1\n b m\n"
                   "q: mov r3, #2\n m: add r4, r3, #1\n mcr p7, 0, r0, c4, c1, 0\n t: .word p, q\n"
                   ".ltorg\nEND __lockstep_thunk_k\n",
     "p=v q=v m=v"},
    {"a jump through a table elsewhere", WIDE,
     KERNEL ID(r1) "ldr r2, =t\n mov r3, #0\n ldr pc, [r2, r1, lsl #2]\n p: mov r3, #1\n b m\n"
                   "q: mov r3, #2\n m: add r4, r3, #1\n mcr p7, 0, r0, c4, c1, 0\n .word 7\n"
                   "t: .word p, q\n .ltorg\nEND __lockstep_thunk_k\n",
     "p=v q=v m=v"},
    {"no meeting: the function's end", WIDE,
     "FUNCTION f\n a: mov r0, #1\n cmp r1, #1\n bxeq lr\n b: mov r0, #2\n c: mov r2, #1\n bx lr\nEND "
     "f\n" KERNEL ID(r1) "bl f\n m: add r3, r0, #1\n" EXIT,
     "a=v b=v m=v c=s"},
    {"a return is where its call says", WIDE,
     "FUNCTION f\n push {lr}\n pop {lr}\n a: mov r0, #1\n cmp r1, #1\n r: bxeq lr\n b: mov r0, #2\n bx "
     "lr\nEND f\n" KERNEL "mov r1, #3\n bl f\n m: add r3, r0, #1\n" EXIT,
     "r=v a=s b=s m=s"},
    {"a barrier among threads that have parted", WIDE,
     KERNEL ID(r1) "cmp r1, #1\n beq e\n a: mov r2, #1\n b: mov r4, #1\n add r4, r4, #1\n" BARRIER
                   "c: add r3, r2, #1\n b m\n e: mov r2, #5\n" BARRIER "m: mov r3, #1\n" EXIT,
     "a=v b=s c=v m=s"},
    {"a barrier in a callee", WIDE,
     "FUNCTION f\n d: mov r2, #1\n" BARRIER "add r2, r2, #1\n bx lr\nEND f\n" KERNEL ID(
         r1) "cmp r1, #1\n beq m\n a: mov r4, #1\n bl f\n c: add r3, r4, #1\n m: mov r3, #1\n" EXIT,
     "a=v c=v d=v m=s"},
    {"a barrier that all reach together", WIDE, KERNEL "a: mov r2, #1\n" BARRIER "b: add r2, r2, #1\n" EXIT,
     "a=s b=s"},
    {"a conditional call", WIDE,
     "FUNCTION f\n a: mov r0, #1\n b: mov r2, #1\n bx lr\nEND f\n" KERNEL ID(
         r1) "mov r0, #0\n cmp r1, #1\n bleq f\n m: add r3, r0, #1\n" EXIT,
     "a=v m=v b=s"},
    {"a conditional call's other way", WIDE,
     "FUNCTION f\n a: mov r0, #1\n bx lr\nEND f\n" KERNEL
     "mov r0, #0\n cmp r0, #1\n c: bleq f\n m: add r3, r0, #1\n" EXIT,
     "a=s m=s c=s"},
    {"a tail call", WIDE,
     "FUNCTION g\n a: add r0, r0, #1\n bx lr\nEND g\n FUNCTION f\n b g\nEND f\n" KERNEL ID(
         r0) "bl f\n m: add r1, r0, #1\n" EXIT,
     "a=v m=v"},
    /* --- 5: calls --- */
    {"an argument that one call makes a vector", WIDE,
     "FUNCTION f\n a: add r0, r0, #1\n b: mov r1, #1\n bx lr\nEND f\n" KERNEL
     "mov r0, #1\n bl f\n" ID(r0) "bl f\n" EXIT,
     "a=v b=s"},
    {"an argument that is a scalar at each", WIDE,
     "FUNCTION f\n a: add r0, r0, #1\n bx lr\nEND f\n" KERNEL
     "mov r0, #1\n bl f\n mov r0, #2\n bl f\n m: mov r1, r0\n" EXIT,
     "a=s m=s"},
    {"a result that one return makes a vector", WIDE,
     "FUNCTION f\n cmp r0, #1\n beq e\n a: mov r0, #1\n bx lr\n e: " ID(
         r0) "bx lr\nEND f\n" KERNEL "mov r0, #1\n bl f\n m: add r1, r0, #1\n" EXIT,
     "a=v e=v m=v"},
    {"a result that outlives the region of its call", WIDE,
     "FUNCTION f\n a: mov r0, #1\n bx lr\nEND f\n" KERNEL ID(
         r1) "mov r0, #0\n cmp r1, #1\n beq m\n bl f\n m: add r3, r0, #1\n" EXIT,
     "a=v m=v"},
    {"a result that does not", WIDE,
     "FUNCTION f\n a: mov r0, #1\n bx lr\nEND f\n" KERNEL ID(
         r1) "cmp r1, #1\n beq m\n bl f\n c: add r3, r0, #1\n m: mov r3, #1\n" EXIT,
     "a=s c=s m=s"},
    {"what a call leaves undefined is no value of the caller's", WIDE,
     "FUNCTION f\n a: mov r12, #1\n bx lr\nEND f\n" KERNEL ID(
         r12) "bl f\n mov r12, #2\n b: add r12, r12, #1\n" EXIT,
     "a=s b=s"},
    {"saved registers are no operands", WIDE,
     "FUNCTION f\n a: push {r4, lr}\n mov r4, #1\n add r4, r4, r4\n b: pop {r4, pc}\nEND f\n" KERNEL
     "d: mov r4, #7\n bl f\n m: add r1, r4, #1\n" EXIT,
     "a!<r4 a<r14 b!>r4 d=s m=s"},
    {"nor are the halves of doubles that are saved", WIDE,
     "FUNCTION f\n push {r4, lr}\n a: vpush {d8}\n vmov s16, r4\n vmov s17, r4\n c: vadd.f64 d8, d8, d8\n"
     "b: vpop {d8}\n pop {r4, pc}\nEND f\n" KERNEL "bl f\n" EXIT,
     "a!<s16 a!<s17 b!>s16 c<s16 c<s17"},
    {"a conditional return restores for those who leave", WIDE,
     "FUNCTION f\n push {r4, lr}\n mov r4, #1\n cmp r4, #2\n a: popeq {r4, pc}\n b: add r4, r4, #1\n pop "
     "{r4, pc}\nEND "
     "f\n" KERNEL "bl f\n" EXIT,
     "a!>r4 b=s"},
    {"a stored value is an operand", WIDE,
     "FUNCTION f\n push {r4, lr}\n mov r4, #1\n a: str r4, [sp, #-4]\n pop {r4, pc}\nEND f\n" KERNEL
     "bl f\n" EXIT,
     "a<r4"},
    /* --- interference --- */
    {"both live", WIDE, KERNEL "a: mov r1, #1\n b: mov r2, #2\n add r1, r1, r2\n str r1, [r1]\n" EXIT,
     "a.r1!=b.r2 S=2"},
    {"one dead", WIDE, KERNEL "a: mov r1, #1\n str r1, [r1]\n b: mov r2, #2\n str r2, [r2]\n" EXIT,
     "a.r1==b.r2 S=1"},
    {"most neighbours first, then the first", WIDE,
     KERNEL "a: mov r1, #1\n b: mov r2, #2\n str r2, [r2]\n str r1, [r1]\n c: mov r3, #3\n d: mov r4, #4\n "
            "str r3, [r3]\n"
            "e: mov r5, #5\n str r5, [r5]\n str r4, [r4]\n" EXIT,
     "a.r1==d.r4 a.r1!=b.r2 b.r2==c.r3 b.r2==e.r5 S=2"},
    {"classes apart", WIDE, KERNEL ID(r1) "a: mov r2, #2\n str r2, [r1]\n" EXIT, "V=1 S=1"},
    {"needed on a side that waits", WIDE, /* source: if (i & 1) { t = n * 4; c[i] = t; } else { c[i] = n; } */
     KERNEL ID(r1) "a: ldr r2, [r0]\n cmp r1, #1\n beq e\n b: lsl r2, r2, #2\n str r2, [r1]\n b m\n e: str "
                   "r2, [r1]\n m: mov r3, #1\n" EXIT,
     "a=s b=s a.r2!=b.r2"},
    {"needed on a side that waits for a callee", WIDE,
     "FUNCTION f\n b: mov r3, #1\n str r3, [r3]\n bx lr\nEND f\n" KERNEL ID(
         r1) "a: ldr r2, [r0]\n cmp r1, #1\n beq e\n bl f\n b m\n e: str r2, [r1]\n m: mov r3, #1\n" EXIT,
     "a=s b=s a.r2!=b.r3"},
    {"vectors wait in their threads", WIDE,
     KERNEL ID(r1) "a: ldr r2, [r1]\n cmp r1, #1\n beq e\n b: lsl r2, r2, #2\n str r2, [r1]\n b m\n e: str "
                   "r2, [r1]\n m: mov r3, #1\n" EXIT,
     "a=v b=v a.r2==b.r2"},
    {"a result is defined by its call", WIDE,
     "FUNCTION f\n add r0, r2, #1\n bx lr\nEND f\n" KERNEL
     "mov r0, #1\n str r0, [r0]\n mov r3, #3\n mov r2, #2\n str r3, [r2]\n bl f\n str r0, [r0]\n" EXIT,
     "S=2"},
    {"the stack while it is used", WIDE, KERNEL ID(r1) "str r1, [sp]\n" EXIT, "V=2 S=0"},
    {"the stack where it is used", WIDE,
     KERNEL ID(r1) "a: str r1, [r1]\n" EXIT "FUNCTION __lockstep_thunk_j\n ldr r1, [sp]\n str r1, [r1]\n"
                   "mcr p7, 0, r0, c4, c1, 0\nEND __lockstep_thunk_j\n",
     "V=1 S=0"},
    {"the caller's", WIDE,
     "FUNCTION f\n b: mov r1, #1\n str r1, [r1]\n bx lr\nEND f\n" KERNEL
     "a: mov r4, #1\n bl f\n str r4, [r4]\n" EXIT,
     "a=s b=s a.r4!=b.r1"},
    {"the caller's caller's", WIDE,
     "FUNCTION g\n b: mov r1, #1\n str r1, [r1]\n bx lr\nEND g\n FUNCTION f\n push {r5, lr}\n bl g\n pop "
     "{r5, pc}\nEND f\n" KERNEL "a: mov r4, #1\n bl f\n str r4, [r4]\n" EXIT,
     "a=s b=s a.r4!=b.r1"},
    {"handed over in a register", WIDE,
     "FUNCTION f\n b: add r1, r0, #1\n str r1, [r1]\n bx lr\nEND f\n" KERNEL "a: mov r0, #1\n bl f\n" EXIT,
     "b<r0 a=s b=s"},
};

const unsigned scalar_case_count = sizeof scalar_cases / sizeof *scalar_cases;
