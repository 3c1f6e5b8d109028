"""Ten short questions on Python, to be answered before the course: are you ready for it?

    python scripts/self_test.py          asks one question after the other, and says at the end how you stand
    python scripts/self_test.py --key    prints all questions with their answers

It needs Python and nothing else: no course, no PyTorch. Nothing is stored or sent. Each question shows a few lines
and asks what they print: type exactly what is printed, without running it. A comma, a space or a quotation mark too
many or too few does not matter where the answer is clear. Enter alone goes on to the next question.
"""

import re
import sys

# (what it is about, the lines, what they print, why)
QUESTIONS = [
    (
        "lists and numbers of places",
        'names = ["ana", "bob", "carol"]\nprint(names[1], names[-1])',
        "bob carol",
        "Places are counted from 0, and -1 is the last one.",
    ),
    (
        "slices",
        "row = [10, 20, 30, 40, 50]\nprint(row[1:3])",
        "[20, 30]",
        "A slice begins at the first number and ends before the second one.",
    ),
    (
        "loops",
        "total = 0\nfor number in range(1, 4):\n    total += number\nprint(total)",
        "6",
        "`range(1, 4)` gives 1, 2 and 3. Their sum is 6.",
    ),
    (
        "functions",
        "def double(x):\n    x * 2\n\nprint(double(3))",
        "None",
        "The function computes 6 and returns nothing, which Python calls None.",
    ),
    (
        "arguments with names",
        "def power(base, exponent=2):\n    return base**exponent\n\nprint(power(3), power(2, exponent=3))",
        "9 8",
        "`exponent` is 2 unless the call names another one: 3**2 is 9, and 2**3 is 8.",
    ),
    (
        "two names for one list",
        "a = [1, 2]\nb = a\nb.append(3)\nprint(a)",
        "[1, 2, 3]",
        "`b = a` gives the same list a second name. Nothing is copied.",
    ),
    (
        "dictionaries",
        'ages = {"ana": 31, "bob": 27}\nages["bob"] += 1\nprint(ages["bob"], "carol" in ages)',
        "28 False",
        "A key leads to its value, which may be changed. `in` looks for a key.",
    ),
    (
        "comprehensions",
        "print([n * n for n in range(5) if n % 2 == 0])",
        "[0, 4, 16]",
        "Of 0, 1, 2, 3 and 4 the even ones are kept, and each of those is squared.",
    ),
    (
        "classes",
        "class Counter:\n    def __init__(self):\n        self.count = 0\n\n"
        "    def add(self):\n        self.count += 1\n\n"
        "one, two = Counter(), Counter()\none.add()\none.add()\nprint(one.count, two.count)",
        "2 0",
        "Each object has attributes of its own, so `two` has counted nothing.",
    ),
    (
        "errors and f-strings",
        'try:\n    print([1, 2][5])\nexcept IndexError as error:\n    print(f"caught: {type(error).__name__}")',
        "caught: IndexError",
        "The list has no place 5, so the second `print` runs. It shows the name of the error.",
    ),
]
READY, NEARLY = 8, 5  # right answers


def same(given, expected):
    """Return whether an answer is clearly the one that is printed.

    Spaces, commas, colons, quotation marks and capitals do not matter, as long as each number stays itself. Of
    `caught: IndexError` the part behind the colon is enough.

    >>> same("[20 30]", "[20, 30]"), same("[2030]", "[20, 30]")
    (True, False)
    """
    return _bare(given) in (_bare(expected), _bare(expected.rpartition(": ")[2]))


def _bare(text):
    """Return an answer without what does not matter, and the numbers in it."""
    return re.sub(r"[\s,;:\"'`\u2018\u2019\u201c\u201d]", "", text).rstrip(".").lower(), re.findall(r"\d+", text)


def advice(right):
    """Return what a number of right answers means for the course."""
    if right >= READY:
        return "You know the Python that the course needs."
    if right >= NEARLY:
        return (
            "You know most of what the course needs. Read up what was wrong in the tutorial on "
            "https://docs.python.org/3/tutorial/, chapters 3 to 5 and 9, and sit with somebody in the course."
        )
    return (
        "Take a first course in Python before this one, for example the tutorial on "
        "https://docs.python.org/3/tutorial/, and come to this one when that is done: it will still be there."
    )


def shown(number):
    """Return one question as it is printed."""
    about, code, _, _ = QUESTIONS[number - 1]
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    return f"\n{number} of {len(QUESTIONS)}: {about}\n\n{lines}\n"


def ask():
    """Ask all questions; return how many were answered rightly."""
    print("Type exactly what is printed. Enter alone goes on. The result is for you alone.")
    right = 0
    for number, (_, _, expected, why) in enumerate(QUESTIONS, start=1):
        print(shown(number))
        given = input("What is printed? ")
        if same(given, expected):
            right += 1
            print("Right.")
        else:
            print(f"It prints {expected}. {why}")
    return right


def main():
    """Ask, or print the key."""
    if sys.argv[1:] == ["--key"]:
        for number, (_, _, expected, why) in enumerate(QUESTIONS, start=1):
            print(f"{shown(number)}\nIt prints {expected}. {why}")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    try:
        right = ask()
    except (EOFError, KeyboardInterrupt):
        sys.exit("\nStopped. The same command begins again.")
    print(f"\n{right} of {len(QUESTIONS)} are right. {advice(right)}")


if __name__ == "__main__":
    main()
