import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, type PluginStatus } from "@pergola/sdk";
import { chat, modelCalls, type KitWord } from "./kit-chat.ts";
import { statusOf, type KitHost, type PluginUnderTest } from "./kit-host.ts";
import { demand, within, type Rule } from "./rule.ts";

/** A call that the model of the kit makes. */
export interface ModelToolCall {
  readonly name: string;
  /** With `operation`. */
  readonly arguments: JsonObject;
}

/** What a kit must know of a plugin that works inside the host. */
export interface HostedUnderTest extends PluginUnderTest {
  /** Calls of a model that the plugin must refuse, and others that it must let pass. */
  readonly denies?: readonly ModelToolCall[];
  readonly allows?: readonly ModelToolCall[];
}

/** The same in a host. */
export interface HostedStage extends HostedUnderTest, Pick<KitHost, "host" | "model"> {}

/** Milliseconds in which a host answers a chat whose model answers at once. */
const answerLimit = 15_000;
/** Milliseconds after which a chat has surely come to the model. */
const begun = 150;

const plugin = ({ host, id }: HostedStage): PluginStatus => statusOf(host, id);

async function describesSettings(stage: HostedStage): Promise<void> {
  const missing = Object.entries(plugin(stage).settings).filter(
    ([, schema]) => !isObject(schema) || String(schema["description"] ?? "").trim() === "",
  );
  const keys = missing.map(([key]) => key).join(", ");
  demand(missing.length === 0, `These settings have no description: ${keys}.`);
}

/** The plugin, and of a bundle those that it brings. */
async function runs(stage: HostedStage): Promise<void> {
  if (plugin(stage).kind !== "bundle") return;
  const others = stage.host.services.system.plugins().filter(({ official }) => !official);
  const out = others.find(({ state }) => state === "left out");
  demand(out === undefined, `${out?.id}, which it brings, is left out: ${out?.fault}`);
}

/** Fails when a hook of the plugin has failed while something was done. */
async function withoutFailure(stage: HostedStage, act: () => Promise<void>): Promise<void> {
  const failed = (): ReadonlyMap<string, number> =>
    new Map(plugin(stage).hooks.map(({ name, failures }) => [name, failures]));
  const before = failed();
  await act();
  await sleep(begun);
  const now = plugin(stage).hooks.find(({ name, failures }) => failures > (before.get(name) ?? 0));
  demand(now === undefined, `The hook ${now?.name} failed: ${now?.lastError ?? "no reason is known"}`);
}

/** A chat that must succeed, within its time. */
async function answersChat(stage: HostedStage, said = "kit:answer", stream = false): Promise<void> {
  const { status, text } = await within(answerLimit, chat(stage, said, { stream }), "A chat");
  demand(status === 200, `A chat was answered with ${status}: ${text.slice(0, 300)}`);
}

async function answersChats(stage: HostedStage): Promise<void> {
  await withoutFailure(stage, async () => {
    await answersChat(stage);
    await answersChat(stage, "kit:answer", true);
    await Promise.all([answersChat(stage), answersChat(stage), answersChat(stage)]);
  });
}

async function decides(stage: HostedStage): Promise<void> {
  const { denies = [], allows = [] } = stage;
  for (const [calls, isAllowed] of [
    [denies, false],
    [allows, true],
  ] as const)
    for (const call of calls) {
      const { sent } = await within(answerLimit, modelCalls(stage, call), "A call of a tool");
      const wanted = isAllowed ? "pass" : "be refused";
      demand(
        /"success":\s*true/.test(sent) === isAllowed,
        `${call.name} ${JSON.stringify(call.arguments)} must ${wanted}; the model got: ${sent}`,
      );
    }
}

async function survivesAborts(stage: HostedStage): Promise<void> {
  await withoutFailure(stage, async () => {
    for (const stream of [false, true]) {
      const client = new AbortController();
      const gone = chat(stage, "kit:hang", { stream, signal: client.signal }).catch(() => undefined);
      await sleep(begun);
      client.abort();
      await gone;
    }
    await answersChat(stage);
  });
}

async function holdsNobody(stage: HostedStage): Promise<void> {
  const client = new AbortController();
  const slow = chat(stage, "kit:hang", { signal: client.signal }).catch(() => undefined);
  await sleep(begun);
  try {
    await answersChat(stage);
  } finally {
    client.abort();
    await slow;
  }
}

/** The model fails, breaks off, or calls what there is not. */
async function survivesFailures(stage: HostedStage): Promise<void> {
  await withoutFailure(stage, async () => {
    for (const word of ["fail", "cut"] satisfies readonly KitWord[])
      await within(answerLimit, chat(stage, `kit:${word}`), "A chat whose model fails");
    await modelCalls(stage, { name: "no_such_tool", arguments: { operation: "none" } });
    await answersChat(stage);
  });
}

async function survivesSizes(stage: HostedStage): Promise<void> {
  await withoutFailure(stage, async () => {
    await answersChat(stage, "kit:flood");
    const { status } = await within(
      answerLimit,
      chat(stage, `kit:answer ${"word ".repeat(50_000)}`),
      "A long question",
    );
    demand(status < 500, `A question of 250,000 characters was answered with ${status}.`);
    await answersChat(stage);
  });
}

async function startsAgain(stage: HostedStage): Promise<void> {
  const client = new AbortController();
  const cut = chat(stage, "kit:hang", { signal: client.signal }).catch(() => undefined);
  await sleep(begun);
  const restarted = stage.host.restart();
  client.abort();
  await cut;
  await within(4 * answerLimit, restarted, "Stopping and starting again");
  plugin(stage);
  await withoutFailure(stage, () => answersChat(stage));
  await decides(stage);
}

/** What every plugin that works inside the host must do; `restart in the call` is the last one. */
export const hostedRules: readonly Rule<HostedStage, HostedUnderTest>[] = [
  {
    name: "undeclared access",
    title: "does what its manifest names, and nothing else",
    check: runs,
  },
  { name: "descriptions", title: "describes each of its settings", check: describesSettings },
  { name: "answers", title: "works in chats, several at a time", check: answersChats },
  {
    name: "decisions",
    title: "refuses the calls that it must refuse, and no others",
    applies: ({ denies, allows }) => denies !== undefined || allows !== undefined,
    check: decides,
  },
  { name: "abort", title: "works on when a client goes away in a chat", check: survivesAborts },
  { name: "slow", title: "lets other chats pass while one waits for its model", check: holdsNobody },
  { name: "crash", title: "works on when the model or a tool fails", check: survivesFailures },
  { name: "huge output", title: "takes long questions and long answers", check: survivesSizes },
  {
    name: "restart in the call",
    title: "starts again after a stop in a chat, and does the same",
    check: startsAgain,
  },
];
