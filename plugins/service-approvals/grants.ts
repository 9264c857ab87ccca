import path from "node:path";
import {
  AppError,
  defined,
  isBelow,
  newId,
  type AnswerInput,
  type Effect,
  type Grant,
  type Page,
  type PendingCall,
  type Write,
} from "@pergola/sdk";
import type { Parts, StoredApproval } from "@pergola/sdk/host";

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const everyTime: ReadonlySet<Effect> = new Set<Effect>(["execute", "destructive"]);

/** Milliseconds of a duration such as `5m`: a number and s, m, h or d, from 1 s to 30 d. */
export function milliseconds(duration: string): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(duration.trim()) ?? [];
  const value = Number(amount) * (units[unit ?? ""] ?? Number.NaN);
  if (value >= 1000 && value <= 30 * 86_400_000) return value;
  throw new AppError({
    code: "invalid_value",
    message: `"${duration}" is not a duration: a number and s, m, h or d, from 1s to 30d.`,
    param: "expiresIn",
  });
}

const isValid = ({ expiresAt }: Grant, now: string): boolean => expiresAt === null || expiresAt > now;

/** The folders of the files that a call works on; for a permission that a tool asks for, its own paths. */
function coveredBy({ authorizeOperation, paths }: StoredApproval): readonly string[] {
  if (authorizeOperation !== null) return paths;
  return paths.map((file) => path.dirname(file));
}

function usualKind(
  { authorizeOperation, effect }: StoredApproval,
  covered: readonly string[],
): "once" | "time" {
  if (authorizeOperation === null || everyTime.has(effect) || covered.length === 0) return "once";
  return "time";
}

/** Recorded permissions: made by answers, looked at when a call would ask, used up before the effect. */
export class Grants {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The write of the grant that an approving answer gives beyond this one call, if it gives one. */
  fromAnswer(approval: StoredApproval, { grant, expiresIn, paths }: AnswerInput): readonly Write[] {
    const { authorizeOperation: target } = approval;
    const covered = paths ?? coveredBy(approval);
    const kind = grant ?? (expiresIn === undefined ? usualKind(approval, covered) : "time");
    if (kind === "once" && target === null) return [];
    const now = this.#parts.clock.now();
    const put: Grant = {
      id: newId.grant(),
      conversationId: approval.conversationId,
      operation: target ?? `${approval.tool}.${approval.operation}`,
      kind,
      paths: covered,
      createdAt: new Date(now).toISOString(),
      expiresAt: kind === "time" ? new Date(now + this.#lifeOf(expiresIn)).toISOString() : null,
      usesLeft: kind === "once" ? 1 : null,
      approvalId: approval.id,
    };
    return [{ collection: "grants", put }];
  }

  #lifeOf(duration = this.#parts.preferences.get<string>("authorization.grant_duration")): number {
    return milliseconds(duration);
  }

  /** The grant made by an answered approval. */
  async madeBy({ id, conversationId }: StoredApproval): Promise<Grant | undefined> {
    const grants = await this.#parts.stores.grants.find({ conversationId });
    return grants.find(({ approvalId }) => approvalId === id);
  }

  /**
   * The write that uses a fitting grant; undefined when none fits. A grant with paths must cover every path
   * of the call.
   */
  async use(call: PendingCall, conversationId: string): Promise<Write | undefined> {
    const { grants } = this.#parts.stores;
    const now = this.#parts.timestamp();
    const covers = ({ kind, paths }: Grant): boolean =>
      (kind === "once" && paths.length === 0) ||
      call.paths.every(({ real }) => paths.some((folder) => isBelow(folder, real)));
    for (const grant of await grants.find({ conversationId, operation: `${call.tool}.${call.operation}` })) {
      const { version, ...put } = grant;
      if (!isValid(grant, now) || !covers(grant)) continue;
      if (put.usesLeft === null) return { collection: "grants", put, ifVersion: version };
      return { collection: "grants", delete: put.id, ifVersion: version };
    }
    return undefined;
  }

  async list(conversationId?: string): Promise<Page<Grant>> {
    const now = this.#parts.timestamp();
    const found = await this.#parts.stores.grants.find(defined({ conversationId }), { limit: 1_000_000 });
    const items = found.filter((grant) => isValid(grant, now)).map(({ version: _, ...grant }) => grant);
    return { items, count: items.length };
  }

  async revoke(id: string): Promise<void> {
    if (!(await this.#parts.stores.grants.delete(id)))
      throw new AppError({ code: "not_found", message: `There is no grant "${id}".` });
  }
}
