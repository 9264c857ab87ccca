import { AppError, defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";
import { kinds } from "./kinds.ts";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const eventSchema = {
  title: "RecordEvent",
  type: "object",
  description: "hello, change or resync, told apart by the event's name",
  properties: {
    startId: { ...text, description: "hello: another one after each start of the service" },
    version: { ...text, description: "hello: the service's" },
    caller: {
      type: "object",
      description: "hello",
      properties: { remote: { type: "boolean" }, mayAdminister: { type: "boolean" } },
    },
    kind: { enum: kinds, description: "change" },
    op: { enum: ["put", "delete"], description: "change" },
    id: { ...text, description: "change: of the record; a preference's key" },
    conversationId: { ...textOrNull, description: "change" },
    record: {
      type: ["object", "null"],
      description: "change: as the list of its kind has it; null on delete, and for preferences",
    },
  },
} as const;

/** Throws `invalid_value` for a kind that there is not. */
function readKinds(list: string | undefined): readonly string[] | undefined {
  const named = list?.split(",").map((kind) => kind.trim());
  const unknown = named?.find((kind) => !kinds.some((known) => known === kind));
  if (unknown === undefined) return named;
  const message = `There is no kind "${unknown}". Kinds: ${kinds.join(", ")}.`;
  throw new AppError({ code: "invalid_value", message, param: "kinds" });
}

export const followEvents = defineRoute({
  method: "GET",
  path: "/api/events",
  scope: "read",
  summary: "Follow what changes: records as they are stored and deleted",
  description:
    "The first event is hello. An id is that of the start and a number, which counts all changes; behind " +
    "it a reader comes back. resync says that what came meanwhile is not all there: read the lists again. " +
    "You hear only of what you may list, and of no hidden conversation.",
  query: {
    kinds: { ...text, description: "Kinds of records with commas between them; without it, all" },
    after: { ...text, description: "The id of the last event; also the header Last-Event-ID" },
  },
  answers: { 200: { "text/event-stream": eventSchema } },
  failures: [],
  handle({ query, headers, caller, signal }, services: ServicesWith<"events">) {
    const wanted = readKinds(query.kinds);
    const after = query.after ?? headers["last-event-id"];
    const request = {
      caller,
      ...(wanted !== undefined && { kinds: wanted }),
      ...(after !== undefined && { after }),
    };
    return { events: services.events.follow(request, services, signal) };
  },
});

export const events = defineEndpoints({ group: "events", needs: "events", routes: [followEvents] });
