# A set difference, sorted at the end.
def superfluous(losses, last):
    newest = sorted(losses, reverse=True)[:last]
    best = sorted(losses, key=lambda step: (losses[step], step))[:1]
    return sorted(set(losses) - set(newest) - set(best))
