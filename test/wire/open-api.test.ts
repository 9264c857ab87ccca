import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "chai";
import openapiTypes, { astToString } from "openapi-typescript";
import { root } from "../architecture/tree.ts";
import { AnswerCheck } from "../support/answer-check.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A program that uses the generated types: its answers are known by status and by media type. */
const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./pergola.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8080" });

export async function ask(question: string): Promise<string | null> {
  const { data, error } = await client.POST("/v1/chat/completions", {
    body: { model: "default", messages: [{ role: "user", content: question }] },
  });
  if (error !== undefined) throw new Error(error.error.message);
  if (typeof data === "string") throw new Error("That is a stream.");
  if (!("choices" in data)) throw new Error("That goes on in the background.");
  return data.choices[0]?.message.content ?? null;
}

export async function titles(): Promise<readonly (string | undefined)[]> {
  const { data } = await client.GET("/v1/conversations", { params: { query: { limit: 10 } } });
  return (data?.conversations ?? []).map(({ title }) => title);
}

export async function begin(goal: string): Promise<string> {
  const { data, response } = await client.POST("/api/chat/autonomous", { body: { goal, background: true } });
  if (response.status !== 202 || typeof data !== "object") throw new Error("It was not taken.");
  return data.runId;
}

export const textOf = (chunk: components["schemas"]["ChatCompletionChunk"]): string =>
  chunk.choices[0]?.delta.content ?? "";
`;

describe("the OpenAPI document (O1)", function () {
  this.timeout(120_000);
  let stage: Stage;
  let document: Document;

  before(async () => {
    stage = await openStage();
    ({ body: document } = await stage.host.json<Document>("GET", "/openapi.json"));
  });
  after(() => stage.end());

  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

  verifies(
    "http:openapi-answers",
    "O1: declares for every operation how it succeeds and how it fails",
    () => {
      const open = operations().filter(({ responses }) => "default" in responses);
      expect(open.map(({ operationId }) => operationId)).to.deep.equal([]);
      const silent = operations().filter(({ responses }) =>
        Object.keys(responses).every((status) => status >= "300"),
      );
      expect(silent.map(({ operationId }) => operationId)).to.deep.equal([]);
    },
  );

  verifies("http:openapi-answers", "O1: declares both the object and the stream of the chat formats", () => {
    const typesOf = (route: string) =>
      Object.keys(document.paths[route]?.["post"]?.responses[200]?.content ?? {});
    const both = ["application/json", "text/event-stream"];
    for (const route of ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/api/chat/autonomous"])
      expect(typesOf(route), route).to.deep.equal(both);
    expect(document.paths["/v1/conversations"]?.["post"]?.responses).to.include.keys("201");
    expect(document.paths["/api/chat/autonomous"]?.["post"]?.responses).to.include.keys("202");
  });

  it("O1: is what answers are compared with, so that an undeclared one is noticed", async () => {
    const check = await AnswerCheck.open();
    const asked = { method: "GET", path: "/health", contentType: "application/json; charset=utf-8" };
    const faultsOf = (status: number, body: object) =>
      check.faultsOf({ ...asked, status }, JSON.stringify(body))?.faults;
    const health = { status: "ok", version: "1", uptime_seconds: 1 };
    expect(faultsOf(200, health)).to.deep.equal([]);
    expect(faultsOf(418, health)).to.deep.equal(["the status 418 is not declared"]);
    expect(String(faultsOf(200, { ...health, mood: "good" }))).to.include("mood");
    expect(String(faultsOf(200, { ...health, version: 1 }))).to.include("/version must be string");
    expect(String(faultsOf(404, health))).to.include("error");
    expect(check.faultsOf({ ...asked, path: "/elsewhere", status: 404 }, "{}")).to.equal(undefined);
  });

  it("O1: has nothing that only this service could read, and no array of nobody knows what", () => {
    const text = JSON.stringify(document);
    expect(text).not.to.match(/"aliases":\[|"hidden":true|"documentedAs":/);
    expect(text).not.to.match(/"type":"array"(?![^{}]*"items")[^{}]*\}/);
  });

  it("O1: is accepted by a linter", async () => {
    const config = await createConfig({
      rules: {
        struct: "error",
        "no-unresolved-refs": "error",
        "operation-operationId-unique": "error",
        "no-invalid-schema-examples": "error",
        "no-invalid-media-type-examples": "error",
        "path-parameters-defined": "error",
        "no-identical-paths": "error",
        "operation-2xx-response": "error",
        "operation-4xx-response": "error",
        "operation-summary": "error",
        "operation-parameters-unique": "error",
        "parameter-description": "error",
        "no-enum-type-mismatch": "error",
        "no-schema-type-mismatch": "error",
        "security-defined": "error",
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const lines = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
    );
    expect(lines).to.deep.equal([]);
  });

  it("O1: makes a client that compiles", async () => {
    const folder = mkdtempSync(path.join(root, "test", ".client-"));
    try {
      const source = astToString(await openapiTypes(JSON.stringify(document)));
      writeFileSync(path.join(folder, "pergola.ts"), source);
      writeFileSync(path.join(folder, "program.ts"), program);
      const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
      const options =
        "--noEmit --strict --module nodenext --moduleResolution nodenext --target es2023 --skipLibCheck";
      const flags = `${options} --allowImportingTsExtensions --ignoreConfig --types node`.split(" ");
      const compile = promisify(execFile)(process.execPath, [tsc, ...flags, path.join(folder, "program.ts")]);
      const { stdout } = await compile.catch((error: { readonly stdout: string }) => error);
      expect(stdout).to.equal("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
