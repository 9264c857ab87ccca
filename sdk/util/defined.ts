type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its fields that are `undefined`, so that they are neither sent nor stored. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = value[key as keyof T];
    if (field === undefined) continue;
    if (key === "__proto__") Object.defineProperty(kept, key, { value: field, ...plain });
    else kept[key] = field;
  }
  return kept as Defined<T>;
}

/** What a field is that was assigned; an assignment to `__proto__` would make none. */
const plain = { enumerable: true, configurable: true, writable: true } as const;
