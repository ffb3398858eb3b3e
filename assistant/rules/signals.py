"""What a rule can look for, as data; docs/rules.md has the spelling (see also types.py)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantifier:
    """On which ranks a signal must show: `ranks:`.

    Attributes:
        kind: one of QUANTIFIERS, or `count` (at least `value` ranks) or `share`
            (at least the fraction `value` of the ranks whose logs were read).
        value: only for `count` and `share`.
    """

    kind: str = "any"
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class LogSignal:
    """`log:` one or more regular expressions, of which one must match a line.

    Attributes:
        patterns: RE2 expressions, tried in order on a candidate line.
        roles: kinds of file; empty means any.
        levels, components: the record's level and module must be among these, if given.
        inside, outside: kinds of event that must, or must not, hold the line.
        at_least: how many lines must match in one file.
        quantifier: on which ranks.
        before, after: name of another signal of the rule that this one must precede or
            follow (on the same rank; across ranks only where the order is sound).
        within: seconds to that other signal at most.
        rank_from, pid_from, device_from: capture that names the rank (or a list of ranks),
            the process or the device that the finding is about, instead of the file's rank.
        rank_base, rank_stride: the numbers of rank_from stand for ranks: `rank_base` for rank 0,
            `rank_stride` further for each next one; numbers between belong to the lower rank.
        host_from: capture that names a node by host name or address; `device_from` then counts
            there, and without it the finding is about all ranks of the node.
        missing_from: capture that lists ranks; the finding is about all others.
        group_from: capture that names a communication group, within which the numbers of
            rank_from, missing_from and waits_for are positions.
        differs, same: only lines whose capture `differs` has a rarer value than on other
            ranks, among lines that are equal in the captures `same`.
        earliest: only the earliest matches of the job: none later than the first by more than
            these seconds, on the common clock.
        waits_for: capture that holds the rank for which the file's rank waits;
            waits_for_device: the same by the number of a device on the same node.
    """

    patterns: tuple[str, ...]
    roles: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    at_least: int = 1
    quantifier: Quantifier = Quantifier()
    before: str | None = None
    after: str | None = None
    within: float | None = None
    rank_from: str | None = None
    rank_base: int = 0
    rank_stride: int = 1
    earliest: float | None = None
    pid_from: str | None = None
    device_from: str | None = None
    host_from: str | None = None
    missing_from: str | None = None
    group_from: str | None = None
    differs: str | None = None
    same: tuple[str, ...] = ()
    waits_for: str | None = None
    waits_for_device: str | None = None


@dataclass(frozen=True, slots=True)
class EventSignal:
    """`exception:` (a Python traceback by its type) or `block:` (another kind of event).

    Attributes:
        kind: one of EVENT_KINDS.
        title: RE2 expression searched in the event's title (exception type, CANN code).
        message: searched in the message; text: searched in message and all sections.
        frame: searched in `path:function` of the innermost frame.
        where: `user` or `library`: whose code the innermost frame is in.
        codes: codes or globs (`EI*`, `5070*`) of which the event must hold one.
        roles, at_least, quantifier, before, after, within, rank_from, waits_for: as for LogSignal.
    """

    kind: str
    title: str | None = None
    message: str | None = None
    text: str | None = None
    frame: str | None = None
    where: str | None = None
    codes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    at_least: int = 1
    quantifier: Quantifier = Quantifier()
    before: str | None = None
    after: str | None = None
    within: float | None = None
    rank_from: str | None = None
    waits_for: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorSignal:
    """`error:` an error-looking line that no other rule has claimed.

    Attributes:
        text: RE2 expression searched in the line, None for any line.
        components, levels: as for LogSignal. codes: as for EventSignal.
        roles, quantifier: as for LogSignal.
    """

    text: str | None = None
    components: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class CodeSignal:
    """`code:` an error code wherever it is printed: in an event or on an error-looking line.

    Attributes:
        codes: codes or globs (`EI0006`, `5070*`), of which one must be there.
        roles, quantifier: as for LogSignal.
    """

    codes: tuple[str, ...]
    roles: tuple[str, ...] = ()
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class Spike:
    """`spike:` a value far above the median of the window before it.

    Attributes:
        deviations: how many robust standard deviations (1.4826 * MAD) above the median.
        window: how many earlier values make the median.
        times: and at least this many times the median (guards a MAD near zero).
        at_least: how many values must stand out so.
    """

    deviations: float = 8.0
    window: int = 20
    times: float = 1.3
    at_least: int = 1


@dataclass(frozen=True, slots=True)
class MetricSignal:
    """`metric:` a test over one column of the step series.

    Attributes:
        metric: loss, grad_norm, lr, per_step_time, throughput ... (any printed field);
            alternatives in order, the first that the series holds counts.
        test: one of METRIC_TESTS, or None when another test is given.
        above, below: a number that the value exceeds or falls short of.
        spike: see Spike.
        slower_than: `peers` (the median of the other ranks of the same stage at the same
            step) or `past` (the rank's own median over its first steady steps).
        unlike: `peers`: the value differs from that of its peers at the same step.
        by: factor for slower_than and unlike (1.5: one and a half times).
        steps: how many consecutive steps must show it (`for:`); for `slower_than` the
            number of steps over which the medians are taken at least.
        skip_first: how many first steps do not count (warm-up).
        quantifier: on which ranks.
    """

    metric: tuple[str, ...]
    test: str | None = None
    above: float | None = None
    below: float | None = None
    spike: Spike | None = None
    slower_than: str | None = None
    unlike: str | None = None
    by: float = 1.5
    steps: int = 1
    skip_first: int = 0
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class StateSignal:
    """`state:` how ranks stand at the end of their logs.

    Attributes:
        states: accepted states, of STATES.
        behind: `peers`: its last step (or, before training, its phase) is behind that of
            most of the other ranks; `none`: it is not behind; `total`: its last step is
            behind the total that its own step lines state.
        without: `error`: its log was read and holds neither exception nor error block nor error
            line.
        exit_codes: exit codes (negative: signal) that msrun's console gives, or globs.
        named_by: `scheduler`: the scheduler lists it as timed out; `console`: msrun's
            console names it first; `wait-chain`: others wait for it and it waits for none.
        quantifier: on which ranks.
    """

    states: tuple[str, ...] = ()
    behind: str | None = None
    without: str | None = None
    exit_codes: tuple[int, ...] = ()
    named_by: str | None = None
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class ReachedSignal:
    """`reached:` ranks that got to a phase. With `from_start` only ranks whose log holds
    its own beginning, so that the absence of an earlier line means something."""

    phase: str
    from_start: bool = False
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class LandmarkSignal:
    """`landmark:` a named line of rules/landmarks.yaml was seen."""

    name: str
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class FileSignal:
    """`file:` something about the files themselves, one of FILE_CONDITIONS."""

    condition: str
    roles: tuple[str, ...] = ()
    quantifier: Quantifier = Quantifier()


@dataclass(frozen=True, slots=True)
class FactSignal:
    """`fact:` a value of the job compared with a number, a text or another fact.

    Attributes:
        name: world_size, ranks_seen, nodes, pipeline_parallel, mode, last_step,
            total_steps, registered, expected, mindspore, mindformers, cann.
        is_: equal to this text or number. above, below: numbers.
        differs_from: name of another fact that is known and not equal.
    """

    name: str
    is_: str | float | None = None
    above: float | None = None
    below: float | None = None
    differs_from: str | None = None


@dataclass(frozen=True, slots=True)
class ConfigSignal:
    """`config:` a value of the configuration that the job printed.

    Attributes:
        keys: nested keys joined by points; the first that is there counts.
        is_: equal to this text, number, or true or false. above, below: numbers.
        differs_from: name of a fact that is known and not equal.
    """

    keys: tuple[str, ...]
    is_: str | float | bool | None = None
    above: float | None = None
    below: float | None = None
    differs_from: str | None = None


Signal = (LogSignal | EventSignal | ErrorSignal | CodeSignal | MetricSignal | StateSignal
          | ReachedSignal | LandmarkSignal | FileSignal | FactSignal
          | ConfigSignal)
