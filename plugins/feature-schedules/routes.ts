import {
  defineEndpoints,
  defineRoute,
  defined,
  successSchema,
  type JsonObject,
  type ServicesWith,
} from "@pergola/sdk";
import type { Schedule, ScheduleDraft, ScheduleFields } from "@pergola/sdk/host";

type Available = ServicesWith<"schedules">;

const params = { id: { type: "string", description: "`sch_` and 32 hexadecimal digits" } } as const;
const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;
const textOrNull = (maxLength: number, description: string) =>
  ({ type: ["string", "null"], minLength: 1, maxLength, description }) as const;

/** The fields that a client can set. */
const fields = {
  name: { ...text(200), description: "Default: how the prompt begins" },
  cron: textOrNull(
    200,
    "Minute, hour, day of the month, month, day of the week, or a nickname as `@daily`; null with `at`",
  ),
  at: textOrNull(40, "One start, ISO 8601; without an offset it is a time of `timeZone`. null with `cron`"),
  timeZone: { ...text(64), description: "IANA name; default: that of the service's computer" },
  prompt: { ...text(100_000), description: "The goal of each run" },
  model: { ...text(400), description: "Default: the default model at the time of the start" },
  workingDirectory: textOrNull(4096, "null: that of the conversation"),
  tools: {
    type: ["array", "null"],
    items: text(200),
    maxItems: 200,
    description: "Tool families that its runs may use; null: all",
  },
  max_iterations: {
    type: ["integer", "null"],
    minimum: 1,
    maximum: 10_000,
    description: "null: as the preferences say",
  },
  maxCostUsd: { type: "number", exclusiveMinimum: 0, description: "What one run may cost" },
  enabled: { type: "boolean" },
  conversationId: textOrNull(100, "In which its runs go on; null: one that its first run makes"),
} as const;

const orNull = { type: ["string", "null"] } as const;

const scheduleSchema = {
  title: "Schedule",
  type: "object",
  required: ["id", ...Object.keys(fields), "nextAt", "missed"],
  properties: {
    id: { type: "string" },
    ...fields,
    createdBy: {
      type: "string",
      description: "Whose rights its runs have: the id of a token, or an address",
    },
    createdAt: { type: "string" },
    lastRunId: orNull,
    lastFiredAt: orNull,
    nextAt: { ...orNull, description: "null: it does not start again" },
    missed: {
      type: "integer",
      description: "Starts that were due and did not happen; of one absence 1,000 at most are counted",
    },
    lastError: { ...orNull, description: "Why the last start did not happen" },
  },
} as const;

const example = {
  name: "Morning report",
  cron: "0 7 * * 1-5",
  timeZone: "Europe/Vienna",
  prompt: "Read the notes of yesterday and write today's plan to plan.md.",
  maxCostUsd: 0.5,
};

type Body = Readonly<Record<string, unknown>>;

const wireSchedule = ({ maxIterations, ...schedule }: Schedule): JsonObject => ({
  ...schedule,
  max_iterations: maxIterations,
});

/** The fields that a body names; others are none of the client's. */
function fieldsIn(body: Body): Partial<ScheduleFields> {
  const named = Object.keys(fields).filter((key) => key in body);
  const { max_iterations: maxIterations, ...rest } = Object.fromEntries(named.map((key) => [key, body[key]]));
  return defined({ ...rest, maxIterations }) as Partial<ScheduleFields>;
}

export const listSchedules = defineRoute({
  method: "GET",
  path: "/api/schedules",
  scope: "read",
  summary: "List schedules, the oldest first",
  response: {
    type: "object",
    properties: { schedules: { type: "array", items: scheduleSchema }, count: { type: "integer" } },
  },
  failures: [],
  async handle(_, { schedules }: Available) {
    const { items, count } = await schedules.list();
    return { body: { schedules: items.map(wireSchedule), count } };
  },
});

export const createSchedule = defineRoute({
  method: "POST",
  path: "/api/schedules",
  scope: "chat",
  summary: "Make a schedule: runs that start by themselves, at a time or again and again",
  description:
    "Give `cron` or `at`. Each start is an autonomous run with the rights of who made the schedule, in the " +
    "schedule's conversation. Of starts that were due while no service ran, one is caught up; the others " +
    "are counted in `missed`. The schedule ends with the token that made it.",
  body: { type: "object", required: ["prompt", "maxCostUsd"], examples: [example], properties: fields },
  answers: { 201: { "application/json": scheduleSchema } },
  failures: ["not_found", "model_not_found"],
  async handle({ body, caller }, { schedules }: Available) {
    return {
      status: 201,
      body: wireSchedule(await schedules.create(fieldsIn(body) as ScheduleDraft, caller)),
    };
  },
});

export const getSchedule = defineRoute({
  method: "GET",
  path: "/api/schedules/{id}",
  scope: "read",
  summary: "Show a schedule",
  params,
  response: scheduleSchema,
  failures: [],
  handle: async ({ params }, { schedules }: Available) => ({
    body: wireSchedule(await schedules.get(params.id)),
  }),
});

export const updateSchedule = defineRoute({
  method: "PATCH",
  path: "/api/schedules/{id}",
  scope: "chat",
  summary: "Change a schedule, or switch it on or off; what is absent stays as it is",
  params,
  body: { type: "object", examples: [{ enabled: false }], properties: fields },
  response: scheduleSchema,
  failures: ["model_not_found"],
  handle: async ({ params, body, caller }, { schedules }: Available) => ({
    body: wireSchedule(await schedules.update(params.id, fieldsIn(body), caller)),
  }),
});

export const deleteSchedule = defineRoute({
  method: "DELETE",
  path: "/api/schedules/{id}",
  scope: "chat",
  summary: "Delete a schedule; its conversation and its runs stay",
  params,
  response: successSchema,
  failures: [],
  async handle({ params }, { schedules }: Available) {
    await schedules.delete(params.id);
    return { body: { success: true } };
  },
});

export const schedules = defineEndpoints({
  group: "schedules",
  needs: "schedules",
  routes: [listSchedules, createSchedule, getSchedule, updateSchedule, deleteSchedule],
});
