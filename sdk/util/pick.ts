/** An object with the named fields of another. */
export function pick<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, K>;
}
