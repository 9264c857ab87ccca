import { expect } from "chai";
import { AppError, type EndpointRequest, type Route } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import { closeDoors, openDoor, readAnswer, sendBytes, type ShownError } from "./open-door.ts";

const seen: EndpointRequest[] = [];
const note: Route["handle"] = (request) => {
  seen.push(request);
  return { body: { body: request.body, query: request.query, params: request.params } };
};

/** Bytes that are no text. */
const image = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) % 256);

const routes: readonly (Route & { readonly group?: string })[] = [
  {
    method: "GET",
    path: "/things",
    scope: "read",
    summary: "",
    handle: note,
    query: {
      limit: { type: "integer", minimum: 1, maximum: 1000 },
      offset: { type: "integer", minimum: 0, default: 0 },
      raw: { type: "boolean" },
      resultId: { type: "string", aliases: ["toolCallId"] },
      tags: { type: "array", items: { type: "string" } },
      status: { enum: ["all", "not-done"] },
    },
  },
  {
    method: "POST",
    path: "/things",
    scope: "read",
    summary: "",
    handle: note,
    body: {
      type: "object",
      required: ["model", "messages"],
      properties: {
        model: { type: "string" },
        maxTokens: { type: "integer", minimum: 1 },
        temperature: { type: "number", minimum: 0, maximum: 2 },
        stream: { type: "boolean", default: false },
        messages: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["role"],
            properties: { role: { enum: ["user", "tool"] }, toolCallId: { type: "string" } },
          },
        },
      },
    },
  },
  { method: "DELETE", path: "/things", scope: "read", summary: "", handle: note },
  {
    method: "GET",
    path: "/image",
    scope: "read",
    summary: "",
    handle: () => ({ bytes: image, contentType: "image/png", headers: { "Content-Encoding": "identity" } }),
  },
  { method: "GET", path: "/things/special", scope: "read", summary: "", handle: () => ({ body: "special" }) },
  {
    method: "GET",
    path: "/things/{thingId}",
    aliases: ["/old/{thingId}"],
    scope: "read",
    summary: "",
    handle: note,
    params: { thingId: { type: "string", maxLength: 20 } },
  },
  { method: "PATCH", path: "/things/{thingId}", scope: "read", summary: "", handle: note },
  { method: "POST", path: "/things/import", scope: "read", summary: "", handle: note },
  { method: "GET", path: "/models/{id…}", scope: "read", summary: "", handle: note },
  {
    method: "PUT",
    path: "/others/{id…}",
    scope: "read",
    summary: "",
    handle: note,
    params: { id: { type: "string", pattern: "^(?!taken(/|$))" } },
  },
  { method: "POST", path: "/others/taken", scope: "read", summary: "", handle: note },
  {
    method: "GET",
    path: "/models/download",
    scope: "read",
    summary: "",
    handle: () => ({ body: "download" }),
  },
  {
    method: "GET",
    path: "/models/download/{id}/status",
    scope: "read",
    summary: "",
    handle: () => ({ body: "status" }),
  },
  {
    method: "GET",
    path: "/unchanged",
    scope: "read",
    summary: "",
    handle: () => ({ isEmpty: true, status: 304, headers: { ETag: '"a"' } }),
  },
  { group: "extra", method: "GET", path: "/extra", scope: "read", summary: "", handle: note },
  {
    method: "GET",
    path: "/text",
    scope: "read",
    summary: "",
    handle: () => ({
      status: 203,
      text: "é",
      contentType: "text/plain; charset=utf-8",
      headers: { "X-Conversation-Id": "c" },
    }),
  },
  {
    method: "POST",
    path: "/created",
    scope: "read",
    summary: "",
    handle: () => ({ status: 201, body: { id: 1 }, headers: { "X-Run-Id": "r" } }),
  },
  {
    method: "GET",
    path: "/late",
    scope: "read",
    summary: "",
    handle: () =>
      Promise.reject(new AppError({ code: "rate_limited", message: "Slow down.", retryAfter: 2.2 })),
  },
  {
    method: "GET",
    path: "/no-provider",
    scope: "read",
    summary: "",
    handle: () =>
      Promise.reject(
        new AppError({ code: "no_provider", message: "None.", param: "model", details: { a: 1 } }),
      ),
  },
  {
    method: "GET",
    path: "/bug",
    scope: "read",
    summary: "",
    handle: () => {
      throw new Error("sk-secret in /home/me/file");
    },
  },
  {
    method: "GET",
    path: "/loop",
    scope: "read",
    summary: "",
    handle: () => {
      const body: Record<string, unknown> = {};
      body["self"] = body;
      return { body };
    },
  },
  {
    method: "GET",
    path: "/bad-header",
    scope: "read",
    summary: "",
    handle: () => ({ body: 1, headers: { "X-Title": "a\r\nSet-Cookie: b" } }),
  },
];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly json: Record<string, unknown>;
  readonly error: ShownError;
}

/** What a body holds as JSON; of another kind of body nothing. */
function parseBody(text: string, contentType: string): Record<string, unknown> {
  if (text === "" || !/json/.test(contentType)) return {};
  return JSON.parse(text) as Record<string, unknown>;
}

describe("requests", () => {
  let url: string;
  let logged: Awaited<ReturnType<typeof openDoor>>["logged"];
  let switchedOff = "";

  beforeEach(async () => {
    seen.length = 0;
    switchedOff = "";
    const preferences = {
      get "endpoints.extra.enabled"() {
        return switchedOff !== "extra";
      },
      "endpoints.test.enabled": undefined,
    };
    ({ url, logged } = await openDoor(routes, { preferences }));
  });
  afterEach(closeDoors);

  async function ask(
    path: string,
    method = "GET",
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const json: Readonly<Record<string, string>> =
      text === undefined ? {} : { "Content-Type": "application/json" };
    const answer = await fetch(url + path, {
      method,
      ...(text === undefined ? {} : { body: text }),
      headers: { ...json, ...headers },
    });
    const got = await answer.text();
    const parsed = parseBody(got, answer.headers.get("content-type") ?? "");
    return {
      status: answer.status,
      headers: answer.headers,
      body: got,
      json: parsed,
      error: parsed["error"] ?? {},
    };
  }

  describe("routes", () => {
    it("finds fixed paths before parameters, and those before the rest of a path", async () => {
      expect((await ask("/things/special")).json).to.equal("special");
      expect((await ask("/models/download")).json).to.equal("download");
      expect((await ask("/models/download/7/status")).json).to.equal("status");
      expect((await ask("/models/download/7")).json["params"]).to.deep.equal({ id: "download/7" });
    });

    it("leaves what does not fit the pattern of the rest to other routes, also to none", async () => {
      expect((await ask("/others/takenly/x", "PUT")).json["params"]).to.deep.equal({ id: "takenly/x" });
      expect((await ask("/others/taken/x", "PUT")).error.code).to.equal("route_not_found");
      const other = await ask("/others/%74aken", "PUT");
      expect([other.status, other.headers.get("allow")]).to.deep.equal([404, null]);
      const known = await ask("/others/taken", "PUT");
      expect([known.status, known.headers.get("allow")]).to.deep.equal([405, "POST"]);
    });

    it("serves an alias by the same handler", async () => {
      expect((await ask("/old/7")).json["params"]).to.deep.equal({ thingId: "7" });
    });

    it("ignores one trailing slash, and only one", async () => {
      for (const path of ["/things/", "/things/special/", "/things/7/", "/models/a/b/"])
        expect((await ask(path)).status).to.equal(200);
      expect((await ask("/models/a/b/")).json["params"]).to.deep.equal({ id: "a/b" });
      expect((await ask("/things//")).error.code).to.equal("route_not_found");
    });

    it("C17: takes the rest of a path with slashes, plain and encoded", async () => {
      for (const path of ["/models/a/b:c", "/models/a%2Fb%3Ac"])
        expect((await ask(path)).json["params"]).to.deep.equal({ id: "a/b:c" });
    });

    it("decodes parameters, and refuses what cannot be decoded", async () => {
      expect((await ask("/things/a%2Fb%20%C3%A9")).json["params"]).to.deep.equal({ thingId: "a/b é" });
      for (const path of ["/things/%zz", "/things/%C3%28", "/models/a/%"]) {
        expect(await ask(path)).to.deep.include({ status: 400 });
        expect((await ask(path)).error).to.include({ code: "invalid_value", type: "invalid_request_error" });
      }
    });

    it("checks parameters", async () => {
      expect((await ask(`/things/${"x".repeat(21)}`)).error).to.include({
        code: "invalid_value",
        param: "thingId",
      });
    });

    for (const path of ["/", "/nothing", "/Things", "/things/7/more", "/things/..%2f..%2fetc", "/text/x"]) {
      it(`does not know ${path}`, async () => {
        const answer = await ask(path === "/things/..%2f..%2fetc" ? "/thing/..%2f..%2fetc" : path);
        expect(answer.status).to.equal(404);
        expect(answer.error).to.include({ code: "route_not_found", type: "invalid_request_error" });
      });
    }

    it("names the methods of a path asked with another one, of all routes that fit", async () => {
      const answer = await ask("/things", "PUT");
      expect(answer.status).to.equal(405);
      expect(answer.error).to.include({ code: "method_not_allowed" });
      expect(answer.headers.get("allow")?.split(", ").sort()).to.deep.equal([
        "DELETE",
        "GET",
        "HEAD",
        "POST",
      ]);
      expect((await ask("/things/import", "DELETE")).headers.get("allow")?.split(", ").sort()).to.deep.equal([
        "GET",
        "HEAD",
        "PATCH",
        "POST",
      ]);
    });

    it("lets a parameter have the name of a fixed path of another method", async () => {
      expect((await ask("/things/import")).json["params"]).to.deep.equal({ thingId: "import" });
    });

    it("A9: sends bytes as they are, with their length; to HEAD the headers only", async () => {
      const { url } = await openDoor(routes);
      const answer = await fetch(`${url}/image`);
      expect(Object.fromEntries(answer.headers)).to.include({
        "content-type": "image/png",
        "content-length": "1000",
        "content-encoding": "identity",
      });
      expect(new Uint8Array(await answer.arrayBuffer())).to.deep.equal(image);
      const head = await fetch(`${url}/image`, { method: "HEAD" });
      expect([head.headers.get("content-length"), await head.text()]).to.deep.equal(["1000", ""]);
    });

    it("sends an answer without a body: neither a type nor a length", async () => {
      const { port } = await openDoor(routes);
      const { head, status, body } = readAnswer(
        await sendBytes(port, "GET /unchanged HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
      );
      expect([status, body]).to.deep.equal([304, ""]);
      expect(head).to.match(/^etag: "a"\r?$/im);
      expect(head).to.not.match(/^(content-(type|length|security-policy)|transfer-encoding):/im);
    });

    it("answers HEAD like GET, without the body", async () => {
      const [head, get] = [await ask("/text", "HEAD"), await ask("/text")];
      expect(head).to.include({ status: 203, body: "" });
      expect(head.headers.get("content-length")).to.equal("2");
      expect(get).to.include({ status: 203, body: "é" });
    });

    it("hides a group that is switched off, at once", async () => {
      expect((await ask("/extra")).status).to.equal(200);
      switchedOff = "extra";
      expect((await ask("/extra")).error.code).to.equal("route_not_found");
      expect((await ask("/extra", "POST")).error.code).to.equal("route_not_found");
    });

    it("sends status and headers of the answer", async () => {
      const answer = await ask("/created", "POST");
      expect(answer).to.deep.include({ status: 201, json: { id: 1 } });
      expect(answer.headers.get("x-run-id")).to.equal("r");
      expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
      expect(answer.headers.get("x-powered-by")).to.equal(null);
      expect(answer.headers.get("etag")).to.equal(null);
    });
  });

  describe("query", () => {
    it("reads numbers and booleans, and fills in defaults", async () => {
      expect((await ask("/things?limit=5&raw=true")).json["query"]).to.deep.equal({
        limit: 5,
        raw: true,
        offset: 0,
      });
    });

    it("takes either case form, other names, and enumerated values in any spelling", async () => {
      const { query } = (await ask("/things?tool_call_id=a&status=NOT_DONE")).json as { query: unknown };
      expect(query).to.deep.equal({ resultId: "a", status: "not-done", offset: 0 });
    });

    it("takes one value or several for a list", async () => {
      expect((await ask("/things?tags=a")).json["query"]).to.deep.include({ tags: ["a"] });
      expect((await ask("/things?tags=a&tags=b%26c%3F")).json["query"]).to.deep.include({
        tags: ["a", "b&c?"],
      });
    });

    const wrong: readonly [query: string, code: string, param: string][] = [
      ["limit=0", "out_of_range", "limit"],
      ["limit=1001", "out_of_range", "limit"],
      ["limit=99999999999999999999", "out_of_range", "limit"],
      ["offset=-1", "out_of_range", "offset"],
      ["limit=1.5", "invalid_value", "limit"],
      ["limit=", "invalid_value", "limit"],
      ["limit=5&limit=6", "invalid_value", "limit"],
      ["resultId=a&resultId=b", "invalid_value", "resultId"],
      ["limit[]=5&limit=x", "invalid_value", "limit"],
      ["raw=maybe", "invalid_value", "raw"],
      ["status=half", "invalid_value", "status"],
    ];
    for (const [query, code, param] of wrong) {
      it(`B15: refuses ?${query}`, async () => {
        const answer = await ask(`/things?${query}`);
        expect(answer.status).to.equal(400);
        expect(answer.error).to.include({ code, param });
      });
    }

    it("leaves what it does not know, and reaches no prototype", async () => {
      expect((await ask("/things?other=1&__proto__[x]=1&__proto__=2&constructor=3")).status).to.equal(200);
      expect(({} as { x?: string }).x).to.equal(undefined);
    });
  });

  describe("bodies", () => {
    const right = { model: "m", messages: [{ role: "user" }] };

    it("come in canonical form with defaults, and as they were", async () => {
      const sent = {
        model: "m",
        max_tokens: 5,
        messages: [{ role: "TOOL", tool_call_id: "c" }],
        unknown_key: { a_b: 1 },
      };
      await ask("/things", "POST", sent);
      expect(seen[0]?.body).to.deep.equal({
        model: "m",
        maxTokens: 5,
        stream: false,
        messages: [{ role: "tool", toolCallId: "c" }],
        unknown_key: { a_b: 1 },
      });
      expect(seen[0]?.rawBody).to.deep.equal(sent);
    });

    const wrong: readonly [body: unknown, code: string, param: string | undefined][] = [
      [{}, "missing_field", "model"],
      [{ model: "m" }, "missing_field", "messages"],
      [{ ...right, model: 5 }, "invalid_value", "model"],
      [{ ...right, model: null }, "invalid_value", "model"],
      [{ ...right, stream: "true" }, "invalid_value", "stream"],
      [{ ...right, temperature: "1" }, "invalid_value", "temperature"],
      [{ ...right, temperature: 2.1 }, "out_of_range", "temperature"],
      [{ ...right, temperature: -0.1 }, "out_of_range", "temperature"],
      [{ ...right, max_tokens: 0 }, "out_of_range", "maxTokens"],
      [{ ...right, max_tokens: 1.5 }, "invalid_value", "maxTokens"],
      [{ ...right, messages: [] }, "invalid_value", "messages"],
      [{ ...right, messages: "hi" }, "invalid_value", "messages"],
      [{ ...right, messages: [{ role: "boss" }] }, "invalid_value", "messages[0].role"],
      [{ ...right, messages: [{}] }, "missing_field", "messages[0].role"],
      ["[]", "invalid_value", undefined],
      ["null", "invalid_value", undefined],
      ['"text"', "invalid_value", undefined],
      ["5", "invalid_value", undefined],
      ['{"model":"m","messages":[{"role":"user"}],"temperature":1e400}', "invalid_value", "temperature"],
    ];
    for (const [body, code, param] of wrong) {
      it(`B3: refuses ${typeof body === "string" ? body : JSON.stringify(body)}`, async () => {
        const answer = await ask("/things", "POST", body);
        expect(answer.status).to.equal(400);
        expect(answer.error.code).to.equal(code);
        expect(answer.error.param).to.equal(param);
        expect(seen).to.deep.equal([]);
      });
    }

    it("are refused with all their faults", async () => {
      const { error } = await ask("/things", "POST", { temperature: 5, stream: 1 });
      const { faults } = (error as { details: { faults: readonly { param: string; code: string }[] } })
        .details;
      const found = faults.map(({ param, code }) => `${param} ${code}`);
      expect(found.sort()).to.deep.equal([
        "messages missing_field",
        "model missing_field",
        "stream invalid_value",
        "temperature out_of_range",
      ]);
    });

    it("take the boundaries", async () => {
      for (const temperature of [0, -0, 2])
        expect((await ask("/things", "POST", { ...right, temperature })).status).to.equal(200);
    });

    it("may be absent where none is described", async () => {
      expect((await ask("/things", "DELETE")).status).to.equal(200);
    });
  });

  describe("errors", () => {
    it("R01: have one shape, with the fields that apply", async () => {
      expect((await ask("/no-provider")).json).to.deep.equal({
        error: {
          message: "None.",
          type: "server_error",
          code: "no_provider",
          param: "model",
          details: { a: 1 },
        },
      });
      expect((await ask("/nothing")).json).to.deep.equal({
        error: {
          message: "There is no route /nothing.",
          type: "invalid_request_error",
          code: "route_not_found",
        },
      });
    });

    it("carry Retry-After in whole seconds on 429 and 503", async () => {
      expect((await ask("/late")).headers.get("retry-after")).to.equal("3");
      expect((await ask("/no-provider")).headers.get("retry-after")).to.match(/^[1-9]\d*$/);
      expect((await ask("/nothing")).headers.get("retry-after")).to.equal(null);
    });

    for (const path of ["/bug", "/loop", "/bad-header"]) {
      it(`S07: a fault of the service (${path}) is logged with its stack under the request id, and not shown`, async () => {
        const answer = await ask(path, "GET", undefined, { "X-Request-Id": "my-request" });
        expect(answer.status).to.equal(500);
        expect(answer.json["error"]).to.deep.equal({
          message: "The service failed. Its log has the details under the request id my-request.",
          type: "server_error",
          code: "internal_error",
        });
        expect(logged).to.have.lengthOf(1);
        expect(logged[0]?.fields).to.include({ requestId: "my-request" });
        expect((logged[0]?.fields["error"] as Error).stack).to.include("Error");
      });
    }
  });

  describe("request ids", () => {
    it("are echoed when they are well-formed, and made otherwise, each once", async () => {
      const id = async (sent: string) =>
        (await ask("/text", "GET", undefined, { "X-Request-Id": sent })).headers.get("x-request-id");
      expect(await id("A-b_1")).to.equal("A-b_1");
      const made = await Promise.all(["", "a b", "x".repeat(65), "é", "a;b"].map((sent) => id(sent)));
      for (const one of made) expect(one).to.match(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(made).size).to.equal(made.length);
    });

    it("reach the handler, as headers, caller and signal do", async () => {
      await ask("/things", "GET", undefined, { "X-Request-Id": "r1", "X-Session-Id": "s" });
      expect(seen[0]).to.deep.include({ id: "r1", caller: endpointRequest().caller });
      expect(seen[0]?.headers).to.include({ "x-session-id": "s" });
      expect(seen[0]?.signal).to.be.instanceOf(AbortSignal);
    });
  });
});
