"""Mechanisms under test, as plain data.

Needs Python 3.9, NumPy and the standard library: it is also loaded in the interpreters of
libraries under test.
"""

from models.catalogue import CATALOGUE
from models.closed_chains import CLOSED_CHAINS
from models.index import MODELS, named, summary
from models.linkage import Linkage, LinkageError, Pair
from models.linkage_reader import read_linkage
from models.linkage_writer import write_linkage
from models.linkages import linkage_named, linkages
from models.links import Link, links
from models.maximal import (
    NotPlanarError,
    in_maximal_coordinates,
    maximal_configuration,
)
from models.mechanism import MechanismError, read_mechanism
from models.mjcf import MjcfError, write_mjcf
from models.mjcf_reader import read_mjcf
from models.placing import without_quaternions
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
from models.urdf import UrdfError, write_urdf
from models.urdf_reader import read_urdf

__all__ = [
    "CATALOGUE",
    "CLOSED_CHAINS",
    "JOINT_KINDS",
    "MODELS",
    "Body",
    "Frame",
    "Inertia",
    "Joint",
    "Link",
    "Linkage",
    "LinkageError",
    "Loop",
    "MechanismError",
    "Mimic",
    "MjcfError",
    "Model",
    "NotPlanarError",
    "Pair",
    "Pose",
    "Quaternion",
    "Rpy",
    "Screws",
    "Tendon",
    "UrdfError",
    "from_data",
    "in_maximal_coordinates",
    "linkage_named",
    "linkages",
    "links",
    "maximal_configuration",
    "named",
    "read_linkage",
    "read_mechanism",
    "read_mjcf",
    "read_urdf",
    "screws",
    "summary",
    "to_data",
    "tool_home",
    "without_quaternions",
    "write_linkage",
    "write_mjcf",
    "write_urdf",
]
