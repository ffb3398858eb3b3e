"""Reports as the pipeline makes them, modelled on real msrun directories."""

from __future__ import annotations

from assistant.report.types import (
    FindingReport,
    InputsRow,
    JobRow,
    Quote,
    RankRow,
    Report,
    SkippedRow,
    UnexplainedRow,
)

_SCHED = ("[ERROR] DISTRIBUTED(5866,7f0f4ffff6c0,python):2026-11-30-08:29:44.450.287 "
          "[mindspore/ccsrc/cluster/topology/meta_server_node.cc:548] UpdateTopoState] "
          "The node: 2 is timed out. It may exit with exception, please check this node's log.")


def finding(rule: str, title: str, **more: object) -> FindingReport:
    """A finding with sensible values for all that `more` does not give."""
    values: dict[str, object] = {
        "category": rule.split(".")[0], "severity": "error", "role": "cause",
        "explained_by": None, "confidence": 0.95, "ranks": (), "nodes": (), "codes": (),
        "evidence": (), "article": rule.split(".")[1], "steps": (), "article_title": title}
    return FindingReport(rule=rule, title=title, **{**values, **more})  # type: ignore[arg-type]


def exception_on_rank2(lang: str = "en") -> Report:
    """A user script raised on rank 2; msrun killed the others; the scheduler named rank 2."""
    zh = lang == "zh"
    cause = finding(
        "user-code.exception",
        "rank 2 抛出 RuntimeError：Data loader returned an empty batch at sample 137" if zh else
        "Rank 2 raised RuntimeError: Data loader returned an empty batch at sample 137",
        ranks=(2,), nodes=("node-0",), time="2026-11-30T08:29:13.793",
        evidence=(
            Quote("worker_2.log", 53, "2026-11-30T08:29:13.793",
                  "RuntimeError: Data loader returned an empty batch at sample 137"),
            Quote("worker_2.log", 51, None,
                  '  File "/home/user/job/train.py", line 95, in <module>'),
            Quote("worker_2.log", 50, None, "Traceback (most recent call last):")),
        steps=(
            "打开日志查看异常栈及其上方内容：`less +50 output/msrun_log/worker_2.log`，"
            "重点看 `/home/user/job/train.py:95`。",
            "按异常信息修改脚本或数据：Data loader returned an empty batch at sample 137。",
            "修改后重新拉起全部 rank：`msrun --worker_num=4 --local_worker_num=4 "
            "--log_dir=output/msrun_log --join=True train.py "
            "--config configs/llama3_1/finetune.yaml`。",
            "其余 rank 的超时与被终止都是后果，不必排查。") if zh else (
            "Read the traceback and the lines above it: `less +50 output/msrun_log/worker_2.log`; "
            "the innermost frame is `/home/user/job/train.py:95`.",
            "Mend the script or the data that it names: Data loader returned an empty batch at "
            "sample 137.",
            "Run again, with every rank in view: `msrun --worker_num=4 --local_worker_num=4 "
            "--log_dir=output/msrun_log --join=True train.py "
            "--config configs/llama3_1/finetune.yaml`.",
            "Leave the time-outs and the killed ranks alone: they are consequences."),
        meaning="Python raised an exception that nothing caught.", otherwise="Look at memory.")
    timed_out = finding(
        "network.node-timed-out", "调度进程报告 rank 2 超时" if zh else
        "The scheduler reported rank 2 as timed out", role="consequence",
        explained_by="user-code.exception", ranks=(2,), nodes=("node-0",),
        evidence=(Quote("scheduler.log", 28, "2026-11-30T08:29:44.450", _SCHED),))
    killed = finding(
        "crash.killed-with-peers", "rank 0-1, 3 被 msrun 终止，因为另一进程先失败" if zh else
        "Ranks 0-1, 3 were killed by msrun because another worker failed first",
        role="consequence", explained_by="user-code.exception", ranks=(0, 1, 3))
    return Report(
        "failed",
        JobRow(("node-0",), 4, 4, 1, "pynative", "2026-11-30T08:29:01.000",
               "2026-11-30T08:29:45.941", 4, 10, {"mindspore": "2.10.0", "mindformers": "2.1.0"}),
        (cause, timed_out, killed),
        tuple(RankRow(rank, "node-0", f"worker_{rank}.log", 0,
                      "failed" if rank == 2 else "killed", 4,
                      "2026-11-30T08:29:13.988", "training") for rank in range(4)),
        (), InputsRow(5, 41_220, ()), lang)


def healthy_pipeline(lang: str = "en") -> Report:
    """Two pipeline stages, four ranks, all finished; early stages print no loss."""
    zh = lang == "zh"
    note = finding(
        "logging.no-loss-on-early-stages",
        "rank 0-1 不在最后一个流水线 stage，loss 为 N/A、grad_norm 为 NaN，属正常现象" if zh else
        "Ranks 0-1 are not on the last pipeline stage: loss N/A and grad_norm NaN are normal",
        severity="info", role="note", ranks=(0, 1))
    return Report(
        "healthy",
        JobRow(("node-0",), 4, 4, 2, "pynative", "2026-11-30T08:02:20.000",
               "2026-11-30T08:02:45.941", 10, 10, {"mindspore": "2.10.0"}),
        (note,),
        tuple(RankRow(rank, "node-0", f"worker_{rank}.log", rank // 2, "finished", 10,
                      "2026-11-30T08:02:40.988", "finished") for rank in range(4)),
        (), InputsRow(5, 38_004, ()), lang)


def rank3_never_joined(lang: str = "en") -> Report:
    """Rank 3 left an empty log, so the cluster never formed."""
    zh = lang == "zh"
    cause = finding(
        "network.rank-never-registered",
        "集群未组建：4 个进程中只有 3 个注册，rank 3 从未注册" if zh else
        "The cluster never formed: rank 3 never registered, 3 of 4 did", ranks=(3,),
        nodes=("node-0",), confidence=0.9,
        evidence=(Quote("scheduler.log", 23, "2026-11-30T08:21:31.001",
                        "[WARNING] DISTRIBUTED(2399,7f683dc0eb80,python):"
                        "2026-11-30-08:21:31.001.902 "
                        "[mindspore/ccsrc/cluster/topology/meta_server_node.cc:254] "
                        "ProcessRegister] The new node: 2(role: MS_WORKER), rank id: 2, "
                        "device id: 2, hostname: node-0, ip: 127.0.0.1 is registered "
                        "successfully. Currently registered node number: 3, expected node "
                        "number: 4"),),
        steps=(("在 node-0 上查看 rank 3 的进程是否还在：`ps -ef | grep 'RANK_ID=3'`。",
                "日志 `output/msrun_log/worker_3.log` 为空：检查磁盘、权限与环境变量。") if zh else
               ("See whether rank 3's process still lives on node-0: `ps -ef | grep RANK_ID=3`.",
                "Its log is empty: start it by hand and read what it prints: "
                "`RANK_ID=3 python train.py`.")))
    return Report(
        "failed",
        JobRow(("node-0",), 4, 3, None, "pynative", "2026-11-30T08:21:20.000",
               "2026-11-30T08:21:52.941", None, None),
        (cause, finding("network.cluster-not-formed", "组网超时" if zh else
                        "Building the cluster timed out", role="consequence",
                        explained_by=cause.rule, ranks=(0, 1, 2))),
        tuple(RankRow(rank, "node-0", f"worker_{rank}.log", None,
                      "empty" if rank == 3 else "failed", None,
                      None if rank == 3 else "2026-11-30T08:21:51.925",
                      None if rank == 3 else "registered") for rank in range(4)),
        (UnexplainedRow("Failed to initialize cluster.", 3,
                        Quote("worker_1.log", 44, "2026-11-30T08:21:51.925",
                              "[ERROR] DISTRIBUTED(2399,7f683dc0eb80,python):"
                              "2026-11-30-08:21:51.925.537 [mindspore/ccsrc/cluster/init.cc:114] "
                              "InitializeCluster] Failed to initialize cluster.")),),
        InputsRow(5, 41_220, (SkippedRow("core.1234", "not a log: binary content"),), (),
                  ("空文件：worker_3.log" if zh else "empty: worker_3.log",)), lang)


def ten_thousand_ranks(lang: str = "en") -> Report:
    """One node of 1,250 lost its network; the others hang in an AllReduce one step later."""
    zh = lang == "zh"
    lost = range(136, 144)
    cause = finding(
        "hang.silent-rank",
        "rank 136-143 停在第 5812 步，其余 rank 在第 5813 步等待集合通信" if zh else
        "Ranks 136-143 stopped at step 5812; all others wait for them in step 5813",
        ranks=tuple(lost), nodes=("node-17",), codes=("EI0002",), confidence=0.8,
        time="2026-12-01T03:12:40.100",
        evidence=tuple(Quote(f"node-17/msrun_log/worker_{rank}.log", 88_120 + rank,
                             "2026-12-01T03:12:40.100",
                             "2026-12-01 03:12:40,100 - mindformers/home/user/job/output/log"
                             "[mindformers/pynative/callback/loss_callback.py:337] - INFO - "
                             "{ step:[ 5812/20000], loss: 2.100000, per_step_time: 10810ms }")
                       for rank in lost),
        steps=(("登录 node-17 检查网卡与光模块：`hccn_tool -i 0 -link -g`。",) if zh else
               ("Log on to node-17 and look at the links: `for i in 0 1 2 3 4 5 6 7; do "
                "hccn_tool -i $i -link -g; done`.",)))
    slow = finding("performance.straggler", "rank 7777 每步耗时是其他 rank 的 1.6 倍" if zh else
                   "Rank 7777 takes 1.6 times as long for a step as its peers", severity="warning",
                   ranks=(7777,), nodes=("node-972",), confidence=0.7,
                   evidence=(Quote("node-972/msrun_log/worker_7777.log", 90_001, None,
                                   "{ step:[ 5813/20000], per_step_time: 17810ms }"),),
                   steps=("Watch the card: `npu-smi info -t usages -i 1`.", "More."))
    waits = finding("hccl.collective-timeout", "9,992 个 rank 报 HCCL 集合通信超时" if zh else
                    "9,992 ranks report a collective that timed out (EI0002)",
                    role="consequence", explained_by=cause.rule, codes=("EI0002",))

    def row(rank: int) -> RankRow:
        dead = rank in lost
        state = "stopped" if dead else "absent" if 9000 <= rank < 9016 else (
            "running" if rank % 5 == 0 else "failed")
        known = state != "absent"
        return RankRow(rank, f"node-{rank // 8}",
                       f"node-{rank // 8}/msrun_log/worker_{rank}.log" if known else None,
                       rank // 2500, state, (5812 if dead else 5813) if known else None,
                       f"2026-12-01T03:{'12:40' if dead else '22:41'}.100" if known else None,
                       "training" if known else None)

    return Report(
        "hung",
        JobRow(tuple(f"node-{n}" for n in range(1250)), 10_000, 9_984, 4, "pynative",
               "2026-11-29T22:00:01.000", "2026-12-01T03:22:45.941", 5813, 20_000,
               {"mindspore": "2.10.0", "cann": "8.3.RC1"}),
        (cause, slow, waits), tuple(row(rank) for rank in range(10_000)),
        tuple(UnexplainedRow(f"shape {n}", 12 * n, Quote(
            f"node-{n}/msrun_log/worker_{8 * n}.log", 70_000 + n, None,
            f"[ERROR] HCCL(4286{n},python3):2026-12-01-03:22:22.192.403 [hccl_socket.cc:797] "
            f"recv fail, remote ip 192.0.2.{n}, fd {n}, errno 104")) for n in range(1, 8)),
        InputsRow(9_985, 31_412_000_118, (SkippedRow("node-3/x.tar.gz", "the archive breaks off"),),
                  ("site/rules/x.yaml:3:5: `whn` is not a key of a rule (did you mean `when`?)",),
                  ("left by an earlier run, not judged: a.log, b.log, c.log and 4 more",
                   "several runs in one file, only the last is judged: d.log")), lang)


def nothing_to_say(lang: str = "en") -> Report:
    """Not a log of a job."""
    return Report("inconclusive", JobRow((), None, 0, None, None, None, None, None, None),
                  (), (), (), InputsRow(1, 812, ()), lang)


def all_reports(lang: str = "en") -> list[Report]:
    """Every sample."""
    return [exception_on_rank2(lang), healthy_pipeline(lang), rank3_never_joined(lang),
            ten_thousand_ranks(lang), nothing_to_say(lang)]
