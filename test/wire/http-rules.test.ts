import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { ask, officialPlugins, openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";
import { type ErrorBody } from "./door-scene.ts";

const json = { "content-type": "application/json" };

describe("every route", () => {
  let stage: Stage;
  let host: TestHost;

  before(async () => {
    stage = await openStage();
    host = stage.host;
  });

  after(() => stage.end());

  verifies(
    "http:content-type",
    "CVE-2024-36857: a body of another type, or of none, is 415 and changes nothing (S23)",
    async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
        const answer = await host.request("POST", "/v1/conversations", '{"title":"posted"}', {
          "content-type": type,
        });
        expect([type, answer.status]).to.deep.equal([type, 415]);
      }
      const untyped = await fetch(`${host.url}/v1/conversations`, {
        method: "POST",
        body: new TextEncoder().encode('{"title":"untyped"}'),
      });
      expect(untyped.status).to.equal(415);
      expect((await fetch(`${host.url}/v1/conversations`, { method: "POST" })).status).to.equal(201);
      const { body } = await host.json<{ readonly conversations: readonly { readonly title: string }[] }>(
        "GET",
        "/v1/conversations",
      );
      expect(body.conversations.map(({ title }) => title)).to.not.include.members(["posted", "untyped"]);
      expect(body.conversations).to.have.lengthOf(1);
    },
  );

  verifies("http:size", "a body that is too large is 413", async () => {
    const small = await startTestHost({
      plugins: officialPlugins(),
      settings: { storage: { type: "memory" }, server: { max_body_bytes: 1024 } },
    });
    const { status, body } = await small.json<ErrorBody>(
      "POST",
      "/api/chat/completions",
      ask("x".repeat(2000)),
    );
    await small.stop();
    expect([status, body.error.code]).to.deep.equal([413, "request_too_large"]);
  });

  verifies("door:depth", "JSON that is too deep is refused, wherever it stands", async () => {
    for (const depth of [65, 200_000]) {
      const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      const answer = await host.request(
        "POST",
        "/api/chat/completions",
        `{"model":"default","messages":[{"role":"user","content":${deep}}]}`,
      );
      expect([depth, answer.status]).to.deep.equal([depth, 400]);
    }
  });

  verifies("door:prototype-keys", "prototype keys are refused by name", async () => {
    for (const key of ["__proto__", "\\u005f\\u005fproto__", 'constructor":{"prototype":{}},"x']) {
      const answer = await host.request(
        "POST",
        "/api/chat/completions",
        `{"${key}":{"isAdmin":true},"model":"default","messages":[]}`,
      );
      const { error } = (await answer.json()) as ErrorBody;
      expect([
        answer.status,
        error.code,
        /proto|constructor/.test(`${error.message} ${error.param ?? ""}`),
      ]).to.deep.equal([400, "invalid_value", true]);
    }
    expect(({} as { readonly isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  verifies("http:request-id", "a well-formed X-Request-Id is echoed, any other is replaced", async () => {
    const echoed = await host.request("GET", "/health", undefined, { "x-request-id": "abc-123_X" });
    const made = await host.request("GET", "/health", undefined, { "x-request-id": "not well formed!" });
    expect(echoed.headers.get("x-request-id")).to.equal("abc-123_X");
    expect(made.headers.get("x-request-id")).to.match(/^[A-Za-z0-9_-]{1,64}$/);
  });

  verifies("http:unknown-path", "an unknown path is 404 route_not_found", async () => {
    expect((await host.json<ErrorBody>("GET", "/api/nothing")).body.error.code).to.equal("route_not_found");
  });

  verifies("http:wrong-method", "a known path with another method is 405 with Allow", async () => {
    const answer = await host.request("PUT", "/v1/conversations", {}, json);
    expect([answer.status, answer.headers.get("allow")]).to.deep.equal([405, "GET, HEAD, POST"]);
  });

  verifies("http:trailing-slash", "one trailing slash is ignored", async () => {
    expect([
      (await host.request("GET", "/api/models/")).status,
      (await host.request("GET", "/api/models//")).status,
    ]).to.deep.equal([200, 404]);
  });

  verifies("http:no-coercion", "a number for a text is 400 naming the field", async () => {
    const { status, body } = await host.json<ErrorBody>("POST", "/v1/conversations", { title: 7 });
    expect([status, body.error.code, body.error.param]).to.deep.equal([400, "invalid_value", "title"]);
  });

  verifies("http:uuid-case", "UUIDs in paths count without regard to case", async () => {
    const { body } = await host.json<{ readonly id: string }>("POST", "/v1/conversations", {});
    expect((await host.request("GET", `/v1/conversations/${body.id.toUpperCase()}`)).status).to.equal(200);
  });

  verifies("http:lists", "lists take limit and offset, and count what matched", async () => {
    for (const title of ["list a", "list b", "list c"])
      await host.json("POST", "/v1/conversations", { title });
    const { body } = await host.json<{ readonly conversations: readonly object[]; readonly count: number }>(
      "GET",
      "/v1/conversations?q=list&limit=2&offset=2",
    );
    expect([body.conversations.length, body.count]).to.deep.equal([1, 3]);
    for (const query of ["limit=0", "limit=1001", "offset=-1", "limit=x"])
      expect((await host.request("GET", `/v1/conversations?${query}`)).status).to.equal(400);
  });
});
