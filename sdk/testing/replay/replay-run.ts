import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { defined, type AnswerInput, type Caller, type LiveRun, type RunRequest } from "@pergola/sdk";
import type { Cassette, RecordedExecution, RecordedMessage } from "@pergola/sdk/host";
import { startTestHost, type TestHost, type TestHostOptions } from "../host-in-test.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { firstDifference } from "./compare-runs.ts";
import { replayModelId, replayProvider } from "./replay-model.ts";
import { standInTools } from "./stand-in-tools.ts";

export type { Cassette } from "@pergola/sdk/host";

/** The plugins that reach models: none of them is asked. */
const modelPlugins = ["anthropic", "chat-completions", "embedded", "gemini", "local-llama", "local-mlx"];

export interface ReplayOptions extends Pick<TestHostOptions, "plugins" | "settings" | "environment"> {
  /** Tool families that really run, in an empty working directory; the others answer from the recording. */
  readonly real?: readonly string[];
}

const person: Caller = {
  kind: "owner",
  id: "127.0.0.1",
  name: "",
  remote: false,
  scopes: ["read", "chat", "tools", "approve", "admin"],
  root: null,
};

/** The recording with real folders in the places of those that stand for them. */
const placed = (text: string, workingDirectory: string): Cassette =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replaceAll("{workingDirectory}", workingDirectory).replaceAll("{home}", homedir())
      : value,
  ) as Cassette;

const readText = async (recording: URL | string | Cassette): Promise<string> =>
  typeof recording === "string" || recording instanceof URL
    ? readFile(recording, "utf8")
    : JSON.stringify(recording);

/** Throws for a file that is no recording, and for one that only a later version can read. */
function checkFormat({ format }: Partial<Cassette>): void {
  if (format === "pergola-cassette/1") return;
  const found = JSON.stringify(format);
  throw new Error(
    `This is no recording that can be replayed: its format is ${found}, not "pergola-cassette/1".`,
  );
}

const messageFor = ({ role, text, toolCalls, toolCallId }: RecordedMessage): RunRequest["messages"][number] =>
  defined({
    role,
    content: text,
    toolCalls: toolCalls?.map((call) => ({
      ...call,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    })),
    toolCallId,
  });

async function requestFor(
  { request }: Cassette,
  { services }: TestHost,
  workingDirectory: string,
): Promise<RunRequest> {
  const { kind, messages, tools, callerTools, parameters, enableMemory, maxIterations } = request;
  const families = (await services.tools.list()).map(({ name }) => name);
  const switches = tools && families.map((name) => [name, tools.includes(name)] as const);
  return {
    kind: kind === "subagent" ? "chat" : kind,
    model: replayModelId,
    messages: messages.map(messageFor),
    newConversation: true,
    callerTools,
    builtinTools: tools?.length === callerTools.length ? "none" : "all",
    sampling: parameters,
    includeReasoning: false,
    maxIterations,
    toolSwitches: Object.fromEntries(switches ?? []),
    enableMemory,
    workingDirectory,
    customInstructions: [],
    stream: true,
    caller: person,
  };
}

/** What the person answered in the recording; a yes where they were not asked, so that the run goes on. */
function answerFor(call: RecordedExecution | undefined): AnswerInput {
  const { decision = "approved", text } = call?.approval ?? {};
  return { approved: decision === "approved", ...defined({ text }) };
}

/** Answers what the run asks, until it has ended. */
async function follow(live: LiveRun, { steps }: Cassette, { services }: TestHost): Promise<void> {
  const calls = steps.flatMap(({ executions }) => executions);
  for await (const { event } of live.events()) {
    if (event.type !== "question") continue;
    const { id, toolCallId } = event.approval;
    await services.approvals.answer(id, answerFor(calls.find((call) => call.id === toolCallId)));
  }
  await live.done;
}

/** A recording as it was written, and as it is replayed in this working directory. */
interface Replay {
  readonly recorded: Cassette;
  readonly played: Cassette;
  readonly workingDirectory: string;
}

/** Replays the run and gives the first difference; undefined when there is none. */
async function play(
  { recorded, played, workingDirectory }: Replay,
  host: TestHost,
): Promise<string | undefined> {
  const { runs, tools } = host.services;
  const live = await runs.start(await requestFor(played, host, workingDirectory));
  await live.admit();
  await follow(live, played, host);
  const families = [...(await tools.list()), ...played.request.callerTools].map(({ name }) => name);
  return firstDifference(recorded, await runs.cassette(live.id), new Set(families));
}

/**
 * Replays a run that `pergola runs export --as-test` has written: a real host with its policies and hooks,
 * a model that gives the recorded answers, and tools that give the recorded results. Rejects with an Error
 * that shows the first difference: another call, other arguments, another result, more calls or fewer.
 */
export async function replayRun(
  recording: URL | string | Cassette,
  { plugins, settings = {}, environment = {}, real = [] }: ReplayOptions = {},
): Promise<void> {
  const text = await readText(recording);
  const recorded = JSON.parse(text) as Cassette;
  checkFormat(recorded);
  const workingDirectory = temporaryFolder();
  const played = placed(text, workingDirectory);
  const host = await startTestHost({
    ...defined({ plugins }),
    environment,
    settings: {
      disabled: modelPlugins.map((name) => `provider-${name}`),
      "memory.embedding_model": "",
      "plugins.require_sandbox": false,
      ...played.settings,
      ...settings,
    },
    standIns: { providers: [replayProvider(played)], tools: standInTools(played, real) },
  });
  try {
    const difference = await play({ recorded, played, workingDirectory }, host);
    if (difference !== undefined) throw new Error(difference);
  } finally {
    await host.stop();
    await rm(workingDirectory, { recursive: true, force: true });
  }
}
