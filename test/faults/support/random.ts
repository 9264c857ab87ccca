/** Numbers that are the same for the same seed: Mulberry32. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { between: (low, high) => low + Math.floor(next() * (high - low + 1)) };
}
