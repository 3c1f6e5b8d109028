"""Our answers to the questions of chapter 00. A submission that is graded never sees this file."""

from lessonkit.checks.answer import Answer


def totals(numbers):
    """One sum, kept after each number."""
    whole, found = 0, []
    for number in numbers:
        whole += number
        found.append(whole)
    return found


def begun_with_zero(numbers):
    """Your list begins with a 0 that stands for no number. The first total is the first number."""
    return [sum(numbers[:count]) for count in range(len(numbers) + 1)]


def the_last_total(numbers):
    """You returned the total of all numbers. Asked for is a list with one total for each number."""
    return sum(numbers)


totals = Answer(
    totals,
    mistakes=(begun_with_zero, the_last_total),
    hints=("Keep one sum, and add each number to it.", "After each number, append the sum to a list."),
)


def widest_gap(numbers):
    """Each number beside the one before it."""
    return max(abs(numbers[n] - numbers[n - 1]) for n in range(1, len(numbers)))


def only_upwards(numbers):
    """You counted steps upwards only. A step from 4 down to 2 is a gap of 2 as well: `abs` takes its size."""
    return max(numbers[n] - numbers[n - 1] for n in range(1, len(numbers)))


def of_all_numbers(numbers):
    """You compared the largest number with the smallest one. Asked for are numbers that stand side by side."""
    return max(numbers) - min(numbers)


widest_gap = Answer(
    widest_gap,
    mistakes=(only_upwards, of_all_numbers),
    hints=(
        "The neighbour before `numbers[n]` is `numbers[n - 1]`.",
        "The gap between two numbers is the `abs` of their difference.",
    ),
)
