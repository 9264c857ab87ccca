import { Agent, request as send } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

export interface Exchange {
  /** Milliseconds from the request to the first text of the answer. */
  readonly first: number;
  readonly text: string;
}

/** One chat request. `leaveAfter`: goes away after so many pieces of text. */
export function chat(
  port: number,
  path: string,
  body: object,
  { leaveAfter = Infinity } = {},
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const begun = now();
    let [first, text, pieces] = [0, "", 0];
    const request = send(
      {
        port,
        host: "127.0.0.1",
        path,
        method: "POST",
        agent,
        headers: { "content-type": "application/json" },
      },
      (answer) => {
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => {
          text += piece;
          if (first === 0 && /"content":"[^"]/.test(text)) first = now() - begun;
          if (++pieces < leaveAfter) return;
          request.destroy();
          resolve({ first, text });
        });
        answer.on("end", () =>
          answer.statusCode === 200 ? resolve({ first, text }) : reject(new Error(text)),
        );
      },
    );
    request.on("error", (error) => (leaveAfter === Infinity ? reject(error) : undefined));
    request.end(JSON.stringify(body));
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
