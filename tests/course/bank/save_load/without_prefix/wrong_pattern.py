# A regular expression in which the prefix's dot stands for any character.
import re


def without_prefix(state_dict, prefix):
    return {re.sub("^" + prefix, "", name): tensor for name, tensor in state_dict.items()}
