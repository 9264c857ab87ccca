import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createResponse } from "./create-response.ts";

export const responses = defineEndpoints({ group: "responses", routes: [createResponse] });

export default definePlugin({ endpoints: [responses] });
