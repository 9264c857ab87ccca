import { AppError, defineRoute } from "@pergola/sdk";

const message =
  "Pergola does not compact a history into an item. It fits long conversations into the model's context " +
  "by itself: continue with previous_response_id or conversation, or send the whole history.";

/** A summary belongs to a stored conversation and is made for one call: there is nothing to hand out. */
export const compactResponse = defineRoute({
  method: "POST",
  path: "/v1/responses/compact",
  scope: "chat",
  aliases: ["/api/responses/compact"],
  summary: "Always 404, and says how to continue: Pergola compacts long conversations by itself",
  answers: {},
  failures: ["not_found"],
  async handle() {
    throw new AppError({ code: "not_found", message });
  },
});
