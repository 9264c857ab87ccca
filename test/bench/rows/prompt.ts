import { chat, getJson, serviceDoor } from "../client.ts";
import type { Figure } from "../report.ts";
import { offeredTools, type OfferedFunction, type Setting } from "../setting.ts";

interface Listed {
  readonly name: string;
  readonly inputSchema: OfferedFunction["function"]["parameters"];
}

/** Names of parameters and of operations, each with its tool's. */
const namesOf = (name: string, { properties = {} }: Listed["inputSchema"]): readonly string[] =>
  [...Object.keys(properties), ...(properties["operation"]?.enum ?? [])].map((part) => `${name}.${part}`);

const windows = [
  ["small", "32,768"],
  ["tools-0", "4,000,000"],
] as const;

/** P19: what the tools take of a request to the model, and whether they tell all that a model must know. */
export async function toolsInPrompt({ mock, service }: Setting): Promise<readonly Figure[]> {
  const { tools: whole } = await getJson<{ readonly tools: readonly Listed[] }>(
    service.port,
    "/debug/mcp/tools",
  );
  const figures: Figure[] = [];
  for (const [model, window] of windows) {
    await chat(serviceDoor(service.port), { model, stream: true });
    const tools = await offeredTools(mock);
    const told = new Set(tools.flatMap(({ function: { name, parameters } }) => namesOf(name, parameters)));
    const offered = new Set(tools.map(({ function: { name } }) => name));
    const untold = whole
      .filter(({ name }) => offered.has(name))
      .flatMap(({ name, inputSchema }) => namesOf(name, inputSchema))
      .filter((name) => !told.has(name));
    const of = `${tools.length} tools in the prompt, a model of ${window} tokens`;
    figures.push(
      { id: "P19", what: of, value: Buffer.byteLength(JSON.stringify(tools)) / 1000, unit: "KB" },
      {
        id: "P19",
        what: `operations and parameters of these tools that are not in it`,
        value: untold.length,
        unit: "",
        goal: 0,
        detail: untold.slice(0, 5).join(", "),
      },
    );
  }
  return figures;
}
