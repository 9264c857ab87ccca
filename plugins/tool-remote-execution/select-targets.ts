import { ToolError } from "@pergola/sdk";
import { parseListed, parseTarget, type Target } from "./ssh/target.ts";

/** Groups of hosts, as in the preference `tools.remote.targets`. */
export type Groups = Readonly<Record<string, readonly string[]>>;

const mostTargets = 64;
const key = ({ user, name, port }: Target): string => `${user}@${name}:${port}`;

/**
 * The hosts that `all`, a group, a listed host or any `user@host` means. `port` is for those that have none
 * of their own.
 */
function targetsFrom(text: string, groups: Groups, port: number): readonly Target[] {
  const listed = Object.values(groups).flat();
  const members = new Map(Object.entries({ ...groups, all: listed })).get(text);
  if (members !== undefined) return members.map((member) => parseListed(member, port));
  const named = listed.filter((host) => host === text || parseListed(host, port).name === text.toLowerCase());
  if (named.length > 0) return named.map((host) => parseListed(host, port));
  if (text.includes("@") || text.startsWith("-")) return [parseTarget(text, port)];
  throw new ToolError("not_found", `There is no group or host "${text}" in tools.remote.targets.`, {
    hint: `Groups: ${Object.keys(groups).join(", ") || "none"}. Other machines are given as user@host.`,
  });
}

/**
 * The machines to work on, each once. Throws `not_found` for a name that means nothing and `invalid_value`
 * for none or too many.
 */
export function selectTargets(texts: readonly string[], groups: Groups, port: number): readonly Target[] {
  const found = new Map(
    texts.flatMap((text) => targetsFrom(text, groups, port)).map((target) => [key(target), target]),
  );
  if (found.size > 0 && found.size <= mostTargets) return [...found.values()];
  const fault = found.size === 0 ? "No machine is meant." : `A call reaches at most ${mostTargets} machines.`;
  throw new ToolError("invalid_value", fault, {
    hint: "Name groups of tools.remote.targets or machines as user@host.",
  });
}
