import {
  defineOperation,
  definePlugin,
  defineTool,
  ToolError,
  type Effect,
  type Operation,
  type ToolContext,
} from "@pergola/sdk";
import { lab } from "./lab.ts";

const parameters = {
  name: { type: "string", description: "Stands in the log" },
  gate: { type: "boolean", default: false, description: "Waits until the test opens the gate of that name" },
  deaf: { type: "boolean", default: false, description: "Does not hear a cancel" },
  fail: { type: "string", description: "Fails with this code" },
  times: { type: "integer", description: "A number without a meaning" },
  parts: { type: "array", items: { type: "string" }, description: "A list without a meaning" },
  path: { type: "string", format: "path", aliases: ["file"], description: "A path" },
} as const;

const cut = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

async function work(
  { name, gate, deaf, fail }: { name: string; gate: boolean; deaf: boolean; fail?: string },
  { signal }: ToolContext,
) {
  lab.log.push(`start ${name}`);
  if (gate) await (deaf ? lab.gate(name) : Promise.race([lab.gate(name), cut(signal)]));
  if (fail !== undefined) throw new ToolError(fail, `${name} failed`, { hint: "Try another name." });
  lab.log.push(`end ${name}`);
  return { data: lab.texts.get(name) ?? `did ${name}`, message: "Done." };
}

const operation = (name: string, effect: Effect, more: Partial<Operation> = {}): Operation => ({
  ...defineOperation({
    name,
    description: `Has the effect ${effect}`,
    effect,
    parameters,
    required: ["name"],
    run: work,
  }),
  ...more,
});

const question = defineOperation({
  name: "question",
  description: "Asks twice, one after the other",
  effect: "none",
  parameters: {},
  timeoutSeconds: 0,
  async run(_, context) {
    const first = await context.ask({ prompt: "First?" });
    const second = await context.ask({ prompt: "Second?" });
    return { data: `${first.text}, ${second.text}` };
  },
});

const record = defineOperation({
  name: "record",
  description: "Keeps a record in the plugin's own collection",
  effect: "write",
  place: "own",
  parameters: { name: parameters.name },
  required: ["name"],
  async run({ name }, context) {
    const { callId: id, conversationId } = context;
    const put = { id, conversationId, name };
    await context.collection<typeof put>("records").put(put);
    return { data: name };
  },
});

const move = defineOperation({
  name: "move",
  description: "Touches two paths of a parameter and one of its own",
  effect: "write",
  parameters: {
    paths: { type: "array", items: { type: "string", format: "path" } },
    also: { type: "string" },
  },
  required: ["paths"],
  touches: ({ also }) => (also === undefined ? [] : [{ path: also, effect: "destructive" }]),
  run: async () => ({ data: "moved" }),
});

export default definePlugin({
  tools: [
    defineTool({
      name: "lab",
      description: "Operations of every effect",
      aliases: { lab_peek: "peek", lab_keep: "keep" },
      operations: [
        operation("peek", "read", { aliases: ["look"] }),
        operation("note", "none"),
        operation("keep", "write", { place: "own" }),
        operation("repeat", "write", { place: "own", recovery: "repeat" }),
        operation("check", "write", {
          place: "own",
          recovery: "reconcile",
          reconcile: async () => lab.truth,
        }),
        operation("mail", "write", { place: "external" }),
        operation("wipe", "destructive"),
        operation("launch", "execute"),
        operation("scan", "read"),
        operation("change", "write"),
        move,
        question,
        record,
      ],
    }),
    defineTool({ name: "lab_spare", description: "Another family", operations: [operation("work", "read")] }),
  ],
});
