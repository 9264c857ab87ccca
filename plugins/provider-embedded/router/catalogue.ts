import type {
  Effect,
  JsonSchema,
  OfferedOperation,
  OfferedTool,
  OperationExample,
  Properties,
} from "@pergola/sdk";
import { actionsOf, isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { stopWords } from "../language/stop-words.ts";
import { type FileKind, fileKindOf } from "../marks/file-kinds.ts";
import { readOrder } from "../phrase/order.ts";
import { readPhrase } from "../phrase/phrase.ts";
import { type Frame, framesOf } from "../slots/frame.ts";
import { type LearnedExample, learnExample } from "../slots/learn-example.ts";
import { type Slot, slotsOf } from "../slots/slot.ts";

/** One thing that can be called, prepared for routing. */
export interface Route {
  readonly tool: string;
  /** undefined for a tool without operations. */
  readonly operation: string | undefined;
  readonly name: string;
  readonly description: string;
  /** It may change, remove or run something: never called on a guess. */
  readonly careful: boolean;
  readonly slots: readonly Slot[];
  readonly examples: readonly LearnedExample[];
  /** The examples as patterns. */
  readonly frames: readonly Frame[];
  /** It runs or destroys something: values in bare words are confirmed first, however plain the order. */
  readonly grave: boolean;
  /** It also reads, when its choice says so. */
  readonly reads: boolean;
  /** The kinds of files in its examples. */
  readonly fileKinds: ReadonlySet<FileKind>;
  /** Keys of the words of its name. */
  readonly nameKeys: ReadonlySet<string>;
  /** Keys of the words of its description. */
  readonly aboutKeys: ReadonlySet<string>;
  /** What an order to use it may begin with. */
  readonly actions: ReadonlySet<string>;
}

/** Every key that the route knows: from its name, description and examples. */
export const knownKeys = ({ nameKeys, aboutKeys, examples }: Route): ReadonlySet<string> =>
  new Set([...nameKeys, ...aboutKeys, ...examples.flatMap(({ keys }) => [...keys])]);

const harmless: ReadonlySet<Effect> = new Set(["none", "read"]);
const readingName = /^(?:get|list|read|find|search|show|look|fetch|query|count|check|describe)(?:_|$|[A-Z])/;

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
/** The keys of the words in a name or a description. */
export const keysOfName = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !stopWords.has(word))
      .map(keyOf),
  );

const verbOf = (say: string): readonly string[] => {
  const verb = readOrder(readPhrase(say)).verb;
  return verb === undefined ? [] : [verb.key];
};

const filesIn = (args: OperationExample["arguments"], slots: readonly Slot[]): readonly string[] =>
  slots
    .filter(({ kind }) => kind === "path")
    .flatMap(({ name }) => (typeof args[name] === "string" ? [args[name]] : []));

function prepare(tool: OfferedTool, operation: OfferedOperation, alone: boolean): Route {
  const { name, description, parameters, required, examples } = operation;
  const slots = slotsOf(parameters, required, examples);
  return {
    tool: tool.name,
    operation: alone ? undefined : name,
    name,
    description,
    careful: !operation.effects.every((effect) => harmless.has(effect)),
    slots,
    frames: framesOf(examples, slots, keysOfName(alone ? `${tool.name} ${name}` : name)),
    grave: operation.effects.some((effect) => effect === "execute" || effect === "destructive"),
    reads: operation.effects.some((effect) => harmless.has(effect)),
    fileKinds: new Set(
      examples
        .flatMap(({ arguments: args }) => filesIn(args, slots))
        .flatMap((file) => fileKindOf(file) ?? []),
    ),
    examples: examples.map((example) => learnExample(example, slots)),
    nameKeys: keysOfName(alone ? `${tool.name} ${name}` : name),
    aboutKeys: keysOfName(description),
    actions: new Set([
      ...wordsOf(name)
        .filter((word, index) => index === 0 || isAction(word))
        .flatMap((word) => actionsOf(word).slice(0, 1)),
      ...examples.flatMap(({ say }) => verbOf(say)),
    ]),
  };
}

/**
 * A tool without operations, as its one operation. Its caller runs it; only a name that says it reads is
 * taken as harmless.
 */
function sole(tool: OfferedTool): OfferedOperation {
  const { properties = {}, required = [] } = tool.parameters as {
    properties?: Properties;
    required?: readonly string[];
  } & JsonSchema;
  const effects: readonly Effect[] = readingName.test(tool.name) ? ["read"] : ["execute"];
  const examples: readonly OperationExample[] = [];
  return {
    name: tool.name,
    description: tool.description,
    effects,
    parameters: properties,
    required,
    examples,
  };
}

const known = new WeakMap<OfferedTool, readonly Route[]>();

function routesOf(tool: OfferedTool): readonly Route[] {
  const operations = tool.operations ?? [];
  const routes =
    known.get(tool) ??
    (operations.length === 0
      ? [prepare(tool, sole(tool), true)]
      : operations.map((each) => prepare(tool, each, operations.length === 1)));
  known.set(tool, routes);
  return routes;
}

/** Everything the offered tools can do, prepared once for each tool. */
export const catalogueOf = (tools: readonly OfferedTool[]): readonly Route[] => tools.flatMap(routesOf);
