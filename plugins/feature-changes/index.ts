import { definePlugin } from "@pergola/sdk";
import { Changes } from "./changes.ts";
import { changes } from "./routes.ts";

export default definePlugin({ parts: { changes: (parts) => new Changes(parts) }, endpoints: [changes] });
