/**
 * What the service promises to the outside, one line each. Every id is proved by at least one test made with
 * `verifies(id, …)`; test/wire/coverage.test.ts fails on an id without a proof, and on a proof of an unknown
 * id.
 */
export const requirements = {
  // Conventions of HTTP
  "http:content-type":
    "bodies are JSON; the content type may be left out with an empty body only, any other is 415",
  "http:unknown-keys":
    "unknown keys are ignored, but 400 naming them and the nearest known one where something is removed, reverted, approved or changed",
  "http:own-words": "what is wrong with a value is said without the words of a schema checker",
  "http:no-coercion": "wrong JSON types are 400 invalid_value naming the field",
  "http:size": "a body over server.max_body_bytes is 413",
  "http:trailing-slash": "one trailing slash is ignored",
  "http:unknown-path": "an unknown path is 404 route_not_found",
  "http:wrong-method": "a known path with another method is 405 with Allow",
  "http:uuid-case": "UUIDs in paths count without regard to case",
  "http:lists": "lists take limit and offset; count is the matches before paging",
  "http:groups": "a group switched off answers 404 route_not_found",
  "http:request-id": "X-Request-Id is echoed if well formed, else made",
  "http:cors": "an allowed origin is echoed with Vary, never *; methods and headers as documented",
  "http:client-headers": "pages of allowed origins may send the headers of the common client libraries",
  "http:preflight": "a preflight is 204 with all methods and needs no token",
  "http:error-shape": "every error of every route has the one shape, with one of four types",
  "http:status-table": "provider failures before the first byte map to their statuses",
  "http:late-failure":
    "a failure in a later iteration is 200 with the text so far and completion_reason error",
  "http:aliases": "the /v1 aliases share the handlers",
  "http:openapi": "the OpenAPI document is made from the route table and lists every route",
  "http:openapi-answers":
    "the OpenAPI document declares every status, media type and body that routes answer",
  "http:health": "health tells status and version",
  "http:health-proof": "health proves which service answers, for a challenge of the command line",
  "http:health-degraded": "health is 503 degraded, with the reason, while the store cannot be written",
  "http:doctor": "the doctor tells what is found of the installation, each with its level, remedy and view",
  "http:doctor-scope": "the doctor needs the scope admin, and from elsewhere server.remote_admin",
  "http:doctor-once": "who asks the doctor while it is at work gets the same report",
  "http:doctor-limit": "the doctor answers within 15 seconds; a check that hangs is a fault of its own",
  "http:doctor-redacted": "no known secret stands in the report of the doctor",
  "http:cut-by-stop": "a whole JSON answer that the stop of the service cuts is 503 with the run's id",
  // Pages of messages
  "messages:page": "one branch is read in pages: the last one, from a position, around a message",
  "messages:branches": "a message tells what else follows the one before it, each with its newest end",
  // Connecting models
  "providers:key": "a provider tells whether it has a key and from where, and whether it can be changed here",
  "providers:detect":
    "servers of models are looked for at the addresses of the setting alone, never the service's own",
  "providers:save":
    "a provider is added or changed once it has listed its models; its key is kept, never told, and sent to no other origin",
  "providers:remove": "a provider goes with its key; where it was set elsewhere or is in use it stays",
  // Diffs of changes
  "changes:diff": "a change is shown as hunks against its run or against now, or with the reason why not",
  // Runs without their client
  "chat:background":
    "with background a chat answers 202 once the turn is stored; a first call that fails keeps the turn",
  "stream:run-events-merged":
    "with merge, replayed fragments of text side by side are one chunk, under the last number",
  // Events of the service
  "events:hello": "the stream begins with hello: the start's id, the version, and who hears",
  "events:change":
    "a stored or deleted record is told as the list of its kind has it, without words of messages",
  "events:burst": "changes of one record within 250 ms come as one",
  "events:resume": "a reader goes on behind its last event, or is told to read the lists again",
  "events:kinds": "a reader may name the kinds that it wants",
  "events:scope": "nobody hears of what they may not list; the stream ends with its token",
  "events:stop": "the streams end when the service stops",
  // Search in messages
  "search:words": "messages are found that hold all words, phrases and beginnings of words of q",
  "search:hit":
    "a hit names its message and conversation, with a snippet, its marks, and whether it is active",
  "search:filters":
    "conversationId, role, from and to narrow a search; limit and offset page, count does not",
  "search:count": "matches are counted up to 1000, and paged through",
  "search:hidden": "hidden conversations are left out, from the moment on when they are hidden",
  "search:gone": "what is deleted is not found any more, also after a start",
  "search:imported": "what is imported is found, and what it replaces is not",
  "search:odd": "no q is taken for an operator of a query language, and none fails",
  "search:backlog":
    "a store that is not indexed yet is indexed while others are served; complete is false till then",
  "search:missed": "a start indexes what the last one has missed, whatever the storage keeps of the index",
  "search:turns": "no text is indexed while a model talks",
  "search:secrets": "snippets show no secrets",
  "search:scope": "needs the scope read; a group that is switched off is 404",
  // Out of the service and back in
  "transfer:export":
    "a conversation is exported with all that belongs to it, as JSON or Markdown, secrets redacted",
  "transfer:import": "an exported conversation comes back whole, on another host or beside the first",
  "transfer:conflict":
    "where the conversation is here already it gets a new id, replaces that one, or is 409 id_taken",
  "transfer:verified": "a package that is not whole is 400 with what is wrong, and nothing of it is stored",
  // Documents
  "documents:read":
    "PDF and text files in a request are read for the model; one that cannot be read gets a line and a warning",
  // The door
  "door:host": "a foreign Host is 403 forbidden_host on every route",
  "door:two-hosts": "two Host lines and absolute targets are 400 before any route",
  "door:origin": "a foreign or null Origin is 403 forbidden_origin, any method",
  "door:sec-fetch-site": "a request of another site without Origin is 403",
  "door:navigation": "a link from another site to an open page of the service passes",
  "door:origin-logged": "a refused origin is logged once",
  "door:origin-form": "server.allowed_origins takes origins alone, in any spelling, and says what is none",
  "door:open-routes": "an open route needs no token, whatever its path parameters",
  "door:both-loopbacks":
    "127.0.0.1 and ::1 are both bound; where ::1 is another program's, localhost is no own name",
  "door:half-open": "clients that never finish a header keep nobody else out",
  "door:stopping": "while the service stops, clients are answered 503",
  "door:forwarded": "a forwarded request on loopback counts as remote",
  "door:depth": "JSON deeper than 64 is 400",
  "door:prototype-keys": "prototype keys are 400 naming the field",
  "door:remote-bind": "a remote bind without a token refuses to start",
  "door:no-leaks": "no error holds a stack or a path of the host",
  // Embeddings
  "embeddings:create":
    "POST /v1/embeddings gives the vectors of any embedding model as it makes them, as floats or base64, for one text or many",
  // Tools
  "tools:list":
    "every family is listed with its operations, whether it is on, and what is missing where it cannot be used",
  // Changes of files
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
  // Chat request
  "chat:model":
    "model ids work with and without prefix; default means the preference; unknown is 404 model_not_found",
  "chat:messages": "messages must not be empty and need a user message or open answers",
  "chat:sampling": "sampling fields are honoured per request; out of range is 400",
  "chat:n": "n other than 1 is 400",
  "chat:case": "each key is accepted in its other case form; the canonical one counts",
  "chat:unknown-keys": "unknown keys are ignored",
  "chat:content-parts": "content may be an array of parts",
  "chat:legacy-config": "sam_config is service_config; service_config wins key by key",
  "chat:title": "conversation_title names a new conversation",
  "chat:working-directory": "working_directory sets the conversation's directory and is checked",
  "chat:left-out": "fields and parts that nobody here takes are left out with a warning",
  "chat:older-tools": "functions and function_call are 400 naming tools and tool_choice",
  "chat:response": "the answer has the documented shape",
  "chat:metadata": "service_metadata is whole and true",
  "chat:legacy-metadata": "sam_metadata is emitted only when asked for",
  "chat:system-messages": "system messages apply to their request only and are not stored",
  "conversation:id-sources": "five sources of a conversation id, the first that is not empty wins",
  "conversation:created":
    "an unknown UUID makes a conversation with that id; no id makes a new one; the id is always returned",
  "conversation:alias": "other ids are stable aliases",
  "conversation:invalid-id": "an empty-control or overlong id is 400 invalid_id",
  "conversation:busy": "a second request waits, then is 409 conversation_busy",
  "conversation:approval-pending":
    "while the run waits for the person a second request is 409 approval_pending at once",
  "merge:single": "one user message is appended to the server's history",
  "merge:suffix": "a whole history stores only its new turns",
  "merge:edit": "an edited or repeated turn begins a new branch; what followed it stays on its own",
  "merge:nothing": "without a match the last user message and what follows is appended",
  "merge:refused": "a refused or failed first request stores nothing and leaves no conversation",
  "tools:caller": "a call of the caller's tool is returned and its answer taken back",
  "tools:choice": "which tools are offered follows tools and builtin_tools",
  "tools:told":
    "a model is told every operation and parameter; descriptions and nested fields as far as its context has room",
  "tools:help": "help of a family tells the rest, of one operation with about",
  "tools:pictures": "pictures that a tool returns are shown to a model that can see",
  "tools:own-names":
    "a tool with parameters is the caller's whatever its name; one without that names a family which is off is named in a warning",
  "tools:left-out": "tools that are no functions are left out with a warning",
  "tools:preferred":
    "endpoints.<group>.builtin_tools decides which built-in tools a request gets that does not choose",
  "tools:unknown-answer": "an answer to a call nobody made is 400 unknown_tool_call_id",
  "tools:missing-answer": "unanswered open calls are 400 missing_tool_result",
  "tools:abandoned": "a new user message closes open calls as cancelled",
  "bypass:as-sent": "bypass hands the request on as sent and stores nothing",
  "autonomous:result": "an autonomous run answers with its history, executions and metadata",
  "autonomous:background": "in the background it answers 202 at once and goes on",
  "autonomous:goal": "a goal stands for one user message to the default model",
  // Streams
  "stream:transport": "status, headers and framing are as documented",
  "stream:headers-late": "a failure before the first byte is a plain HTTP error",
  "stream:ping": "silence is broken by pings",
  "stream:order": "role, content, final, usage, [DONE], with one id",
  "stream:iterations": "text of a later iteration is parted by two line feeds",
  "stream:usage-chunk": "the usage chunk follows stream.usage_chunk and stream_options",
  "stream:tool-events": "tool events tell each call's states, unless switched off",
  "stream:question-events": "questions travel as events, also when tool events are off",
  "stream:waiting-note":
    "who has not asked for events reads in one line that a call waits, in a stream at once, else after stream.waiting_note_seconds",
  "stream:error-line": "a failure after the headers is a text, an error line and [DONE]",
  "stream:cancelled": "a run cancelled elsewhere ends its stream properly",
  "stream:client-close": "a client that leaves cancels its run, unless told otherwise",
  "stream:run-events": "a run's events are numbered, replayed and continued",
  "runs:retention":
    "ended runs go after runs.retention_days, stored results after tool_results.retention_days",
  "stream:run-events-kept":
    "a run's events outlast restarts, go on with a resumed run, and are given up in time",
  "stream:live": "deltas are forwarded as they come, code points whole",
  "stream:caller-calls": "the arguments of a caller's tool are forwarded as the model writes them",
  // The Responses format
  "ollama:clients":
    "clients of Ollama find the models and are answered: what VS Code, Home Assistant and JetBrains send",
  "ollama:answers": "the page and the line that Ollama is running, loading, pings and the header of Pergola",
  "ollama:alone": "the paths that it shares with other plugins are answered without them",
  "ollama:local": "a local model has the context that num_ctx asks for, is in ps while loaded, and is let go",
  "ollama:keep": "a conversation goes with its answer, unless it is to be kept or is named",
  "ollama:refused":
    "faults are texts; on the second port the same callers are let in; the service is no provider to itself",
  "responses:answer": "a response has the format's shape, with the same loop, tools and metadata as chat",
  "responses:request":
    "instructions, sampling, formats and reasoning reach the model; faults are 400 naming the field",
  "responses:stream": "typed events, numbered without a gap, tell a response from its making to its end",
  "responses:tools": "a call of the caller's function is an item, and its output is taken back",
  "responses:previous":
    "previous_response_id goes on behind that response; behind an older one another branch begins",
  "conversations:items":
    "the active branch is a list of items; they are added without a run and taken off by a new branch",
  "responses:custom":
    "custom tools and functions of a namespace are the caller's, in the caller's own form; others are left out",
  "responses:references": "an item_reference stands for the item of a stored response",
  "responses:stored": "a response is a run: shown, followed, cancelled, deleted, with what it was asked",
  "responses:background": "a response in the background answers at once and goes on by itself",
  "responses:store": "store false leaves nothing of the conversation",
  "responses:failures": "failures are HTTP errors until the first byte, then response.failed",
  "responses:close": "a client that leaves cancels its response",
  // The loop
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
  "stream:answer-limit": "an answer over providers.max_answer_bytes is cut off with provider_error",
  "stream:unread": "a client that leaves more than 8 MiB unread is closed, which ends its run",
  "loop:context-block": "the context block is sent but never stored or shown",
  "loop:prefix": "the prefix of consecutive calls is byte-equal",
  "loop:output": "an answer has the form of response_format, is repaired once, or says that it has it not",
  "loop:output-strict": "with strict, an answer without the form is refused",
  "loop:output-held": "the text of a stream is held until it has the form",
  "loop:output-schemas": "a schema that cannot be used is refused, and none holds up the service",
  "loop:tool-choice": "a demanded call is demanded until it is made, and asked for once more",
  "loop:one-call": "with parallel_tool_calls false only the first call of an answer runs",
  "loop:open-todos": "open to-dos of a run are pointed out up to three times, without a trace in the store",
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
  "loop:titles": "titles come from the marker, the first message or the person, who always wins",
  "loop:large-results": "results over 16,384 bytes are stored and fetched by id; 16,384 is not stored",
  "loop:call-ids": "provider ids are kept if well formed and new, else replaced; the provider sees its own",
  // Approvals
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
  // Sub-agents
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
  // Records
  "conversations:list": "summaries newest first, with title search and hidden ones left out",
  "conversations:detail": "the detail has every documented field",
  "conversations:patch": "a patch merges settings and keeps a title the person set",
  "conversations:delete": "a delete cancels the run and removes what belongs to the conversation",
  "conversations:places":
    "a topic or folder that nobody knows is 404 naming the field; the settings tell the topic again, by its name now",
  "topics:records":
    "a topic is made once for a name, also when two come at once; it is listed, shown and renamed, to a free name only",
  "topics:attach":
    "attaching and detaching act on the conversation that is named, by the topic's id or name, never during a run",
  "topics:chat":
    "a chat names its topic, which is made where there is none, in both stream modes; a refused one leaves none behind",
  "topics:scope":
    "attached conversations share memory, files and terminal sessions, and no other; todos, grants and messages stay apart",
  "topics:access":
    "a conversation with access read finds what its topic keeps and can change none of it, by memory or by files",
  "topics:source": "what is remembered tells the conversation, the run and the call that it comes from",
  "topics:collection": "memory_collection_id is the memory scope of one request; an unknown one is 400",
  "topics:delete":
    "a topic is deleted with its memory and not during a run; its conversations are detached, its files stay unless asked for",
  "notices:run":
    "the end of a run in the background is told to each webhook, signed, without any text; that of a run whose client waits is not",
  "notices:approval": "a call that waits for the person is told, without its arguments",
  "notices:retry": "a webhook that does not answer 2xx is asked again; no redirect is followed",
  "notices:command": "notify.command is started with type and ids as arguments, without a shell",
  "notices:secret": "the secret of a webhook is never shown",
  "metrics:counts":
    "/metrics tells Prometheus of runs, model calls, tokens, cost and tool calls, by model, provider, tool and outcome only",
  "metrics:remote": "/metrics is closed to other computers, unless metrics.allow_remote opens it",
  "telemetry:spans":
    "a run, its model calls and its tool calls are spans of one trace at an OTLP receiver, sub-agents below the call that started them",
  "telemetry:trace":
    "a request's traceparent is the parent of its run; a trace that is not recorded is not sent; what is no traceparent is nothing",
  "telemetry:content": "spans have no texts, unless telemetry.content; then without secrets",
  "telemetry:propagate":
    "with telemetry.propagate, providers get traceparent as a header and MCP servers in _meta; else neither",
  "telemetry:receiver":
    "a receiver that refuses for now is asked again; one that is away, slow or refuses holds up nobody, and what is lost is counted",
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
  "instructions:trust":
    "AGENTS.md and skills of a folder that is not trusted with exactly these bytes say nothing to a model, and the answer says what to do; only the person at this computer trusts one",
  "instructions:order":
    "instructions stand from the person's own over the root of the repository down to the working directory; no link is followed",
  "instructions:limit": "instructions are given whole, up to 32 KiB; a warning names what is left out",
  "instructions:steady": "the system text with instructions and skills is equal in all calls of a run",
  "skills:catalogue":
    "a run that can read files is told each skill's name, description and path, and no body",
  "skills:called": "/name at the beginning of a message brings a skill whole, to the end of its conversation",
  "skills:pinned": "the result by which a model has read a skill is pinned",
  "skills:list":
    "the skills in force for a working directory are listed; those of a folder win over the person's own",
  "folders:records": "a folder is made once for a name, also when two come at once; it is listed and changed",
  "folders:delete":
    "a folder's conversations are in no folder once it is deleted, those with a run at work too",
  "runs:records": "runs are listed and read with every documented field",
  "runs:explain":
    "of a run is told who changed, chose, decided, asked and called, and what each model call saw and cost",
  "runs:cancel": "a cancel is recorded, stops within five seconds and keeps the history valid",
  "runs:resume": "an interrupted run resumes when asked, or by policy",
  "models:list": "models are listed with their facts; failing providers are left out",
  "models:get": "one model is found by its id, slashes and all",
  "runs:usage":
    "tokens and costs of runs are added up, by day, model, provider or conversation; what has no known price is said",
  "models:costs": "the cost of an answer is its usage at the prices of the model that answered",
  "models:replay": "what a provider wants to see again comes back within the run, and after a caller's tool",
  "messages:create": "an answer in the Messages format has its shape; built-in tools stay with the service",
  "messages:stream":
    "a stream in the Messages format is one message of numbered blocks with the true usage at its end",
  "messages:input":
    "texts, images, documents, thoughts and sampling of the Messages format reach the provider; the rest is 400 naming the field",
  "messages:tools":
    "calls of the caller's tools are tool_use; tool_result goes on; names of built-in families without parameters select those",
  "messages:system":
    "a system message between the turns of the Messages format stays in its place and is not stored",
  "messages:left-out":
    "what a vendor's own tools and features need is left out of the Messages format with a warning in service_metadata",
  "messages:thread":
    "a thread of the Messages format is created without effect; continuing one is 400 with details.error_code thread_not_found",
  "messages:conversation": "conversation_id and X-Session-Id name a conversation of the Messages format",
  "messages:errors":
    "errors of the Messages routes have that format's shape and types, before and inside a stream",
  "messages:count": "count_tokens estimates what the caller sends and changes nothing",
  "providers:list": "providers are listed with their state and without their secrets",
  "providers:kinds":
    "an answer tells which kind of provider gave it, what it used and what it costs, whichever kind it is",
  "providers:entries":
    "an entry of providers.list has its own name, prefix, models, headers, sampling and times, in either spelling",
  "providers:login": "a device login answers with code and address; a kind without one refuses",
  "providers:device-login":
    "a person's device login serves models, outlives a restart, and its tokens show nowhere",
  "providers:initiator": "the vendor is told whether a person or the loop asks",
  "providers:quota": "a quota is shown where the provider tells it, else why not",
  "models:prompt-tools":
    "a model without tools gets them in its prompt; the calls it writes run and never reach content",
  "models:native-first":
    "a model whose support of tools is a guess gets them natively; after a refusal they go into the prompt, and that is remembered",
  "models:context-cut": "a runtime that counts under half of what was sent is told of",
  "models:local": "an installed model file answers and calls tools, with no network and no settings",
  "models:remove":
    "an installed model is removed with its files; one in use, a built-in one and an unknown one are not",
  "downloads:start": "a download begins and answers its id; the same target at work or installed is existing",
  "downloads:refused":
    "bad names, digests and addresses are 400, a source that cannot be reached is 502; nothing is begun",
  "downloads:status": "the status has every field filled; an unknown id is 404",
  "downloads:list": "downloads are listed, newest first, by state too",
  "downloads:cancel":
    "a cancel removes the partial bytes unless they are to be kept; what has ended is 409, what was cancelled 200",
  "downloads:discard": "what a failed or cancelled download has kept is removed on request",
  "downloads:resume": "a failed or cancelled download goes on by byte range, any other is 409 not_resumable",
  "downloads:restart": "a download that a restart cut is failed, interrupted, and can be resumed",
  "downloads:events":
    "events tell the start, each change of state, progress at most twice a second, and the end",
  "downloads:search": "the source is asked for models",
  "downloads:paths": "paths below download are the downloads' own, whether the group is on or not",
  "prompts:system":
    "system prompts are listed, made, read, changed and deleted; built-in ones are 409 built_in, unknown ones 404",
  "prompts:mini":
    "mini prompts are listed in their order, made, read, changed and deleted, on all three paths alike",
  "prompts:limits": "what a prompt or personality must not be is 400 naming the field, and nothing is stored",
  "prompts:personalities":
    "personalities are listed, made, read, changed and deleted; there is a built-in one for each category but Custom",
  "prompts:chosen":
    "the request's system prompt and personality, else the conversation's, else the preference's reach the model, the same from call to call",
  "prompts:instructions":
    "mini prompts of request and conversation reach the model in the context block alone, in their order",
  "prompts:unknown":
    "unknown texts are ignored with a warning in chat, and 404 naming the field in a conversation",
  "prompts:deleted": "a conversation or preference whose text was deleted falls back with a warning",
  "memory:used":
    "an answer and its message name the memories that were put before the model, by id and similarity",
  "memory:injected":
    "memories of the scope that fit are put before the model, as dated notes, and no more than memory.inject_count of them",
  "memory:threshold": "memories below memory.inject_threshold are not put before the model",
  "memory:origin":
    "what a tool or an import brought is labelled with its origin, for the model and for the person",
  "memory:archive":
    "with a shared topic three pieces of its other conversations are put before the model, and none once sharing is off",
  "memory:long-term": "three discoveries, solutions and patterns of the scope are put before the model",
  "memory:off": "enable_memory false puts nothing remembered before the model",
  "memory:once":
    "what is put before the model is worked out once a run and is the same text in all its calls; what a vector finds that the first call could not wait for stands behind it",
  "memory:as-data": "what stands in a memory stays one line of data, whatever it says",
  "memory:never-kept": "what is put before the model is in no stored message, answer, event or listing",
  "memory:optional": "memory that fails, or that no plugin keeps, fails no run",
  "memories:list":
    "what is remembered is listed, newest first, by conversation, topic, type, tag, kind and origin",
  "memories:create":
    "a person has something remembered in a conversation or a topic, once for the same content, with origin user",
  "memories:counts":
    "with counts the matches are counted by scope, origin and kind, each without its own filter",
  "memories:search": "what is remembered is searched, best first with its similarity, in one scope or in all",
  "memories:change": "a memory is changed field by field, and search and the model follow at once",
  "memories:delete": "a deleted memory is found by nobody from then on",
  "memories:refused": "unknown ids are 404 and bad fields 400, and change nothing",
  "preferences:list":
    "all preferences are shown with the values in force, those of plugins too, and described from the registry",
  "preferences:patch":
    "a change is checked whole, stored and in force at once, and survives a restart; null goes back to the default",
  "preferences:refused":
    "unknown_preference, invalid_value and out_of_range tell what is wrong with a change, and nothing of it is kept",
  "preferences:fixed":
    "what a flag, the environment or the settings file has set is 409 set_elsewhere, naming where",
  "preferences:remote":
    "protected preferences are not for remote callers, unless server.remote_admin lets them",
  "preferences:secrets": "secrets are write-only: never shown, logged or echoed",
  "preferences:restart": "a key that needs a restart is named, and in force after it",
  "preferences:spellings": "older spellings, the other case form, nested and wrapped keys are taken",
  "preferences:effects": "changed preferences change what the service does at once, in both stream modes",
  "preferences:providers":
    "providers are added, changed and removed while the service runs, and running answers end properly",
  "tools:switch":
    "a family is switched for one conversation or for all, in both stream modes; a call of one that is off is refused",
  "results:read": "stored results are read by code points, with hints for close ids",
  "debug:tools": "tools are listed with their schemas and counts from the registry",
  "debug:execute": "a call by hand always answers 200 with a string result",
  "debug:approval": "a blocked call by hand can be approved later; the record holds its result",
  "debug:loopback": "debug routes are for loopback callers",
} as const satisfies Readonly<Record<string, string>>;

/**
 * Weaknesses seen elsewhere that the first plugins can show; each is proved by a test that carries its id.
 */
export const regressions = [
  ..."C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C15 C16 C17 C18 C19 C20 C21 C23 C24 C25 C26".split(
    " ",
  ),
  ..."C01 C02 C03 C04 C05 C06 C08 C09 C10 C11 C12 C13 C14 C15 C16 C17 C18 C19 C20 C21 C22 C23 C24 C25 C26".split(
    " ",
  ),
  ..."S01 S02 S03 S04 S05 S06 S07 S08 S09 S10 S11".split(" "),
  ..."A01 A02 A03 A04 A05 A06 A07 A08 A09 A10 A11 A12 A13 A14 A15 A16 A17 A19 A20 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 A32".split(
    " ",
  ),
  ..."T01 T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 T22 T23 T24 T25 T26 T27 T28 T29 T30".split(
    " ",
  ),
  ..."W02 W03 W04 W05 W06 W07 W09 W10 W11 W12 W13 W14 W15".split(" "),
  ..."R01 R04 R05 R06 R07 R08 R12 R13 R14 R15 R16".split(" "),
  ..."R01 R02 R03 R05 R06 R07 R08 R12 R13 R14 R15 R16".split(" "),
  ..."W01 W02 W03 W04 W05 W06 W07 W08 W09 W10 W11 W12 W13 W14 W15".split(" "),
  ..."R01 R05 R06 R07 R08 R12 R13 R14 R15 R16".split(" "),
  ..."R01 R05 R06 R07 R08 R09 R10 R12 R13 R14 R15 R16".split(" "),
] as readonly RegressionId[];

export type RegressionId = `${"C" | "S" | "A" | "T" | "W" | "R"}${number}`;
