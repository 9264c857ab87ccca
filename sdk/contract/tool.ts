import type { ToolContext } from "./context.ts";
import type { CallPreview } from "./preview.ts";
import type { Awaitable, Json } from "../util/json.ts";
import type { FromProperties, JsonSchema, Properties } from "../util/schema.ts";

/** What a call may do to the world; the policy reads it (docs/add-a-policy.md). */
export type Effect = "none" | "read" | "write" | "destructive" | "execute";

/**
 * Where a `write` lands: by its path parameters, in the service's own store, or in the person's other data or
 * another system.
 */
export type Place = "paths" | "own" | "external";

/**
 * What may happen to a call that was cut by a crash: run it again, ask whether it happened, or never repeat
 * it.
 */
export type Recovery = "repeat" | "reconcile" | "once";

/** What an operation returns. The host turns it into a `ToolResult`. */
export interface OperationResult {
  /** The result. Text goes out as it is; anything else goes out as its JSON text. */
  readonly data: Json;
  /** One sentence for the model. */
  readonly message?: string;
  /** The text of a file, beside `data` (read_file only). */
  readonly content?: string;
  /** Pictures for models that can see, as data URLs; `data` says what they are to the others. */
  readonly images?: readonly string[];
  /** Further fields that stand beside `data`. */
  readonly fields?: { readonly [key: string]: Json };
}

/** A short text for a card in a user interface. */
export interface ToolDisplay {
  readonly action: string;
  readonly actionDisplayName: string;
  readonly summary: string;
  readonly details: readonly string[];
  readonly icon: string;
}

/**
 * A phrase a person might say, and the call that answers it. The embedded guide learns its routes from these.
 */
export interface OperationExample {
  readonly say: string;
  readonly arguments: { readonly [name: string]: Json };
}

/** A path that an operation touches without a parameter of its own, such as one inside a patch. */
export interface TouchedPath {
  readonly path: string;
  readonly effect: Effect;
}

/** What an operation does with its arguments. */
interface OperationCode<Arguments> {
  /** Fixed, or worked out from the checked arguments. With a function, `effects` lists all it can return. */
  readonly effect: Effect | ((args: Arguments) => Effect | Promise<Effect>);
  readonly reconcile?: (
    args: Arguments,
    context: ToolContext,
  ) => Promise<"happened" | "did_not_happen" | "unknown">;
  readonly touches?: (args: Arguments) => readonly TouchedPath[] | Promise<readonly TouchedPath[]>;
  readonly display?: (args: Arguments) => Partial<ToolDisplay>;
  /**
   * The command it would run and whom it would reach, shown to the person before a yes. Changes of files need
   * none: where `place` is `paths`, the host runs the call on a copy in memory.
   */
  readonly preview?: (
    args: Arguments,
    context: Pick<ToolContext, "settings" | "signal">,
  ) => Awaitable<CallPreview>;
  /**
   * Does the work. Throws `ToolError`; never checks permission, never validates what the schema states, never
   * truncates.
   */
  readonly run: (args: Arguments, context: ToolContext) => Promise<OperationResult>;
}

/** An operation as the host sees it: its arguments are checked, but their types are forgotten. */
export interface Operation extends OperationCode<never> {
  readonly name: string;
  readonly description: string;
  readonly effects?: readonly Effect[];
  readonly place?: Place;
  readonly parameters: Properties;
  readonly required: readonly string[];
  /** Accepted, but not in the enumeration that is shown to the model and counted. */
  readonly hidden?: boolean;
  /** Arguments that its parameters do not name are handed to it as they are, not left out. */
  readonly additional?: boolean;
  /** Other names of the operation inside its family. */
  readonly aliases?: readonly string[];
  readonly recovery?: Recovery;
  readonly examples?: readonly OperationExample[];
  /** The result goes to the model whole, however large (a piece of a stored result is not stored again). */
  readonly keepWhole?: boolean;
  /** Seconds; instead of `tools.timeout_seconds`. 0 = none (the call waits for the person). */
  readonly timeoutSeconds?: number;
}

/** What `defineOperation` takes: an operation whose argument types are read off `parameters`. */
export interface OperationDefinition<P extends Properties, R extends readonly (keyof P & string)[]>
  extends
    OperationCode<FromProperties<P, R[number]>>,
    Omit<Operation, keyof OperationCode<never> | "parameters" | "required"> {
  readonly parameters: P;
  readonly required?: R;
}

/**
 * One action of a tool family: schema, effect and code side by side. Argument types are read off
 * `parameters`.
 */
export function defineOperation<
  const P extends Properties,
  const R extends readonly (keyof P & string)[] = [],
>(definition: OperationDefinition<P, R>): Operation {
  return { ...definition, required: definition.required ?? [] };
}

/**
 * What a family may use to find out whether it can be used: its settings, the services they name, and the
 * programs of its manifest.
 */
export type ProbeContext = Pick<
  ToolContext,
  "signal" | "settings" | "secret" | "preference" | "fetch" | "spawn"
> & {
  /** A plugin of the host keeps memory: contexts of calls have `memory`. */
  readonly keepsMemory: boolean;
};

/** A tool family: operations that a model calls under one name. */
export interface Tool {
  /** The family's name on the wire, snake_case. */
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /**
   * Bare names that mean an operation: `{ read_file: "read_file" }`. A function may look at the arguments.
   */
  readonly aliases?: { readonly [alias: string]: string };
  /** Bare names that mean an operation and some of its arguments, unless the call gives them. */
  readonly shortcuts?: {
    readonly [name: string]: {
      readonly operation: string;
      readonly arguments: { readonly [name: string]: Json };
    };
  };
  /** Other names of the family. */
  readonly names?: readonly string[];
  /**
   * A name used for arguments when `operation` is missing and cannot be told (`math_operations` infers it).
   */
  readonly inferOperation?: (args: { readonly [name: string]: unknown }) => string | undefined;
  /** The text shown instead of the operation in tool events (`think` shows `thinking`). */
  readonly operationLabel?: string;
  /** It is reached by its names and aliases alone: in no list, and not offered to models. */
  readonly hidden?: boolean;
  /**
   * Its operations are another program's: models are always told what each is for, however little room there
   * is.
   */
  readonly thirdParty?: boolean;
  readonly icon?: string;
  /** Says why the family cannot be used now, and what to do; undefined when it can. Asked at start. */
  readonly unavailable?: (
    context: ProbeContext,
  ) => Awaitable<{ readonly reason: string; readonly remedy: string } | undefined>;
}

/** A tool as it is offered to a model. `operations` is for the embedded guide; wire formats leave it out. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** True for a tool that the caller runs, not the host. */
  readonly callers?: boolean;
  /** Of a caller's tool that is no plain function to the caller; its calls carry the same. */
  readonly form?: CallerForm;
  readonly operations?: readonly OfferedOperation[];
}

/** How the caller's own format has a tool that models see as a function. */
export interface CallerForm {
  /** It takes free text: the one argument of the function, `input`. */
  readonly freeForm?: boolean;
  /** The namespace that it belongs to, and its name there. */
  readonly namespace?: string;
  readonly name?: string;
}

/** An operation of an offered tool. */
export interface OfferedOperation {
  readonly name: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  readonly parameters: Properties;
  readonly required: readonly string[];
  readonly examples: readonly OperationExample[];
}

/** What a tool call returns to the model, as JSON text in its message. */
export interface ToolResult {
  readonly success: boolean;
  readonly data?: string;
  readonly content?: string;
  readonly error?: string;
  readonly error_code?: string;
  readonly message: string;
  readonly [field: string]: unknown;
}
