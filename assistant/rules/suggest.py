"""Words for cures: "did you mean", and lists of what is allowed."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed word that was probably meant, None if none is near."""
    import difflib

    names = [str(name) for name in allowed]
    lower = {name.lower(): name for name in names}
    plain = word.lower().replace("_", "-")
    for name in names:
        if name.lower().replace("_", "-") == plain:
            return name
    near = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[near[0]] if near else None


def instead(word: str, allowed: Iterable[str], what: str = "use one of") -> str:
    """A cure for an unknown word: the one that was meant, else all that are allowed."""
    names = [str(name) for name in allowed]
    near = closest(word, names)
    if near is not None:
        return f"did you mean `{near}`?"
    if not names:
        return "remove it"
    return f"{what}: {listed(names)}"


def listed(names: Iterable[str], limit: int = 12) -> str:
    """`a, b, c`, cut after `limit` words."""
    words = list(names)
    return ", ".join(words[:limit]) + (", ..." if len(words) > limit else "")
