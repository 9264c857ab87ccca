import { definePlugin } from "@pergola/sdk";
import { Runs } from "./runs.ts";

export default definePlugin({ parts: { runs: (parts) => new Runs(parts) } });
