import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { TestHost } from "@pergola/sdk/testing";
import { addToken, fromElsewhere, openDoorStage } from "../boundary/door-scene.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Finding {
  readonly id: string;
  readonly level: string;
  readonly what: string;
  readonly detail: string;
  readonly remedy: string | null;
  readonly address: string | null;
}

interface Report {
  readonly findings: readonly Finding[];
  readonly checkedAt: string;
}

const ask = async (host: TestHost): Promise<Report> => {
  const { status, body } = await host.json<Report>("GET", "/api/doctor");
  expect(status).to.equal(200);
  return body;
};

const findingOf = ({ findings }: Report, id: string): Finding | undefined =>
  findings.find((finding) => finding.id === id);

/** A provider that takes the question for its models and says nothing until it is let. */
class SilentProvider {
  readonly #held: ServerResponse[] = [];
  readonly #server: Server = createServer((_, answer) => {
    this.#held.push(answer);
    this.#server.emit("asked");
  });

  get asked(): number {
    return this.#held.length;
  }

  get settings(): object {
    return {
      default_model: "custom/test",
      "providers.list": [{ type: "custom", base_url: `${this.url}/v1`, retry_count: 0 }],
    };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  async wasAsked(): Promise<void> {
    if (this.asked === 0) await once(this.#server, "asked");
  }

  answer(): void {
    for (const answer of this.#held) answer.end('{"data":[{"id":"test"}]}');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("GET /api/doctor", () => {
  let stage: Stage;
  before(async () => {
    stage = await openDoorStage();
  });
  after(() => stage.end());

  verifies("http:doctor", "tells of each side of the installation, each finding once", async () => {
    const begun = Date.now();
    const { findings, checkedAt, ...rest } = await ask(stage.host);
    expect(rest).to.deep.equal({});
    expect(new Date(checkedAt).toISOString()).to.equal(checkedAt);
    expect(Date.parse(checkedAt)).to.be.within(begun, Date.now());
    for (const finding of findings) {
      expect(finding).to.have.all.keys("id", "level", "what", "detail", "remedy", "address");
      expect(finding.level).to.be.oneOf(["ok", "note", "fault"]);
      expect(finding.address ?? "#/models").to.match(/^#\/(models|plugins|settings\/[a-z_]+)$/);
      expect(finding.detail + (finding.remedy ?? "")).to.not.equal("");
    }
    const ids = findings.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(["settings", "data", "plugins", "access", "remote_access"]);
    expect(ids).to.include.members(["sandbox_programs", "provider:custom", "default_model"]);
    expect(findingOf({ findings, checkedAt }, "data")?.detail).to.equal(stage.host.dataDirectory);
    expect(findings.filter(({ level }) => level === "fault")).to.deep.equal([]);
  });

  verifies("http:doctor", "names a fault with what to do, and the view for it", async () => {
    const free = await openStage(undefined, { settings: { default_model: "custom/gone" } });
    try {
      expect(findingOf(await ask(free.host), "default_model")).to.deep.equal({
        id: "default_model",
        level: "fault",
        what: "Default model",
        detail: "no provider lists custom/gone",
        remedy: "choose another with: pergola settings set default_model <id>",
        address: "#/models",
      });
    } finally {
      await free.end();
    }
  });

  verifies("http:doctor", "tells of a store that cannot be written", async () => {
    const { services } = stage.host;
    const own = Object.getOwnPropertyDescriptor(services.system, "storageFault")!;
    const storageFault = async (): Promise<string> => "The disk is full; nothing was written.";
    Object.assign(services.system, { storageFault });
    try {
      const found = findingOf(await ask(stage.host), "store");
      expect(found).to.include({ level: "fault", detail: "The disk is full; nothing was written." });
    } finally {
      Object.defineProperty(services.system, "storageFault", own);
    }
    expect(findingOf(await ask(stage.host), "store")).to.equal(undefined);
  });

  verifies("http:doctor-scope", "is for the owner, and for tokens with admin alone", async () => {
    const { secret: all } = await addToken(stage.host, "all", {
      scopes: ["read", "chat", "tools", "approve", "admin"],
    });
    const { secret: most } = await addToken(stage.host, "most", {
      scopes: ["read", "chat", "tools", "approve"],
    });
    const refused = await fromElsewhere(stage.host, "/api/doctor", { token: most });
    expect([refused.status, refused.body.error.code]).to.deep.equal([403, "insufficient_scope"]);
    const allowed = await fromElsewhere<Report>(stage.host, "/api/doctor", { token: all });
    expect([allowed.status, findingOf(allowed.body, "settings")?.level]).to.deep.equal([200, "ok"]);
    const closed = await openDoorStage({ settings: { "server.remote_admin": false } });
    try {
      const { secret: token } = await addToken(closed.host, "all", { scopes: ["read", "admin"] });
      const { status, body } = await fromElsewhere(closed.host, "/api/doctor", { token });
      expect([status, body.error.code]).to.deep.equal([403, "remote_not_allowed"]);
    } finally {
      await closed.end();
    }
  });

  verifies("http:doctor-redacted", "says nothing that is secret", async () => {
    const planted = "planted-words-of-a-secret-0815";
    const free = await openStage(undefined, {
      environment: { PLANTED_API_KEY: planted },
      settings: { default_model: `custom/${planted}` },
    });
    try {
      const report = await ask(free.host);
      expect(JSON.stringify(report)).to.not.include(planted);
      expect(findingOf(report, "default_model")?.detail).to.equal("no provider lists custom/[redacted]");
    } finally {
      await free.end();
    }
  });
});

describe("GET /api/doctor beside a provider that is silent", function () {
  this.timeout(40_000);
  let provider: SilentProvider;
  let stage: Stage;
  beforeEach(async () => {
    provider = new SilentProvider();
    await provider.open();
    stage = await openStage(undefined, { settings: provider.settings as never });
  });
  afterEach(async () => {
    provider.close();
    await stage.end();
  });

  verifies("http:doctor-once", "gives both who ask at the same time one report", async () => {
    const servers = createServer((_, answer) => void answer.end('{"data":[]}'));
    let asked = 0;
    servers.on("request", () => asked++);
    await once(servers.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(servers.address() as AddressInfo).port}/v1`;
    const change = { "providers.local_servers": { ollama: url } };
    try {
      expect((await stage.host.json("PATCH", "/api/preferences", change)).status).to.equal(200);
      const first = ask(stage.host);
      await provider.wasAsked();
      const second = ask(stage.host);
      // Asked after it, and answered: the second has come by now.
      expect((await stage.host.json("GET", "/health")).status).to.equal(200);
      provider.answer();
      const [one, other] = await Promise.all([first, second]);
      expect(other).to.deep.equal(one);
      expect(asked).to.equal(1);
      expect(findingOf(one, "default_model")?.level).to.equal("ok");
      expect(findingOf(one, "server:Ollama")).to.include({ level: "note", address: "#/models" });
      await ask(stage.host);
      expect(asked).to.equal(2);
    } finally {
      servers.closeAllConnections();
      servers.close();
    }
  });

  verifies("http:doctor-limit", "answers in time, with what hangs as faults, and the rest", async () => {
    const never = (): Promise<null> => new Promise(() => undefined);
    Object.assign(stage.host.services.system, { storageFault: never });
    const begun = performance.now();
    const report = await ask(stage.host);
    expect(performance.now() - begun).to.be.within(9_000, 15_000);
    expect(findingOf(report, "data")).to.include({
      level: "fault",
      detail: "this check did not end in time",
    });
    expect(findingOf(report, "provider:custom")).to.include({
      level: "fault",
      detail: "it has not listed its models within 10 seconds",
    });
    expect(findingOf(report, "access")?.level).to.be.oneOf(["ok", "note"]);
    expect(findingOf(report, "plugins")?.level).to.equal("ok");
  });
});
