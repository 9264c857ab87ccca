import path from "node:path";
import { AppError } from "@pergola/sdk";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: {
      readonly properties?: { readonly operation?: { readonly enum: readonly string[] } };
    };
  }[];
}

interface Available {
  readonly tools: readonly { readonly name: string; readonly enabled: boolean }[];
}

interface Called {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
  readonly toolResult?: { readonly message?: string };
}

export interface CallOptions extends CommonOptions {
  readonly directory?: string;
  readonly yes?: boolean;
}

export async function listTools(options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const { tools } = await jsonOf<Listed>(await service.call("GET", "/debug/mcp/tools"));
    const states = await jsonOf<Available>(await service.call("GET", "/debug/tools/available"));
    if (options.json === true) process.stdout.write(`${JSON.stringify({ ...states, tools })}\n`);
    else process.stdout.write(tools.map((tool) => block(tool, states)).join(""));
    return exitCodes.ok;
  });
}

function block({ name, description, inputSchema }: Listed["tools"][number], { tools }: Available): string {
  const off = tools.some((tool) => tool.name === name && !tool.enabled) ? " (off)" : "";
  const operations = inputSchema.properties?.operation?.enum ?? [];
  const [summary = ""] = description.split("\n");
  const lines = [`${styled("bold", name)}${off}`, visible(summary), styled("dim", operations.join(" "))];
  return `${lines.join("\n  ")}\n`;
}

const misused = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "invalid_value", message, cause });

/** Arguments are `name=value` pairs, or one JSON object. */
function argumentsOf(given: readonly string[]): unknown {
  const [first = ""] = given;
  if (first.trimStart().startsWith("{")) {
    try {
      return JSON.parse(first);
    } catch (error) {
      throw misused(`The arguments are not JSON: ${(error as Error).message}.`, error);
    }
  }
  const odd = given.find((pair) => !/^[^=]+=/.test(pair));
  if (odd !== undefined) throw misused(`"${odd}" is no argument. Write name=value, or one JSON object.`);
  return Object.fromEntries(
    given.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

/**
 * The result goes to stdout as it is where a program reads it, and with visible control characters where a
 * person does.
 */
export async function callTool(
  name: string,
  given: readonly string[],
  options: CallOptions,
): Promise<number> {
  const call = {
    tool: name,
    arguments: argumentsOf(given),
    workingDirectory: path.resolve(options.directory ?? "."),
    isUserInitiated: options.yes === true,
  };
  return withService(options, async (service) => {
    const called = await jsonOf<Called>(await service.call("POST", "/debug/mcp/execute", call));
    const waits = called.error_code === "approval_required";
    const hint = waits ? "Add --yes to make the call as your own." : (called.toolResult?.message ?? "");
    const result = process.stdout.isTTY ? visible(called.result) : called.result;
    if (options.json === true) process.stdout.write(`${JSON.stringify(called)}\n`);
    else if (called.success) process.stdout.write(`${result}\n`);
    else process.stderr.write(`${visible([called.result, hint].filter(Boolean).join("\n"))}\n`);
    return exitCodeOf(called.success);
  });
}
