import { defineHostPlugin } from "@pergola/sdk/host";
import { Runs } from "./runs.ts";

export default defineHostPlugin({ parts: { runs: (parts) => new Runs(parts) } });
