/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
}
