import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { filesBelow } from "../architecture/tree.ts";
import { officialPlugins } from "../support/host.ts";
import { askRaw } from "../support/raw-answer.ts";

const matches = (text: string, form: RegExp): readonly string[] =>
  [...text.matchAll(form)].map(([, found = ""]) => found.replaceAll("&amp;", "&"));

const idsOf = (html: string): readonly string[] => matches(html, / id="([^"]+)"/g);
const addressesOf = (html: string): readonly string[] => matches(html, / (?:href|src)="([^"]+)"/g);

describe("the documentation at /docs", () => {
  let host: TestHost;
  const begin = (settings = {}): Promise<TestHost> =>
    startTestHost({
      plugins: officialPlugins(),
      settings: { storage: { type: "memory" }, "memory.embedding_model": "", ...settings },
    });

  before(async () => {
    host = await begin({ "auth.loopback": "token" });
  });
  after(() => host.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    askRaw(host.url + path, headers, method);

  it("opens without a token where callers need one, under the policy of the page", async () => {
    expect((await get("/api/models")).status).to.equal(401);
    const page = (await get("/", { Accept: "text/html" })).headers["content-security-policy"];
    expect(page).to.include("default-src 'none'");
    for (const path of ["/docs", "/docs/", "/docs/settings", "/docs/decisions/0001-libraries"]) {
      const { status, headers } = await get(path);
      expect(`${path} ${status}`).to.equal(`${path} 200`);
      expect(headers).to.include({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": page,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
        vary: "Origin, Accept-Encoding",
      });
    }
  });

  it("has nothing in a page that the policy forbids", async () => {
    const html = (await get("/docs/add-a-tool")).body.toString();
    expect(html).to.match(/<link rel="stylesheet" href="\/docs\/style-[0-9a-f]{8}\.css">/);
    expect(html).not.to.match(/<script|<style|<iframe|\sstyle=|\son\w+=/);
  });

  it("answers 304 while a page has not changed", async () => {
    const { headers } = await get("/docs/settings");
    const again = await get("/docs/settings", { "if-none-match": String(headers.etag) });
    expect([again.status, again.body.length, again.headers.etag]).to.deep.equal([304, 0, headers.etag]);
    expect((await get("/docs/settings", { "if-none-match": '"x"' })).status).to.equal(200);
    expect((await get("/docs/errors")).headers.etag).not.to.equal(headers.etag);
  });

  it("lets browsers keep the style, whose name is of its content, for a year", async () => {
    const [style = ""] = matches((await get("/docs")).body.toString(), /"(\/docs\/style-[^"]+)"/g);
    const { status, headers } = await get(style);
    expect(status).to.equal(200);
    expect(headers).to.include({
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it("has its pictures from the service, which browsers keep for a year too", async () => {
    const [picture = ""] = matches((await get("/docs")).body.toString(), /<img src="([^"]+)"/g);
    expect(picture).to.match(/^\/docs\/chat-[0-9a-f]{8}\.png$/);
    const { status, headers, body } = await get(picture, { "accept-encoding": "gzip, br" });
    expect([status, headers["content-type"]]).to.deep.equal([200, "image/png"]);
    expect(headers["cache-control"]).to.include("immutable");
    expect(body.subarray(1, 4).toString()).to.equal("PNG");
  });

  it("sends a page in the smallest form that the client takes", async () => {
    const [plain, gzip, brotli] = [
      await get("/docs/api"),
      await get("/docs/api", { "accept-encoding": "gzip" }),
      await get("/docs/api", { "accept-encoding": "gzip, br" }),
    ];
    expect([gzip, brotli].map(({ headers }) => headers["content-encoding"])).to.deep.equal(["gzip", "br"]);
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true);
    expect(brotli.body.length).to.be.below(plain.body.length / 5);
  });

  const unknown = [
    "no-such-page",
    "404",
    "settings.html",
    "settings.html.br",
    "settings.md",
    "decisions/../settings",
    "../index.js",
    "..%2findex.js",
    "%2e%2e/%2e%2e/package.json",
    "..%5cindex.js",
    "/etc/passwd",
    "settings%00",
  ];
  for (const name of unknown)
    it(`has no page ${name}, and says so with a page that leads on, to a program with an error`, async () => {
      const { status, headers, body } = await get(`/docs/${name}`, { accept: "text/html,*/*;q=0.8" });
      expect(status).to.equal(404);
      expect(headers["content-type"]).to.equal("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).to.include("default-src 'none'");
      expect(body.toString()).to.include("<h1>No such page</h1>").and.include('href="/docs/settings"');
      const other = await get(`/docs/${name}`);
      const { error } = JSON.parse(other.body.toString()) as { readonly error: { readonly code: string } };
      expect([other.status, error.code]).to.deep.equal([404, "not_found"]);
    });

  it("sends the headers alone to HEAD, and takes nothing else", async () => {
    const { status, body } = await get("/docs/settings", {}, "HEAD");
    expect([status, body.length]).to.deep.equal([200, 0]);
    expect((await get("/docs/settings", {}, "POST")).status).to.be.oneOf([401, 405]);
  });

  it("opens from a link on another site; a script of that site gets nothing", async () => {
    const site = { "sec-fetch-site": "cross-site" };
    const link = { ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    for (const path of ["/docs", "/docs/settings"]) {
      expect((await get(path, link)).status).to.equal(200);
      expect((await get(path, { ...site, "sec-fetch-mode": "no-cors" })).status).to.equal(403);
    }
  });

  it("goes with the page where that is switched off", async () => {
    const without = await begin({ "endpoints.web.enabled": false });
    try {
      for (const path of ["/docs", "/docs/settings"])
        expect((await askRaw(without.url + path)).status).to.equal(404);
      expect((await askRaw(`${without.url}/docs`)).headers["content-type"]).to.include("json");
    } finally {
      await without.stop();
    }
  });

  it("is whole: each Markdown file is a page, and each link leads to a page and a section", async () => {
    const pages = new Map<string, string>();
    const open = ["/docs"];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue;
      const { status, body } = await get(path);
      expect(`${path} ${status}`).to.equal(`${path} 200`);
      pages.set(path, body.toString());
      const next = addressesOf(body.toString()).map((address) => address.replace(/#.*/, ""));
      open.push(...next.filter((address) => address.startsWith("/docs")));
    }
    const broken = [...pages].flatMap(([path, html]) => {
      const ids = idsOf(html);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}: ${id} twice`);
      const lost = addressesOf(html).filter((address) => {
        if (/^(https?|mailto):/.test(address) || address === "/") return false;
        const [target = "", anchor] = address.split("#");
        const to = pages.get(target === "" ? path : target);
        return to === undefined || (anchor !== undefined && !idsOf(to).includes(anchor));
      });
      return [...twice, ...lost.map((address) => `${path} → ${address}`)];
    });
    expect(broken).to.deep.equal([]);
    const html = [...pages.keys()].filter((path) => !/\.(css|svg|png)$/.test(path));
    const sources = filesBelow("docs").filter((file) => file.endsWith(".md"));
    expect(html.length).to.equal(sources.length + ["README.md", "SECURITY.md", "CHANGELOG.md"].length);
  });
});
