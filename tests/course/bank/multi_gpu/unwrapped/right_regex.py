# A regular expression anchored at the beginning.
import re


def unwrapped(state):
    names = [re.sub(r"^module\.", "", name, count=1) for name in state]
    if any(new == old for new, old in zip(names, state)):
        names = list(state)
    return dict(zip(names, state.values()))
