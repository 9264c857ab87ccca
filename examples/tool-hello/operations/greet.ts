import { defineOperation, ToolError } from "@pergola/sdk";
import { greetingFor } from "../greeting.ts";

export const greet = defineOperation({
  name: "greet",
  description: "Greet somebody by name.",
  effect: "none",
  parameters: { name: { type: "string", maxLength: 100, description: "Who is greeted" } },
  required: ["name"],
  examples: [{ say: "say hello to Ada", arguments: { name: "Ada" } }],
  async run({ name }, context) {
    if (name.trim() === "")
      throw new ToolError("invalid_value", "The name is blank.", { hint: "Give the name of a person." });
    return { data: greetingFor(name.trim(), context) };
  },
});
