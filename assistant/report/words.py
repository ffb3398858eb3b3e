"""Every word of the program's own that a report prints, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Key to (English, Chinese). A form with `||` is `one||many`, chosen by the value `n`.
WORDS: Mapping[str, tuple[str, str]] = {
    # verdicts: a word, and the sentence where no finding gives a better one
    "verdict.healthy": ("HEALTHY", "正常"),
    "verdict.degraded": ("DEGRADED", "需关注"),
    "verdict.failed": ("FAILED", "失败"),
    "verdict.hung": ("HUNG", "卡死"),
    "verdict.inconclusive": ("INCONCLUSIVE", "无法判断"),
    "says.whole": ("{parts}.", "{parts}。"),
    "says.finished": ("The job's only rank finished||All {n:,} ranks finished",
                      "{n:,} 个 rank 全部正常结束"),
    "says.some-finished": ("The only rank with a log finished||All {n:,} ranks with a log finished",
                           "有日志的 {n:,} 个 rank 全部正常结束"),
    "says.last-step": ("the last step printed is {step}", "但最后打印的是{step}"),
    "says.so-far": ("No fault so far", "目前未见异常"),
    "says.so-far-until": ("No fault so far, up to {time}", "截至 {time} 未见异常"),
    "says.finished-of": ("{n:,} of {of:,} ranks finished", "{of:,} 个 rank 中 {n:,} 个已结束"),
    "says.none-finished": ("no rank has finished", "尚无 rank 结束"),
    "says.no-logs": ("no log of {n:,} of the {of:,} ranks",
                     "{of:,} 个 rank 中有 {n:,} 个没有日志"),
    "says.degraded": ("The job runs, but something needs attention.",
                      "任务可以运行，但有问题需要关注。"),
    "says.failed": ("The job failed, and no rule knows why. See the lines below.",
                    "任务失败，现有规则未能给出原因，请查看下列日志行。"),
    "says.hung": ("The job made no progress, and no rule knows why.",
                  "任务已卡住，不再推进，现有规则未能给出原因。"),
    "says.perhaps": ("Perhaps: {title}", "可能是：{title}"),
    "says.inconclusive": ("These logs do not tell how the job went.",
                          "从这些日志看不出任务的运行结果。"),
    "says.silenced": ("What was found is silenced, and nobody is blamed: {findings}",
                      "发现的问题已被屏蔽，因此不作追究：{findings}"),
    "says.silenced-hint": (
        "To have it judged, take the silence out of site.yaml of that pack.",
        "如需正常判断，请从该规则包的 site.yaml 中删除这条屏蔽。"),
    "says.inconclusive-hint": (
        "Give the whole directory that msrun wrote (its --log_dir), with scheduler.log and "
        "every worker_*.log.",
        "请提供 msrun 的整个日志目录（--log_dir 所指），"
        "其中应有 scheduler.log 和全部 worker_*.log。"),
    "says.unread-hint": ("What was read shows no fault, but not everything could be read.",
                         "已读取的部分未见异常，但有输入未能读取。"),
    # labels of the terminal report; at most six cells wide
    "label.first": ("First", "最早"),
    "label.proof": ("Proof", "证据"),
    "label.effects": ("Led to", "后果"),
    "label.steps": ("To do", "处理"),
    "label.meaning": ("Means", "含义"),
    "label.causes": ("From", "上游"),
    "label.also": ("Also", "另有"),
    "label.notes": ("Notes", "提示"),
    "label.ranks": ("Ranks", "各卡"),
    "label.read": ("Read", "输入"),
    "label.unexplained": ("Other", "其他"),
    "label.more": ("More", "更多"),
    # where and when
    "where.rank": ("rank {ranks}||ranks {ranks}", "rank {ranks}"),
    "where.on": ("{what} on {node}", "{node} 上的 {what}"),
    "where.step": ("step {step}", "第 {step} 步"),
    "where.step-of": ("step {step} of {total}", "第 {step}/{total} 步"),
    "where.nodes": ("{n:,} node||{n:,} nodes", "{n:,} 个节点"),
    "where.node-all": ("all of {node}", "{node} 全部"),
    # ranks
    "ranks.none": ("these logs name no rank", "日志未体现 rank 编号"),
    "ranks.seen": ("{n:,} rank||{n:,} ranks", "{n:,} 个 rank"),
    "ranks.seen-of": ("{seen:,} of {n:,} ranks have a log", "{n:,} 个 rank 中有 {seen:,} 个有日志"),
    "ranks.stages": ("{n:,} pipeline stages", "{n:,} 个流水线 stage"),
    "column.rank": ("rank", "rank"),
    "column.state": ("state", "状态"),
    "column.reached": ("reached", "进度"),
    "column.time": ("last line", "最后日志"),
    "column.node": ("node", "节点"),
    "column.stage": ("stage", "stage"),
    "state.finished": ("finished", "已结束"),
    "state.running": ("running", "运行中"),
    "state.failed": ("failed", "报错退出"),
    "state.crashed": ("crashed", "崩溃"),
    "state.killed": ("killed", "被终止"),
    "state.stopped": ("stopped", "日志中断"),
    "state.absent": ("no log", "无日志"),
    "state.empty": ("empty log", "空日志"),
    "phase.launched": ("launched", "已拉起"),
    "phase.started": ("started", "已启动"),
    "phase.registered": ("registered", "已注册"),
    "phase.joined": ("joined cluster", "已组网"),
    "phase.initialised": ("initialised", "通信域已建立"),
    "phase.building": ("building", "构建模型中"),
    "phase.training": ("training", "训练中"),
    "phase.finished": ("finished", "已结束"),
    "progress.step": ("step {steps}{total}", "step {steps}{total}"),
    "mode.pynative": ("PyNative", "PyNative（动态图）"),
    "mode.graph": ("graph mode", "静态图（图模式）"),
    # coverage
    "read.files": ("{n:,} file||{n:,} files", "{n:,} 个文件"),
    "read.no-log": ("no log of {ranks}", "缺少 {ranks} 的日志"),
    "read.skipped": ("not read: {file} ({why})", "未读取：{file}（{why}）"),
    "read.problem": ("rule or article left out: {problem}", "规则或文章未生效：{problem}"),
    # how to find the card of a command, where the logs do not name it
    "card.unknown": (
        " {card}: the card's number by `npu-smi info -m`; the log of the failed process and the "
        "plog name it (device id).",
        "{card} 为卡号，见 `npu-smi info -m`；失败进程的日志与 plog 中有记录（device id）。"),
    "card.of-rank": (
        " {card}: the number by `npu-smi info -m` of the card of rank {rank}; without "
        "`ASCEND_RT_VISIBLE_DEVICES` it is the rank's place on its node.",
        "{card} 为 rank {rank} 所用的卡号，见 `npu-smi info -m`；未设置 "
        "`ASCEND_RT_VISIBLE_DEVICES` 时即该 rank 在本节点内的序号。"),
    "card.of-local-rank": (
        " {card}: the number by `npu-smi info -m` of the card of rank {rank}, {local} unless "
        "`ASCEND_RT_VISIBLE_DEVICES` says otherwise.",
        "{card} 为 rank {rank} 所用的卡号，见 `npu-smi info -m`；若 "
        "`ASCEND_RT_VISIBLE_DEVICES` 没有另行指定，即 {local}。"),
    "remark.stale": ("left by an earlier run, not judged: {files}",
                     "早先运行的残留日志，不参与判断：{files}"),
    "remark.runs": ("several runs in one file, only the last is judged: {files}",
                    "同一文件含多次运行，只判断最后一次：{files}"),
    "remark.empty": ("empty: {files}", "空文件：{files}"),
    "remark.copies": ("copies of {original}, not judged: {files}",
                      "{original} 的副本，不参与判断：{files}"),
    "remark.duplicate": ("more than one log claims rank {rank}: {files}",
                         "多个日志都属于 rank {rank}：{files}"),
    "remark.not-compressed": ("called as if compressed, read as the text it is: {files}",
                              "名称像压缩文件，实为文本，已按文本读取：{files}"),
    "remark.shown-in": (
        "shown in {detail} under heads of their own, lines are counted from below the head: "
        "{files}", "由 {detail} 中各自的标题分出，行号从标题的下一行算起：{files}"),
    "remark.by-pod": (
        "told apart by the pods that {detail} names, lines are counted within each: {files}",
        "按 {detail} 中的 pod 名分出，行号在各自之内计算：{files}"),
    "remark.invalid-utf8": ("bytes that are not UTF-8: {files}", "含非 UTF-8 字节：{files}"),
    "remark.nul-bytes": ("NUL bytes: {files}", "含 NUL 字节：{files}"),
    "remark.long-lines": ("lines of over 1 MiB, read in pieces: {files}",
                          "含超过 1 MiB 的行，已分段读取：{files}"),
    "remark.grew": ("grew while being read: {files}", "读取期间仍在增长：{files}"),
    "remark.shrank": ("was cut while being read: {files}", "读取期间被截断：{files}"),
    "remark.read-error": ("could be read in part only ({detail}): {files}",
                          "只读取了一部分（{detail}）：{files}"),
    "remark.truncated-archive": ("the archive breaks off ({detail}): {files}",
                                 "归档文件不完整（{detail}）：{files}"),
    "remark.collected-without": (
        "collected with other rules; those that look for something else now are not judged "
        "({detail}). To have them judged, collect again with this version: {files}",
        "收集时使用的规则与当前不同，以下规则不参与判断（{detail}）；"
        "如需判断，请用当前版本重新收集：{files}"),
    "remark.other": ("{detail}: {files}", "{detail}：{files}"),
    "files.more": ("{files} and {n:,} more", "{files} 等，另有 {n:,} 个"),
    # codes and search
    "usually.cause": ("usually a cause", "通常是根因"),
    "usually.consequence": ("usually a consequence", "通常是后果"),
    "usually.either": ("a cause or a consequence", "可能是根因，也可能是后果"),
    "codes.family-only": ("a code without an entry of its own; what its family says:",
                          "该码没有单独条目，以下为其所属类别的说明"),
    "search.recognised": ("[this message, by rule {rule}]", "[规则 {rule} 识别出该报错]"),
    # watching
    "watch.waiting": ("waiting for logs in {paths}", "等待日志出现：{paths}"),
    "watch.head": ("watching {paths}, {elapsed}; Ctrl-C ends",
                   "监视 {paths}，已 {elapsed}；Ctrl-C 结束"),
    "watch.step": ("step {step}{total}", "step {step}{total}"),
    "watch.step-time": ("{seconds} s/step", "{seconds} 秒/步"),
    "watch.still": ("no new step for {time}", "{time} 无新 step"),
    "watch.quiet": ("nothing written for {time}", "{time} 无新日志"),
    "watch.finding": ("FOUND", "发现"),
    "watch.withdrawn": ("NO LONGER", "撤回"),
    "watch.stalled": ("STALLED", "停滞"),
    "watch.stalled-says": ("no new step for {time}, a step takes {usual} s",
                           "{time} 无新 step，平时一步 {usual} 秒"),
    "watch.stalled-start": ("no step yet and nothing written for {time}",
                            "尚无 step，且 {time} 无新日志"),
    "watch.moving": ("MOVES AGAIN", "恢复"),
    "watch.moving-says": ("a new step after {time}", "{time} 后出现新 step"),
    "watch.file.new": ("new file: {name}", "新文件：{name}"),
    "watch.file.restarted": ("truncated or written anew, read from its start: {name}",
                             "文件被截断或重写，从头读取：{name}"),
    "watch.file.renamed": ("renamed: {name}", "文件改名：{name}"),
    "watch.file.gone": ("gone: {name}", "文件消失：{name}"),
    "watch.files.new": ("{n:,} new files: {names}", "{n:,} 个新文件：{names}"),
    "watch.files.restarted": ("{n:,} files truncated or written anew, read from their start: "
                              "{names}", "{n:,} 个文件被截断或重写，从头读取：{names}"),
    "watch.files.renamed": ("{n:,} files renamed: {names}", "{n:,} 个文件改名：{names}"),
    "watch.files.gone": ("{n:,} files gone: {names}", "{n:,} 个文件消失：{names}"),
    "watch.more": ("... {n:,} more line||... {n:,} more lines", "…… 另有 {n:,} 行"),
    "watch.over.ended": ("the job has ended", "任务已结束"),
    "watch.over.until": ("what was waited for has come", "等待的情况已出现"),
    "watch.over.timeout": ("the time is up", "已到时限"),
    "watch.over.interrupted": ("interrupted", "已中断"),
    # what is left
    "unexplained.see": ("perhaps: kbtriage kb show {article}",
                        "可能相关：kbtriage kb show {article}"),
    "unexplained.head": ("{n:,} error line that no rule explains||"
                         "{n:,} error lines that no rule explains",
                         "{n:,} 行报错没有规则能解释"),
    "more.of-these": ("and {n:,} more||and {n:,} more", "另有 {n:,} 项"),
    "more.verbose": ("add --verbose for all", "加 --verbose 查看全部"),
    "more.notes": ("{n:,} note||{n:,} notes", "{n:,} 条提示"),
    "more.code": ("kbtriage explain-code {code}", "kbtriage explain-code {code}"),
    "more.article": ("kbtriage kb show {article}", "kbtriage kb show {article}"),
    "more.rule": ("(rule {rule}, confidence {percent}%)", "（规则 {rule}，置信度 {percent}%）"),
    "more.rule-of": ("(rule {rule} of {source}, confidence {percent}%)",
                     "（规则 {rule}，来自 {source}，置信度 {percent}%）"),
    "times": ("{n:,} time||{n:,} times", "{n:,} 次"),
    "fallback.step": ("Read the log from this line on, and what stands above it: "
                      "`less +{line} {file}`",
                      "从该行开始阅读日志，并留意其上方的内容：`less +{line} {file}`"),
    # finding in full, Markdown
    "role.cause": ("Cause", "根因"),
    "role.consequence": ("Consequence", "后果"),
    "role.note": ("Note", "提示"),
    "severity.error": ("error", "错误"),
    "severity.warning": ("warning", "告警"),
    "severity.info": ("info", "提示"),
    "note.silenced": ("{title} [{silenced}]", "{title}（{silenced}）"),
    "silenced": ("silenced by {pack} until {until}: {reason}",
                 "已被规则包 {pack} 屏蔽至 {until}：{reason}"),
    "field.codes": ("codes", "错误码"),
    "field.explained-by": ("explained by", "上游原因"),
    "field.otherwise": ("If it was not that", "若不是这个原因"),
    "field.steps": ("What to do", "处理步骤"),
    "field.absent": ("absent: {what}", "缺少：{what}"),
    "field.proof": ("Proof", "证据"),
    "field.meaning": ("What it means", "含义"),
    "title.report": ("kbtriage report", "kbtriage 诊断报告"),
    "title.causes": ("Causes", "根因"),
    "title.consequences": ("Consequences", "后果"),
    "title.notes": ("Notes", "提示"),
    "title.ranks": ("Ranks", "各 rank 状态"),
    "title.unexplained": ("Not explained by any rule", "没有规则能解释的报错"),
    "title.read": ("What was read", "读取范围"),
    "issue.environment": ("Environment", "环境"),
    "issue.found": ("What was found", "诊断结果"),
    "issue.excerpt": ("Excerpt", "日志摘录"),
    "issue.shows": (
        "`kbtriage check` finds the same cause in these lines alone.",
        "仅凭以下日志行，`kbtriage check` 即可得出同样的根因。"),
    "issue.shows-not": (
        "These are the quoted lines. The cause shows in the whole logs only: it lies in what is "
        "missing, or in numbers over many steps.",
        "以下为引用到的日志行。根因需结合完整日志判断：它体现在缺失的输出或多步的数值变化中。"),
    "issue.yours": ("To be filled in", "请补充"),
    "issue.ask-command": ("The command that started the job:", "启动任务的命令："),
    "issue.ask-since": (
        "Has it ever worked, and what has changed since (versions, data, configuration, nodes)?",
        "此前是否正常运行过？之后有哪些变化（版本、数据、配置、节点）？"),
    "issue.ask-tried": ("What was tried already, and what came of it:", "已做过的尝试及结果："),
    "column.count": ("lines", "行数"),
    "column.line": ("first", "首次出现"),
    "column.text": ("text", "内容"),
}


class Words:
    """The words of one language: `words("read.files", n=3)` gives `3 files`."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._column = 1 if lang == "zh" else 0
        #: what stands between items of a list
        self.comma = "，" if lang == "zh" else ", "
        #: what stands between parts of a sentence
        self.semicolon = "；" if lang == "zh" else "; "

    def __call__(self, key: str, **values: Any) -> str:
        """The words for `key` with `values` put in. Raises KeyError for an unknown key."""
        text = WORDS[key][self._column]
        one, separator, many = text.partition("||")
        if separator:
            text = one if values.get("n") == 1 else many
        return text.format_map(values)

    def has(self, key: str) -> bool:
        """Whether there are words for `key`."""
        return key in WORDS

    def size(self, count: int) -> str:
        """A number of bytes: `812 B`, `41 KB`, `3.2 GB` (powers of 1,000)."""
        value = float(count)
        for unit in ("B", "KB", "MB", "GB"):
            if value < 999.5:
                digits = 0 if value >= 10 or unit == "B" else 1
                return f"{value:.{digits}f} {unit}"
            value /= 1000
        return f"{value:,.1f} TB"
