"""A file that is not read is refused in one line: the file, the place and the fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import MechanismError, read_mechanism
from tests.strategies import REPEATABLE

DATA = Path(__file__).resolve().parent / "data"
SOLID = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
PAIR = (
    f"<body name='a' pos='.1 .2 .3' euler='.4 .5 .6'><joint name='j'/>{SOLID}</body>"
    f"<body name='b' pos='.5 .1 .2' euler='.1 .7 .2'><joint name='k'/>{SOLID}</body>"
)


def refusal(path: Path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(MechanismError) as caught:
        read_mechanism(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


JOINT = "<joint name='j'/>"


@pytest.mark.parametrize(
    ("bodies", "head", "tail", "words"),
    [
        (f"<body>{JOINT}<geom size='1'/></body>", "", "", "give it an <inertial>"),
        (f"<body><freejoint/>{SOLID}</body>", "", "", "<freejoint> is not read"),
        (f"<body><joint name='j' type='ball'/>{SOLID}</body>", "", "", "type 'ball'"),
        (f"<body><joint name='j' pos='1 0 0'/>{SOLID}</body>", "", "", "pos is not zero"),
        (f"<body><joint name='j' ref='1'/>{SOLID}</body>", "", "", "ref must be zero"),
        (f"<body><joint stiffness='1'/>{SOLID}</body>", "", "", "stiffness must be"),
        (f"<body><joint class='c'/>{SOLID}</body>", "", "", "class is not read"),
        (f"<body gravcomp='1'>{JOINT}{SOLID}</body>", "", "", "gravcomp must be zero"),
        (f"<body mocap='true'>{SOLID}</body>", "", "", "'mocap' is not read"),
        (f"<body zaxis='1 0 0'>{SOLID}</body>", "", "", "'zaxis' is not read"),
        (f"<body pos='1 2'>{SOLID}</body>", "", "", "pos needs 3 numbers, has 2"),
        (f"<body pos='1 2 nan'>{SOLID}</body>", "", "", "pos is no number"),
        (f"<body>{JOINT}{SOLID}<composite/></body>", "", "", "<composite> is not read"),
        ("<body><inertial mass='1' fullinertia='1 1 1 0 0 0' euler='1 0 0'/></body>",
         "", "", "fullinertia goes without"),
        ("<body><inertial mass='-1' diaginertia='1 1 1'/></body>", "", "", "negative"),
        ("<body><inertial mass='1'/></body>", "", "", "needs diaginertia"),
        ("<frame/>", "", "", "<frame> is not read"),
        ("", "", "", "has no <body>"),
        (f"<body name='a'>{SOLID}</body>" * 2, "", "", "named 'a'"),
        (f"<body name='world'>{SOLID}</body>", "", "", "named 'world'"),
        (f"<body>{SOLID}</body>", "<default><joint armature='1'/></default>", "",
         "<default> is not read"),
        (f"<body>{SOLID}</body>", "<include file='x.xml'/>", "", "<include> is not read"),
        (f"<body>{SOLID}</body>", "<option density='1.2'/>", "", "density must be zero"),
        (f"<body>{SOLID}</body>", "<option><flag gravity='disable'/></option>", "",
         "<flag gravity> is not read"),
        (f"<body>{SOLID}</body>", "<compiler settotalmass='3'/>", "", "settotalmass"),
        (f"<body>{SOLID}</body>", "<compiler inertiafromgeom='true'/>", "",
         "inertiafromgeom must be"),
        (f"<body>{SOLID}</body>", "<compiler eulerseq='xyw'/>", "", "'xyw'"),
        (f"<body>{SOLID}</body>", "<compiler angle='turn'/>", "", "angle must be"),
        (f"<body>{SOLID}</body>", "<extension/>", "", "<extension> is not read"),
        (PAIR, "", "<equality><joint joint1='j' joint2='k'/></equality>", "<joint>"),
        (PAIR, "", "<equality><connect site1='s' site2='s'/></equality>", "no site 's'"),
        (PAIR, "", "<equality><connect body1='z' anchor='0 0 0'/></equality>",
         "no body 'z'"),
        (PAIR, "", "<equality><connect body1='a'/></equality>", "needs an anchor"),
        (PAIR, "", "<equality><weld name='w' body1='a' active='false'/></equality>",
         "<weld> 'w': is not active"),
        (PAIR, "", "<tendon><fixed name='f'/></tendon>", "only <spatial>"),
        (PAIR, "", "<tendon><spatial stiffness='3'/></tendon>", "stiffness must be"),
        (PAIR, "", "<tendon><spatial name='t'><geom/></spatial></tendon>", "<geom>"),
        (PAIR, "", "<tendon><spatial name='t'/></tendon>", "needs two sites"),
        (PAIR, "", "<actuator><position name='p' joint='j'/></actuator>",
         "<position> 'p': has forces"),
        (PAIR, "", "<keyframe><key qpos='1'/></keyframe>", "qpos needs 2 numbers"),
        (PAIR + "<site name='s'/><site name='t'/>", "", "", "sites s, t: which"),
    ],
)  # fmt: skip
def test_what_would_change_the_motion_is_refused_by_its_name(
    bodies: str, head: str, tail: str, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.xml"
    file.write_text(
        f"<mujoco>{head}<worldbody>{bodies}</worldbody>{tail}</mujoco>", "utf-8"
    )
    said = refusal(file)
    assert said.startswith(f"{file}: ")
    assert words in said


LOOP = '[[loop]]\nname = "c"\nkind = "point"\n'
ENDS = 'first = { link = "l2" }\nsecond = { link = "l3" }\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("urdf = ", "not TOML"),
        ("", "urdf must be a string"),
        ('urdf = "four_bar.urdf"\nmass = 3', "unknown key 'mass', use urdf"),
        ('urdf = "none.urdf"', "none.urdf: No such file"),
        ('urdf = "four_bar.urdf"\ntool = "hand"', "tool link 'hand'"),
        ('urdf = "four_bar.urdf"\ngravity = [0, 0]', "gravity must be three numbers"),
        ('urdf = "four_bar.urdf"\ngravity = [0, 0, inf]', "expected a finite number"),
        ('urdf = "four_bar.urdf"\ngravity = [0, 0, true]', "got True"),
        ('urdf = "four_bar.urdf"\ngravity = [0, 0, 1' + "0" * 400 + "]", "finite"),
        ('urdf = "four_bar.urdf"\nloop = 3', "double brackets"),
        (
            'urdf = "four_bar.urdf"\n[[loop]]\nkind = "point"',
            "[[loop]] 1: name must be",
        ),
        (f'urdf = "four_bar.urdf"\n{LOOP}gain = 1\n{ENDS}', "unknown key 'gain'"),
        (f'urdf = "four_bar.urdf"\n{LOOP}first = {{ link = "l9" }}', "no link 'l9'"),
        (f'urdf = "four_bar.urdf"\n{LOOP}first = "l2"', "loop 'c': first: write"),
        (
            f'urdf = "four_bar.urdf"\n{LOOP}first = {{ link = "l2", xyz = [1, 2] }}',
            "loop 'c': first: xyz must be three numbers",
        ),
        (
            'urdf = "four_bar.urdf"\n[[loop]]\nname = "c"\nkind = "gear"\n' + ENDS,
            "kind must be one of point, frame",
        ),
        (f'urdf = "four_bar.urdf"\n{LOOP}{ENDS}{LOOP}{ENDS}', "named 'c'"),
        ('urdf = "four_bar.urdf"\n[[tendon]]\nname = "t"', "points must be a list"),
        (
            'urdf = "four_bar.urdf"\n[home]\nj9 = 1.0',
            "unknown key 'j9', use j1, j2, j3",
        ),
        ('urdf = "four_bar.urdf"\n[home]\nj1 = "a"', "home: j1: expected a finite"),
    ],
)
def test_a_toml_that_cannot_be_meant_is_refused_with_the_key(
    text: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "four_bar.urdf").write_text((DATA / "four_bar.urdf").read_text())
    file = tmp_path / "mine.toml"
    file.write_text(text)
    said = refusal(file)
    assert words in said
    assert said.startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.xml", None, "No such file"),
        ("mine.sdf", b"", "suffix '.sdf' is not one of .xml, .mjcf, .urdf, .toml"),
        ("mine.xml", b"\xff\xfe", "not UTF-8"),
        ("mine.xml", b"<mujoco", "not XML"),
        ("mine.xml", b"<robot name='r'/>", "the root is <robot>"),
        ("mine.urdf", b"<mujoco/>", "the root is <mujoco>"),
        ("mine.urdf", b"<robot name='r'><loop_joint/></robot>", "<loop_joint> is not"),
        ("mine.urdf", b"<robot><link name='a'/></robot>", "has no body"),
        (
            "mine.urdf",
            b"<robot><link name='a'/><gazebo><joint name='c'/></gazebo></robot>",
            "give it as a loop",
        ),
    ],
)
def test_a_file_of_another_kind_is_refused_with_its_name(
    name: str, content: bytes | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    said = refusal(file)
    assert said.startswith(f"{file}: ")
    assert words in said


@pytest.mark.parametrize("name", ["four_bar.toml", "four_bar.xml", "four_bar.urdf"])
@given(cut=st.integers(0, 2500), drop=st.integers(0, 30))
@REPEATABLE
def test_a_damaged_file_is_read_or_refused_but_never_breaks(
    name: str, cut: int, drop: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "four_bar.urdf").write_text((DATA / "four_bar.urdf").read_text())
    text = (DATA / name).read_text()
    (folder / name).write_text(text[:cut] + text[cut + drop :])
    try:
        read_mechanism(folder / name)
    except MechanismError as error:
        assert str(error).startswith(str(folder))  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
