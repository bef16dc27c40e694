# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes uproar/types.py, the bodies of requests and replies, from server/openapi.json: python generate.py [-]"""

from __future__ import annotations

import json
import keyword
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "server" / "openapi.json"

HEAD = '''# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The bodies of requests and replies. Written by generate.py from server/openapi.json."""

from __future__ import annotations

from typing import Any, TypedDict, Union

from typing_extensions import NotRequired

'''


def name_of(schema: dict[str, Any]) -> str:
    """Return the type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return "Union[" + ", ".join(name_of(s) for s in schema[choice]) + "]"
    kind = schema.get("type", "")
    if isinstance(kind, list):
        return "Union[" + ", ".join("None" if k == "null" else name_of({**schema, "type": k}) for k in kind) + "]"
    if kind == "array":
        return f"list[{name_of(schema.get('items', {}))}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {name_of(values) if isinstance(values, dict) else 'Any'}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(kind, "Any")


def declare(name: str, schema: dict[str, Any]) -> str:
    """Return the declaration of a schema."""
    if "properties" not in schema:
        text = name_of(schema).replace("list[", "List[").replace("dict[", "Dict[")
        return f"{name} = {text}\n"
    needed = schema.get("required", [])
    types = {n: name_of(s) if n in needed else f"NotRequired[{name_of(s)}]" for n, s in schema["properties"].items()}
    if any(keyword.iskeyword(n) for n in types):
        return f'{name} = TypedDict("{name}", {{' + ", ".join(f'"{n}": "{t}"' for n, t in types.items()) + "})\n"
    return f"\nclass {name}(TypedDict):\n" + "".join(f"    {n}: {t}\n" for n, t in types.items()) + "\n"


def text() -> str:
    """Return the file."""
    schemas = json.loads(DOCUMENT.read_text())["components"]["schemas"]
    plain = {n: s for n, s in schemas.items() if "properties" not in s}
    body = "".join(declare(n, s) for n, s in {**plain, **schemas}.items() if n in plain) + "".join(
        declare(n, s) for n, s in schemas.items() if n not in plain
    )
    head = HEAD.replace("import Any, ", "import Any, Dict, List, ") if "List[" in body and "Dict[" in body else (
        HEAD.replace("import Any, ", "import Any, Dict, ") if "Dict[" in body else HEAD
    )
    return head + body.rstrip() + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(text())
    else:
        (HERE / "uproar" / "types.py").write_text(text())
