import { defineHostPlugin } from "@pergola/sdk/host";
import { Changes } from "./changes.ts";
import { changes } from "./routes.ts";

export default defineHostPlugin({ parts: { changes: (parts) => new Changes(parts) }, endpoints: [changes] });
