/* What METIS and its library GKlib keep for the whole process, kept for each thread instead: with this, calls on several threads
 * know nothing of each other. METIS's own are two, and both are replaced here, where the linker finds them first:
 *
 * - Random numbers came from rand(). Here each thread has a generator of its own with the same numbers as that of the GNU C
 *   library, on all systems: r(i) = r(i - 3) + r(i - 31), of which the lowest bit is dropped.
 * - Errors were raised as SIGABRT and SIGTERM, whose handlers belong to all threads, and to the program that METIS runs in. Here
 *   an error goes straight to where METIS waits for it: gk_sigcatch() is a setjmp() into gk_jbufs, which GKlib keeps per thread.
 *
 * Should another object of METIS ask for something of random.c or error.c that is not here, both would be linked, and the linker
 * refuses two definitions. */

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _MSC_VER
#define __thread __declspec(thread)
#endif

enum { LONG_LAG = 31, SHORT_LAG = 3, SKIPPED = 310, MOST_TRAPS = 128 };

/* The last numbers: the oldest is at `oldest`, and the next takes its place. Without a seed, those of seed 1. */
static __thread uint32_t numbers[LONG_LAG];
static __thread int oldest;
static __thread int is_seeded;

/* As GKlib declares them. */
__thread int gk_cur_jbufs = -1;
__thread jmp_buf gk_jbufs[MOST_TRAPS];

static uint32_t next_number(void) {
    uint32_t number = numbers[oldest] += numbers[(oldest + LONG_LAG - SHORT_LAG) % LONG_LAG];
    oldest = (oldest + 1) % LONG_LAG;
    return number >> 1;
}

void gk_randinit(uint64_t seed) {
    int64_t number = (int32_t)(uint32_t)seed;
    if (number == 0)
        number = 1;
    for (int place = 0; place < LONG_LAG; place++) {
        numbers[place] = (uint32_t)number;
        number = 16807 * number % 2147483647;
        if (number < 0)
            number += 2147483647;
    }
    oldest = SHORT_LAG;
    is_seeded = 1;
    for (int skipped = 0; skipped < SKIPPED; skipped++)
        next_number();
}

uint32_t gk_randint32(void) {
    if (!is_seeded)
        gk_randinit(1);
    return next_number();
}

uint64_t gk_randint64(void) {
    uint64_t high = gk_randint32();
    return high << 32 | gk_randint32();
}

int gk_sigtrap(void) {
    if (gk_cur_jbufs + 1 >= MOST_TRAPS)
        return 0;
    gk_cur_jbufs++;
    return 1;
}

int gk_siguntrap(void) {
    if (gk_cur_jbufs == -1)
        return 0;
    gk_cur_jbufs--;
    return 1;
}

static void leave(int kind) {
    if (gk_cur_jbufs == -1)
        abort();
    longjmp(gk_jbufs[gk_cur_jbufs], kind);
}

/* The words of an error are left out: METIS's answer says what kind it was. */
void gk_errexit(int kind, char *words, ...) {
    (void)words;
    leave(kind);
}

/* What GKlib finds wrong with itself: METIS calls every kind but the want of memory an error. */
void errexit(char *words, ...) {
    (void)words;
    leave(SIGTERM);
}
