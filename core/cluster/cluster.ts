import type { IncomingHttpHeaders } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { AppError, EndpointAnswer } from "@pergola/sdk";
import type { Parts, RelayedAnswer } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { answerHeaders, requestHeaders, ticketHeader } from "./passed-headers.ts";
import { Neighbors, type Neighbor } from "./neighbors.ts";
import { Tickets, type Admitted } from "./tickets.ts";

/** Milliseconds between two looks whether the host that works on a request is still there. */
const lookInterval = 2000;

/** A request that is to be handed on. */
export interface HandedOnRequest extends Admitted {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON, bytes as they come, or nothing. */
  readonly body: string | AsyncIterable<Uint8Array> | null;
  /** Its client has left. */
  readonly signal: AbortSignal;
}

type ArrivedRequest = Pick<HandedOnRequest, "method" | "url" | "headers">;

/** Hands requests on to the host that has what they need, and takes those of other hosts. */
export class Cluster {
  readonly #parts: Parts;
  readonly #neighbors: Neighbors;
  readonly #tickets: Tickets;

  constructor(parts: Parts, neighbors: Neighbors, tickets: Tickets) {
    this.#parts = parts;
    this.#neighbors = neighbors;
    this.#tickets = tickets;
  }

  /** Tells the other hosts where this one listens: `cluster.address`, or else this URL. */
  async announce(url: string): Promise<void> {
    const configured = this.#parts.preferences.get<string>("cluster.address");
    await this.#neighbors.announce(new URL(configured || url).origin);
    await this.#tickets.removeOld();
  }

  close(): void {
    this.#neighbors.close();
  }

  /** Whether a request says that another host has let it in. */
  isFromHost({ headers }: Pick<ArrivedRequest, "headers">): boolean {
    return headers[ticketHeader] !== undefined;
  }

  /** Who has sent a request that another host has let in; undefined where no host has. */
  async admit({ method, url, headers }: ArrivedRequest): Promise<Admitted | undefined> {
    const target = this.#neighbors.own;
    if (target === undefined) return undefined;
    return this.#tickets.take(String(headers[ticketHeader]), { target, method, url });
  }

  /**
   * The answer of the host with this label, as it comes. Rejects with `wrong_host` where none is there that
   * can be reached, and with `host_unavailable` where it does not answer, or is gone before it has answered.
   */
  async handOn(label: string, request: HandedOnRequest): Promise<EndpointAnswer> {
    const neighbor = await this.#neighbors.find(label);
    if (neighbor === undefined) throw notThere(label);
    const { caller, peer, method, url } = request;
    const ticket = await this.#tickets.make({ caller, peer }, { target: neighbor.id, method, url });
    try {
      return await this.#relay(neighbor, ticket, request);
    } catch (error) {
      await this.#tickets.withdraw(ticket).catch(() => undefined);
      throw error;
    }
  }

  async #relay(
    neighbor: Neighbor,
    ticket: string,
    { id, method, url, headers, body, signal }: HandedOnRequest,
  ): Promise<EndpointAnswer> {
    const ended = new AbortController();
    const gone = new AbortController();
    void this.#watch(neighbor, gone, AbortSignal.any([ended.signal, signal]));
    try {
      const answer = await this.#parts.doors.relay({
        url: neighbor.address + url,
        method,
        headers: { ...requestHeaders(headers, body), [ticketHeader]: ticket, "x-request-id": id },
        body,
        signal: AbortSignal.any([signal, gone.signal]),
      });
      return await this.#answerOf(answer, method, () => ended.abort());
    } catch (error) {
      ended.abort();
      throw error;
    }
  }

  async #answerOf(
    { status, headers, body }: RelayedAnswer,
    method: string,
    ended: () => void,
  ): Promise<EndpointAnswer> {
    const head = { status, headers: answerHeaders(headers) };
    const pieces = untilEnd(body, ended);
    const isEmpty = status === 204 || status === 304;
    // Nobody reads a body that is not there, and its connection ends with it.
    if (isEmpty || method === "HEAD") for await (const _ of pieces);
    if (isEmpty) return { ...head, status, isEmpty };
    return { ...head, pieces, contentType: String(headers["content-type"] ?? "application/octet-stream") };
  }

  /** A host that hangs keeps its connections: the storage tells that it is gone. */
  async #watch(neighbor: Neighbor, gone: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await setTimeout(lookInterval, undefined, { signal: ended, ref: false }).catch(() => undefined);
      const isThere = ended.aborted || (await this.#neighbors.isThere(neighbor).catch(() => true));
      if (!isThere) return gone.abort(wentAway(neighbor));
    }
  }
}

async function* untilEnd(
  pieces: AsyncIterable<Uint8Array>,
  ended: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* pieces;
  } finally {
    ended();
  }
}

const notThere = (label: string): AppError =>
  fault("wrong_host", `The host "${label}", which has what this needs, is not there or cannot be reached.`, {
    details: { host: label },
  });

const wentAway = ({ label }: Neighbor): AppError => {
  const remedy = "Look at what is there before you send it again: it may have been done.";
  return fault("host_unavailable", `The host "${label}" went away before it had answered. ${remedy}`, {
    details: { host: label },
  });
};

/** Undefined where requests are not handed on: one host, or `cluster.forward` is off. */
export function openCluster(parts: Parts): Cluster | undefined {
  const { storage } = parts.stores;
  if (storage.hosts === undefined || !parts.preferences.get<boolean>("cluster.forward")) return undefined;
  const neighbors = new Neighbors(storage, storage.hosts, parts.log);
  return new Cluster(parts, neighbors, new Tickets(storage, parts.clock));
}
