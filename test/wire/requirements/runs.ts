/** Runs: the loop, approvals, sub-agents, schedules, and what they change. */
export const runs = {
  "loop:tools": "calls are run, stored and answered, in call order",
  "loop:parallel": "neighbours that only read run together; others are barriers",
  "loop:too-many": "calls beyond the limit get too_many_calls",
  "loop:limit": "the iteration limit ends the run as max_iterations_reached with finish_reason length",
  "loop:dynamic-limit": "increase_max_iterations raises the limit up to the ceiling",
  "loop:repeated": "the third identical batch in a row is not run",
  "loop:suspended": "a family that failed three times is suspended until another succeeds",
  "loop:exhausted": "six failures in a row end the run as tool_execution_failed",
  "loop:empty": "an empty answer is nudged once",
  "loop:cleaned": "think tags, call text, markers and the stop text never reach content",
  "loop:cost-time": "runs.max_seconds and runs.max_cost_usd end a run",
  "loop:time-cuts-steps": "runs.max_seconds aborts the model call or the tool at work",
  "loop:context-block": "the context block is sent but never stored or shown",
  "loop:prefix": "the prefix of consecutive calls is byte-equal",
  "loop:output": "an answer has the form of response_format, is repaired once, or says that it has it not",
  "loop:output-strict": "with strict, an answer without the form is refused",
  "loop:output-held": "the text of a stream is held until it has the form",
  "loop:output-schemas": "a schema that cannot be used is refused, and none holds up the service",
  "loop:tool-choice": "a demanded call is demanded until it is made, and asked for once more",
  "loop:one-call": "with parallel_tool_calls false only the first call of an answer runs",
  "loop:open-todos": "open to-dos of a run are pointed out up to three times, without a trace in the store",
  "loop:titles": "titles come from the marker, the first message or the person, who always wins",
  "loop:large-results": "results over 16,384 bytes are stored and fetched by id; 16,384 is not stored",
  "loop:call-ids": "provider ids are kept if well formed and new, else replaced; the provider sees its own",
  "context:goal":
    "system prompt, first and newest user message, pinned messages and open to-dos are never left out",
  "context:pairs": "a message with calls and its answers stay or go together",
  "context:summary":
    "what is left out is replaced by one thread_summary block, quoted as data; what is stored stays as it is",
  "context:prefix": "between two cuts the beginning of consecutive calls is byte-equal, from run to run too",
  "context:archive": "what is left out is archived, and goes with its conversation",
  "context:too-large":
    "what does not fit is 400 context_length_exceeded before anything is stored, and ends a run with error later",
  "context:pinned": "a message is pinned by hand, during a run too, and stays in sight",
  "outline:parts":
    "GET …/context tells of a run's last model call how many tokens its parts had, and of which model; parts without reserve add up to estimatedTokens",
  "outline:messages":
    "it names each message of the branch up to the call, whole, pinned or left out, and the archive's records of the latter",
  "outline:texts":
    "it names the memories that the call was given, and with text=true has the texts that are kept and unchanged, without secrets",
  "outline:unknown":
    "it is of the last run that has called a model, never of a sub-agent's; 404 for what is not there, and before the first call",
  "approval:blocks": "a risky call blocks, is listed and streamed, and is answered over HTTP",
  "approval:once": "an answer is final; a second is 409; of two at once one wins",
  "approval:exact-words": "only exact words or the boolean approve",
  "approval:restart": "a pending approval survives a restart and its run goes on",
  "approval:grants": "grants are bound to conversation, operation and paths, end in time and can be revoked",
  "approval:preview":
    "a question shows what the call would do, worked out without doing it; a yes rests on that",
  "approval:bound": "an approval covers exactly the call shown",
  "approval:denials": "a denial is told to the model; after two it is told not to ask again",
  "approval:expiry": "approvals.timeout_seconds expires them",
  "approval:question": "user_collaboration asks and gets text",
  "policy:table": "effects and places are treated as documented",
  "policy:never": "the service's own secrets are refused, however they are reached",
  "policy:protected": "credential stores and protected names ask",
  "policy:off-by-default": "terminal, sub-agents and remote tools are off until switched on",
  "agents:run":
    "an agent is a run of its own in a hidden conversation, in the parent's working directory and topic",
  "agents:rights":
    "an agent has its parent's tools without those withheld, unless it asks for them and the parent has them",
  "agents:limits":
    "agents.max_depth and agents.max_parallel refuse more; cost and time count for the parent too",
  "agents:inbox":
    "a summary of at most 2,000 characters comes to the parent's inbox and is named in its context",
  "agents:approvals":
    "an agent's questions stand in the parent's stream and list, and the parent's grants apply",
  "agents:persistent":
    "a persistent agent stays idle, takes what it is sent, and ends with the conversation or by kill",
  "agents:ends": "agents are cancelled with their parent, or agents.grace_seconds after it has ended",
  "agents:restart":
    "agents and inboxes survive a restart; what was cut is resumed, cancelled or left with its parent",
  "runs:retention":
    "ended runs go after runs.retention_days, stored results after tool_results.retention_days",
  "runs:records": "runs are listed and read with every documented field",
  "runs:explain":
    "of a run is told who changed, chose, decided, asked and called, and what each model call saw and cost",
  "runs:cancel": "a cancel is recorded, stops within five seconds and keeps the history valid",
  "runs:resume": "an interrupted run resumes when asked, or by policy",
  "runs:usage":
    "tokens and costs of runs are added up, by day, model, provider or conversation; what has no known price is said",
  "results:read": "stored results are read by code points, with hints for close ids",
  "changes:diff": "a change is shown as hunks against its run or against now, or with the reason why not",
  "changes:recorded":
    "every change of a file by a run is listed with what stood there before and after, and nothing that did not happen",
  "changes:programs":
    "what programs change in the working directory is listed and taken back too; where bounds are passed the list says so",
  "changes:revert":
    "a revert puts back bytes, modes, names and folders, and leaves what others have put there",
  "changes:some": "a revert may be for some paths or changes only; what it does not know is 400",
  "changes:refused":
    "a file that is not as the run left it is refused with the reason, and then nothing is touched unless partial is asked for",
  "changes:again": "what is reverted is 409 already_reverted; a revert is listed and reverted by its own id",
  "changes:dry-run": "dryRun says what would be done and touches nothing",
  "changes:in-use": "while a run works in the conversation a revert is 409 in_use",
  "changes:agents": "a run's list has the changes of its sub-agents unless includeAgents is false",
  "changes:by-hand": "calls by hand are listed under their conversation and reverted by the call's id",
  "changes:remote":
    "a caller from elsewhere reverts only below the folders that its conversations may work in",
  "changes:forgotten": "a conversation takes its changes with it, and the contents that nobody else needs",
  "schedules:records":
    "a schedule is made with cron or at, listed, changed and deleted; what it cannot mean is named",
  "schedules:start": "each start is an autonomous run in the schedule's conversation",
  "schedules:once": "a schedule with at starts once, and is off then",
  "schedules:missed":
    "of starts that were due while no service ran one is caught up; the others are counted as missed",
  "schedules:busy": "a start that finds the run before it at work is missed, and says why",
  "schedules:cost": "a run that has cost what its schedule allows ends",
  "schedules:rights":
    "runs of a schedule have the rights of who made it; one who may less changes no more than whether it is on; it ends with its token",
} as const;
