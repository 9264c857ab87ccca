import { definePlugin, defineTool } from "@pergola/sdk";
import { increase } from "./operations/increase.ts";

export const increaseMaxIterations = defineTool({
  name: "increase_max_iterations",
  description: "Ask for more iterations in this run, when the work will not fit into the limit.",
  operations: [increase],
  icon: "arrow-up",
});

export default definePlugin({ tools: [increaseMaxIterations] });
