"""Names of people: what makes two of them one, and how they become folders that every system can have."""

import re
import unicodedata

UNNAMED = "unnamed"
LONGEST = 60  # characters of a name; some systems take no path of more than 260
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)", re.IGNORECASE)
# Letters that no decomposition makes plain, and how people write them without.
_PLAIN = {"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ł": "l", "ð": "d", "þ": "th", "ı": "i", "ё": "е"}
_GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "ß": "ss", "æ": "ae"}
_PAIR = re.compile(r"\s*[&+]\s*|(?<=[^\W\d])[\s_-]+(?:and|und|et|y)[\s_-]+(?=[^\W\d])", re.IGNORECASE)
# What people and systems add to a name or a file's name, and nobody is called.
_NOISE = re.compile(
    r"""(?<![^\W_])(?:
        copy\ of | kopie\ von | copie\ de | copia\ de | copia\ di | kopia | копия | \bof\b
      | copy\d* | kopie | copia | copie
      | final(?:e|_?version)? | endg[uü]ltig | abgabe\d* | submission | submitted | handed?\ ?in | hand-in | handin
      | solutions? | l[oö]sung(?:en)? | answers? | version\ ?\d+ | v\d+(?:\.\d+)? | rev\d+ | corrected
      | korrigiert | onlinetext | untitled\d* | notebook | (?<=-)(?:main|master)
      | (?:hw|homework|assignment|lab|week|ex|exercise|uebung|übung|aufgabe|blatt|hausaufgabe|task)[\ _-]?\d+
      | (?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_ T]?[0-2]\d[-_.:]?[0-5]\d(?:[-_.:]?[0-5]\d)?Z?)?
      | [0-3]?\d[-.][01]?\d[-.](?:19|20)\d\d | (?:19|20)\d\d
    )(?![^\W_])""",
    re.IGNORECASE | re.VERBOSE,
)
_AGAIN = re.compile(r"(?:\s*\(\d{1,3}\)|[-_ ]copy\d*|\s-\s(?:copy|kopie|copie|copia))\s*$", re.IGNORECASE)


def composed(name: str) -> str:
    """Return a name in its composed form and without characters that nobody sees, such as marks of direction.

    A byte that was no UTF-8 is the letter that it is in Latin-1: without it, two names could become one.
    """
    text = "".join(chr(ord(one) - 0xDC00) if "\udc80" <= one <= "\udcff" else one for one in name)
    text = unicodedata.normalize("NFC", text)
    return "".join(one for one in text if unicodedata.category(one) not in ("Cf", "Cc", "Cs", "Co"))


def is_part_of_a_word(one: str) -> bool:
    """Return whether a character belongs to a name: a letter, a digit, or a mark, such as Hindi's vowels."""
    return unicodedata.category(one)[0] in "LMN"


def normalised(name: str) -> str:
    """Return a name fit for every file system: letters with their marks, digits and `. - _`; UNNAMED for none.

    >>> normalised("अनिता शर्मा")
    'अनिता_शर्मा'
    """
    text = "".join(one if is_part_of_a_word(one) or one in ".-_" else "_" for one in composed(name))
    text = re.sub(r"_{2,}", "_", text).strip("._- ")[:LONGEST].rstrip("._- ")
    if not any(map(is_part_of_a_word, text)):
        return UNNAMED
    return f"_{text}" if _RESERVED.match(text) else text


def words_of(name: str) -> list[str]:
    """Return the words of a name in small letters; an apostrophe parts no word."""
    text = re.sub(r"[’'`´ʼ]", "", composed(name)).lower()
    return "".join(one if is_part_of_a_word(one) else " " for one in unicodedata.normalize("NFC", text)).split()


def key(name: str) -> str:
    """Return what two names have in common that are one: case, spaces and how letters are composed do not count."""
    return " ".join(words_of(name))


def without_accents(word: str, *, german: bool = False) -> str:
    """Return a word in small letters without the accents of Latin, Greek and Cyrillic ones; `german`: ü as ue.

    The marks of other scripts are letters: अनिता and अनीता are two names.
    """
    table = {**_PLAIN, **(_GERMAN if german else {})}
    text = "".join(table.get(one, one) for one in unicodedata.normalize("NFC", word.lower()))
    found, base = [], ""
    for one in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(one):
            base = one
        elif unicodedata.name(base or " ", "").startswith(("LATIN", "GREEK", "CYRILLIC")):
            continue
        found.append(one)
    return unicodedata.normalize("NFC", "".join(found))


def without_noise(name: str) -> str:
    """Return a name without what is added to files and folders: `FINAL v2`, `(1)`, `_abgabe`, dates, `Copy of`.

    It is empty for a name that was nothing else.
    """
    text = composed(name)
    while (shorter := _AGAIN.sub("", text)) != text and shorter.strip():
        text = shorter
    bare = _NOISE.sub(" ", text)
    bare = re.sub(r"[\s_]*[-_,;.]+[\s_]*(?=$)|^[\s_]*[-_,;.]+[\s_]*", "", bare.strip())
    bare = re.sub(r"(?<=\s)[-_,;]+(?=\s)|_\s+|\s+_", " ", bare)
    return re.sub(r"\s{2,}", " ", bare).strip(" _-,;.")


def people_in(name: str) -> list[str]:
    """Return the names in a name: two and more for `anna+ben`, `Anna Müller & Ben Okafor`, `anna_and_ben`."""
    parts = [one.strip(" _-,;.") for one in _PAIR.split(name)]
    parts = [one for one in parts if any(unicodedata.category(letter)[0] == "L" for letter in one)]
    return parts if len(parts) > 1 else [name]


def last_name_last(name: str) -> str:
    """Return `Müller, Anna` as `Anna Müller`, and any other name as it is."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else name
