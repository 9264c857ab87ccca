import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { isObject } from "@pergola/sdk";
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
