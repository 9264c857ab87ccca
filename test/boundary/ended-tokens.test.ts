import { randomUUID } from "node:crypto";
import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import { addToken, fromElsewhere, openDoorStage, type Made } from "./door-scene.ts";

const scopes = ["read", "chat", "tools", "approve"];
const words = ["The first half, ", "and the second."];

interface Open {
  readonly runId: string;
  /** Resolves when the answer is over: with its text, and whether it was cut off. */
  readonly over: Promise<{ readonly text: string; readonly isCut: boolean }>;
  leave(): void;
}

/** "open" while it is not over within the time, in milliseconds; else what it ended with. */
const stateOf = ({ over }: Open, within: number) =>
  Promise.race([
    over.then(({ isCut }) => (isCut ? "cut" : "whole")),
    new Promise<string>((resolve) => setTimeout(() => resolve("open"), within)),
  ]);

describe("what is open for a token that ends", () => {
  let stage: Stage;
  let free!: () => void;
  const opened: Open[] = [];

  before(async () => (stage = await openDoorStage()));
  beforeEach(() => {
    const held = new Promise<void>((resolve) => (free = resolve));
    stage.provider.play(() => chatReply([{ text: words[0]! }, { until: held }, { text: words[1]! }]));
  });
  afterEach(() => {
    free();
    for (const one of opened.splice(0)) one.leave();
  });
  after(() => stage.end());

  /** Begins a request, and comes back when the first bytes of its answer are there. */
  const open = async (path: string, sent: Readonly<Record<string, string>>, body?: object): Promise<Open> => {
    const leaving = new AbortController();
    const headers = { "X-Forwarded-For": "203.0.113.40", "Content-Type": "application/json", ...sent };
    const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${stage.host.url}${path}`, { headers, signal: leaving.signal, ...how });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let { value: text = "" } = await reader.read();
    expect(answer.status, text).to.equal(200);
    const read = async () => {
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
        return { text, isCut: false };
      } catch {
        return { text, isCut: true };
      }
    };
    const one = {
      runId: answer.headers.get("x-run-id") ?? "",
      over: read(),
      leave: () => leaving.abort(),
    };
    opened.push(one);
    return one;
  };
  const bearer = ({ secret }: Made) => ({ Authorization: `Bearer ${secret}` });
  const chat = (made: Made) => open("/api/chat/completions", bearer(made), ask("Hi", { stream: true }));
  const runOf = async (id: string) =>
    (await stage.host.json<{ status: string; completion_reason: string }>("GET", `/api/runs/${id}`)).body;
  const endedRun = async (id: string) => {
    for (;;) {
      const run = await runOf(id);
      if (run.status === "ended") return run;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it("X40 a revoked token's streams end, and its runs and everybody else's streams go on", async () => {
    const gone = await addToken(stage.host, "x40 streams", { scopes });
    const stays = await addToken(stage.host, "x40 stays", { scopes });
    const own = await chat(gone);
    const others = await chat(stays);
    const events = `/api/runs/${own.runId}/events`;
    const theirs = await Promise.all([
      open(events, bearer(gone)),
      open("/v1/responses", bearer(gone), { model: "custom/test", input: "Hi", stream: true }),
      open("/v1/messages", bearer(gone), {
        ...ask("Hi"),
        model: "custom/test",
        max_tokens: 100,
        stream: true,
      }),
      open(events, await sessionOf(gone)),
    ]);
    const follows = await open(events, bearer(stays));
    expect(await stateOf(own, 300)).to.equal("open");
    const { status } = await stage.host.json("DELETE", `/api/tokens/${gone.token.id}`);
    expect(status).to.equal(200);
    const states = await Promise.all([own, ...theirs].map((one) => stateOf(one, 3000)));
    expect(states).to.deep.equal(Array(5).fill("cut"));
    for (const one of [others, follows]) expect(await stateOf(one, 300)).to.equal("open");
    expect((await runOf(own.runId)).status).to.equal("running");
    free();
    expect((await others.over).text).to.include(words[1]);
    expect((await follows.over).text).to.include(words[1]);
    expect((await own.over).text).not.to.include(words[1]);
    expect((await endedRun(own.runId)).completion_reason).to.equal("workflow_complete");
  });

  it("X40 a request that waits for its whole answer ends with its token, too", async () => {
    const gone = await addToken(stage.host, "x40 waits", { scopes });
    const asked = stage.provider.requests.length;
    const waiting = fromElsewhere(stage.host, "/api/chat/completions", {
      method: "POST",
      token: gone.secret,
      body: ask("Hi"),
    }).then(
      () => "answered",
      () => "cut",
    );
    await stage.provider.request(asked);
    await stage.host.json("DELETE", `/api/tokens/${gone.token.id}`);
    const late = new Promise((resolve) => setTimeout(() => resolve("open"), 3000));
    expect(await Promise.race([waiting, late])).to.equal("cut");
    const { body } = await stage.host.json<{ runs: { id: string }[] }>("GET", "/api/runs?limit=1");
    const [{ id = "" } = {}] = body.runs;
    expect((await runOf(id)).status).to.equal("running");
    free();
    expect((await endedRun(id)).completion_reason).to.equal("workflow_complete");
  });

  it("X40 with cancelRuns its runs end, too", async () => {
    const gone = await addToken(stage.host, "x40 cancels", { scopes });
    const stays = await addToken(stage.host, "x40 goes on", { scopes });
    const [own, others] = [await chat(gone), await chat(stays)];
    await stage.host.json("DELETE", `/api/tokens/${gone.token.id}?cancelRuns=true`);
    expect(await stateOf(own, 3000)).to.be.oneOf(["cut", "whole"]);
    expect((await endedRun(own.runId)).completion_reason).to.equal("cancelled");
    expect((await runOf(others.runId)).status).to.equal("running");
  });

  it("X40 an expired token's streams end, and its runs go on", async () => {
    const short = await addToken(stage.host, "x40 expires", { scopes, expiresIn: "5s" });
    const stays = await addToken(stage.host, "x40 is not over", { scopes });
    const [own, others] = [await chat(short), await chat(stays)];
    const follows = await open(`/api/runs/${own.runId}/events`, bearer(short));
    expect(await stateOf(own, 300)).to.equal("open");
    for (const one of [own, follows]) expect(await stateOf(one, 9000)).to.equal("cut");
    expect(await stateOf(others, 300)).to.equal("open");
    const again = await fromElsewhere(stage.host, "/api/models", { token: short.secret });
    expect(again.status).to.equal(401);
    free();
    expect((await others.over).text).to.include(words[1]);
    expect((await endedRun(own.runId)).completion_reason).to.equal("workflow_complete");
  });

  it("X40 a token's streams end when it is made to end earlier, and when it was rotated", async () => {
    const shortened = await addToken(stage.host, "x40 earlier", { scopes });
    const rotated = await addToken(stage.host, "x40 turned", { scopes });
    const [first, second] = [await chat(shortened), await chat(rotated)];
    const expiresAt = new Date(Date.now() + 500).toISOString();
    await stage.host.json("PATCH", `/api/tokens/${shortened.token.id}`, { expiresAt });
    await stage.host.json("POST", `/api/tokens/${rotated.token.id}/rotate`, { overlap: "0s" });
    for (const one of [first, second]) expect(await stateOf(one, 4000)).to.equal("cut");
  });

  it("X40 who revokes their own token is told so", async () => {
    const { token, secret } = await addToken(stage.host, "x40 itself", { scopes: [...scopes, "admin"] });
    const path = `/api/tokens/${token.id}`;
    const { status, body } = await fromElsewhere(stage.host, path, { method: "DELETE", token: secret });
    expect([status, body]).to.deep.equal([200, { success: true }]);
    expect((await fromElsewhere(stage.host, "/api/models", { token: secret })).status).to.equal(401);
  });

  it("X40 the streams of the token in the settings end when it is replaced", async () => {
    const text = (): string => `${randomUUID()}-${randomUUID()}`;
    const old = text();
    await stage.host.json("PATCH", "/api/preferences", { "auth.token": old });
    const body = ask("Hi", { stream: true });
    const own = await open("/api/chat/completions", { Authorization: `Bearer ${old}` }, body);
    expect(await stateOf(own, 300)).to.equal("open");
    await stage.host.json("PATCH", "/api/preferences", { "auth.token": text() });
    expect(await stateOf(own, 3000)).to.equal("cut");
  });

  /** Cookie and page key of a browser that has signed in with the token. */
  const sessionOf = async ({ secret }: Made): Promise<Readonly<Record<string, string>>> => {
    const signedIn = { method: "POST", token: secret, body: {} };
    const { headers, body } = await fromElsewhere<{ key: string }>(stage.host, "/api/session", signedIn);
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
    return { Cookie: cookie, "X-CSRF-Token": body.key };
  };
});
