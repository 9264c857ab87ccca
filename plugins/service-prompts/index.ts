import { definePlugin } from "@pergola/sdk";
import { Prompts } from "./prompts.ts";

export default definePlugin({ parts: { prompts: (parts) => new Prompts(parts) } });
