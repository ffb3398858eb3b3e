"""The form and what it sends."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile

import pytest
from flask.testing import FlaskClient

from tests.web.support import LAB, Make, files_of

CASE = LAB / "exc-rank2" / "msrun_log"
ERROR = ("Traceback (most recent call last):\n"
         '  File "/home/user/train.py", line 12, in <module>\n'
         "    main()\n"
         "ValueError: the batch is empty\n")


def page(client: FlaskClient, **form: object) -> str:
    response = client.post("/check", data=form, content_type="multipart/form-data")
    assert response.status_code == 200, response.text
    return response.text


def test_the_form_has_a_label_for_every_field(client: FlaskClient) -> None:
    text = client.get("/").text
    for name in re.findall(r'<(?:input|textarea)[^>]* id="([\w-]+)"', text):
        assert f'<label for="{name}"' in text
    assert 'enctype="multipart/form-data"' in text


def test_the_sample_is_a_real_failure_and_is_diagnosed(client: FlaskClient) -> None:
    sample = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", client.get("/?sample=1").text, re.S)
    assert sample
    import html

    answer = page(client, text=html.unescape(sample[1]).replace("\n", "\r\n"))
    assert "v-failed" in answer
    assert "worker_2.log:53" in answer


def test_a_pasted_exception_of_a_known_rank(client: FlaskClient) -> None:
    answer = page(client, text=ERROR, kind="worker", rank="7")
    assert "ValueError: the batch is empty" in answer
    assert "worker_7.log:4" in answer


def test_a_folder_is_named_as_on_the_command_line(client: FlaskClient) -> None:
    answer = page(client, folder=files_of(CASE, "msrun_log/"))
    assert "worker_2.log:53" in answer
    assert "msrun_log/worker_2.log" not in re.sub(r"output/msrun_log", "", answer)


def test_archives(client: FlaskClient) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(CASE, "msrun_log")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as container:
        for path in CASE.iterdir():
            container.write(path, f"msrun_log/{path.name}")
    for content, name in ((packed, "logs.tar.gz"), (zipped, "logs.zip")):
        answer = page(client, files=(io.BytesIO(content.getvalue()), name))
        assert "Data loader returned an empty batch" in answer
        assert "v-failed" in answer


def test_files_of_a_folder_that_are_no_logs_are_passed_over(client: FlaskClient) -> None:
    given = [*files_of(CASE, "run/"), (io.BytesIO(b"\x89PNG\r\n"), "run/picture.png"),
             (io.BytesIO(b"ValueError: x\n"), "run/.hidden.log")]
    answer = page(client, folder=given)
    assert "5 files" in answer
    assert "1 file of another kind" not in client.get("/").text


def test_nothing_given_says_so(client: FlaskClient) -> None:
    response = client.post("/check", data={"text": "  \n"}, content_type="multipart/form-data")
    assert response.status_code == 422
    assert "Paste some lines" in response.text


@pytest.mark.parametrize(("field", "value"), [("rank", "seven"), ("rank", "-1"),
                                              ("rank", "1234567"), ("kind", "novel")])
def test_fields_that_cannot_be_read(client: FlaskClient, field: str, value: str) -> None:
    response = client.post("/check", data={"text": ERROR, field: value},
                           content_type="multipart/form-data")
    assert response.status_code == 400
    assert field in response.text


def test_the_language_is_the_browsers_then_the_chosen_one(make: Make) -> None:
    client = make().test_client()
    chinese = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}
    assert "任务出了什么问题" in client.get("/", headers=chinese).text
    assert "What happened" in client.get("/").text
    chosen = client.get("/?lang=zh")
    assert "任务出了什么问题" in chosen.text
    assert "SameSite=Lax" in chosen.headers["Set-Cookie"]
    assert "任务出了什么问题" in client.get("/").text
    assert "What happened" in client.get("/?lang=en", headers=chinese).text
    assert "Set-Cookie" not in client.get("/?lang=<script>").headers


def test_a_path_on_the_server_is_not_read_without_roots(client: FlaskClient) -> None:
    response = client.post("/check", data={"path": str(CASE)}, content_type="multipart/form-data")
    assert response.status_code == 422
