import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Client, Place, Turn } from "./client.ts";
import type { Feature } from "./feature.ts";
import type { StoneModel } from "./model.ts";
import type { Relay } from "./relay.ts";
import { run, type Command, type End, type Running } from "./running.ts";

/** What a client is driven against. */
export interface Setting {
  readonly client: Client;
  readonly model: StoneModel;
  readonly relay: Relay;
  /** The folders of Node and of the client's packages. */
  readonly bin: string;
  readonly packages: string;
  /** What was started, the newest last. */
  readonly runs: Running[];
  /** Below it each drive has its own home and work folder. */
  readonly scratch: string;
}

/** One feature of a client under way. */
export interface Drive extends Setting {
  readonly place: Place;
  /** What stands on the stones, by their numbers from 1. */
  readonly words: readonly string[];
  readonly feature: Feature;
}

/** Starts a program in a place, with an environment that knows nothing of the machine's user. */
export const start = (command: Command, { home, work, bin }: Place): Running =>
  run(command, work, {
    PATH: [bin, process.env["PATH"] ?? ""].join(path.delimiter),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local", "share"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    XDG_STATE_HOME: path.join(home, ".local", "state"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "1",
  });

/** Starts the client for a turn. */
export function begin({ client, place, feature, runs }: Drive, prompt: string, before?: string): Running {
  const turn: Turn = { prompt, feature, ...(before === undefined ? {} : { before }) };
  const running = start(client.command(turn, place), place);
  runs.push(running);
  return running;
}

/** What is under way gets so many milliseconds, on a machine that may have much to do. */
const patience = 15_000;

/** True when it comes to be true in time. */
export const within = (event: Promise<boolean>): Promise<boolean> =>
  Promise.race([event, setTimeout(patience, false, { ref: false })]);

/** A text in one line, cut. */
export const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
};

/** What the person sees in the end: the answer, or else the last words. */
export const lastWords = ({ client }: Drive, running: Running): string =>
  short(client.answer(running.stdout) || running.output.slice(-600));

/** The fault of a turn that did not end well. */
export function fault(drive: Drive, { code, late }: End, running: Running): string | false {
  if (late) return `it had not ended after its deadline: ${lastWords(drive, running)}`;
  return code !== 0 && `it ended with ${code}: ${lastWords(drive, running)}`;
}

const lacksText = (drive: Drive, running: Running, expected: string): string | false => {
  const seen = drive.client.answer(running.stdout);
  return !seen.includes(expected) && `the answer is "${short(seen)}" and not "${expected}"`;
};

/** A turn to its end, and what is wrong with it if its text is not in the answer. */
export async function take(drive: Drive, prompt: string, expected: string, before?: string) {
  const running = begin(drive, prompt, before);
  const end = await running.ended;
  return { running, faults: [fault(drive, end, running), lacksText(drive, running, expected)] };
}

/** What is said of stones in the end. */
export const conclusionOf = (words: readonly string[]): string => `The stones say ${words.join(", ")}.`;
