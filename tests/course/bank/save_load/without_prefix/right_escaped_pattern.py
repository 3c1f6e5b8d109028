# A regular expression with the prefix escaped, anchored at the start.
import re


def without_prefix(state_dict, prefix):
    start = re.compile(r"\A" + re.escape(prefix))
    return {start.sub("", name, count=1): tensor for name, tensor in state_dict.items()}
