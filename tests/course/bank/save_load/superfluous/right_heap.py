# The heap's functions for the largest steps and the smallest pair.
import heapq


def superfluous(losses, last):
    kept = set(heapq.nlargest(last, losses))
    kept.update(step for _, step in heapq.nsmallest(1, ((loss, step) for step, loss in losses.items())))
    return list(filter(lambda step: step not in kept, sorted(losses)))
