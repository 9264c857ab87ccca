import type { JsonSchema, Properties } from "@pergola/sdk";

const number: JsonSchema = { type: ["number", "null"] };
const text: JsonSchema = { type: ["string", "null"] };

/** How much of a subscription is used, or why nobody knows; `available` tells which. */
export const quotaSchema: JsonSchema = {
  type: "object",
  properties: {
    available: { type: "boolean" },
    reason: { type: "string", description: "Only where it is not available" },
    source: { type: "string" },
    login: text,
    plan: text,
    entitlement: number,
    used: number,
    remaining: number,
    percentUsed: { ...number, description: "0 to 100" },
    percentRemaining: number,
    overageCount: { type: "number" },
    overagePermitted: { type: "boolean" },
    unlimited: { type: "boolean" },
    resetDate: { ...text, description: "ISO 8601" },
  },
};

export const quotaQuery = {
  refresh: { type: "boolean", default: false, description: "Ask the provider anew" },
} as const satisfies Properties;
