import { messageOf } from "@pergola/sdk";
import type { SecretKeeper } from "@pergola/sdk/host";

/** Names that a secret may share with an environment variable, in whose place it stands then. */
const variableForm = /^[A-Z][A-Z0-9_]*$/;

type Values = Readonly<Record<string, string>>;

/**
 * What settings refer to as `{ secret: NAME }`. They are read at once, and the part that keeps secrets takes
 * its time: what is asked for and not there is noted, fetched, and there when the settings are read again.
 */
export class StoredSecrets {
  #keeper: SecretKeeper | undefined;
  readonly #values = new Map<string, string>();
  readonly #faults = new Map<string, string>();
  readonly #wanted = new Set<string>();

  /** Throws Error, which says what to do, for one that is not there or cannot be read. */
  get(name: string): string {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    this.#wanted.add(name);
    if (this.#keeper === undefined)
      throw new Error("nothing keeps secrets here; is service-secrets disabled?");
    throw new Error(
      this.#faults.get(name) ?? `there is no secret ${name}; keep one with: pergola secrets set ${name}`,
    );
  }

  /**
   * From now on secrets come from here. Gives back those whose name is that of a variable, to stand for it
   * where it is not set; `failed` hears of what cannot be read.
   */
  async open(keeper: SecretKeeper | undefined, failed: (message: string) => void): Promise<Values> {
    this.#keeper = keeper;
    const names = await this.#variableNames(failed);
    for (const name of names) this.#wanted.add(name);
    await this.fetch();
    for (const name of names) if (this.#faults.has(name)) failed(this.#faults.get(name)!);
    return Object.fromEntries([...this.#values].filter(([name]) => names.includes(name)));
  }

  async #variableNames(failed: (message: string) => void): Promise<readonly string[]> {
    try {
      const listed = (await this.#keeper?.list()) ?? [];
      return listed.map(({ name }) => name).filter((name) => variableForm.test(name));
    } catch (error) {
      failed(messageOf(error));
      return [];
    }
  }

  /** Fetches what was asked for and not there. */
  async fetch(): Promise<void> {
    const names = [...this.#wanted];
    this.#wanted.clear();
    await Promise.all(names.map((name) => this.#fetch(name)));
  }

  async #fetch(name: string): Promise<void> {
    this.#faults.delete(name);
    try {
      const value = await this.#keeper?.get(name);
      if (value !== undefined) this.#values.set(name, value);
    } catch (error) {
      this.#faults.set(name, messageOf(error));
    }
  }

  /** What is kept may have changed: all is fetched anew when it is asked for. */
  forget(): void {
    this.#values.clear();
    this.#faults.clear();
  }
}
