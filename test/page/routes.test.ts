import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { officialPlugins } from "../support/host.ts";
import { askRaw } from "../support/raw-answer.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** As a browser does, which names the type of a page; without it the answer is that to a client of Ollama. */
const ask: typeof askRaw = (url, headers = {}, method) =>
  askRaw(url, { accept: "text/html,*/*", ...headers }, method);

describe("the routes of the page", () => {
  let host: TestHost;
  let script = "";

  before(async () => {
    host = await startTestHost({
      plugins: officialPlugins(),
      settings: { storage: { type: "memory" }, "memory.embedding_model": "", "auth.loopback": "token" },
    });
    const { body } = await ask(host.url);
    [, script = ""] = /src="(\/web\/main-[^"]+\.js)"/.exec(body.toString()) ?? [];
  });
  after(() => host.stop());

  it("answer without a token where callers need one", async () => {
    expect((await ask(`${host.url}/api/models`)).status).to.equal(401);
    expect((await ask(host.url)).status).to.equal(200);
    expect((await ask(host.url + script)).status).to.equal(200);
  });

  it("send the page with its policy, to be asked for anew each time", async () => {
    const { headers } = await ask(host.url);
    expect(headers).to.include({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    });
  });

  it("answer 304 without a body while the page has not changed", async () => {
    const { headers } = await ask(host.url);
    const again = await ask(host.url, { "if-none-match": `"x", ${headers.etag}` });
    expect([again.status, again.body.length, again.headers.etag]).to.deep.equal([304, 0, headers.etag]);
    expect(again.headers).to.not.have.property("content-security-policy");
    expect((await ask(host.url, { "if-none-match": '"x"' })).status).to.equal(200);
  });

  it("let browsers keep the files, whose names are of their content, for a year", async () => {
    expect(script).to.match(/-[A-Z0-9]{8}\.js$/);
    const { headers } = await ask(host.url + script);
    expect(headers).to.include({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Origin, Accept-Encoding",
    });
  });

  it("send each file in the smallest form that the client takes", async () => {
    const plain = await ask(host.url + script);
    const gzip = await ask(host.url + script, { "accept-encoding": "gzip, br;q=0" });
    const brotli = await ask(host.url + script, { "accept-encoding": "gzip, deflate, br" });
    const encodings = [plain, gzip, brotli].map(({ headers }) => headers["content-encoding"]);
    expect(encodings).to.deep.equal([undefined, "gzip", "br"]);
    expect(brotli.body.length).to.be.below(gzip.body.length);
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true);
  });

  for (const name of ["index.html", "main.js", "..%2findex.js", "%2e%2e/index.js", `x/../index.html`])
    it(`know no file ${name}`, async () => {
      expect((await ask(`${host.url}/web/${name}`)).status).to.be.oneOf([401, 404]);
    });

  it("send the headers alone to HEAD", async () => {
    const { status, body, headers } = await ask(host.url, {}, "HEAD");
    expect([status, body.length]).to.deep.equal([200, 0]);
    expect(Number(headers["content-length"])).to.be.above(0);
  });

  it("open from a link on another site; a script of that site gets nothing", async () => {
    const site = { "sec-fetch-site": "cross-site" };
    const link = { ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await ask(host.url, link)).status).to.equal(200);
    expect((await ask(host.url, { ...site, "sec-fetch-mode": "no-cors" })).status).to.equal(403);
  });
});
