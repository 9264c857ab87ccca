import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { getTool } from "./routes/get-tool.ts";
import { listTools } from "./routes/list-tools.ts";
import { switchTool } from "./routes/switch-tool.ts";

export const tools = defineEndpoints({ group: "tools", routes: [listTools, getTool, switchTool] });

export default definePlugin({ endpoints: [tools] });
