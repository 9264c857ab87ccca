import type { Json } from "@pergola/sdk";

export interface PreferenceRow {
  readonly key: string;
  readonly default: Json;
  /** S = secret, P = protected, R = needs a restart. */
  readonly flags: string;
  readonly good: Json;
  /** The code that each of these is refused with. */
  readonly bad: readonly (readonly [value: Json, code: string])[];
  /** What has to be set before; the key alone would be refused. */
  readonly beside?: Readonly<Record<string, Json>>;
}

type More = Partial<Pick<PreferenceRow, "good" | "bad">>;

const wrong = (...values: readonly Json[]): PreferenceRow["bad"] =>
  values.map((value) => [value, "invalid_value"]);

const whole = (
  key: string,
  usual: number,
  [least, most]: readonly [number, number],
  flags = "",
): PreferenceRow => ({
  key,
  default: usual,
  flags,
  good: usual === most ? least : most,
  bad: [...wrong("text", String(usual), 1.5, true), [least - 1, "out_of_range"], [most + 1, "out_of_range"]],
});

const yesNo = (key: string, usual: boolean, flags = ""): PreferenceRow => ({
  key,
  default: usual,
  flags,
  good: !usual,
  bad: wrong("true", 1, "maybe"),
});

const text = (
  key: string,
  usual: Json,
  flags = "",
  { good = "something else", bad = [] }: More = {},
): PreferenceRow => ({
  key,
  default: usual,
  flags,
  good,
  bad: [...wrong(5, ["x"], { x: 1 }), ...bad],
});

const oneOf = (key: string, values: readonly [string, string, ...string[]], flags = ""): PreferenceRow => ({
  key,
  default: values[0],
  flags,
  good: values[1],
  bad: wrong("something else", 5, [values[0]]),
});

type Choices = readonly [string, string, ...string[]];
const onLinux = (here: Choices, elsewhere: Choices): Choices =>
  process.platform === "linux" ? here : elsewhere;

const texts = (
  key: string,
  usual: readonly string[],
  flags = "",
  good: readonly string[] = ["one", "two"],
): PreferenceRow => ({
  key,
  default: usual,
  flags,
  good,
  bad: wrong("one", [5], { one: true }),
});

const record = (
  key: string,
  usual: Json,
  flags: string,
  { good, bad }: { readonly good: Json; readonly bad: readonly Json[] },
): PreferenceRow => ({
  key,
  default: usual,
  flags,
  good,
  bad: wrong("text", 5, ...bad),
});

const path = (key: string, usual: string, flags = "P"): PreferenceRow =>
  text(key, usual, flags, { good: "/srv/pergola", bad: wrong("here") });

const account = { url: "https://dav.example.org/", user: "ada", password: "correct horse" };
const groups =
  "chat models downloads conversations topics folders prompts personalities preferences tools runs approvals memories results providers debug system metrics ollama";
const firstId = "00000000-0000-0000-0000-000000000001";

/**
 * The preferences of the interface, but for the lists of `authorization.protected_paths` and
 * `authorization.protected_names`.
 */
export const preferenceTable: readonly PreferenceRow[] = [
  whole("server.port", 8080, [1, 65_535], "P R"),
  text("server.host", "0.0.0.0", "P R", { good: "127.0.0.1", bad: wrong("box.lan") }),
  { ...yesNo("server.allow_remote", false, "P R"), beside: { "server.allow_plain_http": true } },
  yesNo("server.remote_admin", false, "P"),
  texts("server.allowed_hosts", [], "P"),
  texts("server.allowed_origins", [], "P", ["https://page.example"]),
  texts("server.trusted_proxies", [], "P", ["10.0.0.1"]),
  path("server.tls.cert", "", "P R"),
  path("server.tls.key", "", "P R"),
  whole("server.tls.port", 8443, [1, 65_535], "P R"),
  yesNo("server.allow_plain_http", false, "P R"),
  whole("server.ollama_port", 0, [0, 65_535], "P R"),
  whole("server.max_body_bytes", 134_217_728, [1024, 2 ** 31], "P"),
  yesNo("server.bypass_mode", false, "P"),
  yesNo("server.legacy_metadata", false, "P"),
  ...groups
    .split(" ")
    .filter((group) => group !== "preferences")
    .map((group) => yesNo(`endpoints.${group}.enabled`, true, "P")),
  ...["chat", "messages", "responses", "ollama"].map((group) =>
    oneOf(`endpoints.${group}.builtin_tools`, ["auto", "all", "none"], "P"),
  ),
  yesNo("debug.allow_remote", false, "P"),
  yesNo("metrics.allow_remote", false, "P"),
  text("telemetry.otlp_url", "", "P R", { good: "http://127.0.0.1:4318", bad: wrong("127.0.0.1:4318") }),
  yesNo("telemetry.content", false, "P"),
  yesNo("telemetry.propagate", false, "P"),
  oneOf("auth.loopback", onLinux(["same-user", "none"], ["none", "token"]), "P"),
  text("auth.token", "", "S P", { good: "t".repeat(32), bad: wrong("t".repeat(31)) }),
  whole("rate_limit.requests_per_minute", 300, [0, 100_000], "P"),
  whole("rate_limit.burst", 30, [1, 10_000], "P"),
  whole("rate_limit.parallel_runs", 4, [1, 1000], "P"),
  whole("rate_limit.failed_auth_per_minute", 10, [1, 1000], "P"),
  text("default_model", "embedded/guide", "", { good: "custom/test" }),
  text("default_system_prompt_id", firstId),
  text("default_personality_id", firstId),
  text("user.name", ""),
  text("user.language", "", "", { good: "pt-BR", bad: wrong("not a language") }),
  text("user.location", ""),
  text("user.time_zone", "system", "", { good: "Europe/Berlin", bad: wrong("Nowhere/Land", "") }),
  whole("workflow.max_iterations", 300, [1, 1000]),
  whole("workflow.max_iterations_ceiling", 1000, [1, 10_000]),
  yesNo("workflow.dynamic_iterations", true),
  whole("workflow.parallel_tools", 4, [1, 32]),
  whole("workflow.max_calls_per_iteration", 32, [1, 256]),
  whole("runs.queue_seconds", 30, [0, 600]),
  whole("runs.max_parallel", 16, [1, 1000]),
  whole("runs.max_waiting", 1000, [0, 100_000]),
  whole("runs.max_seconds", 0, [0, 2_592_000]),
  {
    key: "runs.max_cost_usd",
    default: 0,
    flags: "",
    good: 1.5,
    bad: [...wrong("1.5"), [-1, "out_of_range"]],
  },
  oneOf("runs.on_client_close", ["cancel", "continue"]),
  oneOf("runs.resume", ["ask", "auto", "never"]),
  whole("runs.event_retention_minutes", 60, [0, 10_080]),
  whole("runs.retention_days", 0, [0, 36_500]),
  whole("agents.max_depth", 1, [0, 5]),
  whole("agents.max_parallel", 4, [1, 64]),
  whole("agents.grace_seconds", 10, [0, 600]),
  whole("approvals.timeout_seconds", 0, [0, 2_592_000]),
  text("authorization.grant_duration", "5m", "P", {
    good: "2h",
    bad: [
      ...wrong("5", "m", "-5m", "1.5h"),
      ["0s", "out_of_range"],
      ["31d", "out_of_range"],
      ["721h", "out_of_range"],
    ],
  }),
  texts("authorization.auto_approve", [], "P", ["file_operations.create_file"]),
  texts("authorization.ask", [], "P", ["read"]),
  path("workspace.base_path", "<data>/workspaces"),
  {
    ...texts("workspace.allowed_roots", [], "P", ["/srv/one", "/srv/two"]),
    bad: wrong("/srv", [5], ["here"]),
  },
  whole("stream.ping_seconds", 15, [1, 300]),
  oneOf("stream.usage_chunk", ["always", "requested", "never"]),
  yesNo("stream.tool_events", true),
  oneOf("stream.waiting_note", ["auto", "always", "never"]),
  whole("stream.waiting_note_seconds", 0, [0, 3600]),
  oneOf("output.redaction", ["secrets", "off", "pii", "strict"]),
  whole("conversations.max_history", 0, [0, 1_000_000]),
  whole("memory.inject_count", 5, [0, 50]),
  {
    key: "memory.inject_threshold",
    default: 0.3,
    flags: "",
    good: 0.75,
    bad: [...wrong("0.5"), [-0.1, "out_of_range"], [1.1, "out_of_range"]],
  },
  text("memory.embedding_model", "embedded/minilm", "", { good: "" }),
  whole("tool_results.threshold_bytes", 16_384, [1024, 1_048_576]),
  whole("tool_results.retention_days", 0, [0, 36_500]),
  texts("tools.disabled", ["terminal_operations", "agent_operations", "remote_execution"], "P", ["think"]),
  whole("tools.timeout_seconds", 120, [1, 3600]),
  {
    key: "tools.offer_tokens",
    default: "auto",
    flags: "",
    good: 5000,
    bad: [...wrong("all", true), [999, "out_of_range"], [100_001, "out_of_range"]],
  },
  whole("tools.file.backup_days", 7, [0, 365]),
  text("tools.terminal.shell", "sh", "P", { good: "bash", bad: wrong("") }),
  whole("tools.terminal.session_idle_minutes", 30, [1, 1440]),
  oneOf("tools.web.search_engine", ["auto", "duckduckgo", "bing", "google", "serpapi"], "P"),
  record("tools.web.search_keys", {}, "S P", { good: { serpapi: "key-of-serpapi" }, bad: [{ serpapi: 5 }] }),
  texts("tools.web.allowed_private_hosts", [], "P"),
  whole("tools.web.cache_seconds", 30, [0, 3600], "P"),
  path("tools.calendar.path", "<data>/calendars"),
  record("tools.calendar.caldav", null, "S P", {
    good: account,
    bad: [{ ...account, url: "ftp://x" }, { url: account.url }, { ...account, more: 1 }],
  }),
  path("tools.contacts.path", "<data>/contacts"),
  record("tools.contacts.carddav", null, "S P", {
    good: account,
    bad: [{ ...account, url: "ftp://x" }, { user: "ada" }],
  }),
  path("tools.notes.path", "<data>/notes"),
  { ...texts("tools.system_search.roots", ["~"], "P", ["/srv/files"]), bad: wrong("/srv", [5], ["here"]) },
  oneOf("tools.system_search.indexer", ["own", "platform"]),
  text("tools.image.base_url", "", "P", { good: "https://images.example.org" }),
  text("tools.image.api_key", "", "S P", { good: "key-of-images" }),
  text("tools.git.user_name", ""),
  text("tools.git.user_email", ""),
  record("tools.remote.targets", {}, "P", {
    good: { web: ["a.example", "b.example"] },
    bad: [{ web: "a.example" }, []],
  }),
  yesNo("tools.remote.accept_new_hosts", false, "P"),
  record("providers.list", [], "S P", {
    good: [{ type: "custom", base_url: "https://models.example.org/v1", api_key: "key-of-custom" }],
    bad: [
      [{ base_url: "https://x.example" }],
      [{ type: "no-such-kind" }],
      [{ type: "custom", base_url: "ftp://x.example" }],
      [{ type: "custom", base_url: "http://[" }],
    ],
  }),
  yesNo("providers.from_environment", true, "P"),
  record("providers.fallback_chains", {}, "P", {
    good: { "*": ["custom/a"] },
    bad: [{ "*": "custom/a" }, { a: [5] }],
  }),
  whole("providers.list_cache_seconds", 300, [0, 86_400], "P"),
  whole("providers.max_wait_seconds", 120, [0, 3600], "P"),
  whole("providers.max_answer_bytes", 16_777_216, [65_536, 1_073_741_824], "P"),
  record("models.overrides", {}, "", {
    good: { "custom/a": { contextWindow: 1000 } },
    bad: [{ "custom/a": 5 }],
  }),
  record("models.prices", {}, "", {
    good: { "custom/a": { prompt: 0.1, completion: 0.2 } },
    bad: [{ "custom/a": { prompt: 0.1 } }],
  }),
  text("downloads.base_url", "https://huggingface.co", "P", {
    good: "https://mirror.example.org",
    bad: wrong("mirror.example.org"),
  }),
  texts("downloads.allowed_hosts", ["huggingface.co"], "P"),
  path("downloads.path", "<data>/models"),
  whole("downloads.max_parallel", 2, [1, 16], "P"),
  text("downloads.token", "", "S P", { good: "key-of-downloads" }),
  whole("local.context_size", 8192, [512, 1_048_576]),
  whole("local.gpu_layers", -1, [-1, 10_000]),
  whole("local.batch_size", 512, [1, 8192]),
  whole("local.parallel_slots", 1, [1, 32]),
  text("local.server_binary", "", "P R", { good: "/usr/bin/mlx_lm.server" }),
  oneOf("log.level", ["info", "error", "warn", "debug"]),
];
