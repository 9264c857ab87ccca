import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { addItems, deleteItem, getItem, listItems } from "./conversation-items.ts";
import { compactResponse } from "./compact-response.ts";
import { countInputTokens } from "./count-input-tokens.ts";
import { createResponse } from "./create-response.ts";
import { cancelResponse, deleteResponse, getResponse, listInputItems } from "./stored-responses.ts";

export const responses = defineEndpoints({
  group: "responses",
  routes: [
    createResponse,
    countInputTokens,
    compactResponse,
    getResponse,
    cancelResponse,
    deleteResponse,
    listInputItems,
  ],
});

/** Conversations in the words of this format. */
export const items = defineEndpoints({
  group: "conversations",
  routes: [listItems, addItems, getItem, deleteItem],
});

export default definePlugin({ endpoints: [responses, items] });
