#include "tests/library/kernel_image.h"

#include "tests/spawn.h"

#include <stdio.h>
#include <stdlib.h>

char *kernel_image_folder, *kernel_image_path;

int kernel_image_make(const char *source) {
    kernel_image_folder = spawn_folder();
    kernel_image_path = spawn_text("%s/kernels.img", kernel_image_folder);
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *path = spawn_text("%s/%s", spawn_source(), source);
    struct spawned s = spawn(kernel_image_folder, (char *[]){compiler, "-o", kernel_image_path, path, NULL});
    if (s.status) fputs(s.err, stderr);
    const int status = s.status;
    spawn_free(&s);
    free(compiler);
    free(path);
    return status;
}

int kernel_image_remove(void **state) {
    (void)state;
    spawn_remove_folder(kernel_image_folder);
    free(kernel_image_path);
    kernel_image_folder = kernel_image_path = NULL;
    return 0;
}
