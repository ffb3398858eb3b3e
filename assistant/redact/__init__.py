"""What a report gives away about people and machines, replaced by stable placeholders."""

from assistant.redact.apply import redact
from assistant.redact.known import known_hosts
from assistant.redact.redactor import Redactor

__all__ = ["Redactor", "known_hosts", "redact"]
