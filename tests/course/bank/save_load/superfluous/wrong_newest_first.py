# Returns the steps in descending order.
def superfluous(losses, last):
    newest_first = sorted(losses, reverse=True)
    best = min(reversed(newest_first), key=losses.get, default=None)
    return [step for step in newest_first[last:] if step != best]
