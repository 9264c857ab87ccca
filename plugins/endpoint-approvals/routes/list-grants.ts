import type { Grant, Route } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const wireGrant = ({
  id,
  conversationId,
  operation,
  kind,
  paths,
  createdAt,
  expiresAt,
  usesLeft,
  approvalId,
}: Grant) => ({
  id,
  conversationId,
  operation,
  kind,
  paths,
  createdAt,
  expiresAt,
  usesLeft,
  approvalId,
});

const grantSchema = {
  type: "object",
  properties: {
    id: text,
    conversationId: text,
    operation: { ...text, description: "family.operation" },
    kind: { enum: ["once", "time", "conversation"] },
    paths: { type: "array", items: text },
    createdAt: text,
    expiresAt: textOrNull,
    usesLeft: { type: ["integer", "null"] },
    approvalId: text,
  },
} as const;

export const listGrants: Route = {
  method: "GET",
  path: "/api/grants",
  summary: "List the permissions that answers have left",
  query: { conversationId: { type: "string", description: "UUID or alias; without it, those of all" } },
  response: {
    type: "object",
    properties: { grants: { type: "array", items: grantSchema }, count: { type: "integer" } },
  },
  async handle({ query }, { approvals }) {
    const { items, count } = await approvals.grants(query["conversationId"] as string | undefined);
    return { body: { grants: items.map(wireGrant), count } };
  },
};
