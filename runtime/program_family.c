#include "runtime/program_family.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#define GRACE_MS 2000
#define LOOK_MS  20
#define KILLS    100 /* rounds of killing, since a process may start another one before it is killed */

static bool has_setting(const char *process, const char *setting) {
    char path[300], *entry = NULL;
    size_t capacity = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%s/environ", process);
    FILE *environment = fopen(path, "re");
    while (environment && !found && getdelim(&entry, &capacity, 0, environment) > 0)
        found = strcmp(entry, setting) == 0;
    free(entry);
    if (environment) fclose(environment);
    return found;
}

/* Sends a signal (0: none) to all processes and returns their number. A descriptor keeps a process id from
 * being reused. */
static unsigned send_all(const char *setting, int signal) {
    unsigned count = 0;
    DIR *all = opendir("/proc");
    for (const struct dirent *process; all && (process = readdir(all));) {
        if (!isdigit((unsigned char)process->d_name[0])) continue;
        const pid_t pid = (pid_t)atol(process->d_name);
        const int fd = pid == getpid() ? -1 : pidfd_open(pid, 0);
        if (fd < 0) continue;
        if (has_setting(process->d_name, setting)) count += pidfd_send_signal(fd, signal, NULL, 0) == 0;
        close(fd);
    }
    if (all) closedir(all);
    return count;
}

void program_family_end(const char *setting) {
    unsigned left = send_all(setting, SIGTERM);
    if (left > 0) left = send_all(setting, SIGCONT); /* a stopped process does not receive other signals */
    for (int waited = 0; left > 0 && waited < GRACE_MS; waited += LOOK_MS) {
        usleep(LOOK_MS * 1000);
        left = send_all(setting, 0);
    }
    for (int round = 0; left > 0 && round < KILLS; round++) {
        left = send_all(setting, SIGKILL);
        usleep(1000);
    }
}
