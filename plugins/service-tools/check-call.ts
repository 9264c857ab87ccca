import { createHash } from "node:crypto";
import {
  parseArguments,
  ToolError,
  type CallContext,
  type CheckedPath,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Operation,
  type PendingCall,
  type ToolDisplay,
} from "@pergola/sdk";
import {
  canonicalJson,
  pick,
  visibleJson,
  type ActiveRun,
  type Parts,
  type RegisteredTool,
} from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { checkCaller } from "./check-caller.ts";
import { checkArguments } from "./check-arguments.ts";
import { prepareCall, type Prepared } from "./prepare-call.ts";
import { tracedCall, type CallScene } from "./tool-context.ts";

export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** An object, or its JSON text. */
  readonly arguments: unknown;
}

export interface CallSetting extends CallScene {
  readonly signal: AbortSignal;
  readonly userInitiated: boolean;
  readonly switches: Readonly<Record<string, boolean>>;
  /** The call was asked for before the service stopped; it may have been started then. */
  readonly resumed?: boolean;
  /** Denials so far in this run, by operation. */
  readonly denials: Map<string, number>;
  /** Called when a call by hand waits for the person. */
  onQuestion?(approvalId: string): void;
  /** Called with the progress of a call by hand. */
  onProgress?(text: string): void;
}

/** A call that is found, and whose arguments and paths are checked. */
export type Checked = PendingCall & {
  readonly entry: RegisteredTool;
  readonly spec: Operation;
  readonly unknown: readonly string[];
  readonly display: ToolDisplay;
  /** Where the working directory really is. */
  readonly realDirectory: string;
};

const title = (name: string): string =>
  name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

/** The card of a call, with nothing in it that a person could not see. */
export const displayOf = (operation: string, own: Partial<ToolDisplay>, icon = "wrench"): ToolDisplay =>
  visibleJson({
    action: operation,
    actionDisplayName: title(operation),
    summary: title(operation),
    details: [],
    icon,
    ...own,
  });

export const contextOf = (setting: CallSetting): CallContext => ({
  conversationId: setting.conversation.id,
  lineage: lineageOf(setting.run),
  personsConversationId: personsConversation(setting),
  ...pick(setting, "userInitiated", "caller", "signal"),
  ...tracedCall(setting),
});

/** The ids of the runs that led to this one, and its own. */
export function lineageOf(run: ActiveRun | null | undefined): readonly string[] {
  if (run === null || run === undefined) return [];
  return [...lineageOf(run.parent), run.id];
}

/**
 * The conversation whose person is asked and whose grants count: for a sub-agent that of the run which was
 * first.
 */
export const personsConversation = ({ run, conversation }: CallSetting): string =>
  run?.request.parent?.conversationId ?? conversation.id;

/** What a call would do, from its name and its arguments. Throws ToolError for what cannot be called. */
export async function checkCall(parts: Bench, request: ToolRequest, setting: CallSetting): Promise<Checked> {
  const own = parseArguments(request.arguments);
  const found = parts.toolbox.lookUp(request.name, own);
  if (found === undefined)
    throw new ToolError("not_found", `There is no tool "${request.name}".`, {
      hint: `Tools: ${parts.toolbox.names.join(", ")}.`,
    });
  const { entry } = found;
  checkUsable(parts, entry.tool.name, setting);
  const merged = { ...found.arguments, ...own };
  const spec = parts.toolbox.operationOf(found, merged);
  const { arguments: args, unknown } = checkArguments(parts, spec, merged);
  const prepared = await prepareCall(entry, spec, args);
  const { id, version } = entry.plugin;
  const { workingDirectory, caller } = setting;
  const places = placesOf(spec, args, prepared, (path) => parts.doors.resolve(path, workingDirectory));
  const realDirectory = parts.doors.resolve(".", workingDirectory).real;
  checkCaller({ caller, effect: prepared.effect, permissions: entry.plugin.permissions }, [
    realDirectory,
    ...places.paths.map(({ real }) => real),
  ]);
  return {
    id: request.id,
    tool: entry.tool.name,
    operation: spec.name,
    arguments: args,
    effect: prepared.effect,
    fromOutside: isFromOutside(entry),
    place: spec.place ?? "paths",
    workingDirectory,
    plugin: { id, version },
    ...places,
    ...(await readOnlyFolder(parts, setting)),
    realDirectory,
    entry,
    spec,
    unknown,
    display: displayOf(spec.name, prepared.display, entry.tool.icon),
  };
}

/** Whether what a family says may be the words of others. */
function isFromOutside({ tool, plugin }: RegisteredTool): boolean {
  const { network = [] } = plugin.permissions;
  return tool.thirdParty === true || network.length > 0;
}

/** The folder of the topic that the conversation may only read. */
async function readOnlyFolder(
  { topics, doors }: Parts,
  { conversation, workingDirectory }: CallSetting,
): Promise<Pick<PendingCall, "readOnly">> {
  const { topicId, settings } = conversation;
  if (topicId === null || settings.sharedTopicAccess !== "read") return {};
  const folder = (await topics?.find(topicId))?.workspace ?? null;
  if (folder === null) return {};
  return { readOnly: doors.resolve(folder, workingDirectory) };
}

function checkUsable(
  parts: Bench,
  family: string,
  { userInitiated, switches, conversation }: CallSetting,
): void {
  if (!userInitiated && !parts.toolbox.enabled(family, switches, conversation)) {
    throw new ToolError("tool_disabled", `${family} is switched off.`, {
      hint: "The person can switch it on under tools in the settings, or for one request.",
    });
  }
  const missing = parts.toolbox.unavailable(family);
  if (missing !== undefined)
    throw new ToolError("unavailable", `${family} cannot be used here.`, { hint: missing });
}

/** Every path and address among the arguments, and those that the operation names itself. */
function placesOf(
  { parameters }: Operation,
  args: JsonObject,
  { touches, effect }: Prepared,
  resolve: (path: string) => CheckedPath,
) {
  const found = Object.entries(parameters).flatMap(([name, schema]) => namedPlaces(schema, args[name]));
  const own = found.flatMap(({ path }) => path ?? []).map((path) => ({ path, effect }));
  return {
    urls: found.flatMap(({ url }) => url ?? []),
    paths: [...touches, ...own].map((one) => ({ ...resolve(one.path), effect: one.effect })),
  };
}

interface Place {
  readonly path?: string;
  readonly url?: string;
}

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The paths and addresses in a value, found by the formats of its schema. */
function namedPlaces(schema: JsonSchema | undefined, value: Json | undefined): readonly Place[] {
  if (schema === undefined || value === undefined || value === null) return [];
  if (typeof value === "string") return placeIn(schema.format, value);
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item) => namedPlaces(schema.items, item));
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => namedPlaces(schema.properties?.[key], item));
}

function placeIn(format: string | undefined, text: string): readonly Place[] {
  if (format === "path") return [{ path: text }];
  if (format === "uri") return [{ url: text }];
  if (format !== "path-or-uri") return [];
  if (address.test(text)) return [{ url: text }];
  return [{ path: text }];
}

/**
 * What an approval is bound to: the call, where it really works, the files it really means, and the code that
 * does it.
 */
export function digestOf(
  { tool, operation, arguments: args, paths, realDirectory, plugin }: Checked,
  more: JsonObject = {},
): string {
  const bound = {
    tool,
    operation,
    arguments: args,
    paths: paths.map(({ real }) => real),
    realDirectory,
    ...plugin,
    ...more,
  };
  return createHash("sha256").update(canonicalJson(bound)).digest("hex");
}
