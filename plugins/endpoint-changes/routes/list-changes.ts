import { AppError, type Route } from "@pergola/sdk";
import { changesOf } from "../changes-of.ts";
import { pageSchema, paging } from "../schemas.ts";
import { wirePage } from "../wire-change.ts";

interface Query {
  readonly conversationId?: string;
  readonly limit: number;
  readonly offset: number;
}

export const listChanges: Route = {
  method: "GET",
  path: "/api/changes",
  summary:
    "List what was changed in files in a conversation, the newest first, calls by hand and reverts too",
  query: { conversationId: { type: "string", description: "UUID or alias; required" }, ...paging },
  response: pageSchema,
  async handle({ query }, services) {
    const { conversationId, limit, offset } = query as unknown as Query;
    if (conversationId === undefined)
      throw new AppError({
        code: "missing_field",
        message: "conversationId is missing.",
        param: "conversationId",
      });
    return { body: wirePage(await changesOf(services).list({ conversationId }, { limit, offset })) };
  },
};
