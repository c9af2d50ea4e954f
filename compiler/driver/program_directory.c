#include "compiler/driver/program_directory.h"

#include "compiler/driver/trouble.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *program_directory(void) {
    static char self[PATH_MAX];
    if (self[0]) return self;
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0) trouble("cannot find out where the compiler itself is: %s", strerror(errno));
    *strrchr(self, '/') = 0;
    return self;
}
