import { defineEndpoints, defineRoute, type EndpointGroup } from "@pergola/sdk";
import type { Note, Notes } from "./notes.ts";

const noteSchema = {
  type: "object",
  properties: { id: { type: "string" }, text: { type: "string" }, createdAt: { type: "string" } },
  required: ["id", "text", "createdAt"],
} as const;

/** What clients see of a note. */
const wireNote = ({ id, text, createdAt }: Note) => ({ id, text, createdAt });

/** The routes of the notes. */
export function routesOf(notes: Notes): EndpointGroup {
  const listNotes = defineRoute({
    method: "GET",
    path: "/api/sample-name",
    scope: "read",
    summary: "List the notes, the newest first",
    query: {
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "At most so many" },
    },
    response: {
      type: "object",
      properties: { notes: { type: "array", items: noteSchema } },
      required: ["notes"],
    },
    async handle({ query: { limit } }) {
      return { body: { notes: (await notes.list(limit)).map(wireNote) } };
    },
  });
  const addNote = defineRoute({
    method: "POST",
    path: "/api/sample-name",
    scope: "chat",
    summary: "Add a note",
    body: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 10_000, description: "What is noted" },
      },
      required: ["text"],
    },
    answers: { 201: { "application/json": noteSchema } },
    async handle({ body: { text } }) {
      return { status: 201, body: wireNote(await notes.add(text)) };
    },
  });
  return defineEndpoints({ group: "sample_name", routes: [listNotes, addNote] });
}
