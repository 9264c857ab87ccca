/** Models and where they come from, preferences, and what tells of the service. */
export const installation = {
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
  "providers:key": "a provider tells whether it has a key and from where, and whether it can be changed here",
  "providers:detect":
    "servers of models are looked for at the addresses of the setting alone, never the service's own",
  "providers:save":
    "a provider is added or changed once it has listed its models; its key is kept, never told, and sent to no other origin",
  "providers:remove": "a provider goes with its key; where it was set elsewhere or is in use it stays",
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
  "models:list": "models are listed with their facts; failing providers are left out",
  "models:get": "one model is found by its id, slashes and all",
  "models:costs": "the cost of an answer is its usage at the prices of the model that answered",
  "models:replay": "what a provider wants to see again comes back within the run, and after a caller's tool",
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
  "embeddings:create":
    "POST /v1/embeddings gives the vectors of any embedding model as it makes them, as floats or base64, for one text or many",
  "notices:run":
    "the end of a run in the background is told to each webhook, signed, without any text; that of a run whose client waits is not",
  "notices:approval": "a call that waits for the person is told, without its arguments",
  "notices:retry":
    "a webhook that does not answer 2xx is asked again, signed anew, not before its Retry-After; no redirect is followed, and a dead one holds nothing up",
  "notices:command": "notify.command is started with type and ids as arguments, without a shell",
  "notices:secret": "the secret of a webhook is never shown",
  "metrics:counts":
    "/metrics tells Prometheus of runs, model calls, tokens, cost and tool calls, by model, provider, tool and outcome only",
  "metrics:remote": "/metrics is closed to other computers, unless metrics.allow_remote opens it",
  "telemetry:spans":
    "a run, its model calls and its tool calls are spans of one trace at an OTLP receiver, sub-agents below the call that started them; embeddings have spans of their own",
  "telemetry:trace":
    "a request's traceparent is the parent of its run, of its embeddings or of its call of a tool, by MCP in _meta too; a trace that is not recorded is not sent; what is no traceparent is nothing",
  "telemetry:content": "spans have no texts, unless telemetry.content; then without secrets",
  "telemetry:propagate":
    "with telemetry.propagate, providers get traceparent as a header, MCP servers in _meta and over HTTP as a header; else neither",
  "telemetry:receiver":
    "a receiver that refuses for now is asked again; one that is away, slow or refuses holds up nobody, and what is lost is counted",
} as const;
