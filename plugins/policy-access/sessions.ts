import { randomBytes } from "node:crypto";
import type { Collection, Entity } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { millisecondsOf } from "./duration.ts";
import { hashOf, isSameHash } from "./hash.ts";

/** A signed-in browser; its id is the hash of the cookie. */
export interface StoredSession extends Entity {
  readonly keyHash: string;
  /** null: the owner's. */
  readonly tokenId: string | null;
  /** It ends when the token gets another text. */
  readonly tokenHash: string | null;
  readonly endsAt: string;
  /** Written at most once a minute. */
  readonly usedAt: string;
}

export interface NewSession {
  readonly cookie: string;
  readonly key: string;
  readonly expiresAt: string;
}

const longest = 30 * 86_400_000;
const newSecret = (): string => randomBytes(32).toString("base64url");

/** The sessions of browsers. Cookies are shared by all ports of a host, so each needs a key of its page. */
export class Sessions {
  readonly #parts: Parts;
  readonly #records: Collection<StoredSession>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = parts.stores.storage.collection<StoredSession>("policy-access/sessions", {
      indexes: ["tokenId", "endsAt"],
    });
  }

  async open(token: { readonly id: string; readonly hash: string } | null): Promise<NewSession> {
    const [cookie, key] = [newSecret(), newSecret()];
    const session = {
      id: hashOf(cookie),
      keyHash: hashOf(key),
      tokenId: token?.id ?? null,
      tokenHash: token?.hash ?? null,
      endsAt: new Date(this.#parts.clock.now() + longest).toISOString(),
      usedAt: this.#parts.timestamp(),
    };
    await this.#records.put(session);
    await this.#forgetEnded();
    return { cookie, key, expiresAt: this.#endOf(session) };
  }

  /** The session of a cookie, without a look at its key. */
  async ofCookie(cookie: string): Promise<StoredSession | undefined> {
    const found = await this.#records.get(hashOf(cookie));
    if (found === undefined || Date.parse(this.#endOf(found)) <= this.#parts.clock.now()) return undefined;
    return found;
  }

  async find({
    cookie,
    key,
  }: {
    readonly cookie: string;
    readonly key: string;
  }): Promise<StoredSession | undefined> {
    const found = await this.ofCookie(cookie);
    if (found === undefined || !isSameHash(found.keyHash, hashOf(key))) return undefined;
    const now = this.#parts.clock.now();
    if (now - Date.parse(found.usedAt) >= 60_000)
      await this.#records.put({ ...found, usedAt: this.#parts.timestamp() });
    return found;
  }

  async endOf(cookie: string): Promise<string | undefined> {
    const found = await this.ofCookie(cookie);
    return found && this.#endOf(found);
  }

  async close(cookie: string): Promise<void> {
    await this.#records.delete(hashOf(cookie));
  }

  async closeAllOf(tokenId: string): Promise<void> {
    const found = await this.#records.find({ tokenId }, { limit: 10_000 });
    for (const { id } of found) await this.#records.delete(id);
  }

  #endOf({ endsAt, usedAt }: StoredSession): string {
    const idle = millisecondsOf(
      this.#parts.preferences.get<string>("auth.session_idle"),
      "auth.session_idle",
    );
    const end = Math.min(Date.parse(endsAt), Date.parse(usedAt) + idle);
    return new Date(end).toISOString();
  }

  async #forgetEnded(): Promise<void> {
    const now = this.#parts.clock.now();
    const all = await this.#records.find({}, { limit: 1000 });
    for (const session of all)
      if (Date.parse(this.#endOf(session)) <= now) await this.#records.delete(session.id);
  }
}
