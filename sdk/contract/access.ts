import type { Page } from "./page.ts";
import type { Caller, Scope } from "./run.ts";

/** A token as its owner sees it; the text is told once, when it is made. Times are ISO 8601 in UTC. */
export interface TokenRecord {
  /** `tok_` and 12 of `[a-z0-9]`; `settings` for the one of the preference `auth.token`. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The folder that its runs must not leave; null = any. */
  readonly root: string | null;
  readonly createdAt: string;
  /** The id of the caller who made it. */
  readonly createdBy: string;
  /** null = never. */
  readonly expiresAt: string | null;
  /** Written at most once a minute. */
  readonly lastUsedAt: string | null;
  readonly lastAddress: string | null;
  /** The token that a rotation has put in its place. */
  readonly replacedBy: string | null;
}

/** What a new token is to be. */
export interface TokenDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** A duration (`90d`), or null for one that never expires. */
  readonly expiresIn: string | null;
  readonly root: string | null;
}

/** A new token and its text. */
export interface MadeToken {
  readonly token: TokenRecord;
  readonly secret: string;
}

/** A code that opens the page once, without a token being typed. */
export interface SignInCode {
  /** 128 bits; goes behind `#code=` in the address of the page. */
  readonly code: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string;
}

/** A browser that has signed in: the cookie and the page's key are needed together. */
export interface SignedIn {
  readonly cookie: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
}

/** One fact of the audit. */
export interface AuditEntry {
  /** Counts from 1, without a gap. */
  readonly seq: number;
  readonly time: string;
  readonly caller: Pick<Caller, "kind" | "id" | "name"> | null;
  readonly address: string | null;
  /** What was done: `token.add`, `approval.answer`. */
  readonly action: string;
  /** To what. */
  readonly target: string | null;
  readonly outcome: string;
  readonly requestId: string | null;
  /** SHA-256 of the line before, in hexadecimal digits; empty for the first. */
  readonly previous: string;
}

/** Tokens, sessions and the audit, for their routes. */
export interface AccessService {
  /** The oldest first. */
  tokens(): Promise<readonly TokenRecord[]>;
  /** Rejects with `invalid_value`, `insufficient_scope` for more than the caller may, or `id_taken`. */
  addToken(draft: TokenDraft, caller: Caller): Promise<MadeToken>;
  /** Narrows a token. Rejects with `not_found`, `insufficient_scope` for anything wider, or `id_taken`. */
  changeToken(
    id: string,
    changes: Partial<Pick<TokenRecord, "name" | "scopes" | "expiresAt" | "root">>,
    caller: Caller,
  ): Promise<TokenRecord>;
  /** A new text for the same rights; the old one is valid for the overlap, a duration. */
  rotateToken(id: string, overlap: string, caller: Caller): Promise<MadeToken>;
  /** Ends a token, its sessions and its open streams. Its runs go on unless they are to be cancelled. */
  revokeToken(id: string, options: { readonly cancelRuns: boolean }, caller: Caller): Promise<void>;
  /** A code for the owner, valid for 60 seconds, or for the token with this id, valid for 10 minutes. */
  makeCode(subject: "owner" | { readonly tokenId: string }): Promise<SignInCode>;
  /**
   * Signs a browser in, with a code or as a caller whose token was checked. Rejects with `invalid_api_key`,
   * or `rate_limited` after too many wrong ones from the place.
   */
  signIn(by: { readonly code?: string; readonly caller: Caller; readonly place: string }): Promise<SignedIn>;
  /** When the session of a cookie ends; undefined where there is none. */
  sessionEnd(cookie: string): Promise<string | undefined>;
  signOut(cookie: string, caller: Caller): Promise<void>;
  /** Entries after a number, the oldest first. */
  audit(range: { readonly after: number; readonly limit: number }): Promise<Page<AuditEntry>>;
}
