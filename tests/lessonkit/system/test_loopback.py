"""The way to servers of this machine: whether it is there, and that no proxy stands in it."""

import errno
import os
import socket

import pytest

from lessonkit.system.loopback import around_proxy, why_no_loopback


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def test_this_machine_is_spoken_to_without_the_proxy_that_is_set(monkeypatch):
    assert around_proxy() == {}
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    assert around_proxy() == dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost,::1")
    monkeypatch.setenv("NO_PROXY", "intranet")
    assert around_proxy()["no_proxy"] == "intranet,127.0.0.1,localhost,::1"


def test_a_no_proxy_alone_sets_nothing(monkeypatch):
    monkeypatch.setenv("no_proxy", "intranet")
    assert around_proxy() == {}


def test_why_no_server_is_reached_is_said_without_pythons_own_words(monkeypatch):
    def no_server(address):
        raise OSError(
            errno.EADDRNOTAVAIL, f"Cannot assign requested address (while attempting to bind on {address})"
        )

    assert why_no_loopback() == ""
    monkeypatch.setattr(socket, "create_server", no_server)
    assert why_no_loopback() == "Cannot assign requested address"
