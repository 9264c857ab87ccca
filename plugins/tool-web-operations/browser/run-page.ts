import { chromium, type BrowserContext, type Page, type Route } from "playwright-core";
import type { PageRequest, RenderAsk, Rendered, RequestAnswer } from "./browser-tasks.ts";

/** Milliseconds: for the browser to start, the page to load, its scripts to come to rest, one look. */
const patience = { start: 15_000, load: 12_000, rest: 4000, look: 5000 } as const;
/** Characters of a page's HTML. */
const largest = 5 * 2 ** 20;
/** Requests of one page, and bytes of what one sends. */
const most = { requests: 300, body: 2 ** 20 } as const;
const viewport = { width: 1280, height: 800 } as const;

/** What a page's text does not need. */
const needless = new Set(["media", "font", "eventsource", "ping", "cspreport"]);

/** Requests of a page that wait for their answers. */
export class PageRequests {
  readonly #waiting = new Map<number, (answer: RequestAnswer["answer"]) => void>();
  #count = 0;

  /** What has come for a request. */
  settle({ id, answer }: RequestAnswer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Has a request answered by whoever `emit` tells, or ends it. */
  async serve(route: Route, emit: (request: PageRequest) => void): Promise<void> {
    const request = route.request();
    const body = request.postDataBuffer();
    const isRefused = needless.has(request.resourceType()) || (body?.length ?? 0) > most.body;
    if (isRefused || ++this.#count > most.requests) return route.abort("blockedbyclient");
    const id = this.#count;
    const answer = await new Promise<RequestAnswer["answer"]>((resolve) => {
      this.#waiting.set(id, resolve);
      emit({ id, url: request.url(), method: request.method(), headers: request.headers(), body });
    });
    if (answer === undefined) return route.abort("failed");
    await route.fulfill({ ...answer, headers: { ...answer.headers }, body: Buffer.from(answer.body) });
  }
}

/** Answers the page itself with what its server has sent, and everything that it asks for through `serve`. */
async function routeAll(
  context: BrowserContext,
  html: string,
  serve: (route: Route) => Promise<void>,
): Promise<void> {
  let isFirst = true;
  await context.route("**/*", async (route) => {
    const isPage = isFirst && route.request().isNavigationRequest();
    if (isPage) isFirst = false;
    // The browser may have ended meanwhile.
    await (
      isPage ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html }) : serve(route)
    ).catch(() => undefined);
  });
  context.on("page", (page) => {
    if (context.pages()[0] !== page) void page.close().catch(() => undefined);
  });
}

/** The page's HTML, read in a world of its own, where the page's scripts have changed nothing. */
async function htmlOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  const { result } = await session.send("Runtime.evaluate", {
    contextId: executionContextId,
    expression: `document.documentElement.outerHTML.slice(0, ${largest})`,
    returnByValue: true,
  });
  return String(result.value);
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("its scripts never come to rest")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function lookAt(page: Page, { url, screenshot }: RenderAsk): Promise<Rendered> {
  // A page that never ends loading, or never rests, is read as it is then.
  await page.goto(url, { waitUntil: "load", timeout: patience.load }).catch(() => undefined);
  await page.waitForLoadState("networkidle", { timeout: patience.rest }).catch(() => undefined);
  const html = await within(patience.look, htmlOf(page));
  const picture = screenshot
    ? await page.screenshot({ type: "jpeg", quality: 75, timeout: patience.look })
    : undefined;
  return { url: page.url(), html, ...(picture && { screenshot: new Uint8Array(picture) }) };
}

/** Opens a page in a browser of its own, lets its scripts run, and reads what they have made of it. */
export async function runPage(ask: RenderAsk, serve: (route: Route) => Promise<void>): Promise<Rendered> {
  const browser = await chromium.launch({
    executablePath: ask.program,
    env: { ...ask.env },
    // The sandbox is around it, and lets it make none of its own.
    chromiumSandbox: false,
    args: ["--disable-gpu"],
    timeout: patience.start,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    const context = await browser.newContext({
      viewport,
      userAgent: "Mozilla/5.0 (compatible; Pergola)",
      acceptDownloads: false,
      serviceWorkers: "block",
    });
    await routeAll(context, ask.html, serve);
    return await lookAt(await context.newPage(), ask);
  } finally {
    await browser.close();
  }
}
