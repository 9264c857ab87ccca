import { writeSync } from "node:fs";
import type { ToolContext } from "@pergola/sdk";
import { tried } from "./tried.ts";

const channel = 3;

/** Into the channel to the host, past what speaks there; it is not always ready. */
function push(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(channel, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

function frame(text: string): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([header, Buffer.from(text)]);
}

const forever = (): Promise<never> => new Promise(() => undefined);
const answer = (id: number): Buffer => frame(JSON.stringify({ id, value: { data: "forged" } }));

const raw: Readonly<Record<string, () => Buffer>> = {
  huge: () => Buffer.from([0x12, 0xc0, 0, 0]),
  empty: () => Buffer.from([0, 0, 0, 0]),
  garbage: () => Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.alloc(256, 0xff)]),
  half: () => Buffer.from([0, 0, 1, 0, 0x7b]),
  unknown: () => answer(99_999),
  deep: () => frame(`{"id":1,"value":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  proto: () => frame('{"id":1,"value":{"data":1,"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}'),
  "no form": () => frame('{"id":1,"name":"shutdown","args":[]}'),
};

/** X09, X11, X12: one frame that is wrong, then silence. */
export function send({ what }: { readonly what: string }): Promise<never> {
  push(raw[what]!());
  return forever();
}

/** X11: answers questions that may be open, its own among them; so its own is answered twice. */
export function answerAll(): string {
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  push(Buffer.concat(ids.map(answer)));
  return "answered";
}

/** X10 */
export function flood({ what }: { readonly what: string }, context: ToolContext): unknown {
  const request = { name: "door", args: [{ call: 99_999, part: "files", method: "stat", args: ["x"] }] };
  const floods: Readonly<Record<string, () => unknown>> = {
    frames: () => {
      for (let id = 1; id <= 200; id++)
        push(Buffer.concat(Array.from({ length: 1000 }, () => frame(JSON.stringify({ id, ...request })))));
      return "sent";
    },
    requests: async () => {
      const asked = Array.from({ length: 10_000 }, () => tried(() => context.files.stat("nothing")));
      return (await Promise.all(asked)).length;
    },
    lines: () => {
      for (let line = 0; line < 100_000; line++) context.log.info({ line }, "flood");
      return "logged";
    },
    output: () => {
      for (let line = 0; line < 100_000; line++) console.log("flood", line);
      return "written";
    },
  };
  return floods[what]!();
}
