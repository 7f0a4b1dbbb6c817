"""The linkages that come with the suite, by name: files in the folder `linkages`.

Those called `chapter-...` are the mechanisms of chapter 2.1; the others are classical
ones of known mobility.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Dict

from models.linkage import Linkage, LinkageError
from models.linkage_reader import read_linkage

FOLDER = Path(__file__).resolve().parent / "linkages"


@cache
def linkages() -> Dict[str, Linkage]:
    """All linkages, by name, in the order of their names.

    Raises:
        LinkageError: If a file holds no linkage, or one that bears another file's name.
    """
    found: Dict[str, Linkage] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        linkage = read_linkage(file)
        if linkage.name != file.stem:
            raise LinkageError(f"{file}: its name is {linkage.name!r}, not the file's")
        found[linkage.name] = linkage
    return found


def slug(words: str) -> str:
    """Words as a name: small letters and digits, with hyphens between."""
    return "-".join(re.findall(r"[a-z0-9]+", words.lower()))


def linkage_named(name: str) -> Linkage:
    """The linkage of a name or title, whatever its capitals and punctuation.

    Raises:
        KeyError: If there is none.
    """
    wanted = slug(name)
    for linkage in linkages().values():
        if wanted and wanted in (slug(linkage.name), slug(linkage.title)):
            return linkage
    raise KeyError(name)
