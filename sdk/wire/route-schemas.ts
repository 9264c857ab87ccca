/** The query of a list that is read in pages. */
export const pageQuery = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: 1000,
    description: "Without it, all",
  },
  offset: { type: "integer", minimum: 0, default: 0, description: "How many to pass over" },
} as const;

/** The answer of a route that has nothing else to tell. */
export const successSchema = {
  title: "Done",
  type: "object",
  properties: { success: { const: true } },
} as const;
