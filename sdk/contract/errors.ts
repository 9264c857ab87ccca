import { defined } from "../util/defined.ts";
import { errorTable, type ErrorType } from "./error-table.ts";

const appError = Symbol.for("pergola.AppError");
const toolError = Symbol.for("pergola.ToolError");
const pluginError = Symbol.for("pergola.PluginError");

const isMarked = (value: unknown, marker: symbol): boolean =>
  typeof value === "object" && value !== null && marker in value;

/** What an `AppError` is made of. */
export interface AppErrorDetails {
  /** A code of the error table; it fixes the HTTP status and the type. */
  readonly code: string;
  /**
   * One sentence that may be shown to a client: no secret, no stack, no path of the host that the client did
   * not name.
   */
  readonly message: string;
  /** The request field at fault. */
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds, for the Retry-After header. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * A failure whose message may be shown to a client. Whatever else is thrown is a bug and answers
 * `internal_error`.
 */
export class AppError extends Error {
  readonly [appError] = true;
  readonly code: string;
  readonly param: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;

  constructor({ code, message, param, details, retryAfter, cause }: AppErrorDetails) {
    super(message, defined({ cause }));
    this.name = new.target.name;
    this.code = code;
    this.param = param;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  /** HTTP status of the code; 500 for a code the table does not hold. */
  get status(): number {
    return errorTable[this.code]?.status ?? 500;
  }

  get type(): ErrorType {
    return errorTable[this.code]?.type ?? "server_error";
  }

  /** True across copies of the SDK, where `instanceof` would not be. */
  static is(value: unknown): value is AppError {
    return isMarked(value, appError);
  }
}

/**
 * A tool could not do what was asked. `message` says what went wrong; `hint` tells the model what to try
 * next. `code` is one of the tool error codes (docs/errors.md); `fields` stand beside `error` in the tool
 * result.
 */
export class ToolError extends Error {
  readonly [toolError] = true;
  readonly code: string;
  readonly hint: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: string,
    message: string,
    {
      hint = "",
      fields,
      cause,
    }: { hint?: string; fields?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, defined({ cause }));
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
    this.fields = fields;
  }

  static is(value: unknown): value is ToolError {
    return isMarked(value, toolError);
  }
}

/** A plugin failed at a named step. Keeps the cause; says what the operator can do. */
export class PluginError extends Error {
  readonly [pluginError] = true;
  readonly plugin: string;
  readonly step: string;
  readonly remedy: string;

  constructor(
    plugin: string,
    step: string,
    message: string,
    options: { remedy?: string; cause?: unknown } = {},
  ) {
    super(`${plugin}, ${step}: ${message}`, defined({ cause: options.cause }));
    this.name = new.target.name;
    this.plugin = plugin;
    this.step = step;
    this.remedy =
      options.remedy ??
      `Run \`pergola plugins inspect ${plugin}\` for the details, ` +
        "or name the plugin under `disabled` in the settings file.";
  }

  static is(value: unknown): value is PluginError {
    return isMarked(value, pluginError);
  }
}
