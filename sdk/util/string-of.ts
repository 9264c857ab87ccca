/** The value if it is a string, else an empty one: for fields of answers that nobody has checked. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");
