"""Arguments of every kind, and what is said about each thing that is not read."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import shutil
import socket

import pytest

from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.sources import LogSource, find

needs_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, content=b"text\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def read(*paths, stdin=None):
    """Contents by name, reasons by name; every source read before the next is drawn."""
    contents, skipped = {}, {}
    for item in find([str(path) for path in paths], stdin=stdin):
        if isinstance(item, Skipped):
            skipped[item.file] = item.why
        else:
            assert item.name not in contents
            with item.open() as stream:
                contents[item.name] = stream.read()
    return contents, skipped


def names(*paths):
    return list(read(*paths)[0])


def test_a_folder(here):
    write(here / "run/worker_1.log", b"one\n")
    write(here / "run/worker_0.log", b"zero\n")
    write(here / "run/deep/er/plog-1.log", b"p\n")
    assert read("run") == ({"deep/er/plog-1.log": b"p\n", "worker_0.log": b"zero\n",
                            "worker_1.log": b"one\n"}, {})
    assert names("run") == ["deep/er/plog-1.log", "worker_0.log", "worker_1.log"]


def test_a_source_tells_size_time_and_path(here):
    file = write(here / "run/worker_0.log", b"12345")
    os.utime(file, (10, 20))
    (source,) = find(["run"])
    assert isinstance(source, LogSource)
    assert (source.size, source.mtime, source.path) == (5, 20.0, "run/worker_0.log")
    copy = pickle.loads(pickle.dumps(source))
    with copy.open() as stream:
        assert stream.read() == b"12345"


def test_several_nodes(here):
    for node in "ab":
        write(here / node / "msrun_log/worker_0.log")
    expected = ["a/msrun_log/worker_0.log", "b/msrun_log/worker_0.log"]
    assert names(".") == expected
    assert names("a/msrun_log", "b/msrun_log") == expected
    assert names("b/msrun_log/", "a/msrun_log", "a/msrun_log") == expected
    assert names("?/msrun_log") == expected
    assert names("**/*.log") == ["a/msrun_log/worker_0.log", "b/msrun_log/worker_0.log"]


def test_files(here):
    write(here / "a/worker_0.log")
    write(here / "a/worker_1.log")
    assert names("a/worker_0.log") == ["worker_0.log"]
    assert names("a/worker_1.log", "a/worker_0.log") == ["worker_0.log", "worker_1.log"]
    assert names("a", "a/worker_0.log") == ["a/worker_0.log", "a/worker_1.log"]
    assert names("a/*_0.log") == ["worker_0.log"]


def test_a_name_with_pattern_signs_is_itself_first(here):
    write(here / "w[0].log", b"itself")
    write(here / "w0.log", b"other")
    assert read("w[0].log")[0] == {"w[0].log": b"itself"}
    (here / "w[0].log").unlink()
    assert read("w[0].log")[0] == {"w0.log": b"other"}


def test_other_files_are_counted_and_doubtful_ones_named(here):
    write(here / "run/worker_0.log")
    for name in ("a.py", "b.py", "expect.yaml", "x.ckpt"):
        write(here / "run" / name)
    write(here / "run/notes.trace")
    write(here / "run/tool", b"\x7fELF\x00\x01")
    write(here / "run/hostnames", b"node-a\n")
    write(here / "run/.hidden.log")
    write(here / "run/.git/x.log")
    write(here / "run/__pycache__/x.log")
    write(here / "run/job.7z")
    contents, skipped = read("run")
    assert list(contents) == ["hostnames", "worker_0.log"]
    assert skipped.pop(".") == ("5 files of other kinds were passed over: .py 2, .ckpt 1, "
                                ".yaml 1, without extension 1")
    assert "name is not that of a log" in skipped.pop("notes.trace")
    assert ".tar.gz" in skipped.pop("job.7z")
    assert skipped == {}


def test_doubtful_files_without_number_are_summarised(here):
    write(here / "worker_0.log")
    for number in range(50):
        write(here / f"t{number}.trace")
    skipped = read(".")[1]
    assert len(skipped) == 21
    assert skipped["."] == "30 files of other kinds were passed over: .trace 30"


def test_a_named_file_is_always_tried(here):
    write(here / "data.npy", b"\x00\x01")
    write(here / "a.yaml", b"x: 1\n")
    assert read("data.npy", "a.yaml")[0] == {"data.npy": b"\x00\x01", "a.yaml": b"x: 1\n"}


def test_an_empty_file_is_a_log(here):
    write(here / "worker_0.log", b"")
    assert read(".")[0] == {"worker_0.log": b""}


def test_compressed_files(here):
    write(here / "worker_0.log.gz", gzip.compress(b"zero\n"))
    write(here / "worker_1.log", gzip.compress(b"wrong ending\n"))
    write(here / "worker_2.log.gz", b"not compressed at all\n")
    write(here / "ranks.json.gz", gzip.compress(b"{}"))
    assert read(".") == (
        {"worker_0.log.gz": b"zero\n", "worker_1.log": b"wrong ending\n",
         "worker_2.log.gz": b"not compressed at all\n"},
        {".": "1 file of another kind was passed over: .gz 1"})
    assert [source.size for source in find(["worker_0.log.gz"])] == [None]


def test_what_was_packed_from_files_beside_it_is_not_read_twice(here):
    write(here / "run/worker_0.log", b"a\n")
    write(here / "run/worker_0.log.gz", gzip.compress(b"a\n"))
    shutil.make_archive("run", "gztar", ".", "run")
    contents, skipped = read(".")
    assert contents == {"run/worker_0.log": b"a\n"}
    assert set(skipped) == {"run.tar.gz", "run/worker_0.log.gz"}


class TestLinks:
    def test_a_file_goes_by_its_own_name(self, here):
        write(here / "run/worker_0.log")
        (here / "run/latest.log").symlink_to("worker_0.log")
        os.link(here / "run/worker_0.log", here / "run/x.log")
        assert names("run") == ["worker_0.log"]

    def test_to_files_and_folders_elsewhere(self, here):
        write(here / "store/b.log")
        write(here / "other/c.log")
        (here / "run").mkdir()
        (here / "run/a.log").symlink_to("../store/b.log")
        (here / "run/sub").symlink_to("../other")
        (here / "run/sub2").symlink_to("../other")
        assert names("run") == ["a.log", "sub/c.log"]

    def test_loops(self, here):
        write(here / "run/worker_0.log")
        (here / "run/self").symlink_to("self")
        (here / "run/again").symlink_to(".")
        (here / "run/above").symlink_to("..")
        (here / "run/root").symlink_to("/")
        (here / "run/gone.log").symlink_to("nowhere.log")
        contents, skipped = read("run")
        assert list(contents) == ["worker_0.log"]
        assert set(skipped) == {"self", "again", "above", "root", "gone.log"}
        assert "nowhere" in skipped["gone.log"]

    def test_that_lead_to_each_other(self, here):
        write(here / "x/a/one.log")
        write(here / "y/b/two.log")
        (here / "x/a/l").symlink_to(here / "y")
        (here / "y/b/l").symlink_to(here / "x/a")
        assert names("x") == ["a/l/b/two.log", "a/one.log"]

    def test_an_argument_may_be_one(self, here):
        write(here / "store/worker_0.log")
        (here / "msrun_log").symlink_to("store")
        assert names("msrun_log") == ["worker_0.log"]


class TestWhatIsNotOpened:
    def test_pipes_sockets_and_devices(self, here):
        write(here / "run/worker_0.log")
        os.mkfifo(here / "run/pipe.log")
        (here / "run/null.log").symlink_to("/dev/null")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("run/s.log")
            contents, skipped = read("run")
        assert list(contents) == ["worker_0.log"]
        assert skipped == {"pipe.log": "it is a named pipe: not opened",
                           "s.log": "it is a socket: not opened",
                           "null.log": "it is a device: not opened"}

    def test_named_ones_neither(self, here):
        os.mkfifo(here / "pipe.log")
        with pytest.raises(UsageError, match=r"pipe\.log: it is a named pipe"):
            find(["pipe.log"])

    def test_one_that_took_the_place_of_a_file(self, here):
        file = write(here / "worker_0.log")
        (source,) = find(["."])
        file.unlink()
        os.mkfifo(file)
        with pytest.raises(OSError, match="named pipe"):
            source.open()

    def test_one_that_vanished(self, here):
        file = write(here / "worker_0.log")
        (source,) = find(["."])
        file.unlink()
        with pytest.raises(FileNotFoundError):
            source.open()

    @needs_user
    def test_without_permission(self, here):
        write(here / "run/worker_0.log")
        write(here / "run/worker_1.log").chmod(0)
        write(here / "run/node/worker_2.log").parent.chmod(0)
        contents, skipped = read("run")
        (here / "run/node").chmod(0o700)
        assert list(contents) == ["worker_0.log"]
        assert "permission denied" in skipped["worker_1.log"]
        assert "permission denied" in skipped["node"]

    def test_errors_of_the_system_are_reasons(self, here, monkeypatch):
        write(here / "run/worker_0.log")
        write(here / "run/worker_1.log")
        write(here / "run/node/worker_2.log")
        scandir, access = os.scandir, os.access

        def refuse(path):
            if str(path).endswith("node"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        monkeypatch.setattr(os, "access", lambda path, mode:
                            not path.endswith("_1.log") and access(path, mode))
        contents, skipped = read("run")
        assert list(contents) == ["worker_0.log"]
        assert skipped == {"node": "the folder cannot be listed: permission denied",
                           "worker_1.log": "permission denied"}


def test_names_of_any_bytes(here):
    (here / "run").mkdir()
    for name in (b"a\xff.log", b"a\xfe.log", b"b\n\x1b[2J.log"):
        with open(os.path.join(b"run", name), "wb") as file:
            file.write(name)
    contents, _ = read("run")
    assert contents == {"a\ufffd.log": b"a\xfe.log", "a\ufffd.log#2": b"a\xff.log",
                        "b\ufffd\ufffd[2J.log": b"b\n\x1b[2J.log"}


class TestStandardInput:
    def test_a_log(self):
        assert read("-", stdin=io.BytesIO(b"a\nb\n"))[0] == {"standard-input": b"a\nb\n"}
        assert read("-", stdin=io.BytesIO(b""))[0] == {"standard-input": b""}
        assert read("-", "-", stdin=io.BytesIO(b"a"))[0] == {"standard-input": b"a"}

    def test_compressed(self):
        data = gzip.compress(b"a\n" * 9000)
        assert read("-", stdin=io.BytesIO(data))[0] == {"standard-input": b"a\n" * 9000}

    def test_beside_a_folder(self, here):
        write(here / "worker_0.log", b"w")
        assert read(".", "-", stdin=io.BytesIO(b"console"))[0] == {
            here.name + "/worker_0.log": b"w", "standard-input": b"console"}

    def test_cut_off(self):
        data = gzip.compress(os.urandom(99_999))[:50_000]
        (source,) = find(["-"], stdin=io.BytesIO(data))
        with source.open() as stream, pytest.raises(OSError, match="cut off"):
            stream.read()


class TestNothing:
    def test_no_such_path(self, here):
        with pytest.raises(UsageError, match=r"no file or folder output/msrun_log \(looked in /.*"
                                             "--log_dir"):
            find(["output/msrun_log"])

    def test_all_wrong_ones_at_once(self, here):
        write(here / "worker_0.log")
        with pytest.raises(UsageError) as caught:
            find([".", "gone", "x*.log", "a\x00b"])
        text = str(caught.value)
        assert "no file or folder gone" in text
        assert "nothing matches the pattern x*.log" in text
        assert "a\ufffdb is no path" in text

    def test_the_usual_folder_nearby_is_offered(self, here):
        write(here / "output/msrun_log/worker_0.log")
        with pytest.raises(UsageError, match="there are logs in output/msrun_log"):
            find(["msrun_log"])

    def test_a_similar_name_is_offered(self, here):
        write(here / "runs/first/worker_0.log")
        with pytest.raises(UsageError, match="did you mean runs/first"):
            find(["runs/frist"])

    def test_a_folder_without_logs(self, here):
        write(here / "run/a.py")
        write(here / "run/x.trace")
        with pytest.raises(UsageError) as caught:
            find(["run"])
        text = str(caught.value)
        assert text.startswith("no log was found in run: looked for *.log")
        assert "x.trace: it is text" in text
        assert ".py 1" in text

    def test_no_argument(self):
        with pytest.raises(UsageError, match="no input"):
            find([])
        (here_empty,) = [""]
        with pytest.raises(UsageError, match="no file or folder ''"):
            find([here_empty])

    def test_a_foreign_archive(self, here):
        write(here / "job.log", b"7z\xbc\xaf\x27\x1c" + bytes(99))
        with pytest.raises(UsageError, match=r"pack it as \.tar\.gz"):
            find(["job.log"])


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="standard input is closed"):
        list(find(["-"]))


def test_what_is_called_compressed_and_is_not(here):
    write(here / "run/worker_0.log.gz", b"plain text\n")
    write(here / "run/worker_1.log.gz", gzip.compress(b"packed\n"))
    assert read("run")[0] == {"worker_0.log.gz": b"plain text\n", "worker_1.log.gz": b"packed\n"}
    notes = {item.name: item.notes for item in find(["run"])}
    assert notes == {"worker_0.log.gz": ("not-compressed",), "worker_1.log.gz": ()}
    assert [item.notes for item in find(["run/worker_0.log.gz"])] == [("not-compressed",)]


@pytest.mark.parametrize("target", ["/proc/self/cwd", "/proc/self", "/sys/kernel", "/dev/fd",
                                    "/proc/self/fd"])
def test_links_into_what_the_kernel_makes_up(here, target):
    if not os.path.exists(target):
        pytest.skip(f"no {target} here")
    write(here / "elsewhere.log")
    write(here / "run/worker_0.log")
    os.symlink(target, here / "run/link")
    os.symlink("link", here / "run/again")
    contents, skipped = read("run")
    assert list(contents) == ["worker_0.log"]
    assert skipped == dict.fromkeys(("link", "again"),
                                    "it is a link into /proc or /sys: not followed")


def test_loops_of_links_are_walked_once(here):
    write(here / "run/a/worker_0.log")
    write(here / "run/b/worker_1.log")
    os.symlink("../b", here / "run/a/to-b")
    os.symlink("../a", here / "run/b/to-a")
    os.symlink("..", here / "run/b/up")
    os.symlink("self", here / "run/self")
    contents, skipped = read("run", "run/a/to-b", "run/b/to-a/to-b")
    assert sorted(name.rpartition("/")[2] for name in contents) == ["worker_0.log", "worker_1.log"]
    assert {name.rpartition("/")[2] for name in skipped} == {"up", "self", "to-b"}
