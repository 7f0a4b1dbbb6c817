"""A library may crash, hang, exit, print or lie: the harness goes on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from libcheck.worker import (
    LibraryError,
    LibraryUnsupported,
    Worker,
    WorkerDied,
    WorkerTimeout,
)
from models import CATALOGUE

MODEL = CATALOGUE["arm_2r"]
Inputs = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One worker for all tests: each must leave it fit for the next."""
    with Worker("_faulty", sys.executable, timeout=1.0) as started:
        started.load("arm", MODEL)
        yield started


def inputs(*names: str, q: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Inputs:
    """Three samples; the first joint of each is as given."""
    rows = np.zeros((len(q), MODEL.nv))
    rows[:, 0] = q
    return {"q": rows, **{name: np.ones_like(rows) for name in names}}


def assert_alive(worker: Worker) -> None:
    """It answers, by itself and with the model it had."""
    assert (
        worker.compute("kinetic_energy", "arm", inputs("v")).value.tolist() == [7.0] * 3
    )


# ------------------------------------------------------------------------- what it says


def test_it_says_what_the_library_is(worker: Worker) -> None:
    about = worker.about
    assert worker.usable
    assert about["library"] == "_faulty"
    assert about["version"] == about["numpy"] == np.__version__
    assert about["python"] == "{}.{}.{}".format(*sys.version_info)
    assert "mass_matrix" in about["offers"]
    assert "load" not in about["offers"]
    assert worker.import_seconds > 0


def test_it_counts_the_time(worker: Worker) -> None:
    before = worker.library_seconds
    answer = worker.measure("kinetic_energy", "arm", inputs("v"), repeat=5)
    assert answer.per_call is not None
    assert 0 < answer.per_call <= answer.seconds
    assert worker.library_seconds == pytest.approx(before + answer.seconds)
    assert worker.cpu_seconds > 0


def test_a_library_that_is_not_installed_is_absent() -> None:
    with Worker("_absent", sys.executable) as worker:
        assert worker.about["absent"].startswith("ModuleNotFoundError: No module named")
        assert not worker.usable
        with pytest.raises(WorkerDied, match="does not start: ModuleNotFoundError"):
            worker.load("arm", MODEL)


def test_a_library_that_cannot_be_imported_is_broken() -> None:
    with Worker("_broken", sys.executable) as worker:
        assert worker.about["broken"].startswith("ImportError: libfoo.so.3")


def test_an_adapter_that_does_not_exist_is_broken_not_absent() -> None:
    with Worker("no_such_adapter", sys.executable) as worker:
        assert "no_such_adapter" in worker.about["broken"]


def test_a_library_may_die_on_import() -> None:
    with Worker("_dies_on_import", sys.executable) as worker:
        assert worker.about["crashed"] == "SIGABRT: Fatal Python error: Aborted"


def test_a_library_may_hang_on_import() -> None:
    with Worker("_faulty", sys.executable, import_timeout=0.0) as worker:
        assert worker.about["crashed"] == "no answer within 0 s"


def test_an_interpreter_may_be_missing() -> None:
    with Worker("_faulty", "/no/such/python") as worker:
        assert worker.about["broken"].startswith("cannot run /no/such/python")


# -------------------------------------------------------------------------- how it dies


def test_a_crash_is_named_and_the_worker_starts_again(worker: Worker) -> None:
    with pytest.raises(WorkerDied, match="SIGSEGV: Fatal Python error") as death:
        worker.compute("mass_matrix", "arm", inputs())
    assert death.value.sample == 0
    assert_alive(worker)


def test_the_sample_that_crashed_is_named(worker: Worker) -> None:
    with pytest.raises(WorkerDied, match="SIGABRT") as death:
        worker.compute("forward_dynamics", "arm", inputs("v", "tau", q=(0, 0, 1)))
    assert death.value.sample == 2
    assert_alive(worker)


def test_a_hang_ends_after_the_time_for_a_call(worker: Worker) -> None:
    start = time.monotonic()
    with pytest.raises(WorkerTimeout, match="no answer within 1 s") as death:
        worker.compute("inverse_dynamics", "arm", inputs("v", "a"))
    assert death.value.sample == 0
    assert time.monotonic() - start < 3
    assert_alive(worker)


def test_many_calls_may_take_longer_than_one(worker: Worker) -> None:
    answer = worker.compute("potential_energy", "arm", {"q": np.full((3, 2), 0.5)})
    assert answer.seconds > worker.timeout


def test_an_exit_is_a_death(worker: Worker) -> None:
    with pytest.raises(WorkerDied, match="exit status 3"):
        worker.compute("frame_pose", "arm", inputs())
    assert_alive(worker)


def test_rubbish_on_the_pipe_is_a_death() -> None:
    with Worker("_writes_rubbish", sys.executable) as worker:
        worker.load("arm", MODEL)
        with pytest.raises(WorkerDied, match="answered rubbish") as death:
            worker.compute("mass_matrix", "arm", inputs())
        assert death.value.sample is None
        with pytest.raises(WorkerDied, match="answered rubbish"):
            worker.compute("mass_matrix", "arm", inputs())


def test_a_worker_killed_between_requests_is_replaced(worker: Worker) -> None:
    assert worker._process is not None
    os.kill(worker._process.pid, 9)
    with pytest.raises(WorkerDied, match="SIGKILL") as death:
        assert_alive(worker)
    assert death.value.sample is None
    assert_alive(worker)


def test_nothing_is_left_behind() -> None:
    worker = Worker("_faulty", sys.executable)
    assert worker._process is not None
    pid, folder = worker._process.pid, worker._folder
    worker.close()
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# ---------------------------------------------------------------------- what it answers


def test_an_exception_is_told_with_its_sample(worker: Worker) -> None:
    with pytest.raises(LibraryError) as error:
        worker.compute("gravity_forces", "arm", inputs(q=(-1, 1, -1)))
    assert error.value.text == "ValueError: library says no"
    assert error.value.sample == 1
    assert "in gravity_forces" in error.value.traceback


def test_a_model_that_is_refused_is_told(worker: Worker) -> None:
    with pytest.raises(LibraryError, match="TypeError: too many joints") as error:
        worker.load("refused", MODEL.renamed("refused"))
    assert error.value.sample is None


def test_what_a_library_has_no_words_for_is_not_an_error(worker: Worker) -> None:
    with pytest.raises(LibraryUnsupported, match="too new"):
        worker.load("unsupported", MODEL.renamed("unsupported"))
    with pytest.raises(LibraryUnsupported, match="not for this robot"):
        worker.compute("body_jacobian", "arm", inputs())
    with pytest.raises(LibraryUnsupported, match="no joint_torque_regressor"):
        worker.compute("joint_torque_regressor", "arm", inputs("v", "a"))
    assert_alive(worker)


def test_not_a_number_passes_through(worker: Worker) -> None:
    value = worker.compute("bias_forces", "arm", inputs("v")).value
    assert value.shape == (3, 2)
    assert np.isnan(value).all()


def test_a_wrong_shape_passes_through(worker: Worker) -> None:
    assert worker.compute("coriolis_forces", "arm", inputs("v")).value.shape == (3, 3)


def test_shapes_that_differ_between_samples_are_an_error(worker: Worker) -> None:
    with pytest.raises(LibraryError, match=r"shape \(7,\) where sample 0 had") as error:
        worker.compute("frame_velocity", "arm", inputs("v", q=(0, 0, 1)))
    assert error.value.sample == 2


def test_complex_numbers_are_an_error(worker: Worker) -> None:
    with pytest.raises(LibraryError, match="complex128, not real numbers"):
        worker.compute("coriolis_matrix", "arm", inputs("v"))


def test_objects_are_an_error(worker: Worker) -> None:
    with pytest.raises(LibraryError, match="object, not real numbers"):
        worker.compute("frame_jacobian", "arm", inputs())


def test_half_a_velocity_is_an_error(worker: Worker) -> None:
    with pytest.raises(LibraryError, match="TypeError: 'float' object cannot be"):
        worker.joint_sizes()
    assert_alive(worker)


def test_a_library_without_joint_models_has_none_to_ask_for() -> None:
    with (
        Worker("_writes_rubbish", sys.executable) as worker,
        pytest.raises(LibraryUnsupported, match="no joint models to ask for"),
    ):
        worker.joint_sizes()


def test_a_library_may_print(worker: Worker) -> None:
    answer = worker.compute("potential_energy", "arm", inputs())
    assert answer.value.tolist() == [0.0] * 3


def test_a_library_may_not_reach_back_into_its_answers(worker: Worker) -> None:
    value = worker.compute("space_jacobian", "arm", inputs(q=(1, 2, 3))).value
    assert value[:, 0].tolist() == [1, 2, 3]


def test_a_library_may_not_change_the_inputs_of_the_next_call(worker: Worker) -> None:
    given = inputs(q=(1, 2, 3))
    value = worker.measure("space_jacobian", "arm", given, repeat=3).value
    assert value[:, 0].tolist() == [1, 2, 3]
    assert given["q"][:, 0].tolist() == [1, 2, 3]
