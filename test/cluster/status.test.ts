import { expect } from "chai";
import { chatReply, type MockScript } from "@pergola/sdk/testing";
import {
  needsPostgres,
  sharedServer,
  type PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openService, type Service } from "../faults/support/service.ts";

interface HostStatus {
  readonly label: string;
  readonly isAlive: boolean;
  readonly openedAt: string | null;
  readonly seenAt: string | null;
  readonly silentFor: number | null;
  readonly unread: number | null;
  readonly runs: { readonly running: number; readonly waitingForApproval: number };
  readonly waitingToBeTakenOver: number;
}

interface ClusterStatus {
  readonly shared: boolean;
  readonly answered: number;
  readonly clockAhead: number;
  readonly hosts: readonly HostStatus[];
}

/** A look takes the time of a command. */
async function eventually<T>(what: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 30_000; performance.now() < end;) {
    const found = await what();
    if (found !== undefined) return found;
  }
  throw new Error("It did not happen within thirty seconds.");
}

const script: MockScript = () =>
  chatReply({ toolCalls: [{ name: "effects", arguments: { operation: "ask", before: 5, after: 5 } }] });

describe("pergola cluster status", function () {
  this.timeout(120_000);
  let server: PostgresServer;
  const services: Service[] = [];
  before(needsPostgres);
  before(async () => {
    server = await sharedServer();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map(async (service) => service.close()));
  });

  const open = async (settings: object): Promise<Service> => {
    const service = await openService(script, settings as never);
    services.push(service);
    return service;
  };
  const statusAt = async ({ project }: Service): Promise<ClusterStatus> => {
    const { code, stdout, stderr } = await project.run(["cluster", "status", "--json"]);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout) as ClusterStatus;
  };

  it("shows two hosts, what they work on, and what one that was killed has left", async () => {
    const storage = server.settings({ host_timeout_seconds: 3 });
    const shared = { storage, "workspace.shared": true, "runs.resume": "never" };
    const north = await open({ ...shared, "cluster.label": "north" });
    const south = await open({ ...shared, "cluster.label": "south" });
    await north.start();
    await south.start();
    const messages = [{ role: "user", content: "Go." }];
    const body = { model: "custom/test", conversationId: "garden", messages };
    const asked = south.request("POST", "/api/chat/completions", body).catch(() => undefined);
    const both = await eventually(async () => {
      const found = await statusAt(north);
      return found.hosts.some(({ runs }) => runs.waitingForApproval > 0) ? found : undefined;
    });
    expect(both.hosts.map(({ label, isAlive }) => [label, isAlive])).to.deep.equal([
      ["north", true],
      ["south", true],
    ]);
    expect(both.hosts.map(({ runs }) => runs.waitingForApproval)).to.deep.equal([0, 1]);
    for (const { openedAt, seenAt, silentFor, unread } of both.hosts) {
      expect(Date.now() - Date.parse(openedAt!)).to.be.within(0, 120_000);
      expect(Date.parse(seenAt!)).to.be.at.least(Date.parse(openedAt!));
      expect(silentFor).to.be.within(0, 5000);
      expect(unread).to.be.a("number");
    }
    expect(both.answered).to.be.greaterThan(0);
    expect(Math.abs(both.clockAhead)).to.be.lessThan(2000);

    // A host that is stopped looks at nothing any more, while its session is still there.
    north.program.child.kill("SIGSTOP");
    const quiet = await eventually(async () => {
      const found = (await statusAt(south)).hosts.find(({ label }) => label === "north");
      return found !== undefined && found.isAlive && found.silentFor! > 1500 ? found : undefined;
    });
    expect(quiet.isAlive).to.equal(true);
    const away = await eventually(async () => {
      const found = (await statusAt(south)).hosts;
      return found.some(({ label, isAlive }) => label === "north" && isAlive) ? undefined : found;
    });
    expect(away.map(({ label }) => label)).to.deep.equal(["south"]);
    await north.kill();

    await south.kill();
    await asked;
    const left = await eventually(async () => {
      const found = await statusAt(south);
      return found.hosts.some(({ isAlive }) => isAlive) ? undefined : found;
    });
    expect(left.hosts.map(({ label, waitingToBeTakenOver }) => [label, waitingToBeTakenOver])).to.deep.equal([
      ["south", 1],
    ]);
    const text = await south.project.run(["cluster", "status"]);
    expect(text.stdout).to.include("south: gone").and.include("1 conversation waiting to be taken over");
    expect(text.stdout).to.include("Each host's own: its files, notes, secrets, audit");
  });

  it("says what is wrong while the database is away, and that SQLite has one host", async () => {
    const away = await open({
      storage: { type: "postgres", url: "postgres://me@127.0.0.1:9/none", password: "" },
    });
    const { code, stderr } = await away.project.run(["cluster", "status"]);
    expect(code).not.to.equal(0);
    expect(stderr).to.include("127.0.0.1:9 does not answer").and.include("Start it, or correct storage.url");
    const alone = await open({});
    const { stdout } = await alone.project.run(["cluster", "status"]);
    expect(stdout).to.include("serves one host");
  });
});
