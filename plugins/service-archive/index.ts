import { defineHostPlugin } from "@pergola/sdk/host";
import { openArchive } from "./archive.ts";

export default defineHostPlugin({ parts: { archive: openArchive } });
