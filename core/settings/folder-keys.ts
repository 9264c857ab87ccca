import type { Json } from "@pergola/sdk";

/** Model ids that name a model which runs on this computer, by the provider in front of the slash. */
const localModel = /^(embedded|llama|mlx)\//;

type Rule = (wanted: Json, current: Json) => boolean;

const always: Rule = () => true;
const isLocal = (model: Json): boolean => typeof model === "string" && localModel.test(model);

/**
 * What the settings file of a folder that nobody trusts may set, and when: nothing of it reaches the
 * network, files or programs, or switches off a protection.
 */
const rules: Readonly<Record<string, Rule>> = {
  // Text that stays on this computer is not sent to another one because of a folder.
  default_model: (wanted, current) => isLocal(wanted) || !isLocal(current),
  "user.language": always,
  "user.time_zone": always,
  "workflow.max_iterations": (wanted, current) => Number(wanted) <= Number(current),
  "conversations.max_history": always,
  "memory.inject_count": always,
  "memory.inject_threshold": always,
};

/** Keys that such a folder may only lower, below what is stored as well. */
export const lowersOnly: ReadonlySet<string> = new Set(["workflow.max_iterations"]);

/** Whether an untrusted folder may set a preference to this value, where the other is in force without it. */
export function mayFolderSet(key: string, wanted: Json, current: Json): boolean {
  if (key.startsWith("stream.")) return true;
  return Object.hasOwn(rules, key) && rules[key]!(wanted, current);
}
