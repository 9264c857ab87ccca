import { randomBytes } from "node:crypto";
import type { FetchLike } from "@modelcontextprotocol/client";
import { defined, messageOf, ToolError, type Caller } from "@pergola/sdk";
import type { ServerSettings } from "../server-settings.ts";
import { shortened } from "../visible.ts";
import { checkWay, isFromIssuer } from "./check-issuer.ts";
import { OAuthClient, type GivenClient } from "./oauth-client.ts";
import { revocationOf, revoke } from "./revoke.ts";
import type { Challenge, SessionStore, StoredPending, StoredSession } from "./session-store.ts";

/** What a sign-in needs of the host; there is none before the host's parts are made. */
export interface SignInHost {
  /** Undefined where no plugin keeps secrets. */
  readonly store: SessionStore | undefined;
  readonly fetch: FetchLike;
  readonly now: () => number;
  /** Where the document lies that says who we are; empty: nowhere. */
  readonly clientMetadataUrl: () => string;
}

/** Who begins a sign-in, and where the browser comes back to. */
export interface SignInStart {
  readonly caller: Caller;
  readonly redirect: string;
}

/** What the browser brings back. */
export interface SignInReturn {
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

interface Pending extends Pick<StoredPending, "state" | "caller" | "challenge" | "expiresAt"> {
  readonly client: OAuthClient;
}

/** Milliseconds: for the person to sign in, and before the end of a token at which it is renewed. */
const [longestSignIn, early] = [10 * 60_000, 60_000];

const loadAuth = () => import("@modelcontextprotocol/client");

const hint =
  "The person can sign in: on the page, MCP servers, Check, Sign in. Go on without this server until then.";

/** The person's sign-in at one MCP server: its tokens, and how they come to be. */
export class SignIn {
  readonly #server: string;
  readonly #settings: ServerSettings;
  #host: SignInHost | undefined;
  #pending: Pending | undefined;
  #challenge: Challenge | undefined;
  #discovery: OAuthClient["discovery"];
  #renewal: Promise<boolean> | undefined;
  #isSignedIn = false;
  /** Why no sign-in has come about; empty while nothing is wrong. */
  fault = "";

  constructor(server: string, settings: ServerSettings) {
    this.#server = server;
    this.#settings = settings;
  }

  /** A server with a token or an Authorization header of its own is asked with that alone. */
  get isPossible(): boolean {
    const { url, token, headers = {} } = this.#settings;
    return (
      url !== undefined &&
      token === undefined &&
      !Object.keys(headers).some((name) => /^authorization$/i.test(name))
    );
  }

  /** The server wants the person to sign in. */
  get isNeeded(): boolean {
    return this.#challenge !== undefined;
  }

  get isSignedIn(): boolean {
    return this.#isSignedIn;
  }

  /** Where the person signs in; null while none is under way. */
  get link(): string | null {
    return this.#livePending()?.client.link ?? null;
  }

  async attach(host: SignInHost): Promise<void> {
    this.#host = host;
    if (!this.isPossible) return;
    const session = await this.#stored().catch(() => undefined);
    this.#isSignedIn = session?.tokens !== undefined;
    if (session?.pending !== undefined) this.#resume(session, session.pending);
  }

  /** Goes on with a sign-in that was under way when the service was stopped. */
  #resume(session: StoredSession, pending: StoredPending): void {
    const { pending: _, ...known } = session;
    const client = this.#client(known, pending.state, true);
    client.resume(pending);
    this.#pending = { ...pending, client };
    this.#challenge = pending.challenge;
  }

  /** The token to send now, renewed if it is about to end; undefined without a sign-in. */
  async token(): Promise<string | undefined> {
    if (!this.isPossible) return undefined;
    const session = await this.#stored();
    const { expiresAt = Infinity, tokens } = session ?? {};
    if (tokens?.refresh_token !== undefined && expiresAt - this.#now() < early) await this.renew();
    return (await this.#stored())?.tokens?.access_token;
  }

  /** Renews the tokens, once for all who wait. False when the person has to sign in again. */
  renew(): Promise<boolean> {
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** The server has taken what it was sent. */
  accepted(): void {
    if (this.#challenge?.isWider !== true) this.#challenge = undefined;
  }

  /** The server wants a sign-in, or a wider one. Gives what a call that needs it fails with. */
  refused(challenge: Challenge): ToolError {
    this.#challenge = challenge;
    return new ToolError("unavailable", "The MCP server asks the person to sign in.", { hint });
  }

  /** Finds out where the person signs in. What goes wrong is `fault`. */
  async begin({ caller, redirect }: SignInStart): Promise<void> {
    this.#pending = undefined;
    this.fault = "";
    const challenge = this.#challenge ?? { metadataUrl: undefined, scope: undefined };
    try {
      checkWay(this.#settings.url ?? "", redirect);
      const store = this.#store();
      const before = await store.read();
      const { pending: _, ...known } = before ?? {};
      const session = {
        ...(before?.redirect === redirect ? known : {}),
        ...this.#place(redirect, challenge),
      };
      const state = randomBytes(24).toString("base64url");
      const client = this.#client(session, state, true);
      await this.#run(client, challenge);
      await this.#keep({ state, client, caller, challenge, expiresAt: this.#now() + longestSignIn });
    } catch (error) {
      this.fault = `No sign-in is possible: ${shortened(messageOf(error), 400)}`;
    }
  }

  /** From now on the person can sign in, even after a restart. */
  async #keep(pending: Pending): Promise<void> {
    const { client, ...rest } = pending;
    const { link, discovery } = client;
    this.#pending = pending;
    if (link === undefined || discovery === undefined) return;
    const verifier = client.codeVerifier();
    await this.#store().change({ pending: { ...rest, link, discovery, verifier } });
  }

  /** Takes the sign-in that has this state out, so that it is used once; undefined for none or an old one. */
  take(state: string): ((answer: SignInReturn) => Promise<void>) | undefined {
    const pending = this.#livePending();
    if (pending === undefined || pending.state !== state) return undefined;
    this.#pending = undefined;
    return async (answer) => {
      try {
        // It counts once, whatever happens next.
        await this.#store().change({ pending: undefined });
        await this.#finish(pending, answer);
      } catch (error) {
        this.fault = `The sign-in did not succeed: ${shortened(messageOf(error), 400)}`;
        throw new Error(this.fault, { cause: error });
      }
    };
  }

  /** Who has begun the sign-in with this state. */
  starterOf(state: string): Caller | undefined {
    const pending = this.#livePending();
    return pending?.state === state ? pending.caller : undefined;
  }

  /**
   * Signs out: the issuer takes the tokens back, where it does that, and they are deleted here with the
   * registration. Resolves with why the issuer has not; undefined where it has, or nothing was to be done.
   */
  async forget(): Promise<string | undefined> {
    const session = await this.#stored().catch(() => undefined);
    const { client_id: id, client_secret: secret } = this.#settings;
    const given = id === undefined ? undefined : { client_id: id, client_secret: secret };
    const fault = session && (await revoke(session, given, this.#reached().fetch).catch(messageOf));
    this.#pending = undefined;
    this.#discovery = undefined;
    this.#isSignedIn = false;
    this.fault = "";
    await this.#host?.store?.delete();
    return fault;
  }

  async #finish(
    { client, challenge }: Pending,
    { code, iss, error, error_description }: SignInReturn,
  ): Promise<void> {
    if (!isFromIssuer(iss, client.discovery))
      throw new Error(
        "The answer does not come from the issuer that was asked. Begin again, and trust nothing of it.",
      );
    if (error === "access_denied") throw new Error("It was denied. Begin again if you want it after all.");
    if (error !== undefined) throw new Error(`${error}. ${error_description ?? ""} Begin again.`);
    if (code === undefined) throw new Error("The answer has no code. Begin again.");
    await this.#run(client, challenge, { code, iss });
    await this.#store().change({ revocation: revocationOf(client.discovery) });
    this.#discovery = client.discovery;
    this.#isSignedIn = true;
    this.#challenge = undefined;
    this.fault = "";
  }

  async #renew(): Promise<boolean> {
    const session = await this.#stored();
    if (session?.tokens?.refresh_token === undefined) return false;
    const client = this.#client(session, "", false);
    client.discovery = this.#discovery;
    const { metadataUrl } = session;
    const outcome = await this.#run(client, { metadataUrl, scope: undefined });
    if (outcome === "AUTHORIZED") {
      this.#discovery = client.discovery;
      return true;
    }
    // What the issuer has refused is deleted; what is still there was not answered at all.
    if ((await this.#stored())?.tokens !== undefined)
      throw new ToolError("unavailable", "The issuer of the MCP server's tokens did not renew them.", {
        hint: "Try again in a minute.",
      });
    this.#isSignedIn = false;
    return false;
  }

  async #run(client: OAuthClient, { metadataUrl, scope }: Challenge, { code, iss }: SignInReturn = {}) {
    const { auth } = await loadAuth();
    return auth(client, {
      serverUrl: this.#settings.url ?? "",
      ...(metadataUrl !== undefined && { resourceMetadataUrl: new URL(metadataUrl) }),
      ...(scope !== undefined && { scope }),
      ...defined({ authorizationCode: code, iss }),
      fetchFn: this.#reached().fetch,
      // `checkIssuer` looks at that, and says what the person can do.
      skipIssuerMetadataValidation: true,
    });
  }

  #client(session: StoredSession, state: string, isNew: boolean): OAuthClient {
    const { client_id: id, client_secret: secret } = this.#settings;
    const given: GivenClient | undefined = id === undefined ? undefined : { id, secret };
    const metadataUrl = this.#reached().clientMetadataUrl();
    const now = (): number => this.#now();
    return new OAuthClient({ store: this.#store(), session, given, metadataUrl, state, now, isNew });
  }

  #place(redirect: string, { metadataUrl }: Challenge) {
    return { url: this.#settings.url ?? "", redirect, ...(metadataUrl !== undefined && { metadataUrl }) };
  }

  #livePending(): Pending | undefined {
    if (this.#pending !== undefined && this.#pending.expiresAt <= this.#now()) this.#pending = undefined;
    return this.#pending;
  }

  #reached(): SignInHost {
    if (this.#host !== undefined) return this.#host;
    throw new ToolError("unavailable", `The service is still starting; "${this.#server}" is asked later.`, {
      hint,
    });
  }

  #store(): SessionStore {
    const { store } = this.#reached();
    if (store !== undefined) return store;
    throw new Error("no plugin keeps secrets; take service-secrets out of `disabled` in the settings.");
  }

  async #stored(): Promise<StoredSession | undefined> {
    return this.#host?.store?.read();
  }

  #now(): number {
    return this.#host?.now() ?? 0;
  }
}
