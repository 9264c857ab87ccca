import { defineHostPlugin } from "@pergola/sdk/host";
import { Results } from "./results.ts";

export default defineHostPlugin({ parts: { results: (parts) => new Results(parts) } });
