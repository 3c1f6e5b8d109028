"""Makes the archives that platforms give for a class, with names in ten scripts, and what must come of each."""

import io
import random
import unicodedata
import zipfile
from dataclasses import dataclass, field

FIRST = {
    "latin": ["Anna", "Élise", "Łukasz", "Søren", "Nguyễn", "İpek", "Zoë", "D’Arcy", "Jean-Luc", "María José"],
    "cyrillic": ["Анна", "Йосиф", "Галина", "Сергей", "Наталія", "Ђорђе", "Әсел", "Артём", "Юлия", "Иван"],
    "greek": ["Άννα", "Γιώργος", "Ελένη", "Θανάσης", "Ιωάννα", "Νίκος", "Σοφία", "Χρήστος", "Δέσποινα", "Ηλίας"],
    "arabic": ["آنا", "محمد", "فاطمة", "عليّ", "زينب", "يوسف", "مريم", "أحمد", "نازنین‌زهرا", "خالد"],
    "hebrew": ["אנה", "דָּוִד", "שרה", "יוסף", "רבקה", "משה", "לאה", "אברהם", "רחל", "יצחק"],
    "devanagari": ["अनिता", "अनीता", "राज", "राजू", "सीता", "गीता", "मोहन", "मोहिनी", "कृष्ण", "कृष्णा"],
    "thai": ["สมชาย", "สมหญิง", "น้ำ", "นํา", "ปิติ", "ปีติ", "มานะ", "มานี", "ชูใจ", "วีระ"],
    "chinese": ["小明", "小红", "大伟", "丽", "秀英", "强", "磊", "洋", "艳", "勇"],
    "japanese": ["さくら", "ざくら", "ハルト", "パルト", "陽菜", "大翔", "結衣", "ゆい", "蓮", "美咲"],
    "korean": ["민준", "서연", "지훈", "지우", "하은", "도윤", "예준", "수빈", "은지", "현우"],
}
LAST = {
    "latin": ["Müller", "Mueller", "O'Brien", "Núñez García", "Strauß", "Strauss", "Đặng", "van der Berg"],
    "cyrillic": ["Иванова", "Цой", "Шевченко", "Ћирић", "Ковалёв", "Щукин", "Ильин", "Гай"],
    "greek": ["Παπαδόπουλος", "Αγγελής", "Ζέρβας", "Κώστα", "Λάμπρου", "Ξένος", "Ράπτης", "Ψαρράς"],
    "arabic": ["السيد", "حدّاد", "خوري", "منصور", "رضایی", "العلي", "ناصر", "سعيد"],
    "hebrew": ["כהן", "לוי", "מזרחי", "פרץ", "ביטון", "דהן", "אברהם", "פרידמן"],
    "devanagari": ["शर्मा", "वर्मा", "सिंह", "गुप्ता", "पटेल", "जोशी", "मिश्रा", "मिश्र"],
    "thai": ["ใจดี", "รักไทย", "ศรีสุข", "ทองคำ", "บุญมี", "แก้วใส", "พูนสุข", "วงศ์"],
    "chinese": ["王", "李", "张", "刘", "陈", "杨", "黄", "赵"],
    "japanese": ["佐藤", "鈴木", "高橋", "ガルシア", "カルシア", "伊藤", "山本", "中村"],
    "korean": ["김", "이", "박", "최", "정", "강", "조", "윤"],
}
CHAPTERS = ("00_start_here", "01_tensors", "02_autograd")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass
class Human:
    """One learner: names, a number, a login, and the chapters handed in."""

    first: str
    last: str
    number: int
    login: str
    chapters: tuple[str, ...]

    @property
    def name(self):
        return f"{self.first} {self.last}"


@dataclass
class Class:
    """A platform's archive. `files`: name -> bytes; `expected`: a learner's name there -> how many notebooks."""

    platform: str
    files: dict[str, bytes] = field(default_factory=dict)
    expected: dict[str, int] = field(default_factory=dict)


def humans(rng):
    """Between two and twelve people of one to three scripts, no two of the same name."""
    found, names = [], set()
    scripts = rng.sample(sorted(FIRST), rng.randrange(1, 4))
    for _ in range(rng.randrange(2, 13)):
        script = rng.choice(scripts)
        first, last = rng.choice(FIRST[script]), rng.choice(LAST[script])
        if squeezed(f"{first} {last}") in names:
            continue
        names.add(squeezed(f"{first} {last}"))
        number = 10_000 + 37 * len(found) + rng.randrange(37)
        chapters = tuple(sorted(rng.sample(CHAPTERS, rng.randrange(1, 4))))
        found.append(Human(first, last, number, f"{rng.choice('abcdefgh')}{len(found)}user", chapters))
    return found if len(found) > 1 else humans(rng)


def squeezed(name):
    """A name without what platforms alter: case, spaces, marks between words, invisible characters."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).lower())
    return "".join(one for one in text if unicodedata.category(one)[0] in "LMN")


def moodle(rng, one, chapter):
    folder = f"{one.name}_{one.number}_assignsubmission_file"
    return rng.choice(
        (f"{folder}_/{chapter}.ipynb", f"{folder}/{chapter}.ipynb", f"{folder}_{chapter}.ipynb")
    ), one.name


def canvas(rng, one, chapter):
    name = squeezed(one.last + one.first)
    late, again = rng.choice(("", "_LATE")), rng.choice(("", "-1", "-2"))
    copy = rng.choice(("", "Copy of ", "Kopie von "))
    return f"{name}{late}_{one.number}_{rng.randrange(10**5, 10**6)}_{copy}{chapter}{again}.ipynb", name


def blackboard(rng, one, chapter):
    return f"hw 1_{one.login}_attempt_2026-11-{rng.randrange(10, 30)}-10-11-12_{chapter}.ipynb", one.login


def brightspace(rng, one, chapter):
    hour = f"{rng.randrange(1, 13)}{rng.randrange(10, 60)} {rng.choice('AP')}M"
    when = f"{rng.choice(MONTHS)} {rng.randrange(1, 29)}, 2026 {hour}"
    return f"{one.number}-67890 - {one.name} - {when}/{chapter}.ipynb", one.name


def ilias(rng, one, chapter):
    last, first = one.last.replace(" ", "-"), one.first.replace(" ", "-")
    return f"hw1/Abgaben/{last}_{first}_{one.login}_{one.number}/{chapter}.ipynb", f"{first} {last}"


def teams(rng, one, chapter):
    return f"Submitted files/{one.name}/hw1/Version {rng.randrange(1, 4)}/{chapter}.ipynb", one.name


def classroom(rng, one, chapter):
    copy = rng.choice(("", "Copy of ", "Kopie von "))
    return f"hw1/{one.name} - {copy}{chapter}.ipynb", one.name


def github(rng, one, chapter):
    return f"hw1-submissions/hw1-{one.login}/{chapter}.ipynb", one.login


def sakai(rng, one, chapter):
    return f"hw1/{one.last}, {one.first}({one.login})/Submission attachment(s)/{chapter}.ipynb", one.name


def shared(rng, one, chapter):
    top = "Kursordner Herbst"
    return f"{top}/{one.name}/{rng.choice(('', 'work/', 'notebooks/'))}{chapter}.ipynb", one.name


def names_in_files(rng, one, chapter):
    more = rng.choice(("", " FINAL v2", "_abgabe", " (1)", "_2026-11-20"))
    return rng.choice((f"{one.name}_{chapter}{more}.ipynb", f"{chapter}_{one.name}{more}.ipynb")), one.name


PLATFORMS = (
    moodle,
    canvas,
    blackboard,
    brightspace,
    ilias,
    teams,
    classroom,
    github,
    sakai,
    shared,
    names_in_files,
)


def make(seed):
    """The archive of a seed: its platform, its files, the people in it; names composed, or not, as systems do."""
    rng = random.Random(seed)
    build = PLATFORMS[seed % len(PLATFORMS)]
    form = rng.choice(("NFC", "NFD"))
    found = Class(build.__name__)
    for one in humans(rng):
        for number, chapter in enumerate(one.chapters):
            path, name = build(rng, one, chapter)
            found.files[unicodedata.normalize(form, path)] = (
                f'{{"cells": [], "of": "{one.number} {number}"}}'.encode()
            )
        found.expected[squeezed(name)] = len(one.chapters)
    for rubbish in rng.sample(("__MACOSX/._x.ipynb", ".DS_Store", "desktop.ini", ".ipynb_checkpoints/x.ipynb"), 2):
        found.files[rubbish] = b"rubbish"
    return found


def zipped(files):
    """The bytes of a zip archive of name -> bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()
