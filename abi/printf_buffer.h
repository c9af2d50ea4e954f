/*
 * printf_buffer: where a kernel's printf leaves its output (OpenCL 1.2, 6.12.13), as compiler, device library
 * and runtime share it.
 *
 * While a kernel of a program with printf calls runs, PRINTF_MAPPED_BYTES of memory lie at PRINTF_ADDRESS.
 * Word 0 counts the bytes of records, which follow from PRINTF_RECORDS on without gaps; PRINTF_LOST in it
 * says that at least one did not fit: from then on none is taken. Lost records are written behind the others,
 * all in the same place.
 *
 * A record is words: enum printf_word, then each argument as it lies in memory, filled up to whole words. Its
 * sizes are a constant of the program: a byte each, the argument's size in bytes (1 to 128), and a zero.
 */
#ifndef ABI_PRINTF_BUFFER_H
#define ABI_PRINTF_BUFFER_H

#define PRINTF_ADDRESS      0x3f800000u
#define PRINTF_RECORDS      8u
#define PRINTF_BUFFER_BYTES 0x100000u /* CL_DEVICE_PRINTF_BUFFER_SIZE: of records */
#define PRINTF_RECORD_BYTES 4096u     /* of one record, at most */
#define PRINTF_LOST         0x80000000u
#define PRINTF_LOST_ADDRESS (PRINTF_ADDRESS + PRINTF_RECORDS + PRINTF_BUFFER_BYTES)
#define PRINTF_MAPPED_BYTES (PRINTF_RECORDS + PRINTF_BUFFER_BYTES + PRINTF_RECORD_BYTES)

enum printf_word {
    PRINTF_SIZES,     /* address of the arguments' sizes */
    PRINTF_FORMAT,    /* address of the format */
    PRINTF_GLOBAL_ID, /* of the work-item: x, y, z */
    PRINTF_ARGUMENTS = PRINTF_GLOBAL_ID + 3
};

/* The device library's function that makes room for a record: global uint *(uint bytes).
 * It writes the ids. */
#define PRINTF_RECORD_FUNCTION "_Z22lockstep_printf_recordj"

#endif
