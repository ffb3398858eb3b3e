"""What can be set, and from where: defaults, then a file, then the environment, then flags.

Every setting is one field here; its flag (`--max-bytes`), its variable (`KBTRIAGE_MAX_BYTES`)
and its key in the file (`max_bytes`) follow from its name. Lists are separated by `:` in a
variable, as in PATH.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any

from assistant.errors import UsageError

PREFIX = "KBTRIAGE_"
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off", "")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _setting(default: Any, text: str, kind: str) -> Any:
    made = {"default_factory": tuple} if kind == "list" else {"default": default}
    return field(**made, metadata={"help": text, "kind": kind})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the help texts say what each means. `kind` is how text is read:
    `text`, `number`, `size` (bytes, with K, M or G), `flag` or `list`."""

    host: str = _setting("127.0.0.1", "address to listen on", "text")
    port: int = _setting(8686, "port to listen on", "number")
    allow_host: tuple[str, ...] = _setting(
        (), "name under which the page is reached, beside localhost, where it listens on a "
        "loopback address only", "list")
    behind_proxy: bool = _setting(
        False, "believe X-Forwarded-For, -Proto, -Host and -Prefix of one reverse proxy", "flag")
    prefix: str = _setting("", "path below which a reverse proxy shows the page, e.g. /kbtriage",
                           "text")
    root: tuple[str, ...] = _setting(
        (), "folder below which logs on this machine may be checked by path", "list")
    pack: tuple[str, ...] = _setting((), "folder of further rules and articles", "list")
    engine: str = _setting("auto", "what matches patterns: auto, hyperscan or re2", "text")
    cache: bool = _setting(True, "keep compiled patterns between starts", "flag")
    store: str = _setting("", "SQLite file in which reports are kept; none: nothing is kept",
                          "text")
    store_days: int = _setting(30, "days after which a kept report is deleted", "number")
    store_inputs: bool = _setting(False, "keep the logs beside the reports, too", "flag")
    list_reports: bool = _setting(True, "show the list of kept reports", "flag")
    secret: str = _setting("", "key that seals what a page sends back; the same on all servers "
                           "behind one address (default: a new one at each start)", "text")
    max_bytes: int = _setting(128 << 20, "bytes of one request", "size")
    max_text: int = _setting(16 << 20, "bytes of pasted text", "size")
    max_files: int = _setting(20_000, "files of one check, archive members included", "number")
    max_expanded: int = _setting(2 << 30, "bytes of one check after decompression", "size")
    max_ratio: int = _setting(200, "how many times its size an upload may expand to", "number")
    max_seconds: int = _setting(60, "seconds that one check may take", "number")
    max_checks: int = _setting(2, "checks at the same time", "number")
    isolate: bool = _setting(True, "run checks in processes of their own", "flag")
    max_waiting: int = _setting(32, "checks that may wait for their turn", "number")
    max_wait: int = _setting(10, "seconds that a check may wait for its turn", "number")
    rate: int = _setting(120, "checks a minute from one address, 0: any number", "number")

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.metadata["kind"] in ("number", "size") and value < _least(item.name):
                raise UsageError(f"{flag(item)} {value}: it must be at least {_least(item.name)}")
        if not 0 <= self.port <= 65535:
            raise UsageError(f"--port {self.port}: a port is a number from 0 to 65535")
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/")):
            raise UsageError(f"--prefix {self.prefix}: write it with `/` in front and none "
                             "at its end, e.g. /kbtriage")
        for root in self.root:
            if not os.path.isdir(root):
                raise UsageError(f"--root {root}: there is no such folder")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the page."""
        return self.host in ("127.0.0.1", "localhost", "::1")


def load(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ,
         file: str | None = None) -> Settings:
    """Settings from all places.

    Args:
        flags: name to value, as given on the command line; None: not given.
        environ: where `KBTRIAGE_<NAME>` is looked up.
        file: YAML file; default: what `KBTRIAGE_CONFIG` names.

    Raises:
        UsageError: a value that cannot be read, an unknown key in the file.
    """
    values = _from_file(file or environ.get(PREFIX + "CONFIG"))
    for item in fields(Settings):
        variable = PREFIX + item.name.upper()
        if variable in environ:
            values[item.name] = _read(item, environ[variable], variable)
        given = flags.get(item.name)
        if given is not None and given != []:
            values[item.name] = _read(item, given, flag(item))
    return Settings(**values)


def flag(item: Field[Any]) -> str:
    """The flag of a setting."""
    return "--" + item.name.replace("_", "-")


def default(item: Field[Any]) -> Any:
    """The value of a setting that nobody gives."""
    return () if item.default is MISSING else item.default


def _least(name: str) -> int:
    return 0 if name in ("port", "rate", "max_waiting", "max_wait") else 1


def _from_file(path: str | None) -> dict[str, Any]:
    if not path:
        return {}
    import yaml

    try:
        with open(path, encoding="utf-8") as stream:
            content = yaml.safe_load(stream)
    except OSError as error:
        raise UsageError(f"{path}: the settings cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: the settings are not YAML: {error}") from error
    if not isinstance(content or {}, dict):
        raise UsageError(f"{path}: write the settings as `name: value`, a line each")
    known = {item.name: item for item in fields(Settings)}
    values = {}
    for key, value in (content or {}).items():
        name = str(key).replace("-", "_")
        if name not in known:
            raise UsageError(f"{path}: there is no setting `{key}`; there are "
                             + ", ".join(sorted(known)))
        values[name] = _read(known[name], value, f"{path}: {key}")
    return values


def _read(item: Field[Any], value: Any, where: str) -> Any:
    """A value of the right type out of text, YAML or a flag. Raises UsageError."""
    kind = item.metadata["kind"]
    text = str(value).strip()
    if kind == "list":
        parts = value.split(os.pathsep) if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)):
            raise UsageError(f"{where}: it is a list")
        return tuple(str(part) for part in parts if part)
    if kind == "flag":
        if text.lower() in (*_TRUE, *_FALSE):
            return text.lower() in _TRUE
        raise UsageError(f"{where}: `{value}` is neither true nor false")
    if kind in ("number", "size"):
        unit = text[-1:].upper() if kind == "size" and text[-1:].upper() in _UNITS else ""
        digits = text[:-1] if unit else text
        if not digits.isdecimal():
            raise UsageError(f"{where}: `{value}` is not a whole number"
                             + (", with K, M or G behind it if wanted" if kind == "size" else ""))
        return int(digits) * _UNITS[unit]
    return text
