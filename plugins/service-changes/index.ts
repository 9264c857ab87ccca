import { defineHostPlugin } from "@pergola/sdk/host";
import { Changes } from "./changes.ts";

export default defineHostPlugin({ parts: { changes: (parts) => new Changes(parts) } });
