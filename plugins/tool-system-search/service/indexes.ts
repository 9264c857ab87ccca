import { IndexLink } from "./index-link.ts";
import type { IndexSettings } from "./messages.ts";

/** The indexes at work, one for each folder; opened when they are first needed. */
class Indexes {
  readonly #links = new Map<string, IndexLink>();
  #last: Promise<unknown> = Promise.resolve();

  /** The index that these settings mean. One with other settings in the same folder is closed first. */
  async open(settings: IndexSettings): Promise<IndexLink> {
    const opened = this.#last.then(async () => {
      const known = this.#links.get(settings.folder);
      if (known?.isOpen === true && JSON.stringify(known.settings) === JSON.stringify(settings)) return known;
      await known?.close();
      const link = new IndexLink(settings);
      this.#links.set(settings.folder, link);
      return link;
    });
    this.#last = opened.catch(() => undefined);
    return opened;
  }

  async close(): Promise<void> {
    await this.#last;
    const links = [...this.#links.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.close()));
  }
}

export const indexes = new Indexes();
