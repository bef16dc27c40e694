# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import os

import nbformat
import pytest
from conftest import REPOSITORY
from nbclient import NotebookClient

import uproar

EXAMPLES = REPOSITORY / "clients" / "python" / "examples"


def test_audience_notebook(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPROAR_URL", url)
    monkeypatch.setenv("UPROAR_ADULT", str(REPOSITORY / "cmd" / "uproar" / "adult" / "adult.csv.gz"))
    book = nbformat.read(EXAMPLES / "audience.ipynb", as_version=4)
    resources = {"metadata": {"path": os.fspath(EXAMPLES)}}
    NotebookClient(book, timeout=120, kernel_name="python3", resources=resources).execute()
    outputs = [o for c in book.cells if c.cell_type == "code" for o in c.outputs]
    assert sum("image/png" in o.get("data", {}) for o in outputs) == 3, "plots"
    client = uproar.Client(url)
    assert client.count("adults", "all") == 32_561
    rich = client.count("adults", 'income = ">50K"')
    assert rich == 7_841 and any(str(rich) in str(o.get("data", "")) for o in outputs)
    client.indexes().drop("adults")
