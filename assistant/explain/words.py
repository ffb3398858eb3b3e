"""The sentences of an account, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.explain.types import Say
from assistant.report.words import Words

#: Key to (English, Chinese); forms with `||` are `one||many`, chosen by the value `n`.
SENTENCES: Mapping[str, tuple[str, str]] = {
    # status of the rule
    "status.cause": ("reported as a cause", "已报告，作为原因"),
    "status.consequence": ("reported as a consequence", "已报告，作为后果"),
    "status.note": ("reported as a note", "已报告，作为提示"),
    "status.silenced": ("noted only: it is silenced", "仅作提示：已被屏蔽"),
    "status.hidden": ("it holds, but is kept out of the report", "条件成立，但未进入报告"),
    "status.missing": ("not found", "未命中"),
    "status.off": ("switched off", "已停用"),
    "status.other-version": ("not asked: it is meant for other versions", "未判断：适用于其他版本"),
    "status.broken": ("not loaded: its file has a mistake", "未加载：规则文件有错误"),
    # headings
    "head.when": ("Condition", "条件"),
    "head.each": ("asked for each rank by itself", "对每个 rank 分别判断"),
    "head.signals": ("Signals", "信号"),
    "head.needs": ("It would be found", "满足以下任一条件即会命中"),
    "head.above": ("Why", "原因"),
    "head.why": ("Why it is told so", "为何如此判断"),
    "on.all": ("all {n} ranks||all {n} ranks", "全部 {n} 个 rank"),
    "on.ranks": ("rank {ranks}||ranks {ranks}", "rank {ranks}"),
    "on.job": ("the job", "整个任务"),
    "on.nearest": ("nearest: {who}", "最接近：{who}"),
    # what would have made it fire
    "need.hold": ("`{name}` held", "`{name}` 成立"),
    "need.not": ("`{name}` did not hold", "`{name}` 不成立"),
    "need.job": ("if {changes}", "{changes}"),
    "need.on": ("on {who}, if {changes}", "在 {who} 上，{changes}"),
    "need.and": (" and ", "，且 "),
    # ranks: of a signal
    "signal.ranks": ("found on {n} of {all}, and `ranks: {asked}` asks for others",
                     "在 {all} 个中的 {n} 个上出现，而 `ranks: {asked}` 要求不同"),
    # log
    "log.matches": ("1 line||{n:,} lines", "{n:,} 行"),
    "log.none": ("no line matches", "没有匹配的行"),
    "log.lacks": ("all of the expression but `{part}`", "除 `{part}` 外表达式全部匹配"),
    "log.broken": ("matches up to or from `{part}`", "仅在 `{part}` 的一侧匹配"),
    "log.case": ("the letters differ in case only; `(?i)` ignores that",
                 "仅大小写不同；可用 `(?i)` 忽略"),
    "log.stale": ("in a file of an earlier job", "位于先前任务遗留的文件中"),
    "log.earlier-run": ("in an earlier run: the last one begins on line {line}",
                        "属于较早的一次运行：最后一次运行从第 {line} 行开始"),
    "log.role": ("in a file of kind {role}, `in: {asked}` asks for another",
                 "所在文件类型为 {role}，而要求 `in: {asked}`"),
    "log.echo": ("the file only echoes other logs (`in: console` would count it)",
                 "该文件只是其他日志的回显（写 `in: console` 才会计入）"),
    "log.level": ("its level is {level}, `level: {asked}` is asked for",
                  "级别为 {level}，而要求 `level: {asked}`"),
    "log.component": ("its component is {component}, `component: {asked}` is asked for",
                      "模块为 {component}，而要求 `component: {asked}`"),
    "log.inside": ("it stands in no event of `inside: {asked}` (but: {kind})",
                   "不在 `inside: {asked}` 所指的事件中（实际：{kind}）"),
    "log.outside": ("it stands inside an event of kind {kind}, which `outside:` rules out",
                    "位于 {kind} 事件之内，被 `outside:` 排除"),
    "log.too-few": ("1 line in the file, `at_least: {asked}`||"
                    "{n} lines in the file, `at_least: {asked}`",
                    "该文件中只有 {n} 行，而要求 `at_least: {asked}`"),
    "log.before": ("no `{other}` is known to follow it (within: {within})",
                   "未见其后有 `{other}`（within：{within}）"),
    "log.after": ("no `{other}` is known to precede it (within: {within})",
                  "未见其前有 `{other}`（within：{within}）"),
    "log.before-none": ("`{other}`, which must follow it, matches nowhere",
                        "应在其后出现的 `{other}` 没有任何匹配"),
    "log.after-none": ("`{other}`, which must precede it, matches nowhere",
                       "应在其前出现的 `{other}` 没有任何匹配"),
    "log.other": ("it matches, and does not count (another stage, or it names nobody)",
                  "匹配但未计入（属于其他 stage，或未指明对象）"),
    # events
    "event.fits": ("1 event||{n:,} events", "{n:,} 个事件"),
    "event.none": ("no event of kind {kind}", "没有 {kind} 事件"),
    "event.others": ("other events of kind {kind}: {titles}", "只有其他 {kind} 事件：{titles}"),
    "event.nearly": ("an event of kind {kind} fits all keys but one",
                     "有一个 {kind} 事件，只差一个键"),
    "event.lacks": ("`{key}: {asked}` does not fit: {found}",
                    "`{key}: {asked}` 不匹配：{found}"),
    "error.fits": ("1 line||{n:,} lines", "{n:,} 行"),
    "error.others": ("error lines that do not fit", "有错误行，但不匹配"),
    "error.none": ("no error line", "没有错误行"),
    "code.found": ("printed once||printed {n:,} times", "出现 {n:,} 次"),
    "code.others": ("other codes: {codes}", "只有其他错误码：{codes}"),
    "code.none": ("no error code", "没有错误码"),
    # numbers
    "metric.holds": ("{metric} is {value} at step {step}", "第 {step} 步 {metric} 为 {value}"),
    "signal.no-stages": ("the logs tell no pipeline stages: every rank counts as on the last one",
                         "日志未给出流水线 stage：所有 rank 都视为在最后一个 stage"),
    "metric.other-columns": ("no step line with {metric}: the step lines hold {columns}",
                             "没有含 {metric} 的 step 行：step 行含有 {columns}"),
    "metric.no-steps": ("no step line with {metric} ({n} step lines in all)",
                        "没有带 {metric} 的 step 行（step 行共 {n} 个）"),
    "metric.skipped": ("{n} step line, and `skip_first: {skipped}`||"
                       "{n} step lines, and `skip_first: {skipped}`",
                       "只有 {n} 个 step 行，而 `skip_first: {skipped}`"),
    "metric.no-peers": ("no other rank of its stage to compare with at the same steps",
                        "相同 step 上没有同 stage 的其他 rank 可比"),
    "metric.too-few": ("{n} step with a number for {metric}, {needed} needed||"
                       "{n} steps with a number for {metric}, {needed} needed",
                       "{metric} 只有 {n} 个 step 有数值，需要 {needed} 个"),
    "metric.shared": ("{n} step shared with other ranks, {needed} needed||"
                      "{n} steps shared with other ranks, {needed} needed",
                      "与其他 rank 共有 {n} 个 step，需要 {needed} 个"),
    "metric.bound": ("{metric} came nearest at step {step}: {value}, asked for {asked}",
                     "{metric} 在第 {step} 步最接近：{value}，要求 {asked}"),
    "metric.run": ("{metric} {asked} for {n} step in a row, {needed} needed||"
                   "{metric} {asked} for {n} steps in a row, {needed} needed",
                   "{metric} {asked} 最多连续 {n} 步，需要 {needed} 步"),
    "metric.kind": ("{n} of {rows} steps hold a number for {metric}; `{asked}` for {needed} "
                    "in a row is asked for",
                    "{rows} 个 step 中 {n} 个的 {metric} 是数值；要求连续 {needed} 步为 `{asked}`"),
    "metric.spike": ("{metric} came nearest at step {step}: {value} against a median of {median} "
                     "({times} times, {asked} asked; {apart} deviations, {deviations} asked)",
                     "{metric} 在第 {step} 步最接近：{value}，中位数 {median}"
                     "（{times} 倍，要求 {asked}；{apart} 个偏差，要求 {deviations}）"),
    "metric.slower-peers": ("{metric} {value} against {median} of its peers: {times} times, "
                            "{asked} asked",
                            "{metric} 为 {value}，同伴为 {median}：{times} 倍，要求 {asked} 倍"),
    "metric.slower-past": ("{metric} {value} against {median} at the start: {times} times, "
                           "{asked} asked",
                           "{metric} 为 {value}，起初为 {median}：{times} 倍，要求 {asked} 倍"),
    "metric.unlike": ("{metric} is furthest from its peers at step {step}: {value} against "
                      "{median}, {apart} deviations, {asked} asked",
                      "{metric} 在第 {step} 步与同伴相差最大：{value}，同伴 {median}，"
                      "{apart} 个偏差，要求 {asked}"),
    "metric.flat": ("the last {n} values of {metric} differ by {share}, at most 0.10% is asked",
                    "{metric} 最后 {n} 个值相差 {share}，要求不超过 0.10%"),
    "metric.trend": ("{metric} goes from {start} to {end} over {n} steps; {test} by {asked} times "
                     "is asked",
                     "{metric} 在 {n} 步内由 {start} 变为 {end}；要求 {test} {asked} 倍"),
    "fact.holds": ("{fact} is {value}", "{fact} 为 {value}"),
    "fact.other": ("{fact} is {value}, asked for {asked}", "{fact} 为 {value}，要求 {asked}"),
    "fact.unknown": ("the logs do not state {fact}", "日志未给出 {fact}"),
    # ranks
    "state.nobody": ("no process is known", "未识别出任何进程"),
    "state.is": ("{state}", "{state}"),
    "state.other": ("it is `{state}`, asked for {asked}", "状态为 `{state}`，要求 {asked}"),
    "state.unread": ("it is `{state}`, but its log was not read (`without: error`)",
                     "状态为 `{state}`，但未读到其日志（`without: error`）"),
    "state.errors": ("it is `{state}`, but its log holds an error (`without: error`)",
                     "状态为 `{state}`，但其日志中有错误（`without: error`）"),
    "state.exit": ("it is `{state}`, exit code {code}, asked for {asked}",
                   "状态为 `{state}`，退出码 {code}，要求 {asked}"),
    "state.behind-peers": ("it is `{state}`, but not behind its peers (step {step}, {phase})",
                           "状态为 `{state}`，但未落后于同伴（step {step}，{phase}）"),
    "state.behind-none": ("it is `{state}`, but behind its peers (step {step}, {phase})",
                          "状态为 `{state}`，但落后于同伴（step {step}，{phase}）"),
    "state.behind-total": ("it is `{state}`, but not short of the total of its steps (step {step})",
                           "状态为 `{state}`，但未少于总步数（step {step}）"),
    "state.not-named": ("it is `{state}`, but not named by {by}",
                        "状态为 `{state}`，但未被 {by} 点名"),
    "state.stage": ("it fits, but stands on another stage", "符合，但属于其他 stage"),
    "reached.did": ("reached {phase}", "到达 {phase}"),
    "reached.not": ("reached {phase}, asked for {asked}", "到达 {phase}，要求 {asked}"),
    "reached.no-start": ("reached {phase}, but its log lacks the beginning (`from_start`): no line "
                         "of joining the cluster stands before training, see "
                         "`kbtriage rules landmarks`",
                         "到达 {phase}，但日志缺少开头（`from_start`）：训练之前没有加入集群的行，"
                         "见 `kbtriage rules landmarks`"),
    "plain.seen": ("seen", "已出现"),
    "plain.path": ("seen: {path}", "已出现：{path}"),
    "plain.not": ("not seen", "未出现"),
    # what stands above the condition
    "fate.silenced": ("the pack {pack} silences it until {until}: {reason} ({place})",
                      "规则包 {pack} 将其屏蔽至 {until}：{reason}（{place}）"),
    "fate.overridden": ("the pack {pack} changes its {keys} ({place})",
                        "规则包 {pack} 修改了它的 {keys}（{place}）"),
    "fate.replaced": ("the pack {pack} has it in the place of the rule of the pack "
                      "\"{earlier}\" ({place})",
                      "规则包 {pack} 以同名规则替换了规则包“{earlier}”中的规则（{place}）"),
    "fate.harmless": ("it is `harmless`: its lines are claimed and never reported",
                      "它标为 `harmless`：其行视为已解释，从不报告"),
    "fate.unless": ("it gives way to {other}, which its `unless: {glob}` names",
                    "它让位于 {other}（`unless: {glob}`）"),
    "fate.error-lines": ("error lines that nobody knows are left out beside {other}, which ends "
                         "a job", "已有导致任务结束的 {other}，未识别的错误行不再报告"),
    "fate.version": ("`applies_to` wants {product} {wanted}, and the logs state {found}",
                     "`applies_to` 要求 {product} {wanted}，而日志为 {found}"),
    "fate.claimed": ("it is a last resort (`fallback`), and its lines are claimed by {others}",
                     "它是兜底规则（`fallback`），其行已被 {others} 解释"),
    "fate.claimed-lines": ("it is a last resort (`fallback`), and its lines are claimed already",
                           "它是兜底规则（`fallback`），其行已被其他规则解释"),
    "fate.off": ("a site file of the pack {pack} switches it off ({place})",
                 "被规则包 {pack} 的站点文件停用（{place}）"),
    "fate.broken": ("{problem}", "{problem}"),
    # roles
    "role.note": ("its severity is info: worth knowing, never blamed",
                  "severity 为 info：供参考，从不归咎"),
    "role.cause": ("a cause: nothing that was found explains it", "原因：没有其他发现能解释它"),
    "role.explains": ("it explains {others}", "它解释了 {others}"),
    "role.late": ("{other} could explain it, but came later", "{other} 本可解释它，但发生得更晚"),
    "role.ranks": ("{other} could explain it, but on other ranks (`ranks: {ranks}`)",
                   "{other} 本可解释它，但 rank 不符（`ranks: {ranks}`）"),
    "role.mutual": ("{other} names it as well, and ranks lower", "{other} 也指向它，但排序更低"),
    "role.explained": ("a consequence: {other} explains it (`explains: {globs}`, ranks: {ranks})",
                       "后果：由 {other} 解释（`explains: {globs}`，ranks：{ranks}）"),
    "role.settled": ("a consequence: {other} names a cause, and this code mostly follows from "
                     "something else", "后果：{other} 指出了原因，而该错误码多由其他问题引起"),
    "role.chain": ("at the root of the chain stands {other}", "该链条的根源是 {other}"),
    "role.after": ("seen {seconds} s after it", "比它晚 {seconds} 秒出现"),
    "role.before": ("seen {seconds} s before it, which is no proof: the one that caused it may "
                    "write its last words later",
                    "比它早 {seconds} 秒出现，但这并非反证：引发者的最后输出可能更晚写出"),
    "role.first": ("it stands before {other}, by {key}", "排在 {other} 之前，依据：{key}"),
    "role.behind": ("it stands behind {other}, by {key}", "排在 {other} 之后，依据：{key}"),
    # keys by which causes are ordered
    "key.severity": ("severity", "严重程度"),
    "key.explains": ("what it explains", "能否解释其他发现"),
    "key.fallback": ("a rule that knows its lines goes before a last resort",
                     "认识该行的规则先于兜底规则"),
    "key.time": ("time", "时间"),
    "key.confidence": ("confidence", "置信度"),
    "key.id": ("id", "id"),
}


class Speech:
    """Sentences in one language: `speech(say)`, and words by key."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.words = Words(lang)
        self._column = 1 if lang == "zh" else 0

    def __call__(self, said: Say | str, **values: object) -> str:
        """The sentence. Raises KeyError for a key without words."""
        key = said if isinstance(said, str) else said.key
        given = values if isinstance(said, str) else dict(said.values)
        if "key" in given and key.startswith("role."):
            given["key"] = self(f"key.{given['key']}")
        if "state" in given and self.words.has(f"state.{given['state']}"):
            given["state"] = self.words(f"state.{given['state']}")
        text = SENTENCES[key][self._column]
        one, separator, many = text.partition("||")
        if separator:
            text = one if given.get("n") == 1 else many
        return text.format_map(given)
