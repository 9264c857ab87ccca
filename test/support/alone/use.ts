import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { read } from "../../architecture/tree.ts";
import type { Outside } from "./outside.ts";
import type { Serving } from "./serve.ts";

export interface PluginManifest {
  readonly id: string;
  readonly kind:
    "tool" | "provider" | "storage" | "endpoint" | "policy" | "bridge" | "service" | "feature" | "bundle";
  readonly provides?: {
    readonly tools?: Readonly<Record<string, readonly string[]>>;
    readonly providers?: readonly string[];
    readonly storages?: readonly string[];
    readonly parts?: readonly string[];
  };
  readonly includes?: readonly string[];
}

/** How a plugin is used beside the core. */
export interface Use {
  /** Plugins, without packages of their own, through which it is seen at work. */
  readonly companions?: readonly string[];
  readonly settings?: JsonObject;
  /** Files of the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** Uses the plugin; fails when it is not of use. */
  readonly check: (serving: Serving) => Promise<void>;
}

export type UseOf = (manifest: PluginManifest, outside: Outside) => Promise<Use>;

export const pluginManifest = (id: string): PluginManifest =>
  JSON.parse(read(`plugins/${id}/plugin.json`)) as PluginManifest;

export interface ToolCall {
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What stands in the result, or in the message to the model. */
  readonly says?: RegExp;
  /** The family's own error with which it has to fail here; absent: it succeeds. */
  readonly fails?: string;
}

/** Calls an operation by hand, as the person. */
export async function callOperation(
  { call }: Serving,
  family: string,
  wanted: ToolCall,
  more: object = {},
): Promise<void> {
  const { operation, arguments: args, says = /./, fails } = wanted;
  const { success, result, error_code: code, toolResult } = await call(`${family}.${operation}`, args, more);
  const said = `${result}\n${toolResult?.message ?? ""}`;
  const right = { success: fails === undefined, code: fails, isSaid: true };
  expect({ success, code, isSaid: says.test(said) }, `${family}.${operation} said: ${said}`).to.deep.equal(
    right,
  );
}
