import {
  AppError,
  type Entity,
  type LiveRun,
  type Message,
  type PluginHost,
  type RunRecord,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import { endpointRequest, memoryCollection, testClock } from "@pergola/sdk/testing";
import { openAgents } from "../agents-of.ts";

const gone = (what: string): never => {
  throw new AppError({ code: "not_found", message: `There is no ${what}.` });
};

const request = {
  kind: "chat",
  model: "test",
  builtinTools: "all",
  toolSwitches: {},
  enableMemory: true,
  caller: endpointRequest().caller,
} as unknown as RunRequest;

const families = ["agent_operations", "terminal_operations", "remote_execution", "file_operations"];

/** A host whose runs begin and end when the test says so, and what it keeps. */
export class FakeHost {
  readonly conversations = new Map<string, object>([
    ["c1", { id: "c1", settings: {}, updated: "2026-01-01T00:00:00.000Z" }],
  ]);
  readonly runs = new Map<string, RunRecord>();
  readonly started: RunRequest[] = [];
  readonly cancelled: string[] = [];
  readonly said = new Map<string, readonly Message[]>();
  readonly clock = testClock();
  /** Runs that somebody waits for, and what lets them go on. */
  readonly #waiting = new Map<string, () => void>();
  readonly #collections: Map<string, unknown>;
  #isOpen = false;

  /** What `beside` keeps, this host keeps too. */
  constructor(beside?: FakeHost) {
    this.#collections = beside === undefined ? new Map<string, unknown>() : beside.#collections;
    this.runs.set("run_above", {
      id: "run_above",
      kind: "chat",
      status: "running",
      conversationId: "c1",
    } as RunRecord);
  }

  collection<T extends Entity>(name: string) {
    if (!this.#collections.has(name)) this.#collections.set(name, memoryCollection<T>());
    return this.#collections.get(name) as ReturnType<typeof memoryCollection<T>>;
  }

  /** Starts the plugin, as the first time or again after a crash. */
  async open(): Promise<void> {
    const above = this.runs.get("run_above")!;
    if (this.#isOpen) this.runs.set(above.id, { ...above, status: "interrupted" });
    this.#isOpen = true;
    await openAgents(this.#host);
  }

  end(id: string, text: string, more: Partial<RunRecord> = {}): RunRecord {
    const run = {
      ...(this.runs.get(id) as RunRecord),
      status: "ended",
      completionReason: "workflow_complete",
      error: null,
      ...more,
    } as const;
    this.runs.set(id, run);
    this.said.set(run.conversationId, [{ role: "assistant", content: text, runId: id } as Message]);
    this.#waiting.get(id)?.();
    return run;
  }

  get #host(): PluginHost {
    const { clock } = this;
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    };
    const collection = <T extends Entity>(name: string) => this.collection<T>(name);
    return {
      id: "tool-agent-operations",
      settings: {},
      log,
      clock,
      services: this.#services,
      tap: () => undefined,
      collection,
    };
  }

  get #services(): Services {
    const live = (id: string): LiveRun | undefined => {
      const record = this.runs.get(id);
      if (record === undefined) return undefined;
      const done = new Promise<void>((go) => (record.status === "ended" ? go() : this.#waiting.set(id, go)));
      return { id, record, request, done, cancel: () => undefined } as unknown as LiveRun;
    };
    const services = {
      preferences: { get: (key: string) => (key === "agents.max_depth" ? 1 : 2) },
      tools: { list: async () => families.map((name) => ({ name, enabled: true })) },
      conversations: {
        get: async (id: string) => this.conversations.get(id) ?? gone("conversation"),
        create: async (fields: { readonly id: string }) =>
          this.conversations.set(fields.id, { ...fields, updated: "2026-01-02T00:00:00.000Z" }),
        delete: async (id: string) => this.conversations.delete(id),
        messages: async (id: string) => this.said.get(id) ?? [],
      },
      runs: {
        live,
        get: async (id: string) => this.runs.get(id) ?? gone("run"),
        list: async ({ conversationId }: { readonly conversationId: string }) => {
          const items = [...this.runs.values()]
            .filter((run) => run.conversationId === conversationId)
            .toReversed();
          return { items, count: items.length };
        },
        start: async (asked: RunRequest) => {
          const id = `run_${this.started.push(asked)}`;
          const { conversationId = "" } = asked;
          const times = {
            startedAt: "2026-01-01T00:00:00.000Z",
            endedAt: "2026-01-01T00:00:02.500Z",
            iterations: 1,
            toolsUsed: ["lab"],
          };
          this.runs.set(id, {
            id,
            kind: "subagent",
            status: "running",
            conversationId,
            ...times,
          } as unknown as RunRecord);
          return { id, admit: async () => undefined, cancel: () => this.cancelled.push(id) };
        },
        cancel: async (id: string) => this.cancelled.push(id),
        resume: async () => gone("run"),
      },
    };
    return services as unknown as Services;
  }
}
