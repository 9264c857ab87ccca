import type { PluginError } from "@pergola/sdk";

/** What is wrong with plugins, by their ids; those who watch are called at each change. */
export class PluginFaults extends Map<string, PluginError> {
  readonly #watchers: (() => void)[] = [];

  watch(changed: () => void): void {
    this.#watchers.push(changed);
  }

  override set(id: string, fault: PluginError): this {
    super.set(id, fault);
    for (const changed of this.#watchers) changed();
    return this;
  }

  override delete(id: string): boolean {
    const had = super.delete(id);
    if (had) for (const changed of this.#watchers) changed();
    return had;
  }
}
