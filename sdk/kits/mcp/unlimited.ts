/** Milliseconds of the protocol's own clock for calls that end with something else. */
export const unlimited = 2 ** 31 - 1;
