import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { AppError, KeyedQueue, type Caller, type Collection, type Entity } from "@pergola/sdk";
import type { AccessService, MadeToken, Parts, TokenDraft, TokenRecord } from "@pergola/sdk/host";
import { millisecondsOf } from "./duration.ts";
import { hashOf, isSameHash } from "./hash.ts";
import { checkNotWider } from "./rights.ts";

export interface StoredToken extends TokenRecord, Entity {
  readonly hash: string;
}

const day = 86_400_000;
const uuidForm = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const textForm = new RegExp(`^${uuidForm}-${uuidForm}$`, "i");
const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
/** The id of the token of the preference `auth.token`. */
export const settingsId = "settings";

const newTokenId = (): string =>
  `tok_${Array.from(randomBytes(12), (byte) => letters[byte % letters.length]).join("")}`;

const setElsewhere = (): AppError =>
  new AppError({
    code: "set_elsewhere",
    message: "This token is the preference auth.token; change or remove it there.",
  });

type Changes = Parameters<AccessService["changeToken"]>[1];

const publicToken = ({ hash: _hash, ...token }: StoredToken & { readonly version?: number }): TokenRecord => {
  const { version: _version, ...rest } = token;
  return rest;
};

/** The records of tokens. Their texts are told once; what is stored finds them, and does not tell them. */
export class Tokens {
  readonly #parts: Parts;
  readonly #records: Collection<StoredToken>;
  /** Changes of tokens, one after the other, so that no name is given twice. */
  readonly #turns = new KeyedQueue();
  /** Of the token in the settings, which has no record. */
  #settingsUse: Pick<TokenRecord, "lastUsedAt" | "lastAddress"> = { lastUsedAt: null, lastAddress: null };

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = parts.stores.storage.collection<StoredToken>("policy-access/tokens", {
      indexes: ["hash", "name", "createdAt"],
    });
  }

  async list(): Promise<readonly TokenRecord[]> {
    const stored = await this.#records.find({}, { limit: 10_000 });
    const tokens = stored.map(publicToken).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    const own = this.#ofSettings();
    return own === undefined ? tokens : [...tokens, publicToken(own)];
  }

  async hasValid(): Promise<boolean> {
    const all = await this.list();
    return all.some((token) => this.#isValid(token));
  }

  /** The valid token with this text. */
  async find(text: string): Promise<StoredToken | undefined> {
    const hash = hashOf(text);
    const own = this.#ofSettings();
    if (own !== undefined && isSameHash(own.hash, hash)) return own;
    if (!textForm.test(text)) return undefined;
    const [found] = await this.#records.find({ hash }, { limit: 1 });
    if (found === undefined || !isSameHash(found.hash, hash) || !this.#isValid(found)) return undefined;
    return found;
  }

  /** The valid token with this id. */
  async get(id: string): Promise<StoredToken | undefined> {
    const found = id === settingsId ? this.#ofSettings() : await this.#records.get(id);
    return found !== undefined && this.#isValid(found) ? found : undefined;
  }

  async named(name: string): Promise<StoredToken | undefined> {
    const found = await this.#records.find({ name }, { limit: 100 });
    return found.find(({ replacedBy }) => replacedBy === null);
  }

  /** Notes the use of a token, at most once a minute. */
  async noteUse(token: StoredToken, address: string): Promise<void> {
    const now = this.#parts.clock.now();
    const { lastUsedAt } = token;
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < 60_000) return;
    const use = { lastUsedAt: this.#parts.timestamp(), lastAddress: address };
    if (token.id === settingsId) this.#settingsUse = use;
    else
      await this.#turns.run("change", async () => {
        const current = await this.#records.get(token.id);
        if (current !== undefined) await this.#records.put({ ...current, ...use });
      });
  }

  /** `allowed` is called when nothing is wrong with the draft, before the token is made. */
  add(draft: TokenDraft, caller: Caller, allowed: (id: string) => void): Promise<MadeToken> {
    return this.#turns.run("change", async () => {
      const { name, scopes, expiresIn, root } = checkedDraft(draft);
      checkNotWider({ scopes, root }, caller);
      await this.#checkFree(name);
      const span = expiresIn === null ? null : millisecondsOf(expiresIn, "expiresIn", 3650 * day);
      return this.#make({ name, scopes, root }, span, caller, allowed);
    });
  }

  change(id: string, changes: Changes, caller: Caller, allowed: () => void): Promise<TokenRecord> {
    return this.#turns.run("change", async () => {
      const token = await this.#known(id);
      const changed = { ...token, ...changes, ...(changes.root && { root: path.resolve(changes.root) }) };
      checkNotWider(changed, token);
      checkNotWider(token, caller);
      checkEarlier(changed.expiresAt, token.expiresAt);
      if (changed.name !== token.name) await this.#checkFree(checkedName(changed.name));
      allowed();
      await this.#records.put(changed);
      return publicToken(changed);
    });
  }

  rotate(
    id: string,
    overlap: string,
    caller: Caller,
    allowed: (id: string, name: string) => void,
  ): Promise<MadeToken> {
    return this.#turns.run("change", async () => {
      const old = await this.#known(id);
      const room = millisecondsOf(overlap, "overlap", 30 * day);
      checkNotWider(old, caller);
      const { expiresAt, createdAt } = old;
      const span = expiresAt === null ? null : Date.parse(expiresAt) - Date.parse(createdAt);
      const made = await this.#make(old, span, caller, allowed);
      const end = Math.min(
        this.#parts.clock.now() + room,
        expiresAt === null ? Infinity : Date.parse(expiresAt),
      );
      await this.#records.put({ ...old, replacedBy: made.token.id, expiresAt: new Date(end).toISOString() });
      return made;
    });
  }

  remove(id: string, allowed: (name: string) => void): Promise<void> {
    return this.#turns.run("change", async () => {
      const { name } = await this.#known(id);
      allowed(name);
      await this.#records.delete(id);
    });
  }

  async #make(
    { name, scopes, root }: Pick<TokenRecord, "name" | "scopes" | "root">,
    span: number | null,
    caller: Caller,
    allowed: (id: string, name: string) => void,
  ): Promise<MadeToken> {
    const secret = `${randomUUID()}-${randomUUID()}`;
    const token: TokenRecord = {
      id: newTokenId(),
      name,
      scopes,
      root,
      createdAt: this.#parts.timestamp(),
      createdBy: caller.id,
      expiresAt: span === null ? null : new Date(this.#parts.clock.now() + span).toISOString(),
      lastUsedAt: null,
      lastAddress: null,
      replacedBy: null,
    };
    allowed(token.id, name);
    await this.#records.put({ ...token, hash: hashOf(secret) });
    return { token, secret };
  }

  async #known(id: string): Promise<StoredToken> {
    if (id === settingsId) throw setElsewhere();
    const found = await this.#records.get(id);
    if (found !== undefined) return found;
    throw new AppError({ code: "not_found", message: `There is no token "${id}".` });
  }

  async #checkFree(name: string): Promise<void> {
    if ((await this.named(name)) === undefined) return;
    const message = `There is a token "${name}" already. Choose another name, or revoke that one.`;
    throw new AppError({ code: "id_taken", message, param: "name" });
  }

  #isValid({ expiresAt }: TokenRecord): boolean {
    return expiresAt === null || Date.parse(expiresAt) > this.#parts.clock.now();
  }

  /** The token of the preference `auth.token`, with all scopes. */
  #ofSettings(): StoredToken | undefined {
    const text = this.#parts.preferences.get<string>("auth.token");
    if (text === "") return undefined;
    return {
      id: settingsId,
      name: settingsId,
      scopes: ["read", "chat", "tools", "approve", "admin"],
      root: null,
      createdAt: "1970-01-01T00:00:00.000Z",
      createdBy: settingsId,
      expiresAt: null,
      replacedBy: null,
      ...this.#settingsUse,
      hash: hashOf(text),
    };
  }
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (/^[^\p{C}]{1,60}$/u.test(trimmed)) return trimmed;
  const message = "A token's name has 1 to 60 characters, and no control characters.";
  throw new AppError({ code: "invalid_value", message, param: "name" });
}

function checkedDraft({ name, root, scopes, ...rest }: TokenDraft): TokenDraft {
  if (root !== null && !path.isAbsolute(root))
    throw new AppError({ code: "invalid_value", message: "root must be an absolute path.", param: "root" });
  const folder = root === null ? null : path.resolve(root);
  return { ...rest, name: checkedName(name), scopes: [...new Set(scopes)], root: folder };
}

function checkEarlier(wanted: string | null, now: string | null): void {
  if (wanted === now) return;
  if (wanted !== null && (now === null || wanted < now)) return;
  const message = "A token can only be made to end earlier. Make a new one that lasts longer.";
  throw new AppError({ code: "insufficient_scope", message, details: { scope: "admin" } });
}
