import { tmpdir } from "node:os";
import {
  defined,
  ToolError,
  type Caller,
  type CheckedPath,
  type Conversation,
  type FetchInit,
  type Json,
  type JsonObject,
  type ProbeContext,
  type Question,
  type ToolContext,
} from "@pergola/sdk";
import {
  pick,
  withFields,
  type ActiveRun,
  type CallRecorder,
  type Fence,
  type Parts,
  type ProgramReach,
  type RegisteredTool,
  type TracedCall,
} from "@pergola/sdk/host";
import type { AppearedFiles } from "./appeared-files.ts";
import { ownStore } from "./own-store.ts";
import { ownSettings, withoutSecrets } from "./own-settings.ts";

/** Where and for whom a call happens. */
export interface CallScene {
  readonly conversation: Conversation;
  /** Of its memory. */
  readonly scope: string;
  readonly workingDirectory: string;
  readonly run: ActiveRun | null;
  readonly caller: Caller;
  readonly contextWindow: number;
  /** Of a call outside runs: as `HandCall` has it. */
  readonly trace?: string | undefined;
}

/** The trace that a call belongs to, by its run or as it came. */
export const tracedCall = ({ run, trace }: Pick<CallScene, "run" | "trace">): TracedCall => ({
  runId: run?.id ?? null,
  ...defined({ trace: run === null ? trace : run.record.trace }),
});

export interface CallFacts {
  readonly callId: string;
  readonly entry: RegisteredTool;
  readonly paths: readonly CheckedPath[];
  readonly signal: AbortSignal;
  /** Where the call's changes of files are recorded. */
  readonly recorder?: CallRecorder | undefined;
  /** Takes what its programs make under protected names; a probe's make nothing. */
  readonly appeared?: AppearedFiles;
  ask(question: Question): ReturnType<ToolContext["ask"]>;
  progress(text: string): void;
}

type Reach = Pick<CallFacts, "entry" | "paths" | "signal" | "recorder" | "appeared"> &
  Pick<CallScene, "workingDirectory"> &
  Pick<ProgramReach, "bare">;

/** The ways out that a plugin's manifest permits, bound to one call or probe. */
function waysOut(parts: Parts, reach: Reach) {
  const { entry, paths, signal, workingDirectory, recorder, appeared, bare } = reach;
  const { permissions, id } = entry.plugin;
  const { settings, configured } = ownSettings(entry.plugin);
  const refuse = (what: string): ToolError =>
    new ToolError("permission_denied", `The plugin ${id} has no permission for ${what}.`, {
      hint: "Its manifest would have to ask for it.",
    });
  const door = { workingDirectory, signal, paths, configured };
  const files = parts.doors.files({ ...door, reach: permissions.files ?? "none" });
  const programDoor = { ...door, programs: permissions.processes ?? [], ...defined({ bare }) };
  const programs: Pick<ToolContext, "spawn" | "prepare"> = {
    spawn: (program, args, options) => parts.doors.spawn(programDoor)(program, args, options),
    prepare: (program, args, options) => parts.doors.prepare(programDoor)(program, args, options),
  };
  const { spawn, prepare } = appeared?.watch(programs) ?? programs;
  return {
    signal,
    settings,
    prepare,
    files: recorder?.files(files) ?? files,
    fetch: (url: string, init?: FetchInit) =>
      parts.doors.fetch({ ...door, hosts: permissions.network ?? [] })(url, init),
    spawn: recorder?.spawn(spawn) ?? spawn,
    secret: async (name: string) => {
      const key = permissions.secrets?.find((own) => name === own || name.startsWith(`${own}.`));
      if (key === undefined) throw refuse(`the secret ${name}`);
      const fields = name.slice(key.length).split(".").filter(Boolean);
      const value = fields.reduce<Json | undefined>(
        (at, field) => (at as JsonObject | null)?.[field],
        parts.preferences.get(key),
      );
      if (typeof value === "string" && value !== "") return value;
      return undefined;
    },
    preference: async (key: string) => {
      const found = parts.preferences.list().find((preference) => preference.key === key);
      if (found?.schema["x-secret"] === true) throw refuse(`the secret ${key}`);
      return found && withoutSecrets(found.value, found.schema);
    },
  };
}

/** What a family sees of the world when it is asked whether it can be used. */
export const probeContext = (parts: Parts, entry: RegisteredTool, signal: AbortSignal): ProbeContext => ({
  ...waysOut(parts, {
    entry,
    signal,
    paths: [],
    workingDirectory: tmpdir(),
  }),
  keepsMemory: parts.memory !== undefined,
});

/**
 * What an operation sees of the world: the door's methods, bound to this call and to what its plugin's
 * manifest permits.
 */
export function toolContext(parts: Parts, scene: CallScene, facts: CallFacts): ToolContext {
  const { callId, entry, signal } = facts;
  const { conversation, scope: memoryScope, workingDirectory, run, contextWindow } = scene;
  const traced = tracedCall(scene);
  const fence = fenceOf(parts, run, callId);
  const trace = parts.telemetry?.traceWithinToolCall(traced, callId);
  const runId = run?.id ?? null;
  return {
    ...waysOut(parts, { ...facts, workingDirectory, bare: bareNoter(parts, scene, facts) }),
    callId,
    conversationId: conversation.id,
    scope: parts.conversations.scopeOf(conversation),
    workingDirectory,
    contextWindow,
    clock: parts.clock,
    log: withFields(parts.log, { plugin: entry.plugin.id, callId }),
    run: run && runHandle(parts, run),
    caller: scene.caller,
    ...defined({ trace: parts.telemetry?.sentWithToolCall(traced, callId) }),
    ...ownStore(parts, entry, fence),
    memory: parts.memory?.scoped({ conversation, scope: memoryScope, callId, runId, fence, trace }),
    embed: async (texts) => (await parts.models.embed(texts, signal, trace))?.vectors,
    readResult: async (resultId, range) => {
      const found = await parts.results.readFor(conversation, resultId, range);
      return pick(
        found,
        "resultId",
        "toolCallId",
        "offset",
        "length",
        "totalLength",
        "content",
        "nextOffset",
        "hasMore",
      );
    },
    ask: (question) => facts.ask(question),
    progress: (text) => facts.progress(text),
  };
}

/** By which what a call stores is known to be this host's, where there are several. */
export const fenceOf = (
  { approvals }: Pick<Parts, "approvals">,
  run: ActiveRun | null,
  callId: string,
): Fence | undefined => (run === null ? approvals.fenceOf(callId) : run.fence);

/** Writes into the audit what a call starts without a sandbox, each program once. */
function bareNoter(
  parts: Parts,
  { caller }: CallScene,
  { entry, callId }: CallFacts,
): NonNullable<ProgramReach["bare"]> {
  const noted = new Set<string>();
  return (program, outcome) => {
    if (noted.has(program)) return;
    noted.add(program);
    const target = `${entry.tool.name} ${program} ${callId}`;
    parts.access?.note({ action: "program.unsandboxed", target, outcome, caller });
  };
}

function runHandle(parts: Parts, run: ActiveRun): NonNullable<ToolContext["run"]> {
  const { id, iterations: iteration, maxIterations } = run.record;
  return {
    id,
    iteration,
    maxIterations,
    setMaxIterations: async (limit) => raiseLimit(parts, run, limit),
  };
}

function raiseLimit(parts: Parts, run: ActiveRun, limit: number) {
  const ceiling = parts.preferences.get<number>("workflow.max_iterations_ceiling");
  const previous = run.record.maxIterations;
  if (!(run.request.dynamicIterations ?? parts.preferences.get<boolean>("workflow.dynamic_iterations"))) {
    throw new ToolError("tool_disabled", "The limit of this run is fixed.", {
      hint: "Finish within the iterations that are left.",
    });
  }
  if (limit <= previous || limit > ceiling) {
    const message = `requested_iterations must be above ${previous} and at most ${ceiling}.`;
    throw new ToolError("invalid_value", message, { hint: `The present limit is ${previous}.` });
  }
  run.store({ maxIterations: limit });
  run.emit({ type: "limit_changed", maxIterations: limit });
  return { previous, limit };
}
