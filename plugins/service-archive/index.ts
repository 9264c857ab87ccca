import { defineHostPlugin } from "@pergola/sdk/host";
import { Archive } from "./archive.ts";

export default defineHostPlugin({ parts: { archive: (parts) => new Archive(parts) } });
