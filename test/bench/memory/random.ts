/** Numbers from 0 to 1, the same in each run (Lehmer's generator with the multiplier of Park and Miller). */
export function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
