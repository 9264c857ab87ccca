import { networkInterfaces } from "node:os";

/** Whether an address is this computer's own: one of its interfaces', or any of loopback. */
export function isOwnAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  if (/^(127\.|0\.|::1?$)/.test(plain)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === plain));
}
