import { definePlugin } from "@pergola/sdk";
import { Archive } from "./archive.ts";

export default definePlugin({ parts: { archive: (parts) => new Archive(parts) } });
