import { setTimeout } from "node:timers/promises";

/** What happens in the operations of tool-lab, shared with the test: a trusted plugin runs in its process. */
class Lab {
  /** `start <name>` and `end <name>`, in order. */
  readonly log: string[] = [];
  /** Texts that operations give back, by the call's name. */
  readonly texts = new Map<string, string>();
  /** What `check` says of a call that was cut. */
  truth: "happened" | "did_not_happen" | "unknown" = "unknown";
  readonly #gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();

  reset(): void {
    this.log.length = 0;
    this.texts.clear();
    this.#gates.clear();
    this.truth = "unknown";
  }

  /** Resolves when the test opens the gate. */
  async gate(name: string): Promise<void> {
    await this.#gate(name).opened;
  }

  open(name: string): void {
    this.#gate(name).open();
  }

  /** Resolves when all these lines are in the log, in whatever order; fails after five seconds. */
  async until(...lines: readonly string[]): Promise<void> {
    const missing = () => lines.filter((line) => !this.log.includes(line));
    for (const end = performance.now() + 5000; missing().length > 0; await setTimeout(2)) {
      if (performance.now() > end)
        throw new Error(`"${missing().join('", "')}" did not come; the log is ${this.log.join(", ")}.`);
    }
  }

  count(line: string): number {
    return this.log.filter((each) => each === line).length;
  }

  #gate(name: string) {
    const known = this.#gates.get(name);
    if (known !== undefined) return known;
    let open!: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = { opened, open };
    this.#gates.set(name, gate);
    return gate;
  }
}

const key = Symbol.for("pergola.test.lab");

/** One for the process, however often and by whichever loader this file is loaded. */
export const lab = ((globalThis as { [key]?: Lab })[key] ??= new Lab());
