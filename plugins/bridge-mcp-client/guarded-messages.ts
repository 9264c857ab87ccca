/** Characters of one message; more ends the connection. */
export const longestMessage = 16 * 1024 * 1024;
const deepest = 64;

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}

/** Throws for a message that is nested deeper than anything that goes on from here could take. */
export function checkMessage(message: unknown): void {
  if (isTooDeep(message, deepest)) throw new Error("The server sent a message that is nested too deep.");
}
