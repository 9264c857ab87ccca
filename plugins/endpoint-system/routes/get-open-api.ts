import type { Route } from "@pergola/sdk";
import { openApi } from "../open-api.ts";

export const getOpenApi: Route = {
  method: "GET",
  path: "/openapi.json",
  summary: "This interface as an OpenAPI 3.1 document",
  response: { type: "object", required: ["openapi", "info", "paths"] },
  handle: (_request, { system }) => ({ body: openApi(system.routes(), system.version) }),
};
