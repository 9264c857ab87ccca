export const query = { type: "string", minLength: 1 } as const;

export const url = { type: "string", format: "uri", minLength: 1 } as const;

export const timeout = {
  type: "integer",
  minimum: 1,
  maximum: 120,
  default: 30,
  description: "Seconds",
} as const;
