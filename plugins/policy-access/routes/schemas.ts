const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

export const scopesSchema = {
  type: "array",
  items: { enum: ["read", "chat", "tools", "approve", "admin"] },
} as const;

export const tokenSchema = {
  title: "Token",
  type: "object",
  properties: {
    id: { type: "string", description: "`tok_…`; `settings` for the one of the preference auth.token" },
    name: text,
    scopes: scopesSchema,
    root: { ...textOrNull, description: "The folder that its runs must not leave" },
    createdAt: text,
    createdBy: text,
    expiresAt: { ...textOrNull, description: "null = never" },
    lastUsedAt: { ...textOrNull, description: "Written at most once a minute" },
    lastAddress: textOrNull,
    replacedBy: { ...textOrNull, description: "The token that a rotation has put in its place" },
  },
} as const;

export const madeTokenSchema = {
  title: "MadeToken",
  type: "object",
  properties: { token: tokenSchema, secret: { ...text, description: "The token's text, told only here" } },
} as const;

export const callerSchema = {
  type: "object",
  properties: { kind: text, id: text, name: text, remote: { type: "boolean" } },
} as const;
