import {
  PluginError,
  ToolError,
  type Effect,
  type JsonObject,
  type Operation,
  type ToolDisplay,
  type TouchedPath,
} from "@pergola/sdk";
import type { RegisteredTool } from "@pergola/sdk/host";

/** What an operation says of a call before it runs. */
export interface Prepared {
  readonly effect: Effect;
  readonly touches: readonly TouchedPath[];
  readonly display: Partial<ToolDisplay>;
}

const effects = new Set<unknown>(["none", "read", "write", "destructive", "execute"] satisfies Effect[]);
const isTouch = (touch: Partial<TouchedPath> | null): boolean =>
  typeof touch?.path === "string" && effects.has(touch.effect);

/**
 * Asks an operation for a call's effect, the paths it touches and its display. The functions of an isolated
 * plugin answer with promises, those of a trusted one at once. A bad answer to the first two throws
 * PluginError: the policy must not decide on a guess.
 */
export async function prepareCall(
  { tool, plugin }: RegisteredTool,
  operation: Operation,
  args: JsonObject,
): Promise<Prepared> {
  const name = `${tool.name}.${operation.name}`;
  try {
    const effect = await effectOf(operation, args);
    const touches = (await Promise.resolve(operation.touches?.(args as never))) ?? [];
    const allowed = operation.effects ?? [effect];
    if (!effects.has(effect) || !allowed.includes(effect))
      throw new Error(`the effect "${effect}" is none of those it declares`);
    if (!Array.isArray(touches) || !touches.every(isTouch))
      throw new Error("touches must be a list of paths with effects");
    return { effect, touches, display: await displayOf(operation, args).catch(() => ({})) };
  } catch (error) {
    if (ToolError.is(error)) throw error;
    const message = `${name} cannot say what it would do: ${(error as Error).message}`;
    throw new PluginError(plugin.id, "call", message, { cause: error });
  }
}

async function effectOf({ effect }: Operation, args: JsonObject): Promise<Effect> {
  if (typeof effect !== "function") return effect;
  return effect(args as never);
}

async function displayOf(operation: Operation, args: JsonObject): Promise<Partial<ToolDisplay>> {
  return operation.display?.(args as never) ?? {};
}
