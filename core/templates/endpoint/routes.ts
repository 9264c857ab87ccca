import { defineEndpoints, defineRoute } from "@pergola/sdk";

const countWords = defineRoute({
  method: "POST",
  path: "/api/sample-name",
  scope: "read",
  summary: "Count the words of a text",
  body: {
    type: "object",
    properties: {
      text: { type: "string", maxLength: 100_000, description: "The text" },
      minimumLength: { type: "integer", minimum: 1, default: 1, description: "Skip shorter words" },
    },
    required: ["text"],
  },
  response: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
  handle({ body: { text, minimumLength } }) {
    const words = text.split(/\s+/).filter(({ length }) => length >= minimumLength);
    return { body: { count: words.length } };
  },
});

export const routes = defineEndpoints({ group: "sample_name", routes: [countWords] });
