import { definePlugin } from "@pergola/sdk";
import { Tools } from "./tools.ts";

export default definePlugin({ parts: { tools: (parts) => new Tools(parts) } });
