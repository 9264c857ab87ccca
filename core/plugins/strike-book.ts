import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject, type Clock } from "@pergola/sdk";
import { visibleText, type PluginStrike } from "@pergola/sdk/host";
import { pluginsFolder } from "./plugin-lock.ts";

/** Evidence: what the process of a plugin did, when, and which version it was. */
export interface StrikeRecord extends PluginStrike {
  /** ISO 8601. */
  readonly time: string;
  readonly version: string;
}

/** What is known of a plugin's wrongs. */
export interface StrikePage {
  /** The newest last. */
  readonly strikes: readonly StrikeRecord[];
  /** Since when its calls are refused, ISO 8601; absent = they are not. */
  readonly openedAt?: string;
  /** The version that was taken back, and the one that came in its place. */
  readonly rolledBack?: { readonly from: string; readonly to: string; readonly time: string };
}

/**
 * Strikes within this many milliseconds that open the breaker; milliseconds until it is tried again; evidence
 * kept.
 */
export const breakerLimits = {
  strikes: 5,
  within: 600_000,
  closedFor: 3_600_000,
  kept: 20,
  stderrBytes: 2_048,
};

export const strikeWords: Readonly<Record<PluginStrike["kind"], string>> = {
  crash: "a crash",
  deadline: "a late answer",
  frame: "a message that is none",
  answer: "an answer that breaks its contract",
  limit: "going over a limit",
};

/** The end of a text, in so many bytes of UTF-8. */
function endOf(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  return whole
    .subarray(-bytes)
    .toString()
    .replace(/^\uFFFD+/, "");
}

/** Where the strikes of all plugins are kept: `<data>/plugins/strikes.json`. */
export class StrikeBook {
  readonly #file: string;
  readonly #clock: Clock;

  constructor(dataDirectory: string, clock: Clock) {
    this.#file = path.join(pluginsFolder(dataDirectory), "strikes.json");
    this.#clock = clock;
  }

  page(id: string): StrikePage {
    return this.read()(id);
  }

  /**
   * All pages as they are now, by the plugin's id. A file that cannot be read counts as empty: it is
   * evidence, and holds nothing up.
   */
  read(): (id: string) => StrikePage {
    const pages = this.#pages();
    return (id) => {
      const page = pages[id];
      return page === undefined || !Array.isArray(page.strikes) ? { strikes: [] } : page;
    };
  }

  /** Writes a strike down. True when there were too many of this version. */
  add(id: string, version: string, strike: PluginStrike): boolean {
    const now = this.#clock.now();
    const record: StrikeRecord = {
      time: new Date(now).toISOString(),
      version,
      ...strike,
      stderr: visibleText(endOf(strike.stderr, breakerLimits.stderrBytes)),
    };
    const page = this.page(id);
    const strikes = [...page.strikes, record].slice(-breakerLimits.kept);
    this.write(id, { ...page, strikes });
    const recent = strikes.filter(
      (each) => each.version === version && Date.parse(each.time) > now - breakerLimits.within,
    );
    return recent.length >= breakerLimits.strikes;
  }

  /** Refuses the plugin's calls from now on. */
  open(id: string): void {
    this.write(id, { ...this.page(id), openedAt: new Date(this.#clock.now()).toISOString() });
  }

  /** Lets them through again; the evidence stays. */
  close(id: string): void {
    const { openedAt, ...page } = this.page(id);
    if (openedAt !== undefined) this.write(id, page);
  }

  /** Forgets what a plugin did; for one that the person switches on again, or removes. */
  forget(id: string): void {
    if (this.#pages()[id] !== undefined) this.write(id, undefined);
  }

  /** Whether calls are refused, and whether one may be tried. */
  state(id: string): "closed" | "open" | "half-open" {
    const { openedAt } = this.page(id);
    if (openedAt === undefined) return "closed";
    const isOver = this.#clock.now() - Date.parse(openedAt) >= breakerLimits.closedFor;
    return isOver ? "half-open" : "open";
  }

  /** Replaces all that is known of a plugin. */
  write(id: string, page: StrikePage | undefined): void {
    const { [id]: _, ...others } = this.#pages();
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const pages = page === undefined ? others : { ...others, [id]: page };
    writeFileSync(`${this.#file}.new`, JSON.stringify(pages, null, 2), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }

  #pages(): Readonly<Record<string, StrikePage>> {
    try {
      const pages: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
      return isObject(pages) ? (pages as Record<string, StrikePage>) : {};
    } catch {
      return {};
    }
  }
}
