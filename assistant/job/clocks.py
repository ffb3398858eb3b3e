"""The clocks of the nodes, and whether one event is known to precede another.

Two events are shared by nodes. The scheduler prints that it registered a process, and that
process prints its first `Topology build timed out., retry(1/...)` as soon as the answer
arrives: the smallest difference over the ranks of a node bounds its offset from above, and
tightly. And in a synchronous job no rank ends step k+1 before all have ended step k, which
bounds it from both sides.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from assistant.evidence.series import Series
from assistant.job import marks
from assistant.job.cluster import Cluster
from assistant.job.nodes import same_host
from assistant.job.types import Clock, Job, LogFile, Node

#: The answer to a registration, of the quickest rank of a node, is believed to take at most
#: this long (seconds). Measured: below a millisecond.
ANSWER = 1.0

Bounds = tuple[float, float]
_UNBOUNDED: Bounds = (-math.inf, math.inf)


def estimate(nodes: Sequence[Node], files: Iterable[LogFile], ranks: Mapping[str, int],
             of_rank: Mapping[int, str], series: Mapping[int, Series], cluster: Cluster,
             ) -> dict[str, Clock]:
    """Node key to its clock, against the scheduler's node, else the first with ranks.

    Args:
        ranks: file name to rank. of_rank: rank to node key. series: rank to step lines.
    """
    keys = [node.key for node in nodes]
    if not keys:
        return {}
    with_ranks = [node.key for node in nodes if node.ranks]
    home = cluster.node if cluster.node in keys else None
    reference = home if home is not None else (with_ranks or keys)[0]
    by_key = {node.key: node for node in nodes}
    answers = _answers(files, ranks, of_rank, cluster)
    steps = _step_times(of_rank, series)
    clocks: dict[str, Clock] = {}
    for key in keys:
        if key == reference or same_host(by_key[key], by_key[reference]):
            clocks[key] = Clock(0.0, 0.0)
            continue
        low, high = _by_steps(steps.get(reference, {}), steps.get(key, {}))
        if home is not None and key in answers:
            tight = (max(low, answers[key] - ANSWER), min(high, answers[key]))
            low, high = tight if tight[0] <= tight[1] else (low, high)
        if math.isfinite(low) and math.isfinite(high) and low <= high:
            clocks[key] = Clock((low + high) / 2, (high - low) / 2)
        else:
            clocks[key] = Clock()
    return clocks


def order(job: Job, a_node: str | None, a_time: float | None, b_node: str | None,
          b_time: float | None) -> int:
    """-1 where a is known to be earlier than b, 1 where later, 0 where nothing sound is known.

    On one node the logs' times are compared as they are; between nodes the difference must
    exceed what is not known of their clocks.
    """
    if a_time is None or b_time is None:
        return 0
    if len(job.nodes) == 1:
        a_node = a_node if a_node is not None else job.nodes[0].key
        b_node = b_node if b_node is not None else job.nodes[0].key
    if a_node is None or b_node is None:
        return 0
    difference, doubt = a_time - b_time, 0.0
    if a_node != b_node:
        one, other = job.clocks.get(a_node, Clock()), job.clocks.get(b_node, Clock())
        difference -= one.offset - other.offset
        doubt = one.error + other.error
    if abs(difference) <= doubt:
        return 0
    return (difference > 0) - (difference < 0)


def _answers(files: Iterable[LogFile], ranks: Mapping[str, int], of_rank: Mapping[int, str],
             cluster: Cluster) -> dict[str, float]:
    """Node key to the smallest (first retry on the worker - registration at the scheduler)."""
    found: dict[str, float] = {}
    for file in files:
        rank = ranks.get(file.name)
        member = cluster.members.get(rank) if rank is not None else None
        if rank is None or member is None or member.time is None or file.role != "worker":
            continue
        hit = marks.first(file.evidence, "topology-retry", file.run_start)
        if hit is None or hit.time is None or file.stale or "retry(1/" not in hit.text:
            continue
        key = of_rank[rank]
        found[key] = min(found.get(key, math.inf), hit.time - member.time)
    return found


def _step_times(of_rank: Mapping[int, str], series: Mapping[int, Series],
                ) -> dict[str, dict[int, Bounds]]:
    """Node key to step to (earliest, latest) time at which its ranks ended that step."""
    found: dict[str, dict[int, Bounds]] = defaultdict(dict)
    for rank, steps in series.items():
        table = found[of_rank.get(rank, "")]
        for step, time in zip(steps.steps, steps.times, strict=True):
            if time is not None:
                low, high = table.get(step, (time, time))
                table[step] = (min(low, time), max(high, time))
    return found


def _by_steps(reference: Mapping[int, Bounds], other: Mapping[int, Bounds]) -> Bounds:
    """Bounds of the offset of the other clock: step k ends nowhere after k+1 ends anywhere.

    With kept rows thinned out, the nearest kept later step takes the place of k+1.
    """
    low, high = _UNBOUNDED
    for mine, theirs, sign in ((reference, other, 1), (other, reference, -1)):
        later = sorted(theirs)
        for step, (_, ended) in mine.items():
            at = bisect_right(later, step)
            if at < len(later):
                # the other ends a later step after this one ended here
                bound = theirs[later[at]][0] - ended
                if sign > 0:
                    high = min(high, bound)
                else:
                    low = max(low, -bound)
    return low, high
