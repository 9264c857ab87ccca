import { expect } from "chai";
import { ToolError, type JsonObject, type OperationResult } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import type { Lifecycle } from "../../../core/plugins/lifecycle.ts";
import { commandOf, descendants } from "../descendants.ts";
import type { PluginScene } from "./plugin-scene.ts";
import { toolPlugin } from "./write-plugin.ts";

/** The processes of plugins that this process has started. */
export const started = (): readonly number[] =>
  descendants(process.pid).filter((pid) => commandOf(pid).includes("isolated.process"));

/** Loads a plugin in a process of its own; its one operation has this body. */
export const loadIsolated = (
  scene: PluginScene,
  id: string,
  body: string,
  more: Parameters<typeof toolPlugin>[3] = {},
): Promise<Lifecycle> => scene.run([{ use: toolPlugin(scene.folder, id, body, more), isolation: "process" }]);

/** Calls the operation. */
export const go = async (
  lifecycle: Lifecycle,
  args: JsonObject = {},
  signal = AbortSignal.timeout(20_000),
): Promise<OperationResult | Error> =>
  lifecycle.registry.tools[0]!.tool.operations[0]!.run(args as never, toolContext({ signal })).catch(
    (error: Error) => error,
  );

/** The failure that a call has ended with. */
export const failed = (
  answer: OperationResult | Error,
): { readonly code: string; readonly message: string } => {
  expect(ToolError.is(answer), JSON.stringify(answer)).to.equal(true);
  return answer as ToolError;
};
