import { definePlugin } from "@pergola/sdk";
import { Results } from "./results.ts";

export default definePlugin({ parts: { results: (parts) => new Results(parts) } });
