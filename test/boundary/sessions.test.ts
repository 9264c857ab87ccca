import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

interface SignedIn {
  readonly key: string;
  readonly scopes: readonly string[];
}

describe("sessions of browsers", () => {
  let stage: Stage;
  let now = Date.parse("2026-11-20T12:00:00Z");
  before(async () => {
    const clock = { now: () => now };
    stage = await openDoorStage({ clock, settings: { "rate_limit.failed_auth_per_minute": 10 } });
  });
  after(() => stage.end());

  const own = () => ({ Origin: new URL(stage.host.url).origin });

  const signIn = (given: { readonly token?: string; readonly code?: string }, from = "203.0.113.9") =>
    fromElsewhere<SignedIn>(stage.host, "/api/session", {
      method: "POST",
      from,
      token: given.token,
      body: given.code === undefined ? {} : { code: given.code },
    });

  const cookieIn = (headers: Headers): string => /^([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? "";

  const makeCode = async (body: object): Promise<string> =>
    (await stage.host.json<{ code: string }>("POST", "/api/session/code", body)).body.code;

  it("are got for a token, with a cookie that no script reads, and may what the token may", async () => {
    const { secret } = await addToken(stage.host, "browser");
    const { status, headers, body } = await signIn({ token: secret });
    expect([status, body.scopes]).to.deep.equal([200, ["read", "chat"]]);
    expect(headers.get("set-cookie")).to.match(
      /^pergola_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    const both = { Cookie: cookieIn(headers), "X-CSRF-Token": body.key };
    const who = await fromElsewhere<{ caller: object }>(stage.host, "/api/session", { headers: both });
    expect(who.body.caller).to.deep.include({ kind: "session", name: "browser", remote: true });
    const write = { method: "POST", body: { title: "From a browser" } };
    const without = await fromElsewhere(stage.host, "/v1/conversations", { ...write, headers: both });
    expect([without.status, without.body.error.code]).to.deep.equal([403, "forbidden_origin"]);
    const withOrigin = await fromElsewhere(stage.host, "/v1/conversations", {
      ...write,
      headers: { ...both, ...own() },
    });
    expect(withOrigin.status).to.equal(201);
    const admin = await fromElsewhere(stage.host, "/api/tokens", { headers: both });
    expect([admin.status, admin.body.error.code]).to.deep.equal([403, "insufficient_scope"]);
    const out = await fromElsewhere(stage.host, "/api/session", {
      method: "DELETE",
      headers: { ...both, ...own() },
    });
    expect(out.status).to.equal(200);
    expect((await fromElsewhere(stage.host, "/api/models", { headers: both })).status).to.equal(401);
  });

  it("X37 cookie alone, page key alone, and both from a page of another port are refused", async () => {
    const { secret } = await addToken(stage.host, "x37");
    const { headers, body } = await signIn({ token: secret });
    const cookie = { Cookie: cookieIn(headers) };
    const key = { "X-CSRF-Token": body.key };
    const from = "198.51.100.37";
    const statusOf = async (sent: Readonly<Record<string, string>>) =>
      (await fromElsewhere(stage.host, "/api/models", { headers: sent, from })).status;
    expect(await statusOf({ ...cookie, ...key })).to.equal(200);
    expect(await statusOf(cookie)).to.equal(401);
    expect(await statusOf(key)).to.equal(401);
    expect(await statusOf({ ...cookie, "X-CSRF-Token": "x".repeat(43) })).to.equal(401);
    expect(await statusOf({ ...cookie, ...key, Origin: "http://127.0.0.1:1" })).to.equal(403);
    const other = await signIn({ token: secret });
    const mixed = { ...cookie, "X-CSRF-Token": other.body.key };
    expect(await statusOf(mixed)).to.equal(401);
    const post = async (sent: Readonly<Record<string, string>>) =>
      (
        await fromElsewhere(stage.host, "/v1/conversations", {
          method: "POST",
          headers: { ...own(), ...sent },
          body: { title: "x37" },
          from,
        })
      ).status;
    const titles = async () => JSON.stringify((await stage.host.json("GET", "/v1/conversations")).body);
    const strange = { ...cookie, ...key, Origin: "http://127.0.0.1:1" };
    const refused = [await post(cookie), await post(key), await post(mixed), await post(strange)];
    expect(refused).to.deep.equal([401, 401, 401, 403]);
    expect(await titles()).not.to.include("x37");
    expect(await post({ ...cookie, ...key }), "the same from its own page").to.equal(201);
    expect(await titles()).to.include("x37");
  });

  it("X37 end with their token, and when nobody has used them", async () => {
    const { token, secret } = await addToken(stage.host, "x37 ends");
    const sessionOf = async () => {
      const { headers, body } = await signIn({ token: secret });
      return { Cookie: cookieIn(headers), "X-CSRF-Token": body.key };
    };
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await fromElsewhere(stage.host, "/api/models", { headers, from: "198.51.100.38" })).status;
    const idle = await sessionOf();
    expect(await statusOf(idle)).to.equal(200);
    now += 12 * 3_600_000 + 1000;
    expect(await statusOf(idle)).to.equal(401);
    const fresh = await sessionOf();
    expect(await statusOf(fresh)).to.equal(200);
    await stage.host.json("DELETE", `/api/tokens/${token.id}`);
    expect(await statusOf(fresh)).to.equal(401);
  });

  it("X38 a code works once, not after its time, and cannot be guessed", async () => {
    const { token } = await addToken(stage.host, "x38");
    const code = await makeCode({ tokenId: token.id });
    expect((await signIn({ code })).status).to.equal(200);
    expect((await signIn({ code }, "198.51.100.1")).status).to.equal(401);
    const late = await makeCode({});
    now += 61_000;
    const { status } = await stage.host.json("POST", "/api/session", { code: late });
    expect(status).to.equal(401);
    const statuses: number[] = [];
    for (let guess = 0; guess < 100; guess += 1)
      statuses.push((await signIn({ code: `guess-${guess}` }, "198.51.100.2")).status);
    expect(statuses.slice(0, 10)).to.deep.equal(Array(10).fill(401));
    expect(statuses.slice(10)).to.deep.equal(Array(90).fill(429));
  });

  it("X38 the owner's code signs nobody in from elsewhere", async () => {
    const code = await makeCode({});
    expect((await signIn({ code }, "198.51.100.3")).status).to.equal(401);
    const here = await stage.host.request("POST", "/api/session", { code: await makeCode({}) });
    expect(here.status).to.equal(200);
    const { key } = (await here.json()) as SignedIn;
    const headers = { Cookie: cookieIn(here.headers), "X-CSRF-Token": key };
    expect(
      (await fromElsewhere(stage.host, "/api/models", { headers, from: "198.51.100.4" })).status,
    ).to.equal(401);
  });
});
