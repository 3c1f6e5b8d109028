"""The doors of the page: tokens, hosts, origins, sizes, rates; and what an open page is told."""

import asyncio
import contextlib
import http.client
import json
import re
import secrets

import pytest
from classroom_here import open_room
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from lessonkit.reporting.client import proof
from lessonkit.system.errors import Refused
from lessonkit.teach.classroom import server, state, tokens

EVENT = {"chapter": "training", "exercise": "train_step", "state": "known mistake", "mistake": "never_zeroed"}
FOREIGN = ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil.example"]


def ask(classroom, method, path, body=None, **headers):
    """(status, headers, text) of one request; `Host` as it should be unless given."""
    connection = http.client.HTTPConnection("127.0.0.1", classroom.opened.port, timeout=60)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8-sig")
    finally:
        connection.close()


def tell(classroom, events, *, token=None, learner="ab" * 16, nickname=None, **headers):
    body = json.dumps({"learner": learner, "nickname": nickname, "events": events})
    headers = {"Content_Type": "application/json"} | headers
    token = token or classroom.opened.tokens.learners
    return ask(classroom, "POST", "/report", body, Authorization=f"Bearer {token}", **headers)


def cookie(classroom, token=None):
    return f"classroom-{classroom.opened.port}={token or classroom.opened.tokens.instructor}"


def test_the_instructor_s_token_becomes_a_cookie_and_leaves_the_address(classroom):
    status, headers, _ = ask(classroom, "GET", f"/?token={classroom.opened.tokens.instructor}")
    assert (status, headers["Location"]) == (302, "/")
    assert "HttpOnly" in headers["Set-Cookie"] and "SameSite=Lax" in headers["Set-Cookie"]
    status, headers, text = ask(classroom, "GET", "/", Cookie=headers["Set-Cookie"].partition(";")[0])
    assert status == 200 and "<title>The room</title>" in text
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert not re.search(r"<script>|style=|\son\w+=", text)


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/classroom.csv"])
def test_without_the_instructor_s_token_nothing_is_seen(classroom, path):
    for sent in ({}, {"Cookie": cookie(classroom, "wrong")}, {"Cookie": cookie(classroom, "\u00e9\u00e9")}):
        headers = {name: value.encode("latin-1").decode("latin-1") for name, value in sent.items()}
        status, _, text = ask(classroom, "GET", path, **headers)
        assert status == 403 and "course classroom" in text


def test_the_learners_token_does_not_show_the_room(classroom):
    token = classroom.opened.tokens.learners
    assert ask(classroom, "GET", f"/?token={token}")[0] == 403
    assert ask(classroom, "GET", "/classroom.csv", Cookie=cookie(classroom, token))[0] == 403
    status, _, text = ask(classroom, "GET", f"/join/{token}")
    assert status == 200 and f"/{classroom.opened.tokens.code}" in text and "agree" in text
    assert ask(classroom, "GET", "/join/other-words")[0] == 403


def test_the_instructor_s_token_does_not_report(classroom):
    assert tell(classroom, [EVENT], token=classroom.opened.tokens.instructor)[0] == 403
    assert tell(classroom, [EVENT], token="wrong")[0] == 403
    assert ask(classroom, "POST", "/report", "{}", Content_Type="application/json")[0] == 403
    assert classroom.room.checks == 0


def typed(code, way):
    return {
        "as shown": code,
        "large": code.upper(),
        "without the dash": code.replace("-", ""),
        "with a blank": code.replace("-", "%20"),
        "letter by letter": "-".join(code.replace("-", "")),
    }[way]


@pytest.mark.parametrize("way", ["as shown", "large", "without the dash", "with a blank", "letter by letter"])
def test_the_short_address_opens_the_way_however_it_is_typed(classroom, way):
    path = f"/{typed(classroom.opened.tokens.code, way)}"
    status, _, text = ask(classroom, "GET", path, Accept="application/json")
    assert (status, json.loads(text)) == (200, {"token": classroom.opened.tokens.learners})
    status, _, text = ask(classroom, "GET", path, Accept="text/html")
    assert status == 200 and classroom.opened.short_address in text and classroom.opened.tokens.learners not in text


@pytest.mark.parametrize(
    ("path", "status"), [("/bfh-jkm", 403), ("/bbbbbb", 403), ("/aaaaaa", 404), ("/bfh-jk", 404), ("/bfhjkmq", 404)]
)
def test_another_code_opens_nothing(classroom, path, status):
    answered, _, text = ask(classroom, "GET", path, Accept="application/json")
    assert answered == status and classroom.opened.tokens.learners not in text


def test_codes_cannot_be_tried_one_after_the_other(classroom):
    statuses = [ask(classroom, "GET", "/bbbbbb", Accept="application/json")[0] for _ in range(75)]
    assert statuses[:60] == [403] * 60 and statuses[-1] == 429
    right = f"/{classroom.opened.tokens.code}"
    assert ask(classroom, "GET", right, Accept="application/json")[0] == 429, (
        "nor the right one, or it could be found"
    )
    assert tell(classroom, [EVENT])[0] == 200, "who has joined is heard"


def test_a_code_is_six_letters_that_nobody_mistakes_and_says_nothing_of_the_token():
    made = [tokens.Tokens(tokens.learners_token()) for _ in range(300)]
    assert all(re.fullmatch(r"[bfhjkmqrwxyz]{3}-[bfhjkmqrwxyz]{3}", one.code) for one in made)
    assert len({one.code for one in made}) > 295 and tokens.Tokens(made[0].learners).code == made[0].code
    assert len({letter for one in made for letter in one.code}) == 13


def test_a_note_is_put_up_and_taken_off(classroom):
    tell(classroom, [], learner="ab" * 16)
    own, path = f"http://127.0.0.1:{classroom.opened.port}", f"/me/{'ab' * 16}"
    [one] = classroom.room.learners.values()

    def post(body, origin=own, where=path):
        status, _, text = ask(classroom, "POST", where, body, Origin=origin)
        return status, json.loads(text)["note"] if status == 200 else text

    assert ask(classroom, "GET", path)[0] == 200
    assert post('{"note": "help"}') == (200, "help") and one.note == "help"
    assert post("{}") == (200, "help"), "it is only asked for"
    for body in ('{"note": "<b>"}', '{"note": 3}', "[]", "{", '{"note": ["help"]}'):
        assert post(body)[0] == 400 and one.note == "help"
    assert post('{"note": "done"}', origin="http://evil.example")[0] == 403
    assert post('{"note": "done"}', where=f"/me/{'cd' * 16}")[0] == 403, "nobody with this number has joined"
    assert ask(classroom, "GET", f"/me/{'cd' * 16}")[0] == 403
    assert ask(classroom, "POST", "/notes", "", Origin=own)[0] == 403, "that is the instructor's"
    assert ask(classroom, "POST", "/notes", "", Origin="null", Cookie=cookie(classroom))[0] == 403
    assert ask(classroom, "POST", "/notes", "", Origin=own, Cookie=cookie(classroom))[0] == 200 and one.note == ""


@pytest.mark.parametrize("note", ["help", "done", ""])
def test_a_note_comes_with_a_report_and_stays_until_another_one_does(classroom, note):
    body = {"learner": "ab" * 16, "nickname": "Ada", "events": []}
    headers = {"Content_Type": "application/json"}
    token = f"Bearer {classroom.opened.tokens.learners}"
    assert (
        ask(classroom, "POST", "/report", json.dumps(body | {"note": note}), Authorization=token, **headers)[0]
        == 200
    )
    tell(classroom, [EVENT], learner="ab" * 16)
    assert [one.note for one in classroom.room.learners.values()] == [note]
    bad = json.dumps(body | {"note": "<script>"})
    assert ask(classroom, "POST", "/report", bad, Authorization=token, **headers)[0] == 400


def test_a_usual_port_is_taken_where_it_is_free(questions, monkeypatch):
    with open_room() as first:
        monkeypatch.setattr(server, "USUAL_PORT", first.opened.port)
        with open_room(port=None) as second:
            assert second.opened.port != first.opened.port
        free = second.opened.port
    monkeypatch.setattr(server, "USUAL_PORT", free)
    with open_room(port=None) as third:
        assert third.opened.port == free


def test_a_report_is_taken_in(classroom):
    status, _, text = tell(classroom, [EVENT, EVENT | {"state": "passed"}], nickname="Ada")
    assert (status, json.loads(text)) == (200, {"taken": 2})
    [one] = classroom.room.learners.values()
    assert (one.nickname, one.cells[2].passed, one.cells[2].met) == ("Ada", True, {"never_zeroed": 1})


def test_the_table_comes_with_a_name_and_a_mark_for_spreadsheets(classroom):
    tell(classroom, [EVENT], nickname="=1+1")
    status, headers, text = ask(classroom, "GET", "/classroom.csv", Cookie=cookie(classroom))
    assert status == 200 and "classroom.csv" in headers["Content-Disposition"]
    assert text.splitlines()[1].startswith("1,'=1+1,05_training,train_step,no,known mistake,never_zeroed,1,")


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_host_gets_nothing_from_any_door(classroom, host):
    opened = classroom.opened.tokens
    for path in ("/", f"/?token={opened.instructor}", f"/join/{opened.learners}", "/static/classroom.js", "/x"):
        assert ask(classroom, "GET", path, Host=host, Cookie=cookie(classroom))[0] == 403, path
    assert tell(classroom, [EVENT], Host=host)[0] == 403
    assert classroom.room.checks == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "[::1]:9", "10.1.2.3"])
def test_addresses_in_numbers_and_own_names_are_let_in(classroom, host):
    assert ask(classroom, "GET", "/", Host=host, Cookie=cookie(classroom))[0] == 200


def test_a_page_elsewhere_cannot_report(classroom):
    assert tell(classroom, [EVENT], Origin="http://evil.example")[0] == 403
    assert tell(classroom, [EVENT], Content_Type="text/plain")[0] == 403
    assert classroom.room.checks == 0


@pytest.mark.parametrize("path", ["/nothing", "/static/../server.py", "/static/index.html", "/static/", "/join/"])
def test_there_is_nothing_else(classroom, path):
    assert ask(classroom, "GET", path)[0] == 404


def test_bad_reports_are_refused_in_words_and_too_large_ones_unread(classroom):
    headers = {"Authorization": f"Bearer {classroom.opened.tokens.learners}", "Content_Type": "application/json"}
    status, _, text = ask(classroom, "POST", "/report", "{", **headers)
    assert (status, text) == (400, "Expected JSON.\n")
    with contextlib.suppress(ConnectionError, http.client.HTTPException):  # it closes while we still send
        assert ask(classroom, "POST", "/report", "x" * (1 << 20), **headers)[0] in (400, 413)
    assert tell(classroom, [EVENT])[0] == 200


def test_a_flood_from_one_learner_is_stopped_and_others_are_heard(classroom):
    statuses = [tell(classroom, [EVENT] * 100)[0] for _ in range(8)]
    assert statuses[:3] == [200] * 3 and statuses[-1] == 429
    assert classroom.room.checks < 800
    assert tell(classroom, [EVENT], learner="cd" * 16)[0] == 200


def test_one_client_cannot_be_more_learners_than_a_room_takes(classroom, monkeypatch):
    monkeypatch.setattr(state, "MOST_LEARNERS", 5)
    statuses = [tell(classroom, [], learner=secrets.token_hex(16))[0] for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2


def test_the_page_proves_that_it_knows_the_token_without_saying_it(classroom):
    token = classroom.opened.tokens.learners
    _, _, text = ask(classroom, "GET", f"/hello/{'5' * 32}")
    assert json.loads(text) == {"proof": proof(token, "5" * 32)} and token not in text
    assert proof(token, "6" * 32) not in text


def live(classroom, **headers):
    address = f"ws://127.0.0.1:{classroom.opened.port}/live"
    own = {"Cookie": cookie(classroom), "Origin": f"http://127.0.0.1:{classroom.opened.port}"}
    return websocket_connect(HTTPRequest(address, headers={**own, **headers}, request_timeout=60))


def test_an_open_page_gets_all_and_then_what_changes(classroom):
    tell(classroom, [EVENT], nickname="Ada")

    async def until_solved(page):
        while True:
            now = json.loads(await page.read_message())
            if [2, 2] in [cell[:2] for cell in now["cells"]]:
                return now

    async def watch():
        page, second = await live(classroom), await live(classroom)
        first = json.loads(await page.read_message())
        await second.read_message()
        await asyncio.to_thread(tell, classroom, [EVENT | {"state": "passed"}], learner="cd" * 16)
        now, same = await until_solved(page), await until_solved(second)
        await page.write_message("x")
        ends = await page.read_message(), page.close_code
        second.close()
        return first, now, same, ends

    first, now, same, ends = asyncio.run(asyncio.wait_for(watch(), 120))
    assert first["about"]["questions"][2]["mistakes"] == {"never_zeroed": "You never zeroed the gradients."}
    assert (first["learners"][0]["name"], first["cells"][0][:2], first["checks"]) == ("Ada", [1, 2], 1)
    assert (now["checks"], same["checks"], "about" in now) == (2, 2, False)
    assert ends == (None, 1008)  # it expects nothing of a page


@pytest.mark.parametrize(
    "headers", [{"Cookie": "x=y"}, {"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Origin": "null"}]
)
def test_a_page_that_is_not_the_instructor_s_own_is_not_told(classroom, headers):
    async def watch():
        with pytest.raises(HTTPClientError) as refused:
            await live(classroom, **headers)
        return refused.value.code

    assert asyncio.run(asyncio.wait_for(watch(), 120)) == 403


def test_tokens_are_long_and_never_the_same():
    drawn = {tokens.learners_token() for _ in range(100)}
    assert len(drawn) == 100 and all(re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", one) for one in drawn)
    both = tokens.Tokens(tokens.learners_token()), tokens.Tokens(tokens.learners_token())
    assert both[0].instructor != both[1].instructor and len(both[0].instructor) >= 40


def test_a_port_in_use_and_a_foreign_address_are_refused_in_words(classroom, questions):
    for address, port in (("127.0.0.1", classroom.opened.port), ("203.0.113.9", 0), ("no.such.host.invalid", 0)):
        with pytest.raises(Refused, match=r"cannot listen at .*this machine has 127.0.0.1"):
            server.opened(state.ClassroomState(questions), address=address, port=port, keep=None, stuck=600)
