import { defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";

const finding = {
  title: "Finding",
  type: "object",
  required: ["id", "level", "what", "detail", "remedy", "address"],
  properties: {
    id: { type: "string", description: "Different for each: `default_model`, `provider:openai`" },
    level: { enum: ["ok", "note", "fault"], description: "note: it works, but you should know" },
    what: { type: "string", description: "What was looked at" },
    detail: { type: "string", description: "How it is; may be empty" },
    remedy: { type: ["string", "null"], description: "What to do; null: nothing, or what `detail` says" },
    address: { type: ["string", "null"], description: "The view of the page for it: `#/models`" },
  },
} as const;

export const getDoctor = defineRoute({
  method: "GET",
  path: "/api/doctor",
  scope: "admin",
  protected: true,
  summary: "Look at the installation: what is found, what is missing, and how to get it",
  description:
    "Takes 15 seconds at most; a check that does not end by then is a `fault`. A request that comes while " +
    "one is at work gets the same answer. Providers are asked for their models, and the addresses of " +
    "`providers.local_servers` too.",
  response: {
    type: "object",
    required: ["findings", "checkedAt"],
    properties: {
      findings: { type: "array", items: finding },
      checkedAt: { type: "string", format: "date-time" },
    },
  },
  failures: [],
  handle: async (_request, { doctor: service }: ServicesWith<"doctor">) => ({ body: await service.check() }),
});

export const doctor = defineEndpoints({ group: "system", needs: "doctor", routes: [getDoctor] });
