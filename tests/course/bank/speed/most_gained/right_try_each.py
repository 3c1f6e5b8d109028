# Works out the ratio of every candidate and keeps the largest, with a heap.
import heapq
import math


def most_gained(rows, needed):
    step = math.fsum(own for _, own, _ in rows)
    heap = [(-step / (step - total), name) for name, _, total in rows if name not in needed]
    heapq.heapify(heap)
    if heap:
        ratio, name = heapq.heappop(heap)
        return name, -ratio
    return None, 1.0
