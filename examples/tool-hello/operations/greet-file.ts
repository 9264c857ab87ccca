import { defineOperation, ToolError } from "@pergola/sdk";
import { greetingFor } from "../greeting.ts";

export const greetFile = defineOperation({
  name: "greet_file",
  description: "Greet everybody whose name stands in a text file, one on each line.",
  effect: "read",
  parameters: { path: { type: "string", format: "path", description: "The file with the names" } },
  required: ["path"],
  examples: [{ say: "greet everybody in guests.txt", arguments: { path: "guests.txt" } }],
  async run({ path }, context) {
    const lines = (await context.files.readText(path)).split("\n").map((line) => line.trim());
    const names = lines.filter((line) => line !== "");
    if (names.length === 0)
      throw new ToolError("invalid_value", `${path} holds no name.`, {
        hint: "Name a file with one name on each line.",
      });
    return {
      data: names.map((name) => greetingFor(name, context)),
      message: `Greeted ${names.length} people.`,
    };
  },
});
