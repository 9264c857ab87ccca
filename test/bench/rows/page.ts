import { createServer } from "node:http";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { fillStore, filledId } from "../../support/fill-store.ts";
import { hasChromium, openBrowser } from "../../support/page-scene.ts";
import { now, sleep } from "../client.ts";
import { mean, measure, median, planOf, quiet, type Visit } from "../measure.ts";
import { cores, place, type Program } from "../processes.ts";
import { join, missing, type Figure } from "../report.ts";
import { freePort, type Setting } from "../setting.ts";
import { keysDuring, type KeyTimes } from "./page-keys.ts";
import { firstPaint, scroll, watch, type Scrolling } from "./page-scripts.ts";

/** Opens an address in a window of its own, and asks it for a figure. */
async function figureOf(context: BrowserContext, address: string, expression: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(address);
  const figure = await page.evaluate<number>(expression);
  await page.close();
  return figure;
}

/** A page of one line, without scripts and styles. */
async function openBarePage(): Promise<{ readonly address: string; readonly close: () => void }> {
  const port = await freePort();
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Bare</title><p>Hello</p>");
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const messages = 5000;
/** How often a visit opens a long conversation, types into it and scrolls it, and keys of each time. */
const rounds = { opening: 7, typing: 3, scrolling: 3 };
const keys = 100;
/** A figure that the browser keeps of a window; times are those on the processor, not on the clock. */
async function meterOf(page: Page): Promise<(name: string) => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async (wanted) => {
    if (wanted === "JSHeapUsedSize") await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  };
}

/** The share of the time that the main thread was at work meanwhile. */
async function busyDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const meter = await meterOf(page);
  const [before, begun] = [await meter("TaskDuration"), now()];
  await work();
  return (1000 * ((await meter("TaskDuration")) - before)) / (now() - begun);
}

/** How long a run that waits for its model is left alone, in seconds. */
const alone = 10;

interface Waiting {
  readonly busy: number;
  readonly requests: number;
}

/** What the page does while a run waits for its model. */
async function waitForModel(page: Page): Promise<Waiting> {
  await page.getByRole("textbox", { name: "Message" }).fill("Begin");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Stop/ }).waitFor();
  await sleep(1500);
  let requests = 0;
  page.on("request", () => requests++);
  const busy = await busyDuring(page, () => sleep(alone * 1000));
  return { busy, requests };
}

interface Typing extends KeyTimes {
  /** The share of the time that the main thread was on the processor. */
  readonly busy: number;
}

/** Types into a conversation while an answer of 100 texts a second streams in. */
async function typeDuringAnswer(page: Page): Promise<Typing> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Begin");
  await field.press("Enter");
  await page.getByRole("button", { name: /^Stop/ }).waitFor();
  await sleep(500);
  let busy = Number.NaN;
  const type = (): Promise<void> => field.pressSequentially("x".repeat(keys), { delay: 60 });
  const keyTimes = await keysDuring(page, async () => {
    busy = await busyDuring(page, type);
  });
  if ((await page.getByRole("button", { name: /^Stop/ }).count()) === 0)
    throw new Error("The answer has ended before the last key.");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  return { ...keyTimes, busy };
}

/** The figure that so great a part of the sorted ones stays below. */
const partOf = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

async function times<T>(count: number, work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let round = 0; round < count; round++) results.push(await work());
  return results;
}

/** Where the page shows the long conversation of a service. */
const addressOf = ({ port }: Program): string => `http://127.0.0.1:${port}/#/c/${filledId(0)}`;

/** The conversation while a run in it waits for its model. */
async function runAlone(context: BrowserContext, idle: Program): Promise<Waiting> {
  // A conversation goes on with the model of its last run, which would stream its texts here too.
  const conversation = `http://127.0.0.1:${idle.port}/v1/conversations/${filledId(0)}`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ model: "mock/s-2-60000" });
  await fetch(conversation, { method: "PATCH", headers, body });
  // A window of its own: one that is loaded again goes on where it was, among older messages.
  const page = await context.newPage();
  await page.goto(addressOf(idle));
  await page.evaluate("window.painted");
  return waitForModel(page);
}

/** Makes data whose newest conversation has many messages. */
async function makeLongConversation({ folder, start }: Setting, data: string): Promise<void> {
  await (await start(data)).end();
  await fillStore(path.join(folder, data), { messages, conversations: 1 });
}

async function withBrowser(
  what: readonly string[],
  run: (browser: Browser) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  if (!hasChromium()) return what.map((id) => missing(id, "the page", "there is no /usr/bin/chromium"));
  const browser = await openBrowser();
  try {
    return await run(browser);
  } finally {
    await browser.close();
  }
}

/** P22: how soon the page shows something, in a browser that has been there before. */
export const pagePaint = ({ service }: Setting, visit: Visit): Promise<readonly Figure[]> =>
  withBrowser(["P22"], async (browser) => {
    place(service.pid, cores.two);
    const bare = await openBarePage();
    const context = await browser.newContext();
    const address = `http://127.0.0.1:${service.port}/`;
    const { of, first } = await measure(
      {
        bare: () => figureOf(context, bare.address, firstPaint),
        ours: () => figureOf(context, address, firstPaint),
      },
      planOf(visit, { first: { warm: 4 }, later: [3, 1] }),
      visit,
    );
    bare.close();
    const [ours, paintOfBare] = [quiet(of.ours), quiet(of.bare)];
    const cold = await visit.keep(async () => first.ours);
    const detail = join(
      `${(ours / paintOfBare).toFixed(1)} × a bare page's ${paintOfBare.toFixed(0)} ms`,
      `the first time ${cold.toFixed(0)} ms`,
      `in the middle ${median(of.ours).toFixed(0)} ms`,
    );
    const what = "the page: navigation → first contentful paint, warm";
    return [{ id: "P22", what, value: ours, unit: "ms", goal: 300, detail }];
  });

/**
 * P23: a conversation of 5,000 messages: how soon it is there, what it holds, typing while an answer streams
 * in, scrolling, and a run that waits.
 */
export const pageAtWork = (setting: Setting, visit: Visit): Promise<readonly Figure[]> =>
  withBrowser(["P23"], async (browser) => {
    // What was typed before would stand in the conversation.
    const data = `page-${visit.add("visits", [1]).length}`;
    await makeLongConversation(setting, data);
    const open = (model: string) =>
      setting.start(data, { on: cores.two, settings: { default_model: `mock/${model}` } });
    const service = await open("s-1000-10");
    const context = await browser.newContext();
    await context.addInitScript(watch);
    const address = addressOf(service);
    const [, ...openings] = await times(rounds.opening, () => figureOf(context, address, "window.painted"));
    const opened = visit.add("opened", openings);
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate("window.painted");
    const meter = await meterOf(page);
    const nodes = visit.add("nodes", [await meter("Nodes")]);
    const heap = visit.add("heap", [await meter("JSHeapUsedSize")]);
    const typing = await times(rounds.typing, () => typeDuringAnswer(page));
    const typed = (name: string, figureIn: (one: Typing) => number): readonly number[] =>
      visit.add(name, typing.map(figureIn));
    const p95 = typed("p95", ({ shown }) => partOf(shown, 0.95));
    const worst = typed("worst", ({ shown }) => partOf(shown, 1));
    const painted = typed("painted", (one) => partOf(one.painted, 0.95));
    const busy = typed("busy", (one) => 100 * one.busy);
    await page.close();
    await service.end();
    const idle = await open("s-2-60000");
    const other = await context.newPage();
    await other.goto(addressOf(idle));
    await other.evaluate("window.painted");
    const scrolling = await times(rounds.scrolling, () => other.evaluate<Scrolling>(scroll));
    const scrolled = (name: string, figureIn: (one: Scrolling) => number): readonly number[] =>
      visit.add(name, scrolling.map(figureIn));
    const frame95 = scrolled("frame p95", ({ frames }) => partOf(frames, 0.95));
    const worstFrame = scrolled("worst frame", ({ frames }) => partOf(frames, 1));
    const jump = scrolled("jump", (one) => one.jump);
    const speed = scrolled("speed", (one) => one.speed);
    await other.close();
    const waiting = await visit.keep(() => runAlone(context, idle));
    await idle.end();
    const where = "in 5,000 messages, 100 texts a second streaming in";
    const list = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(", ");
    const figure = (more: Omit<Figure, "id">): Figure => ({ id: "P23", ...more });
    return [
      figure({
        what: "5,000 messages opened at the end: navigation → painted",
        value: quiet(opened),
        unit: "ms",
        goal: 400,
        detail: list(opened),
      }),
      figure({
        what: `key → paint, p95, ${where}`,
        value: mean(p95),
        unit: "ms",
        goal: 32,
        detail: `${list(p95)}; until the page has painted it, ${list(painted)}`,
      }),
      figure({
        what: `key → paint, worst of ${keys}, ${where}`,
        value: mean(worst),
        unit: "ms",
        goal: 50,
        detail: list(worst),
      }),
      figure({ what: `main thread at work, ${where}`, value: quiet(busy), unit: "%", goal: 35 }),
      figure({
        what: "nodes of the document, 5,000 messages opened",
        value: median(nodes),
        unit: "",
        goal: 4000,
      }),
      figure({ what: "heap, 5,000 messages opened", value: median(heap) / 2 ** 20, unit: "MiB", goal: 30 }),
      figure({
        what: "scrolling there, a frame, p95",
        value: median(frame95),
        unit: "ms",
        goal: 25,
        detail: `${median(speed).toFixed(0)} of 24,000 pixels a second`,
      }),
      figure({
        what: "scrolling there, a frame, worst of 3 s",
        value: mean(worstFrame),
        unit: "ms",
        goal: 50,
        detail: list(worstFrame),
      }),
      figure({
        what: "scrolling there, jump of what is read",
        value: median(jump),
        unit: "px",
        goal: 1,
      }),
      figure({
        what: "a run that waits for its model: main thread at work",
        value: 100 * waiting.busy,
        unit: "%",
        goal: 1,
      }),
      figure({
        what: `a run that waits for its model, ${alone} s: requests`,
        value: waiting.requests,
        unit: "",
        goal: 0,
      }),
    ];
  });
