import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value = Readonly<Record<string, unknown>>;

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}

/** A span as it was received; attributes by their keys. */
export interface ReceivedSpan extends Omit<WireSpan, "attributes"> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: WireSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** What a receiver has been sent. */
export interface Received {
  readonly path: string;
  readonly text: string;
}

function plain({ arrayValue, ...value }: Value): unknown {
  if (arrayValue === undefined) return Object.values(value)[0];
  return (arrayValue as { values: readonly Value[] }).values.map(plain);
}

/** An OTLP receiver on loopback. `answers`: statuses of the next answers, then 200; 0: it never answers. */
export async function otlpReceiver(answers: number[] = []) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      received.push({ path: request.url ?? "", text });
      const status = answers.shift() ?? 200;
      if (status > 0) response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bodies = (): readonly Body[] => received.map(({ text }) => JSON.parse(text) as Body);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: (): readonly ReceivedSpan[] =>
      bodies()
        .flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])),
        })),
    metrics: (): readonly string[] =>
      bodies()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics))
        .flatMap(({ metrics }) => metrics.map(({ name }) => name)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type OtlpReceiver = Awaited<ReturnType<typeof otlpReceiver>>;
