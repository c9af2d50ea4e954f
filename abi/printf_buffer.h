/*
 * printf_buffer: the output of a kernel's printf in memory (OpenCL 1.2, 6.12.13), shared by compiler,
 * device library and runtime.
 *
 * While a kernel of a program with printf calls runs, PRINTF_MAPPED_BYTES of memory lie at PRINTF_ADDRESS.
 * Word 0 counts the bytes of records, which follow from PRINTF_RECORDS on without gaps. PRINTF_LOST in this
 * word means that at least one record did not fit; no later record is taken. Lost records are written
 * behind the others, all in the same place.
 *
 * A record consists of words: enum printf_word, then each argument as it lies in memory, padded to whole
 * words. The sizes of its arguments are a constant of the program: one byte each, the size in bytes (1 to
 * 128), and a final zero.
 */
#ifndef ABI_PRINTF_BUFFER_H
#define ABI_PRINTF_BUFFER_H

#define PRINTF_ADDRESS      0x3f800000u
#define PRINTF_RECORDS      8u
#define PRINTF_BUFFER_BYTES 0x100000u /* bytes of records, CL_DEVICE_PRINTF_BUFFER_SIZE */
#define PRINTF_RECORD_BYTES 4096u     /* largest record, in bytes */
#define PRINTF_LOST         0x80000000u
#define PRINTF_LOST_ADDRESS (PRINTF_ADDRESS + PRINTF_RECORDS + PRINTF_BUFFER_BYTES)
#define PRINTF_MAPPED_BYTES (PRINTF_RECORDS + PRINTF_BUFFER_BYTES + PRINTF_RECORD_BYTES)

enum printf_word {
    PRINTF_SIZES,     /* address of the arguments' sizes */
    PRINTF_FORMAT,    /* address of the format */
    PRINTF_GLOBAL_ID, /* global id of the work-item: x, y, z */
    PRINTF_ARGUMENTS = PRINTF_GLOBAL_ID + 3
};

/* The device library's function that makes room for a record and writes the ids: global uint
 * *(uint bytes). */
#define PRINTF_RECORD_FUNCTION "_Z22lockstep_printf_recordj"

#endif
