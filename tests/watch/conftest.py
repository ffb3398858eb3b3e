"""A watch without waiting: time passes, and the script of the job goes on, while it sleeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from assistant.patterns import Engine
from assistant.pipeline import Knowledge
from assistant.scan import build_engine
from assistant.watch.events import Ended, Event
from assistant.watch.folder import Folder
from assistant.watch.watcher import Plan, Watch

LAB = Path(__file__).parent.parent / "cases" / "lab"


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="package")
def knowledge(cache: None) -> Knowledge:
    return Knowledge()


@pytest.fixture(scope="package")
def engine(knowledge: Knowledge) -> Engine:
    return build_engine(knowledge.rules.patterns(), knowledge.cache_dir)


class Script:
    """What happens, one action a look; time stands still between two looks.

    Attributes: now: seconds of the clock.
    """

    def __init__(self, actions: Sequence[Callable[[], object]], most: int = 400) -> None:
        self._actions = list(actions)
        self._left = most
        self.now = 1000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self._left -= 1
        assert self._left, "the watch does not end"
        if self._actions:
            self._actions.pop(0)()


@pytest.fixture
def watch_of(knowledge: Knowledge, engine: Engine
             ) -> Callable[[Path, Script, Plan], Watch]:
    """Makes a watch over a path."""
    specs = knowledge.rules.patterns()

    def make(path: Path, script: Script, plan: Plan) -> Watch:
        folder = Folder([str(path)], engine, specs, script.clock)
        return Watch(knowledge, folder, plan, script.clock, script.sleep)

    return make


def the_end(events: Sequence[Event]) -> Ended:
    assert isinstance(events[-1], Ended)
    return events[-1]
