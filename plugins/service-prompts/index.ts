import { defineHostPlugin } from "@pergola/sdk/host";
import { Prompts } from "./prompts.ts";

export default defineHostPlugin({ parts: { prompts: (parts) => new Prompts(parts) } });
