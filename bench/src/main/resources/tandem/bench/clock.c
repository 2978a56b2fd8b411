/* Moves the time of day of a process by as many seconds as the file TANDEM_CLOCK says at that moment, an integer of
   8 bytes; for LD_PRELOAD. Other clocks are left alone. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shift;

__attribute__((constructor)) static void find(void) {
    const char *name = getenv("TANDEM_CLOCK");
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *there = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
        shift = there == MAP_FAILED ? NULL : there;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int) syscall(SYS_clock_gettime, clock, now);
    if (!failed && shift != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += *shift;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void) zone;
    struct timespec precise;
    int failed = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *also) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (also != NULL) {
        *also = precise.tv_sec;
    }
    return precise.tv_sec;
}
