import { AppError, compareText } from "@pergola/sdk";
import type { SecretHost, SecretKeeper, SecretPlace } from "@pergola/sdk/host";
import { Entries, type Entry } from "./entries.ts";
import { KeyFile } from "./key-file.ts";
import { isWorking, systemKeyring, type Keyring } from "./keyring.ts";
import { seal, unseal } from "./seal.ts";

/** Letters, digits and `_ . -`; as environment variables are called, too. */
const nameForm = /^[A-Za-z][\w.-]{0,99}$/;

const placeOf = (entry: Entry): SecretPlace => ("keyring" in entry ? "keyring" : "file");

/** Secrets by their names. None is kept in memory: a change by another process counts at once. */
export class Secrets implements SecretKeeper {
  readonly #entries: Entries;
  readonly #key: KeyFile;
  readonly #keyring: Keyring;
  readonly #store: SecretHost["store"];
  #chosen: Promise<SecretPlace> | undefined;

  constructor(host: SecretHost, keyring: Keyring = systemKeyring(host.dataDirectory)) {
    this.#entries = new Entries(host.dataDirectory);
    this.#key = new KeyFile(host);
    this.#keyring = keyring;
    this.#store = host.store;
  }

  async get(name: string): Promise<string | undefined> {
    const entry = (await this.#entries.read()).get(name);
    if (entry === undefined) return undefined;
    if ("keyring" in entry) return this.#fromKeyring(name);
    const key = await this.#key.read();
    try {
      return unseal(name, entry, key);
    } catch (cause) {
      throw unreadable(name, "It was changed, moved, or sealed by another installation.", cause);
    }
  }

  async #fromKeyring(name: string): Promise<string> {
    const value = await this.#keyring.get(name).catch((cause: unknown) => {
      throw unreadable(name, "The system's key store does not answer: is it locked?", cause);
    });
    if (value !== undefined) return value;
    throw unreadable(name, "The system's key store does not have it any more.");
  }

  async set(name: string, value: string): Promise<SecretPlace> {
    if (!nameForm.test(name)) throw invalid(`"${name}" is no name for a secret. ${nameRule}`);
    if (value === "") throw invalid("A secret must not be empty.");
    const place = await this.#place();
    const before = (await this.#entries.read()).get(name);
    const entry = place === "keyring" ? await this.#toKeyring(name, value) : await this.#sealed(name, value);
    await this.#entries.change((entries) => entries.set(name, entry));
    if (before !== undefined && placeOf(before) === "keyring" && place === "file") await this.#forget(name);
    return place;
  }

  async #toKeyring(name: string, value: string): Promise<Entry> {
    await this.#keyring.set(name, value);
    return { keyring: true };
  }

  async #sealed(name: string, value: string): Promise<Entry> {
    return seal(name, value, await this.#key.readOrMake());
  }

  async delete(name: string): Promise<boolean> {
    const entry = (await this.#entries.read()).get(name);
    if (entry === undefined) return false;
    if ("keyring" in entry) await this.#forget(name);
    await this.#entries.change((entries) => entries.delete(name));
    return true;
  }

  /** A key store that does not answer keeps what nobody refers to any more. */
  async #forget(name: string): Promise<void> {
    await this.#keyring.delete(name).catch(() => undefined);
  }

  async list(): ReturnType<SecretKeeper["list"]> {
    const entries = [...(await this.#entries.read())];
    return entries
      .map(([name, entry]) => ({ name, place: placeOf(entry) }))
      .toSorted((a, b) => compareText(a.name, b.name));
  }

  #place(): Promise<SecretPlace> {
    this.#chosen ??= this.#choose();
    return this.#chosen;
  }

  async #choose(): Promise<SecretPlace> {
    if (this.#store === "file") return "file";
    if (await isWorking(this.#keyring)) return "keyring";
    if (this.#store === "auto") return "file";
    throw new AppError({
      code: "storage_unavailable",
      message:
        "The system's key store does not keep what it is given. Unlock it, or set secrets.store to file in " +
        "the settings file.",
    });
  }
}

const nameRule = "Begin with a letter, then letters, digits and _ . - (at most 100).";

const invalid = (message: string): AppError => new AppError({ code: "invalid_value", message });

const unreadable = (name: string, reason: string, cause?: unknown): AppError =>
  new AppError({
    code: "storage_unavailable",
    message: `The secret ${name} cannot be read. ${reason} Set it again: pergola secrets set ${name}.`,
    cause,
  });

/** The part. */
export const openSecrets = (host: SecretHost): Secrets => new Secrets(host);
