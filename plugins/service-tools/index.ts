import { defineHostPlugin } from "@pergola/sdk/host";
import { Tools } from "./tools.ts";

export default defineHostPlugin({ parts: { tools: (parts) => new Tools(parts) } });
