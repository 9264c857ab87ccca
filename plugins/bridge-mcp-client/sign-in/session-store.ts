import type {
  OAuthClientInformationMixed,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { defined, isObject, type Caller } from "@pergola/sdk";
import type { SecretKeeper } from "@pergola/sdk/host";

/** What is stored of a sign-in. Client and tokens name the issuer they are for, and go to no other. */
export interface StoredSession {
  /** The server they are for. */
  readonly url: string;
  /** Where the client is registered to return to. */
  readonly redirect: string;
  /** Where the server says who issues its tokens, if it has named the place. */
  readonly metadataUrl?: string;
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  /** Milliseconds since 1970; absent where the issuer does not say. */
  readonly expiresAt?: number;
  /** Where the issuer takes tokens back, if it does. */
  readonly revocation?: Revocation;
  /** The sign-in that is under way. */
  readonly pending?: StoredPending;
}

/** How tokens are given back (RFC 7009). */
export interface Revocation {
  readonly url: string;
  /** The client's secret is sent in a header, not in the body. */
  readonly isBasic: boolean;
}

/** A sign-in that the person has begun. */
export interface StoredPending {
  readonly state: string;
  /** Where the person signs in. */
  readonly link: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly discovery: OAuthDiscoveryState;
  readonly challenge: Challenge;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a server has said when it refused a request. */
export interface Challenge {
  readonly metadataUrl: string | undefined;
  /** What a wider token has to allow. */
  readonly scope: string | undefined;
  /** There is a token, and it does not allow enough. */
  readonly isWider?: boolean;
}

interface Place {
  readonly name: string;
  readonly url: string;
}

/** Under which name the session of a server is stored. */
export const sessionName = (server: string): string => `mcp.${server}.oauth`;

/** The session of one server, with the keeper of secrets. */
export class SessionStore {
  readonly #name: string;
  readonly #url: string;
  readonly #secrets: SecretKeeper;
  readonly #learn: (values: Iterable<string>) => void;
  #session: Promise<StoredSession | undefined> | undefined;

  constructor(server: Place, secrets: SecretKeeper, learn: (values: Iterable<string>) => void) {
    this.#name = sessionName(server.name);
    this.#url = server.url;
    this.#secrets = secrets;
    this.#learn = learn;
  }

  /** Undefined without a sign-in. One for another address is deleted. Rejects with `storage_unavailable`. */
  read(): Promise<StoredSession | undefined> {
    this.#session ??= this.#load().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  /** The tokens are hidden in all texts from now on. */
  async write(session: StoredSession): Promise<void> {
    this.#hide(session);
    await this.#secrets.set(this.#name, JSON.stringify(session));
    this.#session = Promise.resolve(session);
  }

  /** Changes what is stored, if anything is; what is undefined goes. */
  async change(change: {
    readonly [K in keyof StoredSession]?: StoredSession[K] | undefined;
  }): Promise<void> {
    const session = await this.read();
    if (session !== undefined) await this.write(defined({ ...session, ...change }));
  }

  /** False when there was nothing. */
  async delete(): Promise<boolean> {
    this.#session = Promise.resolve(undefined);
    return this.#secrets.delete(this.#name);
  }

  async #load(): Promise<StoredSession | undefined> {
    const text = await this.#secrets.get(this.#name);
    if (text === undefined) return undefined;
    const session = JSON.parse(text) as unknown;
    if (isObject(session) && session["url"] === this.#url) {
      this.#hide(session as unknown as StoredSession);
      return session as unknown as StoredSession;
    }
    await this.#secrets.delete(this.#name);
    return undefined;
  }

  #hide({ client, tokens }: StoredSession): void {
    const values = [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
    this.#learn(values.filter((value) => value !== undefined));
  }
}
