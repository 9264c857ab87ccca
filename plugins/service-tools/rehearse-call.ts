import { ToolError, type Effect, type Log, type ToolContext } from "@pergola/sdk";
import { withDeadline, type RehearsedEnd } from "@pergola/sdk/host";
import type { Checked } from "./check-call.ts";
import type { Passage } from "./passage.ts";
import { toolContext } from "./tool-context.ts";

/** Milliseconds in which it must be known what a call would do. */
export const patience = 2_000;

/** What would become of files; why that is unknown, or not all of it. */
export interface Rehearsed {
  readonly end?: RehearsedEnd;
  readonly note: string | null;
}

const changesFiles: ReadonlySet<Effect> = new Set<Effect>(["write", "destructive"]);
const late = new ToolError("timeout", "It takes too long.");

const notes = {
  elsewhere: "It cannot be tried out first: its arguments say what it would do.",
  late: `What it would do could not be worked out within ${patience / 1000} s.`,
  more: "It does more than change files, which cannot be shown before it runs.",
  program: "What a program does cannot be known before it runs.",
  trusted: "Its plugin runs inside the service, so that it cannot be tried out first.",
  without: "No plugin is installed that can try a call out first.",
} as const;

/** Why a call cannot be tried out; undefined where it can. */
function obstacle({ parts }: Passage, { effect, place, entry: { plugin } }: Checked): string | undefined {
  if (effect === "execute") return notes.program;
  if (!changesFiles.has(effect) || place !== "paths") return notes.elsewhere;
  // Code of others inside the service could do anything, and not only through its context.
  if (plugin.tier === "trusted" && !plugin.package.startsWith("@pergola/")) return notes.trusted;
  return parts.changes === undefined ? notes.without : undefined;
}

/**
 * Runs a call that changes files on a copy in memory: it reads the disk, and everything but files is closed
 * to it. Never rejects.
 */
export async function rehearseCall(passage: Passage, call: Checked): Promise<Rehearsed> {
  const note = obstacle(passage, call);
  if (note !== undefined) return { note };
  const stage = openStage(passage, call, signalFor(passage, call));
  try {
    const end = await withDeadline(outcomeOf(call, stage), patience, () => late);
    return { end, note: stage.isLeft() ? notes.more : end.cut };
  } catch (error) {
    return { note: noteOn(error, stage, passage) };
  }
}

/**
 * Nobody waits any more for what takes too long, but it has as much time as the call itself: a plugin that
 * was ended for being slow here would count as one that fails.
 */
function signalFor({ parts, setting }: Passage, { spec }: Checked): AbortSignal {
  const limit = parts.preferences.get<number>("tools.timeout_seconds");
  return AbortSignal.any([setting.signal, AbortSignal.timeout((spec.timeoutSeconds || limit) * 1000)]);
}

type Stage = ReturnType<typeof openStage>;

async function outcomeOf({ spec, arguments: args }: Checked, { context, end }: Stage): Promise<RehearsedEnd> {
  await spec.run(args as never, context);
  return end();
}

function noteOn(error: unknown, { isLeft }: Stage, { parts }: Passage): string {
  if (error === late) return notes.late;
  if (isLeft() || !ToolError.is(error)) return notes.more;
  return `As things stand it would fail: ${parts.redact(error.message)}`;
}

const nothing = (): void => undefined;
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A context in which nothing happens; `isLeft` tells whether the call wanted more than files. */
function openStage({ parts, setting }: Passage, call: Checked, signal: AbortSignal) {
  const { id: callId, entry, paths } = call;
  const real = toolContext(parts, setting, { callId, entry, paths, signal, ask: refuse, progress: nothing });
  const rehearsal = parts.changes!.rehearse(real.files);
  let left = false;
  function refuse(): never {
    left = true;
    throw new ToolError("unavailable", "The call is only tried out: there is nothing but files.");
  }
  const refuseLater = async (): Promise<never> => refuse();
  const context: ToolContext = {
    ...real,
    files: rehearsal.files,
    log: silent,
    run: null,
    memory: undefined,
    blobs: { put: refuseLater, get: refuseLater, delete: refuseLater },
    fetch: refuseLater,
    spawn: refuseLater,
    prepare: refuseLater,
    secret: refuseLater,
    embed: refuseLater,
    readResult: refuseLater,
    ask: refuseLater,
    collection: refuse,
    search: refuse,
  };
  return { context, end: () => rehearsal.end(), isLeft: () => left };
}
