import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BlobStore, Caller, Files, Storage, Write } from "@pergola/sdk";
import {
  openStores,
  type CallRecorder,
  type ChangePage,
  type Parts,
  type RecordedCall,
  type RevertOutcome,
} from "@pergola/sdk/host";
import { endpointRequest, temporaryFolder } from "@pergola/sdk/testing";
import { openDoors } from "../../plugins/bridge-machine/open-doors.ts";
import { Changes } from "../../plugins/feature-changes/changes.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { silentLog } from "./memory-scene.ts";

const caller: Caller = endpointRequest().caller;

/**
 * The record of changes on a storage of the test's own, whose methods it may break, with the real door to the
 * files.
 */
export class KeptChanges {
  readonly folder = temporaryFolder("pergola-kept-");
  readonly storage = new MemoryStorage(silentLog);
  readonly blobs = new Map<string, number>();
  /** Called before each; what it throws is what the storage answers. */
  before: { commit?: (writes: readonly Write[]) => void; put?: () => void; get?: () => void } = {};
  now = 1_800_000_000_000;
  readonly #values: Record<string, unknown>;
  readonly #parts: Parts;
  #changes: Changes;

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    const defaults = {
      "changes.max_file_bytes": 1000,
      "changes.max_total_bytes": 1_048_576,
      "changes.retention_days": 30,
    };
    this.#values = { ...defaults, "changes.programs": false, "changes.max_files": 100, ...values };
    const clock = { now: () => this.now };
    const dataDirectory = temporaryFolder();
    const parents: Readonly<Record<string, string>> = { run_c: "run_b", run_b: "run_a" };
    this.#parts = {
      doors: openDoors({ dataDirectory, clock, preference: () => 0 }),
      preferences: { get: (key: string) => this.#values[key] },
      stores: openStores(this.#watched()),
      runs: {
        activeIn: () => undefined,
        workedInElsewhere: async () => new Set<string>(),
        hold: async () => ({ fence: undefined, release: () => undefined }),
        get: async (id: string) => ({ parentRunId: parents[id] ?? null }),
      },
      conversations: { idOf: (id: string) => id },
      clock,
      log: silentLog,
      dataDirectory,
      timestamp: () => new Date(this.now).toISOString(),
      redact: (text: string) => text,
    } as unknown as Parts;
    this.#changes = new Changes(this.#parts);
  }

  get stores(): Parts["stores"] {
    return this.#parts.stores;
  }

  /** As a host that starts on the same data. */
  async restart(): Promise<void> {
    this.#changes.stop();
    this.#changes = new Changes(this.#parts);
    await this.#changes.recover();
  }

  stop(): void {
    this.#changes.stop();
  }

  readonly at = (name: string): string => path.join(this.folder, name);

  readonly put = (name: string, content: string): void => writeFileSync(this.at(name), content);

  readonly text = (name: string): string => readFileSync(this.at(name), "utf8");

  /** The files of a call, as its tool sees them. */
  readonly files = (call: Partial<RecordedCall> = {}): Files => {
    const { signal } = new AbortController();
    const reach = {
      workingDirectory: this.folder,
      paths: [],
      configured: { folders: [], origins: [] },
      reach: "workspace" as const,
      signal,
    };
    const facts = {
      callId: "call_1",
      tool: "t",
      operation: "o",
      effect: "write",
      conversationId: "one",
      personsConversationId: "one",
      lineage: ["run_a"],
    } as const;
    const recorder = this.#changes.recorder({
      ...facts,
      workingDirectory: this.folder,
      paths: [],
      programs: "none",
      ...call,
    }) as CallRecorder;
    return recorder.files(this.#parts.doors.files(reach));
  };

  list(id = "run_a"): Promise<ChangePage> {
    return this.#changes.list({ id }, { limit: 1000, offset: 0 });
  }

  /** What a conversation's list has, its sub-agents' changes among them. */
  listIn(conversationId: string): Promise<ChangePage> {
    return this.#changes.list({ conversationId, includeAgents: true }, { limit: 1000, offset: 0 });
  }

  revert(id = "run_a"): Promise<RevertOutcome> {
    return this.#changes.revert(id, {}, caller);
  }

  async forget(conversationId: string): Promise<void> {
    await this.#parts.stores.commit(await this.#changes.deletionWrites(conversationId));
  }

  #watched(): Storage {
    const { storage } = this;
    const blobs: BlobStore = {
      put: async (id, bytes) => {
        this.before.put?.();
        await storage.blobs.put(id, bytes);
        this.blobs.set(id, bytes.length);
      },
      get: async (id, range) => {
        this.before.get?.();
        return storage.blobs.get(id, range);
      },
      delete: async (id) => (this.blobs.delete(id), storage.blobs.delete(id)),
    };
    const commit = async (writes: readonly Write[]): Promise<void> => {
      this.before.commit?.(writes);
      await storage.commit(writes);
    };
    return Object.assign(Object.create(storage) as Storage, {
      blobs,
      commit,
      collection: storage.collection.bind(storage),
      watch: storage.watch.bind(storage),
    });
  }
}
