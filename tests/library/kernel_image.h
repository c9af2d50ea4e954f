/*
 * kernel_image: a kernel source of the project, compiled into a folder of the test's own.
 */
#ifndef TESTS_LIBRARY_KERNEL_IMAGE_H
#define TESTS_LIBRARY_KERNEL_IMAGE_H

/* Both are NULL outside kernel_image_make() and kernel_image_remove(). */
extern char *kernel_image_folder, *kernel_image_path;

/* Compiles `source`, a path from the project's folder. Returns the compiler's exit status and prints its
 * messages. */
int kernel_image_make(const char *source);
/* Removes the folder; a teardown of cmocka. */
int kernel_image_remove(void **state);

#endif
