import type { PluginError, PluginStatus } from "@pergola/sdk";
import type { Discovery, FoundPlugin } from "./discover.ts";
import { emptyManifest } from "./manifest.ts";
import type { PluginFaults } from "./plugin-faults.ts";
import type { ToolEffects } from "./plugin-grants.ts";
import type { LockedVersion } from "./plugin-lock.ts";
import type { StrikePage } from "./strike-book.ts";

type HookCounts = PluginStatus["hooks"];

type Known = Omit<FoundPlugin, "kind"> & { readonly kind: string };

/** What is known of a plugin beside its manifest. */
export interface Standing {
  readonly fault: PluginError | undefined;
  readonly hooks: readonly (HookCounts[number] & { readonly plugin: string })[];
  readonly locked: LockedVersion | undefined;
  readonly page: StrikePage;
  readonly effects: ToolEffects | undefined;
  readonly canDisable: boolean;
  readonly canRetry: boolean;
  readonly restartRequired: boolean;
  /** What walls it in. */
  readonly wall: string | null;
}

/** A fault with its remedy. */
export const sentences = ({ message, remedy }: Pick<PluginError, "message" | "remedy">): string =>
  `${message.replace(/[^.?!]$/, "$&.")} ${remedy}`;

/** What is known of a plugin whose manifest could not be read. */
const unreadable = (id: string): Known => ({
  id,
  kind: "unknown",
  package: id,
  version: "",
  description: "",
  folder: "",
  root: "",
  entry: "",
  source: "settings",
  tier: "isolated",
  disabled: false,
  sdk: "",
  ...emptyManifest,
});

/** Those that were found, and those whose manifest was at fault. */
export function everyPlugin({ all, refused }: Discovery, faults: PluginFaults): readonly Known[] {
  const lost = [...faults.keys()].filter((id) => all.every((found) => found.id !== id));
  return [...all, ...lost.map((id) => refused.find((one) => one.id === id) ?? unreadable(id))];
}

function pinnedAs({ source, file }: Known, locked: LockedVersion | undefined): PluginStatus["pinned"] {
  if (source === "own") return "official";
  if (file !== undefined) return file.own ? "own" : "pinned";
  if (locked === undefined) return "no";
  return locked.files === null ? "linked" : "pinned";
}

function stateOf({ disabled }: Known, fault: PluginError | undefined): PluginStatus["state"] {
  if (disabled) return "disabled";
  return fault === undefined ? "running" : "left out";
}

/** How a plugin is doing, for those who look. */
export function statusOf(found: Known, standing: Standing): PluginStatus {
  const { id, kind, version, description, folder, tier, provides, permissions, settings } = found;
  const { fault, hooks, locked, page, effects, canDisable, canRetry, restartRequired, wall } = standing;
  return {
    id,
    kind,
    version,
    description,
    official: found.source === "own",
    folder,
    tier,
    sandbox: wall,
    state: stateOf(found, fault),
    fault: fault === undefined ? null : sentences(fault),
    problem: fault === undefined ? null : { message: fault.message, remedy: fault.remedy },
    provides: { ...provides },
    permissions: { ...permissions },
    settings,
    effects: effects ?? null,
    digest: locked?.files ?? found.file?.digest ?? null,
    pinned: pinnedAs(found, locked),
    strikes: page.strikes,
    rolledBack: page.rolledBack ?? null,
    canDisable,
    canRetry,
    restartRequired,
    hooks: hooks.map(({ plugin: _, ...count }) => count),
  };
}
