# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Every call of server/openapi.json has a method, and every method is on both clients."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import uproar
from uproar import audience, catalog, client, graph, parts
from uproar.core import Async, Calls, Described, Sync
from uproar.errors import BY_CODE

HERE = Path(__file__).parents[1]
DOCUMENT = json.loads((HERE.parents[1] / "server" / "openapi.json").read_text())
CLASSES = [client.Database, graph.Graph, graph.Accounts, audience.Audience, catalog.Catalog, parts.Indexes,
           parts.Standing, parts.Likes, parts.Cluster]


def methods() -> dict[str, Described]:
    return {f"{c.__name__}.{n}": m for c in CLASSES for n, m in vars(c).items() if isinstance(m, Described)}


def test_every_operation_has_a_method() -> None:
    wanted = {o["operationId"] for path in DOCUMENT["paths"].values() for o in path.values()}
    got = {o for m in methods().values() for o in m.operations}
    assert got == wanted


def test_every_parameter_of_an_address_is_named() -> None:
    """A parameter of a call is one of a method, or of the class that the method is in."""
    of_class = {"index", "q", "account", "target", "viewer", "catalog", "count", "answer", "name", "cursor"}
    by_post = {"get-query"}  # only short counts; keys and limits are asked by post-query
    for path in DOCUMENT["paths"].values():
        for operation in path.values():
            if operation["operationId"] in by_post:
                continue
            having = [m for m in methods().values() if operation["operationId"] in m.operations]
            named = {n.rstrip("_") for m in having for n in inspect.signature(m.describe).parameters}
            singular = {n[:-1] for n in named if n.endswith("s")} | ({"cross"} if "crosses" in named else set())
            by_time = {"order", "keys"} if operation["operationId"] in graph.LIST_OPERATIONS else set()
            for p in operation.get("parameters", []):
                assert p["name"] in named | of_class | singular | by_time, (operation["operationId"], p["name"])


def test_every_code_has_an_error() -> None:
    text = DOCUMENT["info"]["description"]
    codes = {line.split("`")[1] for line in text.splitlines() if line.startswith("| ") and "`" in line}
    assert codes == set(BY_CODE)


def test_both_clients_have_every_method() -> None:
    sync, later = uproar.Client(), uproar.AsyncClient()
    assert isinstance(sync, Calls) and isinstance(later, Calls)
    for name, method in vars(client.Database).items():
        if isinstance(method, Described):
            assert method.__doc__, name
            assert inspect.signature(getattr(sync, name)) == inspect.signature(getattr(later, name)), name
    assert Sync is not Async


def written_by(script: str) -> str:
    made = subprocess.run([sys.executable, script, "-"], cwd=HERE, capture_output=True, text=True, check=True)
    return made.stdout


def test_what_is_generated_is_new() -> None:
    types, notebook = HERE / "uproar" / "types.py", HERE / "examples" / "audience.ipynb"
    assert written_by("generate.py") == types.read_text(), "types.py is old: python generate.py"
    assert written_by("notebook.py") == notebook.read_text(), "audience.ipynb is old: python notebook.py"


def test_addresses() -> None:
    for bad in "127.0.0.1:7070", "ftp://x", "http://", "http://x/path", "http://x?q":
        try:
            uproar.Client(bad)
        except ValueError as e:
            assert "want one such as" in str(e)
        else:
            raise AssertionError(bad)


def test_the_package_that_is_tested() -> None:
    """It says that it has types, and with make python it is the one of the wheel."""
    place = Path(uproar.__file__).parent
    assert (place / "py.typed").exists()
    if os.environ.get("PYTHONSAFEPATH"):
        assert HERE not in place.parents
