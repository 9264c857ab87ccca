import type { Duplex } from "node:stream";
import { isObject, ToolError } from "@pergola/sdk";
import type { PluginStrike } from "@pergola/sdk/host";
import { Channel, isEnvelope, type Envelope } from "./channel.ts";
import type { DoorRequest } from "./door-methods.ts";
import { frameOf, FrameReader } from "./frames.ts";
import { maxFrameBytes, maxHostFrameBytes, processLimits } from "./limits.ts";
import { fromWire, toWire } from "./wire-json.ts";

interface LinkListeners {
  /** What a call asks of its context. */
  readonly door: (request: DoorRequest) => Promise<unknown>;
  /** The process broke the rules; nothing more is read of it. */
  readonly fault: (kind: PluginStrike["kind"], reason: string) => void;
}

const isDoorRequest = (value: unknown): value is DoorRequest =>
  isObject(value) &&
  Number.isSafeInteger(value["call"]) &&
  typeof value["part"] === "string" &&
  typeof value["method"] === "string" &&
  Array.isArray(value["args"]) &&
  (value["name"] === undefined || typeof value["name"] === "string");

/**
 * The host's end of the stream to a plugin's process. Whatever comes is judged before it is used, and the
 * process can make this one hold no more than its limits say: a request counts until its answer was read.
 */
export class ProcessLink {
  readonly channel: Channel;
  readonly #reader: FrameReader;
  readonly #stream: Duplex;
  readonly #listeners: LinkListeners;
  readonly #spent = new Map<number, number>();
  #openRequests = 0;
  #isBroken = false;

  constructor(stream: Duplex, listeners: LinkListeners) {
    this.#stream = stream;
    this.#listeners = listeners;
    this.channel = new Channel((envelope) => this.#post(envelope), {
      door: (request: DoorRequest) => listeners.door(request),
    });
    this.#reader = new FrameReader(
      stream,
      {
        message: (text) => this.#take(text),
        fault: (reason) => this.#fail("frame", reason),
      },
      maxFrameBytes,
    );
  }

  /** Forgets what a call has sent, once it has ended. */
  endCall(call: number): void {
    this.#spent.delete(call);
  }

  /** Resolves once the process has taken it. */
  #post(envelope: Envelope): Promise<void> {
    const frame = frameOf(toWire(envelope));
    if (frame.length > maxHostFrameBytes)
      throw new ToolError("generic_error", `That is too much for one answer: ${frame.length} bytes.`, {
        hint: "Ask for less at once.",
      });
    return new Promise((resolve) => this.#stream.write(frame, () => resolve()));
  }

  #fail(kind: PluginStrike["kind"], reason: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#stream.destroy();
    this.#listeners.fault(kind, reason);
  }

  #take(text: string): void {
    if (this.#isBroken) return;
    let envelope: unknown;
    try {
      envelope = fromWire(text);
    } catch {
      envelope = undefined;
    }
    if (!isEnvelope(envelope)) return this.#fail("frame", "something that is no message");
    if (envelope.name === undefined) return this.#takeAnswer(envelope);
    this.#takeRequest(envelope, text.length);
  }

  #takeAnswer(envelope: Envelope): void {
    if (!this.channel.isOpen(envelope.id)) return this.#fail("frame", "an answer that nobody asked for");
    void this.channel.receive(envelope);
  }

  #takeRequest(envelope: Envelope, size: number): void {
    const [request] = envelope.args ?? [];
    if (envelope.name !== "door" || !isDoorRequest(request))
      return this.#fail("frame", "a request of no known form");
    const spent = (this.#spent.get(request.call) ?? 0) + size;
    if (spent > processLimits.callBytes)
      return this.#fail("limit", `more than ${processLimits.callBytes} bytes for one call`);
    this.#spent.set(request.call, spent);
    this.#openRequests += 1;
    if (this.#openRequests >= processLimits.openRequests) this.#reader.pause();
    void this.channel.receive(envelope).finally(() => this.#closeRequest());
  }

  #closeRequest(): void {
    this.#openRequests -= 1;
    if (this.#openRequests === processLimits.openRequests - 1) this.#reader.resume();
  }
}
