import { expect } from "chai";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { ask, officialPlugins, openStage, type Stage } from "../support/host.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";

const script = "<script>fetch('/api/tokens')</script><img src=x onerror=alert(1)>";
const endpoints = ["GET /a-page", "GET /a-fragment"];
/** Where browsers come back to from a sign-in, with words of whoever sent them. */
const signInPage = "/api/mcp/oauth/callback";
/** The pages of the service itself: test/page. */
const ownPages = ["GET /", "GET /docs", "GET /docs/{file…}", `GET ${signInPage}`];

/** Serves HTML, on a route for pages and on another. */
const pagesPlugin = () => ({
  use: writePlugin(temporaryFolder(), {
    id: "endpoint-html",
    kind: "endpoint",
    provides: { endpoints },
    code: `
const html = (path, more) => ({
  method: "GET", path, scope: "read", summary: "HTML",
  answers: { 200: { "text/html": { type: "string" } } },
  handle: () => ({ text: ${JSON.stringify(script)}, contentType: "text/html; charset=utf-8" }),
  ...more,
});
export default {
  endpoints: [{ group: "html", routes: [html("/a-page", { scope: "open", page: true }), html("/a-fragment", {})] }],
};`,
  }),
  isolation: "trusted",
});

describe("what browsers may do with answers", () => {
  let stage: Stage;
  before(async () => {
    const plugins = [...officialPlugins(), pagesPlugin()];
    stage = await openStage(chatReply({ text: script }), { plugins });
  });
  after(() => stage.end());

  const policyOf = ({ headers }: Response): string => headers.get("content-security-policy") ?? "";

  it("X39 pages lie in no frame, and run no script but the service's own", async () => {
    for (const path of ["/a-page", "/a-fragment"]) {
      const answer = await stage.host.request("GET", path);
      expect(await answer.text()).to.equal(script);
      const parts = policyOf(answer).split("; ");
      expect(parts).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
      expect(policyOf(answer)).not.to.match(/unsafe|\*|https?:/);
      expect(answer.headers.get("cross-origin-opener-policy")).to.equal("same-origin");
      expect(answer.headers.get("cross-origin-resource-policy")).to.equal("same-origin");
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
    }
  });

  it("X39 the page after a sign-in shows nobody's words as markup, and runs no script of theirs", async () => {
    const words = new URLSearchParams({
      state: script,
      code: script,
      error: script,
      error_description: script,
    });
    const answer = await stage.host.request("GET", `${signInPage}?${words.toString()}`);
    expect(answer.status).to.equal(400);
    expect(answer.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(await answer.text())
      .to.include("<!doctype html>")
      .and.not.match(/<script|<img|onerror/);
    expect(policyOf(answer).split("; ")).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(policyOf(answer)).not.to.match(/unsafe|\*|https?:/);
  });

  it("X39 nothing but a plugin's own page is HTML", async () => {
    let tried = 0;
    for (const { method, path } of stage.host.services.system.routes()) {
      if (method !== "GET") continue;
      if ([...endpoints, ...ownPages].includes(`GET ${path}`)) continue;
      const leaving = new AbortController();
      const headers = { Accept: "text/html" };
      const url = `${stage.host.url}${path.replaceAll(/\{\w+…?\}/g, "x")}`;
      const answer = await fetch(url, { headers, signal: leaving.signal });
      leaving.abort();
      expect(answer.headers.get("content-type"), path).not.to.include("html");
      expect(`${path} ${policyOf(answer)}`).to.equal(`${path} default-src 'none'`);
      tried += 1;
    }
    expect(tried).to.be.above(40);
  });

  it("X39 a script in a model's answer is data to the browser: whole, streamed, and where it is refused", async () => {
    const whole = await stage.host.request("POST", "/api/chat/completions", ask("Hi"));
    const streamed = await stage.host.request("POST", "/api/chat/completions", ask("Hi", { stream: true }));
    const refused = await stage.host.request("GET", `/api/runs/${encodeURIComponent(script)}`);
    const types = [whole, streamed, refused].map(({ headers }) => headers.get("content-type"));
    expect(types).to.deep.equal([
      "application/json; charset=utf-8",
      "text/event-stream; charset=utf-8",
      "application/json; charset=utf-8",
    ]);
    for (const answer of [whole, streamed, refused]) {
      expect(policyOf(answer)).to.equal("default-src 'none'");
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
      expect(answer.headers.get("referrer-policy")).to.equal("no-referrer");
    }
    expect(await whole.text()).to.include("onerror=alert(1)");
    expect(await streamed.text()).to.include("onerror");
    expect([whole.headers.get("cache-control"), streamed.headers.get("cache-control")]).to.deep.equal([
      "no-store",
      "no-cache",
    ]);
  });
});
