import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import pg from "pg";
import { failureOf } from "../failure-of.ts";
import { migrate } from "../migrate.ts";
import { readSettings } from "../read-settings.ts";
import { openHost, refusal, thingsOf } from "./support/open.ts";
import { needsPostgres, sharedServer, type PostgresServer } from "./support/postgres-server.ts";

const url = "postgres://me:p%40ss@db.example:6432/data";

/** Settings that are wrong, and what is said of them. */
const wrong: readonly (readonly [object, RegExp])[] = [
  [{}, /storage\.url is missing/],
  [{ url: "mysql://x/y" }, /storage\.url is not the address of a PostgreSQL database/],
  [{ url: "postgres://x" }, /is not the address/],
  [{ url: "postgres://me@/data" }, /is not the address/],
  [{ url: `${url}?sslmode=disable` }, /storage\.url has the parameter sslmode/],
  [{ url, schema: "Mine" }, /storage\.schema has a value that is not allowed/],
  [{ url, schema: "pg_mine" }, /storage\.schema has/],
  [{ url, connections: 2 }, /storage\.connections has/],
  [{ url, tls: "yes" }, /storage\.tls has/],
  [{ url, tls_ca: "/nowhere.pem" }, /storage\.tls_ca names a file that cannot be read/],
  [{ url, file: "x" }, /storage\.file is not a setting/],
];

describe("the settings of a database", () => {
  for (const [settings, message] of wrong)
    it(`are refused in one line: ${JSON.stringify(settings).replace(url, "…")}`, async () => {
      const error = await refusal((async () => readSettings(settings as never))());
      expect(error.message).to.match(message);
      expect(error.message).to.not.contain("p%40ss");
    });

  it("say where it is, who asks, and whether the connection is encrypted", () => {
    const read = (more: object) => readSettings({ url, ...more });
    expect(read({})).to.include({ host: "db.example", port: 6432, database: "data", password: "p@ss" });
    expect(read({}).tls).to.deep.equal({ rejectUnauthorized: true });
    expect(read({ url: "postgres://me@localhost/data", password: "x" })).to.include({
      password: "x",
      tls: undefined,
    });
    expect(read({ url: "postgres://me@/data?host=/run/postgresql" }).host).to.equal("/run/postgresql");
    expect(read({ tls: "unverified" }).tls).to.deep.equal({ rejectUnauthorized: false });
    expect([read({ tls: "off" }).tls, read({ durability: "process" }).synchronous]).to.deep.equal([
      undefined,
      false,
    ]);
  });

  it("have a sentence for every failure, for clients and with the seconds to wait", () => {
    const said = (code: string) => failureOf(Object.assign(new Error(), { code })).message;
    expect(said("53100")).to.equal("The disk of the database is full; nothing was written.");
    expect(said("25006")).to.equal("The database is read-only; nothing was written.");
    expect(said("ECONNREFUSED")).to.equal("The database does not answer.");
    expect(failureOf(Object.assign(new Error(), { code: "53100" })).retryAfter).to.equal(5);
    expect(failureOf(new Error("a fault of the code")).code).to.equal("internal_error");
  });
});

describe("opening a database", function () {
  this.timeout(30_000);
  let server: PostgresServer;
  before(needsPostgres);
  before(async () => {
    server = await sharedServer();
  });

  const refused = async (more: object): Promise<string> => {
    const error = await refusal(openHost({ ...server.settings(), wait_seconds: 0, ...more }));
    expect(error.name).to.equal("PluginError");
    expect(error["remedy"]).to.be.a("string");
    return error.message;
  };
  const urlOf = (user: string, database = "postgres"): string =>
    server.url(database).replace("pergola@", `${user}@`);

  it("says which thing is wrong with it, and changes nothing", async () => {
    const rules = path.join(server.data, "pg_hba.conf");
    writeFileSync(rules, `local all guarded scram-sha-256\n${readFileSync(rules, "utf8")}`);
    await server.query("SELECT pg_reload_conf()");
    for (const statement of [
      "CREATE ROLE guarded LOGIN PASSWORD 'right'",
      "CREATE ROLE crowded LOGIN CONNECTION LIMIT 0",
      "CREATE ROLE weak LOGIN",
      "CREATE ROLE reader LOGIN",
      "ALTER ROLE reader SET default_transaction_read_only = on",
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'",
      "CREATE SCHEMA foreign_tables CREATE TABLE records (id text)",
    ])
      await server.query(statement);
    expect(await refused({ url: urlOf("guarded"), password: "wrong" })).to.match(/rejects the user or the/);
    expect(await refused({ url: urlOf("nobody") })).to.match(/rejects the user or the password/);
    expect(await refused({ url: urlOf("pergola", "none") })).to.match(/does not exist on this server/);
    expect(await refused({ url: urlOf("crowded") })).to.match(/has no connection left/);
    expect(await refused({ url: urlOf("weak") })).to.match(/does not let this user do what is needed/);
    expect(await refused({ url: urlOf("reader") })).to.match(/is read-only/);
    expect(await refused({ url: urlOf("pergola", "latin") })).to.match(/has the encoding LATIN1/);
    expect(await refused({ schema: "foreign_tables" })).to.match(/holds tables of another program/);
    expect(await refused({ url: "postgres://x@/y?host=/nowhere" })).to.match(
      /y at \/nowhere does not answer/,
    );
    expect(await refused({ url: "postgres://x@127.0.0.1:9/y" })).to.match(/y at 127\.0\.0\.1:9 does not ans/);
  });

  it("brings it to newer formats while hosts work: adds at once, takes away when all know them", async () => {
    const settings = server.settings();
    const old = await openHost(settings);
    await thingsOf(old).put({ id: "a" });
    const client = new pg.Client({
      connectionString: server.url(),
      options: `-c search_path=${settings.schema}`,
    });
    await client.connect();
    const { formats } = await import("../formats.ts");
    const steps = [
      ...formats,
      {
        expand: "ALTER TABLE hosts ADD COLUMN added integer",
        contract: "ALTER TABLE hosts DROP COLUMN opened",
      },
    ];
    const columns = async () => {
      const { rows } = await client.query<{ readonly name: string }>(
        "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'hosts'::regclass AND attnum > 0",
      );
      return rows.map(({ name }) => name).filter((name) => ["added", "opened"].includes(name));
    };
    const options = { schema: settings.schema, instance: "00000000-0000-4000-8000-000000000001", steps };
    await migrate(client, options);
    expect(await columns()).to.deep.equal(["opened", "added"]);
    await thingsOf(old).put({ id: "b" });
    const another = await openHost(settings);
    expect(await thingsOf(another).count({})).to.equal(2);
    await old.close();
    await another.close();
    await migrate(client, options);
    expect(await columns()).to.deep.equal(["added"]);
    expect(await refused(settings)).to.match(
      /was changed by a later Pergola \(format 4; this one knows .* 3\)/,
    );
    await client.end();
  });

  it("sorts words into the indexes at once, also into those that an earlier version made", async () => {
    const settings = server.settings();
    const first = await openHost(settings);
    const words = first.search("notes", { fields: { text: 1 }, dimensions: 0 });
    await words.index([{ id: "a", scope: "s", fields: { text: "walnut" } }]);
    await first.text!("pages").index([{ id: "a", scope: "s", kind: "k", time: 1, words: "walnut" }]);
    await first.close();
    const indexes = `FROM pg_indexes WHERE schemaname = '${settings.schema}' AND indexdef LIKE '%USING gin%'`;
    const unsorted = async () => {
      const query = `SELECT count(*)::int AS count ${indexes} AND indexdef NOT LIKE '%fastupdate=off%'`;
      return (await server.query<{ readonly count: number }>(query))[0]!.count;
    };
    expect(await unsorted()).to.equal(0);
    await server.query(`DO $$ DECLARE one text; BEGIN FOR one IN SELECT indexname ${indexes}
      LOOP EXECUTE format('ALTER INDEX ${settings.schema}.%I RESET (fastupdate)', one); END LOOP; END $$`);
    await server.query(`UPDATE ${settings.schema}.format SET number = 2, contracted = 2`);
    expect(await unsorted()).to.equal(2);
    const second = await openHost(settings);
    expect(await unsorted()).to.equal(0);
    const [found] = await second
      .search("notes", { fields: { text: 1 }, dimensions: 0 })
      .query({ scopes: ["s"], text: "walnut", limit: 1 });
    expect(found?.id).to.equal("a");
  });

  it("uses no more connections than it may and one for its session, however much is asked at once", async () => {
    await server.query("CREATE ROLE frugal LOGIN SUPERUSER");
    const things = thingsOf(await openHost({ ...server.settings(), url: urlOf("frugal"), connections: 3 }));
    await things.put({ id: "first" });
    const asked = Array.from({ length: 60 }, async (_, at) =>
      at % 2 === 0 ? things.put({ id: `t${at}` }) : things.get("first"),
    );
    const counts: number[] = [];
    const counting = (async () => {
      for (let times = 0; times < 10; times += 1) {
        const query = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'frugal'";
        counts.push((await server.query<{ readonly count: number }>(query))[0]!.count);
      }
    })();
    await Promise.all([...asked, counting]);
    expect(Math.max(...counts)).to.be.within(2, 4);
    expect(await things.count({})).to.equal(31);
  });

  it("lets several hosts make a new one at the same time", async () => {
    const settings = server.settings();
    const hosts = await Promise.all([1, 2, 3, 4].map(async () => openHost(settings)));
    await Promise.all(hosts.map(async (host, at) => thingsOf(host).put({ id: `t${at}` })));
    expect(await thingsOf(hosts[0]!).count({})).to.equal(4);
  });
});
