# Returns a set, which has no order.
def superfluous(losses, last):
    steps = sorted(losses)
    keep = set(steps[max(0, len(steps) - last) :])
    keep.update(sorted(steps, key=losses.get)[:1])
    return losses.keys() - keep
