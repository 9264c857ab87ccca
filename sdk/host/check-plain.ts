const refused = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Throws unless a parsed document is plain JSON: no odd keys, no other types, at most 32 levels and 100,000
 * values (an alias counts each time).
 */
export function checkPlain(value: unknown, budget = { left: 100_000 }, depth = 0): void {
  if (depth > 32 || --budget.left < 0) throw new Error("it is nested too deeply or holds too many values");
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error("it holds a value that JSON has not, such as a date");
  for (const [key, entry] of Object.entries(value)) {
    if (refused.has(key)) throw new Error(`the key "${key}" is not allowed`);
    checkPlain(entry, budget, depth + 1);
  }
}
