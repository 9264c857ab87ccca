/** Text with at least one visible character. */
export const nonBlank = { type: "string", minLength: 1, pattern: "\\S" } as const;

export const name = { ...nonBlank, maxLength: 200 } as const;

export const description = { type: "string", maxLength: 2000 } as const;

/** What lists show of a text that comes with the service or is made by a person. */
export const listedProperties = {
  id: { type: "string" },
  name: { type: "string" },
  description: { type: "string" },
  isDefault: { type: "boolean", description: "Used where neither request nor conversation names one" },
  builtIn: { type: "boolean", description: "It cannot be changed" },
} as const;

/** The fields of a checked body that `known` has too; others are passed over. */
export function knownFields<T extends object>(body: T, known: object): T {
  return Object.fromEntries(Object.entries(body).filter(([key]) => Object.hasOwn(known, key))) as T;
}
