import { Socket } from "node:net";
import { ToolError, type FetchInit, type SpawnOptions, type ToolContext } from "@pergola/sdk";
import { describePlugin, loadPlugin, loadToolFile, type HostPlugin } from "@pergola/sdk/host";
import { Channel, type Envelope } from "./channel.ts";
import { doorMethods, type DoorPart, type RemoteCall } from "./door-methods.ts";
import { frameOf, FrameReader } from "./frames.ts";
import { maxFrameBytes, maxHostFrameBytes } from "./limits.ts";
import { fromWire, toWire } from "./wire-json.ts";

type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>;
type Answer = ConstructorParameters<typeof Response>[1] & {
  readonly body: Uint8Array | null;
  readonly url: string;
};

/** The stream to the host. */
const host = new Socket({ fd: 3, readable: true, writable: true });
const running = new Map<number, AbortController>();
const listeners = new Map<number, SpawnOptions["onOutput"]>();
let plugin: HostPlugin = {};
let spawned = 0;

/** Bounded here too, where a call can still fail for it alone: the host ends a process that sends more. */
function post(envelope: Envelope): void {
  const text = toWire(envelope);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxFrameBytes)
    throw new ToolError(
      "generic_error",
      `An answer of ${bytes} bytes is too large; the limit is ${maxFrameBytes}.`,
      { hint: "Ask for less at once." },
    );
  host.write(frameOf(text));
}

async function load(entry: string, isToolFile: boolean): Promise<object> {
  plugin = await (isToolFile ? loadToolFile(entry) : loadPlugin(entry));
  return describePlugin(plugin);
}

async function call({ call: id, tool: family, operation, name, args, facts }: RemoteCall): Promise<unknown> {
  const tool = plugin.tools?.find((each) => each.name === family);
  const owner = (operation === undefined
    ? tool
    : tool?.operations.find((each) => each.name === operation)) as unknown as Functions;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    if (facts === undefined) return await owner[name]!(args);
    const context = contextOf(id, facts, abort.signal);
    if (name === "unavailable") return await owner[name]!(context);
    return await owner[name]!(args, context);
  } finally {
    running.delete(id);
  }
}

/** A call's context on this side: its methods ask the host, which holds the door. */
function contextOf(
  id: number,
  { now, run, hasMemory, ...facts }: NonNullable<RemoteCall["facts"]>,
  signal: AbortSignal,
): ToolContext {
  const door = (part: DoorPart, method: string, args: readonly unknown[], name?: string) =>
    channel.ask("door", { call: id, part, method, args, name });
  const remote = (part: DoorPart, name?: string) =>
    Object.fromEntries(
      doorMethods[part].map((method) => [method, (...args: unknown[]) => door(part, method, args, name)]),
    );
  const notify =
    (part: DoorPart, method: string) =>
    (...args: unknown[]): void =>
      void door(part, method, args).catch(() => undefined);
  const ahead = now - Date.now();
  const fetched = async (url: string, { signal: _, ...init }: FetchInit = {}): Promise<Response> => {
    const answer = (await door("context", "fetch", [url, init])) as Answer;
    return Object.defineProperty(new Response(answer.body, answer), "url", { value: answer.url });
  };
  const spawn = (
    program: string,
    args: readonly string[],
    { onOutput, ...options }: SpawnOptions = {},
  ): Promise<unknown> => {
    const listener = ++spawned;
    listeners.set(listener, onOutput);
    return door("context", "spawn", [program, args, options, listener]).finally(() =>
      listeners.delete(listener),
    );
  };
  return {
    ...facts,
    ...remote("context"),
    signal,
    clock: { now: () => Date.now() + ahead },
    log: Object.fromEntries(doorMethods.log.map((level) => [level, notify("log", level)])),
    progress: notify("context", "progress"),
    run: run && { ...run, ...remote("run") },
    files: remote("files"),
    blobs: remote("blobs"),
    memory: hasMemory ? remote("memory") : undefined,
    collection: (name: string) => remote("collection", name),
    search: (name: string) => remote("search", name),
    fetch: fetched,
    spawn,
  } as unknown as ToolContext;
}

const abort = (id: number): void => running.get(id)?.abort();
const output = (listener: number, text: string, stream: "stdout" | "stderr"): void =>
  listeners.get(listener)?.(text, stream);
const channel = new Channel(post, { load, call, abort, output });
const leave = (): void => process.exit();
new FrameReader(
  host,
  { message: (text) => void channel.receive(fromWire(text) as Envelope), fault: leave },
  maxHostFrameBytes,
);
host.on("close", leave);
