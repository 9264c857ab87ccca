import type {
  Effect,
  Json,
  ModelCall,
  OfferedOperation,
  OfferedTool,
  Properties,
  Provider,
} from "@pergola/sdk";
import type { Expected, ExpectedArguments, Phrase } from "./phrase.ts";

type Arguments = Readonly<Record<string, Json>>;

/** What the guide made of a phrase. */
export interface Measured {
  readonly phrase: Phrase;
  /** The operation it called; undefined when it answered with text. */
  readonly operation: string | undefined;
  readonly arguments: Arguments;
  /** Its first answer. */
  readonly text: string;
  /** It asked for a yes first, which the bench gave. */
  readonly confirmed: boolean;
  /** The right call was made, or its operation is among the choices that were offered. */
  readonly reached: boolean;
  /** It called, unasked, what was not meant, or not so. */
  readonly wrongAnswer: boolean;
  /** Such a call that changes something. */
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

const spaced = (name: string): string => name.replaceAll("_", " ");

/** The operations among the choices in an answer, as `tool.operation`. */
const offeredIn = (text: string, tools: readonly OfferedTool[]): readonly string[] =>
  tools.flatMap(({ name: tool, operations = [] }) =>
    operations
      .filter(({ name }) =>
        new RegExp(`^[123]\\. ${spaced(tool)}: ${spaced(name)}(?: \\(|,|$)`, "m").test(text),
      )
      .map(({ name }) => `${tool}.${name}`),
  );

const isMeant = ({ operations }: Phrase, name: string): boolean =>
  operations.includes(name) || operations.includes(name.split(".")[1] ?? "");

/** The defaults of an operation's parameters. */
function defaultsOf(parameters: Properties = {}): Arguments {
  const defaults = Object.entries(parameters).map(
    ([name, schema]) => [name, schema.default ?? null] as const,
  );
  return Object.fromEntries(defaults) as Arguments;
}

/** What the guide calls for a phrase, in the end, and what it said first. */
async function play(
  provider: Provider,
  tools: readonly OfferedTool[],
  { say, operations }: Phrase,
  signal: AbortSignal,
) {
  const asked = { role: "user", content: say } as const;
  const first = await step(provider, tools, [asked], signal);
  const confirmed = operations.length > 0 && first.text.startsWith("Shall I do this");
  if (!confirmed) return { ...first, confirmed };
  const answer = { role: "assistant", content: first.text } as const;
  const { found } = await step(provider, tools, [asked, answer, { role: "user", content: "yes" }], signal);
  return { text: first.text, found, confirmed };
}

function isRightCall(
  phrase: Phrase,
  call: Call | undefined,
  { name, parameters }: OfferedOperation,
): boolean {
  const { arguments: given = {}, name: tool = "" } = call ?? {};
  const defaults = defaultsOf(parameters);
  return (
    isMeant(phrase, `${tool}.${name}`) &&
    phrase.arguments.some((expected) => matchesAll(expected, given, defaults))
  );
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
  const { text, found, confirmed } = await play(provider, tools, phrase, signal);
  const given = found?.arguments ?? {};
  const operation = found && operationOf(tools, found.name, given);
  const isRight = operation !== undefined && isRightCall(phrase, found, operation);
  const wrongAnswer = operation !== undefined && !confirmed && !isRight;
  return {
    phrase,
    operation: operation?.name,
    arguments: given,
    text,
    confirmed,
    reached: isRight || offeredIn(text, tools).some((name) => isMeant(phrase, name)),
    wrongAnswer,
    wrongEffect: wrongAnswer && !operation.effects.every((effect) => harmless.has(effect)),
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
  /** Those for which the right call was made, or its operation offered. */
  readonly reached: number;
  /** Those for which it was made at once, or after a yes. */
  readonly called: number;
  /** Of these, those that needed the yes. */
  readonly confirmed: number;
  /** Phrases that no call answers. */
  readonly silent: number;
  /** Those that led to no call. */
  readonly abstained: number;
  /** Calls, of all phrases, that were made unasked and are wrong. */
  readonly wrongAnswers: number;
  readonly wrongEffects: number;
}

export function figuresOf(measured: readonly Measured[]): Figures {
  const asked = measured.filter(({ phrase }) => phrase.operations.length > 0);
  const silent = measured.filter(({ phrase }) => phrase.operations.length === 0);
  const called = asked.filter(({ reached, operation }) => reached && operation !== undefined);
  return {
    asked: asked.length,
    reached: asked.filter(({ reached }) => reached).length,
    called: called.length,
    confirmed: called.filter(({ confirmed }) => confirmed).length,
    silent: silent.length,
    abstained: silent.filter(({ operation }) => operation === undefined).length,
    wrongAnswers: measured.filter(({ wrongAnswer }) => wrongAnswer).length,
    wrongEffects: measured.filter(({ wrongEffect }) => wrongEffect).length,
  };
}
