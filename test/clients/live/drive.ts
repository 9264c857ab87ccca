import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Client, Place, Turn } from "./client.ts";
import { judge, none, type Feature, type Outcome } from "./feature.ts";
import { textOf, type Body, type Gate, type StoneModel } from "./model.ts";
import type { Relay } from "./relay.ts";
import { run, type End, type Running } from "./running.ts";

/** What a client is driven against. */
export interface Setting {
  readonly client: Client;
  readonly model: StoneModel;
  readonly relay: Relay;
  /** The folders of Node and of the client's packages. */
  readonly bin: string;
  readonly packages: string;
  /** Below it each drive has its own home and work folder. */
  readonly scratch: string;
}

interface Drive extends Setting {
  readonly place: Place;
  /** What stands on the stones, by their numbers from 1. */
  readonly words: readonly string[];
  readonly feature: Feature;
}

const patience = 30_000;

function begin({ client, place, feature, bin }: Drive, prompt: string, before?: string): Running {
  const turn: Turn = { prompt, feature, ...(before === undefined ? {} : { before }) };
  return run(client.command(turn, place), place.work, {
    PATH: [bin, process.env["PATH"] ?? ""].join(path.delimiter),
    HOME: place.home,
    XDG_CONFIG_HOME: path.join(place.home, ".config"),
    XDG_DATA_HOME: path.join(place.home, ".local", "share"),
    XDG_CACHE_HOME: path.join(place.home, ".cache"),
    XDG_STATE_HOME: path.join(place.home, ".local", "state"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "1",
  });
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
};

/** What the person sees in the end: the answer, or else the last words. */
const lastWords = ({ client }: Drive, running: Running): string =>
  short(client.answer(running.stdout) || running.output.slice(-600));

/** The fault of a turn that did not end well. */
function fault(drive: Drive, { code, late }: End, running: Running): string | false {
  if (late) return `it had not ended after its deadline: ${lastWords(drive, running)}`;
  return code !== 0 && `it ended with ${code}: ${lastWords(drive, running)}`;
}

const lacksText = (drive: Drive, running: Running, expected: string): string | false => {
  const seen = drive.client.answer(running.stdout);
  return !seen.includes(expected) && `the answer is "${short(seen)}" and not "${expected}"`;
};

/** A turn to its end, and what is wrong with it if its text is not in the answer. */
async function take(drive: Drive, prompt: string, expected: string, before?: string) {
  const running = begin(drive, prompt, before);
  const end = await running.ended;
  return { running, faults: [fault(drive, end, running), lacksText(drive, running, expected)] };
}

/** Faults when a text does not stand exactly once in the messages of a role that the model was sent. */
const oncePerText = (
  { messages }: Body,
  role: string,
  texts: readonly string[],
): readonly (string | false)[] =>
  texts.map((text) => {
    const times = messages.filter((one) => one.role === role && textOf(one).includes(text)).length;
    return times !== 1 && `the model was sent "${text}" ${times} times by the ${role}`;
  });

const conclusionOf = (words: readonly string[]): string => `The stones say ${words.join(", ")}.`;

async function answer(drive: Drive): Promise<Outcome> {
  drive.model.answer("A plain pebble.");
  return judge((await take(drive, "Name a stone.", "A plain pebble.")).faults);
}

async function watchForFirst(drive: Drive, prompt: string, first: string, open: Gate) {
  const running = begin(drive, prompt);
  const late = setTimeout(patience, false, { ref: false });
  const inTime = await Promise.race([running.wrote(first), late]);
  open();
  const end = await running.ended;
  return [fault(drive, end, running), !inTime && `"${first}" did not arrive before the rest`];
}

async function stream(drive: Drive): Promise<Outcome> {
  const open = drive.model.stream("Flint first,", " chalk last.");
  return judge(await watchForFirst(drive, "Name two stones.", "Flint first,", open));
}

async function streamedArguments(drive: Drive): Promise<Outcome> {
  const open = drive.model.streamArguments(drive.client.tool);
  return judge(await watchForFirst(drive, "Read the first stone.", "quarry/", open));
}

const readsStones =
  (turns: readonly (readonly number[])[]) =>
  async (drive: Drive): Promise<Outcome> => {
    drive.model.read(drive.client.tool, turns);
    const words = turns.flat().map((stone) => drive.words[stone - 1] ?? "");
    const { faults } = await take(drive, "Read the stones.", conclusionOf(words));
    const { last } = drive.model;
    return judge([
      ...faults,
      ...oncePerText(last, "user", ["Read the stones."]),
      ...oncePerText(last, "tool", words),
    ]);
  };

async function error(drive: Drive): Promise<Outcome> {
  drive.model.refuse("This model turns to quartz.");
  const running = begin(drive, "Name a stone.");
  const { late } = await running.ended;
  return judge([
    late && "it had not ended after its deadline",
    !running.output.includes("turns to quartz") &&
      `the person sees "${lastWords(drive, running)}" and not the reason`,
  ]);
}

/** The client is interrupted as soon as it shows text, or, if it shows none before the end, has asked. */
async function cancel(drive: Drive): Promise<Outcome> {
  drive.model.hang("Basalt begins");
  const running = begin(drive, "Name all stones.");
  const shows = drive.client.lacks?.includes("stream") !== true;
  while (drive.model.requests.length === 0 && !running.isOver) await setTimeout(50);
  if (shows)
    await Promise.race([running.wrote("Basalt begins"), setTimeout(patience, false, { ref: false })]);
  const asked = drive.model.requests.at(-1);
  if (asked === undefined) return judge([`it reached no model: ${lastWords(drive, running)}`]);
  running.interrupt();
  const ended = Promise.all(drive.model.requests.map(({ outcome }) => outcome));
  const late = setTimeout(patience, "late" as const, { ref: false });
  const outcome = await Promise.race([ended, late]);
  const { late: hangs } = await running.ended;
  return judge([
    outcome === "late" && "the model's request went on",
    hangs && "it had not ended after its deadline",
  ]);
}

async function resume(drive: Drive): Promise<Outcome> {
  drive.model.read(drive.client.tool, [[1]]);
  const words = drive.words.slice(0, 1);
  const first = await take(drive, "Read the first stone.", conclusionOf(words));
  const history = drive.model.last;
  drive.model.answer("It was a boulder.");
  const second = await take(drive, "Was it large?", "It was a boulder.", first.running.output);
  const { last } = drive.model;
  return judge([
    ...first.faults,
    ...second.faults,
    last.messages.length < history.messages.length && "the model was not sent the session's history",
    ...oncePerText(last, "user", ["Read the first stone.", "Was it large?"]),
    ...oncePerText(last, "assistant", ["I look at the stones.", conclusionOf(words)]),
    ...oncePerText(last, "tool", words),
  ]);
}

const drives: Readonly<Record<Feature, (drive: Drive) => Promise<Outcome>>> = {
  answer,
  stream,
  arguments: streamedArguments,
  steps: readsStones([[1], [2], [3]]),
  parallel: readsStones([[1, 2]]),
  error,
  cancel,
  resume,
};

/** Takes a client through a feature, in folders of its own. */
export async function drive(feature: Feature, setting: Setting): Promise<Outcome> {
  const { client, scratch, bin, packages, relay } = setting;
  if (client.lacks?.includes(feature) === true) return none;
  const folder = mkdtempSync(path.join(scratch, `${feature}-`));
  const [home, work] = [path.join(folder, "home"), path.join(folder, "work")];
  mkdirSync(home);
  mkdirSync(path.join(work, "quarry"), { recursive: true });
  const words = [1, 2, 3].map((stone) => `stone-${stone}-${randomBytes(4).toString("hex")}`);
  for (const [index, word] of words.entries())
    writeFileSync(path.join(work, "quarry", `stone-${index + 1}.txt`), `${word}\n`);
  const place: Place = { url: relay.url, model: "custom/test", bin, packages, home, work };
  client.prepare?.(place);
  relay.clear();
  return drives[feature]({ ...setting, place, words, feature });
}
