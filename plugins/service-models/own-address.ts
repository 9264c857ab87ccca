import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** Whether an address is the service's own: it is no server of models to itself. */
export function isOwnAddress({ ownPorts }: Pick<Parts, "ownPorts">, address: string): boolean {
  const { hostname, port, protocol } = new URL(address);
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  const number = Number(port) || (protocol === "https:" ? 443 : 80);
  return isHere && (ownPorts?.() ?? []).includes(number);
}

/** Throws AppError `provider_error` for an address of the service: its answer would wait for itself. */
export function refuseOwnAddress(parts: Pick<Parts, "ownPorts">, address: string): void {
  if (!isOwnAddress(parts, address)) return;
  const { origin } = new URL(address);
  throw new AppError({
    code: "provider_error",
    message: `The service cannot be a provider to itself: ${origin} is its own address.`,
  });
}
