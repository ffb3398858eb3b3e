"""Pipeline stages: from the configuration, else from who prints a loss.

mindformers lays ranks out as [pipeline, data, context, tensor], the tensor axis fastest: a
stage is a block of world/pp consecutive ranks and the last block prints the loss
(mindformers/pynative/distributed/parallel_dims.py, 2.1.0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant.evidence.series import NOT_APPLICABLE, NUMBER, Series
from assistant.job import marks
from assistant.job.types import LogFile

_CONFIG_KEYS = ("parallelism.pipeline_parallel", "pipeline_parallel",
                "parallel_config.pipeline_stage", "pipeline_stage")


@dataclass(frozen=True, slots=True)
class Stages:
    """How ranks fall into stages.

    Attributes:
        count: number of stages, None if unknown.
        size: ranks a stage, None if unknown.
        last: rank to whether it is seen on the last stage, where `size` does not tell.
    """

    count: int | None = None
    size: int | None = None
    last: Mapping[int, bool] | None = None

    def of(self, rank: int) -> tuple[int | None, bool | None]:
        """(stage, whether it is the last one) of a rank, None where unknown."""
        if self.count is not None and self.size is not None:
            stage = rank // self.size
            return stage, stage == self.count - 1
        return None, (self.last or {}).get(rank)


NO_STAGES = Stages()


def find(files: Iterable[LogFile], series: Mapping[int, Series], world: int | None) -> Stages:
    """The stages of the job; `series` is rank to its step lines."""
    last = {rank: printed for rank, steps in series.items()
            if (printed := prints_loss(steps)) is not None}
    count = _stated(files) or _seen(last, world)
    if count is not None and world is not None and count > 0 and world % count == 0:
        return Stages(count, world // count, last)
    return Stages(count, None, last)


def prints_loss(series: Series) -> bool | None:
    """Whether a rank prints a loss; None where it prints no step.

    False needs a word: the loss is declared not applicable, or every other column is there
    and the loss is not.
    """
    if not series.rows:
        return None
    loss = series.columns.get("loss")
    if loss is None:
        return False
    if NUMBER in loss.kinds:
        return True
    return False if NOT_APPLICABLE in loss.kinds else None


def _stated(files: Iterable[LogFile]) -> int | None:
    """The number of stages that most files state."""
    votes: Counter[int] = Counter()
    for file in files:
        if file.stale or file.echo:
            continue
        config = file.evidence.config if file.evidence.config_line >= file.run_start or (
            file.run_start == 1) else {}
        value = next((config[key] for key in _CONFIG_KEYS if key in config), "")
        stated = marks.whole(value)
        if stated is not None:
            votes[stated] += 1
        else:
            for name in ("parallelism", "device-mesh"):
                votes.update(marks.numbers(file.evidence, name, "pp", file.run_start)[:1])
    return min(votes, key=lambda count: (-votes[count], count)) if votes else None


def _seen(last: Mapping[int, bool], world: int | None) -> int | None:
    """The number of stages, where exactly the last block of ranks prints a loss."""
    if world is None or not last or not any(last.values()):
        return None
    size = world - min(rank for rank, printed in last.items() if printed)
    block = all(printed == (rank >= world - size) for rank, printed in last.items())
    whole = len(last) == world
    return world // size if block and whole and world % size == 0 else None
