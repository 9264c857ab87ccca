import { createServer } from "node:http";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { fillStore, filledId } from "../../support/fill-store.ts";
import { hasChromium, openBrowser } from "../../support/page-scene.ts";
import { now, sleep } from "../client.ts";
import { measure, median, ratioOf } from "../measure.ts";
import { cores, place } from "../processes.ts";
import { join, missing, type Figure } from "../report.ts";
import { freePort, type Setting } from "../setting.ts";

/** Gathers what the browser tells of a page: when its first message stood there, and how long keys took. */
const watch = `(() => {
  window.painted = new Promise((resolve) => new MutationObserver((_, watcher) => {
    if (document.querySelector(".message") === null) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true }));
  window.delays = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === "keydown") window.delays.push(duration);
  }).observe({ type: "event", durationThreshold: 16 });
})()`;

/** When the first text or picture was painted, in milliseconds after the navigation. */
const firstPaint = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
}).observe({ type: "paint", buffered: true }))`;

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
const keys = 100;

interface Typing {
  /** Milliseconds from each key to what it painted; 16 where it was less. */
  readonly delays: readonly number[];
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
  const session = await page.context().newCDPSession(page);
  // The time on the processor, which other programs distort less than that on the clock.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const [before, begun] = [await work(), now()];
  await field.pressSequentially("x".repeat(keys), { delay: 60 });
  const busy = ((await work()) - before) / (now() - begun);
  if ((await page.getByRole("button", { name: /^Stop/ }).count()) === 0)
    throw new Error("The answer has ended before the last key.");
  await sleep(200);
  const slow = await page.evaluate<readonly number[]>("window.delays.slice(1)");
  const quick = Array.from({ length: Math.max(0, keys - slow.length) }, () => 16);
  return { delays: [...quick, ...slow].sort((a, b) => a - b), busy };
}

/** A service whose newest conversation has many messages; its model streams 100 texts a second. */
async function longConversation({ folder, start }: Setting) {
  const data = "page";
  await (await start(data)).end();
  await fillStore(path.join(folder, data), { messages, conversations: 1 });
  return start(data, { on: cores.two, settings: { default_model: "mock/s-1000-10" } });
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
export const pagePaint = ({ service }: Setting): Promise<readonly Figure[]> =>
  withBrowser(["P22"], async (browser) => {
    place(service.pid, cores.two);
    const bare = await openBarePage();
    const context = await browser.newContext();
    const address = `http://127.0.0.1:${service.port}/`;
    const { of, first, note } = await measure(
      {
        bare: () => figureOf(context, bare.address, firstPaint),
        ours: () => figureOf(context, address, firstPaint),
      },
      { pairs: 7, warm: 4 },
    );
    bare.close();
    const detail = join(
      `${ratioOf(of.ours, of.bare).toFixed(1)} × a bare page's ${median(of.bare).toFixed(0)} ms`,
      `the first time ${first.ours.toFixed(0)} ms`,
      note,
    );
    const what = "the page: navigation → first contentful paint, warm";
    return [{ id: "P22", what, value: median(of.ours), unit: "ms", goal: 300, detail }];
  });

/** P23: a conversation of 5,000 messages: how soon it is there, and typing while an answer streams in. */
export const pageTyping = (setting: Setting): Promise<readonly Figure[]> =>
  withBrowser(["P23"], async (browser) => {
    const service = await longConversation(setting);
    const context = await browser.newContext();
    await context.addInitScript(watch);
    const address = `http://127.0.0.1:${service.port}/#/c/${filledId(0)}`;
    const opened: number[] = [];
    for (let round = 0; round < 5; round++) opened.push(await figureOf(context, address, "window.painted"));
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate("window.painted");
    const { delays, busy } = await typeDuringAnswer(page);
    await service.end();
    const where = "in 5,000 messages, 100 texts a second streaming in";
    const figure = (more: Omit<Figure, "id">): Figure => ({ id: "P23", ...more });
    return [
      figure({
        what: "5,000 messages opened at the end: navigation → painted",
        value: median(opened),
        unit: "ms",
        goal: 400,
        detail: opened.map((time) => time.toFixed(0)).join(", "),
      }),
      figure({
        what: `key → paint, p95, ${where}`,
        value: delays[Math.floor(delays.length * 0.95)],
        unit: "ms",
        goal: 32,
        detail: "the browser tells them in steps of 8 ms, from 16 on",
      }),
      figure({ what: `key → paint, worst, ${where}`, value: delays.at(-1), unit: "ms", goal: 50 }),
      figure({ what: `main thread at work, ${where}`, value: 100 * busy, unit: "%", goal: 35 }),
    ];
  });
