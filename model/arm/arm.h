/*
 * arm: the ARMv7-A A32, VFPv3 and Advanced SIMD instruction set: decode, execution, disassembly.
 *
 * An instruction is decoded once into a struct arm_instruction. Its meaning is written once (arm_semantics.h)
 * and serves a whole warp under a mask and a single thread: a core is a warp of one position.
 *
 * Threads are laid out in rows: one word per thread position, rows of `positions` words side by side.
 * Register d of thread k is `registers[d * positions + k]`: row d is vTPO d of all lanes (machine.md §4).
 * r0–r14 are rows 0–14. Row 15 is unused, since the PC is in the descriptor. s0–s31 are rows 16–47. Dn is
 * rows 16+2n (low word) and 17+2n, up to D15, with Advanced SIMD up to D31.
 *
 * Execution never changes a PC: a branch leaves its targets in `next_pc`. It never changes the co-processor:
 * p7 instructions only report the threads that passed their condition, and the cluster executes them. It has
 * no notion of time.
 *
 * The machine is in User mode, in ARM state, little-endian, with SCTLR.A = 0 and SCTLR.U = 1. Encodings that
 * the manual (ARM DDI 0406C) calls undefined or unpredictable are refused (ARM_FAULT_UNDEFINED; arm_refusal
 * returns the reason). Where the manual leaves a choice:
 * - SVC stops execution with ARM_FAULT_SUPERVISOR_CALL, its number in the instruction's
 *   `immediate`. A bare program ends there, with r0 of the thread as its exit status; in a
 *   kernel, which ends by returning, it is the program's mistake.
 * - Hints do nothing, those not allocated too; WFI is reported (is_wait). Barriers have every option.
 * - MSR writes NZCVQ and GE; its mode field is ignored, as in User mode. MRS reads the mode bits as 0x10.
 * - LDRT, STRT and their kind do what the plain forms do. STM of the base with write-back stores the base as
 *   it was.
 * - FPSCR keeps NZCV, QC, AHP, DN, FZ, RMode, Stride, Len and the cumulative flags; trap enables read as
 *   zero. A VFP data-processing instruction under LEN or STRIDE other than 0 is refused as it runs
 *   (ARM_FAULT_SHORT_VECTOR).
 *
 * Advanced SIMD calculates with the standard FPSCR: round to nearest, subnormals flushed, default NaNs.
 *
 * The cumulative exception flags of FPSCR (IDC, IXC, UFC, OFC, DZC, IOC) are exact for a single thread
 * (positions == 1), and for warps with `cumulative_flags`; without it, a warp does not change them.
 *
 * Known inaccuracies: row 15 is scratch: instructions that read or write the PC use it. Reserved bits of
 * FPSCR that software should not set read as zero.
 */
#ifndef MODEL_ARM_ARM_H
#define MODEL_ARM_ARM_H

#include "model/config/arm_classes.h"
#include "model/config/limits.h"
#include "model/memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARM_MAX_POSITIONS MACHINE_MAX_WARP_SIZE /* largest warp */

/* Bits of an instruction's `reads` and `writes`. Bits 0 to 47 are registers; the bits below are other state
 * of a thread. D16 to D31 share one bit. */
#define ARM_STATE_NZCV        (UINT64_C(1) << 48)
#define ARM_STATE_FPSCR_FLAGS (UINT64_C(1) << 49) /* NZCV of FPSCR */
#define ARM_STATE_FPSCR_MODES (UINT64_C(1) << 50) /* rounding, flush-to-zero and default NaN in FPSCR */
#define ARM_STATE_OTHER       (UINT64_C(1) << 51) /* Q, GE, cumulative flags, exclusive monitor */
#define ARM_STATE_D16_D31     (UINT64_C(1) << 52)

/* Numbers of resources that an instruction waits for or sets: registers have the numbers of their bits; these
 * follow. */
enum arm_resource {
    ARM_RESOURCE_NZCV = 64,
    ARM_RESOURCE_FPSCR,
    ARM_RESOURCE_UNREAD,    /* fills up the list of sources */
    ARM_RESOURCE_UNWRITTEN, /* fills up the list of results */
    ARM_RESOURCES
};

/* The state of the threads of one warp, or of one core (positions == 1). The owner provides the rows. */
struct arm_threads {
    uint32_t positions;  /* threads in a row: the warp size, a multiple of 4 up to ARM_MAX_POSITIONS; or 1 */
    uint32_t *registers; /* stack_row + stack_objects rows or more */
    uint32_t *pc;        /* row: address of each thread's next instruction */
    uint32_t *next_pc;   /* row: targets, written for passed threads by instructions with writes_pc */
    /* Flags as rows: N is bit 31 of n; Z is set when z == 0; C is 0 or ~0; V is bit 31 of v; Q 0 or 1; GE
     * bits 3:0 */
    uint32_t *n, *z, *c, *v, *q, *ge;
    uint32_t *fpscr;           /* row: FPSCR, its NZCV in bits 31:28 */
    const uint32_t *stack_top; /* row: first address above each thread's stack; NULL: no stack is private */
    uint32_t stack_size;       /* bytes of a thread's stack below stack_top; a power of two */
    uint32_t stack_objects; /* warps only: words of each stack, from the top, that are in rows from stack_row
                               on of `registers` (arm_stack_objects.h) instead of in memory */
    uint32_t stack_row;     /* rows of the registers: ARM_REGISTERS or ARM_NEON_REGISTERS */
    uint32_t first_thread;  /* machine-wide number of position 0, for the exclusive monitor */
    bool cumulative_flags;  /* warps only: FPSCR's exception flags are kept (slower) */
    struct memory *memory;
    struct exclusive_monitor *monitor; /* may be NULL: exclusives then always succeed */
    struct store_log *log;             /* stores not yet in memory (store_log.h); NULL: none */
    bool waits; /* plain stores wait for threads that hold their granules: ARM_FAULT_HELD */
};

uint32_t arm_get_apsr(const struct arm_threads *t, unsigned position); /* NZCVQ in 31:27, GE in 19:16 */
void arm_set_apsr(struct arm_threads *t, unsigned position, uint32_t apsr);
/* Returns whether a condition (0–14) holds with these flags, in the form of arm_get_apsr(). */
bool arm_condition_holds(unsigned condition, uint32_t apsr);

enum arm_fault {
    ARM_FAULT_NONE,
    ARM_FAULT_UNMAPPED,      /* an access outside every region */
    ARM_FAULT_READ_ONLY,     /* a store to a region that is not writable */
    ARM_FAULT_MISALIGNED,    /* LDM, LDRD, VLDR, exclusives, LDR of the PC… at an unaligned address */
    ARM_FAULT_FOREIGN_STACK, /* an access to another thread's stack */
    ARM_FAULT_TARGET, /* a branch to fault_address, which is not a multiple of 4: Thumb state (bit 0), or
                         misaligned */
    ARM_FAULT_SHORT_VECTOR,    /* VFP data processing while FPSCR.LEN or STRIDE is not 0 */
    ARM_FAULT_SUPERVISOR_CALL, /* SVC: not an error of the core; the caller ends the program, or refuses */
    ARM_FAULT_UNDEFINED,       /* the encoding is not decoded, or is refused (arm_refusal) */
    ARM_FAULT_HELD,            /* not a fault: a core's store waits for another thread (exclusive_monitor) */
    ARM_FAULT_COUNT
};

/* Effects of an execution, for timing models. */
struct arm_execution {
    uint64_t passed;                     /* threads of the mask whose condition held */
    uint64_t stored;                     /* stores: threads that have stored (an exclusive store may not) */
    uint32_t address[ARM_MAX_POSITIONS]; /* memory instructions: lowest address accessed, valid for passed
                                            threads */
    uint64_t in_stack; /* loads and stores of a warp without fault: threads that accessed their stacks */
    enum arm_fault fault;
    unsigned fault_position; /* lowest position with a fault */
    uint32_t fault_address; /* address of the access; target of the branch; else address of the instruction */
};

struct arm_instruction;
typedef void arm_function(struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                          struct arm_execution *x);

/* Returns the PC of a thread after it has executed the instruction at pc. */
uint32_t arm_next_pc(const struct arm_threads *t, const struct arm_instruction *i, uint32_t pc,
                     uint64_t passed, unsigned position);

/* A decoded instruction: fields are those of the encoding; the row determines which have a meaning. The
 * fields that an execution needs are in the first line of the host's cache. */
struct arm_instruction {
    _Alignas(64) arm_function *thread; /* for positions == 1 */
    arm_function *warp;                /* the same meaning for positions > 1 */
    uint64_t sources;                  /* registers it reads: arm_row_bit() */
    uint64_t destinations;             /* registers it writes */
    uint32_t immediate; /* expanded: modified immediates, signed branch and load offsets, VFP constants' low
                           word */
    uint32_t pc;        /* address of the instruction */
    uint16_t hint;      /* index of the memory region accessed last; only a guess */
    uint8_t condition;  /* 0–14; 14: always */
    uint8_t class;      /* enum arm_class */
    uint8_t rd, rn, rm, rs; /* core registers, or VFP register rows where the row says so */
    uint8_t shift, shift_amount;
    uint16_t register_list;
    uint8_t access_bytes; /* memory instructions: bytes that one thread accesses in all (LDM of 3: 12) */
    uint8_t access_count; /* memory instructions: bus accesses of one thread (words of an LDM; else 1) */
    bool writes_pc : 1;   /* may branch: next_pc holds the targets of passed threads */
    bool is_load : 1;     /* SWP is refused; exclusives are a load or a store */
    bool is_store : 1;
    bool sets_flags : 1;
    bool reads_fpscr : 1; /* the flags and all other fields of FPSCR, as VMRS reads and VCMP, VMSR write them
                           */
    bool writes_fpscr : 1;
    bool is_wait : 1;    /* WFI */
    bool is_private : 1; /* accesses only the thread's own registers, flags and PC; a fault changes nothing */
    bool is_coprocessor : 1;    /* p7: fields below; rt in rd, rt2 in rn */
    bool coprocessor_reads : 1; /* MRC, MRRC */
    bool coprocessor_two : 1;   /* MRRC, MCRR */
    bool register_offset : 1, subtract : 1, pre_index : 1,
        write_back : 1;    /* addressing: private to arm_*.c */
    bool is_access : 1;    /* a load or store that is not exclusive; a fault changes nothing */
    bool lists_all : 1;    /* the two lists below contain all sources and results */
    bool stops : 1;        /* a debugger has a breakpoint here */
    uint8_t waits_for[4];  /* enum arm_resource: sources, and flags that the condition or VMRS reads */
    uint8_t results_in[3]; /* destinations and flags */
    uint32_t encoding;
    uint8_t opc1, crn, crm, opc2;
    uint8_t coprocessor_operation, coprocessor_index; /* coprocessor_decode() */
    bool needs_simd : 1;                              /* an instruction of Advanced SIMD, or on D16–D31 */
    bool is_unsigned : 1;     /* Advanced SIMD, up to immediate_high: unsigned elements */
    bool has_two_results : 1; /* results in d and m */
    bool is_scalar : 1;       /* element `immediate` of m's first word is the operand for all elements */
    uint8_t element;          /* binary logarithm of an element's size in bytes */
    uint8_t words_d, words_n, words_m; /* words of the operands, in rows from rd, rn, rm on; 0: none */
    /* Registers of an interleaved structure, with one element each; adjacent registers with the same
     * elements; distance of D registers. */
    uint8_t structure, groups, spacing;
    uint8_t align_bits;                    /* bits of an address that must be 0 */
    uint32_t immediate_high;               /* high word of a constant of 64 bits */
    const struct arm_row *row;             /* row of the decode table; NULL: not decoded */
    arm_function *body_warp, *body_thread; /* ordinary forms of an instruction on the PC; else NULL */
    uint64_t reads, writes; /* sources and destinations, and ARM_STATE_*: state that the operation reads or
                               partly keeps (without NZCV for its condition); state that it writes */
};

/* Returns whether the instruction is LDREX, STREX or similar (SWP is refused). */
static inline bool arm_is_exclusive(const struct arm_instruction *i) {
    return (i->is_load || i->is_store) && !i->is_access && (i->encoding & 0x0f800ff0) == 0x01800f90;
}

/* Returns whether the instruction is STREX, STREXB, STREXH or STREXD. */
static inline bool arm_stores_exclusively(const struct arm_instruction *i) {
    return (i->encoding & 0x0f900ff0) == 0x01800f90;
}

/* Decodes an encoding at address pc. Never fails: undecoded encodings execute as ARM_FAULT_UNDEFINED. */
void arm_decode(uint32_t encoding, uint32_t pc, struct arm_instruction *out);
/* Makes an instruction execute as ARM_FAULT_UNDEFINED, for machines without it. */
void arm_refuse(struct arm_instruction *i);

/* Executes for the threads of `mask` (a subset of the positions, not empty). On a fault, the faulting thread
 * is unchanged; other threads may have executed. t->pc of every thread in mask is the instruction's. */
static inline void arm_execute(struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                               struct arm_execution *x) {
    (t->positions == 1 ? i->thread : i->warp)(i, t, mask, x);
}

/* Returns the lowest address that a load or store at pc would access for a thread in its present state. */
uint32_t arm_access_address(const struct arm_instruction *i, const struct arm_threads *t, unsigned position,
                            uint32_t pc);

/* Writes assembly text as `objdump -d` (binutils 2.40) prints it: mnemonic, one space, operands, no comment.
 * Differences: refused encodings and unallocated memory hints are `.word`; ROR is always in small letters;
 * ASR #32 in SSAT and USAT is not ASR #0; registers have the same names in LDREX as elsewhere. Returns the
 * length of the whole text, of which `out` gets at most `size` bytes. */
size_t arm_disassemble(uint32_t encoding, uint32_t pc, char *out, size_t size);

/* Returns why an encoding is not executed ("undefined", "Advanced SIMD is not modelled"…); NULL if it is. */
const char *arm_refusal(uint32_t encoding);

extern const char *const arm_class_name[ARM_CLASS_COUNT];
extern const char *const arm_class_description[ARM_CLASS_COUNT];

#endif
