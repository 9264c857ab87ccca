import { existsSync } from "node:fs";
import { expect } from "chai";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import type { Json } from "@pergola/sdk";
import { chatReply, type MockReply, type MockScript, type ScriptTurn } from "@pergola/sdk/testing";
import { freePort, openProject, type Program, type Project } from "./pergola.ts";

const program = "/usr/bin/chromium";

/** Debian's package `chromium`; without it tests of the page skip themselves. */
export const hasChromium = (): boolean => existsSync(program);

/** A page of the service in a real browser. What a browser must not see is gathered in `faults`. */
export interface PageScene {
  readonly project: Project;
  readonly url: string;
  readonly page: Page;
  /** Violations of the Content-Security-Policy, errors in the console, requests to other origins. */
  readonly faults: readonly string[];
  /** Another window of the same browser. */
  readonly another: () => Promise<Page>;
  /** A request without the browser, its answer read as JSON. */
  readonly ask: <T>(method: string, path: string, body?: object) => Promise<T>;
  /** The service, a program of its own: it refuses those that it has started itself, or its test's. */
  readonly service: () => Program;
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface SceneOptions {
  /** Over those of the project; what is undefined is not set. */
  readonly settings?: Readonly<Record<string, Json | undefined>>;
  readonly width?: number;
  readonly height?: number;
  /** Pixels of a screenshot for each of the page. */
  readonly scale?: number;
  readonly dark?: boolean;
  /** The person has colours of their own in force for all pages. */
  readonly forcedColors?: boolean;
  readonly touch?: boolean;
  /** How the person uses the page: with `by keyboard` a pointer is a fault. */
  readonly way?: Way;
}

/** A browser for all tests of a file, which closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

const withoutPointer = `addEventListener("pointerdown", () => { throw new Error("A pointer was used") }, true)`;

async function openPageScene(
  browser: Browser,
  script?: MockScript,
  {
    width = 1280,
    height = 800,
    scale = 1,
    dark = false,
    touch = false,
    forcedColors = false,
    way,
    settings = {},
  }: SceneOptions = {},
): Promise<PageScene> {
  const project = await openProject(script);
  project.settings({ "memory.embedding_model": "", ...settings });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let service: Program;
  const start = async (): Promise<void> => {
    service = project.begin(["start", "--port", String(port)]);
    await service.wrote("stop with Ctrl-C");
  };
  await start();
  const faults: string[] = [];
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: dark ? "dark" : "light",
    forcedColors: forcedColors ? "active" : "none",
    hasTouch: touch,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  if (way === "by keyboard") await context.addInitScript(withoutPointer);
  const another = async (): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on("console", (message) => {
      // The browser itself writes refused and lost requests there.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      const target = request.url();
      if (!target.startsWith(`${url}/`) && !/^(data|blob):/.test(target)) faults.push(`request to ${target}`);
    });
    return page;
  };
  const page = await another();
  return {
    project,
    url,
    page,
    faults,
    another,
    ask: async <T>(method: string, path: string, body?: object) => {
      const answer = await fetch(url + path, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as T;
    },
    service: () => service,
    start,
    end: async () => {
      await context.close();
      await project.close();
    },
  };
}

/**
 * Registers the hooks of a file's tests: one browser for all of them, without which they skip themselves, and
 * the end of each test's scene, where what the browser must not have seen is a failure. Gives the way to open
 * the scene of a test.
 */
export function scenesInBrowser(): (script?: MockScript, options?: SceneOptions) => Promise<PageScene> {
  let browser: Browser | undefined;
  let scene: PageScene | undefined;
  before(async function () {
    if (!hasChromium()) return this.skip();
    browser = await openBrowser();
  });
  after(() => browser?.close());
  afterEach(async function () {
    const faults = scene?.faults ?? [];
    await scene?.end();
    scene = undefined;
    if (this.currentTest?.isPassed()) expect(faults).to.deep.equal([]);
  });
  return async (script, options) => (scene = await openPageScene(browser!, script, options));
}

/** One turn after the other; the last one again for all calls after it. */
export const turns = (...all: readonly ScriptTurn[]): (() => MockReply) => {
  let next = 0;
  return () => chatReply(all[Math.min(next++, all.length - 1)] ?? []);
};

/** What the diffs in there show, sign and text of each line. */
export const diffLines = async (card: Locator): Promise<readonly string[]> => {
  await card.locator(".diff").waitFor();
  const rows = await card.locator(".diff tr").all();
  return Promise.all(
    rows.map(async (row) => {
      const sign = (await row.locator(".sign [aria-hidden]").textContent()) ?? "";
      return `${sign.padEnd(1)}${(await row.locator(".line-text").textContent()) ?? ""}`;
    }),
  );
};

/** The ways to use the page: each journey works by both. */
export const ways = ["by pointer", "by keyboard"] as const;
export type Way = (typeof ways)[number];

/** Chooses an option by what it reads: with the pointer, or by Tab to its list and the arrow keys. */
export async function choose(page: Page, list: Locator, option: string, way: string): Promise<void> {
  if (way === "by pointer") return void (await list.selectOption(option));
  const chosen = (): Promise<string | null> => list.locator("option:checked").textContent();
  await press(page, list, way, "Home");
  for (let steps = 0; steps < 20 && (await chosen()) !== option; steps += 1)
    await page.keyboard.press("ArrowDown");
  if ((await chosen()) !== option) throw new Error(`The arrows do not reach "${option}"`);
}

/**
 * Goes to a button or a link, by keyboard with Tab. Gives the way to use it: the click, or the key that it
 * takes.
 */
export async function reach(
  page: Page,
  target: Locator,
  way: string,
  key = "Space",
): Promise<() => Promise<void>> {
  await target.waitFor();
  if (way === "by pointer") return () => target.click();
  const isThere = async (): Promise<boolean> => (await target.and(page.locator(":focus")).count()) > 0;
  for (let steps = 0; steps < 60 && !(await isThere()); steps += 1) await page.keyboard.press("Tab");
  if (!(await isThere())) throw new Error("Tab does not reach it");
  return () => page.keyboard.press(key);
}

/** Presses a button or follows a link. */
export const press = async (...what: Parameters<typeof reach>): Promise<void> => (await reach(...what))();
