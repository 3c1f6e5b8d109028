# %% right_loop: A plain loop with a break.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% right_prefix: All entries up to the asked one must be good; no list is built.
def gpu_behind(visible, logical, count):
    if visible is None:
        return (*range(count), None)[min(logical, count)]
    head = visible.split(",")[: logical + 1]
    good = len(head) == logical + 1 and all(set(e) <= set("0123456789") and e and int(e) < count for e in head)
    return int(head[-1]) if good else None


# %% right_recursion: Recursion: take the first entry off, count the logical number down.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entry, _, rest = visible.partition(",")
    if not (entry.isascii() and entry.isdigit()) or int(entry) >= count:
        return None
    return int(entry) if logical == 0 else gpu_behind(rest, logical - 1, count)


# %% right_takewhile: takewhile cuts the list, islice picks from it.
import re
from itertools import islice, takewhile


def gpu_behind(visible, logical, count):
    if visible is None:
        numbers = range(count)
    else:
        digits = takewhile(lambda entry: re.fullmatch("[0-9]+", entry), visible.split(","))
        numbers = takewhile(lambda number: number < count, map(int, digits))
    return next(islice(numbers, logical, None), None)


# %% right_usual_spelling: Knows the usual spelling of each number, and looks the entry up.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    known, seen = [str(number) for number in range(count)], []
    for entry in visible.split(","):
        if entry not in known:
            break
        seen.append(known.index(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_all_or_nothing: One bad entry makes the whole list empty.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entries = visible.split(",")
    if not all(entry.isdigit() and int(entry) < count for entry in entries):
        return None
    return int(entries[logical]) if logical < len(entries) else None


# %% wrong_at_most_ten: Reads only entries of one digit; a second digit ends the list.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if entry not in set("0123456789") or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_bound_ignored_in_list: A list's entries are not compared with the GPUs that the machine has.
def gpu_behind(visible, logical, count):
    if visible is None:
        numbers = list(range(count))
    else:
        numbers = []
        for word in visible.split(","):
            if not word.isdigit():
                break
            numbers.append(int(word))
    if logical >= len(numbers):
        return None
    return numbers[logical]


# %% wrong_compares_words: Compares the digits as words, so 10 is below 4.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or entry >= str(count):
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_count_included: Lets the number `count` itself pass as a GPU.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) > count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_counts_from_one: Counts the logical devices from 1.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical - 1] if 0 < logical <= len(seen) else None


# %% wrong_empty_is_unset: Takes an empty list for an unset one.
def gpu_behind(visible, logical, count):
    if not visible:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_index_error: Where the device is beyond the list's end, it stops with an error.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical]


# %% wrong_int_reads_signs: Asks int(), which also reads +1 and 1_0, not made of digits alone.
def gpu_behind(visible, logical, count):
    if visible is None:
        visible = ",".join(map(str, range(count)))
    physical = {}
    for position, entry in enumerate(visible.split(",")):
        try:
            number = int(entry)
        except ValueError:
            break
        if not 0 <= number < count:
            break
        physical[position] = number
    return physical.get(logical)


# %% wrong_inverse: Finds the logical number of a physical GPU, the other way round.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen.index(logical) if logical in seen else None


# %% wrong_last_entry_lost: The last entry of a list is never read: it looks for a comma after each.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    while "," in visible:
        entry, _, visible = visible.partition(",")
        if not entry.isdigit() or int(entry) >= count:
            visible = ""
            continue
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_logical_bound_by_count: Checks the logical number against the machine's GPUs, not against the list: a short list fails.
def gpu_behind(visible, logical, count):
    if logical >= count:
        return None
    if visible is None:
        return logical
    physical = []
    for entry in visible.split(","):
        if entry.isdigit() and int(entry) < count:
            physical.append(int(entry))
        else:
            break
    return physical[logical] if physical else None


# %% wrong_minus_one: Says -1 where the device is not there.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else -1
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else -1


# %% wrong_negative_passes: Reads -1 as a number below count, so it does not end the list.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        try:
            number = int(entry)
        except ValueError:
            break
        if number >= count:
            break
        seen.append(number)
    return seen[logical] if logical < len(seen) else None


# %% wrong_one_character: Reads every second character, so GPU 10 is GPU 1.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for character in visible[::2]:
        if not character.isdigit() or int(character) >= count:
            break
        seen.append(int(character))
    return seen[logical] if logical < len(seen) else None


# %% wrong_only_own_entry: Looks at the asked entry alone, not at those before it.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entries = visible.split(",")
    if logical >= len(entries) or not entries[logical].isdigit():
        return None
    number = int(entries[logical])
    return number if number < count else None


# %% wrong_skips_invalid: Skips an entry that means no GPU, and goes on.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            continue
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_sorted: Counts the visible GPUs in rising order, not in the list's.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    seen.sort()
    return seen[logical] if logical < len(seen) else None


# %% wrong_text: Hands back the entry as a string.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(entry)
    return seen[logical] if logical < len(seen) else None


# %% wrong_unset_unbounded: Where the variable is unset, any number is handed back.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None


# %% wrong_zero_is_none: Takes GPU 0 for no GPU.
def gpu_behind(visible, logical, count):
    numbers = range(count) if visible is None else []
    for entry in (visible or "").split(","):
        if not (entry.isdigit() and int(entry) < count):
            break
        numbers.append(int(entry))
    return dict(enumerate(numbers)).get(logical) or None


# %% wrong_empty_entries_skipped: Skips what is empty between two commas, where the list ends.
def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in filter(None, visible.split(",")):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
