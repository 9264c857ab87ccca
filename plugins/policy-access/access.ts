import { AppError, type Caller, type DoorRequest, type Page, type ToolCallSummary } from "@pergola/sdk";
import {
  type AccessKeeper,
  type AccessService,
  type AuditEntry,
  type AuditFact,
  type LimitState,
  type MadeToken,
  type PartLife,
  type Parts,
  type Refusal,
  type SignedIn,
  type SignInCode,
  type TokenDraft,
  type TokenRecord,
} from "@pergola/sdk/host";
import { callFact } from "./call-fact.ts";
import { AuditLog } from "./audit-log.ts";
import { SignInCodes, type Subject } from "./codes.ts";
import { millisecondsOf } from "./duration.ts";
import { Limits } from "./limits.ts";
import { Refusals } from "./refusals.ts";
import { callerOf, checkNotWider } from "./rights.ts";
import { Sessions } from "./sessions.ts";
import { settingsId, Tokens, type StoredToken } from "./tokens.ts";

const allScopes = ["read", "chat", "tools", "approve", "admin"] as const;
const firstName = "first";
/** Milliseconds for the answer to who revokes the token that they come with. */
const answerTime = 200;

/** Where a caller gets another code. */
function unknownCode({ remote }: Caller): AppError {
  const command = remote ? "`pergola tokens add <name> --link` on the service's computer" : "`pergola open`";
  const remedy = `Get a new one with ${command}, or sign in with a token.`;
  const message = `This code is wrong, used or too old. ${remedy}`;
  return new AppError({ code: "invalid_api_key", message });
}

const ownerAt = (address: string): Caller => ({
  kind: "owner",
  id: address,
  name: "owner",
  remote: false,
  scopes: allScopes,
  root: null,
});

/** Who may use the service: tokens, sessions, limits, and the audit of what they did. */
export class Access implements AccessKeeper, PartLife {
  readonly #parts: Parts;
  readonly #tokens: Tokens;
  readonly #sessions: Sessions;
  readonly #codes: SignInCodes;
  readonly #limits: Limits;
  readonly #audit: AuditLog;
  readonly #refusals: Refusals;
  readonly #ended: ((tokenId: string) => void)[] = [];
  /** When the tokens end that were used since the start, in milliseconds. */
  readonly #ends = new Map<string, number>();
  #clock: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tokens = new Tokens(parts);
    this.#sessions = new Sessions(parts);
    this.#codes = new SignInCodes(parts.clock);
    this.#limits = new Limits(parts);
    this.#audit = new AuditLog(parts);
    this.#refusals = new Refusals(parts.clock, (fact) => this.#audit.note(fact));
  }

  recover(): void {
    this.#parts.preferences.guard((values, caller) => {
      checkIdle(values["auth.session_idle"]);
      // The token of the settings may do everything.
      if ("auth.token" in values) checkNotWider({ scopes: allScopes, root: null }, caller);
      this.#recordPreferences(Object.keys(values), caller);
    });
    this.#parts.preferences.watch((keys) => {
      if (keys.includes("auth.token")) this.#end(settingsId);
    });
    this.#audit.note({ action: "start", outcome: this.#parts.version });
    this.#clock = setInterval(() => this.#tick(), 500).unref();
  }

  stop(): void {
    if (this.#clock === undefined) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#refusals.flush(true);
    this.#audit.note({ action: "stop", outcome: "done" });
  }

  /** Who brings a valid token or session. */
  async identify({ token, session, address, local }: DoorRequest): Promise<Caller | undefined> {
    if (token !== undefined) {
      const found = await this.#tokens.find(token);
      return found && this.#used(found, "token", address, local);
    }
    if (session === undefined) return undefined;
    const found = await this.#sessions.find(session);
    if (found === undefined) return undefined;
    if (found.tokenId === null) return local ? ownerAt(address) : undefined;
    const behind = await this.#tokens.get(found.tokenId);
    if (behind === undefined || behind.hash !== found.tokenHash) return undefined;
    return this.#used(behind, "session", address, local);
  }

  async #used(
    token: StoredToken,
    kind: "token" | "session",
    address: string,
    local: boolean,
  ): Promise<Caller> {
    await this.#tokens.noteUse(token, address).catch((error: unknown) => {
      this.#parts.log.warn({ error, token: token.id }, "the use of a token could not be stored");
    });
    if (token.expiresAt !== null) this.#ends.set(token.id, Date.parse(token.expiresAt));
    return callerOf(token, kind, local);
  }

  countFailure(place: string): Promise<void> {
    return this.#limits.fail(place);
  }

  limit({ id }: Caller, place: string): Promise<LimitState> {
    return this.#limits.take(`${id} ${place}`);
  }

  async beginRun({ kind, id }: Caller): Promise<() => void> {
    if (kind === "owner") return () => undefined;
    return this.#limits.beginRun(id);
  }

  tokens(): Promise<readonly TokenRecord[]> {
    return this.#tokens.list();
  }

  addToken(draft: TokenDraft, caller: Caller): Promise<MadeToken> {
    const { name, scopes } = draft;
    return this.#tokens.add(draft, caller, (id) =>
      this.record({
        action: "token.add",
        target: `${id} ${name} ${scopes.join(",")}`,
        outcome: "done",
        caller,
      }),
    );
  }

  async changeToken(
    id: string,
    changes: Parameters<AccessService["changeToken"]>[1],
    caller: Caller,
  ): Promise<TokenRecord> {
    const target = `${id} ${Object.keys(changes).join(",")}`;
    const changed = await this.#tokens.change(id, changes, caller, () =>
      this.record({ action: "token.change", target, outcome: "done", caller }),
    );
    if (changed.expiresAt !== null) this.#ends.set(id, Date.parse(changed.expiresAt));
    return changed;
  }

  async rotateToken(id: string, overlap: string, caller: Caller): Promise<MadeToken> {
    const made = await this.#tokens.rotate(id, overlap, caller, (newId, name) =>
      this.record({ action: "token.rotate", target: `${id} ${newId} ${name}`, outcome: "done", caller }),
    );
    const old = (await this.#tokens.list()).find((token) => token.id === id);
    this.#ends.set(id, Date.parse(old?.expiresAt ?? this.#parts.timestamp()));
    return made;
  }

  async revokeToken(
    id: string,
    { cancelRuns }: { readonly cancelRuns: boolean },
    caller: Caller,
  ): Promise<void> {
    await this.#tokens.remove(id, (name) =>
      this.record({ action: "token.revoke", target: `${id} ${name}`, outcome: "done", caller }),
    );
    await this.#sessions.closeAllOf(id);
    setTimeout(() => this.#end(id), answerTime).unref();
    if (!cancelRuns) return;
    for (const run of this.#parts.runs.activeOf(id))
      await this.#parts.runs.cancel(run.id).catch(() => undefined);
  }

  #end(id: string): void {
    this.#ends.delete(id);
    for (const ended of this.#ended) ended(id);
  }

  async makeCode(subject: Subject): Promise<SignInCode> {
    if (subject !== "owner" && (await this.#tokens.get(subject.tokenId)) === undefined)
      throw new AppError({ code: "not_found", message: `There is no valid token "${subject.tokenId}".` });
    return this.#codes.make(subject);
  }

  async signIn({ code, caller, place }: Parameters<AccessService["signIn"]>[0]): Promise<SignedIn> {
    const subject = code === undefined ? subjectOf(caller) : this.#codes.use(code);
    const token =
      subject === undefined || subject === "owner" ? null : await this.#tokens.get(subject.tokenId);
    const isRemoteOwner = subject === "owner" && caller.remote;
    if (subject === undefined || token === undefined || isRemoteOwner) {
      await this.#limits.fail(place);
      throw unknownCode(caller);
    }
    const session = await this.#sessions.open(token);
    const who = token === null ? ownerAt(caller.id) : callerOf(token, "session", !caller.remote);
    if (token !== null) await this.#tokens.noteUse(token, place);
    this.#audit.note({ action: "session.sign_in", outcome: "done", caller: who, address: place });
    return { ...session, scopes: who.scopes };
  }

  sessionEnd(cookie: string): Promise<string | undefined> {
    return this.#sessions.endOf(cookie);
  }

  async signOut(cookie: string, caller: Caller): Promise<void> {
    await this.#sessions.close(cookie);
    this.#audit.note({ action: "session.sign_out", outcome: "done", caller });
  }

  audit(range: { readonly after: number; readonly limit: number }): Promise<Page<AuditEntry>> {
    return this.#audit.read(range);
  }

  hasToken(): Promise<boolean> {
    return this.#tokens.hasValid();
  }

  async addFirstToken(): Promise<MadeToken> {
    const draft = {
      name: firstName,
      scopes: ["read", "chat", "tools", "approve"],
      expiresIn: "90d",
      root: null,
    } as const;
    return this.addToken(draft, ownerAt("start"));
  }

  async isFirstTokenUsed(): Promise<boolean> {
    const first = await this.#tokens.named(firstName);
    return first === undefined || first.lastUsedAt !== null;
  }

  record(fact: AuditFact): void {
    this.#audit.record(fact);
  }

  note(fact: AuditFact): void {
    this.#audit.note(fact);
  }

  noteRefusal(refusal: Refusal): void {
    this.#refusals.add(refusal);
  }

  watchEnds(ended: (tokenId: string) => void): void {
    this.#ended.push(ended);
  }

  async noteCall(summary: ToolCallSummary): Promise<void> {
    const fact = await callFact(summary, this.#parts);
    if (fact !== undefined) this.#audit.note(fact);
  }

  /** Changes of protected preferences, by their keys; a value may be a secret. */
  #recordPreferences(keys: readonly string[], caller: Caller): void {
    const isProtected = new Set(
      this.#parts.preferences
        .list()
        .flatMap(({ key, schema }) => (schema["x-protected"] === true ? key : [])),
    );
    const changed = keys.filter((key) => isProtected.has(key));
    if (changed.length === 0) return;
    this.record({ action: "preference.change", target: changed.join(","), outcome: "done", caller });
  }

  #tick(): void {
    this.#refusals.flush();
    const now = this.#parts.clock.now();
    for (const [id, end] of this.#ends) if (end <= now) this.#end(id);
  }
}

/** Throws `out_of_range` for a session that would end while it is used, or hardly ever. */
function checkIdle(value: unknown): void {
  if (typeof value !== "string") return;
  const idle = millisecondsOf(value, "auth.session_idle");
  if (idle >= 5 * 60_000 && idle <= 30 * 86_400_000) return;
  const message = "auth.session_idle must be from 5m to 30d.";
  throw new AppError({ code: "out_of_range", message, param: "auth.session_idle" });
}

/** Whom a caller without a code may be signed in as. */
function subjectOf({ kind, id }: Caller): Subject | undefined {
  return kind === "token" ? { tokenId: id } : undefined;
}
