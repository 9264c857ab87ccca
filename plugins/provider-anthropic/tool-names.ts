/** Characters that a name may not have, and its greatest length. */
const strange = /[^A-Za-z0-9_-]/g;
const longest = 128;

/** The names of tools in the form that the vendor takes: a name with dots, say, is sent under another one. */
export class ToolNames {
  readonly #sent = new Map<string, string>();
  readonly #originals = new Map<string, string>();

  constructor(names: readonly string[]) {
    for (const name of names) if (name.search(strange) < 0 && name.length <= longest) this.#add(name, name);
    for (const name of names) this.sent(name);
  }

  /** The name as the vendor reads it. */
  sent(name: string): string {
    const known = this.#sent.get(name);
    if (known !== undefined) return known;
    const base = name.replaceAll(strange, "_").slice(0, longest) || "_";
    let given = base;
    for (let number = 2; this.#originals.has(given); number++)
      given = `${base.slice(0, longest - 4)}_${number}`;
    this.#add(name, given);
    return given;
  }

  /** The tool's own name. */
  original(name: string): string {
    return this.#originals.get(name) ?? name;
  }

  #add(name: string, given: string): void {
    this.#sent.set(name, given);
    this.#originals.set(given, name);
  }
}
