import { defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const entrySchema = {
  title: "AuditEntry",
  type: "object",
  properties: {
    seq: { type: "integer", description: "Counts from 1, without a gap" },
    time: text,
    caller: { type: ["object", "null"], properties: { kind: text, id: text, name: text } },
    address: textOrNull,
    action: text,
    target: textOrNull,
    outcome: text,
    requestId: textOrNull,
    previous: { ...text, description: "SHA-256 of the line before" },
  },
} as const;

export const readAudit = defineRoute({
  method: "GET",
  path: "/api/audit",
  scope: "admin",
  protected: true,
  summary: "Read who did what, the oldest first",
  query: {
    after: { type: "integer", minimum: 0, default: 0, description: "Only entries with a higher number" },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "At most so many" },
  },
  response: {
    type: "object",
    properties: {
      entries: { type: "array", items: entrySchema },
      count: { type: "integer", description: "Entries after that number, before paging" },
    },
  },
  failures: [],
  async handle({ query }, { access }: ServicesWith<"access">) {
    const { items, count } = await access.audit(query);
    return { body: { entries: items, count } };
  },
});

export const audit = defineEndpoints({ group: "audit", needs: "access", routes: [readAudit] });
