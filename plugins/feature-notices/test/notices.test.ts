import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { Notice, Parts } from "@pergola/sdk/host";
import { Notices } from "../notices.ts";

const secret = `whsec_${Buffer.from("a key").toString("base64")}`;
const now = Date.UTC(2026, 0, 1);
const notice: Notice = { type: "response.completed", id: "resp_1", conversationId: "c", runId: "run_1" };
const never = new Promise<never>(() => undefined);

type Answer = (url: string) => Response | Promise<Response>;

const refusal = (status: number, retryAfter?: string): Response =>
  new Response("", { status, ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }) });

/** Notices to webhooks at these addresses, without any waiting. */
function openNotices(urls: readonly string[], answer: Answer) {
  const waits: number[] = [];
  const asked: string[] = [];
  const warnings: string[] = [];
  const parts = {
    clock: { now: () => now },
    dataDirectory: "/nowhere",
    environment: {},
    log: { warn: (_: object, text: string) => void warnings.push(text) },
    preferences: {
      get: (key: string) => (key === "notify.webhooks" ? urls.map((url) => ({ url, secret })) : []),
    },
    doors: {
      fetch: () => (url: string) => {
        asked.push(url);
        return Promise.resolve(answer(url));
      },
    },
  } as unknown as Parts;
  const notices = new Notices(parts, async (seconds) => {
    waits.push(seconds);
    await setImmediate();
  });
  return { notices, waits, asked, warnings };
}

/** Until nothing more happens by itself. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await setImmediate();
}

describe("notices to webhooks", () => {
  const waitsAfter = async (...answers: readonly Response[]) => {
    const left = [...answers];
    const scene = openNotices(["https://one.example"], () => left.shift() ?? refusal(200));
    scene.notices.send(notice);
    await quiet();
    return scene;
  };

  it("are tried again after longer and longer waits, and then given up", async () => {
    const { waits, asked, warnings } = await waitsAfter(...Array.from({ length: 9 }, () => refusal(500)));
    expect(waits).to.deep.equal([1, 10, 60, 300, 1800]);
    expect(asked).to.have.lengthOf(6);
    expect(warnings).to.deep.equal([
      "a webhook was not reached; it is tried again",
      "nobody could be told of an event",
    ]);
  });

  it("wait for as long as Retry-After says, not less than else and an hour at most", async () => {
    const date = new Date(now + 90_000).toUTCString();
    const answers = [refusal(429, "120"), refusal(503, date), refusal(503, "5"), refusal(429, "90000")];
    const { waits, asked } = await waitsAfter(...answers, refusal(503, "soon"));
    expect(waits).to.deep.equal([120, 90, 60, 3600, 1800]);
    expect(asked).to.have.lengthOf(6);
  });

  it("are not tried again where the receiver is gone for good", async () => {
    const { waits, asked, warnings } = await waitsAfter(refusal(410));
    expect([waits, asked.length]).to.deep.equal([[], 1]);
    expect(warnings).to.deep.equal(["nobody could be told of an event"]);
  });

  it("hold a bounded number for one that never answers, and none for the others", async () => {
    const [dead, live] = ["https://dead.example", "https://live.example"];
    const { asked, notices, warnings } = openNotices([dead, live], (url) =>
      url === dead ? never : refusal(200),
    );
    for (let batch = 0; batch < 11; batch++) {
      for (let count = 0; count < 100; count++) notices.send(notice);
      await quiet();
    }
    const askedOf = (one: string): number => asked.filter((url) => url === one).length;
    expect([askedOf(dead), askedOf(live)]).to.deep.equal([1000, 1100]);
    expect(warnings).to.deep.equal(Array(100).fill("nobody could be told of an event"));
  });
});
