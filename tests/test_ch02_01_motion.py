"""2.1 Linkages in motion: postures, slopes, second order, tracks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from models.linkage import Linkage, Pair
from reference import ch02_01_motion as moving
from reference.ch02_01_displacement import bracket, exp_se3, hats, inverse, turned
from reference.ch02_01_local import local
from reference.ch02_01_motion import CLOSED, Motion
from reference.ch02_01_tracking import WHOLE, track

Z = ((0, 0, 1),)
NUMBERS = st.floats(-3, 3).map(lambda x: round(x, 3))
SCREWS = st.lists(NUMBERS, min_size=6, max_size=6).map(np.array)
SEEDS = st.integers(0, 10_000)


def planar(*joints: tuple[float, float, int, int]) -> Linkage:
    """Revolute joints about z at (x, y) between two links."""
    pairs = tuple(
        Pair(f"j{k}", "revolute", a, b, (x, y, 0), Z)
        for k, (x, y, a, b) in enumerate(joints, 1)
    )
    count = 1 + max(max(p.first, p.second) for p in pairs)
    return Linkage("planar", tuple(f"link_{k}" for k in range(count)), pairs)


FOUR_BAR = planar((0, 0, 0, 1), (1, 1, 1, 2), (3, 2, 2, 3), (4, 0, 3, 0))
TRIANGLE = planar((0, 0, 0, 1), (1, 1, 1, 2), (2, 0, 2, 0))
FLAT_TRIANGLE = planar((0, 0, 0, 1), (1, 0, 1, 2), (2, 0, 2, 0))
STRETCHED = planar((0, 0, 0, 1), (1, 0, 1, 2), (3, 0, 2, 3), (5, 0, 3, 0))
FOLDED = planar((0, 0, 0, 1), (1, 0, 1, 2), (3, 0, 2, 3), (2, 0, 3, 0))
FOLDED_THREE_BARS = planar(
    (0, 0, 0, 1), (2, 0, 0, 2), (3, 0, 0, 3), (1, 0, 1, 4), (3, 0, 2, 4), (4, 0, 3, 4)
)


def spatial(seed: int) -> Linkage:
    """Two loops that share links, of joints of all kinds, anywhere in space."""
    rng = np.random.default_rng(seed)
    kinds = [
        "revolute",
        "universal",
        "spherical",
        "cylindrical",
        "helical",
        "prismatic",
    ]
    ends = [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (5, 4), (0, 5), (2, 5)]
    pairs = []
    for k, (a, b) in enumerate(ends):
        kind = str(rng.choice([*kinds, "planar"]))
        axes = {"universal": 2, "spherical": 0}.get(kind, 1)
        pairs.append(
            Pair(
                f"j{k}",
                kind,
                a,
                b,
                tuple(rng.normal(size=3).tolist()),
                tuple(tuple(rng.normal(size=3).tolist()) for _ in range(axes)),
                0.3 if kind == "helical" else 0,
            )
        )
    return Linkage("spatial", tuple("abcdef"), tuple(pairs))


@given(SCREWS, NUMBERS)
def test_a_displacement_is_the_exponential_of_its_screw(
    S: np.ndarray, q: float
) -> None:
    X = np.zeros((4, 4))
    X[:3, :3], X[:3, 3] = hats(S[:3]), S[3:]
    assert np.allclose(
        exp_se3(S * q),
        expm(X * q),
        atol=1e-11 * max(1, np.abs(S * q).max() ** 2),
    )


@given(SCREWS, SCREWS)
def test_the_bracket_is_the_rate_at_which_a_displacement_turns_a_screw(
    a: np.ndarray, b: np.ndarray
) -> None:
    h = 1e-6
    ahead, behind = (turned(exp_se3(a * (s * h)), b[:, None]) for s in (1, -1))
    slope = (ahead - behind)[:, 0] / (2 * h)
    assert np.allclose(slope, bracket(a, b), atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_the_jacobian_is_the_slope_of_the_gap_at_closed_postures(seed: int) -> None:
    motion = Motion(spatial(seed))
    rng = np.random.default_rng(seed)
    u, h = rng.normal(size=motion.n), 1e-6
    gaps = [
        motion.differential(motion.moved(motion.start, s * h * u)).gap for s in (1, -1)
    ]
    J = motion.differential(motion.start).J
    assert np.allclose((gaps[0] - gaps[1]) / (2 * h), J @ u, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_the_second_order_is_the_curvature_of_the_gap(seed: int) -> None:
    """Along a velocity of the kernel: up to what joint accelerations can make good."""
    linkage = FOLDED if seed % 2 else FLAT_TRIANGLE
    motion = Motion(linkage)
    J = motion.differential(motion.start).J
    U, s, Vt = np.linalg.svd(J)
    r = int((s > 1e-10).sum())
    rng = np.random.default_rng(seed)
    u = Vt[r:].T @ rng.normal(size=motion.n - r)
    h = 1e-4
    gaps = [
        motion.differential(motion.moved(motion.start, s * h * u)).gap for s in (1, -1)
    ]
    curvature = (gaps[0] + gaps[1]) / h**2
    found = motion.second_order(u, motion.differential(motion.start).screws)
    assert np.abs(found).max() > 0
    assert np.allclose(U[:, r:].T @ (curvature - found), 0, atol=1e-6)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_a_posture_that_is_closed_again_is_closed(seed: int) -> None:
    motion = Motion(spatial(seed))
    step = 0.05 * np.random.default_rng(seed).normal(size=motion.n)
    posture, there, _ = motion.closed(motion.moved(motion.start, step))
    assume(there.widest < CLOSED)  # it may be rigid but for its reference pose
    D = motion.links(posture)
    for k, pair in enumerate(motion.linkage.pairs):
        off = D[pair.first] @ posture.T[k] @ inverse(D[pair.second])
        assert np.allclose(off, np.eye(4), atol=1e-10)


@pytest.mark.parametrize(
    ("linkage", "instantaneous", "directions", "stuck"),
    [
        (FOUR_BAR, 1, 0, False),
        (TRIANGLE, 0, 0, False),
        (FLAT_TRIANGLE, 1, 0, True),
        (STRETCHED, 2, 0, True),
        (FOLDED, 2, 2, False),
        (FOLDED_THREE_BARS, 2, 1, False),
    ],
)
def test_the_second_order_tells_shaky_poses_from_branching_ones(
    linkage: Linkage, instantaneous: int, directions: int, stuck: bool
) -> None:
    motion = Motion(linkage)
    found = local(motion, motion.start)
    assert found.nullity == instantaneous
    assert len(found.directions) == directions
    assert found.is_stuck is stuck


def test_without_brackets_a_shaky_pose_would_pass_for_a_regular_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moving, "bracket", lambda a, b: np.zeros(6))
    motion = Motion(FLAT_TRIANGLE)
    assert local(motion, motion.start).is_regular


def test_a_four_bar_is_followed_with_its_links_kept_at_length() -> None:
    motion = Motion(FOUR_BAR)
    u = local(motion, motion.start).kernel[:, 0]
    found = track(motion, motion.start, u, 2.0, 0, "")
    assert found.stop == WHOLE
    assert found.nullity == 1
    assert found.residual < CLOSED
    D = motion.links(found.end)
    ends = []
    for k, link in ((0, 0), (1, 1), (2, 2), (3, 3)):
        p = np.array([*FOUR_BAR.pairs[k].point, 1.0], float)
        p[:3] = (p[:3] - motion.size.middle) / motion.size.length
        ends.append((D[link] @ p)[:3])
    lengths = [np.linalg.norm(ends[k] - ends[k - 1]) for k in range(4)]
    start = [np.array(p.point, float) for p in FOUR_BAR.pairs]
    want = [
        np.linalg.norm(start[k] - start[k - 1]) / motion.size.length for k in range(4)
    ]
    assert np.allclose(lengths, want, atol=1e-11)
    assert (
        np.abs(ends[1] - (start[1] - motion.size.middle) / motion.size.length).max()
        > 0.1
    )


@pytest.mark.parametrize("linkage", [FLAT_TRIANGLE, STRETCHED])
def test_a_shaky_linkage_cannot_be_followed(linkage: Linkage) -> None:
    motion = Motion(linkage)
    for u in local(motion, motion.start).kernel.T:
        assert track(motion, motion.start, u, 1.0, 0, "").length == 0


def test_a_singular_pose_on_the_way_is_met_and_named() -> None:
    """A parallelogram turned until it folds: at the fold two can move."""
    opened = planar((0, 0, 0, 1), (0.6, 0.8, 1, 2), (2.6, 0.8, 2, 3), (2, 0, 3, 0))
    motion = Motion(opened)
    u = local(motion, motion.start).kernel[:, 0]
    tracks = [track(motion, motion.start, s * u, 6.0, 0, "") for s in (1, -1)]
    met = [pose for t in tracks for pose in t.singular]
    assert met
    angles = {round(abs(float(p.where.split()[1].rstrip(","))), 3) for p in met}
    assert {p.nullity for p in met} == {2}
    crank = np.arctan2(0.8, 0.6)
    assert angles <= {round(crank, 3), round(np.pi - crank, 3)}


def test_what_a_linkage_can_do_does_not_hang_on_where_it_stands_or_its_size() -> None:
    rng = np.random.default_rng(4)
    w = rng.normal(size=3)
    T = exp_se3(np.concatenate([w, [100.0, -20.0, 3.0]]))
    for linkage in (FOUR_BAR, FLAT_TRIANGLE, FOLDED):
        pairs = []
        for p in linkage.pairs:
            point = 50 * (T[:3, :3] @ np.array(p.point, float)) + T[:3, 3]
            axis = T[:3, :3] @ np.array(p.axes[0], float)
            pairs.append(replace(p, point=tuple(point), axes=(tuple(axis),)))
        here, there = Motion(linkage), Motion(replace(linkage, pairs=tuple(pairs)))
        a, b = local(here, here.start), local(there, there.start)
        assert a.nullity == b.nullity
        assert len(a.directions) == len(b.directions)
        assert a.is_stuck is b.is_stuck
