import { setTimeout } from "node:timers/promises";
import { defineOperation, definePlugin, defineTool, ToolError, type ToolContext } from "@pergola/sdk";

const family = (name: string, operation: string, run: (context: ToolContext) => Promise<string>) =>
  defineTool({
    name,
    description: "For the conformance suite.",
    operations: [
      defineOperation({
        name: operation,
        description: "For the conformance suite.",
        effect: "none",
        parameters: { message: { type: "string", description: "What to ask" } },
        run: async (_, context) => ({ data: await run(context) }),
      }),
    ],
  });

export default definePlugin({
  tools: [
    family("test_simple_text", "say", async () => "This is a simple text response for testing."),
    family("test_error_handling", "fail", async () => {
      throw new ToolError("generic_error", "This tool intentionally returns an error for testing");
    }),
    family("test_tool_with_progress", "work", async (context) => {
      for (const done of ["0", "50", "100"]) {
        context.progress(`${done} of 100`);
        await setTimeout(50);
      }
      return "done";
    }),
    family(
      "test_elicitation",
      "ask",
      async (context) => (await context.ask({ prompt: "Please provide your information" })).text,
    ),
  ],
});
