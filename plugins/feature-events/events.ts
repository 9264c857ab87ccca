import { AppError, stringOf, type ServerEvent, type Services } from "@pergola/sdk";
import type { EventKeeper, EventRequest, Parts } from "@pergola/sdk/host";
import { Bursts, type Touched } from "./bursts.ts";
import { ChangeLog, type RecordChange } from "./change-log.ts";
import { kinds, sourceOf } from "./kinds.ts";
import { mayRead, RouteReader } from "./route-reader.ts";
import { isRoster, rosterKinds, Rosters, type RosterKind } from "./rosters.ts";

const isFinal = (status: unknown): boolean => ["completed", "failed", "cancelled"].includes(stringOf(status));

/**
 * The changes of records, for all readers. Nothing is watched before the first reader comes; from then on the
 * last changes are kept, so that readers can come back.
 */
export class Events implements EventKeeper {
  readonly #parts: Parts;
  readonly #log = new ChangeLog();
  readonly #rosters = new Rosters();
  readonly #bursts = new Bursts((touched) => this.#publish(touched));
  readonly #stopping = new AbortController();
  /** Hidden conversations whose end is not told either. */
  readonly #hidden = new Set<string>();
  readonly #followed = new Set<string>();
  #services: Services | undefined;
  #unwatch: readonly (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stop(): void {
    for (const end of this.#unwatch) end();
    this.#unwatch = [];
    this.#bursts.stop();
    this.#stopping.abort();
  }

  async *follow(
    { kinds: wanted, after, caller }: EventRequest,
    services: Services,
    leaving: AbortSignal,
  ): AsyncGenerator<ServerEvent> {
    await this.#watch(services);
    const signal = AbortSignal.any([leaving, this.#stopping.signal]);
    const log = this.#log;
    const known = after === undefined ? log.last : log.numberIn(after);
    let at = known ?? log.last;
    const hello = {
      startId: log.startId,
      version: services.system.version,
      caller: { remote: caller.remote, mayAdminister: mayAdminister(caller, services) },
    };
    yield this.#event("hello", at, hello);
    if (known === undefined) yield this.#event("resync", at, {});
    const mayHear = ({ kind }: RecordChange): boolean =>
      (wanted?.includes(kind) ?? true) && mayRead(services, sourceOf(kind).list, caller);
    while (!signal.aborted) {
      const [news, last] = [log.after(at), log.last];
      if (news === undefined) yield this.#event("resync", last, {});
      for (const { number, change } of news ?? [])
        if (mayHear(change)) yield this.#event("change", number, change);
      at = last;
      if (at === log.last) await log.next(signal);
    }
  }

  #event(event: string, number: number, data: object): ServerEvent {
    return { id: this.#log.idOf(number), event, data: JSON.stringify(data) };
  }

  async #watch(services: Services): Promise<void> {
    if (this.#services !== undefined) return;
    this.#services = services;
    const { stores, preferences, models, mcpServers, downloads } = this.#parts;
    this.#unwatch = kinds.flatMap((kind) => {
      const { collection } = sourceOf(kind);
      if (collection === undefined) return [];
      return stores.storage.watch(collection, ({ id, deleted }) => this.#bursts.add({ kind, id, deleted }));
    });
    const look = (kind: RosterKind) => (): void => this.#bursts.add({ kind, id: "", deleted: false });
    models.watchProviders(look("provider"));
    services.system.watchPlugins(look("plugin"));
    mcpServers?.watch(look("mcp_server"));
    preferences.watch(look("provider"));
    // What there is now is no change: it is known before the first reader is greeted.
    const routes = new RouteReader(services);
    await Promise.all(rosterKinds.map((kind) => this.#rosters.changes(kind, routes)));
    for (const { downloadId, status } of (await downloads?.list()) ?? [])
      this.#followDownload(downloadId, status);
  }

  async #publish(touched: readonly Touched[]): Promise<void> {
    if (this.#services === undefined || this.#stopping.signal.aborted) return;
    const routes = new RouteReader(this.#services);
    for (const one of touched) {
      try {
        for (const change of await this.#changesOf(one, routes)) this.#log.add(change);
      } catch (error) {
        this.#parts.log.warn({ error, kind: one.kind, id: one.id }, "a change could not be told");
      }
    }
  }

  async #changesOf(touched: Touched, routes: RouteReader): Promise<readonly RecordChange[]> {
    const { kind, id, deleted } = touched;
    if (isRoster(kind)) return this.#rosters.changes(kind, routes);
    if (deleted && this.#hidden.delete(id)) return [];
    const conversationId = this.#log.conversationOf(touched);
    if (deleted) return [{ kind, op: "delete", id, conversationId, record: null }];
    return this.#putOf(touched, routes);
  }

  async #putOf({ kind, id }: Touched, routes: RouteReader): Promise<readonly RecordChange[]> {
    const { find } = sourceOf(kind);
    const put = { kind, op: "put", id } as const;
    if (find === undefined) return [{ ...put, conversationId: null, record: null }];
    const record = await find(id, routes, this.#parts).catch(isGone);
    if (record === undefined && kind === "conversation") this.#hidden.add(id);
    if (record === undefined) return [];
    this.#hidden.delete(id);
    if (kind === "download") this.#followDownload(id, record["status"]);
    const owner = kind === "conversation" ? id : stringOf(record["conversationId"]);
    return [{ ...put, conversationId: owner || null, record }];
  }

  /** How far a download is stands in no store. */
  #followDownload(id: string, status: unknown): void {
    const { downloads } = this.#parts;
    if (downloads === undefined || isFinal(status) || this.#followed.has(id)) return;
    this.#followed.add(id);
    const follow = async (): Promise<void> => {
      for await (const _ of downloads.watch(id, this.#stopping.signal))
        this.#bursts.add({ kind: "download", id, deleted: false });
    };
    void follow()
      .catch(() => undefined)
      .finally(() => this.#followed.delete(id));
  }
}

function mayAdminister({ remote, scopes }: EventRequest["caller"], { preferences }: Services): boolean {
  return scopes.includes("admin") && (!remote || preferences.get<boolean>("server.remote_admin"));
}

/** Deleted since: that is told by itself. */
function isGone(error: unknown): undefined {
  if (AppError.is(error) && error.status === 404) return undefined;
  throw error;
}
