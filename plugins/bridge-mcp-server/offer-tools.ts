import type { Effect, ToolEntry } from "@pergola/sdk";

const order: readonly Effect[] = ["none", "read", "write", "destructive", "execute"];

/** A tool family as an MCP client is offered it. The hints tell what its strongest operation may do. */
export function offerOf({ name, description, operations, inputSchema }: ToolEntry) {
  const strongest = Math.max(...operations.map(({ effect }) => order.indexOf(effect)));
  const readOnlyHint = strongest <= order.indexOf("read");
  const lines = operations.map(
    ({ name: one, description: what = "", required = [] }) => `${one}(${required.join(", ")}): ${what}`,
  );
  return {
    name,
    description: operations.length === 1 ? description : [description, ...lines].join("\n"),
    inputSchema: { ...inputSchema, type: "object" as const },
    annotations: { readOnlyHint, destructiveHint: strongest >= order.indexOf("destructive") },
  };
}

/** Those that can be used now. */
export const offeredOf = (tools: readonly ToolEntry[]): readonly ToolEntry[] =>
  tools.filter(({ enabled, available }) => enabled && available);
