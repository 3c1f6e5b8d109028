"""The instructor's page in a real browser, while thirty learners check ten times a second each.

Each test begins where the one before it ended.
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import FLAGS, PATIENCE
from learners import EXERCISES
from playwright.sync_api import expect, sync_playwright

from course_utils import PROJECT
from lessonkit.checks.verdict_html import _EMPHASIS
from lessonkit.progress.contents import contents
from lessonkit.reporting.client import found, send
from lessonkit.reporting.membership import member, parsed
from lessonkit.system import processes

LEARNERS, PER_SECOND, SECONDS = 30, 10, 20
SENT = LEARNERS * PER_SECOND * SECONDS
SHOTS = PROJECT / "build" / "classroom"
# When the page has shown how many checks: [milliseconds since 1970, checks].
WATCH = """
() => {
  const checks = document.getElementById("checks");
  window.seen = [];
  new MutationObserver(() => window.seen.push([Date.now(), Number(checks.textContent)])).observe(checks,
    { childList: true, characterData: true, subtree: true });
}
"""
GRID = """
() => [...document.querySelectorAll("#chapters > section")].flatMap(part => {
  const exercises = [...part.querySelectorAll(":scope > .scroll thead th")].slice(1).map(th => th.textContent);
  return [...part.querySelectorAll("tbody tr[data-number]")].flatMap(row => {
    const name = row.querySelector("bdi").textContent.split(" · ")[1];
    const cells = [...row.querySelectorAll("td")];
    return cells.map((cell, n) => [name, part.dataset.chapter.slice(3), exercises[n],
      cell.querySelector(".hidden")?.textContent ?? null, cell.textContent.match(/\\d+$/)?.[0] ?? "0"]);
  });
})
"""


class Room:
    """`course classroom` as a process; `page` is the instructor's address, `join` the learners'."""

    def __init__(self, folder):
        self.mark = processes.new_mark("classroom")
        command = [sys.executable, "-m", "lessonkit.cli", "classroom", "--stuck", "0.05"]
        self._log = folder / "classroom.log"
        with self._log.open("wb") as log:
            self.process = processes.start(command, cwd=PROJECT, mark=self.mark, env=outside_ci(), stderr=log)
        said = []
        while "Ctrl-C closes it.\n" not in said:
            said.append(self.process.stdout.readline())
            assert said[-1], f"`course classroom` ended:\n{''.join(said)}{self._log.read_text()}"
        text = "".join(said)
        self.page = re.search(r"http://\S+token=\S+", text)[0]
        self.short = re.search(r"`course join (\S+)`", text)[1]
        where = found(parsed(self.short))
        self.join = f"http://{where.host}:{where.port}/join/{where.token}"

    @property
    def errors(self):
        return self._log.read_text(encoding="utf-8", errors="replace")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.CTRL_BREAK_EVENT)
            self.process.wait(timeout=60)
        said = self.process.stdout.read()
        processes.end(self.mark)
        return said


def outside_ci():
    unset = ("CI", "COURSE_WORK", "COURSE_PROGRESS")
    return {name: value for name, value in os.environ.items() if name not in unset}


def learners(*arguments):
    """What tests/browser/learners.py prints."""
    command = [sys.executable, Path(__file__).with_name("learners.py"), *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(command, cwd=folder, env=outside_ci(), capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1]), ran.stderr


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    room = Room(tmp_path_factory.mktemp("room"))
    try:
        yield room
    finally:
        room.end()


@pytest.fixture(scope="module")
def context(chromium):
    """A browser with one set of cookies; `errors` gathers what the consoles of its pages say."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=1000 * PATIENCE)
        context = browser.new_context(
            viewport={"width": 1400, "height": 900}, locale="en-US", accept_downloads=True
        )
        context.set_default_timeout(1000 * PATIENCE)
        context.errors = []
        context.on("console", lambda said: said.type == "error" and context.errors.append(said.text))
        context.on("weberror", lambda error: context.errors.append(str(error.error)))
        SHOTS.mkdir(parents=True, exist_ok=True)
        yield context
        browser.close()


@pytest.fixture(scope="module")
def page(room, context):
    page = context.new_page()
    page.goto(room.page)
    return page


@pytest.fixture(scope="module")
def sent(room, page):
    """All that thirty learners have told, while the page was open; each learner's list."""
    page.evaluate(WATCH)
    said, errors = learners("checks", room.join, LEARNERS, PER_SECOND, SECONDS)
    assert errors == "" and said["done"]
    return said


def test_the_token_leaves_the_address_and_an_empty_room_says_so(page, room):
    assert "token" not in page.url
    expect(page.locator("#link")).to_have_text("● live")
    expect(page.locator("#empty")).to_be_visible()
    expect(page.locator("#join")).to_contain_text(room.short)
    expect(page.locator("#joining > summary")).to_contain_text(room.short)
    page.screenshot(path=SHOTS / "1-empty.png")


def test_the_page_shows_every_check_of_thirty_learners(page, sent):
    assert sum(map(len, sent["sent"].values())) == SENT
    expect(page.locator("#checks")).to_have_text(str(SENT))
    expect(page.locator("#learners")).to_have_text(str(LEARNERS))
    compared(page, sent)
    latencies = waits(page, sent)
    print(
        f"\n{SENT} checks of {LEARNERS} learners in {sent['seconds']:.1f} s, all shown; from check to page: median "
        f"{1000 * latencies[len(latencies) // 2]:.0f} ms, worst {1000 * latencies[-1]:.0f} ms; a check gave to it: "
        f"median {1e6 * sent['call']['median']:.0f} µs, worst {1000 * sent['call']['worst']:.1f} ms"
    )
    assert latencies[len(latencies) // 2] < 10
    page.screenshot(path=SHOTS / "2-thirty.png", full_page=True)


def expected(sent):
    """(learner, chapter, exercise) -> (state, tries), as told."""
    cells, tries = {}, Counter()
    for name, events in sent["sent"].items():
        for _, chapter, exercise, state, _ in events:
            key = name, chapter, exercise
            tries[key] += state != "not attempted"
            if cells.get(key) != "passed" and (state != "not attempted" or key not in cells):
                cells[key] = state
    return {key: (state, tries[key]) for key, state in cells.items()}


def compared(page, sent):
    shown = {tuple(where): (state, int(tries)) for *where, state, tries in page.evaluate(GRID) if state}
    assert shown == expected(sent)
    solved = Counter(where[1:] for where, (state, _) in shown.items() if state == "passed")
    further = {task.name for one in contents() for task in one.tasks if task.further}
    for exercise in EXERCISES:
        chapter = exercise.reference.__module__.split(".")[-2]
        row = page.locator(f'#map [data-chapter$="_{chapter}"]')
        label = f"{exercise.name} (further)" if exercise.name in further else exercise.name
        tile = row.locator(".tile", has=page.get_by_text(label, exact=True))
        expect(tile.locator(".solved")).to_have_text(f"✓ {solved[chapter, exercise.name]} of {LEARNERS}")


def waits(page, sent):
    """Seconds from each check until the page showed as many checks as had been made by then, sorted."""
    made = sorted(event[0] for events in sent["sent"].values() for event in events)
    seen, waited = page.evaluate("window.seen"), []
    for at, count in seen:
        while len(waited) < min(count, len(made)):
            waited.append(at / 1000 - made[len(waited)])
    assert len(waited) == len(made)
    return sorted(waited)


def test_the_commonest_mistake_of_each_exercise_stands_there_with_its_words(page, sent):
    met = {}
    for name, events in sent["sent"].items():
        for _, _, exercise, _, mistake in events:
            if mistake:
                met.setdefault(exercise, {}).setdefault(mistake, set()).add(name)
    for exercise in EXERCISES:
        row = page.locator(".mistakes tbody tr", has=page.get_by_role("rowheader", name=exercise.name, exact=True))
        counts = {name: len(who) for name, who in met[exercise.name].items()}
        shown = row.locator("code").first.text_content()
        assert counts[shown] == max(counts.values())
        expect(row).to_contain_text(f"{counts[shown]} in all")
        [mistake] = [one for one in exercise.mistakes if one.__name__ == shown]
        words = _EMPHASIS.sub(r"\1", " ".join(mistake.__doc__.split()))
        expect(row).to_contain_text(words.replace("`", ""))


def test_who_has_tried_once_is_not_stuck_and_who_never_checked_is_listed(page, room, tmp_path):
    once, never = (member(room.join, name, folder=tmp_path) for name in ("had a coffee", "never checked"))
    event = {"chapter": "training", "exercise": "train_step", "state": "wrong", "mistake": None}
    send(never, [])
    send(once, [event])
    expect(page.locator("#idle-list li")).to_have_text(
        re.compile(r"\d+ · never checked, joined less than 1 min ago")
    )
    page.wait_for_timeout(4500)  # longer than makes a mark here
    expect(page.locator("#stuck-list li", has_text="had a coffee")).to_have_count(0)
    send(once, [event])  # the second try, a while after the first
    expect(page.locator("#stuck-list li", has_text="had a coffee")).to_have_count(1)
    for one in (once, never):
        send(one, [event | {"state": "passed"}])
    expect(page.locator("#idle-part")).to_be_hidden()
    expect(page.locator("#stuck-list li", has_text="had a coffee")).to_have_count(0)


def test_a_learner_calls_for_help_says_done_and_the_instructor_takes_the_notes_off(page, context, room, tmp_path):
    one, other = (member(room.join, name, folder=tmp_path) for name in ("needs help", "is done"))
    for each in (one, other):
        send(each, [{"chapter": "training", "exercise": "train_step", "state": "passed", "mistake": None}])
    mine = context.new_page()
    mine.goto(one.notes_page)
    expect(mine.locator("#said")).to_have_text("No note is up.")
    mine.get_by_role("button", name="Help").click()
    expect(mine.locator("#said")).to_have_text("Your call for help is up.")
    expect(page.locator("#help-list li")).to_contain_text(
        "needs help for less than 1 min, last at 05 training, train_step"
    )
    expect(page.locator("#help")).to_have_text("1")
    mine.screenshot(path=SHOTS / "5-notes.png")
    mine.evaluate(Axe().axe_script)
    assert mine.evaluate("axe.run()")["violations"] == []
    send(other, [], note="done")
    expect(page.locator("#done-names")).to_contain_text("is done")
    page.screenshot(path=SHOTS / "6-help.png")
    page.get_by_role("button", name="Take all notes off").click()
    expect(page.locator("#help-part")).to_be_hidden()
    expect(page.locator("#done-part")).to_be_hidden()
    expect(mine.locator("#said")).to_have_text("No note is up.", timeout=15_000)
    mine.get_by_role("button", name="Done").click()
    expect(page.locator("#done-names")).to_contain_text("needs help")
    mine.get_by_role("button", name="Done").click()
    expect(page.locator("#done-part")).to_be_hidden()
    mine.close()


def test_the_short_address_shows_a_browser_how_to_join(context, room):
    there = context.new_page()
    there.goto(f"http://{room.short.upper()}")
    expect(there.locator("code").first).to_contain_text(f'join("{room.short}")')
    there.screenshot(path=SHOTS / "7-invitation.png")
    there.close()


def test_who_is_stuck_is_marked(page, room, tmp_path):
    one = member(room.join, "stuck one", folder=tmp_path)
    event = {"chapter": "training", "exercise": "train_step", "state": "wrong", "mistake": None}
    send(one, [event] * 3)
    line = page.locator("#stuck-list li", has_text="stuck one")
    expect(line).to_contain_text("05 training, train_step")
    expect(page.locator("tbody th", has_text="stuck one").locator(".flag")).to_contain_text("⚑")
    send(one, [event | {"state": "passed"}])
    expect(line).to_have_count(0)


EVIL = """<script>document.title = 'taken'</script><img src=x onerror="document.title='taken'">"""
NAMES = {
    EVIL: EVIL[:40],
    "N" * 10_000: "N" * 40,
    "a\x00b\x1b[31mc\u202egnp.exe\u2066": "ab[31mcgnp.exe",
}


def test_a_nickname_is_text_whatever_it_holds(page, room, tmp_path):
    for name, shown in NAMES.items():
        one = member(room.join, "", folder=tmp_path)
        one.__dict__["nickname"] = name  # as a client of its own would send it
        send(one, [{"chapter": "training", "exercise": "choices", "state": "wrong", "mistake": "<b>bold</b>"}])
        expect(page.locator("tbody th bdi", has_text=shown).first).to_be_visible()
    assert page.title() == "The room"
    assert page.locator("tbody img, tbody script, tbody b").count() == 0
    page.screenshot(path=SHOTS / "3-names.png", full_page=True)


def test_opened_again_and_in_a_second_window_it_shows_all(page, context, room):
    def grid(one):
        expect(one.locator("#link")).to_have_text("● live")
        expect(one.locator("#checks")).to_have_text(page.locator("#checks").text_content())
        return one.evaluate(GRID)

    before = page.evaluate(GRID)
    page.reload()
    assert grid(page) == before
    second = context.new_page()
    second.goto(room.page)
    assert grid(second) == before
    send(member(room.join, "late", folder=Path()), [])
    for one in (page, second):
        expect(one.locator("#learners")).to_have_text(str(LEARNERS + 6 + len(NAMES)))
    second.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_by_everybody_in_light_and_dark(page, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(Axe().axe_script)
    page.locator("#joining > summary").click()
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    page.locator("#joining > summary").click()
    assert [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in found] == []
    signs = page.locator("td.state").evaluate_all("cells => cells.map(cell => cell.textContent.trim()[0])")
    assert set(signs) >= {"✓", "≠", "✗", "!", "…", "·"}  # each state has a sign of its own
    page.screenshot(path=SHOTS / f"4-{scheme}.png")


def test_it_is_used_by_keyboard(page):
    reached = []
    for _ in range(25):  # once round, wherever it begins
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.slice(0, 40)"))
    assert {"Export as CSV", "00 start here", "01 tensors", "05 training"} <= set(reached)
    assert any(text.startswith("How learners join: ") for text in reached)


def test_the_table_is_exported(page, sent):
    with page.expect_download() as started:
        page.get_by_role("link", name="Export as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(started.value.path()).read_text(encoding="utf-8-sig"))))
    told = {(row["nickname"], row["chapter"][3:], row["exercise"]): row for row in rows}
    for key, (state, tries) in expected(sent).items():
        assert (told[key]["passed"], int(told[key]["tries"])) == ("yes" if state == "passed" else "no", tries)


def test_a_check_takes_as_long_whether_the_page_is_there_away_or_hanging(room):
    found, errors = learners("seconds", room.join, 100)
    nobody = found["nobody"]["median"]
    pages = ("nobody", "there", "away", "hanging")
    shown = ", ".join(f"{name} {1000 * found[name]['median']:.2f}" for name in pages)
    print(f"\na check, median of {found['rounds']}, ms: {shown}")
    for name in ("there", "away", "hanging"):
        assert found[name]["median"] < 1.5 * nobody + 0.005, (name, found)  # the machine has other work
        assert found[name]["worst"] < 2.5, (name, found)  # a request to the hanging page takes 3 s
    assert all(line.startswith("The classroom's page at ") for line in errors.splitlines())
    assert len(errors.splitlines()) <= 2


def test_the_page_says_when_the_room_is_closed_and_nothing_is_kept(page, room, context):
    assert room.end().strip() == "Closed. Nothing was kept."
    assert room.errors == ""
    assert context.errors == []
    expect(page.locator("#link")).to_contain_text("not connected")
    expect(page.locator("#checks")).not_to_have_text("0")  # what it has seen stays to be looked at
