import { newId, type Caller, type Files, type Filter, type Write } from "@pergola/sdk";
import { OwnName } from "@pergola/sdk/host";
import type {
  CallRecorder,
  ChangeDiff,
  ChangeKeeper,
  ChangePage,
  DiffRequest,
  Parts,
  PreviewDiff,
  RecordedCall,
  Rehearsal,
  RestoringFiles,
  RevertOutcome,
  RevertRequest,
} from "@pergola/sdk/host";
import { readDiff, readPreviewDiff } from "./change-diff.ts";
import { Contents } from "./contents.ts";
import { fillEarlier } from "./earlier-records.ts";
import { isSame, see } from "./file-states.ts";
import { Journal } from "./journal.ts";
import { Programs } from "./programs/programs.ts";
import { Pruning } from "./pruning.ts";
import { recorderOf } from "./recorder.ts";
import { rehearse } from "./rehearsal.ts";
import { eachOf, names, openRecords, type Owner, type Records, type StoredChange } from "./records.ts";
import { Reverts } from "./reverts.ts";
import { filterIn, ownerOf, publicChange, publicGap, scopeOf } from "./owners.ts";

const mostGaps = 20;

/** What calls have changed in files: recorded as it happens, listed, taken back. */
export class Changes implements ChangeKeeper {
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #contents: Contents;
  readonly #makers: OwnName;
  readonly #journal: Journal;
  readonly #programs: Programs;
  readonly #pruning: Pruning;
  readonly #reverts: Reverts;
  #unwatch: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = openRecords(parts.stores.storage);
    this.#contents = new Contents(parts, this.#records);
    this.#makers = new OwnName(parts, "changes/");
    this.#journal = new Journal(parts, this.#records, this.#contents, this.#makers);
    this.#programs = new Programs(parts, this.#journal);
    this.#pruning = new Pruning(parts, this.#records, this.#contents);
    this.#reverts = new Reverts(parts, this.#journal, () => this.#files());
  }

  async recover(): Promise<void> {
    const { orphans } = this.#records;
    this.#unwatch = this.#parts.stores.storage.watch(names.orphans, ({ id, deleted }) => {
      if (!deleted) void this.#pruning.sweepOrphan(id);
    });
    await fillEarlier(this.#parts, this.#records);
    await this.#contents.recover();
    for (const { id } of await orphans.find({}, { limit: 100_000 })) await this.#pruning.sweepOrphan(id);
    await this.#settleCut();
    this.#makers.watch(() => this.#settleCut());
    await this.#programs.recover();
    this.#pruning.start();
  }

  stop(): void {
    this.#unwatch();
    this.#makers.stop();
    this.#pruning.stop();
  }

  /** Looks at the changes that a stop has cut, of this host or of one that is gone. */
  async #settleCut(): Promise<void> {
    const files = this.#files();
    for (const cut of await this.#records.changes.find({ state: "pending" }, { limit: 100_000 }))
      await this.#journal.settle(cut, files);
  }

  recorder(call: RecordedCall): CallRecorder | undefined {
    if (this.#parts.preferences.get<number>("changes.retention_days") === 0) return undefined;
    const owner = ownerOf(call);
    return recorderOf({
      call,
      owner,
      journal: this.#journal,
      watch: this.#programs.watch(call, owner),
      ended: () => this.#pruning.fit(),
    });
  }

  rehearse(files: Files): Rehearsal {
    const { preferences, clock } = this.#parts;
    return rehearse(files, {
      limit: this.#journal.limit,
      keeps: preferences.get<number>("changes.retention_days") > 0,
      now: () => clock.now(),
      redact: (text) => this.#parts.redact(text),
    });
  }

  async list(
    of: Parameters<ChangeKeeper["list"]>[0],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<ChangePage> {
    const { changes, gaps } = this.#records;
    const filter = await this.#filterOf(of);
    const [found, count, missing] = await Promise.all([
      changes.find(filter, { order: "-seq", limit, offset }),
      changes.count(filter),
      gaps.find(filter, { order: "-seq", limit: mostGaps }),
    ]);
    return { items: (await this.#settled(found)).map(publicChange), count, gaps: missing.map(publicGap) };
  }

  async #filterOf(of: Parameters<ChangeKeeper["list"]>[0]): Promise<Filter<Owner>> {
    if ("id" in of) return scopeOf(this.#parts, this.#records, of);
    return filterIn(this.#parts, this.#parts.conversations.idOf(of.conversationId), of.includeAgents);
  }

  #sources(): Parameters<typeof readDiff>[0] {
    return {
      parts: this.#parts,
      records: this.#records,
      contents: this.#contents,
      files: this.#files(),
      limit: this.#journal.limit,
    };
  }

  diff(id: string, request: DiffRequest, caller: Caller): Promise<ChangeDiff> {
    return readDiff(this.#sources(), id, request, caller);
  }

  previewDiff(approvalId: string, path: string, caller: Caller): Promise<PreviewDiff> {
    return readPreviewDiff(this.#sources(), approvalId, path, caller);
  }

  revert(id: string, request: RevertRequest, caller: Caller): Promise<RevertOutcome> {
    return this.#reverts.revert(id, newId.revert(), request, caller);
  }

  async isOwnWork(path: string, since: number): Promise<boolean> {
    const [last] = await this.#records.changes.find({ path }, { order: "-seq", limit: 1 });
    if (last === undefined || last.byProgram || last.state !== "done" || last.seq < since * 1000)
      return false;
    const { state } = await see(this.#files(), path, this.#journal.limit);
    return state?.kind === "file" && isSame(state, last.after);
  }

  async deletionWrites(conversationId: string): Promise<readonly Write[]> {
    const contents = new Set<string>();
    for await (const { contentId } of eachOf(this.#records.changes, { conversationId }, "seq"))
      if (contentId !== null) contents.add(contentId);
    const forget = [names.changes, names.gaps].map((collection): Write => ({
      collection,
      deleteWhere: { conversationId },
    }));
    if (contents.size === 0) return forget;
    const orphans = { id: conversationId, contents: [...contents] };
    return [...forget, { collection: names.orphans, put: orphans }];
  }

  /** Changes that a stop has cut are looked at anew. */
  async #settled(found: readonly StoredChange[]): Promise<readonly StoredChange[]> {
    const files = this.#files();
    const settle = async (change: StoredChange): Promise<StoredChange | undefined> =>
      change.state === "pending" ? this.#journal.settle(change, files) : change;
    const settled = await Promise.all(found.map(settle));
    return settled.filter((change) => change !== undefined);
  }

  /** All files but the service's own: what is looked at and put back stands in a record. */
  #files(): RestoringFiles {
    const { signal } = new AbortController();
    return this.#parts.doors.files({
      workingDirectory: "/",
      paths: [],
      configured: { folders: [], origins: [] },
      reach: "workspace",
      signal,
    });
  }
}
