import { objectSchema } from "@pergola/kit-provider";
import { defineRoute } from "@pergola/sdk";
import { ollamaFailure } from "../wire-failure.ts";

export const version = defineRoute({
  method: "GET",
  path: "/api/version",
  scope: "read",
  summary: "The version of Ollama whose interface this is; clients refuse older ones",
  response: objectSchema({ version: { type: "string" } }),
  failures: [],
  ...ollamaFailure,
  handle: () => ({ body: { version: "0.12.6" } }),
});
