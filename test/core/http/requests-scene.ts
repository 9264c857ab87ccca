import { AppError, type EndpointRequest, type Route } from "@pergola/sdk";
import { closeDoors, openDoor, type ShownError } from "./open-door.ts";

export const seen: EndpointRequest[] = [];
const note: Route["handle"] = (request) => {
  seen.push(request);
  return { body: { body: request.body, query: request.query, params: request.params } };
};

/** Bytes that are no text. */
export const image = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) % 256);

export const routes: readonly (Route & { readonly group?: string })[] = [
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

/** For a suite: routes of many kinds behind a door, and how they are asked. */
export function requestsScene() {
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

  return {
    ask,
    get logged() {
      return logged;
    },
    /** A group of routes that is off from now on. */
    switchOff: (group: string): void => void (switchedOff = group),
  };
}
