import { networkInterfaces } from "node:os";

/** Whether this computer has the loopback address of IPv6. */
export const hasIPv6 = (): boolean =>
  Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
