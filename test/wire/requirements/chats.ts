/** Chats, their streams, and the formats of other services. */
export const chats = {
  "chat:background":
    "with background a chat answers 202 once the turn is stored; a first call that fails keeps the turn",
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
  "bypass:as-sent": "bypass hands the request on as sent and stores nothing",
  "autonomous:result": "an autonomous run answers with its history, executions and metadata",
  "autonomous:background": "in the background it answers 202 at once and goes on",
  "autonomous:goal": "a goal stands for one user message to the default model",
  "tools:list":
    "every family is listed with its operations, whether it is on, and what is missing where it cannot be used",
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
  "tools:switch":
    "a family is switched for one conversation or for all, in both stream modes; a call of one that is off is refused",
  "stream:run-events-merged":
    "with merge, replayed fragments of text side by side are one chunk, under the last number",
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
  "stream:run-events-kept":
    "a run's events outlast restarts, go on with a resumed run, and are given up in time",
  "stream:live": "deltas are forwarded as they come, code points whole",
  "stream:caller-calls": "the arguments of a caller's tool are forwarded as the model writes them",
  "stream:answer-limit": "an answer over providers.max_answer_bytes is cut off with provider_error",
  "stream:unread": "a client that leaves more than 8 MiB unread is closed, which ends its run",
  "responses:answer": "a response has the format's shape, with the same loop, tools and metadata as chat",
  "responses:request":
    "instructions, sampling, formats and reasoning reach the model; faults are 400 naming the field",
  "responses:stream": "typed events, numbered without a gap, tell a response from its making to its end",
  "responses:tools": "a call of the caller's function is an item, and its output is taken back",
  "responses:previous":
    "previous_response_id goes on behind that response; behind an older one another branch begins",
  "responses:custom":
    "custom tools and functions of a namespace are the caller's, in the caller's own form; others are left out",
  "responses:references": "an item_reference stands for the item of a stored response",
  "responses:stored": "a response is a run: shown, followed, cancelled, deleted, with what it was asked",
  "responses:background": "a response in the background answers at once and goes on by itself",
  "responses:store": "store false leaves nothing of the conversation",
  "responses:failures": "failures are HTTP errors until the first byte, then response.failed",
  "responses:close": "a client that leaves cancels its response",
  "messages:page": "one branch is read in pages: the last one, from a position, around a message",
  "messages:branches": "a message tells what else follows the one before it, each with its newest end",
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
  "ollama:clients":
    "clients of Ollama find the models and are answered: what VS Code, Home Assistant and JetBrains send",
  "ollama:answers": "the page and the line that Ollama is running, loading, pings and the header of Pergola",
  "ollama:alone": "the paths that it shares with other plugins are answered without them",
  "ollama:local": "a local model has the context that num_ctx asks for, is in ps while loaded, and is let go",
  "ollama:keep": "a conversation goes with its answer, unless it is to be kept or is named",
  "ollama:refused":
    "faults are texts; on the second port the same callers are let in; the service is no provider to itself",
} as const;
