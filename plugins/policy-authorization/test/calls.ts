import path from "node:path";
import type {
  CallContext,
  CheckedPath,
  Effect,
  Json,
  PendingCall,
  PreferenceService,
  Verdict,
} from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import manifest from "../plugin.json" with { type: "json" };
import { authorize } from "../authorize.ts";
import { rulesReader } from "../rules.ts";

export const wd = "/work/project";
export const home = "/home/ada";

type TouchedPath = PendingCall["paths"][number];

/** A path as the host's door resolves it when no link is involved. */
export function touched(given: string, effect: Effect, workingDirectory = wd): TouchedPath {
  const real = path.resolve(workingDirectory, given.replace(/^~/, home));
  const inside = real === workingDirectory || real.startsWith(`${workingDirectory}/`);
  return { requestedPath: given, real, place: inside ? "inside" : "outside", exists: true, effect };
}

export const linked = (
  given: string,
  real: string,
  place: CheckedPath["place"],
  effect: Effect,
): TouchedPath => ({
  requestedPath: given,
  real,
  place,
  exists: true,
  effect,
});

export const call = (facts: Partial<PendingCall>): PendingCall => ({
  id: "call_1",
  tool: "file_operations",
  operation: "write_file",
  arguments: {},
  effect: "write",
  place: "paths",
  paths: [],
  urls: [],
  workingDirectory: wd,
  plugin: { id: "tool-file-operations", version: "1.0.0" },
  ...facts,
});

export const context = (facts: Partial<CallContext> = {}): CallContext => ({
  conversationId: "c1",
  runId: "run_1",
  userInitiated: false,
  caller: endpointRequest().caller,
  signal: new AbortController().signal,
  ...facts,
});

type Lists = Readonly<Record<string, readonly string[]>>;

/** The preferences of the manifest, with some of them set. Keys without `authorization.`. */
export const preferences = (lists: Lists = {}): Pick<PreferenceService, "get"> => ({
  get: <T extends Json>(key: string) =>
    (lists[key.replace("authorization.", "")] ??
      manifest.settings[key as keyof typeof manifest.settings].default) as T,
});

const rulesOf = rulesReader(home);

export const decide = (
  facts: Partial<PendingCall>,
  lists: Lists = {},
  who: Partial<CallContext> = {},
): Verdict => authorize(call(facts), context(who), rulesOf(preferences(lists)));

export const write = (...paths: readonly string[]): Partial<PendingCall> => ({
  effect: "write",
  paths: paths.map((given) => touched(given, "write")),
});
export const read = (...paths: readonly string[]): Partial<PendingCall> => ({
  operation: "read_file",
  effect: "read",
  paths: paths.map((given) => touched(given, "read")),
});
