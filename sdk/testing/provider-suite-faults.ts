import { AppError, messageOf, type ModelEvent } from "@pergola/sdk";
import { checkRule, demand, within, type Rule } from "./conformance/rule.ts";
import { collectEvents, textOfEvents } from "./collect-events.ts";
import { whileClosed } from "./closed-door.ts";
import { withinOneSecond, type ProviderAbility, type ProviderStage } from "./provider-stage.ts";
import type { ScriptTurn } from "./script.ts";
import { whileTimed } from "./timed-door.ts";

const limit = 5000;
const begins: ScriptTurn = [{ text: "Once upon" }, { hang: true }];

/** What comes until the end or a failure. */
async function restOf(events: AsyncIterator<ModelEvent>): Promise<readonly ModelEvent[]> {
  const rest: ModelEvent[] = [];
  try {
    for (let step = await events.next(); step.done !== true; step = await events.next())
      rest.push(step.value);
  } catch {
    // It may end with the reason of the abort.
  }
  return rest;
}

/** Aborts a call that hangs, after so many events. */
async function stopsAfter(count: number, turn: ScriptTurn, stage: ProviderStage): Promise<void> {
  const stop = new AbortController();
  const events = (await stage.play(turn, stop.signal))[Symbol.asyncIterator]();
  for (let seen = 0; seen < count; seen++) await events.next();
  const rest = restOf(events);
  await stage.requestReceived();
  stop.abort(new Error("gone"));
  const late = await withinOneSecond(rest, "A call, after its signal was aborted,");
  demand(late.length === 0, `After its signal was aborted, a call gave ${JSON.stringify(late[0])}.`);
  await stage.connectionClosed();
}

async function noticesLeaving(stage: ProviderStage): Promise<void> {
  const turn: ScriptTurn = [{ text: "Once upon" }, { delayMs: 20 }, { text: " a time" }, { hang: true }];
  for await (const event of await stage.play(turn)) if (event.type === "text") break;
  await stage.connectionClosed();
}

/** A call whose answer nobody reads must not hold another of the same provider. */
async function holdsNobody(stage: ProviderStage): Promise<void> {
  const unread = (await stage.play([{ text: "One" }, { text: "two" }]))[Symbol.asyncIterator]();
  await unread.next();
  const { events, error } = await within(limit, collectEvents(stage.again()), "A call beside one that waits");
  await unread.return?.();
  demand(error === undefined, `A call beside one that waits failed: ${messageOf(error)}`);
  demand(textOfEvents(events) !== "", "A call beside one that waits got no text.");
}

async function failsWithSource(stage: ProviderStage): Promise<void> {
  const { events, error } = await collectEvents(
    await stage.play([{ text: "Partly" }, { error: { status: 500, message: "broke" } }]),
  );
  const isWhole = error === undefined || events.some(({ type }) => type === "end");
  demand(!isWhole, "An answer whose source failed in the middle was told as a whole one.");
  const text = textOfEvents(events);
  demand(text === "Partly", `What came before the source failed was not handed on; "${text}" was.`);
  const isClear = AppError.is(error) && error.code === "provider_error";
  demand(isClear, `The failure of the source was told as "${messageOf(error)}", not as provider_error.`);
}

/** The limit of the host on silence, in milliseconds. */
const silence = 300;

/** What the fetch of a host ends with when a source is silent too long is handed on as it is. */
async function endsWithSilence(turn: ScriptTurn, before: string, stage: ProviderStage): Promise<void> {
  const ended = await whileTimed(silence, async () => {
    const stream = await stage.play(turn);
    if (!stage.isConnected) return undefined;
    return within(silence + 1000, collectEvents(stream), "An answer whose source went silent");
  });
  if (ended === undefined) return;
  const { events, error } = ended;
  await stage.connectionClosed();
  await stage.close();
  const isWhole = error === undefined || events.some(({ type }) => type === "end");
  demand(!isWhole, "An answer whose source went silent was told as a whole one.");
  const text = textOfEvents(events);
  demand(text === before, `What came before the silence was not handed on; "${text}" was.`);
  const isClear = AppError.is(error) && error.code === "provider_timeout";
  demand(isClear, `The silence of the source was told as "${messageOf(error)}", not as provider_timeout.`);
}

async function noticesSilence(stage: ProviderStage): Promise<void> {
  await endsWithSilence({ hang: true }, "", stage);
  await endsWithSilence(begins, "Once upon", stage);
}

async function takesSizes(stage: ProviderStage): Promise<void> {
  const pieces = Array.from({ length: 16 }, (_, index) => `${index} `.repeat(2 ** 14));
  const { events, error } = await collectEvents(await stage.play({ text: pieces }));
  const text = textOfEvents(events);
  demand(
    error === undefined,
    `An answer of ${pieces.join("").length} characters failed: ${messageOf(error)}`,
  );
  demand(
    text === pieces.join(""),
    `Of an answer of ${pieces.join("").length} characters ${text.length} came, or others.`,
  );
}

async function answersAs(text: string, stage: ProviderStage): Promise<void> {
  const { events, error } = await collectEvents(await stage.play({ text }));
  const got = error === undefined ? textOfEvents(events) : messageOf(error);
  await stage.close();
  demand(got === text, `Opened again after it was closed, it gave "${got}".`);
}

async function opensAgain(stage: ProviderStage): Promise<void> {
  for (const text of ["Before", "After"]) await answersAs(text, stage);
}

/** A host that stops aborts its calls and closes the provider; another begins at once. */
async function endsWithHost(stage: ProviderStage): Promise<void> {
  const stop = new AbortController();
  const events = (await stage.play(begins, stop.signal))[Symbol.asyncIterator]();
  await events.next();
  const rest = restOf(events);
  stop.abort(new Error("The host stops."));
  await within(limit, stage.close(), "Closing in a call");
  await within(limit, rest, "A call whose provider was closed");
  await within(limit, answersAs("After", stage), "A call after a close in a call");
}

async function usesItsDoor(stage: ProviderStage): Promise<void> {
  const { events, error } = await whileClosed(async () => collectEvents(await stage.play({ text: "Out" })));
  if (!stage.isConnected) return;
  demand(
    textOfEvents(events) === "",
    "It reached its source past its door. Send all requests with the `fetch` of the door, in a test too, " +
      "where `providerDoor` makes it.",
  );
  demand(AppError.is(error), `It does not hand on what its door refuses with, but "${messageOf(error)}".`);
}

interface Facts {
  readonly plays: readonly ProviderAbility[];
}

const playing =
  (...needed: readonly ProviderAbility[]) =>
  ({ plays }: Facts): boolean =>
    needed.every((one) => plays.includes(one));

/** What every provider whose source can be scripted must do under faults, beside how it fails at once. */
export const providerFaultRules: readonly Rule<ProviderStage, Facts>[] = [
  {
    name: "abort",
    title: "ends at once when it is aborted before the source answers, and tells the source",
    applies: playing("hang"),
    check: (stage) => stopsAfter(0, { hang: true }, stage),
  },
  {
    name: "abort in the answer",
    title: "ends at once when it is aborted in the middle, without an end, and tells the source",
    applies: playing("hang"),
    check: (stage) => stopsAfter(1, begins, stage),
  },
  {
    name: "abort by leaving",
    title: "tells the source when the caller stops reading",
    applies: playing("hang"),
    check: noticesLeaving,
  },
  {
    name: "slow",
    title: "answers a call while nobody reads another",
    applies: playing("text"),
    check: holdsNobody,
  },
  {
    name: "crash",
    title: "gives what came before its source failed, and no end",
    applies: playing("errors"),
    check: failsWithSource,
  },
  {
    name: "silence",
    title: "ends with provider_timeout and what came before, when its source goes silent",
    applies: playing("text", "hang"),
    check: noticesSilence,
  },
  {
    name: "huge output",
    title: "hands on a long answer whole",
    applies: playing("text"),
    check: takesSizes,
  },
  {
    name: "restart",
    title: "answers again when it is opened after a close",
    applies: playing("text"),
    check: opensAgain,
  },
  {
    name: "restart in the call",
    title: "ends a call with the host, and answers in the next one",
    applies: playing("text", "hang"),
    check: endsWithHost,
  },
  {
    name: "undeclared access",
    title: "reaches its source through its door, and hands on what that refuses",
    applies: playing("text"),
    check: usesItsDoor,
  },
];

/** The same as a part of `describeProvider`. */
export function describeProviderFaults(stage: ProviderStage, plays: readonly ProviderAbility[]): void {
  for (const { applies, ...rule } of providerFaultRules)
    if (applies?.({ plays }) ?? true)
      it(`${rule.name}: ${rule.title}`, () => checkRule(rule, stage)).timeout(30_000);
}
