import { serve } from "@pergola/kit-worker/serve";
import type { DocumentTasks } from "./document-thread.ts";
import { readKinds } from "./read/read-kinds.ts";
import "@pergola/kit-file-facts/transfer-polyfill";
import { writeKinds } from "./write/write-kinds.ts";

serve<DocumentTasks>({ read: readKinds, write: writeKinds });
