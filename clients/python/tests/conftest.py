# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""A real server for the tests: of UPROAR_BINARY, or built from this repository."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import uproar

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def binary(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = os.environ.get("UPROAR_BINARY")
    if not made:
        made = str(tmp_path_factory.mktemp("bin") / "uproar")
        subprocess.run(["go", "build", "-o", made, "./cmd/uproar"], cwd=REPOSITORY, check=True)
    return made


def serve(binary: str, *flags: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server, and return it with its address."""
    server = subprocess.Popen(
        [binary, "serve", "--store", "memory", "--addr", "127.0.0.1:0", "--log-format", "json", *flags],
        stderr=subprocess.PIPE, text=True,
    )
    assert server.stderr
    for line in server.stderr:
        entry = json.loads(line)
        if entry.get("msg") == "serving":
            threading.Thread(target=server.stderr.read, daemon=True).start()  # so that no log fills the pipe
            return server, entry["url"]
    raise AssertionError(f"the server does not serve: exit code {server.wait()}")


def stop(server: subprocess.Popen[str]) -> None:
    server.kill()
    server.wait()


@pytest.fixture(scope="session")
def url(binary: str) -> Iterator[str]:
    server, address = serve(binary)
    yield address
    stop(server)


@pytest.fixture
def client(url: str) -> Iterator[uproar.Client]:
    with uproar.Client(url) as c:
        yield c


PEOPLE = [
    {"key": "ann", "values": {"likes": ["tea", "cake"], "city": "Oslo", "age": 30}},
    {"key": "bob", "values": {"likes": ["tea", "coffee"], "city": "Rome", "age": 40}},
    {"key": "cid", "values": {"likes": ["coffee"], "city": "Rome", "age": 50}},
    {"key": "dee", "values": {"likes": ["tea", "cake"], "city": "Oslo", "age": 60}},
    {"key": "eve", "values": {"likes": ["cake"]}},
]


@pytest.fixture
def people(client: uproar.Client, request: pytest.FixtureRequest) -> Iterator[str]:
    """An index of five people, new for each test."""
    name = request.node.name.lower().replace("[", "_").replace("]", "")
    client.indexes().create(name, [
        {"name": "likes", "type": "set"}, {"name": "city", "type": "single"}, {"name": "age", "type": "integer"},
    ])
    client.write_records(name, puts=PEOPLE)  # type: ignore[arg-type]
    yield name
    client.indexes().drop(name)
