import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { read } from "../architecture/tree.ts";
import { manifestOf, packed } from "../support/packed.ts";
import { commandOf, openProject, type Project } from "../support/pergola.ts";

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;

/** What the registry of MCP servers takes, as far as an npm package started on stdin and stdout goes. */
const schema = {
  type: "object",
  required: ["$schema", "name", "description", "version", "packages"],
  additionalProperties: false,
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { ...text(200), minLength: 3, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: text(100),
    description: text(100),
    version: { ...text(255), pattern: "^\\d+\\.\\d+\\.\\d+(?:-[\\w.-]+)?$" },
    packages: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["registryType", "identifier", "version", "transport"],
        additionalProperties: false,
        properties: {
          registryType: { const: "npm" },
          registryBaseUrl: { const: "https://registry.npmjs.org" },
          identifier: text(214),
          version: { ...text(255), pattern: "^\\d+\\.\\d+\\.\\d+(?:-[\\w.-]+)?$" },
          runtimeHint: { enum: ["npx"] },
          transport: {
            type: "object",
            required: ["type"],
            additionalProperties: false,
            properties: { type: { const: "stdio" } },
          },
          packageArguments: {
            type: "array",
            items: {
              type: "object",
              required: ["type", "value"],
              additionalProperties: false,
              properties: { type: { const: "positional" }, value: { type: "string" } },
            },
          },
        },
      },
    },
  },
} as const;

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly packages: readonly {
    readonly identifier: string;
    readonly version: string;
    readonly packageArguments: readonly { readonly value: string }[];
  }[];
}

describe("core/server.json", function () {
  this.timeout(120_000);
  let project: Project;
  const entry = JSON.parse(read("core/server.json")) as Entry;
  before(async () => {
    packed();
    project = await openProject();
  });
  after(() => project.close());

  it("is what the registry of MCP servers takes", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const isValid = ajv.compile(schema);
    expect([isValid(entry), isValid.errors]).to.deep.equal([true, null]);
    expect(isValid({ ...entry, description: "x".repeat(101) })).to.equal(false);
  });

  it("names the packed package, which names the entry", () => {
    const [one] = entry.packages;
    const { mcpName, version } = manifestOf(one?.identifier ?? "");
    expect(mcpName).to.equal(entry.name);
    expect([entry.version, one?.version]).to.deep.equal([version, version]);
  });

  it("starts what serves a client of the protocol", async () => {
    const [command = "", ...words] = commandOf("build");
    const named = entry.packages[0]?.packageArguments.map(({ value }) => value) ?? [];
    const args = [...words, ...named, "--settings", project.settings(), "--data", project.data];
    const client = new Client({ name: "check", version: "1" });
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...project.environment }, cwd: project.folder }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).to.include("file_operations");
    await client.close();
  });
});
