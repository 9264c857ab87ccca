import { exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly properties: { readonly operation?: { readonly enum: readonly string[] } } };
  }[];
}

interface States {
  readonly tools: readonly { readonly name: string; readonly enabled: boolean; readonly operation_count: number }[];
  readonly total_tools: number;
}

interface Called {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
  readonly toolResult?: { readonly message?: string };
}

export async function listTools(options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const listed = await jsonOf<Listed>(await service.call("GET", "/debug/mcp/tools"));
    const states = await jsonOf<States>(await service.call("GET", "/debug/tools/available"));
    if (options.json === true) process.stdout.write(`${JSON.stringify({ ...states, ...listed })}\n`);
    else
      for (const { name, enabled } of states.tools) {
        const tool = listed.tools.find((one) => one.name === name);
        const names = tool?.inputSchema.properties.operation?.enum ?? [];
        process.stdout.write(
          `${styled("bold", name)}${enabled ? "" : " (off)"}\n  ${(tool?.description ?? "").split("\n")[0]}\n  ${styled("dim", names.join(" "))}\n`,
        );
      }
    return exitCodes.ok;
  });
}

/** Arguments are `name=value` pairs, or one JSON object. */
function argumentsOf(given: readonly string[]): Readonly<Record<string, unknown>> {
  const [first = ""] = given;
  if (first.trimStart().startsWith("{")) return JSON.parse(first) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(given.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

export async function callTool(
  name: string,
  given: readonly string[],
  options: CommonOptions & { readonly directory?: string; readonly yes?: boolean },
): Promise<number> {
  return withService(options, async (service) => {
    const body = {
      tool: name,
      arguments: argumentsOf(given),
      workingDirectory: options.directory ?? process.cwd(),
      isUserInitiated: options.yes === true,
    };
    const called = await jsonOf<Called>(await service.call("POST", "/debug/mcp/execute", body));
    if (options.json === true) process.stdout.write(`${JSON.stringify(called)}\n`);
    else process.stdout.write(`${visible(called.result)}\n`);
    const hint = called.error_code === "approval_required" ? "Add --yes to make the call as your own." : (called.toolResult?.message ?? "");
    if (!called.success && hint !== "") process.stderr.write(`${visible(hint)}\n`);
    return called.success ? exitCodes.ok : exitCodes.failed;
  });
}
