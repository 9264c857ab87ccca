import {
  AppError,
  defined,
  isObject,
  stringOf,
  type DeviceLogin,
  type JsonObject,
  type ProviderDoor,
  type ProviderFailures,
  type ProviderQuota,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { parseJson, untilAborted, type Fields } from "@pergola/kit-provider";
import { awaitLogin, readDeviceCode, type DeviceCode } from "./device-flow.ts";
import { githubAddresses, type GithubAddresses } from "./github-addresses.ts";
import type { GithubLogin } from "./github-login.ts";
import { readQuota } from "./read-quota.ts";

/** What the vault holds. */
interface Tokens {
  /** From the login. */
  readonly github?: string;
  /** The short-lived token that the vendor's own address takes. */
  readonly service?: string;
  /** When the short-lived one is due to be replaced, in milliseconds since 1970. */
  readonly renewAt?: number;
}

/** Milliseconds before its end at which a token is replaced. */
const margin = 300_000;

/** Milliseconds for which a quota counts as known. */
const quotaLifetime = 300_000;

/** Milliseconds for a token to be renewed. */
const renewalTimeout = 30_000;

function renewTime({ refresh_in: seconds, expires_at: end }: Fields, now: number): number {
  if (typeof seconds === "number") return now + seconds * 1000;
  if (typeof end === "number") return end * 1000 - margin;
  return now;
}

const loginOver = "needs a new login: GitHub does not take the last one any more.";
const loginNeeded = "needs a login: POST /api/providers/{id}/login begins one.";

/** A person's login at GitHub and its tokens, which the vault stores; no error and no log shows them. */
export class GithubSession {
  readonly #login: GithubLogin;
  readonly #settings: ProviderSettings;
  readonly #door: ProviderDoor;
  readonly #failures: ProviderFailures;
  readonly #addresses: GithubAddresses;
  #tokens: Promise<Tokens> | undefined;
  #renewal: Promise<string> | undefined;
  #pending: AbortController | undefined;
  #quota: { readonly at: number; readonly quota: ProviderQuota } | undefined;
  /** Why the last login gave no token. */
  #refusal: string | undefined;

  constructor(
    login: GithubLogin,
    settings: ProviderSettings,
    door: ProviderDoor,
    failures: ProviderFailures,
  ) {
    this.#login = login;
    this.#settings = settings;
    this.#door = door;
    this.#failures = failures;
    this.#addresses = githubAddresses(settings);
  }

  /**
   * A token that the vendor takes; renewed before it ends, once for all who wait. Rejects with
   * `provider_auth_failed` without a login.
   */
  async token(signal: AbortSignal): Promise<string> {
    const { service, renewAt = 0 } = await this.#read();
    if (service !== undefined && this.#door.clock.now() < renewAt) return service;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return untilAborted(this.#renewal, signal);
  }

  /** Sends with a token, and gives the token up where the vendor refuses it: the next call makes another. */
  async authorize<T>(
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const token = await this.token(signal);
    try {
      return await send({ authorization: `Bearer ${token}` });
    } catch (error) {
      if (AppError.is(error) && error.details?.["status"] === 401) await this.#forgetToken(token);
      throw error;
    }
  }

  /** Ends a login that still waits. */
  async login(signal: AbortSignal): Promise<DeviceLogin> {
    this.#pending?.abort();
    const { clientId: client_id, scope } = this.#login;
    const response = await this.#post("/login/device/code", { client_id, scope }, signal);
    if (response.status >= 300) throw await this.#failures.fromResponse(response);
    const code = readDeviceCode(await this.#fields(response));
    if (code === undefined) throw this.#failures.unreadable("did not begin a login");
    this.#failures.hide([code.deviceCode]);
    this.#pending = new AbortController();
    void this.#awaitLogin(code, this.#pending.signal);
    return { userCode: code.userCode, verificationUri: code.verificationUri, expiresIn: code.expiresIn };
  }

  async quota({ refresh }: { readonly refresh: boolean }, signal: AbortSignal): Promise<ProviderQuota> {
    const now = this.#door.clock.now();
    if (!refresh && this.#quota !== undefined && now - this.#quota.at < quotaLifetime)
      return this.#quota.quota;
    try {
      const response = await this.#ask(this.#login.quotaPath, signal);
      const quota = readQuota(this.#settings.type, await this.#fields(response));
      if (quota !== undefined) this.#quota = { at: now, quota };
      return quota ?? { available: false, reason: `${this.#settings.name} tells no quota for this account.` };
    } catch (error) {
      signal.throwIfAborted();
      if (AppError.is(error)) return { available: false, reason: error.message };
      throw error;
    }
  }

  close(): void {
    this.#pending?.abort();
  }

  async #forgetToken(token: string): Promise<void> {
    const { github, service } = await this.#read();
    if (service === token) await this.#store(defined({ github }));
  }

  /** Never rejects: what comes of it is seen by the next call. */
  async #awaitLogin(code: DeviceCode, signal: AbortSignal): Promise<void> {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const body = { client_id: this.#login.clientId, device_code: code.deviceCode, grant_type };
    const ask = async (): Promise<Fields | undefined> => {
      const response = await this.#post("/login/oauth/access_token", body, signal);
      return response.status >= 500 ? undefined : this.#fields(response);
    };
    const { log, clock } = this.#door;
    const provider = this.#settings.id;
    try {
      const end = await awaitLogin(code, () => ask().catch(() => undefined), clock, signal);
      this.#refusal = end.refusal;
      if (end.token === undefined) return log.warn({ provider }, "the device login gave nothing");
      await this.#store({ github: end.token });
      await this.token(signal);
      log.info({ provider }, "the device login is done");
    } catch (error) {
      if (!signal.aborted) log.warn({ provider, error }, "the device login failed");
    }
  }

  async #renew(): Promise<string> {
    const { github } = await this.#read();
    const response = await this.#ask(this.#login.tokenPath, AbortSignal.timeout(renewalTimeout));
    const fields = await this.#fields(response);
    const service = stringOf(fields["token"]);
    if (service === "") throw this.#failures.unreadable("gave no token");
    const renewAt = renewTime(fields, this.#door.clock.now());
    this.#failures.hide([service]);
    if (await this.#isCurrent(github)) await this.#store(defined({ github, service, renewAt }));
    return service;
  }

  /** A request to GitHub in the name of who logged in. A login that is not valid any more is forgotten. */
  async #ask(path: string, signal: AbortSignal): Promise<ProviderResponse> {
    const { github } = await this.#read();
    const token = github ?? this.#settings.apiKey;
    if (token === undefined) throw this.#failures.loginMissing(this.#refusal ?? loginNeeded);
    const headers = { ...this.#login.headers, authorization: `token ${token}` };
    const response = await this.#send(this.#addresses.api + path, { headers, signal });
    if (response.status < 300) return response;
    const isOver = response.status === 401;
    if (isOver && (await this.#isCurrent(github))) await this.#store({});
    if (isOver) throw this.#failures.loginMissing(loginOver);
    if (response.status !== 403 && response.status !== 404) throw await this.#failures.fromResponse(response);
    const { message } = this.#failures.read(await response.text().catch(() => ""));
    throw this.#failures.loginMissing(`has nothing for this account: ${message}`);
  }

  async #post(path: string, body: JsonObject, signal: AbortSignal): Promise<ProviderResponse> {
    const headers = { ...this.#login.headers, "content-type": "application/json" };
    return this.#send(this.#addresses.login + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    });
  }

  async #send(url: string, request: ProviderRequest): Promise<ProviderResponse> {
    return this.#door.fetch(url, request).catch((error: unknown) => {
      request.signal.throwIfAborted();
      throw this.#failures.connectionFailed(error);
    });
  }

  /** The failure does not show the text: it may hold a token. */
  async #fields(response: ProviderResponse): Promise<Fields> {
    const value = parseJson(await response.text());
    if (isObject(value)) return value;
    throw this.#failures.unreadable("answered with something that is not JSON");
  }

  /** False if somebody has logged in anew in the meantime: what the old login gave counts no more. */
  async #isCurrent(github: string | undefined): Promise<boolean> {
    return (await this.#read()).github === github;
  }

  async #read(): Promise<Tokens> {
    this.#tokens ??= this.#door.vault.get().then((tokens = {}) => this.#hideTokens(tokens));
    this.#tokens.catch(() => (this.#tokens = undefined));
    return this.#tokens;
  }

  async #store(tokens: Tokens): Promise<void> {
    this.#tokens = Promise.resolve(this.#hideTokens(tokens));
    this.#quota = undefined;
    await this.#door.vault.put({ ...tokens });
  }

  #hideTokens(tokens: Tokens): Tokens {
    this.#failures.hide([tokens.github, tokens.service].filter((text) => text !== undefined));
    return tokens;
  }
}
