/** What all texts have that come with the service. */
export const builtIn = {
  builtIn: true,
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-01T00:00:00.000Z",
} as const;
