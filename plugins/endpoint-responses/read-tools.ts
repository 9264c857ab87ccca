import { createHash } from "node:crypto";
import { freeFormTool } from "@pergola/kit-provider";
import {
  isObject,
  stringOf,
  type Json,
  type OfferedTool,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { fault } from "./fault.ts";

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

function readName(name: unknown, at: string): string {
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) return name;
  throw fault(`${at}.name`, "must be a name of 1 to 64 letters, digits, _, - and dots");
}

/** JSON that the route's schema has checked to be an object. */
type Fields = Readonly<Record<string, unknown>>;

type ToolReader = (tool: Fields, at: string) => readonly OfferedTool[];

const readFunction: ToolReader = ({ name, description, parameters }, at) => {
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw fault(`${at}.parameters`, "must be a JSON schema");
  return [
    {
      name: readName(name, at),
      description: stringOf(description),
      parameters: parameters ?? {},
      callers: true,
    },
  ];
};

const readCustom: ToolReader = ({ name, description, format }, at) => [
  freeFormTool({ name: readName(name, at), description: stringOf(description), format }),
];

const plainReaders: ReadonlyMap<unknown, ToolReader> = new Map([
  ["function", readFunction],
  ["custom", readCustom],
]);

/** Functions and custom tools of a namespace are offered one by one; others in it are left out. */
const readNamespace: ToolReader = ({ name: namespace, tools }, at) => {
  const space = readName(namespace, at);
  if (!Array.isArray(tools)) throw fault(`${at}.tools`, "must be an array of tools");
  return tools.filter(isObject).flatMap((tool, index) =>
    (plainReaders.get(tool["type"])?.(tool, `${at}.tools[${index}]`) ?? []).map((read) => ({
      ...read,
      name: flatName(space, read.name),
      form: { ...read.form, namespace: space, name: read.name },
    })),
  );
};

const readers: ReadonlyMap<unknown, ToolReader> = new Map([...plainReaders, ["namespace", readNamespace]]);

/** Tools that a vendor runs, and types that are not known: the answer's warnings name them. */
const leftOut = ({ type }: Fields, index: number): string =>
  `tools[${index}] was left out: Pergola does not have the tool type "${stringOf(type)}". ` +
  "Send a function or a custom tool, or use the built-in tools.";

const hasParameters = ({ parameters }: OfferedTool): boolean => {
  const { properties } = parameters as { readonly properties?: unknown };
  return isObject(properties) && Object.keys(properties).length > 0;
};

interface ReadTools extends Pick<RunRequest, "callerTools" | "builtinTools"> {
  readonly warnings: readonly string[];
}

/** With `allowed_tools`, only those that it lists. */
function allowedOf({ tool_choice: choice }: ResponseBody, listed: readonly OfferedTool[]) {
  if (!isObject(choice) || choice["type"] !== "allowed_tools" || !Array.isArray(choice["tools"]))
    return listed;
  const names = choice["tools"].filter(isObject).map(chosenName);
  return listed.filter(({ name }) => names.includes(name));
}

/**
 * The caller's tools, and which of the built-in ones are offered with them. An entry that is named like a
 * built-in family and has no parameters of its own selects that family; every other one is the caller's.
 */
export function toolsOf(body: ResponseBody, { tools }: Services): ReadTools {
  const { builtin_tools: builtin = "auto", mcp_tools_enabled: enabled } = body.service_config ?? {};
  const sent = body.tools ?? [];
  const warnings = sent.flatMap((tool, index) => (readers.has(tool["type"]) ? [] : [leftOut(tool, index)]));
  const all = sent.flatMap((tool, index) => readers.get(tool["type"])?.(tool, `tools[${index}]`) ?? []);
  const listed = allowedOf(body, all);
  if (enabled === false || builtin === "none") return { callerTools: listed, builtinTools: "none", warnings };
  const isSelection = (tool: OfferedTool): boolean => tools.isFamily(tool.name) && !hasParameters(tool);
  const callerTools = listed.filter((tool) => !isSelection(tool));
  if (sent.length === 0 || builtin === "all") return { callerTools, builtinTools: "all", warnings };
  return { callerTools, builtinTools: listed.filter(isSelection).map(({ name }) => name), warnings };
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
    throw fault("tool_choice", "must be auto, none, required, or { type: function, name }");
  }
  const { type, name, mode } = choice as Fields;
  if (type === "allowed_tools") return modes.has(mode) ? (mode as string) : "auto";
  if (!plainReaders.has(type)) return undefined;
  if (typeof name !== "string") throw fault("tool_choice.name", "must be the name of a tool");
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
