import { randomInt } from "node:crypto";
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openHost, refusal, thingsOf } from "../../plugins/storage-postgres/test/support/open.ts";
import {
  needsPostgres,
  PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { makeCertificate, needsOpenssl } from "../support/certificate.ts";

describe("PostgreSQL over TLS", function () {
  this.timeout(30_000);
  // The port is the usual one: each run has addresses of its own.
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const [named, unnamed] = [`${network}.1`, `${network}.2`];
  let server: PostgresServer;
  let authority: string;

  before(needsPostgres);
  before(async function () {
    needsOpenssl(this);
    const folder = temporaryFolder();
    const { cert, key } = makeCertificate(folder, "database", [`IP:${named}`]);
    authority = cert;
    server = await PostgresServer.start([`listen_addresses=${named},${unnamed}`]);
    const { uid, gid } = statSync(server.data);
    for (const [from, to] of [
      [cert, "server.crt"],
      [key, "server.key"],
    ] as const) {
      const file = path.join(server.data, to);
      copyFileSync(from, file);
      chownSync(file, uid, gid);
      chmodSync(file, 0o600);
    }
    const rules = path.join(server.data, "pg_hba.conf");
    writeFileSync(
      rules,
      `hostssl all all 127.0.0.0/8 trust\n${readFileSync(rules, "utf8").replaceAll(/^host /gm, "# ")}`,
    );
    await encrypted(true);
  });
  after(() => server?.stop());

  const encrypted = async (on: boolean): Promise<void> => {
    await server.query(`ALTER SYSTEM SET ssl = ${on ? "on" : "off"}`);
    await server.query("SELECT pg_reload_conf()");
    for (;;) {
      const [found] = await server.query<{ readonly ssl: string }>("SHOW ssl");
      if (found?.ssl === (on ? "on" : "off")) return;
    }
  };
  const settings = (host: string, more: object) => ({
    ...server.settings({ wait_seconds: 0, ...more }),
    url: `postgres://pergola@${host}/postgres`,
  });
  const refused = async (host: string, more: object) => {
    const error = await refusal(openHost(settings(host, more)));
    expect(error.name).to.equal("PluginError");
    return `${error.message} ${String(error["remedy"])}`;
  };
  const connections = () =>
    server.query<{ readonly ssl: boolean }>(
      "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'pergola %'",
    );

  it("is used where the certificate is valid for the name, by an authority that is trusted", async () => {
    const storage = await openHost(settings(named, { tls: "verify", tls_ca: authority }));
    await thingsOf(storage).put({ id: "a" });
    expect((await thingsOf(storage).get("a"))?.id).to.equal("a");
    expect(await connections()).to.deep.equal([{ ssl: true }]);
  });

  it("is refused where nobody vouches for the certificate, or where it is for another name", async () => {
    const untrusted = await refused(named, { tls: "verify" });
    expect(untrusted).to.match(new RegExp(`postgres at ${named}:5432 has a certificate that is not valid`));
    expect(untrusted).to.include("storage.tls_ca");
    const other = await refused(unnamed, { tls: "verify", tls_ca: authority });
    expect(other).to.match(/has a certificate that is not valid .*and the server as its certificate does/);
  });

  it("believes any server where the settings say so, and is encrypted all the same", async () => {
    await openHost(settings(unnamed, { tls: "unverified" }));
    expect(await connections()).to.deep.equal([{ ssl: true }]);
  });

  it("is asked for by a server that takes nothing else", async () => {
    expect(await refused(named, { tls: "off" })).to.match(
      /takes this user on encrypted connections only .*storage\.tls: verify/,
    );
  });

  it("is refused by a server that has none", async () => {
    await encrypted(false);
    expect(await refused(named, { tls: "verify", tls_ca: authority })).to.match(
      /takes no encrypted connections/,
    );
    await encrypted(true);
  });
});
