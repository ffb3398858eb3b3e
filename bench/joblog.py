"""The text of a generated msrun job: what each process of it writes, line by line.

The layouts are those of real jobs (MindSpore 2.10, mindformers 2.1.0): a start of some
seconds, then for each step the lines that stand between two step lines, and the step line.
Bytes of a step are one template filled in, so that gigabytes are made in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Fault = Literal["none", "silent", "exception", "killed", "nan"]
Level = Literal["info", "warning"]

#: Wall clock of the launch, and seconds that a step takes.
LAUNCH = datetime(2026, 11, 30, 8, 0, 0)
STEP_SECONDS = 2
#: How many different sets of lines between two steps there are.
_VARIANTS = 16

_CPP = "[{level}] {module}({pid},{thread},python):{{native}}.{ms:03d}.{us:03d} [{place}] {text}"
_CANN = "[INFO] {module}({pid},python3):{{native}}.{ms:03d}.{us:03d} [{place}] [{pid}]{text}"
_PYTHON = "{{iso}},{ms:03d} - mindformers./output/log[{place}] - INFO - {text}"

#: (share, layout, module, level, place, text) of the lines between two steps.
_INFO = (
    (30, _CANN, "HCCL", "INFO", "op_base.cc:1204",
     "Entry-AllReduce: tag[AllReduce_192.0.2.10_0], sendBuf[0x12c1{h:08x}], "
     "recvBuf[0x12c2{h:08x}], count[{n}], dataType[bfp16], op[sum], streamId[{s}]"),
    (15, _CANN, "HCCL", "INFO", "communicator_impl.cc:877",
     "[HcclCommunicator][ExecOp] ExecOp success, tag[AllGather_192.0.2.10_0], "
     "take time [{n}]us"),
    (12, _CANN, "GE", "INFO", "graph_manager.cc:2711",
     "StartForRunGraph: [GEPERFTRACE] The time cost of GraphManager::RunGraph is [{n}] us"),
    (10, _CANN, "RUNTIME", "INFO", "stream.cc:1133",
     "SubmitTask: stream_id={s}, task_id={n}, task_type=0 (KERNEL_AICORE)"),
    (9, _CPP, "DEVICE", "INFO", "mindspore/ccsrc/plugin/ascend/res_manager/mem_manager.cc:210",
     "AllocDeviceMem] Allocate device memory {n} bytes, address 0x12c1{h:08x}, peak 52428M"),
    (9, _CPP, "RUNTIME_FRAMEWORK", "INFO", "mindspore/ccsrc/runtime/pynative/op_runner.cc:402",
     "LaunchKernels] Launch kernel Default/MatMulExt-op{s}, stream {s}"),
    (6, _PYTHON, "", "INFO", "mindformers/pynative/trainer/trainer.py:512",
     "Micro batch {s} of step is done, {n} tokens."),
    (4, _PYTHON, "", "INFO", "mindformers/dataset/blended_dataset.py:188",
     "Read shard {s}, offset {n}, samples of this shard left: {n}"),
    (1, _CPP, "MD", "WARNING", "mindspore/ccsrc/minddata/dataset/engine/perf/monitor.cc:77",
     "Analyze] The queue of the pipeline holds {s} batches, its capacity is 64."),
)
_WARNING = (
    (60, _PYTHON, "", "INFO", "mindformers/pynative/trainer/trainer.py:512",
     "Micro batch {s} of step is done, {n} tokens."),
    (25, _CPP, "DISTRIBUTED", "WARNING",
     "mindspore/ccsrc/include/cluster/rpc/libevent_tcp_server.h:51",
     "TcpConnection] TcpConnection is constructed! fd is {s}"),
    (15, _CPP, "MD", "WARNING", "mindspore/ccsrc/minddata/dataset/engine/perf/monitor.cc:77",
     "Analyze] The queue of the pipeline holds {s} batches, its capacity is 64."),
)

_CONFIG = """{{iso}},519 - mindformers./output/log[/home/user/job/train.py:47] - INFO - \
Current config: {{{{
  "training": {{{{
    "steps": {steps},
    "global_batch_size": {ranks}
  }}}},
  "parallelism": {{{{
    "tensor_parallel": 1,
    "pipeline_parallel": {stages}
  }}}}
}}}}
"""
_START = """{{iso}},500 - mindformers./output/log[/home/user/job/train.py:41] - INFO - \
Running MindFormers in PYNATIVE_MODE.
[WARNING] DISTRIBUTED({pid},{thread},python):{{native}}.502.785 \
[mindspore/ccsrc/cluster/rpc/tcp/tcp_comm.cc:485] Connect] Connection 13 source: \
192.0.2.{host}:56288, destination: 192.0.2.10:8118
[WARNING] DISTRIBUTED({pid},{thread},python):{{native}}.514.227 \
[mindspore/ccsrc/cluster/topology/cluster_context.cc:316] BuildCluster] Topology build timed \
out., retry(1/120).
[WARNING] DISTRIBUTED({pid},{thread},python):{{native}}.516.825 \
[mindspore/ccsrc/cluster/topology/cluster_context.cc:319] BuildCluster] Cluster is \
successfully initialized.
[WARNING] DISTRIBUTED({pid},{thread},python):{{native}}.516.909 \
[mindspore/ccsrc/cluster/topology/cluster_context.cc:428] PostProcess] This node {rank} rank \
id: {rank}
{{iso}},518 - mindformers./output/log[/home/user/job/train.py:45] - INFO - Distributed \
communication is initialized.
{{iso}},519 - mindformers./output/log[/home/user/job/train.py:46] - INFO - Current world size: \
{ranks}.
""" + _CONFIG + """{{iso}},540 - mindformers./output/log[/home/user/job/train.py:83] - INFO - \
Start training loop...
"""

_STEP = (b"%s,%03d - mindformers./output/log[mindformers/pynative/callback/loss_callback.py:337]"
         b" - INFO - { step:[%5d/%5d], ")
_LAST_STAGE = (b"consumed_samples: %d, global_batch_size: %d, loss: %10.6f, per_step_time: %6dms, "
               b"lr: %.6e, grad_norm: %10.6f, throughput: %6.2fT }\n")
_EARLY_STAGE = (b"consumed_samples: None, global_batch_size: None, loss: N/A (non-last PP stage, "
                b"refer to last stage for real loss), per_step_time: %6dms, grad_norm: NaN }\n")

_COLLECTIVE = """[ERROR] DISTRIBUTED({pid},{thread},python):{{native}}.484.040 \
[mindspore/ccsrc/cluster/rpc/core/collective_ops_impl.cc:162] RunRingAllReduce] Ring \
ReduceScatter wait receiving [3,38] failed.
Traceback (most recent call last):
  File "/home/user/job/train.py", line 92, in <module>
    opt(grads)
  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 1907, in grad_jit
    output = self._executor.grad_jit(*args)
RuntimeError: Launch kernel failed, name:Default/AllReduce-op0

----------------------------------------------------
- C++ Call Stack: (For framework developers)
----------------------------------------------------
mindspore/ccsrc/pynative/utils/runtime/op_runner.cc:671 LaunchKernels

"""
_EXCEPTION = """Traceback (most recent call last):
  File "/home/user/job/train.py", line 88, in <module>
    batch = next(batches)
  File "/home/user/job/data.py", line 31, in __next__
    return self.table[index]
KeyError: 'sample 4711'
"""
_END = ("{{iso}},757 - mindformers./output/log[/home/user/job/train.py:155] - INFO - Training "
        "loop ends at step {steps}.\n")


@dataclass(frozen=True)
class Job:
    """What is generated.

    Attributes:
        ranks: number of workers. stages: pipeline stages; the last one prints losses.
        steps: steps that the job was to make. between: lines between two step lines.
        level: `info`: mostly HCCL, GE and runtime records, as with the level of native logs
            set to INFO; `warning`: what a job prints by default.
        fault: what becomes of it. culprit: rank with the fault.
        seed: of all that is random.
    """

    ranks: int = 8
    stages: int = 1
    steps: int = 1000
    between: int = 100
    level: Level = "info"
    fault: Fault = "none"
    culprit: int = 0
    seed: int = 0

    @property
    def last_step(self) -> int:
        """The last step that all ranks but the culprit of a hang reach."""
        return self.steps if self.fault in ("none", "nan") else max(2, self.steps - 3)


def worker(job: Job, rank: int) -> Iterator[bytes]:
    """The log of a worker in pieces of a step."""
    chance = random.Random(f"{job.seed} {rank}")
    facts = {"pid": 20000 + rank, "thread": f"7f{0x995f7fe6c0 + rank * 4096:010x}",
             "rank": rank, "ranks": job.ranks, "stages": job.stages, "steps": job.steps,
             "host": 10 + rank // 8 % 200}
    yield _stamped(_START.format(**facts), _time(0))
    variants = [_between(job, chance, facts) for _ in range(min(_VARIANTS, job.steps))]
    last_stage = rank * job.stages // job.ranks == job.stages - 1
    guilty = rank == job.culprit and job.fault != "none"
    last = job.last_step - (guilty and job.fault in ("silent", "exception", "killed"))
    for step in range(1, last + 1):
        iso, native = _stamps(_time(step))
        body = variants[step % len(variants)]
        yield (body % {b"iso": iso, b"native": native}
               + _step_line(job, step, iso, last_stage, chance,
                            guilty and job.fault == "nan" and step > last // 2))
    yield _end(job, guilty, facts)


def scheduler(job: Job) -> Iterator[bytes]:
    """The log of the scheduler."""
    head = "[WARNING] DISTRIBUTED(19999,7f59fe457b80,python):{{native}}.{ms:03d}.120 "
    place = "[mindspore/ccsrc/cluster/topology/meta_server_node.cc:{line}] "
    for rank in range(job.ranks):
        text = (f"ProcessRegister] The new node: {rank}(role: MS_WORKER), rank id: {rank}, "
                f"device id: {rank % 8}, hostname: node-{rank // 8:04d}, ip: 192.0.2."
                f"{10 + rank // 8 % 200} is registered successfully. Currently registered node "
                f"number: {rank + 1}, expected node number: {job.ranks}\n")
        yield _stamped((head + place).format(ms=rank % 1000, line=254) + text, _time(0))
    yield _stamped(head.format(ms=516) + "[mindspore/ccsrc/cluster/topology/cluster_context.cc:319]"
                   " BuildCluster] Cluster is successfully initialized.\n", _time(0))
    alive = f"Finalize] Cluster currently has {job.ranks} alive nodes.\n"
    for step in range(1, min(job.last_step, 2000) + 1):
        yield _stamped((head + place).format(ms=600, line=91) + alive, _time(step))
    if job.fault in ("none", "nan"):
        for rank in range(job.ranks):
            yield _stamped((head + place).format(ms=rank % 1000, line=323)
                           + f"ProcessUnregister] Node {rank} has unregistered.\n",
                           _time(job.steps + 1))


def _step_line(job: Job, step: int, iso: bytes, last_stage: bool, chance: random.Random,
               nan: bool) -> bytes:
    noise = chance.random()
    head = _STEP % (iso, 900 + int(noise * 99), step, job.steps)
    milliseconds = 1000 * STEP_SECONDS + int(noise * 90)
    if not last_stage:
        return head + _EARLY_STAGE % milliseconds
    loss = float("nan") if nan else 2.0 + 8.0 / (1.0 + step / 50) + noise / 10
    return head + _LAST_STAGE % (step * job.ranks, job.ranks, loss, milliseconds, 1e-5,
                                 float("nan") if nan else 0.4 + noise / 5, 120.0 + noise * 9)


def _between(job: Job, chance: random.Random, facts: dict[str, object]) -> bytes:
    """A template of the lines between two step lines."""
    kinds = _INFO if job.level == "info" else _WARNING
    weights = [kind[0] for kind in kinds]
    lines = []
    for place in range(job.between):
        _, layout, module, level, source, text = chance.choices(kinds, weights)[0]
        text = text.format(h=chance.randrange(1 << 32), n=chance.randrange(1, 1 << 20),
                           s=chance.randrange(64))
        lines.append(layout.format(level=level, module=module, place=source, text=text,
                                   ms=100 + place * 700 // job.between,
                                   us=chance.randrange(1000), **facts))
    text = "".join(line + "\n" for line in lines).replace("%", "%%")
    return text.replace("{iso}", "%(iso)b").replace("{native}", "%(native)b").encode()


def _end(job: Job, guilty: bool, facts: dict[str, object]) -> bytes:
    """How the log of a rank ends."""
    if job.fault in ("none", "nan"):
        return _stamped(_END.format(**facts), _time(job.steps + 1))
    if guilty:
        return (_stamped(_EXCEPTION, _time(job.last_step)) if job.fault == "exception" else b"")
    return _stamped(_COLLECTIVE.format(**facts), _time(job.last_step + 20))


def _time(step: int) -> datetime:
    return LAUNCH + timedelta(seconds=step * STEP_SECONDS)


def _stamps(time: datetime) -> tuple[bytes, bytes]:
    text = time.isoformat(" ")
    return text.encode(), text.replace(" ", "-").encode()


def _stamped(text: str, time: datetime) -> bytes:
    iso, native = _stamps(time)
    return (text.replace("{iso}", iso.decode()).replace("{native}", native.decode())
            .replace("{{", "{").replace("}}", "}").encode())
