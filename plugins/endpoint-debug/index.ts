import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { executeTool } from "./routes/execute-tool.ts";
import { listAvailable } from "./routes/list-available.ts";
import { listTools } from "./routes/list-tools.ts";

export const debug = defineEndpoints({ group: "debug", routes: [listTools, executeTool, listAvailable] });

export default definePlugin({ endpoints: [debug] });
