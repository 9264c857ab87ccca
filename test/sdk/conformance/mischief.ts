import path from "node:path";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

/** What the plugins below do wrong at the moment; they run in the process of the test. */
export const setMischief = (what: string): void => {
  (globalThis as { mischief?: string }).mischief = what;
};

const policyCode = `
const does = (what) => globalThis.mischief === what;
const luck = () => { throw new Error("no luck"); };
let active = 0;
let starts = 0;
export default {
  register(host) {
    host.tap("shapeChat", (chat) => (does("answers") ? luck() : chat));
    host.tap("authorizeToolCall", ({ tool }) =>
      tool === "think" && !does("decisions")
        ? { decision: "deny", code: "permission_denied", message: "Closed." }
        : undefined, { stage: "early" });
    host.tap("shapeModelCall", (call) => {
      active += 1;
      if (does("slow") && active > 1) luck();
      if (does("huge output") && JSON.stringify(call.messages).length > 100_000) luck();
      return call;
    });
    host.tap("modelCallEnded", ({ error }) => {
      if (does("crash") && error !== null) luck();
    });
    host.tap("runEnded", ({ completionReason }) => {
      active = 0;
      if (does("abort") && completionReason === "cancelled") luck();
    });
  },
  start() {
    starts += 1;
    if (does("restart in the call") && starts > 1) luck();
  },
};`;

const hooks = ["shapeChat", "authorizeToolCall", "shapeModelCall", "modelCallEnded", "runEnded"];

/** A policy that does what `setMischief` says; otherwise it closes the tool `think`. */
export const writePolicy = (parent: string): string =>
  writePlugin(parent, { id: "policy-mischief", kind: "policy", provides: { hooks }, code: policyCode });

/** A policy that taps a hook of which its manifest says nothing. */
export const writeSecretPolicy = (parent: string): string =>
  writePlugin(parent, {
    id: "policy-secretive",
    kind: "policy",
    provides: { hooks: ["runEnded"] },
    code: `export default { register(host) { host.tap("runEnded", () => {}); host.tap("toolCallEnded", () => {}); } };`,
  });

/** A bundle with that policy. */
export const writeBundle = (parent: string): string =>
  writePlugin(parent, {
    id: "bundle-mischief",
    kind: "bundle",
    manifest: { includes: [path.join(parent, "policy-secretive")] },
  });

/** A policy with a setting that nobody describes. */
export const writeTersePolicy = (parent: string): string =>
  writePlugin(parent, {
    id: "policy-terse",
    kind: "policy",
    provides: { hooks: ["runEnded"] },
    manifest: { settings: { "terse.limit": { type: "integer", default: 1, description: " " } } },
    code: `export default { register(host) { host.tap("runEnded", () => {}); } };`,
  });

const route = (method: string, path: string, rest: string): string =>
  `{ method: "${method}", path: "/api/mischief/${path}", scope: "read", summary: "A route under test", ${rest} }`;
const body = `body: { type: "object", required: ["text"], properties: { text: { type: "string", description: "Text" } } }`;
const params = `params: { id: { type: "string", description: "What it is called" } }`;
const until = `new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))`;

/** The routes of a plugin, each by its name in the manifest; the word in their path says what is wrong. */
const routes: Readonly<Record<string, string>> = {
  "GET sound/{id}": `${params}, handle: ({ params: { id } }) => ({ body: { id } })`,
  "POST sound": `${body}, handle: ({ body: { text } }) => ({ body: { length: text.length } })`,
  "GET sound-wait": `handle: ({ signal }) => ${until}`,
  "POST open": `scope: "open", ${body}, handle: () => ({ body: {} })`,
  "GET terse": `query: { limit: { type: "integer", description: "" } }, handle: () => ({ body: {} })`,
  "GET fails": `handle: () => { throw new Error("no luck"); }`,
  "GET odd/{id}": `${params}, handle: ({ params: { id } }) => ({ body: { length: { tea: "leaves" }[id].length } })`,
  "GET deaf": `handle: () => new Promise((resolve) => setTimeout(resolve, 3000).unref())`,
  "GET lone": `handle: () => { if (waiting > 0) throw new Error("busy"); return { body: {} }; }`,
  "GET lone-wait": `handle: ({ signal }) => { waiting += 1; return ${until}; }`,
  "GET stray": `handle: () => { void Promise.reject(new Error("nobody awaits this")); return { body: {} }; }`,
  "POST narrow": `${body}, handle: ({ body: { text } }) => { if (text.length > 10_000) throw new Error("long"); return { body: {} }; }`,
  "GET locked": `handle: () => { if (isLocked) throw new Error("locked"); return { body: {} }; }`,
  "GET lock-wait": `handle: ({ signal }) => { isLocked = true; return ${until}; }`,
};

const named = Object.entries(routes).map(([name, rest]) => {
  const [method = "", path = ""] = name.split(" ");
  return { name: `${method} /api/mischief/${path}`, code: route(method, path, rest) };
});

/** A plugin with one sound route and one for each way to be wrong. */
export const writeEndpoints = (parent: string): string =>
  writePlugin(parent, {
    id: "endpoint-mischief",
    kind: "endpoint",
    provides: { endpoints: named.map(({ name }) => name) },
    code: `
let waiting = 0;
let isLocked = false;
export default {
  endpoints: [{ group: "mischief", routes: [${named.map(({ code }) => code).join(",\n")}] }],
};`,
  });
