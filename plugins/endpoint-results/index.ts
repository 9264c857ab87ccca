import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { readToolResult } from "./routes/read-tool-result.ts";

export const results = defineEndpoints({ group: "results", routes: [readToolResult] });

export default definePlugin({ endpoints: [results] });
