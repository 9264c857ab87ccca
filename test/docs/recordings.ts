import { writeFileSync } from "node:fs";
import path from "node:path";
import {
  chatReply,
  mockProviderServer,
  startTestHost,
  temporaryFolder,
  type MockProviderServer,
  type ScriptStep,
  type TestHost,
} from "@pergola/sdk/testing";

/** The bytes of the events of a stream, each up to and with its empty line. */
class Recorder {
  readonly #response: Promise<Response>;
  readonly events: string[] = [];

  constructor(response: Promise<Response>) {
    this.#response = response;
  }

  get head(): Promise<Response> {
    return this.#response;
  }

  /** Reads on until an event fits, or to the end. */
  async *#read(): AsyncGenerator<string> {
    let rest = "";
    for await (const bytes of (await this.#response).body ?? []) {
      const pieces = (rest + Buffer.from(bytes).toString()).split("\n\n");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) yield `${piece}\n\n`;
    }
  }

  /** Reads to the end; `on` sees each event as it comes. */
  async all(on: (event: string) => unknown = () => undefined): Promise<readonly string[]> {
    for await (const event of this.#read()) {
      this.events.push(event);
      await on(event);
    }
    return this.events;
  }
}

/** What the page on streams shows, by name. */
export type Recordings = Readonly<Record<string, string>>;

const question = { role: "user", content: "Delete the old draft" };
const usage = { promptTokens: 5210, completionTokens: 18 };

/** The answers of the scripted model to the requests of each recording. */
const turns: Readonly<Record<string, readonly (readonly ScriptStep[])[]>> = {
  deletion: [
    [
      { reasoning: "The draft can go." },
      { text: "I remove it." },
      {
        toolCalls: [
          { name: "file_operations", arguments: { operation: "delete_file", filePath: "draft.txt" } },
        ],
      },
      { type: "usage", usage },
    ],
    [{ text: "It is gone." }, { type: "usage", usage }],
  ],
  own: [[{ toolCalls: [{ name: "water_plants", arguments: ['{"bed":', '"roses"}'] }] }]],
  limit: [
    [
      {
        toolCalls: [
          {
            name: "increase_max_iterations",
            arguments: { operation: "increase", requested_iterations: 400, reason: "Many beds" },
          },
        ],
      },
    ],
    [{ text: "Go on." }],
  ],
  failure: [[{ text: "The roses" }, { error: { status: 500, message: "The model has stopped." } }]],
  cancel: [[{ text: "The roses" }, { hang: true }]],
};

/** The one event that has a text. */
function eventWith(events: readonly string[], text: string): string {
  const found = events.find((event) => event.includes(text));
  if (found === undefined) throw new Error(`No event has ${text}:\n${events.join("")}`);
  return found;
}

async function headOf(response: Response): Promise<string> {
  const names = ["content-type", "cache-control", "x-accel-buffering", "x-conversation-id", "x-run-id"];
  const lines = names.map((name) => `${name}: ${response.headers.get(name)}\n`);
  return `HTTP/1.1 ${response.status} OK\n${lines.join("")}`;
}

interface Scene {
  readonly host: TestHost;
  readonly model: MockProviderServer;
  readonly folder: string;
}

/** Sends a chat whose model plays the turns of a name. */
function chat({ host, model, folder }: Scene, name: string, more: object = {}): Recorder {
  model.play(turns[name]!.map((turn) => chatReply(turn)));
  const service_config = { working_directory: folder, thinking: { mode: "enabled", include_thinking: true } };
  const body = { model: "default", stream: true, messages: [question], service_config, ...more };
  return new Recorder(host.request("POST", "/v1/chat/completions", body));
}

const dataOf = (event: string): Record<string, unknown> =>
  JSON.parse(/^data: (\{.*)$/m.exec(event)?.[1] ?? "{}") as Record<string, unknown>;

/** A call that waits for the person: all that a run can say, and the same as events of the run. */
async function recordDeletion(scene: Scene): Promise<Recordings> {
  const { host, folder } = scene;
  writeFileSync(path.join(folder, "draft.txt"), "old roses\n");
  const recorder = chat(scene, "deletion");
  let runId = "";
  let waiting = "";
  const events = await recorder.all(async (event) => {
    runId ||= String(dataOf(event)["run_id"]);
    if (event.includes('"user_input_required"'))
      waiting = (dataOf(event)["event"] as { readonly toolCallId: string }).toolCallId;
    if (!event.startsWith(": ping") || waiting === "") return;
    await host.json("POST", "/api/chat/tool-response", { toolCallId: waiting, approved: true });
    waiting = "";
  });
  const run = await new Recorder(host.request("GET", `/api/runs/${runId}/events`)).all();
  const from = run.length - 2;
  const late = new Recorder(
    host.request("GET", `/api/runs/${runId}/events`, undefined, { "last-event-id": String(from) }),
  );
  return {
    head: await headOf(await recorder.head),
    role: eventWith(events, '"role":"assistant"'),
    thoughts: eventWith(events, "reasoning_content"),
    text: eventWith(events, "I remove it."),
    running: eventWith(events, '"toolStatus":"running"'),
    waiting: eventWith(events, '"toolStatus":"userInputRequired"'),
    question: eventWith(events, '"type":"user_input_required"'),
    ping: eventWith(events, ": ping"),
    resolved: eventWith(events, '"type":"user_input_resolved"'),
    success: eventWith(events, '"toolStatus":"success"'),
    title: eventWith(events, '"type":"title"'),
    final: eventWith(events, '"finish_reason":"stop"'),
    usage: eventWith(events, '"usage":'),
    done: eventWith(events, "[DONE]"),
    "run state": eventWith(run, "event: state"),
    "run chunk": eventWith(run, "event: chunk"),
    "run end": (await late.all()).join(""),
  };
}

async function recordOwnTools(scene: Scene): Promise<Recordings> {
  const parameters = { type: "object", properties: { bed: { type: "string" } } };
  const tools = [{ type: "function", function: { name: "water_plants", parameters } }];
  const events = await chat(scene, "own", { tools }).all();
  const own = events.filter((event) => event.includes('"tool_calls"'));
  return { "own calls": own.join("") };
}

async function recordLimit(scene: Scene): Promise<Recordings> {
  return { limit: eventWith(await chat(scene, "limit").all(), '"type":"limit_changed"') };
}

async function recordFailure(scene: Scene): Promise<Recordings> {
  const events = await chat(scene, "failure").all();
  return { failure: events.slice(events.findIndex((event) => event.includes("Error:"))).join("") };
}

async function recordCancel(scene: Scene): Promise<Recordings> {
  let runId = "";
  const events = await chat(scene, "cancel").all(async (event) => {
    runId ||= String(dataOf(event)["run_id"]);
    if (event.includes("The roses")) await scene.host.request("POST", `/api/runs/${runId}/cancel`);
  });
  return {
    cancel: events.slice(events.findIndex((event) => event.includes('"finish_reason":"stop"'))).join(""),
  };
}

/** What changed: the greeting, and the first record that is stored. */
async function recordChanges({ host }: Scene): Promise<Recordings> {
  const leaving = new AbortController();
  const url = `${host.url}/api/events?kinds=folder`;
  const recorder = new Recorder(fetch(url, { signal: leaving.signal }));
  const reading = recorder.all(async (event) => {
    if (event.includes("event: hello")) await host.json("POST", "/api/folders", { name: "Garden" });
    if (event.includes("event: change")) leaving.abort();
  });
  await reading.catch(() => undefined);
  const { events } = recorder;
  return { hello: eventWith(events, "event: hello"), change: eventWith(events, "event: change") };
}

/** Runs a real host with a scripted model and records its streams. Paths are shown below `/home/ada`,
 * and the model at port 9000. */
export async function record(): Promise<Recordings> {
  const model = await mockProviderServer([], { models: ["rose"] });
  const folder = temporaryFolder("pergola-garden-");
  const settings = {
    default_model: "custom/rose",
    "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
    "models.overrides": { "custom/rose": { supportsTools: true } },
    "stream.ping_seconds": 1,
  };
  const host = await startTestHost({ settings });
  const scene = { host, model, folder };
  try {
    const steps = [recordDeletion, recordOwnTools, recordLimit, recordFailure, recordCancel, recordChanges];
    const all: Record<string, string> = {};
    for (const step of steps) Object.assign(all, await step(scene));
    const shown = (text: string): string =>
      text.replaceAll(folder, "/home/ada/garden").replaceAll(model.url, "http://127.0.0.1:9000");
    return Object.fromEntries(Object.entries(all).map(([name, text]) => [name, shown(text)]));
  } finally {
    await host.stop();
    await model.close();
  }
}
