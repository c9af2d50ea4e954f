/*
 * printf_buffer: the output of a kernel's printf in memory (OpenCL 1.2, 6.12.13), shared by compiler, device
 * library and runtime.
 *
 * While a kernel of a program with printf calls runs, PRINTF_MAPPED_BYTES of memory are mapped at
 * PRINTF_ADDRESS. Word 0 is the number of bytes of records. The records begin at PRINTF_RECORDS and follow
 * each other without gaps. The bit PRINTF_LOST in word 0 means that a record did not fit; no later record is
 * accepted. Lost records are written behind the others, all to the same address.
 *
 * A record consists of words: those of enum printf_word, then each argument as in memory, padded to whole
 * words. The sizes of the arguments are a constant in the program: one byte for each argument (1 to 128), and
 * a final zero byte.
 */
#ifndef ABI_PRINTF_BUFFER_H
#define ABI_PRINTF_BUFFER_H

#define PRINTF_ADDRESS      0x3f800000u
#define PRINTF_RECORDS      8u
#define PRINTF_BUFFER_BYTES 0x100000u /* bytes for records, CL_DEVICE_PRINTF_BUFFER_SIZE */
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

/* Function of the device library that reserves a record and writes the ids: global uint *(uint bytes). */
#define PRINTF_RECORD_FUNCTION "_Z22lockstep_printf_recordj"

#endif
