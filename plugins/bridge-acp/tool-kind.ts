import type { ToolKind } from "@agentclientprotocol/sdk";

const byFamily: Readonly<Record<string, ToolKind>> = {
  apply_patch: "edit",
  remote_execution: "execute",
  terminal_operations: "execute",
  think: "think",
  todo_operations: "think",
  weather_operations: "fetch",
  web_operations: "fetch",
};

/** What an operation's name says of it; the first that fits. */
const byOperation: readonly (readonly [RegExp, ToolKind])[] = [
  [/^delete_/, "delete"],
  [/^rename_/, "move"],
  [/search|^list_usages$/, "search"],
  [/^(read|list|get|status|log|diff)(_|$)|_info$|^recent_/, "read"],
  [/^(create|write|append|insert|replace|multi_replace|update|document_create)/, "edit"],
];

/** The kind of work under which an editor shows a call. */
export function kindOf(tool: string, operation: string): ToolKind {
  return byFamily[tool] ?? byOperation.find(([pattern]) => pattern.test(operation))?.[1] ?? "other";
}
