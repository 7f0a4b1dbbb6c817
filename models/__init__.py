"""Mechanisms under test, as plain data.

Needs Python 3.9, NumPy and the standard library: it is also loaded in the interpreters of
libraries under test.
"""

from models.catalogue import CATALOGUE
from models.links import Link, links
from models.mjcf import MjcfError, read_mjcf, write_mjcf
from models.screws import Screws, screws, tool_home
from models.store import from_data, to_data
from models.tree import (
    JOINT_KINDS,
    Body,
    Frame,
    Inertia,
    Joint,
    Loop,
    Mimic,
    Model,
    Pose,
    Quaternion,
    Rpy,
    Tendon,
)
from models.urdf import UrdfError, read_urdf, write_urdf

__all__ = [
    "CATALOGUE",
    "JOINT_KINDS",
    "Body",
    "Frame",
    "Inertia",
    "Joint",
    "Link",
    "Loop",
    "Mimic",
    "MjcfError",
    "Model",
    "Pose",
    "Quaternion",
    "Rpy",
    "Screws",
    "Tendon",
    "UrdfError",
    "from_data",
    "links",
    "read_mjcf",
    "read_urdf",
    "screws",
    "to_data",
    "tool_home",
    "write_mjcf",
    "write_urdf",
]
