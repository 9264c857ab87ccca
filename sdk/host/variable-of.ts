/** The environment variable that sets a preference. */
export const variableOf = (key: string): string => `PERGOLA_${key.replaceAll(".", "_").toUpperCase()}`;
