import {
  defined,
  ToolError,
  type Clock,
  type Collection,
  type Entity,
  type Json,
  type Log,
  type ProbeContext,
  type Question,
  type RunHandle,
  type SearchIndex,
  type ToolContext,
} from "@pergola/sdk";
import { hostDoor, type DoorSetup } from "./host-door.ts";
import { memoryBlobs } from "./memory-blobs.ts";
import { memoryCollection } from "./memory-collection.ts";
import { memorySearch } from "./memory-search.ts";
import { scopedMemory } from "./scoped-memory.ts";
import { scriptedAnswers, type ScriptedAnswer } from "./scripted-answers.ts";
import { storedResults } from "./stored-results.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface TestSetup extends DoorSetup {
  /** What the person says to the operation's questions, in order. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly preferences?: Readonly<Record<string, Json>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Stored results, by id. */
  readonly results?: Readonly<Record<string, string>>;
}

export interface LogLine {
  readonly level: keyof Log;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Milliseconds. */
  advance(by: number): void;
}

/** A call's context, and what the operation did with it. */
export interface TestContext extends ToolContext, ProbeContext {
  readonly clock: TestClock;
  readonly logged: readonly LogLine[];
  readonly progressed: readonly string[];
  readonly questions: readonly Question[];
}

/** Stands at 2026-01-02T03:04:05Z unless told otherwise. */
export function testClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): TestClock {
  let time = start;
  return {
    now: () => time,
    advance: (by) => {
      time += by;
    },
  };
}

/**
 * A context for one operation under test: collections, search and blobs in memory, a clock that stands still,
 * a new working directory, and files, fetch and spawn through the host's own door. Any part can be given
 * instead; a copy with other fields shares the stores.
 */
export function toolContext(setup: Partial<ToolContext & ProbeContext> & TestSetup = {}): TestContext {
  const {
    answers = [],
    preferences = {},
    secrets = {},
    results = {},
    dataDirectory,
    allowed,
    configured,
    permissions,
    ...overrides
  } = setup;
  const workingDirectory = overrides.workingDirectory ?? temporaryFolder();
  const signal = overrides.signal ?? new AbortController().signal;
  const clock = standing(overrides.clock);
  const logged: LogLine[] = [];
  const progressed: string[] = [];
  const person = scriptedAnswers(answers);
  const once = oncePerName();
  return {
    callId: "call_test",
    conversationId: "c1",
    scope: "c1",
    workingDirectory,
    signal,
    log: recordingLog(logged),
    settings: {},
    run: runHandle(),
    contextWindow: 0,
    ...hostDoor({
      workingDirectory,
      clock,
      signal,
      preferences,
      ...defined({ dataDirectory, allowed, configured, permissions }),
    }),
    secret: async (name) => secrets[name],
    preference: async (key) => preferences[key],
    collection: <T extends Entity>(name: string): Collection<T> =>
      once(`collection ${name}`, memoryCollection<T>),
    search: (name): SearchIndex => once(`search ${name}`, memorySearch),
    blobs: memoryBlobs(),
    memory: scopedMemory(clock, overrides.scope ?? "c1"),
    keepsMemory: true,
    embed: async () => undefined,
    readResult: storedResults(results),
    ask: (question) => person.ask(question),
    progress: (text) => void progressed.push(text),
    ...overrides,
    clock,
    logged,
    progressed,
    questions: person.questions,
  };
}

/** A clock of the test's own keeps its time; it is not moved. */
const standing = (clock: Clock | undefined): TestClock =>
  clock === undefined ? testClock() : { now: () => clock.now(), advance: () => undefined };

/** Makes each named thing when it is first asked for. */
function oncePerName(): <T>(name: string, make: () => T) => T {
  const made = new Map<string, unknown>();
  return <T>(name: string, make: () => T): T => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
}

function recordingLog(lines: LogLine[]): Log {
  const record =
    (level: keyof Log) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void lines.push({ level, fields, message });
  return { debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}

/** The first iteration of a run that may take 300, and whose limit can be raised to 1000. */
function runHandle(): RunHandle {
  let limit = 300;
  return {
    id: `run_${"0".repeat(32)}`,
    iteration: 1,
    get maxIterations() {
      return limit;
    },
    async setMaxIterations(count) {
      if (count <= limit || count > 1000)
        throw new ToolError("invalid_value", `The new limit must lie above ${limit} and be at most 1000.`);
      const previous = limit;
      limit = count;
      return { previous, limit };
    },
  };
}
