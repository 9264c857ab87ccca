import { randomBytes } from "node:crypto";
import type { Clock } from "@pergola/sdk";
import type { SignInCode } from "@pergola/sdk/host";
import { hashOf } from "./hash.ts";

/** Whom a code signs in: the owner, or whoever has a token. */
export type Subject = "owner" | { readonly tokenId: string };

/** Codes that nobody has used wait for no more than this many others. */
const most = 1000;

/** One-time codes for signing a browser in. They live in memory: a restart ends them. */
export class SignInCodes {
  readonly #clock: Clock;
  readonly #open = new Map<string, { readonly subject: Subject; readonly end: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(subject: Subject): SignInCode {
    const code = randomBytes(16).toString("base64url");
    const end = this.#clock.now() + (subject === "owner" ? 60_000 : 600_000);
    const [oldest] = this.#open.keys();
    if (this.#open.size >= most && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(hashOf(code), { subject, end });
    return { code, expiresAt: new Date(end).toISOString() };
  }

  /** Whom the code signs in; it does so once. */
  use(code: string): Subject | undefined {
    const key = hashOf(code);
    const found = this.#open.get(key);
    this.#open.delete(key);
    return found !== undefined && found.end > this.#clock.now() ? found.subject : undefined;
  }
}
