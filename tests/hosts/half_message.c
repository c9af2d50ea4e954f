/* half_message PROGRAM [ARGUMENT...]: sends the simulator of LOCKSTEP_SOCKET half of a message on each of
 * four lines, which stay open, and becomes the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = getenv("LOCKSTEP_SOCKET");
    const unsigned char part[] = {0x4c, 0x53, 0x4b, 0x50, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    if (argc < 2 || !name || strlen(name) >= sizeof address.sun_path) return 2;
    strcpy(address.sun_path + 1, name + 1);
    const socklen_t size = (socklen_t)(sizeof(sa_family_t) + strlen(name));
    for (unsigned n = 0; n < 4; n++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        const size_t bytes = n % 2 ? sizeof part : 5; /* length of the message itself, or of its header */
        if (connect(fd, (struct sockaddr *)&address, size) != 0 || write(fd, part, bytes) != (ssize_t)bytes)
            return 3;
    }
    execvp(argv[1], argv + 1);
    return 4;
}
