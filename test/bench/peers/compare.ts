import type { Setting } from "../setting.ts";
import { gateways, hosts, type Peer } from "./catalogue.ts";
import { compareGateway, gatewayRows } from "./gateways.ts";
import { compareHost, ourLife } from "./hosts.ts";
import { install } from "./install.ts";
import { printComparisons, unmeasured, type Comparison, type Subject } from "./report.ts";
import { endPeers } from "./start-peer.ts";

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300).replaceAll("\n", " ");

const minutes = 5;

/** Rejects when the work takes too long, and ends the peer: its requests fail, and the work with them. */
async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void endPeers();
  }, minutes * 60_000);
  try {
    return await work();
  } catch (error) {
    throw late ? new Error(`it had not ended after ${minutes} minutes`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

const hostRows = ["P6", "P7", "P8", "P9"];

/** Each peer that can be installed, on the rows that fit it, or on those of them that are wanted. */
export async function comparePeers(
  setting: Setting,
  wanted: readonly string[],
): Promise<readonly Comparison[]> {
  const isWanted = (id: string): boolean => wanted.length === 0 || wanted.includes(id);
  const found: Comparison[] = [];
  const attempt = async (
    subject: Subject,
    peer: Peer,
    work: () => Promise<Comparison | readonly Comparison[]>,
  ): Promise<void> => {
    const fault = install(peer);
    const result = fault === undefined ? await inTime(work).catch(textOf) : fault;
    const rows = typeof result === "string" ? [unmeasured(subject, peer, result)] : [result].flat();
    found.push(...rows);
    printComparisons(rows);
  };
  for (const gateway of gateways)
    for (const row of gatewayRows.filter(({ id }) => isWanted(id)))
      await attempt(row, gateway, () => compareGateway(setting, gateway, row));
  if (!hostRows.some(isWanted)) return found;
  const ours = await ourLife(setting);
  for (const host of hosts)
    await attempt({ id: "P6–P9", what: "", unit: "" }, host, () => compareHost(setting, host, ours));
  return found;
}
