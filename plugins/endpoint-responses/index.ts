import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { createResponse } from "./create-response.ts";
import { cancelResponse, deleteResponse, getResponse, listInputItems } from "./stored-responses.ts";

export const responses = defineEndpoints({
  group: "responses",
  routes: [createResponse, getResponse, cancelResponse, deleteResponse, listInputItems],
});

export default definePlugin({ endpoints: [responses] });
