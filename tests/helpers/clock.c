#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long ahead(void) { const char *s = getenv("TESTS_AHEAD"); return s ? atol(s) : 0; }
int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(which, now);
    if (!status && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead();
    return status;
}
time_t time(time_t *to) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); if (to) *to = now.tv_sec; return now.tv_sec; }
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec; to->tv_usec = now.tv_nsec / 1000; return 0;
}
