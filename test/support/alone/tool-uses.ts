import { existsSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@pergola/sdk";
import { root } from "../../architecture/tree.ts";
import type { Outside } from "./outside.ts";
import type { ToolCall } from "./use.ts";

/**
 * What it takes to use a family so that everything it is made of is needed: threads, data files, libraries.
 */
export interface ToolUse {
  readonly settings?: (outside: Outside) => JsonObject;
  /** Files of the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  readonly calls: (outside: Outside) => readonly ToolCall[];
}

/**
 * One with a table, a picture of the four kinds of document, and letters that the PDF fonts of every reader
 * lack.
 */
const markdown = "# Pläne für Łódź\n\nA *first* paragraph.\n\n| Item | Price |\n|---|---|\n| Bean | 3 |\n";
const documents = ["docx", "pptx", "xlsx", "pdf"].flatMap((format): readonly ToolCall[] => [
  {
    operation: "document_create",
    arguments: { content: markdown, format, filename: `plan.${format}` },
    says: new RegExp(`plan\\.${format}`),
  },
  { operation: "document_import", arguments: { path: `plan.${format}` }, says: /Bean/ },
]);

/** Where node-pty could be built it has to be used; where it could not, shells run on pipes. */
const hasTerminals = existsSync(path.join(root, "node_modules", "node-pty", "build", "Release"));

const event = { title: "Lunch with Sam", start_date: "2030-07-04T12:30" };
const pixel = "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;";
const diff = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n";

/**
 * Families that need more than the first example of their first harmless operation. Those that can do nothing
 * alone answer with an error of their own, which tells as well that all of them is there.
 */
export const toolUses: Readonly<Record<string, ToolUse>> = {
  apply_patch: { calls: () => [{ operation: "patch", arguments: { patch: diff }, says: /new\.txt/ }] },
  calendar_operations: {
    calls: () => [
      { operation: "create_event", arguments: event, says: /Lunch/ },
      { operation: "list_events", arguments: { days_ahead: 3650 }, says: /Lunch with Sam/ },
    ],
  },
  code_intelligence: {
    files: { "a.py": "def parse_config():\n    pass\n", "b.c": "int parse_config(void);\n" },
    calls: () => [
      { operation: "list_usages", arguments: { symbol_name: "parse_config" }, says: /a\.py[^]*b\.c/ },
    ],
  },
  contacts_operations: {
    calls: () => [
      {
        operation: "create_contact",
        arguments: { first_name: "Anna", email: "anna@example.com" },
        says: /Anna/,
      },
      { operation: "search", arguments: { query: "Anna" }, says: /anna@example\.com/ },
    ],
  },
  document_operations: {
    files: { "page.html": "<p>Bean soup</p>" },
    calls: () => [
      ...documents,
      { operation: "document_import", arguments: { path: "page.html" }, says: /Bean soup/ },
    ],
  },
  file_operations: {
    files: { "broken.py": "def f(:\n", "notes.txt": "alpha\nbeta\n" },
    calls: () => [
      { operation: "get_errors", arguments: { filePaths: ["broken.py"] }, says: /broken\.py/ },
      { operation: "grep_search", arguments: { query: "b.ta$", isRegexp: true }, says: /notes\.txt/ },
      { operation: "read_file", arguments: { filePath: "notes.txt" }, says: /alpha/ },
    ],
  },
  image_generation: {
    settings: ({ pages }) => ({ "tools.image.base_url": pages }),
    calls: () => [{ operation: "list_models", arguments: {}, says: /Painter/ }],
  },
  increase_max_iterations: {
    calls: () => [
      {
        operation: "increase",
        arguments: { requested_iterations: 400, reason: "-" },
        says: /no run/,
        fails: "unavailable",
      },
    ],
  },
  memory_operations: {
    calls: () => [{ operation: "list_keys", arguments: {}, says: /keeps no memory/, fails: "unavailable" }],
  },
  read_tool_result: {
    calls: () => [{ operation: "read", arguments: { resultId: "res_0" }, says: /res_0/, fails: "not_found" }],
  },
  remote_execution: {
    calls: () => [
      {
        operation: "check_remote",
        arguments: { host: "nobody@127.0.0.1", ssh_port: 1 },
        says: /"reachable":false/,
      },
    ],
  },
  system_search: {
    settings: () => ({ "tools.system_search.roots": ["."] }),
    files: { "holiday.gif": pixel },
    calls: () => [
      { operation: "search", arguments: { query: "holiday" }, says: /holiday\.gif/ },
      { operation: "search_metadata", arguments: { attribute: "width", value: "1" }, says: /holiday\.gif/ },
    ],
  },
  terminal_operations: {
    calls: () => [
      {
        operation: "run_command",
        arguments: { command: "echo $((6 * 7))", explanation: "Count" },
        says: /^42/,
      },
      { operation: "create_session", arguments: {}, says: hasTerminals ? /is open\./ : /is open/ },
    ],
  },
  user_collaboration: {
    calls: () => [
      {
        operation: "request_input",
        arguments: { prompt: "Tea?" },
        says: /waits/,
        fails: "approval_required",
      },
    ],
  },
  version_control: {
    calls: () => [{ operation: "status", arguments: {}, says: /repository/, fails: "not_found" }],
  },
  weather_operations: {
    calls: () => [
      {
        operation: "current",
        arguments: { latitude: 48.2 },
        says: /belong together/,
        fails: "insufficient_params",
      },
    ],
  },
  web_operations: {
    settings: ({ pages }) => ({ "tools.web.allowed_private_hosts": [new URL(pages).host] }),
    calls: ({ pages }) => [
      { operation: "fetch", arguments: { url: `${pages}/page` }, says: /climbing plants/ },
    ],
  },
};
