import type { Effect, Operation, Tool } from "@pergola/sdk";
import type { Permissions } from "@pergola/sdk/host";

/** The possible effects of each operation, by tool family. */
export type ToolEffects = Readonly<Record<string, Readonly<Record<string, readonly Effect[]>>>>;

/** What a plugin asks for: what it may reach, and what its tools do. */
export interface Asked {
  readonly permissions: Permissions | null;
  readonly tools: ToolEffects | null;
}

const strength: Readonly<Record<Effect, number>> = { none: 0, read: 1, write: 2, destructive: 3, execute: 4 };
const fileReach = { none: 0, workspace: 1, any: 2 } as const;

const possibleEffects = ({ effect, effects = ["execute"] }: Operation): readonly Effect[] =>
  typeof effect === "function" ? effects : [effect];

/** What the tools of a plugin say they do, hidden operations included. */
export const effectsOfTools = (tools: readonly Tool[]): ToolEffects =>
  Object.fromEntries(
    tools.map(({ name, operations }) => [
      name,
      Object.fromEntries(operations.map((operation) => [operation.name, possibleEffects(operation)])),
    ]),
  );

/** What the second asks for beyond the first, one phrase each; empty = the same or less. */
export function differences(before: Asked, after: Asked): readonly string[] {
  return [
    ...widerPermissions(before.permissions ?? {}, after.permissions ?? {}),
    ...widerEffects(before.tools ?? {}, after.tools ?? {}),
  ];
}

function widerPermissions(before: Permissions, after: Permissions): readonly string[] {
  const { files = "none" } = before;
  const { files: wanted = "none" } = after;
  return [
    ...widerList("network", before.network, after.network),
    ...widerList("programs", before.processes, after.processes),
    ...widerList("secrets", before.secrets, after.secrets),
    ...(fileReach[wanted] > fileReach[files] ? [`files: ${wanted} (before: ${files})`] : []),
  ];
}

function widerList(
  name: string,
  before: readonly string[] | "any" = [],
  after: readonly string[] | "any" = [],
): readonly string[] {
  if (before === "any") return [];
  if (after === "any") return [`${name}: any`];
  const added = after.filter((each) => !before.includes(each));
  return added.length === 0 ? [] : [`${name}: ${added.join(", ")}`];
}

function widerEffects(before: ToolEffects, after: ToolEffects): readonly string[] {
  return Object.entries(after).flatMap(([tool, operations]) =>
    Object.entries(operations).flatMap(([operation, effects]) => {
      const known = before[tool]?.[operation];
      const name = `${tool}.${operation}`;
      if (known === undefined) return [`the operation ${name} (${effects.join(", ")})`];
      const most = Math.max(...known.map((effect) => strength[effect]));
      const stronger = effects.filter((effect) => strength[effect] > most);
      return stronger.length === 0 ? [] : [`${name}: ${stronger.join(", ")} (before: ${known.join(", ")})`];
    }),
  );
}
