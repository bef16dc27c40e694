# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes examples/audience.ipynb from the cells below: python notebook.py [-]"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat

CELLS = [
    ("md", "# What is in an audience\n\nThe Adult data set (UCI, CC BY 4.0) has 32 561 people of the census of the United "
           "States of 1994. Start a server, in the root of the repository: `uproar serve --store memory`. "
           "`UPROAR_URL` is its address, `UPROAR_ADULT` the table."),
    ("code", "import os\n\nimport matplotlib.pyplot as plt\nimport pandas as pd\n\nimport uproar\n\n"
             'client = uproar.Client(os.environ.get("UPROAR_URL", "http://127.0.0.1:7070"))\n'
             'table = os.environ.get("UPROAR_ADULT", "../../../cmd/uproar/adult/adult.csv.gz")\n'
             'people = pd.read_csv(table, skipinitialspace=True, na_values="?")\n'
             "people.head(3)"),
    ("md", "## A DataFrame becomes an index\n\nEach column is a field. Records are numbered, as the table has no key."),
    ("code", 'columns = {"age": "age", "workclass": "workclass", "education": "education", "occupation": "occupation",\n'
             '           "sex": "sex", "hours-per-week": "hours", "native-country": "country", ">50K or <=50K": "income"}\n'
             "frame = people[list(columns)].rename(columns=columns)\n"
             'reply = client.import_frame("adults", frame)\n'
             'reply["records"], [f"{f[\'name\']}: {f[\'type\']}" for f in reply["fields"]]'),
    ("md", "## Who earns more than 50 000 dollars?"),
    ("code", 'rich = client.audience("adults", \'income = ">50K"\')\nrich.size()'),
    ("code", 'spread = rich.demographics(["education", "sex"])\n'
             'education = pd.DataFrame(spread["fields"][0]["values"])\n'
             'education.plot.barh(x="key", y="lift", legend=False, title="How many times more frequent than among all")\n'
             "plt.axvline(1, color=\"grey\")\nplt.tight_layout()\nplt.show()"),
    ("md", "## What is typical of them"),
    ("code", 'words = rich.words("occupation", limit=8)\n'
             'pd.DataFrame(words["typical"])[["key", "count", "share", "lift"]]'),
    ("md", "## Compared with those who earn less"),
    ("code", 'contrast = rich.compare(\'income = "<=50K"\', ["occupation"], limit=5)["fields"][0]\n'
             'both = pd.DataFrame(contrast["more"] + contrast["less"]).set_index("key")\n'
             'both[["share", "other_share"]].plot.bar(title="Occupations: more than 50K, and less")\n'
             "plt.tight_layout()\nplt.show()"),
    ("md", "## Out again, as a DataFrame\n\n`find` streams Arrow: records of any number, in one state of the database."),
    ("code", 'found = client.find("adults", \'income = ">50K" and hours > 60\', fields=["age", "hours"], as_="pandas")\n'
             'found.astype({"age": int, "hours": int}).plot.scatter(x="age", y="hours", s=4, title="Long hours")\n'
             "plt.show()\nlen(found)"),
]


def text() -> str:
    """Return the notebook, without outputs."""
    book = nbformat.v4.new_notebook()
    for i, (kind, source) in enumerate(CELLS):
        make = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
        book.cells.append(make(source, id=f"cell{i}"))
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return str(nbformat.writes(book)) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(text())
    else:
        (Path(__file__).parent / "examples" / "audience.ipynb").write_text(text())
