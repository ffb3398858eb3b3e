"""No private kind passes, and nothing that a diagnosis needs is taken for private."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.redact import Redactor
from assistant.redact.finders import KINDS, spans

#: The logs of the test-suite.
CASES = Path(__file__).parent.parent / "cases"
#: (text, kind, what is private in it)
PRIVATE = [
    ("bind 10.20.30.41:8118 failed", "ip", "10.20.30.41"),
    ("worker_172.16.0.9_hosta_3.log", "ip", "172.16.0.9"),
    ("The peer is 192.168.100.7.", "ip", "192.168.100.7"),
    ("server 2001:db8:85a3::8a2e:370:7334 port 1", "ip", "2001:db8:85a3::8a2e:370:7334"),
    ("eth0 fe80::42:acff:fe11:2 up", "ip", "fe80::42:acff:fe11:2"),
    ("link/ether 0a:1b:2c:3d:4e:5f brd", "mac", "0a:1b:2c:3d:4e:5f"),
    ("Internet Address 0011.2233.4455 ARPA", "mac", "0011.2233.4455"),
    ("port 7 learned 00e0.fc12.3456.", "mac", "00e0.fc12.3456"),
    ("call +86 138 0013 8000 at night", "phone", "+86 138 0013 8000"),
    ("call +8613800138000, or", "phone", "+8613800138000"),
    ("+1 (555) 123-4567", "phone", "+1 (555) 123-4567"),
    ("on call: +44 20 7946 0958", "phone", "+44 20 7946 0958"),
    ("+49-89-12345678", "phone", "+49-89-12345678"),
    ("ring 138-0013-8000 first", "phone", "138-0013-8000"),
    ("desk 0755-87654321", "phone", "0755-87654321"),
    ("desk 010-87654321", "phone", "010-87654321"),
    ("联系人：王小明 13800138000", "phone", "13800138000"),
    ("值班电话 13800138000", "phone", "13800138000"),
    ("phone: 555-123-4567", "phone", "555-123-4567"),
    ("Tel. 87654321", "phone", "87654321"),
    ("mail jane.roe+x@lab.university.edu now", "mail", "jane.roe+x@lab.university.edu"),
    ('File "/home/jroe/llm/train.py", line 3', "user", "jroe"),
    ("/Users/jane/x", "user", "jane"),
    (r"C:\Users\jane.roe\x", "user", "jane.roe"),
    ("/home/l00123456/run.sh", "user", "l00123456"),
    ("user=carol gid=1", "user", "carol"),
    ("uid=1001(carol)", "user", "carol"),
    ("run ssh dave@node-x7 first", "user", "dave"),
    ("run ssh dave@node-x7 first", "host", "node-x7"),
    ("worker_172.16.0.9_gpu-a17_3.log", "host", "gpu-a17"),
    ("master_addr=train-job-7-master-0 port", "host", "train-job-7-master-0"),
    ("hostname: rack12-blade3", "host", "rack12-blade3"),
    ("http://mirror.corp.internal:8080/simple", "host", "mirror.corp.internal"),
    ("resolve db01.prod.local failed", "host", "db01.prod.local"),
    ("key AKIAIOSFODNN7EXAMPLE used", "key", "AKIAIOSFODNN7EXAMPLE"),
    ("ghp_" + "a1B2" * 9, "key", "ghp_" + "a1B2" * 9),
    ("glpat-" + "x" * 20, "key", "glpat-" + "x" * 20),
    ("HF_TOKEN=hf_" + "Zz9" * 11, "key", "hf_" + "Zz9" * 11),
    ("openai sk-" + "Ab3" * 10, "key", "sk-" + "Ab3" * 10),
    ("xoxb-1234567890-abcdef", "key", "xoxb-1234567890-abcdef"),
    ("jwt eyJhbGciOiJI.eyJzdWIiOiIx.sig", "key", "eyJhbGciOiJI.eyJzdWIiOiIx.sig"),
    ("Authorization: Bearer abcdef.12345678", "key", "abcdef.12345678"),
    ("Cookie: session=abcdef; x=y", "key", "session=abcdef; x=y"),
    ("git clone https://bot:s3cr3t@git.example.org/x", "key", "bot:s3cr3t"),
    ("password=hunter22", "key", "hunter22"),
    ('"db_password": "hunter22"', "key", "hunter22"),
    ("secret_key: AbCdEfGh", "key", "AbCdEfGh"),
    ("api-key=zyxw9876", "key", "zyxw9876"),
    ("?X-Amz-Signature=deadbeef0123&x", "key", "deadbeef0123"),
    ("access_token=a1b2c3d4e5f6g7", "key", "a1b2c3d4e5f6g7"),
    ("ak: ABCDEFGHIJ0123456789", "key", "ABCDEFGHIJ0123456789"),
    ("driver server 10.1.2.3 lost", "ip", "10.1.2.3"),
    ("File \"C:\\\\Users\\\\jane\\\\x.py\"", "user", "jane"),
    ("d:/users/jane/x.py", "user", "jane"),
    ("/home/王小明/train.py", "user", "王小明"),
    ("/home/2020jane/x", "user", "2020jane"),
    ("用户：王小明", "user", "王小明"),
    ("user: 王小明", "user", "王小明"),
    ("--user carol --x", "user", "carol"),
    ("sudo: carol : command not allowed", "user", "carol"),
    ("-rw-r----- 1 carol users 4096 Nov 30 x.log", "user", "carol"),
    ("ip-10-23-45-67 joined", "host", "ip-10-23-45-67"),
    ("Could not resolve hostname masternode: Name", "host", "masternode"),
    ("connect to host gpu-017 port 22: refused", "host", "gpu-017"),
    ("hostname is gpu-017", "host", "gpu-017"),
    ("getaddrinfo failed for gpu017.bj.acme.cn", "host", "gpu017.bj.acme.cn"),
    ("srun: error: gpu017: task 3: Killed", "host", "gpu017"),
    ("slurmstepd: error: *** JOB 7 ON gpu017 CANCELLED", "host", "gpu017"),
    ("主机名：gpu-017", "host", "gpu-017"),
    ("联系人：王小明 13800138000", "user", "王小明"),
    ("msrun --worker_num 16 --master_addr gpu017 --master_port 8118", "host", "gpu017"),
    ("msrun --master_addr trainmaster --join True", "host", "trainmaster"),
    ("VC_WORKER_HOSTS=job7-worker-0.job7,job7-worker-1.job7", "host", "job7-worker-1.job7"),
    ("horovodrun -np 16 -H gpu017:8,gpu018:8 python", "host", "gpu018"),
    ("ssh -p 2222 gpu017 hostname", "host", "gpu017"),
    ("scp -r msrun_log gpu018:/data", "host", "gpu018"),
    ("ping gpu017 failed", "host", "gpu017"),
    ("Nov 30 08:29:13 gpu017 kernel: Out of memory", "host", "gpu017"),
    ("2026-11-30T08:29:13.123456+08:00 gpu017 systemd[1]: x", "host", "gpu017"),
    ("Linux gpu017 5.10.0-60.18.0.50 #1 SMP", "host", "gpu017"),
    ("gpu017 slots=8", "host", "gpu017"),
    (r"\\\\files7\\x", "host", "files7"),
    ("password=abc", "key", "abc"),
    ('"password": "two words"', "key", "two words"),
    ("passwd '12345678'", "key", "12345678"),
    ("run --password hunter22 now", "key", "hunter22"),
    ("密码：hunter22", "key", "hunter22"),
    ("secretAccessKey='AbCd1234'", "key", "AbCd1234"),
    ("AccountKey=AbCd1234efgh==;", "key", "AbCd1234efgh=="),
    ("'Authorization': 'Token 0123456789ab'", "key", "Token 0123456789ab"),
    ("https://x.org/c?sv=2020&sig=aB%2Bc%3D&x", "key", "aB%2Bc%3D"),
    ("wandb login " + "0a1b" * 10, "key", "0a1b" * 10),
    ("https://hooks.x.org/services/T0/B0/aBcDeFgH", "key", "services/T0/B0/aBcDeFgH"),
    ("AIza" + "aB3-" * 9, "key", "AIza" + "aB3-" * 9),
    ("LTAI5tAbCdEfGhIjKlMn", "key", "LTAI5tAbCdEfGhIjKlMn"),
    ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ", "key", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ"),
    ("mysql -h db7 -uroot -phunter22 jobs", "key", "hunter22"),
    ("mysqldump -p'hunter 22' jobs".replace(" 22", "22"), "key", "hunter22"),
    ("curl -u carol:hunter22 http://10.0.0.1/", "key", "carol:hunter22"),
    ("curl -ucarol:hunter22 http://10.0.0.1/", "key", "carol:hunter22"),
    ("wget --user carol --password hunter22", "key", "hunter22"),
    ("sshpass -p hunter22 ssh gpu017", "key", "hunter22"),
    ("sshpass -phunter22 ssh gpu017", "key", "hunter22"),
    ("SSHPASS=hunter22 sshpass -e ssh gpu017", "key", "hunter22"),
    ("docker login -u carol -p hunter22 hub", "key", "hunter22"),
    ("docker login -u carol -p hunter22 hub", "user", "carol"),
    ("tool -u carol -p hunter22", "key", "hunter22"),
    ("redis-cli -h r7 -a hunter22 ping", "key", "hunter22"),
    ("ldapsearch -x -D cn=a -w hunter22", "key", "hunter22"),
    ("ipmitool -I lanplus -H 10.0.0.9 -U admin -P hunter22 sol", "key", "hunter22"),
    ("smbclient //s/x -U carol%hunter22", "key", "carol%hunter22"),
    ("unzip -P hunter22 x.zip", "key", "hunter22"),
    ("7z x -phunter22 x.7z", "key", "hunter22"),
    ("obsutil config -i=AbCd1234 -k=hunter22 -e=x", "key", "hunter22"),
    ("obsutil config -i=AbCd1234 -k=hunter22 -e=x", "key", "AbCd1234"),
    ("openssl rsa -passin pass:hunter22", "key", "hunter22"),
    ("echo hunter22 | sudo -S ls", "key", "hunter22"),
    ("echo 'root:hunter22' | chpasswd", "key", "root:hunter22"),
    (r"net use \\files7\x hunter22 /user:carol", "key", "hunter22"),
    ("-----BEGIN RSA PRIVATE KEY-----MIIE", "key", "-----BEGIN RSA PRIVATE KEY-----MIIE"),
]
#: Texts of which nothing may be lost.
TELLING = [
    "In file /job/train.py:68~70, 4~33/    @ms.jit/",
    "    @ms.jit",
    "2026-11-30 08:29:13,357 - mindformers[core/callback.py:337] - INFO - { step:[    4/   10], "
    "loss: 10.64, per_step_time: 1203ms, lr: 1.2e-05, grad_norm: nan, throughput: 1.2T }",
    "[ERROR] HCCL(5513,python):2026-11-30-08:29:44.450.287 [op_base.cc:548] EI0006 ret[507015]",
    "EI0002: [PID: 5513] 2026-11-30-08:29:44.450.287 remote rank[3] notify wait timeout",
    "driver version 24.1.0.3, firmware 7.3.0.1.231, cann==8.1.0.1 torch_npu 2.1.0.post8",
    "bind 0.0.0.0:8118, connect 127.0.0.1:8118, localhost:8118",
    "num_tokens: 4096, tokens_per_second: 12345.67, pad_token: <pad>, eos_token_id: 2",
    "KeyError: 'token'   AttributeError: 'NoneType' object has no attribute 'host'",
    "std::vector<ge::Tensor> aclnn::Add ::memcpy dead::beef at 0x7f0f4ffff6c0",
    "/usr/local/Ascend/ascend-toolkit/latest/lib64/libhccl.so torch.nn.functional.linear",
    "https://www.hiascend.com/document and https://github.com/x/y and https://gitee.com/mindspore",
    "msrun_log/worker_12.log:53 rank 0-7 of 8, stage 2, device 3, step 137/1000, PID 93561",
    "The node: 2 is timed out. It may exit with exception, please check this node's log.",
    "user code raised; user.config.load() owner() host_id device_id node_id=3 hostname lookup",
    "host memory 512 MB, host: device 0, the host is gone. owner: rank 3, login=false",
    "driver-24.1.0.3 npu-smi 23.0.2.1, credentials: None, password: ''",
    "Signature: construct(x: Tensor), basic information, PWD=/data/job, secret sharing",
    "su failed, user defined operator, server_name=hccl, Set-Cookie: none",
    "mem 17179869184 of 34359738368 bytes, 13900139000 ns, 1764491353 s, 139 1234 5678",
    "step 555-1234, 2026-11-30, 20261130-082913, 0715-20260715, [256-512-1024], +3.5e+10, +08:00",
    "libhccl.so(+0x1a2b3c) frame+12 phone home, mobile net, tel(3), +1 +2 +3 +4 +5 +6 +7 +8",
    "shape (128, 4096) (555) ranks 100-200, 1.2.3.4.5.6, version 2024.1130.1234, 1e.2f.3a",
    "python -u train.py -p 8118, docker run -u 1000:1000 -p 8080:80, nc -u -p 53, tar -p x",
    "mysql is not used, zip failed -P, curl -u, sshpass -f file, redis-cli -a, mkdir -p output",
    "ping rank3 failed, ssh connection refused, rank1 reached worker_3, hosts: 2, hostfile: none",
    "Nov 30 08:29:13 step 3 done: ok, Linux kernel 5.10, slots=8, -H 3, nodelist: empty",
    "ValueError: For 'MatMul', the 'x1' shape [1, 2:3:4] at 12:30:59",
]


@pytest.mark.parametrize(("text", "kind", "secret"), PRIVATE)
def test_what_is_private_is_found(text: str, kind: str, secret: str) -> None:
    found = [(span.kind, text[span.start:span.end]) for span in spans(text)]
    assert (kind, secret) in found


@pytest.mark.parametrize(("text", "kind", "secret"), PRIVATE)
def test_it_is_gone_from_the_text(text: str, kind: str, secret: str) -> None:
    redactor = Redactor()
    redactor.learn(text)
    made = redactor.rewrite(f"{text} and again: {text}")
    assert secret not in made
    assert f"<{kind}-" in made


@pytest.mark.parametrize("text", TELLING)
def test_what_is_telling_stays(text: str) -> None:
    assert [text[span.start:span.end] for span in spans(text)] == []


def test_a_small_number_is_replaced_in_its_place_only() -> None:
    redactor = Redactor()
    redactor.learn("password=100")
    assert redactor.rewrite("password=100 at step 100") == "password=<key-1> at step 100"


def test_every_kind_has_an_example() -> None:
    assert {kind for _, kind, _ in PRIVATE} == set(KINDS)


@given(st.text(alphabet=st.sampled_from("aA1.:/@=-_ \"'<>()[]~\\"), max_size=300))
def test_spans_are_sorted_and_apart(text: str) -> None:
    found = spans(text)
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("text", ["a." * 20000, "10." * 20000, "a@" * 20000, ":" * 40000,
                                  "ssh -x " * 8000, "password=" * 5000, "a-" * 20000,
                                  "/home/" * 8000, "-----BEGIN PRIVATE KEY-----" * 1500])
def test_the_time_does_not_explode(text: str) -> None:
    spans(text[:500])  # a report quotes so much of a line at most
    import time

    begin = time.process_time()
    spans(text[:4000])
    assert time.process_time() - begin < 2


def test_what_was_learned_takes_nothing_that_tells() -> None:
    redactor = Redactor()
    for text, _, _ in PRIVATE:
        redactor.learn(text)
    assert [redactor.rewrite(text) for text in TELLING] == TELLING


def test_logs_without_secrets_are_taken_for_what_they_are() -> None:
    """The cases of this suite hold addresses of RFC 5737 and invented hosts, and nothing else."""
    lines = {line[:500] for path in CASES.rglob("*.log")
             for line in path.read_bytes()[:200_000].decode("utf-8", "replace").split("\n")}
    assert len(lines) > 5000
    found = {(span.kind, line[span.start:span.end]) for line in lines for span in spans(line)}
    of_rfc_5737 = ("192.0.2.", "198.51.100.", "203.0.113.")
    assert {pair for pair in found if not pair[1].startswith(of_rfc_5737)} == {
        ("host", "node-0"), ("host", "node-a"), ("host", "node-b"), ("user", "user")}
