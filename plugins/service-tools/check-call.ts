import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import {
  parseArguments,
  ToolError,
  type CallContext,
  type Caller,
  type Effect,
  type Json,
  type JsonObject,
  type Operation,
  type PendingCall,
  type ToolDisplay,
} from "@pergola/sdk";
import { canonicalJson, type Parts, type RegisteredTool } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { checkArguments } from "./check-arguments.ts";
import { prepareCall, type Prepared } from "./prepare-call.ts";
import type { CallScene } from "./tool-context.ts";

export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** An object, or its JSON text. */
  readonly arguments: unknown;
}

export interface CallSetting extends CallScene {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly userInitiated: boolean;
  readonly switches: Readonly<Record<string, boolean>>;
  /** The call was asked for before the service stopped; it may have been started then. */
  readonly resumed?: boolean;
  /** Denials so far in this run, by operation. */
  readonly denials: Map<string, number>;
  /** Says so when a call by hand waits for the person. */
  asked?(approvalId: string): void;
  /** Is told of the progress of a call by hand. */
  progressed?(text: string): void;
}

/** A call that is found, and whose arguments and paths are checked. */
export type Checked = PendingCall & {
  readonly entry: RegisteredTool;
  readonly spec: Operation;
  readonly unknown: readonly string[];
  readonly shown: ToolDisplay;
  /** Where the working directory really is. */
  readonly realDirectory: string;
};

const title = (name: string): string =>
  name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

export const displayOf = (operation: string, own: Partial<ToolDisplay>, icon = "wrench"): ToolDisplay => ({
  action: operation,
  actionDisplayName: title(operation),
  summary: title(operation),
  details: [],
  icon,
  ...own,
});

export const contextOf = ({
  conversation,
  run,
  userInitiated,
  caller,
  signal,
}: CallSetting): CallContext => ({
  conversationId: conversation.id,
  runId: run?.id ?? null,
  userInitiated,
  caller,
  signal,
});

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
  const given = { ...found.arguments, ...own };
  const spec = parts.toolbox.operationOf(found, given);
  const { arguments: args, unknown } = checkArguments(parts, spec, given);
  checkUsable(parts, entry.tool.name, setting);
  await mkdir(setting.workingDirectory, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError("unavailable", "The working directory cannot be made.", {
      hint: "Tell the person.",
      cause,
    });
  });
  const prepared = await prepareCall(entry, spec, args);
  const { id, version } = entry.plugin;
  const facts = {
    id: request.id,
    tool: entry.tool.name,
    operation: spec.name,
    arguments: args,
    effect: prepared.effect,
    place: spec.place ?? "paths",
    workingDirectory: setting.workingDirectory,
    plugin: { id, version },
  };
  const places = pathsOf(parts, spec, args, prepared, setting.workingDirectory);
  const realDirectory = parts.doors.resolve(".", setting.workingDirectory).real;
  const kept = await readOnlyFolder(parts, setting);
  return {
    ...facts,
    ...places,
    ...kept,
    realDirectory,
    entry,
    spec,
    unknown,
    shown: displayOf(spec.name, prepared.display, entry.tool.icon),
  };
}

/** The folder of the topic that the conversation may only read. */
async function readOnlyFolder(
  { topics, doors }: Parts,
  { conversation, workingDirectory }: CallSetting,
): Promise<Pick<PendingCall, "readOnly">> {
  const { topicId, settings } = conversation;
  if (topicId === null || settings.sharedTopicAccess !== "read") return {};
  const folder = (await topics?.find(topicId))?.workspace ?? null;
  return folder === null ? {} : { readOnly: doors.resolve(folder, workingDirectory) };
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

/**
 * Every path and address among the arguments, found by the formats of their schemas, and those that the
 * operation names itself.
 */
function pathsOf(
  parts: Parts,
  spec: Operation,
  args: JsonObject,
  prepared: Prepared,
  workingDirectory: string,
) {
  const paths: { path: string; effect: Effect }[] = [...prepared.touches];
  const urls: string[] = [];
  const look = (schema: Operation["parameters"][string] | undefined, value: Json | undefined): void => {
    if (schema === undefined || value === undefined) return;
    const address =
      schema.format === "path-or-uri" && typeof value === "string" && /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
    if (typeof value === "string" && (schema.format === "uri" || address)) urls.push(value);
    else if (typeof value === "string" && (schema.format === "path" || schema.format === "path-or-uri"))
      paths.push({ path: value, effect: prepared.effect });
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) look(schema.items, item);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) look(schema.properties?.[key], item);
  };
  for (const [name, schema] of Object.entries(spec.parameters)) look(schema, args[name]);
  return {
    urls,
    paths: paths.map(({ path, effect }) => ({ ...parts.doors.resolve(path, workingDirectory), effect })),
  };
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
