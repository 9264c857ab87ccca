import type { Effect, Operation, OperationResult, ToolContext } from "@pergola/sdk";
import type { KnownServer } from "./known-servers.ts";
import { operationsOf, type ToolCall } from "./operations-of.ts";
import type { ServerSettings } from "./server-settings.ts";
import { textOperations, type Ask } from "./text-operations.ts";

const noKinds = { resources: false, prompts: false };

interface Rules {
  readonly settings: ServerSettings;
  readonly call: (call: ToolCall, context: ToolContext) => Promise<OperationResult>;
  readonly ask: (ask: Ask, effect: Effect, context: ToolContext) => Promise<OperationResult>;
}

/** What models are offered of a server: its own tools, and behind them those for its other texts. */
export function offeredOperations(
  name: string,
  { tools, changed, kinds = noKinds }: KnownServer,
  { settings, call, ask }: Rules,
): readonly Operation[] {
  const own = operationsOf(name, tools, { settings, changed, run: call });
  const texts = textOperations(name, kinds, { settings, run: ask });
  return [...own, ...texts.filter((text) => own.every((one) => one.name !== text.name))];
}
