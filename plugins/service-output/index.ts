import { defineHostPlugin } from "@pergola/sdk/host";
import { Output } from "./output.ts";

export default defineHostPlugin({ parts: { output: () => new Output() } });
