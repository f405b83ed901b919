"""Times steps of a program with its profiler off and on, by turns. While it is on, a trace with DOPPEL_TRACE_RANGE=profiler is written."""
import ctypes
import statistics
import sys
import time

ROUNDS = 150


def timed(step, synchronize, steps):
    """Runs `steps` steps to warm up, then ROUNDS times as many with the profiler off and as many with it on. On stderr: how many steps
    it was on, and nanoseconds a step with it off, what a step took more with it on (the median of what pairs of rounds differ by), and
    the quartiles of that."""
    driver = ctypes.CDLL("libcuda.so.1")
    seconds = {False: [], True: []}

    def once():
        start = time.perf_counter_ns()
        for _ in range(steps):
            step()
        synchronize()
        return (time.perf_counter_ns() - start) / steps

    for _ in range(20):
        once()
    for number in range(ROUNDS):
        # The order changes, so that what grows with time counts for neither.
        for on in (number % 2 == 0, number % 2 != 0):
            if on:
                driver.cuProfilerStart()
            seconds[on].append(once())
            if on:
                driver.cuProfilerStop()
    more = [on - off for off, on in zip(seconds[False], seconds[True])]
    low, middle, high = statistics.quantiles(more, n=4)
    print("steps", ROUNDS * steps, "ns a step", statistics.median(seconds[False]), "more", middle, low, high, file=sys.stderr)
