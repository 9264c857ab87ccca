import { writeFileSync } from "node:fs";
import path from "node:path";
import { describeTool } from "@pergola/sdk/testing";
import { hello } from "../index.ts";

describeTool({
  id: "pergola-tool-hello",
  plugin: path.resolve(import.meta.dirname, ".."),
  tool: hello,
  prepare: (folder) => writeFileSync(path.join(folder, "guests.txt"), "Ada\n"),
});
