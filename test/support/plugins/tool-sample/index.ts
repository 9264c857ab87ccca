import { AppError, defineOperation, definePlugin, defineTool, ToolError, type Json } from "@pergola/sdk";

interface Thing {
  readonly id: string;
  readonly size: number;
}

const facts = defineOperation({
  name: "facts",
  description: "Gives back the plain parts of the context",
  effect: "none",
  parameters: { text: { type: "string" } },
  required: ["text"],
  async run(
    { text },
    { callId, conversationId, scope, workingDirectory, settings, contextWindow, run, signal },
  ) {
    const data = {
      text,
      callId,
      conversationId,
      scope,
      workingDirectory,
      settings,
      contextWindow,
      iteration: run?.iteration ?? null,
      aborted: signal.aborted,
    };
    return { data, message: "ok", fields: { extra: [1, 2] } };
  },
});

const files = defineOperation({
  name: "files",
  description: "Writes, reads, lists and misses files",
  effect: "write",
  parameters: {},
  async run(_, { files: door }) {
    const { created } = await door.write("a.txt", "hello");
    await door.write("b.bin", new Uint8Array([0, 255, 7]));
    const bytes = [...(await door.read("b.bin", { start: 1 }))];
    const names = (await door.list(".")).map(({ name }) => name);
    const missed = await door
      .readText("none.txt")
      .catch((error: unknown) => (ToolError.is(error) ? error.code : "another error"));
    return {
      data: {
        created,
        text: await door.readText("a.txt"),
        bytes,
        names,
        missed,
        nothing: (await door.stat("none.txt"))?.path ?? null,
      },
    };
  },
});

const records = defineOperation({
  name: "records",
  description: "Keeps records, documents and blobs",
  effect: "write",
  place: "own",
  parameters: {},
  async run(_, context) {
    const things = context.collection<Thing>("things");
    for (const size of [3, 1, 2]) await things.put({ id: `t${size}`, size });
    await things.delete("t2");
    await context.search("texts").index([{ id: "1", scope: context.scope, fields: { text: "the red fox" } }]);
    const hits = await context.search("texts").query({ scopes: [context.scope], text: "fox", limit: 3 });
    await context.blobs.put("b", new Uint8Array([1, 2, 3]));
    const blob = [...((await context.blobs.get("b", { start: 1, end: 3 })) ?? [])];
    const found = (await things.find({})).map(({ id, version }) => `${id} ${version}`);
    return {
      data: {
        found,
        count: await things.count({}),
        hits: hits.map(({ id }) => id),
        blob,
        gone: (await things.get("t2"))?.id ?? null,
      },
    };
  },
});

const outside = defineOperation({
  name: "outside",
  description: "Fetches, starts a program, asks for settings and vectors",
  effect: "execute",
  parameters: {},
  async run(_, context) {
    const answer = await context.fetch("https://example.org/x", {
      method: "POST",
      headers: { a: "b" },
      body: "hello",
    });
    const output: string[] = [];
    const { exitCode, stdout } = await context.spawn("echo", ["hi"], {
      onOutput: (text, stream) => void output.push(`${stream} ${text}`),
    });
    const vectors = await context.embed(["a"]);
    const chunk = await context.readResult("res_1", { offset: 2, length: 3 });
    const [secret, preference] = [
      await context.secret("tools.sample.key"),
      await context.preference("user.name"),
    ];
    const fetched = {
      status: answer.status,
      kind: answer.headers.get("content-type"),
      body: (await answer.json()) as Json,
      url: answer.url,
    };
    return {
      data: {
        fetched,
        exitCode,
        stdout,
        output,
        vector: vectors?.map((vector) => [...vector]) ?? null,
        chunk: chunk.content,
        secret: secret ?? null,
        preference: preference ?? null,
      },
    };
  },
});

const person = defineOperation({
  name: "person",
  description: "Asks, reports, logs and asks for more iterations",
  effect: "none",
  parameters: {},
  async run(_, context) {
    context.progress("half way");
    context.log.info({ step: 1 }, "working");
    const { decision, text } = await context.ask({ prompt: "Sure?", options: ["yes", "no"] });
    return { data: { decision, text, limit: (await context.run?.setMaxIterations(400)) ?? null } };
  },
});

const failures: Readonly<Record<string, () => Error>> = {
  tool: () =>
    new ToolError("not_found", "there is no such thing", { hint: "try a", fields: { similar: ["a"] } }),
  app: () => new AppError({ code: "conflict", message: "it was changed" }),
  bug: () => new TypeError("cannot read"),
};

const fail = defineOperation({
  name: "fail",
  description: "Fails",
  effect: "none",
  parameters: { how: { type: "string" } },
  required: ["how"],
  async run({ how }) {
    throw failures[how]!();
  },
});

const choose = defineOperation({
  name: "choose",
  description: "Says what it would do from its arguments",
  effect: ({ path }) => (path.startsWith("/") ? "destructive" : "write"),
  effects: ["write", "destructive"],
  parameters: { path: { type: "string" } },
  required: ["path"],
  recovery: "reconcile",
  touches: ({ path }) => [{ path: `${path}.bak`, effect: "write" }],
  display: ({ path }) => ({ summary: `Chooses ${path}` }),
  reconcile: async ({ path }, { files: door }) =>
    (await door.stat(path)) === undefined ? "did_not_happen" : "happened",
  run: async ({ path }) => ({ data: path }),
});

const wait = defineOperation({
  name: "wait",
  description: "Waits until the call is ended",
  effect: "none",
  parameters: {},
  run: (_, { signal }) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve({ data: "ended" });
      signal.addEventListener("abort", () => resolve({ data: "ended" }));
    }),
});

const now = defineOperation({
  name: "now",
  description: "Tells the time",
  effect: "none",
  parameters: {},
  run: async (_, { clock }) => ({ data: clock.now() }),
});

const hidden = defineOperation({
  name: "hidden",
  description: "Is not advertised",
  hidden: true,
  effect: "none",
  parameters: {},
  run: async () => ({ data: "hidden" }),
});

export default definePlugin({
  collections: { things: { indexes: ["size"] } },
  tools: [
    defineTool({
      name: "sample",
      description: "Uses every part of a call's context",
      operations: [facts, files, records, outside, person, fail, choose, wait, now, hidden],
      aliases: { sample_facts: "facts" },
      unavailable: ({ signal }) => (signal.aborted ? { reason: "ended", remedy: "none" } : undefined),
    }),
  ],
});
