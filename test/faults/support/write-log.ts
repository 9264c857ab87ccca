import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** What a program did to its files, and what it said to its clients, in order. */
export type Step =
  | { readonly kind: "write"; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "cut"; readonly file: string; readonly length: number }
  | { readonly kind: "remove"; readonly file: string }
  | { readonly kind: "sync"; readonly file: string }
  | { readonly kind: "said"; readonly text: string };

/** The arguments of strace that write such a log; the traced program comes behind them. */
export const tracing = (log: string): readonly string[] => [
  "strace",
  "-f",
  "-qq",
  "--seccomp-bpf",
  "-y",
  "-xx",
  ...["-s", "300000", "-o", log],
  ...["-e", "trace=write,writev,sendto,pwrite64,fsync,fdatasync,ftruncate,unlink"],
];

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");
/** A path as -xx writes it: in hexadecimal, or as it is. */
const pathOf = (text: string): string => (text.startsWith("\\x") ? bytesOf(text).toString() : text);

/** Calls that were cut in two by those of other threads. */
class Whole {
  readonly #begun = new Map<string, string>();

  /** The whole call once its end has come. */
  take(line: string): string | undefined {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      this.#begun.set(thread, rest.slice(0, -"<unfinished ...>".length));
      return undefined;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    if (resumed === undefined) return rest;
    const begun = this.#begun.get(thread) ?? "";
    this.#begun.delete(thread);
    return begun + resumed;
  }
}

/** A call that went well, as a step; undefined for those that concern neither the files nor the clients. */
function stepOf(call: string, isWatched: (file: string) => boolean): Step | undefined {
  const [, name = "", rest = ""] = /^(\w+)\((.*)$/.exec(call) ?? [];
  if (/\) += -1 /.test(rest)) return undefined;
  if (name === "unlink") {
    const file = pathOf(/^"([^"]*)"/.exec(rest)?.[1] ?? "");
    return isWatched(file) ? { kind: "remove", file } : undefined;
  }
  const file = pathOf(/^\d+<([^>]*)>/.exec(rest)?.[1] ?? "");
  return isWatched(file) ? changeIn(name, file, rest) : saidIn(name, file, rest);
}

function changeIn(name: string, file: string, rest: string): Step {
  if (name === "fsync" || name === "fdatasync") return { kind: "sync", file };
  if (name === "ftruncate") return { kind: "cut", file, length: Number(/, (\d+) *\)/.exec(rest)?.[1]) };
  const written = /, "([^"]*)", \d+, (\d+) *\)/.exec(rest);
  if (name !== "pwrite64" || written === null)
    throw new Error(`An unforeseen way to write ${file}: ${name} ${rest.slice(0, 80)}`);
  const [, text = "", at] = written;
  return { kind: "write", file, at: Number(at), bytes: bytesOf(text) };
}

/** Only what goes to a socket is said to a client. */
function saidIn(name: string, file: string, rest: string): Step | undefined {
  if (!/^(write|writev|sendto)$/.test(name) || !file.startsWith("socket:")) return undefined;
  const texts = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = ""]) => bytesOf(text));
  return { kind: "said", text: Buffer.concat(texts).toString() };
}

/** The steps of a log, of those files alone that are watched. */
export async function stepsIn(log: string, isWatched: (file: string) => boolean): Promise<readonly Step[]> {
  const whole = new Whole();
  const steps: Step[] = [];
  for await (const line of createInterface({ input: createReadStream(log, "latin1") })) {
    const call = whole.take(line);
    const step = call === undefined ? undefined : stepOf(call, isWatched);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}
