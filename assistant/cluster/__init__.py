"""Logs scanned by the workers of a Dask cluster, where the logs lie.

    evidence = scan(["output/msrun_log"], specs, "dask://10.0.0.1:8786")
"""

from __future__ import annotations

from assistant.cluster.client import PREFIX, scan

__all__ = ["PREFIX", "scan"]
