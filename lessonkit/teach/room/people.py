"""Make people of the names that files were handed in under, and say of each decision that it was one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from lessonkit.teach.room.names import UNNAMED, composed, key, normalised, people_in, without_accents, words_of
from lessonkit.teach.room.names_in_text import names_in
from lessonkit.teach.room.roster import Entry, match
from lessonkit.teach.room.whose import Whose

_NAMED = 6  # people that a sentence names; the manifest names all


@dataclass
class Person:
    """One learner of the room. `folder`: where the files are collected; `spellings`, `units`: how, where found."""

    folder: str
    name: str
    numbers: dict[str, str] = field(default_factory=dict)  # by platform
    spellings: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)  # letter by letter, composed or not
    entry: Entry | None = None

    def note(self, one: Whose, name: str, run: str) -> None:
        """Take down under which name, and where, something was found."""
        for value, those in (
            (composed(name), self.spellings),
            (f"{run}: {one.unit}" if one.unit else run, self.units),
        ):
            if value and value not in those:
                those.append(value)
        if one.raw and one.raw not in self.written:
            self.written.append(one.raw)
        if one.number:
            self.numbers.setdefault(one.platform, one.number)


class People:
    """The learners of a room. `sentences`: what was decided, for a person to read.

    `before`: those of earlier hand-ins; `run`: what is collected now is called so in sentences.
    """

    def __init__(self, before: Iterable[Person] = (), *, roster: Sequence[Entry] = (), run: str = "") -> None:
        self.all = list(before)
        self.roster, self.run = roster, run
        self.sentences: list[str] = []
        self._earlier = {id(one): (list(one.spellings), list(one.units)) for one in self.all}
        self._split: set[str] = set()
        self._unsure: dict[str, str] = {}
        self._pairs: dict[str, str] = {}
        self._by_folder: list[Entry] = []  # people whom the folders of a platform name

    def assign(self, those: Sequence[Whose]) -> list[list[Person]]:
        """Return for each file whose it is: one person, or those who handed it in together."""
        self._split |= self._two_of_one_name(those)
        self._by_folder = list(dict.fromkeys(Entry(composed(one.name)) for one in those if one.platform))
        found, unnamed = [], defaultdict(int)
        for one in those:
            if key(one.name):
                found.append(self._people_of(one))
            else:
                unnamed[one.chapter or one.stem] += 1
                found.append([self._unnamed(unnamed[one.chapter or one.stem])])
        self._say(those, found)
        return found

    def _two_of_one_name(self, those: Sequence[Whose]) -> set[str]:
        """Return the names under which several people stand: with two numbers of people, or two in one folder."""
        numbers: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for one in those:
            if one.number:
                where = "" if one.personal else f"in {one.unit}"  # another number in each assignment
                numbers[key(one.name), one.platform, where].add(one.number)
        for person in self.all:
            for platform, number in person.numbers.items():
                if any(name == key(person.name) and of == platform and where == "" for name, of, where in numbers):
                    numbers[key(person.name), platform, ""].add(number)
                numbers[key(person.name), platform, "before"].add(number)
        return {name for (name, _, _), of in numbers.items() if len(of) > 1}

    def _people_of(self, one: Whose) -> list[Person]:
        if not one.number and (found := self._together(one)):
            return found
        owner = self._person(one, one.name)
        if key(one.in_file) == key(one.name):
            return [owner]
        return [owner, *self._second_in_file(one, owner)]

    def _together(self, one: Whose) -> list[Person]:
        """Return the people that a name is of where it is that of several, and the roster says of whom."""
        if not self.roster:
            if len(people_in(one.name)) > 1:
                self._pairs[one.name] = (
                    "the name is that of several people; with --roster each of them is credited, and without it "
                    "they are one row"
                )
            return []
        named = names_in(one.name, self.roster)
        if len(named.entries) > 1 and not named.unsure:
            unknown = f"; who is meant by {' '.join(named.rest)!r} is not known" if named.rest else ""
            self._pairs[one.name] = self._credited([entry.name for entry in named.entries]) + unknown
            names = [entry.name for entry in named.entries]
        else:
            names = people_in(one.name)
            there = [match(name, self.roster).entries for name in names]
            whole = match(one.name, self.roster).entries  # `Ortega y Gasset` is one
            if len(names) < 2 or len(whole) == 1 or not any(len(each) == 1 for each in there):
                return []
            self._pairs[one.name] = self._credited(names)
        return list({id(p): p for p in (self._person(one, name) for name in names)}.values())

    @staticmethod
    def _credited(names: Sequence[str]) -> str:
        return f"{' and '.join(names)} handed it in together, and each of them is credited"

    def _second_in_file(self, one: Whose, owner: Person) -> list[Person]:
        """Return who is named by a file's name beside the owner of the folder that it lies in."""
        named = names_in(one.in_file, self.roster or self._by_folder, owner=owner.entry or Entry(one.name))
        mine, said = set(words_of(owner.entry.name if owner.entry else one.name)), set(words_of(one.in_file))
        is_owner = owner.entry.name if owner.entry else composed(one.name)
        others = [entry for entry in named.entries if key(entry.name) != key(is_owner)]
        where = f"{is_owner}'s file ({composed(one.in_file)!r})"
        taken = {word for entry in others for word in words_of(entry.name)}
        with_owner = len(others) < len(named.entries) or bool((mine & said) - taken) or named.with_somebody
        names = " and ".join(entry.name for entry in others)
        if others and self.roster and with_owner:
            self._pairs[where] = self._credited([is_owner, *(entry.name for entry in others)])
            plain = replace(one, number="", login="", platform="")
            return [self._person(plain, entry.name) for entry in others]
        if others and self.roster:
            self._unsure[where] = (
                f"{where} is called after {names} alone; it counts for {is_owner}, so look whose it is"
            )
        elif others:
            self._unsure[where] = f"{where} also names {names}; with --roster each of them is credited"
        rest = {word for word in named.rest if word not in mine}
        rest |= {word for words in named.unsure for word in words.split()}
        perhaps = [entry for entry in self.roster if entry not in others and rest & set(words_of(entry.name))]
        perhaps = [_called(entry) for entry in perhaps if key(entry.name) != key(is_owner)]
        if perhaps:
            self._unsure[f"{where} perhaps"] = (
                f"{where} may also name {' or '.join(perhaps[:3])}; nobody but {is_owner} is credited"
            )
        elif len(people_in(one.in_file)) > 1 and not others and mine & said:
            self._unsure[where] = f"{where} names several people, and only {is_owner} is known" + (
                "" if self.roster else "; with --roster each of them is credited"
            )
        return []

    def _person(self, one: Whose, name: str) -> Person:
        entry = self._entry(one, name)
        person = self._known(one, name, entry) or self._new(one, name, entry)
        person.note(one, name, self.run)
        return person

    def _entry(self, one: Whose, name: str) -> Entry | None:
        if not self.roster:
            return None
        found = match(name, self.roster, number=one.number, login=one.login)
        if len(found.entries) == 1:
            (entry,) = found.entries
            if self._other_person(one, name, entry):
                self._unsure[f"{name} {one.number}"] = (
                    f"{composed(name)} ({one.number}) is a second person whose name is that of {entry.name} on the "
                    "roster; only one of them can be, so look which"
                )
                return None
            return entry
        if found.entries:
            may_be = " or ".join(_called(entry) for entry in found.entries)
            self._unsure[name] = f"{composed(name)} may be {may_be} of the roster; nobody of them is credited"
        elif found.likely:
            may_be = " or ".join(_called(entry) for entry in found.likely)
            self._unsure[name] = f"{composed(name)} is not on the roster (perhaps {may_be})"
        else:
            self._unsure[name] = f"{composed(name)} is not on the roster"
        return None

    def _other_person(self, one: Whose, name: str, entry: Entry) -> bool:
        """Return whether a person of the roster has handed in under another number of the same kind."""
        if one.number in entry.numbers or (one.login and one.login.lower() in entry.logins):
            return False
        if key(name) in self._split:
            return True
        same = next((person for person in self.all if person.entry == entry), None)
        before = same.numbers.get(one.platform, "") if same and one.personal else ""
        return bool(one.number and before and before != one.number)

    def _known(self, one: Whose, name: str, entry: Entry | None) -> Person | None:
        if entry is not None and (same := [person for person in self.all if person.entry == entry]):
            return same[0]
        alike = [person for person in self.all if person.entry is None and key(name) in _keys(person)]
        if key(name) in self._split:
            return next((person for person in alike if person.numbers.get(one.platform, "") == one.number), None)
        if entry is not None and alike:
            alike[0].entry = entry  # of an earlier hand-in, which knew no roster
        return alike[0] if alike else None

    def _new(self, one: Whose, name: str, entry: Entry | None) -> Person:
        shown = entry.name if entry else composed(name)
        alone = entry is not None and sum(key(other.name) == key(entry.name) for other in self.roster) == 1
        number = min(entry.numbers, default=one.number) if entry else one.number
        wanted = normalised(shown if alone or not number else f"{shown}_{number}")
        person = Person(self._free(wanted), shown, entry=entry)
        self.all.append(person)
        return person

    def _free(self, wanted: str) -> str:
        """Return a folder's name that is nobody's yet, on systems that do not tell A from a either."""
        taken = {_on_disk(person.folder) for person in self.all}
        number, name = 2, wanted
        while _on_disk(name) in taken:
            name, number = f"{wanted}_{number}", number + 1
        return name

    def _unnamed(self, number: int) -> Person:
        folder = UNNAMED if number == 1 else f"{UNNAMED}_{number}"
        found = next((person for person in self.all if person.folder == folder), None)
        if found is None:
            found = Person(folder, "")
            self.all.append(found)
        return found

    def _say(self, those: Sequence[Whose], found: Sequence[Sequence[Person]]) -> None:
        for name, words in self._pairs.items():
            self.sentences.append(f"{composed(name)}: {words}")
        self.sentences += self._unsure.values()
        unnamed = sum(not key(one.name) for one in those)
        if unnamed:
            files = "1 file names" if unnamed == 1 else f"{unnamed} files name"
            self.sentences.append(f"{files} nobody: see the folders that begin with {UNNAMED!r}")
        for name in sorted(self._split):
            same = [person for person in self.all if name in _keys(person)]
            if len(same) > 1:
                folders = ", ".join(person.folder for person in same)
                self.sentences.append(
                    f"{same[0].name} stands there with several numbers, and each is taken for a person of their "
                    f"own: {folders}"
                )
        several, spelled = [], []
        for person in self.all:
            spellings, units = self._earlier.get(id(person), ([], []))
            if person.name and len(person.spellings) > max(1, len(spellings)):
                spelled.append(f"{person.folder} ({', '.join(person.spellings)})")
            elif person.name and len(person.units) > max(1, len(units)):
                several.append(f"{person.folder} ({', '.join(person.units)})")
            elif len(person.written) > len({composed(one) for one in person.written}):
                spelled.append(f"{person.folder} (with composed letters and without: NFC and NFD)")
        if spelled:
            self.sentences.append(f"Spelled differently, and taken for one person: {'; '.join(spelled)}")
        if several:
            shown = "; ".join(several[:_NAMED]) + (
                f"; and {len(several) - _NAMED} more" if len(several) > _NAMED else ""
            )
            self.sentences.append(
                f"The same name was found in several places and was taken for one person: {shown}"
            )
        self.sentences += self._alike()

    def _alike(self) -> list[str]:
        """Return a sentence for people whose names differ by an accent, a space or the order of words only."""
        groups = defaultdict(list)
        for person in self.all:
            if person.name and key(person.name) not in self._split:
                plain = sorted(without_accents(word, german=True) for word in words_of(person.name))
                groups["".join(plain)].append(person.folder)
        return [
            f"{' and '.join(folders)} may be one person; they are taken for {len(folders)}"
            for folders in groups.values()
            if len(folders) > 1
        ]

    def absent(self) -> list[Entry]:
        """Return who is on the roster and has handed in nothing."""
        there = {id(person.entry) for person in self.all} | {person.entry for person in self.all}
        return [entry for entry in self.roster if entry not in there]


def _keys(person: Person) -> set[str]:
    return {key(person.name), *map(key, person.spellings)}


def _called(entry: Entry) -> str:
    more = sorted(entry.numbers | entry.logins)
    return f"{entry.name} ({more[0]})" if more else entry.name


def _on_disk(folder: str) -> str:
    return composed(folder).casefold()
