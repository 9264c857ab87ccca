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

const answerOf = async (context: ToolContext, prompt: string): Promise<string> =>
  (await context.ask({ prompt })).text;

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
    ...["test_elicitation", "test_streaming_elicitation"].map((name) =>
      family(name, "ask", (context) => answerOf(context, "Please provide your information")),
    ),
    family("test_logging_tool", "log", async ({ log }) => {
      log.info({}, "This is a line of the log.");
      return "logged";
    }),
    ...["elicitation", "request_state", "tampered_state"].map((name) =>
      family(`test_input_required_result_${name}`, "ask", (context) => answerOf(context, "Please confirm")),
    ),
    family("test_input_required_result_multi_round", "ask_twice", async (context) =>
      [await answerOf(context, "Step 1"), await answerOf(context, "Step 2")].join(", "),
    ),
  ],
});
