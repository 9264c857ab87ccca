import type { Effect, Json, ModelCall, OfferedTool, Provider } from "@pergola/sdk";
import type { Expected, ExpectedArguments, Phrase } from "./phrase.ts";

type Arguments = Readonly<Record<string, Json>>;

/** What the guide made of a phrase. */
export interface Measured {
  readonly phrase: Phrase;
  /** The operation it called; undefined when it answered with text. */
  readonly operation: string | undefined;
  readonly arguments: Arguments;
  readonly text: string;
  readonly rightOperation: boolean;
  readonly rightArguments: boolean;
  /** It asked for a yes first, which the bench gave. */
  readonly confirmed: boolean;
  /** It called something with an effect, unasked, that was not asked for, or not so. */
  readonly wrongEffect: boolean;
}

const harmless: ReadonlySet<Effect> = new Set(["none", "read"]);
const isListed = (expected: Expected): expected is { readonly has: readonly string[] } =>
  typeof expected === "object" && expected !== null && "has" in expected;

function matches(expected: Expected, given: Json | undefined): boolean {
  if (!isListed(expected)) return JSON.stringify(expected) === JSON.stringify(given);
  return expected.has.every((words) =>
    JSON.stringify(given ?? "")
      .toLowerCase()
      .includes(words.toLowerCase()),
  );
}

function operationOf(tools: readonly OfferedTool[], toolName: string, { operation }: Arguments) {
  const operations = tools.find(({ name }) => name === toolName)?.operations ?? [];
  return operations.length === 1 ? operations[0] : operations.find(({ name }) => name === operation);
}

/** Families spell the same parameter in different ways (`symbolName`, `symbol_name`). */
const folded = (name: string): string => name.replaceAll("_", "").toLowerCase();
const valueOf = (args: Arguments, name: string): Json | undefined =>
  Object.entries(args).find(([each]) => folded(each) === folded(name))?.[1];

/** Everything expected is there, and nothing beyond it but defaults. */
function matchesAll(expected: ExpectedArguments, given: Arguments, defaults: Arguments): boolean {
  const expectedNames = new Set(Object.keys(expected).map(folded));
  const extra = Object.entries(given).filter(
    ([name, value]) =>
      !expectedNames.has(folded(name)) &&
      name !== "operation" &&
      JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return (
    extra.length === 0 &&
    Object.entries(expected).every(([name, value]) =>
      matches(value, valueOf(given, name) ?? valueOf(defaults, name)),
    )
  );
}

type Call = { readonly name: string; readonly arguments: Arguments };

/** The guide's next step in a conversation. */
async function step(
  provider: Provider,
  tools: readonly OfferedTool[],
  messages: ModelCall["messages"],
  signal: AbortSignal,
) {
  let text = "";
  let found: Call | undefined;
  for await (const event of provider.stream({ model: "guide", messages, tools, sampling: {} }, signal)) {
    if (event.type === "text") text += event.text;
    if (event.type === "tool_call")
      found = { name: event.name ?? "", arguments: JSON.parse(event.arguments ?? "{}") as Arguments };
  }
  return { text, found };
}

/**
 * Says one phrase to the guide as the first message of a conversation and judges its first step; where it
 * asks for a yes, the step after that.
 */
export async function measure(
  provider: Provider,
  tools: readonly OfferedTool[],
  phrase: Phrase,
  signal: AbortSignal,
): Promise<Measured> {
  const asked = { role: "user", content: phrase.say } as const;
  const first = await step(provider, tools, [asked], signal);
  const confirmed = phrase.operations.length > 0 && first.text.startsWith("Shall I do this");
  const answer = [
    asked,
    { role: "assistant", content: first.text },
    { role: "user", content: "yes" },
  ] as const;
  const { text, found } = confirmed ? await step(provider, tools, answer, signal) : first;
  const operation = found === undefined ? undefined : operationOf(tools, found.name, found.arguments);
  const defaults = Object.fromEntries(
    Object.entries(operation?.parameters ?? {}).map(([name, schema]) => [
      name,
      (schema.default ?? null) as Json,
    ]),
  );
  const given = found?.arguments ?? {};
  const names = operation === undefined ? [] : [operation.name, `${found?.name ?? ""}.${operation.name}`];
  const rightOperation =
    operation === undefined
      ? phrase.operations.length === 0
      : names.some((name) => phrase.operations.includes(name));
  const rightArguments =
    rightOperation &&
    (operation === undefined || phrase.arguments.some((expected) => matchesAll(expected, given, defaults)));
  const isEffect = operation !== undefined && !operation.effects.every((effect) => harmless.has(effect));
  const wrongEffect = isEffect && !confirmed && !rightArguments;
  return {
    phrase,
    operation: operation?.name,
    arguments: given,
    text,
    rightOperation,
    rightArguments,
    wrongEffect,
    confirmed,
  };
}

/** Says the phrases one after the other, each in a conversation of its own. */
export async function measureAll(
  provider: Provider,
  tools: readonly OfferedTool[],
  phrases: readonly Phrase[],
  signal: AbortSignal,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const phrase of phrases) measured.push(await measure(provider, tools, phrase, signal));
  return measured;
}

export interface Figures {
  /** Phrases that an operation answers. */
  readonly asked: number;
  readonly rightOperation: number;
  readonly rightArguments: number;
  /** Phrases that no call answers. */
  readonly silent: number;
  readonly abstained: number;
  readonly wrongEffects: number;
  /** Of the right ones, those that it did only after a yes. */
  readonly confirmed: number;
}

export function figuresOf(measured: readonly Measured[]): Figures {
  const asked = measured.filter(({ phrase }) => phrase.operations.length > 0);
  const silent = measured.filter(({ phrase }) => phrase.operations.length === 0);
  return {
    asked: asked.length,
    rightOperation: asked.filter((each) => each.rightOperation).length,
    rightArguments: asked.filter((each) => each.rightArguments).length,
    silent: silent.length,
    abstained: silent.filter((each) => each.rightOperation).length,
    wrongEffects: measured.filter((each) => each.wrongEffect).length,
    confirmed: asked.filter((each) => each.confirmed && each.rightArguments).length,
  };
}
