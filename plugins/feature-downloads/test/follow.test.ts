import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import { testClock } from "@pergola/sdk/testing";
import { follow, type Listener } from "../follow.ts";
import { Slots } from "../slots.ts";
import { Speed } from "../speed.ts";

const at = (status: string, bytesDownloaded = 0) =>
  ({ status, bytesDownloaded }) as unknown as DownloadStatus;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a reader of a download", () => {
  function open(first: DownloadStatus) {
    const clock = testClock();
    const leave = new AbortController();
    const listeners = new Set<Listener>();
    const heard: string[] = [];
    const listen = (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    const done = (async () => {
      for await (const { status, bytesDownloaded } of follow(first, listen, leave.signal, () => clock.now()))
        heard.push(`${status} ${bytesDownloaded}`);
    })();
    const say = async (status: DownloadStatus, after = 0) => {
      clock.advance(after);
      for (const listener of listeners) listener(status);
      await turn();
    };
    return { heard, say, done, leave, listeners };
  }

  it("hears each change of state at once, and progress at most twice a second", async () => {
    const { heard, say, done, listeners } = open(at("starting"));
    await turn();
    await say(at("downloading", 1));
    for (const bytes of [2, 3, 4, 5, 6]) await say(at("downloading", bytes), 250);
    await say(at("completed", 7), 1);
    await done;
    expect(heard).to.deep.equal([
      "starting 0",
      "downloading 1",
      "downloading 3",
      "downloading 5",
      "completed 7",
    ]);
    expect(listeners.size).to.equal(0);
  });

  it("that is slow hears the changes of state and the newest progress", async () => {
    const { heard, say, done } = open(at("starting"));
    void say(at("downloading", 1), 600);
    void say(at("downloading", 2), 600);
    void say(at("failed", 3), 600);
    await done;
    expect(heard).to.deep.equal(["starting 0", "downloading 2", "failed 3"]);
  });

  it("of one that has ended hears that alone; one that leaves is forgotten", async () => {
    const ended = open(at("cancelled"));
    await ended.done;
    expect(ended.heard).to.deep.equal(["cancelled 0"]);
    const { leave, done, listeners } = open(at("downloading"));
    await turn();
    leave.abort();
    await done;
    expect(listeners.size).to.equal(0);
  });
});

describe("the places of downloads", () => {
  it("go to the first that waits, and never to more than may be", async () => {
    let most = 1;
    const slots = new Slots(() => most);
    const entered: number[] = [];
    const [first, leave] = [await slots.enter(new AbortController().signal), new AbortController()];
    const waiting = [1, 2, 3].map(async (number) => {
      const free = await slots.enter(number === 1 ? leave.signal : new AbortController().signal);
      entered.push(number);
      return free;
    });
    leave.abort(new Error("left"));
    expect(await waiting[0]!.catch((error: Error) => error.message)).to.equal("left");
    expect(entered).to.deep.equal([]);
    first();
    await turn();
    expect(entered).to.deep.equal([2]);
    most = 2;
    (await waiting[1]!)();
    await turn();
    expect(entered).to.deep.equal([2, 3]);
  });
});

describe("the speed of a download", () => {
  it("is the mean at a steady pace, follows a change within seconds, and falls in silence", () => {
    const speed = new Speed(0);
    let now = 0;
    const run = (seconds: number, rate: number): number => {
      for (let tick = 0; tick < seconds * 4; tick += 1) {
        speed.add(rate / 4);
        now += 250;
        speed.at(now);
      }
      return speed.at(now);
    };
    expect(run(1, 1000)).to.equal(1000);
    expect(run(10, 5000)).to.be.within(4000, 5000);
    expect(run(30, 5000)).to.be.closeTo(5000, 20);
    expect(speed.at(now + 10_000)).to.be.below(1000);
  });

  it("is nothing before there is a sample", () => expect(new Speed(5).at(5)).to.equal(0));
});
