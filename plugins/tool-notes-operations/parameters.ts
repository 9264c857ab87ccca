/*
 * The operations of a family are offered to a model as one function with the union of their parameters. A
 * parameter that several operations share is described here once, in words that fit them all.
 */

const text = { type: "string" } as const;
const nonEmpty = { ...text, minLength: 1 } as const;

export const query = { ...nonEmpty, description: "Words to find, all of them" } as const;
export const folder = { ...nonEmpty, description: "A folder's name" } as const;
export const noteName = { ...nonEmpty, description: "A note's title" } as const;
export const title = nonEmpty;
export const body = { ...text, description: "Markdown" } as const;
export const addition = nonEmpty;
export const maxResults = {
  type: "integer",
  minimum: 1,
  maximum: 1000,
  default: 20,
} as const;
