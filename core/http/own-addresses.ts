import { networkInterfaces } from "node:os";
import { describeCertificate } from "./certificate.ts";
import { hostInUrl, type BoundPorts } from "./listeners.ts";
import type { ListeningPlan } from "./listening-plan.ts";

/** The addresses of this computer that others can reach, IPv4 first. */
function interfaceAddresses(host: string): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const outer = all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  const four = outer.filter(({ family }) => family === "IPv4").map(({ address }) => address);
  if (host === "0.0.0.0") return four;
  return [...four, ...outer.filter(({ family }) => family === "IPv6").map(({ address }) => address)];
}

const isLoopback = (host: string): boolean => /^(127\.|::1$)/.test(host);

function hostsOf(host: string): readonly string[] {
  if (host === "0.0.0.0" || host === "::") return interfaceAddresses(host);
  return isLoopback(host) ? [] : [host];
}

/** The address of a service for programs on its own computer. */
export function localUrl({ plain: [{ host }] }: ListeningPlan, { plain }: BoundPorts): string {
  const isWildcard = host === "0.0.0.0" || host === "::";
  return `http://${isWildcard ? "127.0.0.1" : hostInUrl(host)}:${plain}`;
}

/**
 * The addresses of a service for other devices, the best first: with a certificate the names in it, for at
 * others a client would refuse the certificate. Empty where only this computer reaches it.
 */
export function remoteUrls({ plain, tls }: ListeningPlan, ports: BoundPorts): readonly string[] {
  if (tls !== undefined) {
    const named = describeCertificate(tls).names.filter(
      (name) => !name.startsWith("*") && name !== "localhost",
    );
    const usable = named.filter((name) => !isLoopback(name));
    const hosts = usable.length > 0 ? usable : hostsOf(tls.host);
    return hosts.map((host) => `https://${hostInUrl(host)}:${ports.tls ?? tls.port}`);
  }
  const hosts = plain.flatMap(({ host }) => hostsOf(host));
  return hosts.map((host) => `http://${hostInUrl(host)}:${ports.plain}`);
}
