import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Effect, Operation, Plugin } from "@pergola/sdk";
import { expect } from "chai";
import { effectsOf } from "../../../plugins/service-tools/describe-tool.ts";
import { root } from "../../architecture/tree.ts";
import { toolUses } from "./tool-uses.ts";
import { callOperation, type ToolCall, type UseOf } from "./use.ts";

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties: { readonly operation: { readonly enum: readonly string[] } } };
}

export const sourceOf = async (id: string): Promise<Plugin> =>
  (
    (await import(pathToFileURL(path.join(root, "plugins", id, "index.ts")).href)) as {
      readonly default: Plugin;
    }
  ).default;

const harmless = new Set<Effect>(["none", "read"]);
const isHarmless = (operation: Operation): boolean =>
  operation.hidden !== true && effectsOf(operation).every((one) => harmless.has(one));

/** The first example of the first operation that changes nothing. */
function firstCall(family: string, operations: readonly Operation[]): ToolCall {
  const operation = operations.find((one) => isHarmless(one) && one.examples?.[0] !== undefined);
  if (operation === undefined)
    throw new Error(
      `${family} has no harmless operation with an example: say in tool-uses.ts how it is used.`,
    );
  return { operation: operation.name, arguments: operation.examples?.[0]?.arguments ?? {} };
}

/** Every family is listed with all its operations, and at least one of them is called. */
export const useTool: UseOf = async ({ id, provides: { tools: promised = {} } = {} }, outside) => {
  const { tools = [] } = await sourceOf(id);
  const uses = tools.map(({ name, operations }) => ({
    name,
    ...(toolUses[name] ?? { calls: () => [firstCall(name, operations)] }),
  }));
  return {
    settings: Object.fromEntries(uses.flatMap(({ settings }) => Object.entries(settings?.(outside) ?? {}))),
    files: Object.fromEntries(uses.flatMap(({ files = {} }) => Object.entries(files))),
    check: async (serving) => {
      const { body } = await serving.ask<{ readonly tools: readonly Listed[] }>("GET", "/debug/mcp/tools");
      const listed = body.tools.map(({ name, inputSchema }) => [name, inputSchema.properties.operation.enum]);
      expect(Object.fromEntries(listed)).to.deep.equal(promised);
      for (const { name, calls } of uses)
        for (const call of calls(outside)) await callOperation(serving, name, call);
    },
  };
};
