import { connect, type Socket } from "node:net";
import { bodyOf, now, sleep, type Door } from "./client.ts";

const mark = "@".charCodeAt(0);

/** Streams that were opened together, read from their sockets with nothing in between. */
export interface Streams {
  /** Texts that have arrived in all of them. */
  marks(): number;
  /** Resolves when each has its first text; rejects after so many milliseconds. */
  begun(within: number): Promise<void>;
  readonly ended: Promise<void>;
  close(): void;
}

function countMarks(piece: Buffer, onMark: ((at: number) => void) | undefined): number {
  let found = 0;
  for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + 1)) {
    found += 1;
    if (onMark !== undefined) onMark(Number.parseFloat(piece.toString("latin1", at + 1, at + 24)));
  }
  return found;
}

function request({ port, path, headers = {} }: Door, body: string): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    "connection: close",
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

export interface StreamsOptions {
  readonly count: number;
  /** Milliseconds over which they are opened, evenly. */
  readonly over: number;
  /** Gets the time of sending of each text that has arrived. */
  readonly onMark?: (sent: number) => void;
}

export async function openStreams(
  door: Door,
  model: string,
  { count, over, onMark }: StreamsOptions,
): Promise<Streams> {
  const sockets: Socket[] = [];
  const ends: Promise<void>[] = [];
  let [marks, begun, failure] = [0, 0, ""];
  const open = (): void => {
    const socket = connect(door.port, "127.0.0.1");
    let [own, seen] = [0, ""];
    socket.on("data", (piece) => {
      if (own === 0) seen = piece.toString("latin1", 0, 400);
      const found = countMarks(piece, onMark);
      if (own === 0 && found > 0) begun += 1;
      own += found;
      marks += found;
    });
    socket.on("error", () => undefined);
    ends.push(
      new Promise((resolve) => {
        socket.on("close", () => {
          if (own === 0) failure = seen;
          resolve();
        });
      }),
    );
    socket.write(request(door, bodyOf(door, { model, stream: true })));
    sockets.push(socket);
  };
  const from = now();
  while (sockets.length < count) {
    const due = Math.min(count, 1 + Math.floor(((now() - from) * count) / over));
    while (sockets.length < due) open();
    if (sockets.length < count) await sleep(1);
  }
  return {
    marks: () => marks,
    begun: async (within) => {
      const until = now() + within;
      while (begun < count && now() < until) await sleep(10);
      if (begun < count) throw new Error(`${begun} of ${count} streams have begun. ${failure}`);
    },
    ended: Promise.all(ends).then(() => undefined),
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

const patience = 60_000;
const closing = 2000;

/**
 * Opens streams within one pause and waits for their end; all their texts must arrive, within a minute. A
 * server that leaves its connections open afterwards is not waited for.
 */
export async function runStreams(door: Door, model: string, count: number, pause: number): Promise<void> {
  const wanted = count * Number(model.split("-")[1]);
  const streams = await openStreams(door, model, { count, over: pause });
  const until = now() + patience;
  const arrived = async (): Promise<void> => {
    while (streams.marks() < wanted && now() < until) await sleep(100);
    await sleep(closing);
  };
  await Promise.race([streams.ended, arrived()]);
  streams.close();
  if (streams.marks() !== wanted) throw new Error(`${streams.marks()} of ${wanted} texts have arrived`);
}
