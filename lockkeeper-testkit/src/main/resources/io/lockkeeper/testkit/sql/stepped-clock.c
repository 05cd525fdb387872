/*
 * A library to preload into a program: its wall clock is the real one plus as many nanoseconds as a shared file says.
 * The clocks that never step stay as they are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
/* Times since the start of the machine are smaller, wall clock times are larger. */
#define WALL_CLOCK_SECONDS 1000000000LL

static const volatile int64_t none = 0;
static const volatile int64_t *shift = &none;

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("LOCKKEEPER_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *memory = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) {
            shift = memory;
        }
        close(file);
    }
}

static void add(struct timespec *time, int64_t nanos) {
    int64_t sum = time->tv_nsec + nanos % SECOND;
    time->tv_sec += nanos / SECOND;
    if (sum < 0) {
        sum += SECOND;
        time->tv_sec--;
    } else if (sum >= SECOND) {
        sum -= SECOND;
        time->tv_sec++;
    }
    time->tv_nsec = sum;
}

/* The system is asked directly: to look for the function that this one replaces may itself read the clock. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        add(time, *shift);
    }
    return (int) result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

/* A deadline was reckoned with the stepped clock, and the system waits by the real one. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    struct timespec until = *deadline;
    if (!real) {
        *(void **) &real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
        if (!real) {
            *(void **) &real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
        }
    }
    if (until.tv_sec > WALL_CLOCK_SECONDS) {
        add(&until, -*shift);
    }
    return real(condition, mutex, &until);
}
