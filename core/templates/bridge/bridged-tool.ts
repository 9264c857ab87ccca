import { defineOperation, defineTool, type Tool } from "@pergola/sdk";
import type { Greeter } from "./greeter.ts";

/** The family of what the other side offers: one operation for each greeting. */
export async function bridgedTool(greeter: Greeter): Promise<Tool> {
  const operations = (await greeter.list()).map((greeting) =>
    defineOperation({
      name: greeting,
      description: `Greet somebody with "${greeting}".`,
      effect: "none",
      parameters: { name: { type: "string", minLength: 1, maxLength: 100, description: "Who is greeted" } },
      required: ["name"],
      run: async ({ name }) => ({ data: await greeter.greet(greeting, name) }),
    }),
  );
  return defineTool({ name: "sample_name", description: "Greet people.", operations });
}
