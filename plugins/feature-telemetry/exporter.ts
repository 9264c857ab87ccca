import { randomUUID } from "node:crypto";
import { retryAfterOf, type Parts } from "@pergola/sdk/host";
import type { Measures } from "./measures.ts";
import { metricsBody, spanText, tracesBody, type Origin } from "./otlp.ts";
import { Outbox, type OutboxOptions, type Sent } from "./outbox.ts";
import type { Span } from "./span.ts";

/** Milliseconds between two reports of metrics, and for all that is sent while the service stops. */
const [interval, farewell] = [60_000, 2000];
/** With which a receiver asks for another try, by the specification of OTLP. */
const again = new Set([429, 502, 503, 504]);

/** Sends spans and metrics to an OpenTelemetry receiver, as OTLP/HTTP in JSON. */
export class Exporter {
  readonly #parts: Parts;
  readonly #base: string;
  readonly #measures: Measures;
  readonly #origin: Origin;
  readonly #start: number;
  readonly #outbox: Outbox;
  readonly #timer: NodeJS.Timeout;
  readonly #giveUp = new AbortController();
  #isFailing = false;

  constructor(parts: Parts, url: string, measures: Measures, counted: OutboxOptions["counted"]) {
    this.#parts = parts;
    this.#base = url.replace(/\/+$/, "");
    this.#measures = measures;
    this.#start = parts.clock.now();
    const { version } = parts;
    const resource = {
      "service.name": "pergola",
      "service.version": version,
      "service.instance.id": randomUUID(),
    };
    this.#origin = { resource, version };
    const send = (spans: readonly string[]): Promise<Sent> =>
      this.#post("/v1/traces", tracesBody(this.#origin, spans), spans.length);
    this.#outbox = new Outbox({ send, counted, random: () => parts.random() });
    this.#timer = setInterval(() => void this.#report(), interval).unref();
  }

  /** Of a trace that nobody records nothing is sent. */
  add(span: Span): void {
    if (span.context.isSampled) this.#outbox.add(spanText(span));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const timer = setTimeout(() => this.#giveUp.abort(), farewell);
    await this.#outbox.stop();
    if (!this.#giveUp.signal.aborted) await this.#report();
    clearTimeout(timer);
  }

  /** A report that does not arrive is not sent again: the next one holds the same and more. */
  async #report(): Promise<void> {
    const { instruments } = this.#measures;
    if (instruments.every(({ series }) => series.length === 0)) return;
    const times = { start: this.#start, now: this.#parts.clock.now() };
    await this.#post("/v1/metrics", metricsBody(this.#origin, instruments, times), 0);
  }

  /** Never rejects. `count`: how many items the body has. */
  async #post(path: string, body: string, count: number): Promise<Sent> {
    try {
      const response = await this.#ask(path, body);
      const text = await response.text();
      if (response.ok) return { taken: count - this.#rejectedIn(text) };
      this.#fails(`it answered ${response.status}`);
      if (!again.has(response.status)) return { taken: 0 };
      const after = retryAfterOf(response.headers.get("retry-after"), this.#parts.clock.now());
      return { again: true, ...(after !== undefined && after > 0 && { after }) };
    } catch (error) {
      this.#fails(error instanceof Error ? error.message : String(error));
      return { again: true };
    }
  }

  #ask(path: string, body: string): Promise<Response> {
    const { doors, dataDirectory } = this.#parts;
    const configured = { folders: [], origins: [new URL(this.#base).origin] };
    const reach = { workingDirectory: dataDirectory, signal: this.#giveUp.signal, paths: [], configured };
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body, timeoutSeconds: 10, maxBytes: 65_536 } as const;
    return doors.fetch({ ...reach, hosts: [] })(this.#base + path, { ...init, redirect: "manual" });
  }

  /** How many spans a receiver that took the rest has refused. */
  #rejectedIn(text: string): number {
    const rejected = rejectedSpans(text);
    if (rejected > 0) this.#fails(`it refused ${rejected} spans`);
    else if (this.#isFailing) this.#parts.log.info({}, "telemetry.otlp_url takes what is sent again");
    this.#isFailing = rejected > 0;
    return rejected;
  }

  /** One line for each time that it stops working. */
  #fails(reason: string): void {
    if (!this.#isFailing) this.#parts.log.warn({ reason }, "telemetry.otlp_url does not take what is sent");
    this.#isFailing = true;
  }
}

function rejectedSpans(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text || "{}") as { partialSuccess?: { rejectedSpans?: unknown } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
