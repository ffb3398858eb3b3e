"""Rules: the language, its files, packs of them, and what is wrong with them.

    ruleset = load(packs.layers())
"""

from assistant.rules.loading import load

__all__ = ["load", "schema_text"]


def schema_text(kind: str) -> str:
    """The JSON Schema of a kind of file (rule, landmarks, pack, site) as JSON text.

    Raises KeyError for another kind.
    """
    from assistant.rules import schema

    return schema.schema_text(kind)
