import { Agent, request as send } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A server that takes chat requests: its port, the path, and what stands before the model's name. */
export interface Door {
  readonly port: number;
  readonly path: string;
  readonly prefix: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields that it wants in every body. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export const serviceDoor = (port: number): Door => ({
  port,
  path: "/api/chat/completions",
  prefix: "mock/",
});
export const modelDoor = (port: number): Door => ({ port, path: "/v1/chat/completions", prefix: "" });

export interface Exchange {
  /** Milliseconds from the request to the first text of the answer. */
  readonly first: number;
  /** Milliseconds from the last text to the end of the answer. */
  readonly tail: number;
  readonly text: string;
}

let turns = 0;

/** Never the same twice: equal texts want equal titles, and a cache would know them. */
export const numbered = (text: string): string => `Number ${(turns += 1)}: ${text}`;

export interface Ask {
  readonly model: string;
  readonly stream?: boolean;
  readonly text?: string;
  /** Fields of the body beside the usual ones. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export function bodyOf(door: Door, ask: Ask): string {
  const { model, stream = false, text = "say hello to the bench, please.", more } = ask;
  const messages = [{ role: "user", content: numbered(text) }];
  return JSON.stringify({ model: door.prefix + model, messages, stream, ...door.more, ...more });
}

/** One chat request. `leaveAfter`: goes away after so many pieces of text. */
export function chat(door: Door, ask: Ask, { leaveAfter = Infinity } = {}): Promise<Exchange> {
  return post(door, bodyOf(door, ask), leaveAfter);
}

const holdsText = (piece: string): boolean => /"(?:content|text|delta)":\s*"[^"]/.test(piece);

/** Sends a body as it is. Text is made to bytes within the time to the first text. */
export function post(door: Door, body: string | Buffer, leaveAfter = Infinity): Promise<Exchange> {
  const { port, path, headers } = door;
  return new Promise((resolve, reject) => {
    let [first, last, text, pieces] = [0, 0, "", 0];
    const request = send(
      {
        port,
        host: "127.0.0.1",
        path,
        method: "POST",
        agent,
        headers: { "content-type": "application/json", ...headers },
      },
      (answer) => {
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => {
          text += piece;
          if (holdsText(piece)) last = now();
          if (first === 0) first = last;
          if (++pieces < leaveAfter) return;
          request.destroy();
          resolve({ first: first - begun, tail: 0, text });
        });
        answer.on("end", () => {
          if (answer.statusCode === 200) resolve({ first: first - begun, tail: now() - last, text });
          else reject(new Error(`${answer.statusCode} ${text}`));
        });
      },
    );
    request.on("error", (error) => (leaveAfter === Infinity ? reject(error) : undefined));
    const begun = now();
    request.end(body);
  });
}

/** `count` requests, `width` at a time. */
export async function many(
  count: number,
  width: number,
  one: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await one(next++);
    }),
  );
}

export const getJson = async <T>(port: number, path: string): Promise<T> =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<T>;

export async function postJson(port: number, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
