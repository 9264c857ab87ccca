import type { Route } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";
import { transferOf } from "../transfer-of.ts";

export const exportConversation: Route = {
  method: "GET",
  path: "/v1/conversations/{conversationId}/export",
  summary: "A conversation with all that belongs to it, as a file",
  params: idParameter,
  query: {
    format: {
      enum: ["json", "markdown"],
      default: "json",
      description: "json can be taken in again, markdown is for people",
    },
  },
  async handle({ params, query }, services) {
    const format = query["format"] === "markdown" ? "markdown" : "json";
    const { name, contentType, chunks } = await transferOf(services).export(
      params["conversationId"] ?? "",
      format,
    );
    return { headers: { "Content-Disposition": `attachment; filename="${name}"` }, chunks, contentType };
  },
};
