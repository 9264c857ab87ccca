import { randomBytes } from "node:crypto";
import { AppError, type Caller, type JsonObject } from "@pergola/sdk";
import type { McpServerChange, Parts } from "@pergola/sdk/host";
import { changedEntry, secretsIn, type SecretNames } from "./server-entry.ts";
import { faultOf, type ServerSettings } from "./server-settings.ts";

export const settingKey = "mcp.servers";

/** By name; secrets are in clear. */
export type Settings = Readonly<Record<string, ServerSettings>>;

const nothing: SecretNames = new Map();

/** The entries of `mcp.servers`: stored as a preference, their secrets with the keeper of secrets. */
export class StoredServers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get settings(): Settings {
    return this.#parts.preferences.get(settingKey) as unknown as Settings;
  }

  /** Whether something that is stronger than the store sets them. */
  get isFixed(): boolean {
    const { from } = this.#parts.preferences.list().find(({ key }) => key === settingKey) ?? {};
    return from !== "stored" && from !== "default";
  }

  /** Adds or changes an entry. Rejects with `set_elsewhere` or `invalid_value`. */
  async put(name: string, change: McpServerChange, caller: Caller): Promise<void> {
    this.#checkFree();
    const before = (this.settings[name] ?? {}) as JsonObject;
    const message = faultOf(changedEntry(before, change, nothing));
    if (message !== undefined) throw new AppError({ code: "invalid_value", message });
    const secrets = secretsIn(change);
    this.#parts.learnSecrets(secrets);
    const names = await this.#keep(name, secrets);
    try {
      await this.#update(name, caller, (entries) => ({
        ...entries,
        [name]: changedEntry((entries[name] ?? {}) as JsonObject, change, names),
      }));
    } catch (error) {
      for (const kept of names.values()) await this.#parts.secrets?.delete(kept);
      throw error;
    }
  }

  /** Removes an entry and its secrets. Rejects with `set_elsewhere`. */
  async remove(name: string, caller: Caller): Promise<void> {
    this.#checkFree();
    await this.#update(name, caller, ({ [name]: _, ...rest }) => rest);
  }

  #checkFree(): void {
    if (!this.isFixed) return;
    const message = `A flag, the environment or the settings file sets ${settingKey}; change it there.`;
    throw new AppError({ code: "set_elsewhere", message });
  }

  /** Each secret has its own name: no crash puts one beside an entry that it was not meant for. */
  async #keep(server: string, values: readonly string[]): Promise<SecretNames> {
    const { secrets } = this.#parts;
    if (values.length > 0 && secrets === undefined) {
      const message = "No plugin keeps secrets: take service-secrets out of `disabled` in the settings.";
      throw new AppError({ code: "invalid_value", message, param: "env" });
    }
    const names = new Map<string, string>();
    for (const value of values) {
      const name = `mcp.${server}.${randomBytes(4).toString("hex")}`;
      await secrets?.set(name, value);
      names.set(value, name);
    }
    return names;
  }

  /** Changes what is stored, then forgets the server's secrets to which no entry refers any more. */
  async #update(server: string, caller: Caller, change: (entries: JsonObject) => JsonObject): Promise<void> {
    let stored = "";
    await this.#parts.preferences.update(({ [settingKey]: before }) => {
      const next = change((before ?? {}) as JsonObject);
      stored = JSON.stringify(next);
      return { [settingKey]: next };
    }, caller);
    const { secrets } = this.#parts;
    const own = new RegExp(`^mcp\\.${server}\\.[\\da-f]{8}$`);
    for (const { name } of (await secrets?.list()) ?? [])
      if (own.test(name) && !stored.includes(`"${name}"`)) await secrets?.delete(name);
  }
}
