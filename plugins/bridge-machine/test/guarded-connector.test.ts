import { expect } from "chai";
import type { Socket } from "node:net";
import { guardedConnector } from "../guarded-connector.ts";
import { resolver, serve, stopServers } from "./servers.ts";

describe("the connector", () => {
  afterEach(stopServers);

  const dial = async (
    hostname: string,
    port: number,
    accepts: (address: string) => boolean,
    names = resolver({}),
  ) => {
    const connect = guardedConnector(accepts, names.lookup);
    return new Promise<string>((resolve) =>
      connect(
        { hostname, host: `${hostname}:${port}`, protocol: "http:", port: String(port) },
        (error, socket: Socket | null) => {
          resolve(
            error === null
              ? (socket?.remoteAddress ?? "")
              : ((error as { code?: string }).code ?? error.message),
          );
          socket?.destroy();
        },
      ),
    );
  };

  it("judges a literal address without looking it up", async () => {
    const canary = await serve(() => undefined);
    const names = resolver({});
    expect(await dial("127.0.0.1", canary.port, () => false, names)).to.equal("permission_denied");
    expect(canary.connections()).to.equal(0);
    expect(await dial("127.0.0.1", canary.port, () => true, names)).to.equal("127.0.0.1");
    expect(names.asked()).to.equal(0);
  });

  it("CVE-2026-54020: looks a name up once and dials nothing but an accepted answer", async () => {
    const good = await serve(() => undefined);
    const trap = await serve(() => undefined, { host: "127.0.0.2", port: good.port });
    const names = resolver({ "mixed.test": ["127.0.0.2", "127.0.0.1"], "bad.test": ["127.0.0.2", "::1"] });
    expect(await dial("mixed.test", good.port, (address) => address === "127.0.0.1", names)).to.equal(
      "127.0.0.1",
    );
    expect(names.asked()).to.equal(1);
    expect(await dial("bad.test", good.port, (address) => address === "127.0.0.1", names)).to.equal(
      "permission_denied",
    );
    expect(await dial("none.test", good.port, () => true, names)).to.equal("ENOTFOUND");
    expect(trap.connections()).to.equal(0);
  });
});
