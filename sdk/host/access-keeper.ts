import type { AccessService, AuditEntry, MadeToken } from "../contract/access.ts";
import type { AppError } from "../contract/errors.ts";
import type { Caller } from "../contract/run.ts";

/** What a limited caller has left, of its tighter limit. Seconds and requests, whole. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  /** Why this request goes too far. */
  readonly refusal?: AppError;
}

/** A fact for the audit; what is left out is null there. */
export type AuditFact = Pick<AuditEntry, "action" | "outcome"> &
  Partial<Pick<AuditEntry, "target" | "address" | "requestId">> & { readonly caller?: Caller };

/** A request that was refused at the door. */
export interface Refusal {
  readonly place: string;
  readonly address: string;
  readonly caller?: Caller;
  readonly method: string;
  /** Without the query, which may hold what nobody is to read. */
  readonly path: string;
  readonly code: string;
  readonly requestId: string;
}

/** Who may use the service, as the door, the command line and the first start ask for it. */
export interface AccessKeeper extends AccessService {
  /** Whether there is any token that is valid now. */
  hasToken(): Promise<boolean>;
  /**
   * Makes the token of the first start with remote access: name `first`, all scopes but admin. The text is
   * told here and nowhere else.
   */
  addFirstToken(): Promise<MadeToken>;
  /** Whether the token of the first start was used, or is gone. */
  isFirstTokenUsed(): Promise<boolean>;
  /** Counts a request of a token or a session; undefined where nothing is limited. */
  limit(caller: Caller, place: string): Promise<LimitState | undefined>;
  /**
   * Counts a request from a place that needed a valid credential and brought none that any plugin knows.
   * Throws `rate_limited` once there were too many.
   */
  countFailure(place: string): Promise<void>;
  /**
   * Counts a run of the caller's until the function that it gives is called. Rejects with `rate_limited`
   * where the caller has as many as it may have.
   */
  beginRun(caller: Caller): Promise<() => void>;
  /** Writes a fact down. Throws `storage_unavailable` where that fails: for what must not happen unseen. */
  record(fact: AuditFact): void;
  /** Writes a fact down that happens anyway. Never throws. */
  note(fact: AuditFact): void;
  /** Writes a refusal down, folded with others of its place and minute. Never throws. */
  noteRefusal(refusal: Refusal): void;
  /** Tells when a token has ended, by its id, so that what is open for it can be closed. */
  watchEnds(ended: (tokenId: string) => void): void;
}
