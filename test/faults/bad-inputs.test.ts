import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { addFigure, sizeFor } from "../support/figures.ts";
import { ModelSource } from "../support/model-source.ts";
import { rawRequest } from "../support/raw-request.ts";
import { answerFault, hostFault, leak, unanswered, type Answer } from "./support/bad-answers.ts";
import {
  brokenBodies,
  brokenRequests,
  contentTypes,
  foreignHosts,
  foreignOrigins,
  wrongTexts,
  wrongValues,
} from "./support/bad-values.ts";
import { hostileCalls } from "./support/hostile-calls.ts";
import {
  filled,
  routesIn,
  Samples,
  withValue,
  type BadInput,
  type InputRoute,
  type OpenApi,
} from "./support/open-api-inputs.ts";
import { playPlans } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";
import { residentOf } from "./support/watch-process.ts";

const generated = sizeFor("GENERATED_INPUTS", 300);
const seed = sizeFor("SEED", 1);
/** Requests at a time. */
const width = 8;

const secret = "what-lies-outside-7d1c";
const json = { "content-type": "application/json" };

describe(`bad inputs (seed ${seed})`, function () {
  this.timeout(600_000);
  let service: Service;
  let source: ModelSource;
  let routes: readonly InputRoute[];
  let samples: Samples;
  const found = { sent: 0, refused: 0 };

  before(async () => {
    source = await ModelSource.open();
    service = await openService(playPlans, {
      "runs.queue_seconds": 0,
      "runs.max_parallel": 1000,
      "downloads.base_url": source.url,
    });
    await service.start();
    const document = (await service.json<OpenApi>("GET", "/openapi.json")).body;
    routes = routesIn(document);
    samples = new Samples(document);
  });
  after(async () => {
    await service.close();
    await source.close();
  });
  afterEach(() => expect(service.program.child.exitCode, service.program.stderr).to.equal(null));

  const faultIn =
    (route: string) =>
    (answer: Answer): string | undefined => {
      if (answer.status >= 400 && answer.status < 500) found.refused += 1;
      return answerFault(answer, route);
    };

  async function send(method: string, route: string, init: RequestInit = {}): Promise<Answer> {
    found.sent += 1;
    const late = AbortSignal.timeout(10_000);
    const answer = await fetch(service.url + route, { method, redirect: "manual", signal: late, ...init });
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream && /events/.test(route)) {
      await answer.body?.cancel();
      return { status: answer.status, text: "{}" };
    }
    return { status: answer.status, text: await answer.text() };
  }

  /** Sends inputs, some at a time; gives what is wrong with the answers. */
  async function sendAll(inputs: readonly BadInput[]): Promise<readonly string[]> {
    const rest = [...inputs];
    const faults: string[] = [];
    const lane = async (): Promise<void> => {
      for (let input = rest.pop(); input !== undefined; input = rest.pop()) {
        const { method, route, body } = input;
        const init = body === undefined ? {} : { body, headers: json };
        const fault = await send(method, route, init).then(faultIn(route), String);
        if (fault !== undefined)
          faults.push(`${method} ${route.slice(0, 100)} ${body?.slice(0, 200) ?? ""}: ${fault}`);
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
    return faults;
  }

  function note(count: number, name: string, wrong: number): void {
    addFigure(name, count);
    addFigure("inputs answered wrongly", wrong);
  }

  it("B1: bytes that are no request are refused or ended, and the next is served", async () => {
    const host = new URL(service.url).host;
    const faults: string[] = [];
    for (const text of brokenRequests) {
      const answer = await rawRequest(service.url, text.replaceAll("HOST", host)).catch(() => undefined);
      const status = answer?.status;
      const isWrong = answer !== undefined && (leak.test(answer.text) || (status ?? 0) >= 500);
      if (isWrong) faults.push(`${JSON.stringify(text.slice(0, 80))}: ${answer.text.slice(0, 200)}`);
      const next = await send("GET", "/health");
      if (next.status !== 200) faults.push(`${JSON.stringify(text.slice(0, 80))}: then ${next.status}`);
    }
    note(brokenRequests.length, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
  });

  it("B2, B12: bodies that are no JSON of the route are refused on every route that takes one", async () => {
    const faults: string[] = [];
    let count = 0;
    const takers = ["/api/chat/completions", "/v1/conversations", "/v1/conversations/import"];
    for (const route of takers)
      for (const body of brokenBodies) {
        count += 1;
        const fault = await send("POST", route, { body, headers: json }).then(faultIn(route), String);
        if (fault !== undefined) faults.push(`${route} ${String(body).slice(0, 60)}: ${fault}`);
      }
    note(count, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  it("B3: each field of each body with a value of every wrong kind", async () => {
    const inputs = routes.flatMap((route): readonly BadInput[] => {
      const { method, body } = route;
      if (body === undefined) return [];
      const base = samples.valid(body);
      return samples.fields(body).flatMap((place, index) =>
        wrongValues
          .filter((_, kind) => (kind + index) % 3 === 0)
          .map((value) => {
            const text = JSON.stringify(withValue(base, place, "@here")).replace('"@here"', () => value);
            return { method, route: filled(route), body: text };
          }),
      );
    });
    const faults = await sendAll(inputs);
    note(inputs.length, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
    expect(inputs.length).to.be.at.least(400);
  });

  it("B4: foreign hosts, origins, sites and content types are refused", async () => {
    const { port } = new URL(service.url);
    const faults: string[] = [];
    let count = 0;
    const raw = async (headers: readonly string[], expected: readonly number[]): Promise<void> => {
      count += 1;
      const text = ["POST /v1/conversations HTTP/1.1", ...headers, "Content-Length: 2", "", "{}"].join(
        "\r\n",
      );
      const { status } = await rawRequest(service.url, text);
      if (!expected.includes(status)) faults.push(`${headers.join(", ")}: ${status}`);
    };
    const own = `Host: 127.0.0.1:${port}`;
    const type = "Content-Type: application/json";
    for (const host of foreignHosts) await raw([`Host: ${host}`, type], [400, 403, 421]);
    for (const origin of foreignOrigins) await raw([own, `Origin: ${origin}`, type], [403]);
    for (const site of ["cross-site", "same-site"]) await raw([own, `Sec-Fetch-Site: ${site}`, type], [403]);
    for (const other of contentTypes) await raw([own, `Content-Type: ${other}`], [415]);
    note(count, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
    expect(count).to.be.at.least(80);
  });

  it("B15: texts that are no id, number or name in every path and query", async () => {
    const inputs = routes.flatMap((route): readonly BadInput[] => {
      const { method, path: template, query } = route;
      const body = route.body === undefined ? undefined : JSON.stringify(samples.valid(route.body));
      const texts = wrongTexts.filter((_, index) => (index + template.length) % 2 === 0);
      const paths = template.includes("{") ? texts.map((text) => filled(route, text)) : [];
      const queries = query.flatMap((name) => texts.map((text) => `${filled(route)}?${name}=${text}`));
      return [...paths, ...queries].map((place) => ({ method, route: place, body }));
    });
    const faults = await sendAll(inputs);
    note(inputs.length, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
  });

  it("B14: answers to calls that nobody asked about change nothing", async () => {
    const ids = ["", "call_1", "null", "../x", "x".repeat(300)];
    const inputs = ids.flatMap((toolCallId) =>
      ids.flatMap((conversationId) =>
        [{ approved: true }, { userResponse: "yes" }, {}].map((rest) => ({
          method: "POST",
          route: "/api/chat/tool-response",
          body: JSON.stringify({ toolCallId, conversationId, ...rest }),
        })),
      ),
    );
    const before = found.refused;
    const faults = await sendAll(inputs);
    note(inputs.length, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
    expect(found.refused - before).to.equal(inputs.length);
  });

  it("B5-B11, B13: hostile arguments of tools reach nothing outside and run nothing", async () => {
    const { folder, data } = service.project;
    writeFileSync(path.join(data, "notes.txt"), secret);
    symlinkSync(data, path.join(folder, "link"));
    spawnSync("git", ["init", "-q", folder]);
    const inputs = hostileCalls(data).map(({ tool, args }) => ({
      method: "POST",
      route: "/debug/mcp/execute",
      body: JSON.stringify({ tool, arguments: args, workingDirectory: folder }),
    }));
    const marks = () => [
      readFileSync(path.join(data, "notes.txt"), "utf8"),
      ...["new.txt", "new-too.txt"].map((name) => existsSync(path.join(data, name))),
      ...["marker", "l", ".mcp.json", ".git/hooks/pre-commit"].map((name) =>
        existsSync(path.join(folder, name)),
      ),
    ];
    const before = marks();
    const faults: string[] = [];
    for (const { method, route, body } of inputs) {
      const answer = await send(method, route, { body, headers: json }).catch(unanswered);
      const fault = answer.text.includes(secret)
        ? `shows what lies outside: ${answer.text}`
        : hostFault(answer);
      if (fault !== undefined) faults.push(`${body}: ${fault}`);
    }
    note(inputs.length, "fixed inputs", faults.length);
    expect(faults).to.deep.equal([]);
    expect(marks()).to.deep.equal(before);
    expect(inputs.length).to.be.at.least(200);
  });

  it(`${generated} generated bodies are answered as they should be`, async () => {
    const takers = routes.filter(({ body }) => body !== undefined);
    const arbitrary = fc.record({
      route: fc.nat(takers.length - 1),
      place: fc.nat(),
      value: fc.oneof(
        fc.json({ maxDepth: 4 }),
        fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
      ),
      whole: fc.integer({ min: 0, max: 9 }),
    });
    const inputs = fc
      .sample(arbitrary, { numRuns: generated, seed })
      .map(({ route, place, value, whole }) => {
        const taker = takers[route] as InputRoute;
        const schema = taker.body ?? {};
        const fields = samples.fields(schema);
        const at = whole === 0 ? [] : (fields[place % Math.max(1, fields.length)] ?? []);
        const text = JSON.stringify(withValue(samples.valid(schema), at, "@here"));
        return { method: taker.method, route: filled(taker), body: text.replace('"@here"', () => value) };
      });
    const faults = await sendAll(inputs);
    note(inputs.length, "generated inputs", faults.length);
    expect(faults).to.deep.equal([]);
  });

  it("leaves the service as it was", async () => {
    const { status } = await send("GET", "/health");
    expect(status).to.equal(200);
    const log = service.program.stderr.split("\n").filter((text) => /internal_error|unhandled/i.test(text));
    addFigure("unforeseen errors in the log", log.length);
    expect(log.slice(0, 5)).to.deep.equal([]);
    expect(found.refused).to.be.at.least(found.sent / 4);
    addFigure("megabytes after bad inputs", residentOf(service.program.child.pid ?? 0));
    process.stdout.write(`      ${JSON.stringify(found)} on ${path.basename(service.project.data)}\n`);
  });
});
