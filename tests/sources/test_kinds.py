"""Which names are logs, and what first bytes tell."""

from __future__ import annotations

import io
import tarfile

import pytest

from assistant.sources.kinds import is_tar, is_text, kind, unpacked

NAMES = {
    "log": "worker_0.log scheduler.log worker_10.0.0.2_hostA_3.log worker_0.log.1 x.log.12.gz "
           "worker_0.log.2025-07-01 train.log-20250701 a.log_old nohup.out job.err job.o123 "
           "job.e4 slurm-12.out pasted.txt x.stdout plog-1_2025.log worker_0.log.gz a.LOG a.txt.xz",
    "text": "nohup console device-0 core.1234 worker.20250701",
    "unsure": "worker_0.log.bak run.trace a.log.tmp",
    "archive": "job.zip job.tar job.tar.gz job.tgz job.tbz2 job.tar.xz job.tar.zst job.TAR.GZ",
    "foreign-archive": "job.7z job.rar worker_0.log.lz4",
    "other": "a.py expect.yaml rank_table.json x.ckpt x.safetensors a.npy loss.png README "
             "README.md requirements.txt events.out.tfevents.1.host a.json.gz x.log.json "
             "a.out.events.summary.1.MS",
}


@pytest.mark.parametrize(("name", "expected"), [
    (name, expected) for expected, names in NAMES.items() for name in names.split()])
def test_kind(name, expected):
    assert kind(name) == expected


@pytest.mark.parametrize(("name", "expected"), [
    ("a.log.gz", "a.log"), ("job.tar.gz", "job"), ("job.tgz", "job"), ("job.zip", "job"),
    ("a.log", "a.log"), ("a.log.1", "a.log.1"),
])
def test_unpacked(name, expected):
    assert unpacked(name) == expected


@pytest.mark.parametrize(("head", "expected"), [
    (b"", True), (b"plain\r\n\t", True), (b"\x1b[31mred\x1b[0m", True), ("错误".encode(), True),
    ("错误".encode("gbk"), True), (b"a\x00b", False), (bytes(range(1, 9)) * 9, False),
    (b"\x7fELF\x02\x01\x01\x00", False),
])
def test_is_text(head, expected):
    assert is_text(head) is expected


def test_is_tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("错误.log"))
    assert is_tar(file.getvalue())
    assert is_tar(bytes(10240))  # an empty one
    assert not is_tar(bytes(512))
    assert not is_tar(file.getvalue()[:300])
    assert not is_tar(b"a line of a log\n" * 100)
