# Takes the highest step off until enough are kept.
def superfluous(losses, last):
    def old(steps, number):
        return steps if number <= 0 or not steps else old(steps[:-1], number - 1)

    best = min(losses.items(), key=lambda item: item[::-1], default=(None, None))[0]
    return [step for step in old(sorted(losses), last) if step != best]
