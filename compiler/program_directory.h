/*
 * program_directory: where lockstep-cc itself is; what belongs to it lies beside it.
 */
#ifndef COMPILER_PROGRAM_DIRECTORY_H
#define COMPILER_PROGRAM_DIRECTORY_H

const char *program_directory(void);

#endif
