"""torchrun's ranks in order, its failures with their code, and nothing left after a time-out."""

import json
import socket
import sys
import tempfile

import pytest
import torch.distributed as dist

from course_utils.chapters.multi_gpu import torchrun
from lessonkit.system import fork_server, processes

PROGRAM = """
import os, subprocess, sys, time
rank, restart = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
what = sys.argv[1]
if what == "late":
    time.sleep(0.5 * (1 - rank))  # the lines of rank 0 come last
print("[Gloo] Rank 0 is connected to 1 peer ranks. Expected number of connected peer ranks is : 1")
print(f"I am {rank} of {os.environ['WORLD_SIZE']}", os.environ["MASTER_ADDR"], os.environ["OMP_NUM_THREADS"])
if what == "fall" and rank == 1 and restart == 0:
    raise ValueError("one fell")
if what == "hang":
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    time.sleep(100)
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """The path of PROGRAM; afterwards no process and no temporary file is left."""
    mark, temporary = f"test/{tmp_path}/", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv(processes.MARK, mark)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(temporary))
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    yield path
    fork_server.stop()  # it carries this test's mark, and would stay for the next agent of this process
    assert processes.leftovers(mark, patience=0) == []
    assert list(temporary.iterdir()) == []


def test_lines_come_in_the_order_of_the_ranks_without_noise(program):
    finished = torchrun.run(program, "late", env={"OMP_NUM_THREADS": "2"}, timeout=200)
    assert finished.code == 0, finished.agent
    assert finished.output == "rank 0: I am 0 of 2 127.0.0.1 2\nrank 1: I am 1 of 2 127.0.0.1 2\n"
    assert (finished.errors, finished.agent) == ("", "")
    assert finished.seconds > 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="macOS and Windows let no one listen beside a held port")
def test_the_port_of_the_meeting_is_kept_for_the_agent():
    port, held = torchrun._own_port()
    with held, socket.socket() as stranger:
        with pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))
        agent = dist.TCPStore("127.0.0.1", port, 1, is_master=True, wait_for_workers=False)
        agent.set("met", "here")
        guest = dist.TCPStore("127.0.0.1", port, 1, is_master=False, wait_for_workers=False)
        assert guest.get("met") == b"here"


def test_two_nodes_are_two_agents_on_the_loopback_interface(program):
    finished = torchrun.run(program, "go", nproc=1, nnodes=2, timeout=200)
    assert finished.code == 0, finished.agent
    numbers = sorted(line.partition("I am ")[2] for line in finished.output.splitlines())
    assert numbers == ["0 of 2 127.0.0.1 1", "1 of 2 127.0.0.1 1"]
    assert [line[:23] for line in finished.output.splitlines()] == [
        "node 0, local rank 0: I",
        "node 1, local rank 0: I",
    ]


def test_a_failure_gives_its_code_and_a_restart_its_own_lines(program):
    finished = torchrun.run(program, "fall", timeout=200)
    assert finished.code == 1
    assert "rank 1: ValueError: one fell\n" in finished.errors
    above = [line for line in finished.errors.splitlines() if "line " in line]
    assert len(above) == 1 and above[0].startswith(f'rank 1:   File "{program}", line '), (
        "the script's own line alone"
    )
    assert "rank      : 1 (local_rank: 1)" in finished.agent
    finished = torchrun.run(program, "fall", max_restarts=1, timeout=200)
    assert finished.code == 0
    assert finished.output.endswith(
        "restart 1, rank 0: I am 0 of 2 127.0.0.1 1\nrestart 1, rank 1: I am 1 of 2 127.0.0.1 1\n"
    )
    assert "\nrank 1: I am 1" in "\n" + finished.output


@pytest.mark.skipif(not fork_server.SUPPORTED, reason="only Linux forks")
def test_a_forked_rank_sees_what_a_new_process_would_see_and_has_torch_already(program):
    program.write_text(
        "import os, sys\nthere = 'torch' in sys.modules\nimport json, pickle, random\nimport numpy, torch\n"
        "class Own: pass\n"
        "own = pickle.loads(pickle.dumps(Own())).__class__ is Own and os.getsid(0) == os.getpid()\n"
        "drawn = torch.rand(1).item(), random.random(), numpy.random.rand()\n"
        "words = [sys.argv[1:], os.path.basename(sys.argv[0]), __name__, os.path.basename(__file__)]\n"
        "words += [sys.path[0] == os.path.dirname(os.path.abspath(__file__)), torch.get_num_threads(), own]\n"
        "print(json.dumps([there, words, drawn, os.environ.get('OF_THE_TEST'), os.environ['LOCAL_RANK']]))\n"
    )
    seen = {}
    for forked in (True, False):
        node = torchrun.Node(before=() if forked else ("env",))  # an agent with words before it is started anew
        finished = torchrun.run(program, "one", "two words", nodes=[node], env={"OF_THE_TEST": "set"}, timeout=200)
        assert finished.code == 0, finished.errors + finished.agent
        seen[forked] = [json.loads(line.partition(": ")[2]) for line in finished.output.splitlines()]
    assert [one[0] for one in seen[True]] == [True, True] and [one[0] for one in seen[False]] == [False, False]
    for forked, anew in zip(seen[True], seen[False], strict=True):
        assert forked[1] == anew[1] and forked[3:] == anew[3:]
    assert len({number for one in (*seen[True], *seen[False]) for number in one[2]}) == 12


def test_a_time_out_ends_the_ranks_with_all_they_started(program):
    for limit in (6, 40):  # a busy machine needs the second one to get as far as the ranks
        with pytest.raises(TimeoutError) as caught:
            torchrun.run(program, "hang", timeout=limit)
        message = str(caught.value)
        assert f"torchrun of program.py had not ended after {limit} s, and was ended with its ranks." in message
        if "I am 0" in message and "I am 1" in message:
            break
    assert "They had written:\nrank 0: I am 0 of 2" in message and "rank 1: I am 1 of 2" in message


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_an_agent_that_is_killed_while_another_waits_for_it_is_named(program, monkeypatch):
    """Two processes in the agents' place: the first kills itself, the second would wait for ever."""
    stand_in = program.with_name("in_the_agents_place.py")
    stand_in.write_text(
        "import os, signal, sys, time\n\n\ndef main():\n"
        "    if 'is_host=1' in ' '.join(sys.argv):\n        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    time.sleep(600)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(stand_in.parent)
    monkeypatch.setattr(torchrun, "AGENT", "in_the_agents_place:main")
    monkeypatch.setattr(torchrun, "LOST", 0.5)
    with pytest.raises(TimeoutError) as caught:
        torchrun.run(program, nnodes=2, timeout=200)
    assert "went on for 0.5 s without an agent (node 0: torchrun was killed by SIGKILL" in str(caught.value)
