import { Decimal } from "decimal.js";

/**
 * Decimal arithmetic of 64 digits, so that 0.1 + 0.2 is 0.3 and integers below 10^64 are exact. The bounds on
 * the exponent also bound the time of every operation that is used here. `%` takes the sign of the divisor.
 */
export const Exact = Decimal.clone({
  precision: 64,
  maxE: 5000,
  minE: -5000,
  modulo: 3,
});

export type Exact = InstanceType<typeof Exact>;
