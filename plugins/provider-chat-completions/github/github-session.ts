import {
  type ProviderFailures,
  AppError,
  type DeviceLogin,
  type JsonObject,
  type ProviderDoor,
  type ProviderQuota,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { awaitLogin, readDeviceCode, type DeviceCode } from "./device-flow.ts";
import { githubAddresses, type GithubAddresses } from "./github-addresses.ts";
import type { GithubLogin } from "./github-login.ts";
import { readQuota } from "./read-quota.ts";
import { untilAborted } from "./until-aborted.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the vault keeps: what the login gave, and the short-lived token made of it with the time from which
 * another is due.
 */
interface Kept {
  readonly github?: string;
  readonly service?: string;
  /** Milliseconds since 1970. */
  readonly renewAt?: number;
}

/** Before its end a token is replaced. */
const margin = 300_000;
const quotaLasts = 300_000;
const patience = 30_000;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/**
 * A person's login at GitHub, and the tokens that come of it. They are kept in the vault, and stand in no
 * error and no log.
 */
export class GithubSession {
  readonly #row: GithubLogin;
  readonly #settings: ProviderSettings;
  readonly #door: ProviderDoor;
  readonly #failures: ProviderFailures;
  readonly #addresses: GithubAddresses;
  #kept: Promise<Kept> | undefined;
  #renewal: Promise<string> | undefined;
  #pending: AbortController | undefined;
  #quota: { readonly at: number; readonly quota: ProviderQuota } | undefined;
  /** How the last login ended, when it gave nothing. */
  #refusal: string | undefined;

  constructor(row: GithubLogin, settings: ProviderSettings, door: ProviderDoor, failures: ProviderFailures) {
    this.#row = row;
    this.#settings = settings;
    this.#door = door;
    this.#failures = failures;
    this.#addresses = githubAddresses(settings);
  }

  /**
   * A token that the vendor takes; made anew before it ends, once for all who wait. Rejects with
   * `provider_auth_failed` without a login.
   */
  async token(signal: AbortSignal): Promise<string> {
    const { service, renewAt = 0 } = await this.#read();
    if (service !== undefined && this.#door.clock.now() < renewAt) return service;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return untilAborted(this.#renewal, signal);
  }

  /** The vendor does not take the token: the next call makes another. */
  async refused(token: string): Promise<void> {
    const { github, service } = await this.#read();
    if (service === token) await this.#keep(github === undefined ? {} : { github });
  }

  /** A login that waits is given up for the new one. */
  async login(signal: AbortSignal): Promise<DeviceLogin> {
    this.#pending?.abort();
    const { clientId: client_id, scope } = this.#row;
    const response = await this.#post("/login/device/code", { client_id, scope }, signal);
    if (response.status >= 300) throw await this.#failures.answered(response);
    const code = readDeviceCode(await this.#fields(response));
    if (code === undefined) throw this.#failures.unreadable("did not begin a login");
    this.#failures.hide([code.deviceCode]);
    this.#pending = new AbortController();
    void this.#follow(code, this.#pending.signal);
    return { userCode: code.userCode, verificationUri: code.verificationUri, expiresIn: code.expiresIn };
  }

  async quota({ refresh }: { readonly refresh: boolean }, signal: AbortSignal): Promise<ProviderQuota> {
    const now = this.#door.clock.now();
    if (!refresh && this.#quota !== undefined && now - this.#quota.at < quotaLasts) return this.#quota.quota;
    try {
      const response = await this.#ask(this.#row.quotaPath, signal);
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

  /** Never rejects: what comes of it is seen by the next call. */
  async #follow(code: DeviceCode, signal: AbortSignal): Promise<void> {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const body = { client_id: this.#row.clientId, device_code: code.deviceCode, grant_type };
    const ask = async (): Promise<Fields | undefined> => {
      const response = await this.#post("/login/oauth/access_token", body, signal);
      return response.status >= 500 ? undefined : this.#fields(response);
    };
    const { log, clock } = this.#door;
    const provider = this.#settings.id;
    try {
      const end = await awaitLogin(code, async () => ask().catch(() => undefined), clock, signal);
      this.#refusal = "refusal" in end ? end.refusal : undefined;
      if ("refusal" in end) return log.warn({ provider }, "the device login gave nothing");
      await this.#keep({ github: end.token });
      await this.token(signal);
      log.info({ provider }, "the device login is done");
    } catch (error) {
      if (!signal.aborted) log.warn({ provider, error }, "the device login failed");
    }
  }

  async #renew(): Promise<string> {
    const { github } = await this.#read();
    const response = await this.#ask(this.#row.tokenPath, AbortSignal.timeout(patience));
    const { token: service, expires_at: end, refresh_in: seconds } = await this.#fields(response);
    if (typeof service !== "string" || service === "") throw this.#failures.unreadable("gave no token");
    const now = this.#door.clock.now();
    const renewAt =
      typeof seconds === "number"
        ? now + seconds * 1000
        : typeof end === "number"
          ? end * 1000 - margin
          : now;
    this.#failures.hide([service]);
    if (await this.#isStill(github))
      await this.#keep({ ...(github === undefined ? {} : { github }), service, renewAt });
    return service;
  }

  /** A question to GitHub in the name of who logged in. A login that is not valid any more is forgotten. */
  async #ask(path: string, signal: AbortSignal): Promise<ProviderResponse> {
    const kept = (await this.#read()).github;
    const github = kept ?? this.#settings.apiKey;
    if (github === undefined)
      throw this.#failures.loginMissing(
        this.#refusal ?? "needs a login: POST /api/providers/{id}/login begins one.",
      );
    const headers = { ...this.#row.headers, authorization: `token ${github}` };
    const response = await this.#send(this.#addresses.api + path, { headers, signal });
    if (response.status < 300) return response;
    if (response.status === 401 && (await this.#isStill(kept))) await this.#keep({});
    if (![401, 403, 404].includes(response.status)) throw await this.#failures.answered(response);
    const { message } = this.#failures.read(await response.text().catch(() => ""));
    const isOver = response.status === 401;
    throw this.#failures.loginMissing(
      isOver
        ? "needs a new login: GitHub does not take the last one any more."
        : `has nothing for this account: ${message}`,
    );
  }

  async #post(path: string, body: JsonObject, signal: AbortSignal): Promise<ProviderResponse> {
    const headers = { ...this.#row.headers, "content-type": "application/json" };
    return this.#send(this.#addresses.login + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    });
  }

  async #send(
    url: string,
    init: Parameters<ProviderDoor["fetch"]>[1] & { readonly signal: AbortSignal },
  ): Promise<ProviderResponse> {
    return this.#door.fetch(url, init).catch((error: unknown) => {
      init.signal.throwIfAborted();
      throw this.#failures.broken(error);
    });
  }

  async #fields(response: ProviderResponse): Promise<Fields> {
    const text = await response.text();
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch {
      // Told below, without the text: it may hold a token.
    }
    throw this.#failures.unreadable("answered with something that is not JSON");
  }

  /**
   * False when somebody has logged in anew in the meantime: what was asked for the old login counts no more.
   */
  async #isStill(github: string | undefined): Promise<boolean> {
    return (await this.#read()).github === github;
  }

  async #read(): Promise<Kept> {
    this.#kept ??= this.#door.vault.get().then((kept) => this.#learn((kept ?? {}) as Kept));
    this.#kept.catch(() => (this.#kept = undefined));
    return this.#kept;
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = Promise.resolve(this.#learn(kept));
    this.#quota = undefined;
    await this.#door.vault.put({ ...kept });
  }

  #learn(kept: Kept): Kept {
    this.#failures.hide([kept.github, kept.service].filter((text) => text !== undefined));
    return kept;
  }
}
