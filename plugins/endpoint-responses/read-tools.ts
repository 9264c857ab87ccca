import { createHash } from "node:crypto";
import { fieldFault, freeFormTool, readToolName, type Warn } from "@pergola/kit-provider";
import { isObject, stringOf, type Json, type OfferedTool, type RunRequest } from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";

/** The longest name of a function that all providers take. */
const longestName = 64;

/** The name under which models see a function of a namespace; one that is too long is cut, with a digest. */
export function flatName(namespace: string | undefined, name: string): string {
  if (namespace === undefined || namespace === "") return name;
  const joint = namespace.endsWith("_") ? "" : "__";
  const whole = `${namespace}${joint}${name}`;
  if (whole.length <= longestName) return whole;
  const digest = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${whole.slice(0, longestName - digest.length - 1)}_${digest}`;
}

/** JSON that the route's schema has checked to be an object. */
type Fields = Readonly<Record<string, unknown>>;

type ToolReader = (tool: Fields, at: string) => readonly OfferedTool[];

const readFunction: ToolReader = ({ name, description, parameters }, at) => {
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw fieldFault(`${at}.parameters`, "must be a JSON schema");
  return [
    {
      name: readToolName(name, at),
      description: stringOf(description),
      parameters: parameters ?? {},
      callers: true,
    },
  ];
};

const readCustom: ToolReader = ({ name, description, format }, at) => [
  freeFormTool({ name: readToolName(name, at), description: stringOf(description), format }),
];

const plainReaders: ReadonlyMap<unknown, ToolReader> = new Map([
  ["function", readFunction],
  ["custom", readCustom],
]);

/** Functions and custom tools of a namespace are offered one by one; others in it are left out. */
const readNamespace: ToolReader = ({ name: namespace, tools }, at) => {
  const space = readToolName(namespace, at);
  if (!Array.isArray(tools)) throw fieldFault(`${at}.tools`, "must be an array of tools");
  return tools.filter(isObject).flatMap((tool, index) =>
    (plainReaders.get(tool["type"])?.(tool, `${at}.tools[${index}]`) ?? []).map((read) => ({
      ...read,
      name: flatName(space, read.name),
      form: { ...read.form, namespace: space, name: read.name },
    })),
  );
};

const readers: ReadonlyMap<unknown, ToolReader> = new Map([...plainReaders, ["namespace", readNamespace]]);

/**
 * The tools of an entry. One that a vendor runs, or of an unknown type, is left out with a warning. Throws
 * `invalid_value` naming the field.
 */
export function readTool(tool: Fields, at: string, warn: Warn): readonly OfferedTool[] {
  const read = readers.get(tool["type"]);
  if (read !== undefined) return read(tool, at);
  warn(
    `${at} was left out: Pergola does not have the tool type "${stringOf(tool["type"])}". ` +
      "Send a function or a custom tool, or use the built-in tools.",
  );
  return [];
}

type ToolSelection = Pick<RunRequest, "callerTools" | "builtinTools">;

/** With `allowed_tools`, only those that it lists. */
export function restrictTools({ tool_choice: choice }: ResponseBody, tools: ToolSelection): ToolSelection {
  if (!isObject(choice) || choice["type"] !== "allowed_tools" || !Array.isArray(choice["tools"]))
    return tools;
  const names = choice["tools"].filter(isObject).map(chosenName);
  const { callerTools, builtinTools } = tools;
  return {
    callerTools: callerTools.filter(({ name }) => names.includes(name)),
    builtinTools: Array.isArray(builtinTools)
      ? (builtinTools as readonly string[]).filter((name) => names.includes(name))
      : builtinTools,
  };
}

const modes: ReadonlySet<unknown> = new Set(["auto", "none", "required"]);

const chosenName = ({ name, namespace }: Fields): string => flatName(stringOf(namespace), stringOf(name));

/**
 * `tool_choice` as chat requests have it: this format names a function without an object around the name. The
 * choice of a tool that a vendor runs is left out, with the tool.
 */
export function toolChoiceOf(choice: ResponseBody["tool_choice"]): Json | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === "string") {
    if (modes.has(choice)) return choice;
    throw fieldFault("tool_choice", "must be auto, none, required, or { type: function, name }");
  }
  const { type, name, mode } = choice as Fields;
  if (type === "allowed_tools") return modes.has(mode) ? (mode as string) : "auto";
  if (!plainReaders.has(type)) return undefined;
  if (typeof name !== "string") throw fieldFault("tool_choice.name", "must be the name of a tool");
  return { type: "function", function: { name: chosenName(choice) } };
}

/** `text.format` as the `response_format` of chat requests. */
export function responseFormatOf({ text }: ResponseBody): Json | undefined {
  const format = text?.format ?? undefined;
  if (format === undefined || format["type"] === "text") return undefined;
  if (format["type"] !== "json_schema") return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}
