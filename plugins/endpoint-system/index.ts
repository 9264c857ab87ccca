import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { getHealth } from "./routes/get-health.ts";
import { getOpenApi } from "./routes/get-open-api.ts";

export const system = defineEndpoints({ group: "system", routes: [getHealth, getOpenApi] });

export default definePlugin({ endpoints: [system] });
