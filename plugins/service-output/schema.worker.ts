import { serve } from "@pergola/kit-worker/serve";
import { compileFault, faultsOfText } from "./check-text.ts";
import type { SchemaTasks } from "./schema-threads.ts";

serve<SchemaTasks>({
  compile: (schema) => compileFault(schema),
  check: ({ schema, text }) => faultsOfText(schema, text),
});
