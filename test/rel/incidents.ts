/** An incident of another product, and the test that shows that it does not happen here. */
export interface Incident {
  readonly name: string;
  /** The file of the test, from the root; "" while there is none. */
  readonly file: string;
  /** A part of the test's title. */
  readonly title: string;
}

const incident = (name: string, file: string, title: string): Incident => ({ name, file, title });

/** Published incidents of products of this kind, and faults that were measured in their parts. */
export const incidents: readonly Incident[] = [
  incident("CVE-2024-28224 Ollama", "test/wire/door.test.ts", "CVE-2024-28224"),
  incident("CVE-2025-49596 MCP Inspector", "test/wire/door.test.ts", "CVE-2025-49596"),
  incident("CVE-2025-66414 / 66416 MCP SDKs", "test/core/http/access.test.ts", "CVE-2025-66414"),
  incident("CVE-2026-42559 rmcp", "test/core/http/access.test.ts", "CVE-2026-42559"),
  incident("CVE-2026-22812 opencode", "test/core/http/access.test.ts", "CVE-2026-22812"),
  incident("CVE-2026-25253 openclaw", "test/faults/incidents.test.ts", "CVE-2026-25253"),
  incident("CVE-2026-2611 MLflow Assistant", "test/wire/door.test.ts", "CVE-2026-2611"),
  incident("openclaw #16059", "test/core/http/access.test.ts", "openclaw #16059"),
  incident("CVE-2024-36857/36858/37273 Jan", "test/wire/http-rules.test.ts", "CVE-2024-36857"),
  incident("LM Studio default", "test/core/http/account.test.ts", "the door: accounts of this computer (S5)"),
  incident("CVE-2026-45339 Open WebUI", "test/core/http/access-tokens.test.ts", "CVE-2026-45339"),
  incident("GHSA-5847-rm3g-23mw openclaw", "test/core/http/access-tokens.test.ts", "GHSA-5847-rm3g-23mw"),
  incident("Chrome Local Network Access (142+)", "test/wire/door.test.ts", "CVE-2025-49596"),
  incident("CVE-2025-53110 fs MCP", "test/wire/tools-paths.test.ts", "CVE-2025-53110"),
  incident("CVE-2025-53109 fs MCP", "test/wire/tools-paths.test.ts", "CVE-2025-53109"),
  incident("CVE-2026-25724 Claude Code", "test/wire/tools-paths.test.ts", "CVE-2026-25724"),
  incident("CVE-2025-54794 Claude Code", "test/wire/tools-paths.test.ts", "CVE-2025-54794"),
  incident("symlink swap race", "plugins/bridge-machine/test/race.test.ts", "gets nothing out in"),
  incident(
    "CVE-2024-37032, CVE-2026-7020, CVE-2026-103663 Ollama",
    "plugins/feature-downloads/test/names.test.ts",
    "CVE-2024-37032",
  ),
  incident(
    "CVE-2024-45436 Ollama, CVE-2026-28453/28452 openclaw, CVE-2026-23745/24842 node-tar",
    "test/boundary/supply-tarballs.test.ts",
    "X24",
  ),
  incident("CVE-2026-28447 / 28457 openclaw", "test/boundary/plugin-door.test.ts", "X19"),
  incident("GHSA-33hm-cq8r-wc49 openclaw", "test/wire/tools-paths.test.ts", "an absolute one outside asks"),
  incident("LibreChat GHSA-qrm5-r67f-6692", "test/faults/incidents.test.ts", "GHSA-qrm5-r67f-6692"),
  incident(
    "CVE-2025-68143 mcp-server-git",
    "plugins/tool-version-control/test/arguments.test.ts",
    "CVE-2025-68143",
  ),
  incident("CVE-2025-68144", "plugins/tool-version-control/test/arguments.test.ts", "CVE-2025-68144"),
  incident(
    "CVE-2025-68145, GHSA-j22h-9j4x-23w5",
    "plugins/tool-version-control/test/arguments.test.ts",
    "CVE-2025-68145",
  ),
  incident("CVE-2026-27735", "plugins/tool-version-control/test/arguments.test.ts", "CVE-2026-27735"),
  incident(
    "GHSA-w766-5x43-whvw (2026-10-28)",
    "plugins/tool-version-control/test/arguments.test.ts",
    "GHSA-w766-5x43-whvw",
  ),
  incident(
    "repository config execution",
    "plugins/tool-version-control/test/hostile.test.ts",
    "version_control, repository config execution",
  ),
  incident(
    "CVE-2025-53107 git-mcp-server",
    "plugins/tool-version-control/test/arguments.test.ts",
    "CVE-2025-53107",
  ),
  incident(
    "CVE-2026-28292 simple-git",
    "plugins/tool-version-control/test/hostile.test.ts",
    "CVE-2026-28292",
  ),
  incident(
    "CVE-2025-58764, 64755, 66032, 54795 Claude Code",
    "test/faults/bad-inputs.test.ts",
    "reach nothing outside and run nothing",
  ),
  incident(
    "GHSA-796m-2973-wc5q, GHSA-xvhf-x56f-2hpp openclaw",
    "test/faults/bad-inputs.test.ts",
    "reach nothing outside and run nothing",
  ),
  incident("apply_patch family", "plugins/tool-apply-patch/test/refused.test.ts", "apply_patch family"),
  incident("CVE-2026-26324 openclaw", "test/wire/tools-addresses.test.ts", "CVE-2026-26324"),
  incident(
    "CVE-2026-45401 Open WebUI",
    "plugins/bridge-machine/test/fetch-redirects.test.ts",
    "CVE-2026-45401",
  ),
  incident("CVE-2026-45400", "test/wire/tools-addresses.test.ts", "CVE-2026-45400"),
  incident("CVE-2026-54020, 70485", "test/wire/tools-addresses.test.ts", "CVE-2026-54020"),
  incident(
    "Claude Code SOCKS null byte (2026-05, no CVE)",
    "test/wire/tools-addresses.test.ts",
    "in any form",
  ),
  incident("CVE-2024-6587 LiteLLM", "plugins/bridge-machine/test/provider-fetch.test.ts", "CVE-2024-6587"),
  incident(
    "CVE-2025-51471 Ollama, follow-redirect class",
    "plugins/bridge-machine/test/fetch-redirects.test.ts",
    "CVE-2025-51471",
  ),
  incident(
    "CVE-2026-22036 undici, Ollama gzip bomb",
    "plugins/bridge-machine/test/fetch-answers.test.ts",
    "CVE-2026-22036",
  ),
  incident(
    "CVE-2026-54316 Claude Code",
    "test/boundary/tainted-runs.test.ts",
    "X63 a page makes the model read",
  ),
  incident(
    "decimal/octal/hex/unicode forms",
    "plugins/bridge-machine/test/fetch.test.ts",
    "no form of a private address",
  ),
  incident("EchoLeak CVE-2025-32711", "plugins/tool-web-operations/test/fetch.test.ts", "EchoLeak"),
  incident(
    "GitHub-MCP toxic flow, tool poisoning, rug pull",
    "plugins/bridge-mcp-client/test/review.test.ts",
    "an MCP server that changes",
  ),
  incident("CVE-2025-54136 MCPoison", "test/core/settings/trust.test.ts", "CVE-2025-54136"),
  incident(
    "CVE-2025-61260 Codex, CVE-2025-59536 / 2026-21852 Claude Code",
    "test/core/settings/trust.test.ts",
    "CVE-2025-61260",
  ),
  incident(
    "CVE-2025-54135 CurXecute, CVE-2026-25725 Claude Code",
    "plugins/policy-authorization/test/protected.test.ts",
    "CVE-2025-54135",
  ),
  incident(
    "cross-session stored injection (arXiv 2606.04425, MINJA)",
    "plugins/tool-web-operations/test/research.test.ts",
    "MINJA",
  ),
  incident("CVE-2026-28473 openclaw", "test/faults/incidents.test.ts", "CVE-2026-28473"),
  incident(
    "openclaw #59349",
    "test/faults/approval-after-kill.test.ts",
    "a deleted conversation take theirs along",
  ),
  incident(
    "CVE-2026-59216 Open WebUI",
    "test/wire/approvals-answered.test.ts",
    "an unknown or foreign call 404",
  ),
  incident(
    "GHSA-hjvp-qhm6-wrh2",
    "test/wire/approvals-restart.test.ts",
    "are not mixed up with a later call",
  ),
  incident("CVE-2026-27545", "test/wire/approvals.test.ts", "ask again when a file was replaced"),
  incident("GHSA-xww8-gqvh-92x9", "test/faults/incidents.test.ts", "GHSA-xww8-gqvh-92x9"),
  incident("openclaw #78415", "test/faults/approval-after-kill.test.ts", "what nobody has answered waits"),
  incident("openclaw #52850", "test/faults/incidents.test.ts", "openclaw #52850"),
  incident(
    "openai-agents-js #131, agent-framework #3426, hermes #63510",
    "test/wire/approvals-restart.test.ts",
    "stay pending, and the answer lets the run go on",
  ),
  incident("CVE-2026-25536 MCP SDK", "test/wire/mcp-server.test.ts", "CVE-2026-25536"),
  incident("CVE-2026-44214 eventsource-encoder", "test/core/http/streams.test.ts", "CVE-2026-44214"),
  incident("CVE-2026-0621 MCP SDK UriTemplate", "test/rel/packages.test.ts", "CVE-2026-0621"),
  incident("V8 regex", "plugins/tool-file-operations/test/hostile-patterns.test.ts", "hostile expressions"),
  incident(
    "CVE-2026-26996, 27903, 27904 minimatch",
    "plugins/tool-file-operations/test/hostile-patterns.test.ts",
    "hostile globs",
  ),
  incident("deep JSON", "test/faults/bad-inputs.test.ts", "B2, B12"),
  incident("slow headers", "test/wire/door-ports.test.ts", "never finish a header"),
  incident("stalled reader", "test/faults/endless-answers.test.ts", "a client that reads nothing"),
  incident("yes in the terminal tool", "plugins/bridge-machine/test/spawn.test.ts", "never stops writing"),
  incident("EMFILE", "test/faults/hindrances.test.ts", "without descriptors"),
  incident("prototype pollution", "test/wire/http-rules.test.ts", "prototype keys are refused"),
  incident("LiteLLM 2026-03 guardrail logs, #24902", "test/faults/canaries.test.ts", "in no line of the log"),
  incident("pino redact", "test/core/log.test.ts", "that nobody told it of"),
  incident(
    "Shai-Hulud (2025-09 … 2026-04), postmark-mcp 1.0.16, ClawHub (341 → 1,184 skills; counts differ by scan)",
    "test/boundary/supply.test.ts",
    "X21",
  ),
  incident(
    "ssh2, VS Code PR 329462",
    "plugins/tool-remote-execution/test/login.test.ts",
    "refuses an unknown host",
  ),
  incident("terminal sequences", "test/wire/approvals.test.ts", "S17"),
  incident(
    "Bleeding Llama CVE-2026-7482, GGUF family",
    "plugins/provider-local-llama/test/runtime-faults.test.ts",
    "CVE-2026-7482",
  ),
  incident(
    "truncated tool arguments (agent-zero #1747, ask-o11y #161, openlegion #985)",
    "plugins/provider-chat-completions/test/tool-calls.test.ts",
    "cut off by the length limit",
  ),
  incident(
    "empty, missing, duplicate call ids (lmstudio #830, litellm #11407 #20480, crewAI #7534, langchain #38677)",
    "test/wire/model-faults.test.ts",
    "given twice",
  ),
  incident(
    "disconnect keeps generating (archestra #5681, litellm #30223, llama.cpp #24630, openai-node #2426)",
    "test/faults/disconnects.test.ts",
    "stops the model within a second",
  ),
];
