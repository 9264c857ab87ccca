import {
  ToolError,
  type FetchInit,
  type MemoryDraft,
  type SpawnOptions,
  type ToolContext,
} from "@pergola/sdk";
import { pick } from "@pergola/sdk/host";
import { doorMethods, type DoorRequest } from "./door-methods.ts";

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const bodiless = new Set([204, 205, 304]);

async function fetched(context: ToolContext, [url, init]: readonly unknown[]): Promise<object> {
  const answer = await context.fetch(url as string, init as FetchInit);
  const body = bodiless.has(answer.status) ? null : new Uint8Array(await answer.arrayBuffer());
  return {
    ...pick(answer, "status", "statusText", "url"),
    headers: [...answer.headers],
    body,
  };
}

/**
 * A plugin from outside speaks for itself only: what it stores was found or imported, never said by the
 * person or the model.
 */
const foundOnly = (drafts: readonly MemoryDraft[]): readonly MemoryDraft[] =>
  drafts.map((draft) => ({
    ...draft,
    origin: draft.origin === "import" ? "import" : "tool",
  }));

/**
 * Does for another process what it asks of its call's context: only what the table lists, and only while the
 * call runs.
 */
export async function throughDoor(
  context: ToolContext | undefined,
  request: DoorRequest,
  output: (...args: unknown[]) => void,
): Promise<unknown> {
  const { part, method, args, name = "" } = request;
  if (context === undefined)
    throw new ToolError("cancelled", "The call has ended; its context cannot be used any more.");
  if (!Object.hasOwn(doorMethods, part) || !(doorMethods[part] as readonly string[]).includes(method))
    throw new ToolError("invalid_value", `The door has no ${part}.${method}.`);
  if (method === "fetch") return fetched(context, args);
  if (method === "spawn") {
    const [program, words, options, listener] = args as [string, readonly string[], SpawnOptions, number];
    return context.spawn(program, words, {
      ...options,
      sandbox: { kind: "command" },
      onOutput: (text, stream) => output(listener, text, stream),
    });
  }
  if (part === "memory" && method === "store")
    return context.memory?.store(foundOnly(args[0] as readonly MemoryDraft[]));
  const named = {
    collection: () => context.collection(name),
    search: () => context.search(name),
    context: () => context,
  };
  const owner =
    part in named
      ? named[part as keyof typeof named]()
      : context[part as "files" | "blobs" | "memory" | "run" | "log"];
  return (owner as unknown as Methods)[method]!(...args);
}
