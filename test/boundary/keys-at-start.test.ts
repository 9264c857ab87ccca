import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { execve, startClean } from "../../core/cli/clean-start.ts";
import { leaveValues, takeValues } from "../../core/cli/hand-over.ts";
import { freePort, openProject, type Begin, type Program, type Project } from "../support/pergola.ts";

const key = `cnry-start-${randomBytes(16).toString("hex")}`;
const variables = { MODEL_ACCESS: key, OTHER_API_KEY: `${key}-2`, PLAIN: "as it is" };

const inMemory = {
  plugins: ["@pergola/bundle-standard", "@pergola/storage-memory"],
  storage: { type: "memory" },
};

const ignored = (_title: string, _tests: (this: Mocha.Suite) => void): void => undefined;

describe("keys in the environment of `pergola start`", function () {
  this.timeout(120_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
    project.settings({
      ...inMemory,
      "providers.list": [
        {
          type: "custom",
          base_url: project.model.baseUrl,
          retry_count: 0,
          api_key: { env: "MODEL_ACCESS" },
        },
      ],
    });
  });
  afterEach(() => project.close());

  const serve = async (how: Begin = {}): Promise<{ readonly service: Program; readonly url: string }> => {
    const port = await freePort();
    const service = project.begin(["start", "--port", String(port)], { environment: variables, ...how });
    await service.wrote("stop with Ctrl-C");
    return { service, url: `http://127.0.0.1:${port}` };
  };
  const ask = async (url: string): Promise<void> => {
    const body = JSON.stringify({ model: "default", messages: [{ role: "user", content: "Hi" }] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/chat/completions`, { method: "POST", headers, body });
    expect(answer.status).to.equal(200);
    expect(project.model.requests.at(-1)?.headers["authorization"]).to.equal(`Bearer ${key}`);
  };
  const blockOf = ({ child }: Program): string => readFileSync(`/proc/${child.pid}/environ`, "latin1");
  const isLeft = (): boolean => readdirSync(project.data).some((name) => name.endsWith(".sealed"));
  const doctor = async (environment = {}): Promise<string> =>
    (await project.run(["doctor"], { environment })).stdout;

  const canExecute = execve !== undefined && process.platform === "linux";
  // There is nothing to install for the other case: it belongs to another Node.
  (canExecute ? describe : ignored)("with a Node that can execute itself anew", () => {
    it("are not in the system's view of it, and work; process number, signals and exit code are the same", async () => {
      const { service, url } = await serve();
      const block = blockOf(service);
      expect(block).to.include("PLAIN=as it is").and.include(`HOME=${project.environment["HOME"]}`);
      expect(block).to.not.include(key);
      expect(service.stdout).to.not.include("keys ");
      const stillTold = await doctor({ MODEL_ACCESS: key });
      expect(stillTold).to.include(`process ${service.child.pid}`).and.not.include("in the service's env");
      await ask(url);
      expect(isLeft()).to.equal(false);
      expect(await service.end("SIGINT")).to.equal(0);
      expect(service.stdout + service.stderr).to.not.include(key);
      expect(service.stderr).to.not.include("execve");
    });

    it("leave the refusal of faulty settings as it is", async () => {
      project.settings({ default_model: "custom/test", "server.port": 0, unknown: true });
      const refused = await project.run(["start"], { environment: variables });
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.include("unknown is not a preference").and.not.include(key);
      expect(isLeft()).to.equal(false);
    });
  });

  (canExecute ? ignored : describe)("with an older Node", () => {
    it("are named by the start, once, and by doctor, and work", async () => {
      const { service, url } = await serve();
      expect(blockOf(service)).to.include(key);
      const told = /can read MODEL_ACCESS, OTHER_API_KEY as long as it runs: .*pergola secrets import-env/;
      expect(service.stdout.split("\n").filter((line) => told.test(line))).to.have.length(1);
      await ask(url);
      const found = await doctor({ MODEL_ACCESS: key });
      expect(found).to.match(
        /! Keys in the service's environment: process \d+ shows MODEL_ACCESS, OTHER_API/,
      );
      expect(found).to.include("pergola secrets import-env");
      await service.end();
      expect(await doctor({ MODEL_ACCESS: key })).to.match(
        /! Keys in the environment: MODEL_ACCESS: .*import-env.*Node 20\.\S+ leaves them readable.*22\.15/,
      );
    });
  });

  it("are not told of where there are none", async () => {
    const { service } = await serve({ environment: { MODEL_ACCESS: "" } }).catch(() => ({
      service: undefined,
    }));
    expect(service).to.equal(undefined);
    project.settings(inMemory);
    const { service: plain } = await serve({ environment: { PLAIN: "as it is" } });
    expect(plain.stdout).to.not.include("keys ");
    expect(await doctor()).to.not.include("Keys in");
  });
});

describe("a start that executes itself anew", () => {
  const data = (): string => temporaryFolder("pergola-start-");
  const withVariables = async <T>(
    more: Readonly<Record<string, string>>,
    work: () => Promise<T>,
  ): Promise<T> => {
    const before = { ...process.env };
    Object.assign(process.env, more);
    try {
      return await work();
    } finally {
      for (const name of Object.keys(more)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };

  it("gives the same arguments and all variables but the keys, which wait sealed for this account alone", async () => {
    const folder = data();
    let given: readonly unknown[] = [];
    let found = { text: "", mode: 0 };
    const clean = await withVariables({ A_API_KEY: key, PLAIN: "as it is" }, () =>
      startClean({ data: folder }, (...all) => {
        given = all;
        const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith(".sealed")) ?? "");
        found = { text: readFileSync(file, "latin1"), mode: statSync(file).mode & 0o777 };
      }),
    );
    const [file, args, environment] = given as [string, readonly string[], Record<string, string>];
    expect(file).to.equal(process.execPath);
    expect(args).to.deep.equal([process.argv0, ...process.execArgv, ...process.argv.slice(1)]);
    expect(JSON.stringify(environment)).to.include("as it is").and.not.include(key);
    expect(found.mode).to.equal(0o600);
    expect(found.text).to.not.include(key);
    expect(clean.reason).to.equal("the process was not replaced");
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("goes on as before, and says why, when it cannot", async () => {
    const folder = data();
    const fails = (): never => {
      throw new Error("not here");
    };
    const clean = await withVariables({ A_API_KEY: key }, () => startClean({ data: folder }, fails));
    expect(clean).to.deep.include({ reason: "not here" });
    expect(clean.exposed).to.include("A_API_KEY");
    expect(clean.environment).to.equal(process.env);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("does so once: with what it left for itself it takes that, and stays", async () => {
    const folder = data();
    const left = leaveValues(folder, { A_API_KEY: key });
    const clean = await withVariables({ ...left, B_API_KEY: "found again" }, () =>
      startClean({ data: folder }, () => expect.fail("it must not execute itself again")),
    );
    expect(clean.environment["A_API_KEY"]).to.equal(key);
    expect(clean.exposed).to.deep.equal([]);
    expect(Object.keys(clean.environment)).to.not.include.members(Object.keys(left));
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("does not go on without the keys when they are gone, cut, or sealed for another start", () => {
    const folder = data();
    const file = path.join(folder, `start-${process.pid}.sealed`);
    const left = leaveValues(folder, { A_API_KEY: key });
    const attempts: readonly (() => void)[] = [
      () => leaveValues(folder, { A_API_KEY: "of another" }),
      () => writeFileSync(file, "cut"),
      () => expect(existsSync(file)).to.equal(false),
    ];
    for (const attempt of attempts) {
      attempt();
      expect(() => takeValues(folder, { ...left })).to.throw("lost on the way");
    }
  });

  it("removes what starts that failed have left, and nothing that another start waits for", () => {
    const folder = data();
    mkdirSync(folder, { recursive: true });
    const [old, young] = ["start-1.sealed", "start-2.sealed"].map((name) => path.join(folder, name));
    for (const file of [old!, young!]) writeFileSync(file, "");
    utimesSync(old!, 1, 1);
    leaveValues(folder, {});
    expect([old!, young!].map((file) => existsSync(file))).to.deep.equal([false, true]);
  });
});
