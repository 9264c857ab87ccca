/** What names a run in a path. */
export const runParameter = {
  runId: { type: "string", description: "run_ and 32 hexadecimal digits" },
} as const;
