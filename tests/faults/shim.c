/* Strikes one file operation of a program, by LD_PRELOAD. tests/faults.rs says how and why.
 *
 * Counted are operations that change something under FAULT_ROOT, a folder as the program spells it. Number FAULT_AT is
 * struck as FAULT_HOW says: "kill" (the process dies before it), "torn" (it dies in the middle of a write), "full" (no space
 * left on the device, now and until the process ends), "io" (an input/output error, once), "stop" (the process is
 * suspended before it). FAULT_LOG gets a line per operation. FAULT_BOOT stands in for the identity of this boot of the machine, so
 * that two processes believe that they are on two machines; FAULT_HASTE makes the monotonic clock run that much faster.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define FDS 4096

static char *path_of[FDS];
static int is_full;
static int half_written_fd = -1;
static long counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int is_ours(const char *path) {
    const char *root = setting("FAULT_ROOT");
    if (!root || !path) return 0;
    size_t length = strlen(root);
    if (strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0)) return 1;
    char inside[512];
    snprintf(inside, sizeof inside, "/%s/", root);
    return strstr(path, inside) != NULL;
}

static void note(long number, const char *what, const char *path) {
    const char *log = setting("FAULT_LOG");
    if (!log) return;
    char line[1024];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, what, path);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd >= 0) {
        syscall(SYS_write, fd, line, (size_t)length);
        syscall(SYS_close, fd);
    }
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

enum fate { GO_ON, FAIL, HALF };

/* What becomes of an operation; errno is set where it fails. */
static enum fate struck(const char *what, const char *path) {
    pthread_mutex_lock(&lock);
    long number = ++counted;
    int full = is_full;
    pthread_mutex_unlock(&lock);
    note(number, what, path);
    int takes_space = !strcmp(what, "create") || !strcmp(what, "write") || !strcmp(what, "mkdir");
    if (full && takes_space) {
        errno = ENOSPC;
        return FAIL;
    }
    const char *at = setting("FAULT_AT"), *how = setting("FAULT_HOW");
    if (!at || !how || atol(at) != number) return GO_ON;
    if (!strcmp(how, "kill")) die();
    if (!strcmp(how, "stop")) {
        kill(getpid(), SIGSTOP);
        return GO_ON;
    }
    if (!strcmp(how, "torn")) {
        if (!strcmp(what, "write")) return HALF;
        die();
    }
    if (!strcmp(how, "full")) {
        if (!takes_space && strcmp(what, "sync")) return GO_ON;
        is_full = 1;
        if (!strcmp(what, "write")) return HALF;
        errno = ENOSPC;
        return FAIL;
    }
    errno = EIO;
    return FAIL;
}

static int opened(int fd, const char *path) {
    if (fd >= 0 && fd < FDS && is_ours(path)) path_of[fd] = strdup(path);
    return fd;
}

static int open_any(const char *path, int flags, mode_t mode) {
    const char *boot = setting("FAULT_BOOT");
    if (boot && path && !strcmp(path, "/proc/sys/kernel/random/boot_id")) path = boot;
    if (is_ours(path) && (flags & (O_CREAT | O_TRUNC)) && struck("create", path) == FAIL) return -1;
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode), path);
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_any(path, flags, mode);
}

int close(int fd) {
    if (fd >= 0 && fd < FDS) {
        free(path_of[fd]);
        path_of[fd] = NULL;
    }
    return (int)syscall(SYS_close, fd);
}

static const char *ours(int fd) { return fd >= 0 && fd < FDS ? path_of[fd] : NULL; }

ssize_t write(int fd, const void *bytes, size_t count) {
    const char *path = ours(fd);
    if (!path) return syscall(SYS_write, fd, bytes, count);
    if (half_written_fd == fd) {
        half_written_fd = -1;
        errno = ENOSPC;
        return -1;
    }
    switch (struck("write", path)) {
    case FAIL: return -1;
    case HALF: {
        ssize_t written = syscall(SYS_write, fd, bytes, count / 2);
        if (!is_full) die();
        half_written_fd = fd;
        return written;
    }
    default: return syscall(SYS_write, fd, bytes, count);
    }
}

static int change(int fd, const char *what, long call, long argument) {
    const char *path = ours(fd);
    return path && struck(what, path) == FAIL ? -1 : (int)syscall(call, fd, argument);
}

int fsync(int fd) { return change(fd, "sync", SYS_fsync, 0); }
int fdatasync(int fd) { return change(fd, "sync", SYS_fdatasync, 0); }
int ftruncate(int fd, off_t length) { return change(fd, "truncate", SYS_ftruncate, length); }
int ftruncate64(int fd, off64_t length) { return change(fd, "truncate", SYS_ftruncate, length); }

int rename(const char *from, const char *to) {
    if (is_ours(to) && struck("rename", to) == FAIL) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    if (is_ours(path) && struck("unlink", path) == FAIL) return -1;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    if (is_ours(path) && struck("mkdir", path) == FAIL) return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static struct timespec begin;
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    const char *haste = setting("FAULT_HASTE");
    if (!haste || clock != CLOCK_MONOTONIC || result) return result;
    if (!begin.tv_sec) begin = *time;
    long passed = (time->tv_sec - begin.tv_sec) * 1000000000L + time->tv_nsec - begin.tv_nsec;
    long shown = begin.tv_nsec + passed * atol(haste);
    time->tv_sec = begin.tv_sec + shown / 1000000000L;
    time->tv_nsec = shown % 1000000000L;
    return 0;
}
