/*
 * program_directory: the directory of lockstep-cc and its parts.
 */
#ifndef COMPILER_PROGRAM_DIRECTORY_H
#define COMPILER_PROGRAM_DIRECTORY_H

const char *program_directory(void);

#endif
