import { isDeepStrictEqual } from "node:util";
import { stringOf, type JsonObject } from "@pergola/sdk";
import type { RecordChange } from "./change-log.ts";
import type { RouteReader } from "./route-reader.ts";

type Roster = ReadonlyMap<string, JsonObject>;

/** The route of a list, the field of its answer, and the field that names a record. */
const lists = {
  provider: ["/api/providers", "providers", "id"],
  plugin: ["/api/plugins", "plugins", "id"],
  mcp_server: ["/api/mcp/servers", "servers", "name"],
} as const;

/** The kinds of records that are known by their lists alone. */
export type RosterKind = keyof typeof lists;

export const rosterKinds = Object.keys(lists) as readonly RosterKind[];
export const isRoster = (kind: string): kind is RosterKind => Object.hasOwn(lists, kind);

/** Lists as they were when they were last looked at, to tell what has changed in them. */
export class Rosters {
  readonly #known = new Map<RosterKind, Roster>();

  /** What has changed since the last look; nothing at the first one, nor where nothing lists them. */
  async changes(kind: RosterKind, routes: RouteReader): Promise<readonly RecordChange[]> {
    const [route, key, idKey] = lists[kind];
    const list = await routes.read(route).catch(() => undefined);
    if (list === undefined) return [];
    const records = list[key] as unknown as readonly JsonObject[];
    const now: Roster = new Map(records.map((record) => [stringOf(record[idKey]), record]));
    const before = this.#known.get(kind) ?? now;
    this.#known.set(kind, now);
    const common = { kind, conversationId: null };
    const put = [...now]
      .filter(([id, record]) => !isDeepStrictEqual(before.get(id), record))
      .map(([id, record]): RecordChange => ({ ...common, op: "put", id, record }));
    const gone = [...before.keys()]
      .filter((id) => !now.has(id))
      .map((id): RecordChange => ({ ...common, op: "delete", id, record: null }));
    return [...put, ...gone];
  }
}
