import path from "node:path";
import {
  AppError,
  defined,
  isBelow,
  ToolError,
  type Caller,
  type Conversation,
  type Effect,
} from "@pergola/sdk";
import { placeOf, type Parts, type RestoringFiles } from "@pergola/sdk/host";

/** A path in a conversation's working directory that its caller may use. */
export interface Place {
  readonly conversationId: string;
  /** Real. */
  readonly workingDirectory: string;
  /** Relative to the working directory; empty for itself. */
  readonly path: string;
  /** Its real path: no link leads to it. */
  readonly real: string;
  readonly files: RestoringFiles;
}

interface Wanted {
  readonly conversationId: string;
  readonly path: string;
  readonly effect: Extract<Effect, "read" | "write">;
  readonly caller: Caller;
}

export const invalidPath = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "invalid_value", message, param: "path", cause });

export const notFound = (file: string): AppError =>
  new AppError({ code: "not_found", message: `There is no "${file}" in the working directory.` });

/** The folder of the topic that the conversation may only read. */
async function readOnlyOf({ topics, doors }: Parts, { topicId, settings }: Conversation, folder: string) {
  if (topicId === null || settings.sharedTopicAccess !== "read") return {};
  const workspace = (await topics?.find(topicId))?.workspace ?? null;
  return workspace === null ? {} : { readOnly: doors.resolve(workspace, folder) };
}

/**
 * Finds a path, and asks the policy as for a tool's call: what it does not simply allow is refused. Rejects
 * with `not_found`, or `invalid_value` for a path that is absolute, leads out of the working directory, goes
 * through a link, or must not be written.
 */
export async function findPlace(parts: Parts, wanted: Wanted): Promise<Place> {
  const { path: given, effect, caller } = wanted;
  const { conversations, doors, hooks } = parts;
  const conversation = await conversations.get(wanted.conversationId);
  placeOf(parts, conversation);
  const named = await conversations.workingDirectoryOf(conversation);
  if (caller.remote || caller.root !== null) await conversations.checkWorkingDirectory(named, caller);
  if (path.isAbsolute(given) || given.startsWith("~"))
    throw invalidPath("The path is relative to the working directory.");
  const signal = new AbortController().signal;
  const door = { paths: [], configured: { folders: [], origins: [] }, reach: "workspace", signal } as const;
  try {
    const workingDirectory = doors.resolve(".", named).real;
    const full = path.resolve(workingDirectory, given);
    const checked = doors.resolve(path.relative(workingDirectory, full) || ".", workingDirectory);
    if (!isBelow(workingDirectory, full)) throw invalidPath(`"${given}" leaves the working directory.`);
    if (checked.real !== full) throw invalidPath(`"${given}" goes through a link.`);
    const call = {
      id: "",
      tool: "files",
      operation: effect === "read" ? "read_file" : "write_file",
      arguments: {},
      effect,
      place: "paths",
      paths: [{ ...checked, effect }],
      urls: [],
      workingDirectory,
      ...(await readOnlyOf(parts, conversation, workingDirectory)),
      plugin: { id: "feature-files", version: parts.version },
    } as const;
    const context = { conversationId: conversation.id, runId: null, userInitiated: false, caller, signal };
    const verdict = await hooks.authorizeToolCall(call, context);
    if (verdict?.decision !== "allow") throw refused(given, effect);
    await keepHere(parts, conversation, effect);
    const files = doors.files({ ...door, workingDirectory });
    const relative = path.relative(workingDirectory, full);
    return { conversationId: conversation.id, workingDirectory, path: relative, real: full, files };
  } catch (error) {
    throw failureOf(error, given);
  }
}

/** The files of a conversation are where the first of them was written. */
async function keepHere(parts: Parts, conversation: Conversation, effect: Wanted["effect"]): Promise<void> {
  const { host } = placeOf(parts, conversation);
  if (effect !== "write" || host === undefined || conversation.host !== undefined) return;
  const { host: kept } = await parts.conversations.put(conversation.id, (now) => ({
    host: now.host ?? host,
  }));
  // Another host was asked for a first file at the same moment.
  placeOf(parts, defined({ host: kept }));
}

function refused(file: string, effect: Wanted["effect"]): AppError {
  if (effect === "read") return notFound(file);
  return invalidPath(`"${file}" is protected: write it by other means.`);
}

/** What a door says, as the routes tell it. */
export function failureOf(error: unknown, file: string): unknown {
  if (!ToolError.is(error)) return error;
  if (error.code === "file_not_found") return notFound(file);
  if (error.code === "conflict")
    return new AppError({ code: "id_taken", message: `"${file}" is there already.`, cause: error });
  if (error.code === "generic_error")
    return new AppError({ code: "storage_unavailable", message: error.message, cause: error });
  return invalidPath(error.message, error);
}
