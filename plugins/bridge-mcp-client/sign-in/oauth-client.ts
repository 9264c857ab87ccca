import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { checkIssuer, isPrivateWay } from "./check-issuer.ts";
import type { SessionStore, StoredPending, StoredSession } from "./session-store.ts";

/** A client that the person has registered by hand. */
export interface GivenClient {
  readonly id: string;
  readonly secret: string | undefined;
}

interface ClientOptions {
  readonly store: SessionStore;
  /** What is stored so far. */
  readonly session: StoredSession;
  readonly given: GivenClient | undefined;
  /** Of the document that says who we are, for issuers that take one; empty: there is none. */
  readonly metadataUrl: string;
  /** What a new sign-in is recognized by. */
  readonly state: string;
  readonly now: () => number;
  /** Whether the person signs in anew, whatever tokens there are. */
  readonly isNew: boolean;
}

/** What the protocol's package asks of us during one sign-in, or one renewal of tokens. */
export class OAuthClient implements OAuthClientProvider {
  /** Where the person signs in; undefined until the package has found it. */
  link: string | undefined;
  discovery: OAuthDiscoveryState | undefined;
  readonly #options: ClientOptions;
  #session: StoredSession;
  #verifier = "";

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#session = options.session;
  }

  get redirectUrl(): string {
    return this.#session.redirect;
  }

  /** The client's id where the issuer reads it; else the client is registered. */
  get clientMetadataUrl(): string | undefined {
    return this.#options.metadataUrl || undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Pergola",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#options.state;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    const { given } = this.#options;
    const { client } = this.#session;
    if (given === undefined) return client;
    const issuer = client?.client_id === given.id ? client.issuer : undefined;
    const secret = given.secret === undefined ? {} : { client_secret: given.secret };
    return { client_id: given.id, ...secret, ...(issuer !== undefined && { issuer }) };
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    const { given } = this.#options;
    if (given !== undefined && given.id !== client.client_id)
      throw new Error(
        "It names another issuer than client_id was used with. Sign out first if that is right.",
      );
    // A given secret stays where the person has put it.
    const { client_id, issuer } = client;
    await this.#save({ client: given === undefined ? client : { client_id, ...(issuer && { issuer }) } });
  }

  tokens(): OAuthTokens | undefined {
    return this.#options.isNew ? undefined : this.#session.tokens;
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    const { expiresAt: _, ...session } = this.#session;
    const seconds = tokens.expires_in;
    const expiry = seconds === undefined ? {} : { expiresAt: this.#options.now() + seconds * 1000 };
    this.#session = session;
    await this.#save({ tokens, ...expiry });
  }

  /** Goes on with a sign-in that was begun before. */
  resume({ link, verifier, discovery }: Pick<StoredPending, "link" | "verifier" | "discovery">): void {
    this.link = link;
    this.#verifier = verifier;
    this.discovery = discovery;
  }

  redirectToAuthorization(url: URL): void {
    if (!isPrivateWay(url)) throw new Error("Its page for signing in has no https address.");
    this.link = url.href;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    checkIssuer(state);
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  async invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (what === "all" || what === "discovery") this.discovery = undefined;
    const { client, tokens, expiresAt: _, ...rest } = this.#session;
    if (what === "all") this.#session = rest;
    if (what === "tokens") this.#session = { ...rest, ...(client && { client }) };
    if (what === "client") this.#session = { ...rest, ...(tokens && { tokens }) };
    await this.#save({});
  }

  async #save(change: Partial<StoredSession>): Promise<void> {
    this.#session = { ...this.#session, ...change };
    await this.#options.store.write(this.#session);
  }
}
