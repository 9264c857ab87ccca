import path from "node:path";
import { describeTool } from "@pergola/sdk/testing";
import { tool } from "../index.ts";

describeTool({
  id: "pergola-tool-sample-name",
  // As a host finds it: by its folder, built.
  plugin: path.resolve(import.meta.dirname, ".."),
  tool,
  largest: { operation: "count_words", arguments: { text: "word ".repeat(20_000) } },
});
