import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { rawRequest } from "../support/raw-request.ts";
import { recordingLog } from "../support/recording-log.ts";
import { addToken, fromElsewhere, openDoorStage, type Made } from "./door-scene.ts";

describe("tokens at the door", () => {
  let stage: Stage;
  const log = recordingLog();
  before(async () => (stage = await openDoorStage({ log, settings: { "log.level": "debug" } })));
  after(() => stage.end());

  const ask = (token?: string, from?: string) =>
    fromElsewhere(stage.host, "/api/models", { token, ...(from !== undefined && { from }) });

  it("lets a good token in, and notes when and from where", async () => {
    const { token, secret } = await addToken(stage.host, "phone");
    expect((await ask(secret, "198.51.100.7")).status).to.equal(200);
    const { body } = await stage.host.json<{ tokens: Readonly<Record<string, unknown>>[] }>(
      "GET",
      "/api/tokens",
    );
    const found = body.tokens.find(({ id }) => id === token.id);
    expect(found).to.include({ name: "phone", lastAddress: "198.51.100.7", replacedBy: null });
    expect(found).not.to.have.any.keys("hash", "secret");
    expect(JSON.stringify(body)).not.to.include(secret);
  });

  it("X40 no, wrong, expired, revoked, cut and padded tokens are refused", async () => {
    const good = (await addToken(stage.host, "x40")).secret;
    const short = (await addToken(stage.host, "x40 short", { expiresIn: "1s" })).secret;
    const gone = await addToken(stage.host, "x40 gone");
    expect((await ask(gone.secret)).status).to.equal(200);
    await stage.host.json("DELETE", `/api/tokens/${gone.token.id}`);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const bad = [
      undefined,
      "wrong",
      short,
      gone.secret,
      good.slice(0, -1),
      `${good}0`,
      `${good.slice(0, 72)}x`,
      `x${good}`,
      good.slice(0, 36),
    ];
    for (const token of bad) {
      const { status, headers, body } = await ask(token);
      expect(`${token} ${status} ${body.error.code}`).to.equal(`${token} 401 invalid_api_key`);
      expect(headers.get("www-authenticate")).to.equal("Bearer");
    }
    expect((await ask(good)).status).to.equal(200);
  });

  it("X40 a rotated token is good until its overlap ends, and the new one from then on", async () => {
    const old = await addToken(stage.host, "x40 rotated");
    const rotate = (overlap: string, id: string) =>
      stage.host.json<Made>("POST", `/api/tokens/${id}/rotate`, { overlap });
    const first = await rotate("1h", old.token.id);
    expect([
      first.status,
      (await ask(old.secret)).status,
      (await ask(first.body.secret)).status,
    ]).to.deep.equal([201, 200, 200]);
    const second = await rotate("0s", first.body.token.id);
    expect([(await ask(first.body.secret)).status, (await ask(second.body.secret)).status]).to.deep.equal([
      401, 200,
    ]);
  });

  it("X41 a token in the query, Basic, a second Authorization line and two that differ are refused", async () => {
    const { secret } = await addToken(stage.host, "x41");
    const other = (await addToken(stage.host, "x41 other")).secret;
    const basic = { Authorization: `Basic ${Buffer.from(`me:${secret}`).toString("base64")}` };
    const answers = await Promise.all([
      fromElsewhere(stage.host, `/api/models?token=${secret}`),
      fromElsewhere(stage.host, `/api/models?access_token=${secret}`, { token: secret }),
      fromElsewhere(stage.host, "/api/models", { headers: basic }),
      fromElsewhere(stage.host, "/api/models", { token: secret, headers: { "X-API-Key": other } }),
      fromElsewhere(stage.host, "/api/models", { headers: { "X-API-Key": `${secret}, ${secret}` } }),
      fromElsewhere(stage.host, "/api/models", { token: `${secret}${"0".repeat(600)}` }),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401, 401]);
    const { port, hostname } = new URL(stage.host.url);
    const lines = [
      "GET /api/models HTTP/1.1",
      `Host: ${hostname}:${port}`,
      "X-Forwarded-For: 203.0.113.9",
      `Authorization: Bearer ${secret}`,
      `Authorization: Bearer ${secret}`,
      "Connection: close",
    ];
    const raw = await rawRequest(stage.host.url, `${lines.join("\r\n")}\r\n\r\n`);
    expect(raw.status).to.equal(401);
    const same = await fromElsewhere(stage.host, "/api/models", {
      token: secret,
      headers: { "X-API-Key": secret },
    });
    expect(same.status).to.equal(200);
    const { body } = await stage.host.json("GET", "/api/audit?limit=1000");
    expect(JSON.stringify(body)).to.include("/api/models");
    expect(log.lines.length).to.be.above(0);
    for (const text of [secret, other, basic.Authorization]) {
      expect(JSON.stringify(body)).not.to.include(text);
      expect(JSON.stringify(log.lines)).not.to.include(text);
    }
  });
});
