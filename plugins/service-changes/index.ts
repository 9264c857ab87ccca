import { definePlugin } from "@pergola/sdk";
import { Changes } from "./changes.ts";

export default definePlugin({ parts: { changes: (parts) => new Changes(parts) } });
