/** Characters that a name may not have, and its greatest length. */
const strange = /[^A-Za-z0-9_-]/g;
const longest = 128;

/** The names of tools in the form that the vendor takes: a name with dots, say, is sent under another one. */
export class ToolNames {
  readonly #wireNames = new Map<string, string>();
  readonly #originals = new Map<string, string>();

  constructor(names: readonly string[]) {
    for (const name of names) if (name.search(strange) < 0 && name.length <= longest) this.#add(name, name);
    for (const name of names) this.wireName(name);
  }

  /** The name as the vendor reads it. */
  wireName(name: string): string {
    const known = this.#wireNames.get(name);
    if (known !== undefined) return known;
    const base = name.replaceAll(strange, "_").slice(0, longest) || "_";
    let wireName = base;
    for (let number = 2; this.#originals.has(wireName); number++)
      wireName = `${base.slice(0, longest - 4)}_${number}`;
    this.#add(name, wireName);
    return wireName;
  }

  /** The tool's own name. */
  originalName(name: string): string {
    return this.#originals.get(name) ?? name;
  }

  #add(name: string, wireName: string): void {
    this.#wireNames.set(name, wireName);
    this.#originals.set(wireName, name);
  }
}
