import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Json, ToolContext } from "@pergola/sdk";
import { listen, page, stopWeb, web, type Site } from "./web.ts";

const isInstalled = (): boolean =>
  ["chromium", "bwrap"].every((program) => spawnSync(program, ["--version"]).status === 0);

const preferences: Readonly<Record<string, Json>> = {
  "tools.web.browser_command": "chromium",
  "sandbox.programs": "auto",
};

/** Command lines of browsers that a scrape has started and that still run. */
const browsers = (): readonly string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return line.includes("pergola-browser-") && line.includes("remote-debugging-pipe") ? [line] : [];
      } catch {
        return [];
      }
    });

/** Folders that a scrape has made, and what Playwright makes. */
const folders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => /^(pergola-browser|playwright)/.test(name));

const scripted = (script: string): string =>
  `<!doctype html><html><head><title>Bare</title></head><body><p id="here">Before</p>
  <script>${script}</script></body></html>`;

describe("web_operations.scrape with a browser", function () {
  this.timeout(90_000);
  before(function () {
    if (isInstalled()) return;
    console.log("      skipped: needs the Debian packages chromium and bubblewrap");
    this.skip();
  });
  afterEach(stopWeb);

  const withBrowser = (sites: Readonly<Record<string, Site>>) => web(sites, { preferences });

  it("reads what a page's scripts have made, from what they asked for without cookies", async () => {
    const { origin, run, asked } = await withBrowser({
      "/": scripted(`alert("wait"); document.cookie = "a=b"; const s = document.createElement("script");
        s.src = "/later.js"; document.head.append(s);`),
      "/later.js": {
        headers: { "content-type": "text/javascript", "set-cookie": "c=d" },
        body: `fetch("/data", { method: "POST", body: "which" }).then((r) => r.json()).then(({ words }) => {
          document.title = "Made"; here.textContent = words; });`,
      },
      "/data": { headers: { "content-type": "application/json" }, body: `{"words":"The keystone is last."}` },
    });
    const { data, images } = await run("scrape", { url: `${origin}/`, selectors: ["#here", "title"] });
    expect(data).to.deep.equal({
      url: `${origin}/`,
      selected: [
        { selector: "#here", texts: ["The keystone is last."] },
        { selector: "title", texts: ["Made"] },
      ],
    });
    expect(images).to.equal(undefined);
    expect(asked.map(({ method, path, body }) => `${method} ${path} ${body}`)).to.deep.equal([
      "GET / ",
      "GET /later.js ",
      "POST /data which",
    ]);
    expect(asked.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, undefined, undefined]);
    expect(browsers()).to.deep.equal([]);
  });

  it("gives the article and a picture of the page", async () => {
    const text = "A centring carries the stones of an arch until its keystone is set. ".repeat(8);
    const { origin, run } = await withBrowser({
      "/": page("Centring", text, text).replace("</main>", "</main><script>document.title += 's'</script>"),
    });
    const { data, images = [] } = await run("scrape", { url: `${origin}/`, screenshot: true });
    expect((data as { readonly content: string }).content).to.contain(text.trim());
    expect((data as { readonly title: string }).title).to.equal("Centrings");
    const picture = Buffer.from((images[0] ?? "").replace("data:image/jpeg;base64,", ""), "base64");
    expect(picture.subarray(0, 3).toString("hex")).to.equal("ffd8ff");
    expect(picture.length).to.be.greaterThan(5000);
  });

  it("lets no page reach this machine, its files, or a network of its own", async () => {
    const reached: string[] = [];
    const other = createServer((request, response) => {
      reached.push(request.url ?? "");
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("secret");
    });
    const port = await listen(other);
    const socket = createTcpServer((connection) => {
      reached.push("socket");
      connection.destroy();
    });
    const socketPort = await listen(socket);
    const { origin, run, context } = await withBrowser({
      "/": scripted(`
        const told = {};
        const tell = (name, work) => work.then((x) => told[name] = "got " + x, () => told[name] = "refused").then(() => { here.textContent = JSON.stringify(told); });
        const text = (url) => fetch(url).then((r) => r.text());
        const image = (url) => new Promise((ok, no) => Object.assign(new Image(), { onload: ok, onerror: no }).src = url);
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.src = "http://127.0.0.1:${port}/frame";
        Promise.all([
          tell("fetch", text("http://127.0.0.1:${port}/fetch")),
          tell("name", text("http://localhost:${port}/name")),
          tell("image", image("http://127.0.0.1:${port}/image")),
          tell("file", text("file:///etc/passwd")),
          tell("socket", new Promise((ok, no) => {
            const s = new WebSocket("ws://127.0.0.1:${socketPort}/"); s.onopen = ok; s.onclose = no; s.onerror = no; })),
        ]);
        navigator.sendBeacon("http://127.0.0.1:${port}/beacon", "x");
        try { const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${socketPort}" }] });
          p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)); } catch {}
        window.open("http://127.0.0.1:${port}/popup");`),
    });
    const wanted: string[] = [];
    const fetch: ToolContext["fetch"] = (url, init) => {
      wanted.push(new URL(url).pathname);
      return context.fetch(url, init);
    };
    const { data } = await run("scrape", { url: `${origin}/`, selectors: ["#here"] }, { fetch });
    const [{ texts } = { texts: [] }] = (data as { selected: { texts: string[] }[] }).selected;
    expect(JSON.parse(texts[0] ?? "{}")).to.deep.equal({
      fetch: "refused",
      name: "refused",
      image: "refused",
      file: "refused",
      socket: "refused",
    });
    // They came as far as the door, which refused them.
    expect(wanted).to.include.members(["/fetch", "/name", "/image", "/frame"]);
    expect(reached).to.deep.equal([]);
  });

  it("ends with the call, whatever the page does", async () => {
    const { origin, run } = await withBrowser({ "/": scripted("for (;;) console.log('x'.repeat(1e6));") });
    const before = folders();
    const controller = new AbortController();
    const reason = new Error("enough");
    const running = run("scrape", { url: `${origin}/` }, { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    while (browsers().length === 0) await wait(50);
    await wait(1500);
    controller.abort(reason);
    expect(await running).to.equal(reason);
    for (let tries = 0; browsers().length > 0 && tries < 100; tries += 1) await wait(50);
    expect(browsers()).to.deep.equal([]);
    expect(folders()).to.deep.equal(before);
  });

  it("says what is missing", async () => {
    const site = { "/": page("Arch", "x") };
    const none = await web(site);
    const picture = await none.failure("scrape", { url: `${none.origin}/`, screenshot: true });
    expect([picture.code, picture.hint]).to.deep.equal([
      "unavailable",
      "Leave screenshot out, or tell the person to set tools.web.browser_command.",
    ]);
    const gone = await web(site, {
      preferences: { ...preferences, "tools.web.browser_command": "chromiom" },
    });
    expect((await gone.failure("scrape", { url: `${gone.origin}/` })).message).to.equal(
      'The browser "chromiom" of tools.web.browser_command is not installed.',
    );
    const bare = await web(site, { preferences: { ...preferences, "sandbox.programs": "none" } });
    expect((await bare.failure("scrape", { url: `${bare.origin}/` })).message).to.equal(
      "A browser is opened in a sandbox only, and there is none.",
    );
    const wrong = await web(site, { preferences: { ...preferences, "tools.web.browser_command": "true" } });
    const failed = await wrong.failure("scrape", { url: `${wrong.origin}/` });
    expect(failed.message).to.match(/^The page could not be opened in a browser: /);
  });
});
