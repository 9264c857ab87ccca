import { defineHostPlugin } from "@pergola/sdk/host";
import { openTools } from "./tools.ts";

export default defineHostPlugin({ parts: { tools: openTools } });
