import { setTimeout } from "node:timers/promises";
import { judge, type Feature, type Outcome } from "./feature.ts";
import { textOf, type Body, type Gate } from "./model.ts";
import type { Running } from "./running.ts";
import { begin, conclusionOf, fault, lastWords, take, within, type Drive } from "./turn.ts";

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

/** The client has asked, or has ended without. */
async function modelIsAsked({ model }: Drive, running: Running): Promise<void> {
  while (model.requests.length === 0 && !running.isOver) await setTimeout(50);
}

async function answer(drive: Drive): Promise<Outcome> {
  drive.model.answer("A plain pebble.");
  return judge((await take(drive, "Name a stone.", "A plain pebble.")).faults);
}

async function watchForFirst(drive: Drive, prompt: string, first: string, open: Gate) {
  const running = begin(drive, prompt);
  await modelIsAsked(drive, running);
  const inTime = await within(running.wrote(first));
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

/** The client is interrupted when it shows text, or, if it shows none before the end, has asked the model. */
async function cancel(drive: Drive): Promise<Outcome> {
  drive.model.hang("Basalt begins");
  const running = begin(drive, "Name all stones.");
  await modelIsAsked(drive, running);
  if (drive.client.lacks?.includes("stream") !== true) await within(running.wrote("Basalt begins"));
  const { requests } = drive.model;
  running.interrupt();
  const isFreed = await within(Promise.all(requests.map(({ outcome }) => outcome)).then(() => true));
  const { late } = await running.ended;
  return judge([
    requests.length === 0 && `it reached no model: ${lastWords(drive, running)}`,
    !isFreed && "the model's request went on",
    late && "it had not ended after its deadline",
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

/** How a client is taken through each feature with a scripted model behind Pergola. */
export const modelDrives: Readonly<Record<Feature, (drive: Drive) => Promise<Outcome>>> = {
  answer,
  stream,
  arguments: streamedArguments,
  steps: readsStones([[1], [2], [3]]),
  parallel: readsStones([[1, 2]]),
  error,
  cancel,
  resume,
};
